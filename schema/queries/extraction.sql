-- Extraction of memories from talk: called by cogmem/extraction.

-- name: kinds(vocabulary)
-- What may be extracted: every kind but procedures, with its meaning, and whether it is asked for when nobody says what to look for.
select name, meaning, needs_person = 0 and (system = 'user' or system = :vocabulary
         or exists (select 1 from kind_alias a where a.vocabulary = :vocabulary and a.kind = name)) as is_usual
  from kind where layer <> 'procedural' order by system, name

-- name: common(terms)
-- In how many memories the common stems stand; the others are rare.
select term, documents from common_term where term in (select value from json_each(:terms))

-- name: alike(match, kind, runtime, user, project, session, limit, now)
-- The few living memories of one kind and owner that share telling words, best first. It needs no viewer: all of them
-- belong to exactly this user and project; a null :session means any session of theirs.
select {memory m}
  from (select rowid as id, bm25(memory_fts) as score from memory_fts where memory_fts match :match
         order by rowid desc limit 2500) t
 cross join memory m on m.id = t.id
  left join fact f on f.memory_id = m.id
 where (m.kind, m.runtime, m.user, m.project) = (:kind, :runtime, :user, :project)
   and (:session is null or m.session in ('', :session))
   and m.state in ('active', 'candidate')
   and (m.expires_at is null or m.expires_at > :now)
   and {going_on f, :now}
 order by t.score, m.id
 limit :limit

-- name: open_run(uid, period, is_forced, now)
-- An extraction is a run, so that it is undone in one step. A stretch of the record is a period: a second run of it stops here.
insert into job_run (uid, job, period, started_at, is_forced) values (:uid, 'extract', :period, :now, :is_forced)

-- name: close_run(uid, now)
-- It came to its end; the history says how many memories it changed.
update job_run set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :uid) where uid = :uid

-- name: read_up_to(first, last)
-- How far a conversation was read: its runs are named by where they ended, in digits of one length.
select max(period) from job_run
 where job = 'extract' and is_forced = 0 and is_stopped = 0 and period >= :first and period < :last
