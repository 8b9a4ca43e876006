-- For people at a terminal: called by cogmem/cli.

-- name: set_alias(vocabulary, alias, kind)
-- Another word for a kind; a word that had another meaning gets this one.
insert into kind_alias (vocabulary, alias, kind) values (:vocabulary, :alias, :kind)
on conflict (vocabulary, alias) do update set kind = excluded.kind

-- name: settings()
-- Every figure with its meaning.
select name, value, meaning from setting order by name

-- name: scopes()
-- Every scope that owns a memory or has a name, with how many memories are its own.
select axis, id, coalesce(label, '') as label, coalesce(root, '') as root, sum(memories) as memories
  from (
    select 'user' as axis, user as id, count(*) as memories from memory where state <> 'deleted' group by user
    union all
    select 'project', project, count(*) from memory where state <> 'deleted' group by project
    union all
    select 'session', session, count(*) from memory where state <> 'deleted' group by session
    union all
    select 'runtime', runtime, count(*) from memory where state <> 'deleted' group by runtime
    union all
    select axis, id, 0 from scope)
  left join scope using (axis, id)
 where id <> '' group by axis, id order by axis, memories desc, id

-- name: suspects(viewer)
-- What the view junk_suspect names, less what somebody said to keep or brought back.
select j.uid, j.kind, j.content, j.why as reason,
       coalesce((select min(d.uid) from duplicate d where d.duplicate_id = m.id), '') as other_uid
  from junk_suspect j
  join memory m on m.id = j.memory_id
 where {visible m}
   and not exists (select 1 from change h where h.uid = m.uid and h.verb in ('keep', 'restore', 'undo'))
 order by m.created_at, m.id
