-- Removing by what memories say: called by cogmem/store/many.py.

-- name: holding(pattern, now, limit, viewer)
-- Memories of the viewer that hold a piece of text in their content, key or tags, the newest first.
select {memory m} from memory m
 where m.state <> 'deleted'
   and (instr(lower(m.content), lower(:pattern)) or instr(lower(m.key), lower(:pattern))
        or exists (select 1 from json_each(case when json_valid(m.tags) then m.tags else '[]' end) where instr(lower(value), lower(:pattern))))
   and {visible m}
 order by m.created_at desc, m.id desc
 limit :limit

-- name: count_holding(pattern, viewer)
-- How many there are.
select count(*) from memory m
 where m.state <> 'deleted'
   and (instr(lower(m.content), lower(:pattern)) or instr(lower(m.key), lower(:pattern))
        or exists (select 1 from json_each(case when json_valid(m.tags) then m.tags else '[]' end) where instr(lower(value), lower(:pattern))))
   and {visible m}

-- name: suspects(viewer)
-- What the view junk_suspect names, less what somebody said to keep or brought back.
select j.uid, j.kind, j.content, j.why as reason,
       coalesce((select min(d.uid) from duplicate d where d.duplicate_id = m.id), '') as other_uid
  from junk_suspect j
  join memory m on m.id = j.memory_id
 where {visible m}
   and not exists (select 1 from change h where h.uid = m.uid and h.verb in ('keep', 'restore', 'undo'))
 order by m.created_at, m.id
