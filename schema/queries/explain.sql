-- Reading the ledger of turns: called by cogmem/turn/explain.py.

-- name: turn(turn, hearer)
-- One turn of the viewer's own, whole.
select a.turn, a.session, a.runtime, a.user, a.project, {prompt_of a} as prompt, coalesce(w.files, '[]') as files, a.budget, a.tokens,
       a.counter, coalesce(w.stable_hash, '') as stable_hash, coalesce(w.text_hash, '') as text_hash, coalesce(w.weights, '') as weights,
       a.elapsed_us, a.activated_at as at
  from activation a left join weighing w on w.activation_id = a.id where a.turn = :turn and {heard a}

-- name: turns(session, limit, hearer)
-- The viewer's latest turns and what they were given.
select a.turn, a.session, a.activated_at as at, a.tokens, a.budget, a.elapsed_us,
       coalesce((select w.stable_hash from weighing w where w.activation_id = a.id), '') as stable_hash, substr({prompt_of a}, 1, 120) as prompt,
       json_array_length({shown a}) as shown,
       coalesce((select json_array_length(w.items) from weighing w where w.activation_id = a.id) - json_array_length({shown a}), 0) as left_out
  from activation a where (:session is null or a.session = :session) and {heard a}
 order by a.activated_at desc, a.id desc limit :limit

-- name: likeliest(hearer)
-- The chance of the likeliest candidate of each of the viewer's turns; 0 where nothing was found.
select coalesce(w.chance, 0.0) as chance from activation a join weighing w on w.activation_id = a.id where {heard a}

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
-- What an explanation needs to know of a memory or a message.
select state, content, runtime, user, project, session from memory where uid = :ref
union all
select 'active', g.text, c.runtime, c.user, c.project, '' from message g join conversation c on c.id = g.conversation_id
 where g.id = cast(substr(:ref, 5) as integer) and :ref like 'msg\_%' escape '\'

-- name: said_in(ref)
-- Of which conversation a message is, and of which day.
select c.name, {day g.said_at} from message g join conversation c on c.id = g.conversation_id
 where g.id = cast(substr(:ref, 5) as integer)

-- name: in_sight(refs, viewer)
-- Which of these memories a turn could be given: no other is strengthened by a host's word on it.
select m.uid from memory m where m.uid in (select value from json_each(:refs)) and {visible m}

-- name: mark(turn, refs, useful)
-- A host's word on what helped.
update activation
   set shown = (select json_group_array(case when {ref i} in (select value from json_each(:refs))
                         then json_array({ref i}, i.value ->> 1, i.value ->> 2, :useful) else json(i.value) end)
                  from json_each(activation.shown) i)
 where turn = :turn
returning (select count(*) from json_each(shown) i where {ref i} in (select value from json_each(:refs)))

-- name: mark_weighed(turn, refs, useful)
-- The same where all that was weighed is still there, with what was left out.
update weighing
   set items = (select json_group_array(case when {ref i} in (select value from json_each(:refs))
                         then {marked i, :useful} else json(i.value) end)
                  from json_each(weighing.items) i)
 where activation_id = (select id from activation where turn = :turn)
returning (select count(*) from json_each(items) i where {ref i} in (select value from json_each(:refs)))

-- name: shown_in(session, runtime, user, project, ref)
-- The latest turn of a session that was given a memory or message.
select a.turn
  from activation a
  join weighing w on w.activation_id = a.id and w.session = :session and w.session <> ''
 where instr(a.shown, '"' || :ref || '"') > 0 and (a.runtime, a.user, a.project) = (:runtime, :user, :project)
 order by a.activated_at desc, a.id desc limit 1

-- name: shown_before(turn, ref)
-- The latest earlier turn of the same session that was given a memory or message.
select b.turn
  from activation a
  join weighing w on w.session = a.session and w.session <> '' and w.activation_id < a.id
  join activation b on b.id = w.activation_id and (b.runtime, b.user, b.project) = (a.runtime, a.user, a.project)
 where a.turn = :turn and a.session <> '' and instr(b.shown, '"' || :ref || '"') > 0
 order by b.id desc limit 1
