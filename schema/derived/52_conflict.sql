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
