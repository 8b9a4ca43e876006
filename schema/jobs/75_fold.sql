-- Put answers of a model in their place: tasks that were filled since the last night. Where a model is turned on, it is
-- asked first, outside any transaction and under the caps (see cogmem/night/calls.py); a rehearsal asks nobody.
-- reads: task
-- writes: job_run, task, memory
-- period: day
-- params: :run, :now, :period, :is_forced
-- first: fill
-- then: fold

insert into job_run (uid, job, period, started_at, is_forced, considered_count, note)
select :run, '75_fold', :period, :now, :is_forced, (select count(*) from memory where state = 'active'),
       count(*) || ' answers to fold'
  from task where state = 'filled';
