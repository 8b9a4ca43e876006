-- Copy the file, prove the copy, and keep the latest backups_kept of them in <name>.backups/ beside it, or in backups_folder.
-- reads: setting
-- writes: job_run
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: back_up

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '95_back_up', :period, :now, :is_forced, count(*) from memory where state = 'active';
