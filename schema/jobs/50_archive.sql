-- Archive what has faded below archive_threshold (see the view faded). Archived memories are found by search and never
-- injected. Critical and pinned memories and sole evidence stay, whatever their strength.
-- reads: memory, fading, kind, link, change, setting
-- writes: job_run, memory
-- period: week
-- needs: clock
-- params: :run, :now, :period, :is_forced

insert into job_run (uid, job, period, started_at, is_forced, considered_count, allowed_archived)
select :run, '50_archive', :period, :now, :is_forced, n,
       -- A small space may always archive ten; a share of 0 allows none.
       case share when 0 then 0 else max(10, cast(n * share as integer)) end
  from (select count(*) as n from memory where state = 'active'),
       (select cast(value as real) as share from setting where name = 'archive_share');

-- Too many, and the constraint of job_run aborts the whole job.
update job_run set archived_count = (select count(*) from faded) where uid = :run;

update memory set state = 'archived', archived_at = :now, archive_reason = 'faded', updated_at = :now
 where id in (select memory_id from faded);

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run;
