-- Say what fades. Strength is never stored: the views compute it, and fading.fades_at says once when a memory will be too weak,
-- so a night has nothing to rewrite. This job moves the instant that the views show, and counts what has become too weak.
-- reads: memory, fading
-- writes: job_run
-- period: day
-- params: :run, :now, :period, :is_forced

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '20_decay', :period, :now, :is_forced, count(*) from memory where state = 'active';

update job_run
   set finished_at = :now,
       note = (select count(*) || case count(*) when 1 then ' memory is' else ' memories are' end || ' weaker than archive_threshold'
                 from fading where fades_at <= :now)
 where uid = :run;
