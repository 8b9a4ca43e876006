-- Notes that a model leaves of sessions: called by cogmem/noted, cogmem/search/noted.py and cogmem/turn.

-- name: alike(match, name, runtime, user, project, limit, now)
-- Lines that other sessions of the same person and project left and that share telling words, the likest first. It needs
-- no viewer: all of them belong to exactly this user and project.
select m.uid, m.kind, m.content
  from (select rowid as id, bm25(memory_fts) as score from memory_fts where memory_fts match :match
         order by rowid desc limit 2500) t
 cross join memory m on m.id = t.id
  join kind k on k.name = m.kind and k.is_line = 1
  join episode e on e.memory_id = m.id and e.session_name <> :name
 where (m.runtime, m.user, m.project, m.session, m.state) = (:runtime, :user, :project, '', 'active')
   and (m.expires_at is null or m.expires_at > :now)
 order by t.score, m.id limit :limit

-- name: is_any()
-- Whether a model ever left notes here; those that came from elsewhere are found by their words.
select exists (select 1 from job_run where job = 'notes')

-- name: of(ids, talks, viewer)
-- Notes among these memories and of these conversations, with what they were made from.
select m.id, coalesce(c.id, 0), coalesce((select max(g.seq) from link l join message g on g.id = l.message_id
         where l.from_id = m.id and l.relation = 'evidence' and g.conversation_id = c.id), 0), {data m} ->> '$.noted', e.happened_at
  from (select value as id from json_each(:ids)
        union select e.memory_id from json_each(:talks) j cross join conversation t on t.id = j.value
         cross join episode e on e.session_name = t.name and e.session_name <> '') x
 cross join memory m on m.id = x.id
 cross join episode e on e.memory_id = m.id
  left join conversation c on (c.name, c.runtime, c.user, c.project) = (e.session_name, m.runtime, m.user, m.project)
 where m.source = 'inferred' and m.state = 'active' and {data m} ->> '$.noted' is not null and {visible m}

-- name: open_run(uid, job, period, now)
-- Notes of one part of a session are a run, so that they are undone in one step, and so are two that are joined. The
-- part, or the two, are its period: a second run of it stops here.
insert into job_run (uid, job, period, started_at) values (:uid, :job, :period, :now)

-- name: close_run(uid, now)
-- It came to its end; the history says how many memories it changed.
update job_run set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :uid) where uid = :uid

-- name: read_up_to(talks)
-- How far conversations were read, and whether what came of it last was taken back: their runs are named by where they
-- ended, in digits of one length.
select j.value, cast(substr(r.period, -12) as integer), exists (select 1 from change c where c.undoes = r.uid)
  from json_each(:talks) j
 cross join job_run r on r.job = 'notes' and r.is_forced = 0 and r.is_stopped = 0 and r.period = (
       select max(o.period) from job_run o
        where o.job = 'notes' and o.is_forced = 0 and o.is_stopped = 0
          and o.period >= 'conversation ' || j.value || ' ' and o.period < 'conversation ' || j.value || ' :')

-- name: borne_out(ids)
-- The places of the messages that bear memories out.
select l.from_id, {place g.conversation_id, g.seq} from json_each(:ids) j
 cross join link l on l.from_id = j.value and l.relation = 'evidence'
  join message g on g.id = l.message_id and g.is_current = 1
 order by l.from_id, g.conversation_id, g.seq

-- name: read_to(end, name, runtime, user, project)
-- What notes were left of leaves no lines by rules any more.
update conversation set told_seq = max(told_seq, min(:end, next_seq))
 where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: held(name, runtime, user, project)
-- How many notes a session has left.
select count(*) from episode e join memory m on m.id = e.memory_id
 where e.session_name = :name and e.session_name <> ''
   and (m.runtime, m.user, m.project) = (:runtime, :user, :project)
   and m.source = 'inferred' and json_extract(m.data, '$.noted') is not null and m.state <> 'deleted'

-- name: give_way(begin, end, name, uids, runtime, user, project, now)
-- Lines that rules made of the messages which notes were left of now; what was done stays, since tools tell it.
update memory set state = 'archived', archived_at = :now, archive_reason = 'notes tell it', updated_at = :now
 where source = 'observed' and state = 'active' and (runtime, user, project) = (:runtime, :user, :project)
   and kind in (select name from kind where is_line = 1 and name <> 'done')
   and id in (select e.memory_id from episode e where e.session_name = :name and e.session_name <> '')
   and exists (select 1 from link l join message g on g.id = l.message_id
                where l.from_id = memory.id and l.relation = 'evidence' and g.seq >= :begin and g.seq < :end)
   and uid not in (select value from json_each(:uids))
returning uid

-- name: rested(before, runtime, user)
-- Notes of one person that nothing was added to for a while, the newest first: what is still being worked on is not joined.
select m.uid, m.project, m.content, {data m} ->> '$.noted', e.session_name, e.happened_at
  from memory m
  join kind k on k.name = m.kind and k.is_line = 1
  join episode e on e.memory_id = m.id and e.happened_at < :before and e.session_name <> ''
 where (m.runtime, m.user, m.session, m.state, m.source) = (:runtime, :user, '', 'active', 'inferred')
   and {data m} ->> '$.noted' is not null and m.expires_at is null
 order by e.happened_at desc, m.id desc limit 400

-- name: is_tried(period)
-- Whether the model was asked to join these already.
select exists (select 1 from job_run where job = 'join' and period = :period)

-- name: both(uids, runtime, user, project)
-- Two notes that are to be joined, the older first, with the messages that bear them out; what changed meanwhile is not among them.
select m.uid, m.content, {data m} ->> '$.noted' as sort, m.tags, e.session_name as session, e.happened_at as at,
       (select json_group_array(l.message_id) from link l where l.from_id = m.id and l.relation = 'evidence' and l.message_id is not null) as messages
  from json_each(:uids) j
 cross join memory m on m.uid = j.value
  join episode e on e.memory_id = m.id
 where (m.runtime, m.user, m.project, m.session, m.state) = (:runtime, :user, :project, '', 'active')
 order by e.happened_at, m.id

-- name: changed(limit, viewer)
-- What notes changed of memories that the viewer may see, the latest first.
select r.uid as run, r.started_at as at, h.uid, h.action, m.kind, m.state, m.content,
       case when h.action = 'insert' and r.job = 'join' then 'joined' when h.action = 'insert' then 'noted'
            when json_extract(h.after, '$.state') is not json_extract(h.before, '$.state') then 'put away: ' || m.archive_reason
            else 'said again' end as what,
       coalesce((select c.name from conversation c where c.id = iif(r.job = 'notes', cast(substr(r.period, 14) as integer), 0)), '') as session
  from job_run r
  join change h on h.run = r.uid and h.record = 'memory'
  join memory m on m.uid = h.uid
 where r.job in ('notes', 'join') and {visible m}
 order by r.started_at desc, h.id desc limit :limit
