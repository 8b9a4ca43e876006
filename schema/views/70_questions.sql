-- Everyday questions, a view for each that no other one answers: what changed, what waits, what is forgotten next.

create view changed as
  -- One change of a memory: when, by which verb and whom, its text before and after, and what became of its state.
  select datetime(c.changed_at / 1000, 'unixepoch') as changed_at, c.verb, c.actor, c.reason, c.uid,
         coalesce(m.content, c.was ->> '$.content', c.became ->> '$.content') as content,
         c.was ->> '$.content' as before, c.became ->> '$.content' as after,
         c.was ->> '$.state' as state_before, c.became ->> '$.state' as state_after, c.id as change_id
    from (select *, case when json_valid(before) then before end as was, case when json_valid(after) then after end as became
            from change where record = 'memory') c
    left join memory m on m.uid = c.uid
   where c.action <> 'update' or c.became ->> '$.content' is not null or c.became ->> '$.state' is not null;

create view fades_next as
  -- What a night would archive next if nobody uses it, with the day; the next one first.
  select datetime(f.fades_at / 1000, 'unixepoch') as fades_at, (f.fades_at - c.last_at) / 86400000 as days, m.uid, m.kind, m.content,
         m.user, m.project, m.id as memory_id
    from context c
    cross join fading f
    join memory m on m.id = f.memory_id and m.state = 'active' and m.priority < 4
    join kind k on k.name = m.kind and k.is_pinned = 0
   order by f.fades_at, m.id;

create view talk as
  -- One message as it stands: who said what, when, in which conversation and project.
  select datetime(g.said_at / 1000, 'unixepoch') as said_at, g.role, g.text, v.name as conversation, v.user, v.project, g.id as message_id
    from message g join conversation v on v.id = g.conversation_id
   where g.is_current = 1;

create view shown_most as
  -- Which memories turns showed most often, what that cost, and what hosts said of it; the most often shown first.
  select m.content, e.times_shown, e.times_left_out, e.times_useful, e.times_useless, e.tokens_shown, m.uid, m.kind, m.user, m.project
    from exposure e join memory m on m.uid = e.ref
   where e.times_shown > 0 order by e.times_shown desc, m.id;

create view project as
  -- One project: its folder and its git remote, how much is held and was said in it, and when it was last used.
  select s.id as project, s.label, s.root as folder, s.remote,
         (select count(*) from memory m where m.project = s.id and m.state = 'active') as memories,
         (select count(*) from conversation v where v.project = s.id) as conversations,
         datetime(max(coalesce((select max(m.updated_at) from memory m where m.project = s.id), 0),
                      coalesce((select max(a.activated_at) from activation a where a.project = s.id), 0)) / 1000, 'unixepoch') as used_at
    from (select id, label, root, remote from scope where axis = 'project'
          union select project, '', '', '' from memory
           where project <> '' and project not in (select id from scope where axis = 'project')) s;

create view question as
  -- One thing that waits for a person, and why: two that cannot both hold, what is in doubt, a way that keeps failing, a candidate.
  select 'contradiction' as sort, uid, content, 'says otherwise: ' || other_content as why, memory_id from conflict
  union all
  select 'doubt', m.uid, m.content, {doubt m}, m.id from memory m
   where m.state in ('active', 'candidate') and m.id in (select from_id from link indexed by link_by_ground where relation = 'depends_on') and {in_doubt m}
  union all
  select 'failing', m.uid, m.content, {how_it_went p}, m.id from procedure p join memory m on m.id = p.memory_id
   where m.state = 'active' and {keeps_failing p}
  union all
  select 'candidate', uid, content,
         case source when 'user_explicit' then 'told by a person' when 'observed' then 'heard in talk'
           when 'inferred' then 'concluded by a model' when 'tool' then 'told by a tool' when 'web' then 'read on the web'
           when 'import' then 'brought by an import' when 'system' then 'made by cogmem' else source end || ': keep it?', memory_id
    from candidate;

create view told as
  -- One active memory as a turn tells it: whose words, how it went, its day, and what casts doubt on it stand in brackets.
  select m.uid, m.layer, m.kind, m.key, m.content, {ending m, e, p} as ending, p.steps, m.user, m.project, m.id as memory_id
    from memory m
    left join episode e on e.memory_id = m.id
    left join procedure p on p.memory_id = m.id
   where m.state = 'active';
