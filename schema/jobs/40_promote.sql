-- Promote what recurs (see `recurrence` below): a command that keeps succeeding and a correction made again and again
-- become candidates with links to their evidence; cogmem/night/recurring.py adds what only words can tell, episodes
-- that say the same and commands that keep failing, each as a sentence. What a person says again is heard by day (cogmem/hear/said.py). Nothing inferred here is shown to
-- a model before somebody confirms it. Procedures gain the successes and failures of the episodes that name them.
-- reads: memory, episode, message, conversation, link, document, kind, setting
-- writes: job_run, memory, fact, episode, procedure, link
-- period: week
-- params: :run, :now, :period, :is_forced, :seed
-- then: recur

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '40_promote', :period, :now, :is_forced, count(*) from memory where state = 'active';

update procedure
   set success_count = procedure.success_count + tried.successes,
       failure_count = procedure.failure_count + tried.failures,
       recent_successes = procedure.recent_successes + tried.successes,
       recent_failures = procedure.recent_failures + tried.failures,
       used_at = max(coalesce(procedure.used_at, 0), tried.happened_at)
  from (select procedure_id, sum(is_success) as successes, sum(not is_success) as failures,
               max(happened_at) as happened_at
          from {trial x} group by procedure_id) tried
 where procedure.memory_id = tried.procedure_id;

insert into link (from_id, relation, to_id, created_at)
select procedure_id, 'evidence', episode_id, :now from {trial x} order by procedure_id, episode_id;

update memory set state = 'active', updated_at = :now where id in (select memory_id from {confirmed x});

-- What recurs and is nowhere held yet: one row per proposed memory and piece of evidence. `proposal` is its key.
-- A command succeeded on recurs_occasions occasions and twice more. It is not a view,
-- because every process that opens the file reads the views, and only this job asks.
-- The evidence stands in data until the links below are made from it.
with
often as materialized (select cast(value as integer) as occasions from setting where name = 'recurs_occasions'),
plain as materialized (select ' ' || value || ' ' as words from setting where name = 'plain_commands'),
seen as materialized (select memory_id, tags, data, runtime, user, project, occasion, outcome from {seen_or_told x}),
ran as materialized (
  select t.memory_id, cast(null as integer) as message_id, t.runtime, t.user, t.project, t.occasion,
         trim(json_extract(t.data, '$.command')) as command, t.outcome glob 'succe*' as is_success
    from seen t where json_type(t.data, '$.command') = 'text'
  union all
  select null, a.id, v.runtime, v.user, v.project, v.name,
         trim(json_extract(p.value, '$.arguments.command')),
         not coalesce(json_extract(r.value, '$.is_error'), 0)
    from context c
    cross join message a indexed by message_by_time on a.said_at > {lookback c.last_at} and a.said_at <= c.last_at
    join conversation v on v.id = a.conversation_id
    join json_each(a.parts) p
    join message b on b.conversation_id = a.conversation_id and b.seq between a.seq + 1 and a.seq + 8
     and b.role = 'tool' and b.is_current = 1 and b.parts is not null
    join json_each(b.parts) r
   where a.role = 'assistant' and a.is_current = 1 and a.parts is not null
     and json_extract(p.value, '$.type') = 'tool_call' and json_type(p.value, '$.arguments.command') = 'text'
     and json_extract(r.value, '$.type') = 'tool_result'
     and json_extract(r.value, '$.tool_call_id') = json_extract(p.value, '$.id')),
command as (
  select command, runtime, user, project, sum(is_success) as successes, sum(not is_success) as failures
    from ran
   where length(command) between 6 and 200 and instr(command, ' ') > 0
     and instr((select words from plain), ' ' || substr(command, 1, instr(command, ' '))) = 0
     and instr(command, char(10)) = 0
   group by command, runtime, user, project
  having sum(is_success) >= (select occasions + 2 from often)
     and count(distinct case when is_success then occasion end) >= (select occasions from often)
     and sum(is_success) > 2 * sum(not is_success)),
correction as (
  select m.id as memory_id, m.content, m.uid, m.runtime, m.user, m.project
    from memory m indexed by memory_by_own_key
   where m.key glob 'auto.*' and m.key glob 'auto.correction.*' and m.state = 'active' and m.source in ('user_explicit', 'observed')
     and (select count(distinct g.conversation_id) from link l join message g on g.id = l.message_id
           where l.from_id = m.id and l.relation = 'evidence') >= (select occasions from often)),
proposed as (
  select 'auto.command.' || k.command as proposal, 'command' as kind, k.runtime, k.user, k.project, r.memory_id, r.message_id,
         '`' || k.command || '` worked ' || k.successes || ' of ' || (k.successes + k.failures) || ' times.' as content,
         k.successes, k.failures
    from command k join ran r on (r.command, r.runtime, r.user, r.project) = (k.command, k.runtime, k.user, k.project)
  union all
  select 'auto.corrected.' || k.uid, 'preference', k.runtime, k.user, k.project, k.memory_id, null, k.content, 0, 0
    from correction k),
recurrence as (
  select p.proposal, k.layer, p.kind, p.content, p.runtime, p.user, p.project, p.memory_id, p.message_id, p.successes, p.failures
    from proposed p join kind k on k.name = p.kind
   where not exists (
     select 1 from memory h
      where h.key = p.proposal and h.key glob 'auto.*'
        and (h.runtime, h.user, h.project) = (p.runtime, p.user, p.project)))
insert into memory (uid, layer, kind, key, content, runtime, user, project, source, trust, state, data,
                    created_at, updated_at, reinforced_at)
select 'mem_' || printf('%016x', :seed + row_number() over (order by runtime, user, project, proposal)),
       layer, kind, proposal, content, runtime, user, project, 'inferred', 0.7, 'candidate',
       json_object('episodes', json(json_group_array(memory_id)), 'messages', json(json_group_array(message_id)),
                   'successes', max(successes), 'failures', max(failures)),
       :now, :now, :now
  from recurrence
 group by runtime, user, project, proposal, layer, kind, content;

insert into link (from_id, relation, to_id, created_at)
select distinct m.id, 'evidence', j.value, :now
  from change h join memory m on m.id = cast(h.row_key as integer), json_each(m.data, '$.episodes') j
 where h.run = :run and h.record = 'memory' and h.action = 'insert' and j.value is not null
 order by 1, 3;

insert into link (from_id, relation, message_id, created_at)
select distinct m.id, 'evidence', j.value, :now
  from change h join memory m on m.id = cast(h.row_key as integer), json_each(m.data, '$.messages') j
 where h.run = :run and h.record = 'memory' and h.action = 'insert' and j.value is not null
 order by 1, 3;

update procedure
   set (steps, success_count, failure_count, recent_successes, recent_failures) = (
         select json_array(substr(m.key, length('auto.command.') + 1)), json_extract(m.data, '$.successes'), json_extract(m.data, '$.failures'),
                min(5, json_extract(m.data, '$.successes')), min(5, json_extract(m.data, '$.failures'))
           from memory m where m.id = procedure.memory_id)
 where memory_id in (select cast(row_key as integer) from change
                      where run = :run and record = 'memory' and action = 'insert');

update memory set data = '{}'
 where id in (select cast(row_key as integer) from change
               where run = :run and record = 'memory' and action = 'insert');

update job_run
   set finished_at = :now,
       changed_count = (select count(distinct uid) from change where run = :run),
       promoted_count = (select count(*) from change where run = :run and record = 'memory' and action = 'insert')
 where uid = :run;
