-- How a conversation stands: called by cogmem/turn/matter.py.

-- name: lines(conversations, now, viewer)
-- What conversations left, the newest first.
select c.id, m.uid, m.kind, m.content, coalesce({data m} ->> '$.who', ''), e.happened_at, coalesce({data m} ->> '$.chance', 0.5),
       coalesce((select max(g.seq) from link l join message g on g.id = l.message_id
                  where l.from_id = m.id and l.relation = 'evidence' and g.conversation_id = c.id), 0)
  from json_each(:conversations) j
 cross join conversation c on c.id = j.value
 cross join episode e on e.session_name = c.name and e.session_name <> ''
  join memory m on m.id = e.memory_id
  join kind k on k.name = m.kind and k.is_line = 1
 where (m.runtime, m.user, m.project) = (c.runtime, c.user, c.project)
   and m.state = 'active' and e.happened_at <= :now and {visible m}
 order by e.happened_at desc, m.id desc

-- name: closing(conversations, now, most, hearer)
-- The last messages of conversations, in order.
select c.id, m.seq, m.id, m.role, m.speaker, m.text, m.said_at
  from json_each(:conversations) j
 cross join conversation c on c.id = j.value
 cross join message m on m.conversation_id = c.id and m.seq >= c.next_seq - :most
 where m.is_current = 1 and m.role in ('user', 'assistant') and m.text <> '' and m.said_at <= :now and {heard c}
 order by c.id, m.seq
