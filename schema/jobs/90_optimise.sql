-- Keep searches fast: refresh the table of common stems, merge the search index, give the planner fresh figures. Then,
-- outside the transaction, free pages go back to the disk and the write-ahead log is folded in.
-- reads: memory_term, inside_word_merging, memory_fts_idx, message_fts_idx, document_fts_idx
-- writes: job_run, common_term, memory_fts, message_fts, document_fts, sqlite_stat1
-- period: day
-- params: :run, :now, :period, :is_forced
-- then: tidy

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '90_optimise', :period, :now, :is_forced, count(*) from memory where state = 'active';

delete from common_term;

insert into common_term (term, documents) select term, doc from memory_term where doc >= 64;

-- Bounded steps: merging a large index at once would write all of it to the log. One of a few MB in many lists, of which
-- every word of a prompt costs a look, becomes one: a turn on 8,600 messages takes two thirds of the time.
insert into memory_fts (memory_fts, rank)
select 'merge', case when now.lists > most_lists and now.pages < pages_at_once then -pages_at_once else pages_at_night end
  from inside_word_merging, (select count(distinct segid) as lists, count(*) as pages from memory_fts_idx) as now;
insert into message_fts (message_fts, rank)
select 'merge', case when now.lists > most_lists and now.pages < pages_at_once then -pages_at_once else pages_at_night end
  from inside_word_merging, (select count(distinct segid) as lists, count(*) as pages from message_fts_idx) as now;
insert into document_fts (document_fts, rank)
select 'merge', case when now.lists > most_lists and now.pages < pages_at_once then -pages_at_once else pages_at_night end
  from inside_word_merging, (select count(distinct segid) as lists, count(*) as pages from document_fts_idx) as now;
