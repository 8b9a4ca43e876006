-- Count what memories earned: which of those that turns showed were followed by what the agent said or did next, which a
-- person set right instead, and which were told at an act. The ledger lets its turns go; these counts stay.
-- What follows a memory is decided outside SQL, by its words.
-- reads: memory, activation, conversation, message, change, told_at_act
-- writes: job_run, earning
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: earn

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '72_earn', :period, :now, :is_forced, count(*) from memory where state = 'active';
