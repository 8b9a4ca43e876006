-- Checkpoints: where the graphs of a program stand, as LangGraph's checkpointer keeps it. This is a program's state, not
-- memory: nothing searches it, no turn shows it, it has no history, and it never leaves this machine.

create table checkpoint (
  -- One row per step of a graph, from which it can go on.
  id        integer primary key,
  thread    text    not null,               -- the program's name for one run that goes on
  namespace text    not null default '',    -- the graph within the graph; '' is the outermost
  name      text    not null,               -- the checkpoint; later ones sort behind
  parent    text    not null default '',    -- the one it followed; '' for the first
  runtime   text    not null default '',    -- whose it is, as in the scope of a memory
  user      text    not null default '',
  project   text    not null default '',
  about     text    not null default '{}',  -- what LangGraph says of it: source, step, run …, as JSON
  form      text    not null,               -- how `state` is written
  state     blob    not null,               -- the checkpoint, without the values that lie in checkpoint_value
  links     text    not null default '{}',  -- channel → value_hash of checkpoint_value, as JSON
  kept_at   integer not null,               -- ms UTC
  constraint checkpoint_has_a_name check (thread <> '' and name <> ''),
  constraint about_is_json check (json_valid(about) and json_valid(links)),
  constraint one_checkpoint_has_each_name unique (thread, namespace, name, runtime, user, project)
) strict;

create table checkpoint_value (
  -- One row per value that a thread ever held and that is not small: steps that leave it as it is share it.
  id         integer primary key,
  thread     text not null,                 -- as in checkpoint
  runtime    text not null default '',      -- whose it is, as in the scope of a memory
  user       text not null default '',
  project    text not null default '',
  value_hash text not null,                 -- sha256 of form and value
  form       text not null,                 -- how `value` is written
  value      blob not null,                 -- as the program's serialiser wrote it
  constraint a_value_is_kept_once unique (thread, value_hash, runtime, user, project)
) strict;

create table checkpoint_write (
  -- One row per value that a task wrote after a checkpoint, before all tasks of its step were done.
  id         integer primary key,
  thread     text    not null,              -- as in checkpoint
  namespace  text    not null default '',   -- as in checkpoint
  checkpoint text    not null,              -- its name
  runtime    text    not null default '',   -- whose it is, as in the scope of a memory
  user       text    not null default '',
  project    text    not null default '',
  task       text    not null,              -- who wrote it
  path       text    not null default '',   -- where the task stands in its step: writes are replayed in this order
  place      integer not null,              -- the number of the write; below zero for errors, interrupts and their like
  channel    text    not null,              -- the part of the state that is written
  form       text    not null,              -- how `value` is written
  value      blob    not null,              -- as the program's serialiser wrote it
  constraint write_belongs_to_a_task check (thread <> '' and checkpoint <> '' and channel <> ''),
  constraint a_task_writes_each_place_once unique (thread, namespace, checkpoint, task, place, runtime, user, project)
) strict;
