-- Where the graphs of a program stand: called by cogmem/store/checkpoints.py. They belong to exactly one scope, like the
-- items of a program, so no viewer.

-- name: keep(thread, namespace, name, parent, runtime, user, project, about, form, state, links, now)
-- A step of a graph; one that is kept again is what it is now.
insert into checkpoint (thread, namespace, name, parent, runtime, user, project, about, form, state, links, kept_at)
values (:thread, :namespace, :name, :parent, :runtime, :user, :project, :about, :form, :state, :links, :now)
on conflict (thread, namespace, name, runtime, user, project) do update
   set parent = excluded.parent, about = excluded.about, form = excluded.form, state = excluded.state,
       links = excluded.links, kept_at = excluded.kept_at

-- name: keep_value(thread, runtime, user, project, value_hash, form, value)
-- A value of a thread; it may be there.
insert into checkpoint_value (thread, runtime, user, project, value_hash, form, value)
values (:thread, :runtime, :user, :project, :value_hash, :form, :value)
on conflict (thread, value_hash, runtime, user, project) do nothing

-- name: keep_write(thread, namespace, checkpoint, runtime, user, project, task, path, place, channel, form, value)
-- What a task wrote: it is kept once, however often the task says so. An error or an answer may change.
insert into checkpoint_write (thread, namespace, checkpoint, runtime, user, project, task, path, place, channel, form, value)
values (:thread, :namespace, :checkpoint, :runtime, :user, :project, :task, :path, :place, :channel, :form, :value)
on conflict (thread, namespace, checkpoint, task, place, runtime, user, project) do update
   set channel = excluded.channel, form = excluded.form, value = excluded.value where checkpoint_write.place < 0

-- name: one(thread, namespace, name, runtime, user, project)
-- A checkpoint by its name; without one, the latest.
select thread, namespace, name, parent, about, form, state, links
  from checkpoint
 where (thread, namespace, runtime, user, project) = (:thread, :namespace, :runtime, :user, :project)
   and (:name = '' or name = :name)
 order by name desc limit 1

-- name: many(thread, namespace, name, before, equal, runtime, user, project, limit)
-- Checkpoints, the latest first; null leaves thread, namespace, name or before open. `equal` holds what LangGraph must say of
-- them, as [path, value]: it spares the caller rows, who looks again, since SQL says that true is 1.
select thread, namespace, name, parent, about, form, state, links
  from checkpoint
 where (runtime, user, project) = (:runtime, :user, :project)
   and (:thread is null or thread = :thread) and (:namespace is null or namespace = :namespace)
   and (:name is null or name = :name) and (:before is null or name < :before)
   and (:equal = '[]' or not exists (
     select 1 from json_each(:equal) e where json_extract(about, e.value ->> 0) is not e.value ->> 1))
 order by name desc, id desc limit :limit

-- name: values(thread, hashes, runtime, user, project)
-- Values of a thread.
select value_hash, form, value from checkpoint_value
 where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
   and value_hash in (select value from json_each(:hashes))

-- name: writes(thread, namespace, checkpoint, runtime, user, project)
-- What tasks wrote after a checkpoint, in the order in which a step applies it.
select task, channel, form, value from checkpoint_write
 where (thread, namespace, checkpoint, runtime, user, project) = (:thread, :namespace, :checkpoint, :runtime, :user, :project)
 order by path, task, place

-- name: of_runs(runs, runtime, user, project)
-- The checkpoints of some runs.
select id, thread from checkpoint
 where (runtime, user, project) = (:runtime, :user, :project)
   and about ->> '$.run_id' in (select value from json_each(:runs))

-- name: of_thread(thread, runtime, user, project)
-- The checkpoints of a thread, the latest first.
select id, namespace, name, parent, about, form, state, links from checkpoint
 where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
 order by name desc

-- name: drop(ids)
-- Checkpoints go for good: they are a program's state, and nobody's memory.
delete from checkpoint where id in (select value from json_each(:ids))

-- name: drop_writes(thread, runtime, user, project)
-- What tasks wrote after checkpoints that are gone.
delete from checkpoint_write
 where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
   and not exists (
     select 1 from checkpoint c
      where (c.thread, c.namespace, c.name, c.runtime, c.user, c.project)
          = (checkpoint_write.thread, checkpoint_write.namespace, checkpoint_write.checkpoint, :runtime, :user, :project))

-- name: drop_thread_writes(thread, runtime, user, project)
-- All that tasks of a thread wrote.
delete from checkpoint_write where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)

-- name: drop_values(thread, runtime, user, project)
-- Values that no checkpoint of the thread holds any more.
delete from checkpoint_value
 where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
   and value_hash not in (
     select l.value from checkpoint c join json_each(c.links) l
      where (c.thread, c.runtime, c.user, c.project) = (:thread, :runtime, :user, :project))

-- name: copy(thread, target, runtime, user, project)
-- A thread goes on under another name.
insert into checkpoint (thread, namespace, name, parent, runtime, user, project, about, form, state, links, kept_at)
select :target, namespace, name, parent, runtime, user, project, about, form, state, links, kept_at
  from checkpoint where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
on conflict do nothing

-- name: copy_values(thread, target, runtime, user, project)
-- Its values.
insert into checkpoint_value (thread, runtime, user, project, value_hash, form, value)
select :target, runtime, user, project, value_hash, form, value
  from checkpoint_value where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
on conflict do nothing

-- name: copy_writes(thread, target, runtime, user, project)
-- What its tasks wrote.
insert into checkpoint_write (thread, namespace, checkpoint, runtime, user, project, task, path, place, channel, form, value)
select :target, namespace, checkpoint, runtime, user, project, task, path, place, channel, form, value
  from checkpoint_write where (thread, runtime, user, project) = (:thread, :runtime, :user, :project)
on conflict do nothing
