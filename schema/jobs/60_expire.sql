-- Archive what has expired (see the view expired): memories past their own end, and candidates that nobody confirmed.
-- reads: memory, kind, link, change, setting
-- writes: job_run, memory
-- period: day
-- needs: clock
-- params: :run, :now, :period, :is_forced

insert into job_run (uid, job, period, started_at, is_forced, considered_count, allowed_archived)
select :run, '60_expire', :period, :now, :is_forced, n,
       case share when 0 then 0 else max(10, cast(n * share as integer)) end
  from (select count(*) as n from memory where state = 'active'),
       (select cast(value as real) as share from setting where name = 'archive_share');

-- Candidates were never in force: only active memories count against the limit.
update job_run set archived_count = (select count(*) from expired where state = 'active') where uid = :run;

update memory set state = 'archived', archived_at = :now, archive_reason = 'expired', updated_at = :now
 where id in (select memory_id from expired);

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run;
