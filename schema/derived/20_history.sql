-- History: each change of a memory, a link or a policy row leaves its before and after in `change`.
-- REPLACE would delete a row without a trace, and a new primary key would cut the trace: both are refused.
-- The row of a layer that comes with its memory and says nothing yet is told by the memory's own insert.
-- Made by `make history` from the columns of the tables; a test holds the two equal.

create view inside_writer as
  -- who is writing, as the history signs a change
  select act, coalesce(verb, '') as verb, coalesce(actor, 'unknown') as actor, coalesce(reason, '') as reason,
         run, undoes, acted_at, case when act is not null then clock end as clock, origin
    from context;

create view inside_record as
  -- Where the triggers below put a row as it was and as it becomes. What makes a change of it is said once, in the
  -- trigger of this view, and not in each of them, because every process that opens the file reads them all.
  select record, row_key, uid, before, after from change;

create trigger inside_record_ii instead of insert on inside_record begin
  insert into change
    (act, verb, actor, reason, run, undoes, changed_at, clock, origin, record, row_key, uid, action, before, after)
  select w.*, new.record, new.row_key, new.uid,
         case when new.before is null then 'insert' when new.after is null then 'delete' else 'update' end,
         new.before, new.after
    from inside_writer w;
end;

create trigger memory_bu_history before update of id on memory when new.id is not old.id begin
  select raise(abort, 'the history knows this row of memory by its id: add another row instead');
end;

create trigger memory_ai_history after insert on memory begin
  insert into inside_record values ('memory', new.id, new.uid, null, json_object(
    'id', new.id, 'uid', new.uid, 'layer', new.layer, 'kind', new.kind, 'key', new.key, 'content', new.content,
    'tags', new.tags, 'terms', new.terms, 'runtime', new.runtime, 'user', new.user, 'project', new.project,
    'session', new.session, 'path_glob', new.path_glob, 'priority', new.priority, 'source', new.source,
    'trust', new.trust, 'polarity', new.polarity, 'state', new.state,
    'reinforcement_count', new.reinforcement_count, 'access_count', new.access_count, 'tokens', new.tokens,
    'token_counter', new.token_counter, 'content_hash', new.content_hash, 'data', new.data,
    'created_at', new.created_at, 'updated_at', new.updated_at, 'reinforced_at', new.reinforced_at,
    'accessed_at', new.accessed_at, 'expires_at', new.expires_at, 'archived_at', new.archived_at,
    'archive_reason', new.archive_reason));
end;

create trigger memory_au_history after update on memory begin
  insert into inside_record
  select 'memory', old.id, new.uid, json_group_object(name, was), json_group_object(name, becomes)
  from (select 'id' as name, old.id as was, new.id as becomes union all values
    ('uid', old.uid, new.uid), ('layer', old.layer, new.layer), ('kind', old.kind, new.kind),
    ('key', old.key, new.key), ('content', old.content, new.content), ('tags', old.tags, new.tags),
    ('terms', old.terms, case when new.content <> old.content and new.content_hash = old.content_hash and (select act from context) is null then '' else new.terms end),
    ('runtime', old.runtime, new.runtime), ('user', old.user, new.user), ('project', old.project, new.project),
    ('session', old.session, new.session), ('path_glob', old.path_glob, new.path_glob),
    ('priority', old.priority, new.priority), ('source', old.source, new.source), ('trust', old.trust, new.trust),
    ('polarity', old.polarity, new.polarity), ('state', old.state, new.state),
    ('reinforcement_count', old.reinforcement_count, new.reinforcement_count),
    ('access_count', old.access_count, new.access_count),
    ('tokens', old.tokens, case when (new.content, new.key) is not (old.content, old.key) and new.tokens is old.tokens and (select act from context) is null then null else new.tokens end),
    ('token_counter', old.token_counter, case when (new.content, new.key) is not (old.content, old.key) and new.tokens is old.tokens and (select act from context) is null then '' else new.token_counter end),
    ('content_hash', old.content_hash, case when new.content <> old.content and new.content_hash = old.content_hash and (select act from context) is null then '' else new.content_hash end),
    ('data', old.data, new.data), ('created_at', old.created_at, new.created_at),
    ('updated_at', old.updated_at, new.updated_at), ('reinforced_at', old.reinforced_at, new.reinforced_at),
    ('accessed_at', old.accessed_at, new.accessed_at), ('expires_at', old.expires_at, new.expires_at),
    ('archived_at', old.archived_at, new.archived_at), ('archive_reason', old.archive_reason, new.archive_reason))
  where was is not becomes having count(*) > 0;
  update memory set tokens = null, token_counter = ''
   where id = new.id and (new.content, new.key) is not (old.content, old.key) and new.tokens is old.tokens and (select act from context) is null;
  update memory set content_hash = '', terms = ''
   where id = new.id and new.content <> old.content and new.content_hash = old.content_hash and (select act from context) is null;
end;

create trigger memory_ad_history after delete on memory begin
  insert into inside_record values ('memory', old.id, old.uid, json_object(
    'id', old.id, 'uid', old.uid, 'layer', old.layer, 'kind', old.kind, 'key', old.key, 'content', old.content,
    'tags', old.tags, 'terms', old.terms, 'runtime', old.runtime, 'user', old.user, 'project', old.project,
    'session', old.session, 'path_glob', old.path_glob, 'priority', old.priority, 'source', old.source,
    'trust', old.trust, 'polarity', old.polarity, 'state', old.state,
    'reinforcement_count', old.reinforcement_count, 'access_count', old.access_count, 'tokens', old.tokens,
    'token_counter', old.token_counter, 'content_hash', old.content_hash, 'data', old.data,
    'created_at', old.created_at, 'updated_at', old.updated_at, 'reinforced_at', old.reinforced_at,
    'accessed_at', old.accessed_at, 'expires_at', old.expires_at, 'archived_at', old.archived_at,
    'archive_reason', old.archive_reason), null);
end;

create trigger fact_bi_history before insert on fact
when exists (select 1 from fact where memory_id = new.memory_id)
begin
  select raise(abort, 'this row of fact is there: update it instead of inserting');
end;

create trigger fact_bu_history before update of memory_id on fact when new.memory_id is not old.memory_id begin
  select raise(abort, 'the history knows this row of fact by its memory_id: add another row instead');
end;

create trigger fact_ai_history after insert on fact
when (new.topic, new.valid_from, new.valid_to, new.recorded_at, new.superseded_by, new.confidence)
       is not ('', null, null, (select created_at from memory where id = new.memory_id), null, 0.8)
begin
  insert into inside_record values ('fact', new.memory_id, (select uid from memory where id = new.memory_id), null, json_object(
    'memory_id', new.memory_id, 'topic', new.topic, 'valid_from', new.valid_from, 'valid_to', new.valid_to,
    'recorded_at', new.recorded_at, 'superseded_by', new.superseded_by, 'confidence', new.confidence));
end;

create trigger fact_au_history after update on fact begin
  insert into inside_record
  select 'fact', old.memory_id, (select uid from memory where id = new.memory_id), json_group_object(name, was), json_group_object(name, becomes)
  from (select 'memory_id' as name, old.memory_id as was, new.memory_id as becomes union all values
    ('topic', old.topic, new.topic), ('valid_from', old.valid_from, new.valid_from),
    ('valid_to', old.valid_to, new.valid_to), ('recorded_at', old.recorded_at, new.recorded_at),
    ('superseded_by', old.superseded_by, new.superseded_by), ('confidence', old.confidence, new.confidence))
  where was is not becomes having count(*) > 0;
end;

create trigger fact_ad_history after delete on fact begin
  insert into inside_record values ('fact', old.memory_id, (select uid from memory where id = old.memory_id), json_object(
    'memory_id', old.memory_id, 'topic', old.topic, 'valid_from', old.valid_from, 'valid_to', old.valid_to,
    'recorded_at', old.recorded_at, 'superseded_by', old.superseded_by, 'confidence', old.confidence), null);
end;

create trigger episode_bi_history before insert on episode
when exists (select 1 from episode where memory_id = new.memory_id)
begin
  select raise(abort, 'this row of episode is there: update it instead of inserting');
end;

create trigger episode_bu_history before update of memory_id on episode when new.memory_id is not old.memory_id begin
  select raise(abort, 'the history knows this row of episode by its memory_id: add another row instead');
end;

create trigger episode_ai_history after insert on episode
when (new.outcome, new.happened_at, new.session_name, new.turns, new.form)
       is not ('', (select created_at from memory where id = new.memory_id), '', 0, 'event')
begin
  insert into inside_record values ('episode', new.memory_id, (select uid from memory where id = new.memory_id), null, json_object(
    'memory_id', new.memory_id, 'outcome', new.outcome, 'happened_at', new.happened_at,
    'session_name', new.session_name, 'turns', new.turns, 'form', new.form));
end;

create trigger episode_au_history after update on episode begin
  insert into inside_record
  select 'episode', old.memory_id, (select uid from memory where id = new.memory_id), json_group_object(name, was), json_group_object(name, becomes)
  from (select 'memory_id' as name, old.memory_id as was, new.memory_id as becomes union all values
    ('outcome', old.outcome, new.outcome), ('happened_at', old.happened_at, new.happened_at),
    ('session_name', old.session_name, new.session_name), ('turns', old.turns, new.turns),
    ('form', old.form, new.form))
  where was is not becomes having count(*) > 0;
end;

create trigger episode_ad_history after delete on episode begin
  insert into inside_record values ('episode', old.memory_id, (select uid from memory where id = old.memory_id), json_object(
    'memory_id', old.memory_id, 'outcome', old.outcome, 'happened_at', old.happened_at,
    'session_name', old.session_name, 'turns', old.turns, 'form', old.form), null);
end;

create trigger procedure_bi_history before insert on procedure
when exists (select 1 from procedure where memory_id = new.memory_id)
begin
  select raise(abort, 'this row of procedure is there: update it instead of inserting');
end;

create trigger procedure_bu_history before update of memory_id on procedure when new.memory_id is not old.memory_id begin
  select raise(abort, 'the history knows this row of procedure by its memory_id: add another row instead');
end;

create trigger procedure_ai_history after insert on procedure
when (new.context, new.steps, new.success_count, new.failure_count, new.used_at, new.recent_successes, new.recent_failures, new.failed_because)
       is not ('', '[]', 0, 0, null, 0, 0, '')
begin
  insert into inside_record values ('procedure', new.memory_id, (select uid from memory where id = new.memory_id), null, json_object(
    'memory_id', new.memory_id, 'context', new.context, 'steps', new.steps, 'success_count', new.success_count,
    'failure_count', new.failure_count, 'used_at', new.used_at, 'recent_successes', new.recent_successes,
    'recent_failures', new.recent_failures, 'failed_because', new.failed_because));
end;

create trigger procedure_au_history after update on procedure begin
  insert into inside_record
  select 'procedure', old.memory_id, (select uid from memory where id = new.memory_id), json_group_object(name, was), json_group_object(name, becomes)
  from (select 'memory_id' as name, old.memory_id as was, new.memory_id as becomes union all values
    ('context', old.context, new.context), ('steps', old.steps, new.steps),
    ('success_count', old.success_count, new.success_count),
    ('failure_count', old.failure_count, new.failure_count), ('used_at', old.used_at, new.used_at),
    ('recent_successes', old.recent_successes, new.recent_successes),
    ('recent_failures', old.recent_failures, new.recent_failures),
    ('failed_because', old.failed_because, new.failed_because))
  where was is not becomes having count(*) > 0;
end;

create trigger procedure_ad_history after delete on procedure begin
  insert into inside_record values ('procedure', old.memory_id, (select uid from memory where id = old.memory_id), json_object(
    'memory_id', old.memory_id, 'context', old.context, 'steps', old.steps, 'success_count', old.success_count,
    'failure_count', old.failure_count, 'used_at', old.used_at, 'recent_successes', old.recent_successes,
    'recent_failures', old.recent_failures, 'failed_because', old.failed_because), null);
end;

create trigger link_bi_history before insert on link
when exists (select 1 from link where id = new.id
     or (from_id, relation, coalesce(to_id, 0), coalesce(message_id, 0))
      = (new.from_id, new.relation, coalesce(new.to_id, 0), coalesce(new.message_id, 0)))
begin
  select raise(abort, 'this row of link is there: update it instead of inserting');
end;

create trigger link_bu_history before update of id on link when new.id is not old.id begin
  select raise(abort, 'the history knows this row of link by its id: add another row instead');
end;

create trigger link_ai_history after insert on link begin
  insert into inside_record values ('link', new.id, (select uid from memory where id = new.from_id), null, json_object(
    'id', new.id, 'from_id', new.from_id, 'relation', new.relation, 'to_id', new.to_id,
    'message_id', new.message_id, 'created_at', new.created_at, 'about', new.about));
end;

create trigger link_au_history after update on link begin
  insert into inside_record
  select 'link', old.id, (select uid from memory where id = new.from_id), json_group_object(name, was), json_group_object(name, becomes)
  from (select 'id' as name, old.id as was, new.id as becomes union all values
    ('from_id', old.from_id, new.from_id), ('relation', old.relation, new.relation),
    ('to_id', old.to_id, new.to_id), ('message_id', old.message_id, new.message_id),
    ('created_at', old.created_at, new.created_at), ('about', old.about, new.about))
  where was is not becomes having count(*) > 0;
end;

create trigger link_ad_history after delete on link begin
  insert into inside_record values ('link', old.id, (select uid from memory where id = old.from_id), json_object(
    'id', old.id, 'from_id', old.from_id, 'relation', old.relation, 'to_id', old.to_id,
    'message_id', old.message_id, 'created_at', old.created_at, 'about', old.about), null);
end;

create trigger kind_bi_history before insert on kind
when exists (select 1 from kind where name = new.name)
begin
  select raise(abort, 'this row of kind is there: update it instead of inserting');
end;

create trigger kind_bu_history before update of name on kind when new.name is not old.name begin
  select raise(abort, 'the history knows this row of kind by its name: add another row instead');
end;

create trigger kind_ai_history after insert on kind begin
  insert into inside_record values ('kind', new.name, null, null, json_object(
    'name', new.name, 'layer', new.layer, 'meaning', new.meaning, 'weight', new.weight,
    'default_priority', new.default_priority, 'half_life_days', new.half_life_days, 'is_baseline', new.is_baseline,
    'is_pinned', new.is_pinned, 'is_shared', new.is_shared, 'needs_person', new.needs_person,
    'needs_trust', new.needs_trust, 'is_wish', new.is_wish, 'is_rule', new.is_rule, 'is_line', new.is_line,
    'is_mend', new.is_mend, 'act_order', new.act_order, 'max_rows', new.max_rows,
    'max_characters', new.max_characters, 'capacity_policy', new.capacity_policy, 'system', new.system));
end;

create trigger kind_au_history after update on kind begin
  insert into inside_record
  select 'kind', old.name, null, json_group_object(name, was), json_group_object(name, becomes)
  from (select 'name' as name, old.name as was, new.name as becomes union all values
    ('layer', old.layer, new.layer), ('meaning', old.meaning, new.meaning), ('weight', old.weight, new.weight),
    ('default_priority', old.default_priority, new.default_priority),
    ('half_life_days', old.half_life_days, new.half_life_days), ('is_baseline', old.is_baseline, new.is_baseline),
    ('is_pinned', old.is_pinned, new.is_pinned), ('is_shared', old.is_shared, new.is_shared),
    ('needs_person', old.needs_person, new.needs_person), ('needs_trust', old.needs_trust, new.needs_trust),
    ('is_wish', old.is_wish, new.is_wish), ('is_rule', old.is_rule, new.is_rule),
    ('is_line', old.is_line, new.is_line), ('is_mend', old.is_mend, new.is_mend),
    ('act_order', old.act_order, new.act_order), ('max_rows', old.max_rows, new.max_rows),
    ('max_characters', old.max_characters, new.max_characters),
    ('capacity_policy', old.capacity_policy, new.capacity_policy), ('system', old.system, new.system))
  where was is not becomes having count(*) > 0;
end;

create trigger kind_ad_history after delete on kind begin
  insert into inside_record values ('kind', old.name, null, json_object(
    'name', old.name, 'layer', old.layer, 'meaning', old.meaning, 'weight', old.weight,
    'default_priority', old.default_priority, 'half_life_days', old.half_life_days, 'is_baseline', old.is_baseline,
    'is_pinned', old.is_pinned, 'is_shared', old.is_shared, 'needs_person', old.needs_person,
    'needs_trust', old.needs_trust, 'is_wish', old.is_wish, 'is_rule', old.is_rule, 'is_line', old.is_line,
    'is_mend', old.is_mend, 'act_order', old.act_order, 'max_rows', old.max_rows,
    'max_characters', old.max_characters, 'capacity_policy', old.capacity_policy, 'system', old.system), null);
end;

create trigger setting_bi_history before insert on setting
when exists (select 1 from setting where name = new.name)
begin
  select raise(abort, 'this row of setting is there: update it instead of inserting');
end;

create trigger setting_bu_history before update of name on setting when new.name is not old.name begin
  select raise(abort, 'the history knows this row of setting by its name: add another row instead');
end;

create trigger setting_ai_history after insert on setting begin
  insert into inside_record values ('setting', new.name, null, null, json_object(
    'name', new.name, 'value', new.value, 'meaning', new.meaning));
end;

create trigger setting_au_history after update on setting begin
  insert into inside_record
  select 'setting', old.name, null, json_group_object(name, was), json_group_object(name, becomes)
  from (select 'name' as name, old.name as was, new.name as becomes union all values
    ('value', old.value, new.value), ('meaning', old.meaning, new.meaning))
  where was is not becomes having count(*) > 0;
end;

create trigger setting_ad_history after delete on setting begin
  insert into inside_record values ('setting', old.name, null, json_object(
    'name', old.name, 'value', old.value, 'meaning', old.meaning), null);
end;

create trigger gate_weight_bi_history before insert on gate_weight
when exists (select 1 from gate_weight where name = new.name)
begin
  select raise(abort, 'this row of gate_weight is there: update it instead of inserting');
end;

create trigger gate_weight_bu_history before update of name on gate_weight when new.name is not old.name begin
  select raise(abort, 'the history knows this row of gate_weight by its name: add another row instead');
end;

create trigger gate_weight_ai_history after insert on gate_weight begin
  insert into inside_record values ('gate_weight', new.name, null, null, json_object(
    'name', new.name, 'weight', new.weight, 'meaning', new.meaning));
end;

create trigger gate_weight_au_history after update on gate_weight begin
  insert into inside_record
  select 'gate_weight', old.name, null, json_group_object(name, was), json_group_object(name, becomes)
  from (select 'name' as name, old.name as was, new.name as becomes union all values
    ('weight', old.weight, new.weight), ('meaning', old.meaning, new.meaning))
  where was is not becomes having count(*) > 0;
end;

create trigger gate_weight_ad_history after delete on gate_weight begin
  insert into inside_record values ('gate_weight', old.name, null, json_object(
    'name', old.name, 'weight', old.weight, 'meaning', old.meaning), null);
end;

create trigger capture_rule_bi_history before insert on capture_rule
when exists (select 1 from capture_rule where name = new.name)
begin
  select raise(abort, 'this row of capture_rule is there: update it instead of inserting');
end;

create trigger capture_rule_bu_history before update of name on capture_rule when new.name is not old.name begin
  select raise(abort, 'the history knows this row of capture_rule by its name: add another row instead');
end;

create trigger capture_rule_ai_history after insert on capture_rule begin
  insert into inside_record values ('capture_rule', new.name, null, null, json_object(
    'name', new.name, 'family', new.family, 'language', new.language, 'position', new.position,
    'pattern', new.pattern, 'veto', new.veto, 'kind', new.kind, 'priority', new.priority, 'polarity', new.polarity,
    'confidence', new.confidence, 'state', new.state, 'outcome', new.outcome, 'example', new.example,
    'counter_example', new.counter_example, 'is_enabled', new.is_enabled, 'is_own', new.is_own));
end;

create trigger capture_rule_au_history after update on capture_rule begin
  insert into inside_record
  select 'capture_rule', old.name, null, json_group_object(name, was), json_group_object(name, becomes)
  from (select 'name' as name, old.name as was, new.name as becomes union all values
    ('family', old.family, new.family), ('language', old.language, new.language),
    ('position', old.position, new.position), ('pattern', old.pattern, new.pattern), ('veto', old.veto, new.veto),
    ('kind', old.kind, new.kind), ('priority', old.priority, new.priority),
    ('polarity', old.polarity, new.polarity), ('confidence', old.confidence, new.confidence),
    ('state', old.state, new.state), ('outcome', old.outcome, new.outcome), ('example', old.example, new.example),
    ('counter_example', old.counter_example, new.counter_example), ('is_enabled', old.is_enabled, new.is_enabled),
    ('is_own', old.is_own, new.is_own))
  where was is not becomes having count(*) > 0;
end;

create trigger capture_rule_ad_history after delete on capture_rule begin
  insert into inside_record values ('capture_rule', old.name, null, json_object(
    'name', old.name, 'family', old.family, 'language', old.language, 'position', old.position,
    'pattern', old.pattern, 'veto', old.veto, 'kind', old.kind, 'priority', old.priority, 'polarity', old.polarity,
    'confidence', old.confidence, 'state', old.state, 'outcome', old.outcome, 'example', old.example,
    'counter_example', old.counter_example, 'is_enabled', old.is_enabled, 'is_own', old.is_own), null);
end;
