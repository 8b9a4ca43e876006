-- Put answers of a model in their place: tasks that were filled since the last night. Asking a model is no job of the
-- night; a worker does it under the daily cap (see cogmem/tasks.py).
-- reads: task
-- writes: job_run, task, memory
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: fold

insert into job_run (uid, job, period, started_at, is_forced, considered_count, note)
select :run, '75_fold', :period, :now, :is_forced, (select count(*) from memory where state = 'active'),
       count(*) || ' answers to fold'
  from task where state = 'filled';
