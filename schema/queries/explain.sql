-- Reading the ledger of turns: called by cogmem/turn/explain.py.

-- name: turn(turn, hearer)
-- One turn of the viewer's own, whole.
select turn, session, runtime, user, project, prompt, files, budget, tokens, counter, stable_hash, text_hash, weights, elapsed_us, activated_at as at
  from activation a where turn = :turn and {heard a}

-- name: turns(session, limit, hearer)
-- The viewer's latest turns and what they were given.
select a.turn, a.session, a.activated_at as at, a.tokens, a.budget, a.elapsed_us, a.stable_hash, substr(a.prompt, 1, 120) as prompt,
       (select count(*) from activation_item i where i.activation_id = a.id and i.stage = 'chosen') as shown,
       (select count(*) from activation_item i where i.activation_id = a.id and i.stage <> 'chosen') as left_out
  from activation a where (:session is null or a.session = :session) and {heard a}
 order by a.activated_at desc, a.id desc limit :limit

-- name: likeliest(hearer)
-- The chance of the likeliest candidate of each of the viewer's turns; 0 where nothing was found.
select coalesce(max(i.chance), 0.0) as chance
  from activation a left join activation_item i on i.activation_id = a.id where {heard a} group by a.id

-- name: items(turn)
-- All that a turn considered and kept: what was shown first, then the best of what was not.
select i.ref, i.layer, i.stage, i.position, i.strength, i.relevance, i.score, i.chance, i.tokens, i.was_useful
  from activation_item i join activation a on a.id = i.activation_id
 where a.turn = :turn order by i.stage <> 'chosen', i.layer, i.position, i.ref

-- name: item(turn, ref)
-- What became of one candidate in one turn.
select i.ref, i.layer, i.stage, i.position, i.strength, i.relevance, i.score, i.chance, i.tokens, i.was_useful
  from activation_item i join activation a on a.id = i.activation_id
 where a.turn = :turn and i.ref = :ref

-- name: in_stable(session, runtime, user, project, ref)
-- Whether a session's frozen text holds a memory.
select exists (
  select 1 from session s, json_each(case when json_valid(s.stable_refs) then s.stable_refs else '[]' end) r
   where (s.name, s.runtime, s.user, s.project) = (:session, :runtime, :user, :project) and r.value = :ref)

-- name: memory(ref)
-- What an explanation needs to know of a memory.
select state, content, runtime, user, project, session from memory where uid = :ref

-- name: in_sight(refs, viewer)
-- Which of these memories a turn could be given: no other is strengthened by a host's word on it.
select m.uid from memory m where m.uid in (select value from json_each(:refs)) and {visible m}

-- name: mark(turn, refs, useful)
-- A host's word on what helped.
update activation_item set was_useful = :useful
 where activation_id = (select id from activation where turn = :turn) and ref in (select value from json_each(:refs))

-- name: shown_in(session, runtime, user, project, ref)
-- The latest turn of a session that was given a memory or message.
select a.turn
  from activation a
  join activation_item i on i.activation_id = a.id and i.ref = :ref and i.stage = 'chosen'
 where a.session = :session and (a.runtime, a.user, a.project) = (:runtime, :user, :project)
 order by a.activated_at desc, a.id desc limit 1

-- name: shown_before(turn, ref)
-- The latest earlier turn of the same session that was given a memory or message.
select b.turn
  from activation a
  join activation b on b.session = a.session and (b.runtime, b.user, b.project) = (a.runtime, a.user, a.project) and b.id < a.id
  join activation_item i on i.activation_id = b.id and i.ref = :ref and i.stage = 'chosen'
 where a.turn = :turn and a.session <> ''
 order by b.id desc limit 1
