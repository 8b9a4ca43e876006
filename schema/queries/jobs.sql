-- The ledger of nights: called by cogmem/night/jobs.py. What the jobs themselves do stands in schema/jobs.

-- name: ran(job, period)
-- Whether a job ran in a period, and whether it came to its end.
select uid, finished_at from job_run where job = :job and period = :period and is_forced = 0 and is_stopped = 0

-- name: clock()
-- What the file knows of the time: the latest transaction, the latest night, and what makes names of runs fresh.
select c.last_at, (select r.started_at from job_run r where r.is_stopped = 0 order by r.rowid desc limit 1),
       (select count(*) from job_run), (select h.id || ' ' || coalesce(h.act, '') from change h order by h.id desc limit 1)
  from context c

-- name: coming(now)
-- What the next night will find if nobody uses the file: the first instant at which something fades, expires, may be let
-- go or comes to rest; whether answers of a model wait; whether anything is newer than the last jobs of a week.
select (select min(at) from (
          select min(f.fades_at) as at from fading f where f.fades_at > :now
          union all select min(m.expires_at) from memory m where m.expires_at > :now and m.state = 'active'
          union all select min(max(m.created_at, m.reinforced_at)) + cast(86400000 * s.candidate_days as integer)
                      from memory m where m.state = 'candidate'
          union all select min(a.activated_at) + cast(86400000 * s.ledger_days as integer) from activation a
          union all select min(w.activated_at) + cast(28800000 * s.ledger_days as integer) from weighing w
          union all select min(m.updated_at) + cast(86400000 * s.purge_days as integer)
                      from memory m where m.state = 'deleted' and s.purge_days > 0
          union all select max(g.said_at) - {resting 0} from message g
                     where g.said_at > {resting :now})
         where at > :now),
       exists (select 1 from task t where t.state = 'filled' or (t.state = 'ready' and s.model_calls_per_day > 0)),
       coalesce((select h.changed_at from change h where h.run is null order by h.id desc limit 1), 0) > s.weekly
         or coalesce((select max(g.said_at) from message g), 0) > s.weekly
  from (select max(case when name = 'candidate_days' then cast(value as real) end) as candidate_days,
               max(case when name = 'ledger_days' then cast(value as real) end) as ledger_days,
               max(case when name = 'purge_days' then cast(value as real) end) as purge_days,
               max(case when name = 'model_calls_per_day' then cast(value as real) end) as model_calls_per_day,
               coalesce((select max(r.started_at) from job_run r where r.job = '30_deduplicate' and r.is_stopped = 0), 0) as weekly
          from setting) s

-- name: finish(run, now, note)
-- A job that does work outside SQL came to its end.
update job_run set finished_at = :now, note = case :note when '' then note else :note end,
       changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run

-- name: stop(run, job, period, is_forced, considered, allowed_archived, allowed_merged, note, now)
-- A job that would have gone too far leaves a row that says so.
insert into job_run (uid, job, period, started_at, finished_at, is_forced, is_stopped, considered_count, allowed_archived, allowed_merged, note)
values (:run, :job, :period, :now, :now, :is_forced, 1, :considered, :allowed_archived, :allowed_merged, :note)
on conflict (uid) do nothing  -- a night that began at the same instant left it

-- name: rehearsed()
-- When the nights last brought a backup back, or else made the first one.
select coalesce(max(case when note like '%; rehearsed: %' then started_at end), min(started_at)) from job_run
 where job = '95_back_up' and finished_at is not null

-- name: stopped_between(after, upto)
-- Whether a night was stopped whole between two instants, as one is that does not trust its clock.
select 1 from job_run where job = '20_decay' and is_stopped = 1 and started_at between :after and :upto limit 1

-- name: is_finished(run)
-- Whether a run came to its end.
select finished_at is not null from job_run where uid = :run

-- name: counts(run)
-- What a run did, in figures.
select changed_count, archived_count, merged_count, promoted_count, allowed_archived, allowed_merged, considered_count, note
  from job_run where uid = :run

-- name: changes(run)
-- What a run did, row by row.
select id, record, row_key, uid, action, before, after from change where run = :run order by id

-- name: limit(job)
-- What a limited job would do at the instant of the latest transaction, and how much of it is allowed.
select verb, setting, considered, wanted, allowed from night_limit where job = :job

-- name: unwritten(run)
-- Memories whose text a run made in SQL: their search words, hash and length are still to come.
select m.uid, m.layer, m.kind, m.key, m.content, m.source, m.state, m.runtime, m.user, m.project,
       coalesce(e.outcome, '') as outcome, p.steps
  from memory m left join episode e on e.memory_id = m.id left join procedure p on p.memory_id = m.id
 where m.id in (select cast(h.row_key as integer) from change h
                 where h.run = :run and h.record = 'memory'
                   and (h.action = 'insert' or json_type(h.after, '$.content') is not null))
 order by m.id

-- name: is_known(uid, content_hash, layer, runtime, user, project)
-- Whether another living memory of this scope says exactly the same, whatever its kind.
select count(*) from memory indexed by memory_by_content_hash
 where content_hash = :content_hash and content_hash <> '' and uid <> :uid and state in ('active', 'candidate')
   and (layer, runtime, user, project) = (:layer, :runtime, :user, :project)

-- name: was_shown(text_hash)
-- Whether a text is one that cogmem itself put into a prompt.
select count(*) from weighing where text_hash = :text_hash and text_hash <> ''

-- name: complete(uid, content, terms, content_hash, tokens, token_counter, state, archive_reason)
-- What only Python can add to such a memory.
update memory set content = :content, terms = :terms, content_hash = :content_hash, tokens = :tokens,
       token_counter = :token_counter, state = :state, archive_reason = :archive_reason
 where uid = :uid

-- name: behind()
-- Conversations with messages that no rule has read.
select id, name, runtime, user, project, captured_seq, next_seq from conversation where captured_seq < next_seq order by id

-- name: unheard()
-- How many messages no rule has read.
select coalesce(sum(next_seq - captured_seq), 0) from conversation where captured_seq < next_seq

-- name: unread(conversation, start, end)
-- A stretch of a conversation, as rules read it.
select m.id, m.seq, m.role, m.text, {origin m}, m.said_at from message m
 where conversation_id = :conversation and seq >= :start and seq < :end and is_current = 1
 order by seq

-- name: read_up_to(conversation, upto)
-- Rules have read a conversation so far.
update conversation set captured_seq = max(captured_seq, :upto) where id = :conversation

-- name: bear_out(uid, message, now)
-- The message that taught a memory is its evidence.
insert into link (from_id, relation, message_id, created_at)
select m.id, 'evidence', :message, :now from memory m
 where m.uid = :uid
   and not exists (select 1 from link l where l.from_id = m.id and l.relation = 'evidence' and l.message_id = :message)

-- name: is_borne_out(message)
-- Memories that a message taught already.
select m.uid, m.content, m.kind from link l join memory m on m.id = l.from_id
 where l.message_id = :message and l.relation = 'evidence'

-- name: rules()
-- The capture rules, in the columns that matching wants.
select name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, outcome, example,
       counter_example, is_enabled, is_own
  from capture_rule

-- name: is_shown()
-- Whether any turn is in the ledger, or anything was told at an act.
select exists (select 1 from activation) or exists (select 1 from told_at_act)

-- name: at_rest(now)
-- Conversations within the lookback and at rest that were said more of since they left their lines.
select c.name, c.runtime, c.user, c.project from conversation c
 where c.told_seq < c.next_seq
   and (select max(m.said_at) from message m where m.conversation_id = c.id and m.seq = c.next_seq - 1)
       between {lookback :now} and {resting :now}
 order by c.id
