-- What memories earned: called by cogmem/turn/earned.py.

-- name: counted_upto()
-- Up to which instant turns are counted.
select coalesce((select max(counted_at) from earning), 0)

-- name: turns(after, upto)
-- Turns that showed something for their prompt, with the instant of the next one of their session.
select a.activated_at, a.prompt, {shown a} as shown, c.id as conversation,
       (select min(n.activated_at) from activation n
         where n.activated_at > a.activated_at and n.activated_at <= a.activated_at + 86400000
           and (n.session, n.runtime, n.user, n.project) = (a.session, a.runtime, a.user, a.project)) as next_at
  from activation a
  left join conversation c on (c.name, c.runtime, c.user, c.project) = (a.session, a.runtime, a.user, a.project)
 where a.activated_at > :after and a.activated_at <= :upto and a.session <> '' and a.shown <> '[]'
 order by a.activated_at, a.id

-- name: memories(uids)
-- What they say.
select uid, id, content from memory where uid in (select value from json_each(:uids))

-- name: replies(conversation, after, upto)
-- What an agent said and did after an instant and before another.
select text || ' ' || coalesce(case when json_valid(parts) then parts end, '') from message
 where conversation_id = :conversation and is_current = 1 and role = 'assistant' and said_at >= :after and said_at <= :upto

-- name: corrected(uid, after, upto)
-- Whether a person set a memory right between two instants: changed what it says, ended it, put it away.
select exists (
  select 1 from change c
   where c.uid = :uid and c.changed_at > :after and c.changed_at <= :upto and c.run is null and c.action = 'update'
     and c.verb not in ('sync', 'nightly', 'notes') and json_valid(c.after)
     and (c.record = 'memory' and (json_extract(c.after, '$.content') is not null
                                   or json_extract(c.after, '$.state') in ('archived', 'deleted'))
          or c.record = 'fact' and (json_extract(c.after, '$.superseded_by') is not null or json_extract(c.after, '$.valid_to') is not null)))

-- name: at_acts(after, upto)
-- How often memories were told at an act.
select memory_id, count(*) from told_at_act where told_at > :after and told_at <= :upto group by memory_id

-- name: add(memory_id, shown, followed, corrected, at_act, upto)
-- What one memory earned since it was counted last.
insert into earning (memory_id, shown, followed, corrected, at_act, counted_at)
values (:memory_id, :shown, :followed, :corrected, :at_act, :upto)
on conflict (memory_id) do update
   set shown = shown + excluded.shown, followed = followed + excluded.followed, corrected = corrected + excluded.corrected,
       at_act = at_act + excluded.at_act, counted_at = excluded.counted_at

-- name: list(limit, viewer)
-- What came of the memories that turns showed, what was followed most first.
select m.uid, m.kind, m.content, e.shown, e.followed, e.corrected, e.at_act from earning e cross join memory m on m.id = e.memory_id
 where {visible m} order by e.followed desc, e.shown desc, m.id limit :limit
