-- What was read of a repository, and what memories cite of it: called by cogmem/repository.

-- name: read_up_to(project, root)
-- Up to which commit a working tree was read.
select head, docs from repository where (project, root) = (:project, :root)

-- name: followed(project, root)
-- Up to which commit a working tree was read, if sessions are to follow it.
select r.head from repository r join setting s on s.name = 'git_at_start' and s.value <> '0'
 where (r.project, r.root) = (:project, :root)

-- name: all()
-- Every working tree that was read.
select project, root, head, read_at from repository order by project, root

-- name: note(project, root, head, docs, now)
-- It was read up to here.
insert into repository (project, root, head, docs, read_at) values (:project, :root, :head, :docs, :now)
on conflict (project, root) do update set head = excluded.head, docs = excluded.docs, read_at = excluded.read_at

-- name: held(project)
-- What was read of a project's repository, in whatever state it is now.
select m.uid, m.layer, m.state, m.archive_reason, m.data ->> '$.commit', m.data ->> '$.file'
  from kind k cross join memory m indexed by memory_by_state
    on m.kind = k.name and m.state in ('active', 'archived', 'candidate', 'deleted')
 where k.layer <> 'procedural' and m.project = :project and m.source = 'observed'
   and (m.data ->> '$.commit' is not null or m.data ->> '$.file' is not null)

-- name: set_state(uids, state, reason, archived_at, now)
-- What left the repository goes, and what came back to it returns; what a person removed stays as it is.
update memory set state = :state, archived_at = :archived_at, archive_reason = :reason, updated_at = :now
 where uid in (select value from json_each(:uids))

-- name: reasons(project)
-- The reasons of a project's commits that hold, the oldest first, with the files that they are about.
select m.uid, m.content, m.data ->> '$.commit', m.data -> '$.paths', coalesce(f.valid_from, m.created_at)
  from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
  join fact f on f.memory_id = m.id
 where k.layer = 'semantic' and m.project = :project and m.source = 'observed' and {lasting f} and m.data ->> '$.commit' is not null
 order by coalesce(f.valid_from, m.created_at), m.id

-- name: by_commit(project, prefix, length)
-- The commit and the reason that came of a commit whose name begins so.
select m.uid, m.layer from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.layer <> 'procedural' and m.project = :project and m.source = 'observed'
   and substr(m.data ->> '$.commit', 1, :length) = :prefix

-- name: close(uid, ends, successor)
-- A reason is over; the one that took its place is named where there is one.
update fact set valid_to = max(coalesce(valid_from, :ends), min(coalesce(valid_to, :ends), :ends)),
       superseded_by = (select id from memory where uid = :successor and uid <> :uid)
 where memory_id = (select id from memory where uid = :uid)
