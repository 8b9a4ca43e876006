-- Blocks for hosts that hand over messages: called by cogmem/turn/assembler.py.

-- name: version()
-- Changes with every write of a memory, by whatever client: what was put together before is no longer used.
select coalesce(max(id), 0) from change

-- name: kinds()
-- Kinds of which anything is held, those that come always first: what is pinned, then what is baseline, the weightiest first.
select k.name, k.is_pinned, k.is_baseline from kind k
 where exists (select 1 from memory m indexed by memory_by_state where m.state = 'active' and m.kind = k.name)
 order by k.is_pinned desc, k.is_baseline desc, k.weight desc, k.name

-- name: pinned(kind, limit, now, viewer)
-- What holds of a kind that comes always, the most important first.
select {memory m} from memory m indexed by memory_by_state
  left join fact f on f.memory_id = m.id
 where m.state = 'active' and m.kind = :kind and {held_now m, f, :now} and {visible m}
 order by m.priority desc, strength desc, m.uid limit :limit
