-- What a day brought: called by cogmem/verbs/today.py.

-- name: always()
-- What the latest turn gave to what always applies, and its budget.
select (select coalesce(sum(i.tokens), 0) from activation_item i
         where i.activation_id = a.id and i.stage = 'chosen' and i.layer = 'A'), a.budget
  from activation a
 where exists (select 1 from activation_item i where i.activation_id = a.id and i.stage = 'chosen' and i.layer = 'A')
 order by a.id desc limit 1

-- name: growth(since, until)
-- The last days on which something came or went.
select day, learned, archived + removed as gone, living from growth
 where day >= substr(datetime(:since / 1000, 'unixepoch'), 1, 10) and day <= substr(datetime(:until / 1000, 'unixepoch'), 1, 10)
 order by day

-- name: fading(until, limit, viewer)
-- What will have faded below the archive threshold by an instant if nobody uses it, the next first.
select m.uid, m.kind, substr(m.content, 1, 200) as content, f.fades_at
  from fading f join memory m on m.id = f.memory_id
 where f.fades_at <= :until and m.state = 'active' and m.priority < 4 and {visible m}
   and exists (select 1 from kind k where k.name = m.kind and k.is_pinned = 0)
 order by f.fades_at, m.id limit :limit
