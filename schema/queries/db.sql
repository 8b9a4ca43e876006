-- Acts for what clients wrote that know nothing of acts: called by cogmem/file/db.py.

-- name: changes()
-- Changes that have no act, in the order in which they were made.
select id, uid, action, record from change where act is null order by id

-- name: tick()
-- The next place in the order of acts.
update context set clock = clock + 1 where id = 1

-- name: name(id, act)
-- Such a change belongs to this act.
update change set act = :act, clock = (select clock from context) where act is null and id = :id
