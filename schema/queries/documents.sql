-- Documents and saved memories beside their files: called by the modules of cogmem/documents/.

-- name: known(project)
-- What was last seen of the documents proper that this project or everyone has.
select path, scope, project, hash, body, missing_at is not null
  from document where scope not in ('saved', 'shared', 'skill') and project in ('', :project) order by path

-- name: see(path, name, scope, project, hash, size, body, uid, modified_at, now)
-- Take over what a file says now; `uid` names the memory that it mirrors.
insert into document (path, name, scope, project, hash, size, body, memory_id, modified_at, seen_at)
values (:path, :name, :scope, :project, :hash, :size, :body, (select id from memory where uid = :uid), :modified_at, :now)
on conflict (path) do update set name = excluded.name, scope = excluded.scope, project = excluded.project,
  hash = excluded.hash, size = excluded.size, body = excluded.body, memory_id = excluded.memory_id,
  modified_at = excluded.modified_at, seen_at = excluded.seen_at, missing_at = null

-- name: miss(path, now)
-- A file is gone, and that is agreed on.
update document set missing_at = :now where path = :path and missing_at is null

-- name: drop_sections(path)
-- The sections of a document that changed or went.
delete from document_section where document_id = (select id from document where path = :path)

-- name: add_section(path, position, heading, anchor, content, terms)
-- One section of a document.
insert into document_section (document_id, position, heading, anchor, content, terms)
select id, :position, :heading, :anchor, :content, :terms from document where path = :path

-- name: sections(match, project, everywhere, limit)
-- The sections that fit a full-text query best; a word in a heading counts for three.
select d.path, d.scope, s.heading, s.anchor, s.content, -bm25(document_fts, 3.0, 1.0, 1.0)
  from document_fts
  join document_section s on s.id = document_fts.rowid
  join document d on d.id = s.document_id
 where document_fts match :match and d.missing_at is null and (:everywhere or d.project in ('', :project))
 order by bm25(document_fts, 3.0, 1.0, 1.0), s.id
 limit :limit

-- name: mirrors(first, last)
-- The files of one store of saved memories as they were when file and memory last agreed, with the memory as it is.
select d.path, d.name, d.hash, d.body, d.missing_at is not null, m.uid, m.user,
       (select coalesce(min(alias), '') from kind_alias where vocabulary = 'ok' and kind = m.kind), m.key, m.content, m.data,
       m.state = 'active' and m.session = '' and {lasting f}
         and m.kind in (select kind from kind_alias where vocabulary = 'ok')
  from document d
  left join memory m on m.id = d.memory_id
  left join fact f on f.memory_id = m.id
 where d.scope in ('saved', 'shared') and d.path >= :first and d.path < :last
 order by d.path

-- name: unmirrored(first, last, runtime, user, project, now)
-- Living saved memories of exactly this owner that have no file in this store yet, the newest first.
select m.uid, (select coalesce(min(alias), '') from kind_alias where vocabulary = 'ok' and kind = m.kind), m.key, m.content, m.data
  from memory m left join fact f on f.memory_id = m.id
 where m.kind in (select kind from kind_alias where vocabulary = 'ok') and m.state = 'active'
   and (m.runtime, m.user, m.project, m.session) = (:runtime, :user, :project, '')
   and {lasting f} and (m.expires_at is null or m.expires_at > :now)
   and not exists (select 1 from document d where d.memory_id = m.id and d.path >= :first and d.path < :last)
 order by m.updated_at desc, m.id desc

-- name: mirrored(scope, project)
-- Every file that mirrors a saved memory of a project, in whatever folder.
select path from document where scope = :scope and project = :project and missing_at is null order by path

-- name: all_mirrors()
-- Whose memories files hold, in any store: what is forgotten must not come back from one.
select d.path, m.uid from document d join memory m on m.id = d.memory_id where d.scope in ('saved', 'shared') order by d.path

-- name: note(note, user, project, now, since)
-- A note for every session that runs on a frozen text and sees this user's and project's things ('' is everyone's).
insert into pending_update (session_id, note, created_at)
select id, :note, :now from session
 where ended_at is null and stable is not null and frozen_at >= :since
   and (:user = '' or user = :user) and (:project = '' or project = :project)

-- name: bound_notes(cap, kept)
-- Notes wait in bounded number: at the cap the oldest make room, so that `kept` remain.
delete from pending_update where session_id in (
    select session_id from pending_update group by session_id having count(*) >= :cap)
  and id not in (
    select id from (select id, row_number() over (partition by session_id order by id desc) as place from pending_update)
     where place <= :kept)

-- name: held()
-- How many memories there are, before and after an import: of everybody, since it may bring what is other people's.
select count(*) from memory where state <> 'deleted'

-- name: imported(first, last, user, project, runtime)
-- What earlier imports from one program brought here: the living ones by their key, removed and archived ones
-- among those of their state.
select key, state, json_extract({data memory}, '$.said') from memory
 where key >= :first and key < :last and key <> '' and state in ('candidate', 'active')
   and user in ('', :user) and (runtime, project, session) = (:runtime, :project, '')
union all
select key, state, json_extract({data memory}, '$.said') from memory indexed by memory_by_state
 where state in ('archived', 'deleted') and key >= :first and key < :last
   and user in ('', :user) and (runtime, project, session) = (:runtime, :project, '')

-- name: open_run(uid, period, note, now)
-- An import is a run, so that it is undone in one step.
insert into job_run (uid, job, period, started_at, note, is_forced) values (:uid, 'import', :period, :now, :note, 1)

-- name: close_run(uid, changed, now)
-- How many memories it added or changed.
update job_run set finished_at = :now, changed_count = :changed where uid = :uid

-- name: skills()
-- Skills that were brought into step: whose procedure each tells, and what the two sides said then.
select d.path, m.uid, d.hash, d.body, d.missing_at is not null
  from document d left join memory m on m.id = d.memory_id where d.scope = 'skill'

-- name: offered_skills(viewer, limit)
-- Procedures that worked three times and are no skill, the latest first.
select m.uid, m.key, m.content, {how_it_went p} as why
  from procedure p join memory m on m.id = p.memory_id
 where p.success_count >= 3 and p.recent_successes > p.recent_failures and p.steps <> '[]'
   and m.state = 'active' and m.key <> '' and {data m} ->> '$.skill' is not 'no' and {visible m}
   and not exists (select 1 from document d where d.memory_id = m.id and d.scope = 'skill')
 order by p.used_at desc, m.id limit :limit
