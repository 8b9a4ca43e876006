-- Blocks for hosts that hand over messages: called by cogmem/turn/assembler.py.

-- name: version()
-- Changes with every write of a memory, by whatever client: what was put together before is no longer used.
select coalesce(max(id), 0) from change
