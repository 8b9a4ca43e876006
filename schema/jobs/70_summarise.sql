-- Tell each finished session as one episode (see `untold_talk` in predicates.sql), without a model: how it began and ended. Where
-- model calls are allowed, a task asks for a better telling, which a later night puts in its place.
-- reads: memory, conversation, message, setting
-- writes: job_run, memory, episode, task
-- period: day
-- params: :run, :now, :period, :is_forced, :seed
-- then: complete

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '70_summarise', :period, :now, :is_forced, count(*) from memory where state = 'active';

-- One row per session: an earlier telling of it is brought up to date.
update memory -- if: select exists (select 1 from {untold_talk x})
   set content = u.turns || ' turns. It began: ' || u.began || ' It ended: ' || u.ended,
       data = json_object('conversation', u.conversation_id, 'upto', u.next_seq, 'turns', u.turns, 'ended_at', u.ended_at),
       updated_at = :now
  from {untold_talk u}
 where u.episode_id = memory.id;

insert into memory -- if: select exists (select 1 from {untold_talk x})
                   (uid, layer, kind, key, content, runtime, user, project, source, trust, data,
                    created_at, updated_at, reinforced_at)
select 'mem_' || printf('%016x', :seed + u.conversation_id), 'episodic', 'session_summary', 'auto.session.' || u.name,
       u.turns || ' turns. It began: ' || u.began || ' It ended: ' || u.ended,
       u.runtime, u.user, u.project, 'inferred', 0.7,
       json_object('conversation', u.conversation_id, 'upto', u.next_seq, 'turns', u.turns, 'ended_at', u.ended_at),
       :now, :now, max(u.ended_at, 0)
  from {untold_talk u}
 where u.episode_id is null
 order by u.conversation_id;

update episode -- if: select exists (select 1 from {untold_talk x})
   set (happened_at, session_name, turns, form) = (
         select json_extract(m.data, '$.ended_at'), substr(m.key, 14), json_extract(m.data, '$.turns'), 'narrative'
           from memory m where m.id = episode.memory_id)
 where memory_id in (select cast(row_key as integer) from change
                      where run = :run and record = 'memory');

insert into task (uid, purpose, subject, payload, ready_at, created_at)
select 'task_' || printf('%016x', :seed + m.id), 'narrate', m.uid, m.data, :now, :now
  from memory m
 where m.id in (select cast(row_key as integer) from change where run = :run and record = 'memory')
   and exists (select 1 from setting where name = 'model_calls_per_day' and cast(value as integer) > 0)
   and not exists (select 1 from task t where t.purpose = 'narrate' and t.subject = m.uid and t.state in ('ready', 'claimed', 'filled'))
 order by m.id;

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run;
