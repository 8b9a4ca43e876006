-- Intentions: what is told once, when its moment comes. Called by cogmem/turn/intended.py and cogmem/learn/intentions.py.

-- name: is_any()
-- Whether anything is intended and was not told yet: most memories hold no intention.
select 1 from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.act_order = 0 and {data m} ->> '$.told' is null limit 1

-- name: waiting(viewer)
-- Intentions that were not told yet, the oldest first.
select m.uid, m.content, m.created_at, {data m} -> '$.when'
  from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.act_order = 0 and {data m} ->> '$.told' is null and json_type({data m}, '$.when') = 'array' and {visible m}
 order by m.id

-- name: list(limit, viewer)
-- Intentions that are not done, those that were told first: they are asked about.
select m.uid, m.content, {data m} -> '$.when' as "when", m.created_at, {data m} ->> '$.told' as told_at
  from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
 where k.act_order = 0 and {visible m}
 order by {data m} ->> '$.told' is null, m.id limit :limit

-- name: tell(uids, now)
-- They were told: once is enough.
update memory set data = json_set({data memory}, '$.told', :now), updated_at = :now
 where uid in (select value from json_each(:uids)) and {data memory} ->> '$.told' is null
   and kind in (select name from kind where act_order = 0)

-- name: again(uid, now)
-- It waits for its moment once more.
update memory set data = json_remove({data memory}, '$.told'), updated_at = :now
 where uid = :uid and kind in (select name from kind where act_order = 0)
