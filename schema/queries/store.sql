-- Reading and writing rows of the spine: called by cogmem/store/store.py.

-- name: kinds()
-- The registry: small, read once per open and again when a kind changes.
select name, layer, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
       needs_person, needs_trust, max_rows, max_characters, capacity_policy, is_wish
  from kind order by name

-- name: gate_weights()
-- What each figure of a candidate is worth: small, read once per open and again when policy changes.
select name, weight from gate_weight order by name

-- name: aliases()
-- Other words for kinds, by vocabulary, with what is particular to a word.
select vocabulary, alias, kind, is_shared, stands_by_source, max_rows, max_characters, capacity_policy
  from kind_alias order by vocabulary, alias

-- name: settings()
-- Every figure that a person may turn.
select name, value from setting order by name

-- name: set_setting(name, value)
-- Turn a figure; an unknown name changes no row.
update setting set value = :value where name = :name returning name

-- name: add_kind(name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared, needs_person, max_rows, max_characters, capacity_policy)
-- Register a kind of one's own.
insert into kind (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned,
                  is_shared, needs_person, max_rows, max_characters, capacity_policy)
values (:name, :layer, :meaning, :weight, :default_priority, :half_life_days, :is_baseline, :is_pinned,
        :is_shared, :needs_person, :max_rows, :max_characters, :capacity_policy)

-- name: set_kind(name, weight, default_priority, half_life_days, is_baseline, is_pinned, max_rows, max_characters, capacity_policy)
-- Change the policy of a kind; null leaves a figure as it is, a cap of 0 goes.
update kind
   set weight = coalesce(:weight, weight), default_priority = coalesce(:default_priority, default_priority),
       half_life_days = coalesce(:half_life_days, half_life_days), is_baseline = coalesce(:is_baseline, is_baseline),
       is_pinned = coalesce(:is_pinned, is_pinned), max_rows = nullif(coalesce(:max_rows, max_rows), 0),
       max_characters = nullif(coalesce(:max_characters, max_characters), 0),
       capacity_policy = coalesce(:capacity_policy, capacity_policy)
 where name = :name

-- name: describe_kinds()
-- The registry for people, with how many memories each kind holds.
select k.name, k.layer, k.meaning, k.weight, k.default_priority, k.half_life_days, k.is_baseline, k.is_pinned,
       k.max_rows, k.max_characters, k.capacity_policy, k.system,
       (select group_concat(alias, ' ')
          from (select distinct a.alias from kind_alias a where a.kind = k.name and a.alias <> k.name order by a.alias)) as aliases,
       (select group_concat(told, ', ')
          from (select a.alias || ' ' || a.max_rows || ' memories' as told from kind_alias a
                 where a.kind = k.name and a.vocabulary = '' and a.max_rows is not null and k.max_rows is null
                union all
                select a.alias || ' ' || a.max_characters || ' characters' from kind_alias a
                 where a.kind = k.name and a.vocabulary = '' and a.max_characters is not null
                   and k.max_characters is null)) as named_caps,
       (select count(*) from memory m where m.kind = k.name and m.state = 'active') as active
  from kind k order by k.layer, k.system, k.name

-- name: label_scope(axis, id, label, root, remote, now)
-- Remember what an id in a scope column stands for.
insert into scope (axis, id, label, root, remote, created_at) values (:axis, :id, :label, :root, :remote, :now)
on conflict (axis, id) do update set label = excluded.label, root = excluded.root, remote = excluded.remote
where (label, root, remote) is not (excluded.label, excluded.root, excluded.remote)

-- name: by_uid(uid, now, viewer)
-- One memory by its name, in whatever state, if the viewer may see it.
select {memory m} from memory m where m.uid = :uid and {visible m}

-- name: by_key(key, now, viewer)
-- Living memories with a key: the session's own shadows the project's, the project's the shared one; what has expired shadows nothing.
select {memory m} from memory m
 where m.key = :key and m.key <> '' and m.state in ('candidate', 'active') and {visible m}
 order by m.expires_at is not null and m.expires_at <= :now, m.session <> '' desc, m.project <> '' desc, m.user <> '' desc, m.runtime <> '' desc, m.updated_at desc, m.id desc

-- name: by_old_key(key, now, viewer)
-- Memories that had a key when they were removed or archived: a name to bring one back by.
select {memory m} from memory m
 where m.key = :key and m.key <> '' and m.state in ('archived', 'deleted') and {visible m}
 order by m.updated_at desc, m.id desc

-- name: owned_key(key, layer, runtime, user, project, session)
-- The memory that a write to this key would overwrite: same layer, same scope exactly.
select uid, content, state, {decided_on m.uid} as seen, source
  from memory m
 where (m.key, m.layer, m.runtime, m.user, m.project, m.session) = (:key, :layer, :runtime, :user, :project, :session)
   and m.key <> '' and m.state in ('candidate', 'active')

-- name: still_free(key, layer, runtime, user, project, session)
-- Abort the whole write if another memory took this key meanwhile.
update context set holds = not exists (
  select 1 from memory m
   where (m.key, m.layer, m.runtime, m.user, m.project, m.session) = (:key, :layer, :runtime, :user, :project, :session)
     and m.key <> '' and m.state in ('candidate', 'active'))
 where id = 1

-- name: owned_text(content_hash, layer, kind, runtime, user, project, session, path_glob)
-- A living or archived memory of the same scope that says exactly this; a living one first.
select uid, state, {decided_on m.uid} as seen, key
  from memory m indexed by memory_by_content_hash
 where m.content_hash = :content_hash and m.content_hash <> ''
   and (m.layer, m.kind, m.runtime, m.user, m.project, m.session, m.path_glob)
     = (:layer, :kind, :runtime, :user, :project, :session, :path_glob)
   and m.state in ('active', 'candidate', 'archived')
 order by m.state = 'active' desc, m.state = 'candidate' desc, m.id
 limit 1

-- name: last_change(uid)
-- The latest change of a memory: a write that was decided on it checks that it is still the latest.
select {decided_on :uid}

-- name: still(uid, seen)
-- Abort the whole write unless nothing has changed this memory since it was read.
update context set holds = ({decided_on :uid} is :seen) where id = 1

-- name: insert_memory(uid, layer, kind, key, content, tags, terms, runtime, user, project, session, path_glob, priority, source, trust, polarity, state, reinforcement_count, access_count, tokens, token_counter, content_hash, data, created_at, updated_at, reinforced_at, accessed_at, expires_at, archived_at, archive_reason)
-- A new memory, whole.
insert into memory (uid, layer, kind, key, content, tags, terms, runtime, user, project, session, path_glob, priority,
                    source, trust, polarity, state, reinforcement_count, access_count, tokens, token_counter,
                    content_hash, data, created_at, updated_at, reinforced_at, accessed_at, expires_at, archived_at, archive_reason)
values (:uid, :layer, :kind, :key, :content, :tags, :terms, :runtime, :user, :project, :session, :path_glob, :priority,
        :source, :trust, :polarity, :state, :reinforcement_count, :access_count, :tokens, :token_counter,
        :content_hash, :data, :created_at, :updated_at, :reinforced_at, :accessed_at, :expires_at, :archived_at, :archive_reason)

-- name: set_fact(uid, topic, valid_from, valid_to, recorded_at, confidence)
-- What only facts know.
update fact set topic = :topic, valid_from = :valid_from, valid_to = :valid_to, recorded_at = coalesce(:recorded_at, recorded_at), confidence = :confidence
 where memory_id = (select id from memory where uid = :uid)

-- name: set_episode(uid, outcome, happened_at, session_name, turns, form)
-- What only episodes know.
update episode set outcome = :outcome, happened_at = :happened_at, session_name = :session_name, turns = :turns, form = :form
 where memory_id = (select id from memory where uid = :uid)

-- name: set_procedure(uid, context, steps, success_count, failure_count, used_at)
-- What only procedures know.
update procedure set context = :context, steps = :steps, success_count = :success_count,
       failure_count = :failure_count, used_at = :used_at,
       recent_successes = min(:success_count, 5), recent_failures = min(:failure_count, 5)
 where memory_id = (select id from memory where uid = :uid)

-- name: set_steps(uid, context, steps)
-- Another way of doing it: how often it went well so far stays, and no try of it failed lately.
update procedure set recent_failures = case steps when :steps then recent_failures else 0 end,
       failed_because = case steps when :steps then failed_because else '' end, context = :context, steps = :steps where memory_id = (select id from memory where uid = :uid)

-- name: ways(runtime, user, project, session)
-- The procedures of exactly this scope, for who looks whether one was meant or followed.
select m.uid, m.key, m.content, p.context, p.steps, p.used_at
  from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
  join procedure p on p.memory_id = m.id
 where k.layer = 'procedural' and m.key <> '' and p.steps <> '[]'
   and (m.runtime, m.user, m.project) = (:runtime, :user, :project) and :session = :session
 order by m.id desc

-- name: count_outcome(uid, success, failure, reason, now)
-- A procedure was tried.
update procedure set success_count = success_count + :success, failure_count = failure_count + :failure, used_at = :now,
       recent_successes = 0.8 * recent_successes + :success, recent_failures = 0.8 * recent_failures + :failure, failed_because = :reason
 where memory_id = (select id from memory where uid = :uid) returning success_count, failure_count

-- name: rewrite(uid, key, content, tags, terms, priority, source, trust, polarity, tokens, token_counter, content_hash, path_glob, kind, data, expires_at, now)
-- Overwrite what a memory says; its age and its counters stay.
update memory set key = :key, content = :content, tags = :tags, terms = :terms, priority = :priority, source = :source,
       trust = :trust, polarity = :polarity, tokens = :tokens, token_counter = :token_counter,
       content_hash = :content_hash, path_glob = :path_glob, kind = :kind, data = :data, expires_at = :expires_at, updated_at = :now
 where uid = :uid

-- name: move(uid, runtime, user, project, session, now)
-- Give a memory to another owner.
update memory set runtime = :runtime, user = :user, project = :project, session = :session, updated_at = :now
 where uid = :uid

-- name: reinforce(uid, now)
-- Learned again: one more reinforcement, and the decay timer starts anew.
update memory set reinforcement_count = reinforcement_count + 1, reinforced_at = max(reinforced_at, :now)
 where uid = :uid

-- name: recalled(uids, now)
-- An explicit recall returned these: that strengthens them.
update memory set reinforcement_count = reinforcement_count + 1, access_count = access_count + 1,
       accessed_at = max(coalesce(accessed_at, 0), :now)
 where uid in (select value from json_each(:uids))

-- name: set_state(uid, state, reason, now)
-- Archive, remove or bring back; what stands needs no reason.
update memory set state = :state, archived_at = iif(:state = 'archived', :now, null),
                  archive_reason = iif(:state in ('archived', 'deleted'), :reason, ''), updated_at = :now
 where uid = :uid

-- name: list(layer, kind, state, tag, path_glob, since, until, limit, now, viewer)
-- Memories by plain filters, the newest first.
select {memory m} from memory m where {listed m}
 order by m.created_at desc, m.id desc
 limit :limit

-- name: count(layer, kind, state, tag, path_glob, since, until, now, viewer)
-- How many memories pass the same filters.
select count(*) from memory m where {listed m}

-- name: usage(kind, runtime, user, project)
-- How full a kind is within one runtime, user and project.
select count(*), coalesce(sum(length(content)), 0)
  from memory indexed by memory_by_state where state in ('active', 'candidate')
   and (kind, runtime, user, project) = (:kind, :runtime, :user, :project)

-- name: make_room_by_age(kind, runtime, user, project, keep, now)
-- Archive the oldest memories of a kind beyond its cap; the newest is never among them.
update memory set state = 'archived', archived_at = :now, archive_reason = 'capacity', updated_at = :now
 where id in (
   select id from memory indexed by memory_by_state where state in ('active', 'candidate')
      and (kind, runtime, user, project) = (:kind, :runtime, :user, :project)
    order by updated_at desc, id desc limit -1 offset :keep)
returning uid

-- name: make_room_by_strength(kind, runtime, user, project, keep, newest, now)
-- Archive the weakest memories of a kind beyond its cap, but not the one just written.
update memory set state = 'archived', archived_at = :now, archive_reason = 'capacity', updated_at = :now
 where id in (
   select m.id from memory m indexed by memory_by_state left join fading f on f.memory_id = m.id where m.state in ('active', 'candidate')
      and (m.kind, m.runtime, m.user, m.project) = (:kind, :runtime, :user, :project)
    order by m.uid = :newest desc, coalesce(f.fades_at, 9223372036854775807) desc, m.id desc limit -1 offset :keep)
returning uid

-- name: end_session(session, runtime, user, project, now)
-- Session notes vanish with their session.
update memory set state = 'deleted', archived_at = null, archive_reason = 'session ended', updated_at = :now
 where (session, runtime, user, project) = (:session, :runtime, :user, :project) and session <> '' and state <> 'deleted'
returning uid

-- name: count_by_kind(viewer)
-- Counts and tokens by layer, kind and state, for stats.
select m.layer, m.kind, m.state, count(*) as memories, sum(coalesce(m.tokens, 0)) as tokens
  from memory m where {visible m} group by m.layer, m.kind, m.state order by m.layer, m.kind, m.state

-- name: content_of(uid)
-- The bare text, to weigh a replacement against a cap.
select content from memory where uid = :uid

-- name: was_injected(bare, with_end)
-- Whether a whole text is one that cogmem rendered for a turn, with or without its last line feed.
select exists (select 1 from weighing where text_hash <> '' and text_hash in (:bare, :with_end))

-- name: shown_lines(hashes)
-- Which of these lines are memories that one of the latest turns was shown.
select distinct m.content_hash
  from json_each(:hashes) h
  cross join memory m indexed by memory_by_content_hash on m.content_hash = h.value and m.content_hash <> ''
 where exists (select 1 from activation a
                where a.id > (select coalesce(max(id), 0) - 1000 from activation) and instr(a.shown, '"' || m.uid || '"') > 0)

-- name: set_alias(vocabulary, alias, kind)
-- Another word for a kind; a word that had another meaning gets this one.
insert into kind_alias (vocabulary, alias, kind) values (:vocabulary, :alias, :kind)
on conflict (vocabulary, alias) do update set kind = excluded.kind

-- name: describe_settings()
-- Every figure with its meaning.
select name, value, meaning from setting order by name

-- name: scopes()
-- Every scope that owns a memory or has a name, with how many memories are its own.
select axis, id, coalesce(label, '') as label, coalesce(root, '') as root, sum(memories) as memories
  from (
    select 'user' as axis, user as id, count(*) as memories from memory where state <> 'deleted' group by user
    union all
    select 'project', project, count(*) from memory where state <> 'deleted' group by project
    union all
    select 'session', session, count(*) from memory where state <> 'deleted' group by session
    union all
    select 'runtime', runtime, count(*) from memory where state <> 'deleted' group by runtime
    union all
    select axis, id, 0 from scope)
  left join scope using (axis, id)
 where id <> '' group by axis, id order by axis, memories desc, id
