-- Archive what has expired (see the view expired): memories past their own end, and candidates that nobody confirmed.
-- As in 50_archive, a plan is carried out :most memories at a time.
-- reads: memory, kind, link, change, setting
-- writes: job_run, memory, archiving
-- period: day
-- needs: clock
-- params: :run, :now, :period, :is_forced, :most

insert into job_run (uid, job, period, started_at, is_forced, considered_count, allowed_archived)
select :run, '60_expire', :period, :now, :is_forced, n,
       {allowed n, share}
  from (select count(*) as n from memory where state = 'active'),
       (select cast(value as real) as share from setting where name = 'archive_share');

delete from archiving where run in (select uid from job_run where job = '60_expire');

insert into archiving (run, memory_id, touched_at)
select :run, m.id, max(m.updated_at, m.reinforced_at, coalesce(m.accessed_at, 0))
  from expired w join memory m on m.id = w.memory_id;

-- Candidates were never in force: only active memories count against the limit.
update job_run set archived_count = (
         select count(*) from archiving a join memory m on m.id = a.memory_id where a.run = :run and m.state = 'active') where uid = :run;

update memory -- if: select exists (select 1 from archiving where run = :run)
   set state = 'archived', archived_at = :now, archive_reason = 'expired', updated_at = :now
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
