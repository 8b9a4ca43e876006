-- Procedural memory: how to act.

create table procedure (
  -- One row per procedural memory. Its name is memory.key, its description memory.content.
  memory_id      integer primary key references memory (id) on delete cascade,
  context        text not null default '',     -- when to use it
  steps          text not null default '[]',   -- JSON list of steps, in order
  success_count  integer not null default 0,
  failure_count  integer not null default 0,
  used_at        integer,                      -- ms UTC of the last success or failure; null: never tried
  recent_successes  real not null default 0,   -- successes where each later try makes earlier ones count four fifths
  recent_failures   real not null default 0,   -- failures likewise
  failed_because  text not null default '',    -- why the last try failed; '' where it worked or nobody said
  constraint steps_are_a_json_list check (json_valid(steps) and json_type(steps) = 'array'),
  constraint outcomes_are_not_negative check (success_count >= 0 and failure_count >= 0 and recent_successes >= 0 and recent_failures >= 0)
) strict;
