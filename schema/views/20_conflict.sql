-- Contradictions: what cannot both hold, for a person (or a model) to settle.

create view conflict as
  -- Two living facts of one scope on one topic, or two memories that the write path found to contradict each other.
  select 'topic' as reason, f.topic, b.id as memory_id, b.uid, b.content, a.id as other_id, a.uid as other_uid, a.content as other_content
    from fact f
    join fact g on g.topic = f.topic and g.memory_id > f.memory_id
    join memory a on a.id = f.memory_id
    join memory b on b.id = g.memory_id
   where f.topic <> '' and a.state = 'active' and b.state in ('active', 'candidate')
     and (a.runtime, a.user, a.project, a.session, a.path_glob) = (b.runtime, b.user, b.project, b.session, b.path_glob)
     and f.superseded_by is null and g.superseded_by is null
     -- Both hold at some instant.
     and coalesce(f.valid_from, -9223372036854775807) < coalesce(g.valid_to, 9223372036854775807)
     and coalesce(g.valid_from, -9223372036854775807) < coalesce(f.valid_to, 9223372036854775807)
  union all
  select 'alike', '', b.id, b.uid, b.content, a.id, a.uid, a.content
    from link l
    join memory b on b.id = l.from_id
    join memory a on a.id = l.to_id
    left join fact f on f.memory_id = a.id
    left join fact g on g.memory_id = b.id
   where l.relation = 'contradicts' and a.state in ('active', 'candidate') and b.state in ('active', 'candidate')
     and {lasting f} and {lasting g}
     and not (f.topic <> '' and f.topic = g.topic);

create view overwritten as
  -- A text that a later one of another machine took the place of, whose writer had not seen it; until the memory is changed again.
  with said as (
    select c.uid, c.clock, c.act, c.actor, json_extract(c.before, '$.content') as before, json_extract(c.after, '$.content') as after
      from change c
     where c.uid in (select subject from arrival) and c.record = 'memory' and c.origin is null and c.action <> 'delete'
       and json_valid(c.after) and json_extract(c.after, '$.content') is not null
    union all
    select a.subject, a.clock, a.act, a.actor, json_extract(j.value, '$[2].content'), json_extract(j.value, '$[3].content')
      from arrival a join json_each(a.changes) j
     where json_extract(j.value, '$[0]') = 'memory' and json_extract(j.value, '$[1]') <> 'delete' and json_extract(j.value, '$[3].content') is not null),
  told as (
    select *, lag(after) over w as lost, lag(actor) over w as lost_by from said window w as (partition by uid order by clock, act))
  select t.uid, t.lost, t.after as kept, t.lost_by, t.actor as kept_by, t.act, t.clock
    from told t join memory m on m.uid = t.uid and m.content = t.after
   where t.before is not null and t.before <> t.lost and t.lost <> t.after and m.state in ('candidate', 'active');
