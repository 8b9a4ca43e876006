-- What a night would do, at the instant of the latest transaction. The jobs read these views, and so may a person.

create view inside_may_archive as
  -- Memories that a night may take out of the prompt if it has a reason. Not among them: critical and pinned ones,
  -- one that alone still bears out another memory, and one that somebody brought back within the lookback.
  select m.id as memory_id, m.uid
    from memory m
    cross join context c
    join kind k on k.name = m.kind and k.is_pinned = 0
   where m.state = 'active' and m.priority < 4
     and not exists (
       select 1 from change h
        where h.uid = m.uid and h.record = 'memory' and h.verb in ('undo', 'restore') and h.changed_at > {lookback c.last_at})
     and not exists (
       -- A message is lasting evidence. Of memories that fade together, the first one stays.
       select 1 from link l join memory held on held.id = l.from_id and held.state in ('candidate', 'active')
        where l.to_id = m.id and l.relation in ('evidence', 'derived_from')
          and not exists (
            select 1 from link o
              left join memory other on other.id = o.to_id
              left join fading f on f.memory_id = o.to_id
             where o.from_id = l.from_id and o.relation in ('evidence', 'derived_from') and o.id <> l.id
               and (o.message_id is not null
                    or other.state = 'active' and (f.memory_id is null or f.fades_at > c.last_at
                                                   or other.priority = 4 or other.id < m.id))));

create view faded as
  -- Active memories weaker than archive_threshold that a night would archive, the longest faded first.
  select f.memory_id, m.uid, datetime(f.fades_at / 1000, 'unixepoch') as fades_at
    from context c
    cross join fading f on f.fades_at <= c.last_at
    cross join inside_may_archive m on m.memory_id = f.memory_id
   order by f.fades_at, f.memory_id;

create view expired as
  -- Active memories whose end has come, and candidates that nobody confirmed within candidate_days.
  select m.id as memory_id, m.uid, m.state
    from context c
    cross join memory m indexed by memory_by_expiry on m.expires_at is not null and m.expires_at <= c.last_at and m.state = 'active'
    cross join inside_may_archive a on a.memory_id = m.id
  union all
  select m.id, m.uid, m.state
    from context c
    cross join memory m on m.state = 'candidate'
     and max(m.created_at, m.reinforced_at)
         <= c.last_at - 86400000 * (select cast(value as real) from setting where name = 'candidate_days');

create view merger as
  -- Which memory would be merged into which. Both say the same to the letter, but for case and spaces.
  -- They are of one layer, kind, scope and polarity: facts of one topic that both still hold, events of one instant,
  -- procedures of the same steps. What somebody named by a key of their own is never merged away, nor what they brought back.
  select s.id as loser_id, s.winner_id
    from (
      select d.id, d.uid, d.key, d.priority, d.kind,
             first_value(d.id) over (
               partition by d.content_hash, d.layer, d.kind, d.runtime, d.user, d.project, d.session, d.path_glob,
                            d.polarity, d.detail
               order by d.key <> '' and d.key not glob 'auto.*' desc, d.priority desc, d.trust desc,
                        d.reinforcement_count desc, d.id) as winner_id
        from (
          select m.*,
                 case m.layer
                   when 'semantic' then (select json_object('topic', f.topic, 'from', f.valid_from) from fact f
                                          where f.memory_id = m.id and {lasting f})
                   when 'episodic' then (select json_object('at', happened_at, 'session', session_name, 'outcome', outcome)
                                           from episode where memory_id = m.id)
                   else (select json_object('steps', steps, 'context', context) from procedure where memory_id = m.id)
                 end as detail
            from (select content_hash from memory where content_hash <> '' group by content_hash having count(*) > 1) twice
            cross join memory m indexed by memory_by_content_hash
              on m.content_hash = twice.content_hash and m.content_hash <> '' and m.state = 'active') d
       where d.detail is not null) s
    join kind k on k.name = s.kind and k.is_pinned = 0
   where s.id <> s.winner_id and s.priority < 4 and (s.key = '' or s.key glob 'auto.*')
     and not exists (
       select 1 from change h where h.uid = s.uid and h.record = 'memory' and h.verb in ('undo', 'restore'));

create view night_limit as
  -- How many memories a limited job of the next night would archive or merge, and how many the setting named allows.
  -- Above that the run stops whole.
  select w.job, w.verb, w.setting, n.considered, w.wanted, {allowed n.considered, cast(s.value as real)} as allowed
    from (select '30_deduplicate' as job, 'merge' as verb, 'merge_share' as setting,
                 (select count(*) from merger) + (select count(*) from inside_resembles) as wanted
          union all
          select '50_archive', 'archive', 'archive_share', (select count(*) from faded)
          union all
          select '60_expire', 'archive', 'archive_share', (select count(*) from expired where state = 'active')) w
    join setting s on s.name = w.setting
   cross join (select count(*) as considered from memory where state = 'active') n;

create view inside_resembles as
  -- Which memory of such a pair would be merged into which, under the rules of `merger`.
  select p.loser_id, p.winner_id
    from (
      select case when is_first then other_id else one_id end as loser_id,
             case when is_first then one_id else other_id end as winner_id
        from (
          select r.one_id, r.other_id,
                 (a.key <> '' and a.key not glob 'auto.*', a.priority, a.trust, a.reinforcement_count, -a.id)
               > (b.key <> '' and b.key not glob 'auto.*', b.priority, b.trust, b.reinforcement_count, -b.id) as is_first
            from resembling r
            join memory a on a.id = r.one_id and a.state = 'active'
            join memory b on b.id = r.other_id and b.state = 'active'
             and (b.layer, b.kind, b.runtime, b.user, b.project, b.session, b.path_glob, b.polarity)
               = (a.layer, a.kind, a.runtime, a.user, a.project, a.session, a.path_glob, a.polarity)
            join fact f on f.memory_id = a.id and {lasting f}
            join fact g on g.memory_id = b.id and {lasting g}
             and (g.topic, g.valid_from) is (f.topic, f.valid_from)
           where {decided_on a.uid} is r.one_seen
             and {decided_on b.uid} is r.other_seen
             and not exists (
               select 1 from change h where h.uid in (a.uid, b.uid) and h.record = 'memory' and h.verb in ('undo', 'restore')))) p
    join memory s on s.id = p.loser_id and s.priority < 4 and (s.key = '' or s.key glob 'auto.*')
    join kind k on k.name = s.kind and k.is_pinned = 0
   -- One that takes another in is not taken in itself on the same night.
   where not exists (select 1 from resembling o where p.loser_id in (o.one_id, o.other_id)
                        and (o.one_id, o.other_id) not in ((p.loser_id, p.winner_id), (p.winner_id, p.loser_id)));
