-- What memories earned: what came of their being shown.

create table earning (
  -- One row per memory that a turn showed for its prompt, or that was told at an act: counted at night from the ledger,
  -- which lets its turns go. It is this file's own and leaves in no exchange.
  memory_id   integer primary key references memory (id) on delete cascade,
  shown       integer not null default 0,   -- turns that showed it for their prompt
  followed    integer not null default 0,   -- of these, how often what the agent said or did next has most of its words
  corrected   integer not null default 0,   -- how often a person changed or removed it before the next prompt
  at_act      integer not null default 0,   -- how often it was told right before or after a tool ran
  counted_at  integer not null,             -- ms UTC: up to which turns are counted
  constraint counts_are_not_negative check (shown >= 0 and followed >= 0 and corrected >= 0 and at_act >= 0)
) strict;
