-- Promote what recurs (see the view recurrence): a topic of many episodes, a command that keeps succeeding, a correction
-- or a sentence said again and again becomes a candidate with links to its evidence. Nothing inferred here is shown to
-- a model before somebody confirms it. Procedures gain the successes and failures of the episodes that name them.
-- reads: memory, episode, message, conversation, link, document, kind
-- writes: job_run, memory, fact, episode, procedure, link
-- period: week
-- params: :run, :now, :period, :is_forced, :seed
-- then: complete

insert into job_run (uid, job, period, started_at, is_forced, considered_count)
select :run, '40_promote', :period, :now, :is_forced, count(*) from memory where state = 'active';

update procedure
   set success_count = procedure.success_count + tried.successes,
       failure_count = procedure.failure_count + tried.failures,
       used_at = max(coalesce(procedure.used_at, 0), tried.happened_at)
  from (select procedure_id, sum(is_success) as successes, sum(not is_success) as failures,
               max(happened_at) as happened_at
          from trial group by procedure_id) tried
 where procedure.memory_id = tried.procedure_id;

insert into link (from_id, relation, to_id, created_at)
select procedure_id, 'evidence', episode_id, :now from trial order by procedure_id, episode_id;

update memory set state = 'active', updated_at = :now where id in (select memory_id from confirmed);

-- The evidence stands in data until the links below are made from it.
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
   set (steps, success_count, failure_count) = (
         select json_array(m.content), json_extract(m.data, '$.successes'), json_extract(m.data, '$.failures')
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
