-- What tools look up: called by cogmem/tools.

-- name: message(id, hearer)
-- One message whole, if the viewer may hear it.
select 'msg_' || g.id as uid, c.name as conversation, g.seq, g.role, g.speaker, g.text, g.at
  from message g join conversation c on c.id = g.conversation_id where g.id = :id and {heard c}

-- name: conversation_of(uid, hearer)
-- The conversation that a summary belongs to.
select c.name, c.runtime, c.user, c.project
  from summary s join conversation c on c.id = s.conversation_id where s.uid = :uid and {heard c}

-- name: told_of_session(name, viewer)
-- What is told of a session, the latest first.
select m.uid, m.content as summary, e.turns, e.outcome, e.happened_at
  from episode e join memory m on m.id = e.memory_id
 where e.session_name = :name and e.session_name <> '' and m.state in ('active', 'archived') and {visible m}
 order by e.happened_at desc, m.id desc limit 20
