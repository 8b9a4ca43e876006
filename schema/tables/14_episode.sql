-- Episodic memory: what happened.

create table episode (
  -- One row per episodic memory; the event itself is memory.content.
  memory_id     integer primary key references memory (id) on delete cascade,
  outcome       text not null default '',     -- how it ended, in words: 'success', 'failure', 'learning' or a sentence
  happened_at   integer not null,             -- ms UTC
  session_name  text not null default '',     -- the session it happened in: provenance, not scope
  turns         integer not null default 0,   -- user turns of that session
  form          text not null default 'event',  -- event: one thing; narrative: a whole session
  constraint turns_are_not_negative check (turns >= 0),
  constraint episode_form_is_known check (form in ('event', 'narrative'))
) strict;

create index episode_by_session on episode (session_name) where session_name <> '';
create index episode_by_instant on episode (happened_at);
