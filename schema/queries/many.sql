-- Removing by what memories say: called by cogmem/store/many.py.

-- name: holding(pattern, now, limit, viewer)
-- Memories of the viewer that hold a piece of text in their content, key or tags, the newest first.
select {memory m} from memory m
 where m.state <> 'deleted'
   and (instr(lower(m.content), lower(:pattern)) or instr(lower(m.key), lower(:pattern))
        or exists (select 1 from json_each(m.tags) where instr(lower(value), lower(:pattern))))
   and {visible m}
 order by m.created_at desc, m.id desc
 limit :limit

-- name: count_holding(pattern, viewer)
-- How many there are.
select count(*) from memory m
 where m.state <> 'deleted'
   and (instr(lower(m.content), lower(:pattern)) or instr(lower(m.key), lower(:pattern))
        or exists (select 1 from json_each(m.tags) where instr(lower(value), lower(:pattern))))
   and {visible m}
