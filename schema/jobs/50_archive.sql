-- Archive what has faded below archive_threshold (see the view faded). Archived memories are found by search and never
-- injected. Critical and pinned memories and sole evidence stay, whatever their strength. The limits are proved on the
-- whole plan; then it is carried out :most memories at a time (-1: all at once), the statements that take :most again and
-- again until none is left.
-- reads: memory, fading, kind, link, change, setting
-- writes: job_run, memory, archiving
-- period: week
-- needs: clock
-- params: :run, :now, :period, :is_forced, :most

insert into job_run (uid, job, period, started_at, is_forced, considered_count, allowed_archived)
select :run, '50_archive', :period, :now, :is_forced, n,
       {allowed n, share}
  from (select count(*) as n from memory where state = 'active'),
       (select cast(value as real) as share from setting where name = 'archive_share');

-- The plan of a run that died long ago is void.
delete from archiving where run in (select uid from job_run where job = '50_archive');

insert into archiving (run, memory_id, touched_at)
select :run, m.id, max(m.updated_at, m.reinforced_at, coalesce(m.accessed_at, 0))
  from faded w join memory m on m.id = w.memory_id;

-- Too many, and the constraint of job_run aborts the whole job.
update job_run set archived_count = (select count(*) from archiving where run = :run) where uid = :run;

update memory -- if: select exists (select 1 from archiving where run = :run)
   set state = 'archived', archived_at = :now, archive_reason = 'faded', updated_at = :now
 where id in (
   select a.memory_id from (select * from archiving where run = :run order by memory_id limit :most) a
     join memory m on m.id = a.memory_id
    where m.state in ('active', 'candidate')
      and max(m.updated_at, m.reinforced_at, coalesce(m.accessed_at, 0)) = a.touched_at);

delete from archiving
 where run = :run and memory_id in (select memory_id from archiving where run = :run order by memory_id limit :most);

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run and not exists (select 1 from archiving where run = :run);
