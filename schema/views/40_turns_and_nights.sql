-- Views for people who look inside: what is believed, what was shown and why, what faded, what a night changed, what it cost.
-- Instants are UTC text. "Now" is the instant of the latest transaction. docs/how-to/sql-cookbook.md asks each of them.

create view belief as
  -- What is believed now: active facts that hold at this instant and that nothing newer replaced.
  select m.uid, m.kind, m.content, f.topic, round(s.strength, 4) as strength, m.priority, f.confidence, m.source, m.trust,
         m.runtime, m.user, m.project, m.session, m.path_glob,
         datetime(coalesce(f.valid_from, f.recorded_at) / 1000, 'unixepoch') as valid_from,
         datetime(min(coalesce(f.valid_to, m.expires_at), coalesce(m.expires_at, f.valid_to)) / 1000, 'unixepoch') as valid_to,
         s.used_at, m.id as memory_id
    from context c
    join memory m on m.layer = 'semantic' and m.state = 'active'
    join fact f on f.memory_id = m.id
    join strength s on s.memory_id = m.id
   where {held_now m, f, c.last_at};

create view activation_item as
  -- One memory or message that a turn considered in earnest: chosen, or dropped at a named stage.
  -- It stands as a list in the JSON of the turn's weighing; once that is gone, what was shown stands in the turn itself.
  select a.id as activation_id, {ref i} as ref,
         i.value ->> 1 as layer,                      -- A always, B contextual, C procedures, D scoped
         coalesce(i.value ->> 5, 'chosen') as stage,  -- or what dropped it
         coalesce(i.value ->> 4, i.key) as position,  -- order of rank within the layer, from 0
         i.value ->> 6 as strength,                   -- weight × decay × reinforcement at that instant
         i.value ->> 7 as relevance,                  -- how well it fitted the cue, 0 to 1
         i.value ->> 8 as score,                      -- what it was ranked by
         i.value ->> 9 as chance,                     -- that it helps this prompt, as the gate weighed it; null: not asked
         i.value ->> 2 as tokens,                     -- what its line cost, or would have cost
         i.value ->> 3 as was_useful                  -- 1 or 0 when the host said so; null: nobody said
    from activation a left join weighing w on w.activation_id = a.id
    join json_each(coalesce(w.items, a.shown)) i;

create trigger activation_item_iu instead of update of was_useful on activation_item begin
  update activation
     set shown = (select json_group_array(case when {ref i} = old.ref
                           then json_array({ref i}, i.value ->> 1, i.value ->> 2, new.was_useful) else json(i.value) end)
                    from json_each(shown) i)
   where id = old.activation_id;
  update weighing
     set items = (select json_group_array(case when {ref i} = old.ref then {marked i, new.was_useful} else json(i.value) end)
                    from json_each(items) i)
   where activation_id = old.activation_id;
end;

create view turn_item as
  -- One candidate of one turn: whether it was shown, its figures, and why in words.
  select a.turn, datetime(a.activated_at / 1000, 'unixepoch') as activated_at, a.session, i.layer, i.ref,
         coalesce(m.content, substr(g.text, 1, 400), '(gone)') as content, i.stage = 'chosen' as is_shown, i.stage,
         case i.stage
           when 'chosen' then 'shown'
           when 'weak' then 'weaker than the threshold'
           when 'failing' then 'a way that keeps failing'
           when 'budget' then 'did not fit into what was left of the budget'
           when 'duplicate' then 'a line that was shown says the same'
           when 'rank' then 'others fitted the prompt much better'
           when 'superseded' then 'a newer fact took its place'
           when 'expired' then 'not valid at that instant'
           when 'silent' then 'too little spoke for it'
           when 'shown' then 'this session was shown it not long ago'
           when 'amended' then 'what was said later took its place'
           when 'confided' then 'the person asked that it be kept by nobody'
           when 'noted' then 'the notes of that conversation stand for it'
           when 'gone' then 'the code that it cites is gone'
           else 'not active' end as why,
         i.position + 1 as place, round(i.strength, 4) as strength, round(i.relevance, 4) as relevance,
         round(i.score, 4) as score, round(i.chance, 4) as chance, i.tokens, i.was_useful, a.id as activation_id
    from activation a
    join activation_item i on i.activation_id = a.id
    left join memory m on m.uid = i.ref
    left join message g on i.ref glob 'msg_*' and g.id = cast(substr(i.ref, 5) as integer);

create view left_out as
  -- What a turn considered and did not show, and why.
  select turn, activated_at, session, layer, ref, content, why, place, strength, relevance, score, chance, tokens, activation_id
    from turn_item where is_shown = 0;

create view turn_layer as
  -- One layer of one turn: how much was shown of it, at what price, and how much was left out.
  select a.turn, datetime(a.activated_at / 1000, 'unixepoch') as activated_at, a.session, i.layer,
         case i.layer when 'A' then 'always' when 'B' then 'contextual' when 'C' then 'procedures' else 'scoped' end as meaning,
         sum(i.stage = 'chosen') as shown, sum(case when i.stage = 'chosen' then i.tokens else 0 end) as tokens,
         sum(i.stage <> 'chosen') as left_out, round(max(case when i.stage = 'chosen' then i.strength end), 4) as strongest,
         round(max(case when i.stage = 'chosen' then i.relevance end), 4) as most_relevant, a.id as activation_id
    from activation a join activation_item i on i.activation_id = a.id
   group by a.id, i.layer;

create view turn_cost as
  -- What one turn spent its budget on. stable_share: the part of its tokens that the session froze, so that a prompt cache keeps it.
  select t.turn, datetime(t.instant / 1000, 'unixepoch') as activated_at, t.session, t.user, t.project, t.prompt, t.budget, t.tokens,
         t.stable_tokens, t.contextual_tokens, t.procedure_tokens, t.scoped_tokens,
         max(0, t.tokens - t.stable_tokens - t.contextual_tokens - t.procedure_tokens - t.scoped_tokens) as heading_tokens,
         round(t.stable_tokens * 1.0 / nullif(t.tokens, 0), 3) as stable_share, t.elapsed_us, t.activation_id
    from (
      select a.turn, a.activated_at as instant, a.session, a.user, a.project, substr({prompt_of a}, 1, 200) as prompt, a.budget, a.tokens,
             min(a.tokens, coalesce(
               (select s.stable_tokens from session s
                 where (s.name, s.runtime, s.user, s.project) = (a.session, a.runtime, a.user, a.project)
                   and s.stable_hash = (select w.stable_hash from weighing w where w.activation_id = a.id)),
               (select sum(i.tokens) from activation_item i
                 where i.activation_id = a.id and i.layer = 'A' and i.stage = 'chosen'), 0)) as stable_tokens,
             coalesce((select sum(i.tokens) from activation_item i
                        where i.activation_id = a.id and i.layer = 'B' and i.stage = 'chosen'), 0) as contextual_tokens,
             coalesce((select sum(i.tokens) from activation_item i
                        where i.activation_id = a.id and i.layer = 'C' and i.stage = 'chosen'), 0) as procedure_tokens,
             coalesce((select sum(i.tokens) from activation_item i
                        where i.activation_id = a.id and i.layer = 'D' and i.stage = 'chosen'), 0) as scoped_tokens,
             a.elapsed_us, a.id as activation_id
        from activation a) t;

create view strength_over_time as
  -- One memory's strength at one instant: as turns saw it, and as it will be if nobody uses it. days: from now on, negative for the past.
  select m.uid, m.kind, m.content, 'seen' as tense, (a.activated_at - c.last_at) / 86400000 as days,
         datetime(a.activated_at / 1000, 'unixepoch') as valid_at, round(i.strength, 4) as strength, m.id as memory_id
    from context c
    cross join activation a
    cross join activation_item i on i.activation_id = a.id and i.strength is not null
    cross join memory m on m.uid = i.ref
  union all
  select m.uid, m.kind, m.content, 'ahead', p.days,
         datetime((c.last_at + p.days * 86400000) / 1000, 'unixepoch'), round({strength m, c.last_at + p.days * 86400000}, 4), m.id
    from memory m
    cross join context c
    cross join (select 0 as days union all select 7 union all select 30 union all select 60 union all select 90 union all select 120
                union all select 180 union all select 240 union all select 300 union all select 365) p
   where m.state = 'active';

create view exposure as
  -- What the turns of the ledger did with one memory or message: how often it was shown and left out, and what hosts said of it.
  select ref, sum(stage = 'chosen') as times_shown, sum(case stage when 'chosen' then 0 when 'folded' then tokens else 1 end) as times_left_out,
         sum(stage = 'chosen' and layer <> 'A') as times_chosen_by_fit,
         sum(coalesce(was_useful, 0) = 1) as times_useful, sum(coalesce(was_useful, 1) = 0) as times_useless,
         sum(case when stage = 'chosen' then tokens else 0 end) as tokens_shown
    from (select ref, stage, layer, was_useful, tokens from activation_item
          union all select ref, 'folded', '', null, times from left_out_before)
   group by ref;

create view earned as
  -- What came of each memory that turns showed: how often it was followed by what the agent did, set right by a person, told at an act.
  select m.content, e.shown, e.followed, e.corrected, e.at_act, m.uid, m.kind, m.layer, m.state, m.user, m.project,
         datetime(e.counted_at / 1000, 'unixepoch') as counted_at, m.id as memory_id
    from earning e join memory m on m.id = e.memory_id
   order by e.followed desc, e.shown desc, m.id;

create view gate_curve as
  -- In how many turns of the ledger the likeliest candidate had at least this chance: what other settings of `silence` do.
  -- A turn in which nothing was found counts as silent.
  select s.setting, s.least, count(*) as turns, sum(coalesce(t.best, 0) >= s.least) as turns_that_spoke,
         round(100.0 * sum(coalesce(t.best, 0) >= s.least) / count(*), 1) as percent
    from (select 'generous' as setting, 0.1 as least union all select 'balanced', 0.25 union all select 'cautious', 0.5
           union all select '0.75', 0.75 union all select '0.9', 0.9) s
    cross join (select chance as best from weighing) t
   group by s.setting, s.least order by s.least;

create view never_used as
  -- Active memories that nobody recalled or repeated, that no turn of the ledger showed, and procedures that nobody tried.
  select m.uid, m.layer, m.kind, m.content, m.source, datetime(m.created_at / 1000, 'unixepoch') as created_at,
         (c.last_at - m.created_at) / 86400000 as days, coalesce(t.times_left_out, 0) as times_left_out,
         datetime(f.fades_at / 1000, 'unixepoch') as fades_at, m.runtime, m.user, m.project, m.id as memory_id
    from context c
    cross join memory m
    left join exposure t on t.ref = m.uid
    left join fading f on f.memory_id = m.id
    left join procedure p on p.memory_id = m.id
    left join fact o on o.memory_id = m.id
   where m.state = 'active' and o.superseded_by is null and m.access_count = 0 and m.reinforcement_count = 1 and p.used_at is null
     and coalesce(t.times_shown, 0) = 0;

create view junk_suspect as
  -- Active memories that may not be worth keeping, with the gravest reason. What is critical or pinned is not suspected.
  select s.uid, s.kind, s.content, s.why, s.source, s.trust, datetime(s.created_at / 1000, 'unixepoch') as created_at,
         s.runtime, s.user, s.project, s.id as memory_id
    from (
      select m.*,
             case
               when m.id in (select c.memory_id from citation c group by c.memory_id having min(c.standing = 'gone') = 1)
                 then 'the code that it cites is gone'
               when json_extract(m.data, '$.commit') is not null or json_extract(m.data, '$.file') is not null then null
               when e.corrected >= 2 then 'set right ' || e.corrected || ' times after it was shown'
               when t.times_useless > 0 and t.times_useful = 0 then 'hosts said that it did not help'
               when m.id in (select duplicate_id from duplicate) then 'says the same as an older one'
               when m.layer <> 'procedural' and length(trim(m.content)) < 8 then 'too short to tell anything'
               when m.reinforcement_count > 1 or m.access_count > 0 or t.times_useful > 0 then null
               when m.trust < 0.5 then 'came from a source of little trust'
               when m.source in ('user_explicit', 'system') then null
               when m.layer <> 'procedural' and t.times_chosen_by_fit >= 20 then 'shown in twenty turns or more, never asked for'
               when coalesce(t.times_shown, 0) = 0
                    and m.created_at < c.last_at - 5184000000  -- 60 days
                 then 'came by itself and was not used for long'
             end as why
        from context c
        cross join memory m
        join kind k on k.name = m.kind and k.is_pinned = 0
        left join exposure t on t.ref = m.uid
        left join earning e on e.memory_id = m.id
       where m.state = 'active' and m.priority < 4) s
   where s.why is not null;

create view of_nobody as
  -- What is known of a person and belongs to nobody, in a file of several users: each of them sees it.
  -- It was shared on purpose, or its user is not known any more; `cogmem bulk move UID --to-user NAME` gives it to somebody.
  select m.uid, m.kind, m.content, m.source, datetime(m.created_at / 1000, 'unixepoch') as created_at, m.runtime, m.project,
         m.id as memory_id
    from memory m
   where m.kind in (select a.kind from kind_alias a where a.vocabulary = '' and a.alias in ('about_user', 'preferences'))
     and m.user = '' and m.state in ('active', 'candidate')
     and (exists (select 1 from memory o where o.user <> '') or exists (select 1 from conversation v where v.user <> ''));

create view evidence as
  -- One tie of a memory, readable: what supports it, what it was merged from, what it replaces or contradicts.
  select m.uid, m.content, l.relation, coalesce(o.uid, 'msg_' || l.message_id) as ref, coalesce(o.content, g.text) as told,
         coalesce(v.name, e.session_name, '') as conversation,
         datetime(coalesce(g.said_at, e.happened_at, o.created_at) / 1000, 'unixepoch') as happened_at, m.id as memory_id
    from link l
    join memory m on m.id = l.from_id
    left join memory o on o.id = l.to_id
    left join episode e on e.memory_id = l.to_id
    left join message g on g.id = l.message_id
    left join conversation v on v.id = g.conversation_id;

create view night_run as
  -- One run of one job: when, how long, what it did, and whether it was taken back.
  select r.uid as run, r.job, r.period, datetime(r.started_at / 1000, 'unixepoch') as started_at,
         round((r.finished_at - r.started_at) / 1000.0, 3) as seconds,
         case when r.is_stopped = 1 then 'stopped' when r.finished_at is null then 'unfinished' else 'done' end as outcome,
         exists (select 1 from change u where u.undoes = r.uid
                 and not exists (select 1 from change b where b.undoes = u.act)) as is_undone,
         r.considered_count, r.changed_count, r.archived_count, r.merged_count, r.promoted_count, r.note
    from job_run r;

create view night_change as
  -- One row that a job run changed, with the memory it belongs to: what it was before and what it became.
  select c.run, r.job, r.period, datetime(c.changed_at / 1000, 'unixepoch') as changed_at, c.uid,
         coalesce(m.content, json_extract(c.before, '$.content'), json_extract(c.after, '$.content'), '') as content,
         c.action, c.record,
         case when json_extract(c.after, '$.state') is not null and c.action = 'update'
              then json_extract(c.before, '$.state') || ' → ' || json_extract(c.after, '$.state') else '' end as became,
         coalesce(json_extract(c.after, '$.archive_reason'), '') as because, c.before, c.after, c.id as change_id
    from change c
    join job_run r on r.uid = c.run
    left join memory m on m.uid = c.uid
   where c.run is not null and c.undoes is null;

create view kind_cost as
  -- What each kind holds and what it cost prompts: tokens kept, times shown and tokens shown in the turns of the ledger.
  select coalesce(k.layer, '') as layer, n.kind, coalesce(h.memories, 0) as memories, coalesce(h.tokens, 0) as tokens,
         round(h.tokens * 1.0 / nullif(h.memories, 0), 1) as tokens_each,
         coalesce(i.times, 0) as times_shown, coalesce(i.tokens, 0) as tokens_shown
    from (select name as kind from kind union all select '(message)') n
    left join kind k on k.name = n.kind
    left join (select kind, count(*) as memories, sum(coalesce(tokens, 0)) as tokens
                 from memory where state = 'active' group by kind) h on h.kind = n.kind
    left join (select case when i.ref glob 'msg_*' then '(message)' else m.kind end as kind, count(*) as times, sum(i.tokens) as tokens
                 from activation_item i left join memory m on m.uid = i.ref
                where i.stage = 'chosen' group by 1) i on i.kind = n.kind
   where h.memories > 0 or i.times > 0;

create view spend as
  -- What models were asked on one UTC day for one purpose, and what it cost. The prices are yours to multiply.
  select substr(datetime(asked_at / 1000, 'unixepoch'), 1, 10) as day, purpose, model,
         sum(outcome <> 'refused by the cap') as calls, sum(outcome <> 'ok' and outcome <> 'refused by the cap') as failed,
         sum(outcome = 'refused by the cap') as refused,
         sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out, round(sum(elapsed_ms) / 1000.0, 1) as seconds
    from model_call group by 1, purpose, model;

create view growth as
  -- One day on which something came or went. living: neither archived nor removed at its end, candidates included.
  -- A memory that was brought back counts as if it had never gone; one that was forgotten as if it had never been.
  select substr(datetime(d.day * 86400, 'unixepoch'), 1, 10) as day, d.learned, d.archived, d.removed,
         sum(d.learned - d.archived - d.removed) over (order by d.day) as living,
         sum(d.archived) over (order by d.day) as put_away
    from (
      select day, sum(learned) as learned, sum(archived) as archived, sum(removed) as removed
        from (
          select created_at / 86400000 as day, 1 as learned, 0 as archived, 0 as removed from memory
          union all
          select archived_at / 86400000, 0, 1, 0 from memory where state = 'archived'
          union all
          select updated_at / 86400000, 0, 0, 1 from memory where state = 'deleted')
       group by day) d;
