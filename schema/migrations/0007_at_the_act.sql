-- What is known is told where it is about to be done: two kinds, two settings, and what a session was told.

insert or ignore into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
values
  ('rejected', 'semantic', 'What was tried or proposed and turned down, with the reason.', 1.3, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('failure', 'semantic', 'A command that failed, the error it showed, and what mended it.', 0.9, 1, 90, 0, 0, 0, 0, 500, null, 'archive_oldest', 'cogmem');

insert or ignore into setting (name, value, meaning) values
  ('at_the_act', '1', 'Whether hooks tell what is known about a file or a command right before it is used: 1 or 0.'),
  ('subagent_rules', '1', 'Whether a subagent is told the rules when it starts: 1 or 0.');

create table told_at_act (
  -- One row per memory that a session was told right before, or after, a tool ran: it is not told there again until
  -- the host makes its prompt anew. Old rows are dropped when new ones come.
  memory_id  integer not null references memory (id) on delete cascade,
  session    text not null,   -- the host's name of the session
  subject    text not null,   -- the file or the command that it was about, cut
  at         integer not null, -- ms UTC
  primary key (session, memory_id),
  constraint telling_belongs_to_a_session check (session <> '')
) strict, without rowid;
