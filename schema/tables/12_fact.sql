-- Semantic memory: what is held true, since when, and until when.

create table fact (
  -- One row per semantic memory; a trigger makes it. Two clocks: valid_from/valid_to say when the statement holds in the
  -- world, recorded_at when it was learned. A correction never overwrites: it adds a fact and closes the old one.
  memory_id      integer primary key references memory (id) on delete cascade,
  topic          text not null default '',   -- what it is about ('editor.theme'); two living facts on one topic contradict; '' none
  valid_from     integer,                    -- ms UTC; null: as long as anyone knows
  valid_to       integer,                    -- ms UTC, exclusive; null: still true
  recorded_at    integer not null,           -- ms UTC: when cogmem came to hold it
  superseded_by  integer references memory (id) on delete set null,  -- the fact that took its place; null: none
  confidence     real not null default 0.8,  -- 0 to 1: how sure the source was
  constraint superseded_fact_has_an_end check (superseded_by is null or valid_to is not null),
  constraint fact_is_valid_forwards check (valid_from is null or valid_to is null or valid_from <= valid_to),
  constraint confidence_is_a_share check (confidence between 0 and 1)
) strict;

create index fact_by_topic on fact (topic) where topic <> '';
create index fact_by_successor on fact (superseded_by) where superseded_by is not null;
