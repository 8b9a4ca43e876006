-- What was read of a repository, and what memories cite of it: called by cogmem/repository.

-- name: read_up_to(project, root)
-- Up to which commit a working tree was read.
select head, docs from repository where (project, root) = (:project, :root)

-- name: followed(project, root)
-- Up to which commit a working tree was read, if sessions are to follow it.
select r.head from repository r join setting s on s.name = 'git_at_start' and s.value <> '0'
 where (r.project, r.root) = (:project, :root)

-- name: note(project, root, head, docs, now)
-- It was read up to here.
insert into repository (project, root, head, docs, read_at) values (:project, :root, :head, :docs, :now)
on conflict (project, root) do update set head = excluded.head, docs = excluded.docs, read_at = excluded.read_at

-- name: held(project)
-- What was read of a project's repository, in whatever state it is now.
select m.uid, m.layer, m.state, m.archive_reason, {data m} ->> '$.commit', {data m} ->> '$.file'
  from kind k cross join memory m indexed by memory_by_state
    on m.kind = k.name and m.state in ('active', 'archived', 'candidate', 'deleted')
 where k.layer <> 'procedural' and m.project = :project and m.source = 'observed'
   and ({data m} ->> '$.commit' is not null or {data m} ->> '$.file' is not null)

-- name: set_state(uids, state, reason, gone, archived_at, now)
-- What left the repository goes, and what came back to it returns; what a person removed stays as it is.
update memory set state = :state, archived_at = :archived_at, archive_reason = :reason, updated_at = :now
 where uid in (select value from json_each(:uids))
   and iif(:state = 'active', state = 'deleted' and archive_reason = :gone, state in ('active', 'archived') and state <> :state)

-- name: reasons(project)
-- The reasons of a project's commits that hold, the oldest first, with the files that they are about.
select m.uid, m.content, {data m} ->> '$.commit', {data m} -> '$.paths', coalesce(f.valid_from, m.created_at)
  from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
  join fact f on f.memory_id = m.id
 where k.layer = 'semantic' and m.project = :project and m.source = 'observed' and {lasting f} and {data m} ->> '$.commit' is not null
 order by coalesce(f.valid_from, m.created_at), m.id

-- name: by_commit(project, prefix, length)
-- The commit and the reason that came of a commit whose name begins so.
select m.uid, m.layer from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.layer <> 'procedural' and m.project = :project and m.source = 'observed'
   and substr({data m} ->> '$.commit', 1, :length) = :prefix

-- name: close(uid, ends, successor)
-- A reason is over; the one that took its place is named where there is one.
update fact set valid_to = max(coalesce(valid_from, :ends), min(coalesce(valid_to, :ends), :ends)),
       superseded_by = (select id from memory where uid = :successor and uid <> :uid)
 where memory_id = (select id from memory where uid = :uid)

-- name: cite(uid, root, path, symbol, first_line, line_count, text_hash, head_hash, size, time, now)
-- A memory cites this place.
insert into citation (memory_id, root, path, symbol, first_line, line_count, text_hash, head_hash, file_size, file_time, checked_at)
select id, :root, :path, :symbol, :first_line, :line_count, :text_hash, :head_hash, :size, :time, :now from memory where uid = :uid
on conflict (memory_id, root, path, symbol, text_hash) do nothing

-- name: uncite(uid)
-- What it cited before.
delete from citation where memory_id = (select id from memory where uid = :uid)

-- name: citations(viewer)
-- Every place that memories in sight cite.
select m.uid, c.memory_id, c.root, c.path, c.symbol, c.first_line, c.line_count, c.text_hash, c.head_hash, c.standing, c.file_size,
       c.file_time, m.content
  from citation c cross join memory m on m.id = c.memory_id
 where m.state in ('active', 'candidate') and {visible m}
 order by c.memory_id, c.root, c.path, c.symbol, c.text_hash

-- name: moved(memory_id, root, was, symbol, text_hash, path, first_line, standing, size, time, now)
-- The cited code stands elsewhere now.
update or ignore citation
   set path = :path, first_line = :first_line, standing = :standing, file_size = :size, file_time = :time, checked_at = :now
 where (memory_id, root, path, symbol, text_hash) = (:memory_id, :root, :was, :symbol, :text_hash)

-- name: story(path, limit, viewer)
-- What is known of one file, the newest first.
select s.happened_at, s.kind, s.content, s.weight, s.state, s.is_amended, s.uid
  from (select path, happened_at, kind, content, weight, state, is_amended, uid from file_story
        union all
        select c.path, c.checked_at, 'citation', c.content, 2, c.standing, 0, c.uid from cited_code c) s
  join memory m on m.uid = s.uid
 where s.path = :path and {visible m}
 order by s.happened_at desc, s.uid desc limit :limit

-- name: checked_at(root)
-- When all code of a working tree that is cited was looked at last; null where none is.
select min(checked_at) from citation where root = :root

-- name: checked(viewer, now)
-- All that is in sight was looked at.
update citation set checked_at = max(checked_at, :now)
 where memory_id in (select m.id from citation c join memory m on m.id = c.memory_id where {visible m})

-- name: staged(project)
-- What was learned on branches of a project, by whomever, and waits for their merge: git knows no users.
select uid, session from memory
 where project = :project and session <> '' and session glob 'branch *' and state in ('candidate', 'active') order by session, id
