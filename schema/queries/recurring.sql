-- What recurs: read and proposed by cogmem/night/recurring.py, within the transaction of the job 40_promote.

-- name: episodes(limit)
-- Episodes that count as evidence, the newest, with the days on which the same was told again. What a session left of its
-- own work ("Changed x for …") tells no incident a second time. The text of a document is read anew in every session and
-- would recur for ever; what bears out a proposal of an earlier night is marked.
select t.memory_id, t.content, t.tags, t.runtime, t.user, t.project, t.occasion, e.outcome, t.happened_at,
       (select count(distinct h.changed_at / 86400000) from change h
         where h.uid = t.uid and h.record = 'memory' and json_extract(h.after, '$.reinforcement_count') > 1) as days,
       exists (select 1 from link l join memory p on p.id = l.from_id
                where l.to_id = t.memory_id and l.relation = 'evidence' and p.key glob 'auto.recurs.*') as is_told
  from {seen_or_told t} join episode e on e.memory_id = t.memory_id
 where json_extract(t.data, '$.work') is null and not exists (select 1 from document d where instr(d.body, t.content) > 0)
 order by t.happened_at desc, t.memory_id desc limit :limit

-- name: calls(limit)
-- What was run and what came of it, in the order of each conversation: the newest messages with parts within the lookback.
select * from (
  select m.id, m.conversation_id, m.seq, m.role, m.parts, m.said_at, v.runtime, v.user, v.project
    from context c
    cross join message m indexed by message_by_time on m.said_at > {lookback c.last_at} and m.said_at <= c.last_at
    join conversation v on v.id = m.conversation_id
   where m.role in ('assistant', 'tool') and m.is_current = 1 and m.parts glob '*"tool_*'
   order by m.said_at desc, m.id desc limit :limit)
 order by conversation_id, seq

-- name: is_proposed(key, runtime, user, project)
-- What a night proposed once is not proposed again, even if it was removed since.
select count(*) from memory h where h.key = :key and h.key glob 'auto.*' and (h.runtime, h.user, h.project) = (:runtime, :user, :project)

-- name: propose(uid, kind, key, content, runtime, user, project, now)
-- A candidate: nobody is shown it before somebody confirms it.
insert into memory (uid, layer, kind, key, content, runtime, user, project, source, trust, state, created_at, updated_at, reinforced_at)
select :uid, k.layer, k.name, :key, :content, :runtime, :user, :project, 'inferred', 0.7, 'candidate', :now, :now, :now
  from kind k where k.name = :kind

-- name: tie(uid, episodes, messages, now)
-- What supports it.
insert into link (from_id, relation, to_id, message_id, created_at)
select m.id, 'evidence', e.value, null, :now from memory m, json_each(:episodes) e where m.uid = :uid
 union all
select m.id, 'evidence', null, g.value, :now from memory m, json_each(:messages) g where m.uid = :uid

-- name: count_proposed(run)
-- The run says how many it proposed.
update job_run
   set changed_count = (select count(distinct uid) from change where run = :run),
       promoted_count = (select count(*) from change where run = :run and record = 'memory' and action = 'insert')
 where uid = :run
