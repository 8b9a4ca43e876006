-- Capture what was missed: messages that no rule has read yet, because the host was killed or recorded them in bulk.
-- Rules are matched outside SQL, in chunks that move conversation.captured_seq together with what they captured.
-- reads: memory, conversation, message, capture_rule
-- writes: job_run, memory, fact, episode, procedure, link, conversation
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: capture

insert into job_run (uid, job, period, started_at, is_forced, considered_count, note)
select :run, '10_capture', :period, :now, :is_forced, (select count(*) from memory where state = 'active'),
       coalesce(sum(next_seq - captured_seq), 0) || ' messages to read'
  from conversation where captured_seq < next_seq;
