-- Let conversations that are at rest leave the lines worth saying elsewhere, as the end of a session does where its host tells of it.
-- Which lines those are is decided outside SQL, with the cursor conversation.told_seq, so nothing is told twice.
-- reads: memory, conversation, message
-- writes: job_run, memory, episode, link, conversation
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: leave

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '70_leave', :period, :now, :is_forced, count(*) from memory where state = 'active';
