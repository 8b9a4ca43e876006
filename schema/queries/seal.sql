-- The chain over the history: called by cogmem/file/seal.py. What is read here is all of a row that a person could care for.

-- name: newest()
-- The last link.
select id, changes, receipts, digest from seal order by id desc limit 1

-- name: all()
-- The whole chain, to be proved.
select id, changes, receipts, digest, sealed_at from seal order by id

-- name: ends()
-- How far the history reaches now.
select coalesce((select max(id) from change), 0), coalesce((select max(id) from receipt), 0)

-- name: changes(after, upto, size)
-- Changes between two seals, in the order of their numbers.
select id, act, verb, actor, reason, run, undoes, record, row_key, uid, action, before, after, changed_at from change
 where id > :after and id <= :upto order by id limit :size

-- name: receipts(after, upto, size)
-- Receipts between two seals. What they say of wiped pages comes later and is not part of the proof.
select id, uid, actor, reason, forgotten_at from receipt where id > :after and id <= :upto order by id limit :size

-- name: insert(after, changes, receipts, digest, now)
-- The next link, unless somebody else was quicker.
insert into seal (changes, receipts, digest, sealed_at)
select :changes, :receipts, :digest, :now where coalesce((select max(id) from seal), 0) = :after returning id

-- name: drop()
-- Of the chain over a past that was written anew by forget.
delete from seal

-- name: begin(changes, receipts, digest, now)
-- The first link of the chain after it.
insert into seal (changes, receipts, digest, sealed_at) values (:changes, :receipts, :digest, :now)

-- name: origin()
-- The act with which the history begins: copies of one memory share it. What began by taking in acts of another file is
-- no copy of that one.
select act || case when origin is null then '' else ' ' || (select p.origin from peer p where p.is_self = 1) end
  from change where id = (select min(id) from change)

-- name: is_there(number, digest)
-- Whether the link that was noted outside is part of the chain.
select exists (select 1 from seal where id = :number and digest = :digest)

-- name: has_unnamed()
-- Whether a client left changes without an act.
select exists (select 1 from change where act is null)
