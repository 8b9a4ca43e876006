-- Associations: how memories and the record hang together.

create table link (
  -- One directed tie: from a memory to another memory or to the message that bears it out.
  id          integer primary key autoincrement,
  from_id     integer not null references memory (id) on delete cascade,
  relation    text not null,
  to_id       integer references memory (id) on delete cascade,     -- null when it leads to a message
  message_id  integer references message (id) on delete cascade,    -- null when it leads to a memory
  created_at  integer not null,   -- ms UTC
  about       text not null default '',  -- of what rests on what is gone: the words that are over, "heron"; '' else
  constraint relation_is_known check (
    relation = 'evidence' or relation = 'merged_from' or relation = 'supersedes' or relation = 'contradicts'
    or relation = 'derived_from' or relation = 'related' or relation = 'depends_on'),
  constraint link_leads_to_one_thing check ((to_id is null) <> (message_id is null)),
  constraint link_does_not_lead_to_itself check (to_id is null or to_id <> from_id)
) strict;

create unique index link_once on link (from_id, relation, coalesce(to_id, 0), coalesce(message_id, 0));
create index link_by_target on link (to_id) where to_id is not null;
-- On what a memory rests: few, and each turn asks.
create index link_by_ground on link (from_id) where relation = 'depends_on';
create index link_by_message on link (message_id) where message_id is not null;
