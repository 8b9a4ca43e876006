-- The summary DAG: called by cogmem/conversation/ (dag.py, window.py, expand.py, teller.py).

-- name: still(id, seen)
-- Leaves are stored only if nobody else ingested this stretch meanwhile.
update context set holds = (select ingested_seq = :seen from conversation where id = :id)

-- name: uncovered_still(id, start, end)
-- A hole is filled once, however many look for it.
update context set holds = not exists (select 1 from summary s where s.conversation_id = :id and s.depth = 0
   and s.deleted_at is null and s.earliest_seq <= :end and s.latest_seq >= :start)

-- name: frontier_still(children)
-- A node is made only from nodes that live and that nothing else tells yet.
update context set holds = not exists (select 1 from json_each(:children) j left join summary s on s.id = j.value
   where s.id is null or s.is_condensed = 1 or s.deleted_at is not null)

-- name: versions_still(conversation_id, earliest_seq, latest_seq, seen)
-- What was told anew is stored only if nothing below it was edited once more.
update context set holds = (select total(m.version) = :seen from message m
   where m.conversation_id = :conversation_id and m.seq >= :earliest_seq and m.seq <= :latest_seq)

-- name: versions_seen(conversation_id, earliest_seq, latest_seq)
-- Rises with every edit within a range.
select total(m.version) from message m
 where m.conversation_id = :conversation_id and m.seq >= :earliest_seq and m.seq <= :latest_seq

-- name: add(uid, conversation_id, depth, content, expand_hint, earliest_seq, latest_seq, tokens, method, now)
-- One node.
insert into summary (uid, conversation_id, depth, content, expand_hint, earliest_seq, latest_seq, tokens, method, created_at)
values (:uid, :conversation_id, :depth, :content, :expand_hint, :earliest_seq, :latest_seq, :tokens, :method, :now)

-- name: add_sources(uid, children)
-- What a node was made from.
insert into summary_source (summary_id, source_id)
select s.id, j.value from summary s, json_each(:children) j where s.uid = :uid

-- name: advance(id, seen, ingested_seq)
-- The leaves reach up to here.
update conversation set ingested_seq = :ingested_seq where id = :id and ingested_seq = :seen

-- name: retell(id, content, expand_hint, tokens, method)
-- An edited stretch in new words; the node keeps its name.
update summary set content = :content, expand_hint = :expand_hint, tokens = :tokens, method = :method,
       is_stale = 0, is_pruned = 0 where id = :id

-- name: stale(id)
-- Nodes to be told anew, leaves first, so that their parents read the new words. The `+` keeps the planner with the
-- index of the few that are stale: the other one gives the order, and reads every node of the conversation.
select s.id, s.uid, s.conversation_id, s.depth, s.earliest_seq, s.latest_seq from summary s
 where s.conversation_id = :id and s.is_stale = 1 and s.deleted_at is null
   and (s.is_pruned = 0 or s.is_condensed = 0)
 order by +s.depth, s.earliest_seq

-- name: frontier(id, before, limit)
-- The newest live nodes that begin before a place and that nothing tells any further, the newest first.
select s.id, s.uid, s.depth, s.content, s.expand_hint, s.earliest_seq, s.latest_seq, s.tokens, s.is_stale, s.is_pruned
  from summary s
 where s.conversation_id = :id and s.is_condensed = 0 and s.deleted_at is null and s.earliest_seq < :before
 order by s.earliest_seq desc limit :limit

-- name: first_frontier(id)
-- The oldest of them: how the conversation began.
select s.id, s.uid, s.depth, s.content, s.expand_hint, s.earliest_seq, s.latest_seq, s.tokens, s.is_stale, s.is_pruned
  from summary s
 where s.conversation_id = :id and s.is_condensed = 0 and s.deleted_at is null
 order by s.earliest_seq limit 1

-- name: frontier_ranges(id)
-- What the live nodes cover, in order.
select s.earliest_seq, s.latest_seq, s.depth, s.uid from summary s
 where s.conversation_id = :id and s.is_condensed = 0 and s.deleted_at is null order by s.earliest_seq

-- name: unconsumed(id, depth)
-- Live nodes of one depth that no deeper node tells, in order.
select s.id, s.uid, s.content, s.earliest_seq, s.latest_seq, s.tokens, s.is_pruned from summary s
 where s.conversation_id = :id and s.depth = :depth and s.is_condensed = 0 and s.deleted_at is null
 order by s.earliest_seq

-- name: count_at(id, depth)
-- Live nodes of one depth, told or not.
select count(*) from summary s where s.conversation_id = :id and s.depth = :depth and s.deleted_at is null

-- name: count(id)
-- Live nodes.
select count(*) from summary s where s.conversation_id = :id and s.deleted_at is null

-- name: by_uid(id, uid)
-- One node, deleted or not.
select s.id, s.uid, s.depth, s.content, s.expand_hint, s.earliest_seq, s.latest_seq, s.tokens, s.is_stale, s.is_pruned,
       s.deleted_at, s.method, s.created_at
  from summary s where s.conversation_id = :id and s.uid = :uid

-- name: children(id)
-- The nodes that a node was made from, in order; deleted ones are left out.
select o.id, o.uid, o.depth, o.content, o.expand_hint, o.earliest_seq, o.latest_seq, o.tokens, o.is_stale, o.is_pruned
  from summary_source x join summary o on o.id = x.source_id
 where x.summary_id = :id and o.deleted_at is null order by o.earliest_seq

-- name: list(id, depth, min_seq, max_seq, limit)
-- Live nodes by depth and range, in order.
select s.uid, s.depth, s.content, s.expand_hint, s.earliest_seq, s.latest_seq, s.tokens, s.method, s.created_at,
       s.is_condensed, s.is_pruned, s.is_stale
  from summary s
 where s.conversation_id = :id and s.deleted_at is null and s.depth = coalesce(:depth, s.depth)
   and s.latest_seq >= :min_seq and s.earliest_seq <= :max_seq
 order by s.earliest_seq, s.depth limit :limit

-- name: remove(id, uid, now)
-- Mark one node as deleted; what it was made from steps forward again.
update summary set deleted_at = :now where conversation_id = :id and uid = :uid and deleted_at is null

-- name: prune(id, require_parent)
-- Leaves that a parent tells lose their text; the messages below them stay.
update summary set content = '', tokens = 0, is_pruned = 1
 where conversation_id = :id and depth = 0 and is_pruned = 0 and deleted_at is null
   and (is_condensed = 1 or not :require_parent)

-- name: sweep(id)
-- Nodes marked as deleted go for good.
delete from summary where conversation_id = :id and deleted_at is not null

-- name: cached(id, input_hash, now)
-- An answer already paid for, if its time is not over.
select content from summary_cache
 where conversation_id = :id and input_hash = :input_hash and (expires_at > :now or expires_at = 0)

-- name: touch_cached(id, input_hash, now)
-- The least recently used answer goes first.
update summary_cache set used_at = :now where conversation_id = :id and input_hash = :input_hash

-- name: cache(id, input_hash, content, earliest_seq, latest_seq, now, expires_at)
-- Keep an answer; one that is there stays.
insert into summary_cache (conversation_id, input_hash, content, earliest_seq, latest_seq, used_at, expires_at)
values (:id, :input_hash, :content, :earliest_seq, :latest_seq, :now, :expires_at)
on conflict (conversation_id, input_hash) do nothing

-- name: sweep_cache(id, now, capacity)
-- Answers whose time is over, and the least recently used beyond the capacity.
delete from summary_cache
 where conversation_id = :id and (expires_at > 0 and expires_at <= :now or input_hash in (
   select o.input_hash from summary_cache o where o.conversation_id = :id
    order by o.used_at desc, o.input_hash limit -1 offset :capacity))

-- name: limits()
-- What every model takes and gives.
select model, input_tokens, output_tokens from model_limit
