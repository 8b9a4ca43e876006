-- Questions and pages of `cogmem inspect`: called by cogmem/inspect. What begins with ask_ becomes a form of
-- its own: the first sentence of its comment is its heading. These look into all scopes: the file's owner asks.

-- name: ask_1_why_shown(memory)
-- Why was this recalled? Name a memory by its uid or by words of it: the turns that showed it, with its rank and figures.
select activated_at, turn, layer, place, ref, content, strength, relevance, score, tokens, was_useful
  from turn_item
 where is_shown and :memory <> '' and (ref = :memory or content like '%' || :memory || '%')
 order by activation_id desc, layer, place limit 200

-- name: ask_2_why_left_out(memory)
-- Why was this not recalled? The turns that considered a memory and left it out, and what kept it out.
select activated_at, turn, layer, ref, content, why, strength, relevance, score, tokens
  from left_out
 where :memory <> '' and (ref = :memory or content like '%' || :memory || '%')
 order by activation_id desc, layer, place limit 200

-- name: ask_3_last_night(night)
-- What changed last night? Every row that its jobs changed. Name another night as 2027-01-31; empty for the latest.
select changed_at, job, run, uid, content, action, record, became, because, before, after
  from night_change
 where substr(changed_at, 1, 10) = coalesce(nullif(:night, ''), (select max(substr(changed_at, 1, 10)) from night_change))
 order by change_id limit 1000

-- name: ask_4_who_sees(user, project)
-- What does somebody see? All active memories in sight of a user and a project; empty for those of everyone.
select m.uid, m.layer, m.kind, m.content, m.user, m.project, m.session, m.path_glob
  from memory m
 where m.state = 'active' and m.user in ('', :user) and m.project in ('', :project)
 order by m.layer, m.kind, m.id limit 1000

-- name: ask_5_search(words)
-- What is known about …? A search in any form of the words, in memories of every state.
select m.uid, m.layer, m.kind, m.state, m.content, round(-bm25(memory_fts), 2) as fit
  from memory_fts f join memory m on m.id = f.rowid
 where memory_fts match '"' || replace(trim(replace(replace(replace(:words, '"', ' '), '   ', ' '), '  ', ' ')), ' ', '" OR "') || '"'
   and trim(:words) <> ''
 order by bm25(memory_fts), m.id limit 200

-- name: ask_6_believed_on(day)
-- What was believed on a day? As it is known today; the day as 2027-01-31.
select uid, kind, content, topic, coalesce(valid_from, recorded_at) as valid_from, valid_to, superseded_by
  from semantic_memory
 where :day <> '' and coalesce(valid_from, recorded_at) < :day || ' 24' and coalesce(valid_to, '9999') > :day
 order by memory_id limit 1000

-- name: ask_7_history(memory)
-- What happened to a memory? Every change of it, by whom and when, the latest first; by uid.
select id as change, datetime(changed_at / 1000, 'unixepoch') as changed_at, verb, actor, reason, record, action, before, after, run, act
  from change where uid = :memory order by id desc limit 500

-- name: ask_8_fading(day)
-- What will have faded by a day if nobody uses it? The day as 2027-12-31.
select m.uid, m.kind, m.content, datetime(f.fades_at / 1000, 'unixepoch') as fades_at, m.user, m.project
  from fading f join memory m on m.id = f.memory_id
 where :day <> '' and f.fades_at < cast(strftime('%s', :day) as integer) * 1000 + 86400000
 order by f.fades_at, m.id limit 1000

-- name: ask_9_model_cost(month)
-- What did models cost? Calls and tokens by day and purpose. Name a month as 2027-01, or nothing for all.
select day, purpose, model, calls, failed, refused, tokens_in, tokens_out, seconds
  from spend where day like :month || '%' order by day desc, purpose, model

-- name: objects()
-- The DDL of tables and views with its comments, and whether derived/ made them.
select s.name, s.type, s.sql, exists (select 1 from derivation d where (d.type, d.name) = (s.type, s.name)) as is_derived
  from sqlite_schema s where s.type in ('table', 'view') and s.sql is not null

-- name: held()
-- How much is held, counted from an index alone: one row per state and kind.
select h.state, h.kind, k.layer, h.memories
  from (select state, kind, count(*) as memories from memory indexed by memory_by_state group by state, kind) h
  join kind k on k.name = h.kind

-- name: held_of(words, user, project)
-- The same among memories that hold the words, or ('') among those of an owner.
select m.state, m.kind, m.layer, count(*) as memories
  from memory m
 where (:words = '' or m.id in (select rowid from memory_fts where memory_fts match nullif(:words, '')))
   and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 group by m.state, m.kind, m.layer

-- name: spoken(user, project, limit)
-- What the newest memories say, for the map of topics: every owner's where none is named, as the page belongs to the file's.
select m.id, m.content || ' ' || m.terms as text
  from memory m
 where m.state in ('active', 'candidate') and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 order by m.id desc limit :limit

-- name: kinds()
-- The kinds that a person may choose for a memory.
select name from kind where not system order by name

-- name: newest()
-- How far each stream has come: whoever looks asks for what came after.
select coalesce((select max(id) from activation), 0) as turn, coalesce((select max(id) from change), 0) as change,
       coalesce((select max(id) from message), 0) as message, (select last_at from context) as at

-- name: turns_after(turn, limit)
-- Turns that came after one, the latest first, with how much was shown for the prompt beside what always applies.
select id, turn, activated_at as at, session, user, project, substr({prompt_of a}, 1, 300) as prompt, budget, tokens, elapsed_us,
       (select count(*) from json_each({shown a}) i where i.value ->> 1 <> 'A') as shown
  from activation a where id > :turn order by id desc limit :limit

-- name: acts_after(change, limit)
-- Acts and job runs that came after a change, the latest first, among the last thousand changes: what a memory said then is looked up.
select c.id, c.act, c.run, r.job, c.verb, c.actor, c.reason, c.undoes, c.at, c.rows_changed, c.memories, c.uid, m.kind, m.content,
       r.archived_count, r.merged_count, r.promoted_count, r.note
  from (select max(id) as id, max(act) as act, run, verb, actor, max(reason) as reason, max(undoes) as undoes, max(changed_at) as at,
               count(*) as rows_changed, count(distinct uid) as memories, min(uid) as uid
          from change where id > max(:change, (select max(id) from change) - 1000)
         group by coalesce(run, act, 'change ' || id) order by max(id) desc limit :limit) c
  left join memory m on m.uid = c.uid
  left join job_run r on r.uid = c.run
 order by c.id desc

-- name: messages_after(message, limit)
-- Messages that came after one, the latest first.
select g.id, g.said_at as at, g.role, g.speaker, substr(g.text, 1, 300) as text, c.name, c.user, c.project, c.runtime
  from message g join conversation c on c.id = g.conversation_id
 where g.id > :message order by g.id desc limit :limit

-- name: listed(state, layer, kind, user, project, before, limit)
-- Memories by plain filters, the newest first.
select {in_a_page m}, l.label as project_label
  from memory m left join scope l on l.axis = 'project' and l.id = m.project
 where m.id < :before and {asked_of_a_page m}
 order by m.id desc limit :limit

-- name: found(words, state, layer, kind, user, project, before, limit)
-- The same among memories that hold the words, the newest first: the index gives them in that order, whatever their number.
select {in_a_page m}, l.label as project_label
  from memory_fts f cross join memory m on m.id = f.rowid left join scope l on l.axis = 'project' and l.id = m.project
 where memory_fts match :words and f.rowid < :before
   and {asked_of_a_page m}
 order by f.rowid desc limit :limit

-- name: best(words, state, layer, kind, user, project, limit)
-- The same by how well they fit, for words that are not too common.
select {in_a_page m}, l.label as project_label
  from memory_fts f cross join memory m on m.id = f.rowid left join scope l on l.axis = 'project' and l.id = m.project
 where memory_fts match :words
   and {asked_of_a_page m}
 order by f.rank, m.id desc limit :limit

-- name: of_uids(uids, state, layer, kind, user, project)
-- Those of the search that ranks, in no order.
select {in_a_page m}, l.label as project_label
  from json_each(:uids) u join memory m on m.uid = u.value left join scope l on l.axis = 'project' and l.id = m.project
 where {asked_of_a_page m}

-- name: owners()
-- Who owns memories: users, and projects with what a person knows them by. It reads all memories.
select m.user, m.project, coalesce(l.label, '') as label, count(*) as memories
  from memory m left join scope l on l.axis = 'project' and l.id = m.project
 where m.state <> 'deleted' group by m.user, m.project order by memories desc limit 500

-- name: memory(uid)
-- One memory whole, for its page.
select m.*, round(s.strength, 4) as strength, s.used_at as used, f.fades_at, t.topic, t.confidence, t.valid_from, t.valid_to,
       (select n.uid from memory n where n.id = t.superseded_by) as superseded_by,
       e.outcome, e.happened_at, e.session_name, p.context, p.steps, p.success_count, p.failure_count, {ending m, e, p} as ending,
       (select label from scope l where l.axis = 'project' and l.id = m.project) as project_label,
       {decided_on m.uid} as seen
  from memory m join strength s on s.memory_id = m.id
  left join fading f on f.memory_id = m.id
  left join fact t on t.memory_id = m.id
  left join episode e on e.memory_id = m.id
  left join procedure p on p.memory_id = m.id
 where m.uid = :uid

-- name: ties(uid)
-- What supports a memory, and what it supports, each with its own text.
select l.relation, coalesce(o.uid, 'msg_' || l.message_id) as ref, coalesce(o.content, g.text) as text, o.kind, o.state, g.role,
       coalesce(g.said_at, o.created_at) as at, v.name as conversation, v.user, v.project, v.runtime, g.seq, 1 as is_outward
  from memory m
  join link l on l.from_id = m.id
  left join memory o on o.id = l.to_id
  left join message g on g.id = l.message_id
  left join conversation v on v.id = g.conversation_id
 where m.uid = :uid
union all
select l.relation, o.uid, o.content, o.kind, o.state, null, o.created_at, null, null, null, null, null, 0
  from memory m join link l on l.to_id = m.id join memory o on o.id = l.from_id
 where m.uid = :uid
 limit 60

-- name: turns_of(uid)
-- The latest turns that considered a memory, with what was asked.
select a.turn, a.activated_at as at, substr({prompt_of a}, 1, 240) as prompt, t.layer, t.is_shown, t.why, t.place, t.strength, t.relevance,
       t.chance, t.tokens, t.was_useful
  from turn_item t join activation a on a.id = t.activation_id where t.ref = :uid order by t.activation_id desc limit 30

-- name: earned_of(uid)
-- What came of its being shown.
select shown, followed, corrected, at_act from earned where uid = :uid

-- name: earned(limit)
-- What came of the memories that turns showed, what was followed most first.
select uid, content, kind, shown, followed, corrected, at_act from earned limit :limit

-- name: strength_of(uid)
-- A memory's strength as turns saw it, and as it will be.
select tense, days, strength from strength_over_time where uid = :uid order by tense desc, days, valid_at

-- name: history_of(uid)
-- The latest changes of a memory, with whether they were taken back.
select c.id as change, c.act, c.changed_at as at, c.verb, c.actor, c.reason, c.record, c.action, c.before, c.after, c.run, c.undoes,
       exists (select 1 from change u where u.undoes in (c.act, c.run, 'change ' || c.id)
               and not exists (select 1 from change b where b.undoes = u.act)) as is_undone
  from change c where c.uid = :uid order by c.id desc limit 50

-- name: turns(before, session, user, project, limit)
-- Turns, the latest first, with what each layer of them took.
select t.*, a.activated_at as at, json_array_length({shown a}) as shown,
       coalesce((select json_array_length(w.items) from weighing w where w.activation_id = a.id) - json_array_length({shown a}), 0) as left_out
  from activation a join turn_cost t on t.activation_id = a.id
 where a.id in (select id from activation where id < :before and (:session = '' or session = :session)
                   and (:user = '' or user = :user) and (:project = '' or project = :project) order by id desc limit :limit)
 order by a.id desc

-- name: turn(turn)
-- One turn, for its page, with the text that its session was given if the session still has it.
select t.*, {prompt_of a} as whole_prompt, coalesce(w.files, '[]') as files, a.activated_at as at, a.runtime, a.counter,
       (select s.stable from session s where (s.name, s.runtime, s.user, s.project) = (a.session, a.runtime, a.user, a.project)
           and s.stable_hash = w.stable_hash) as stable,
       (select s.last_text from session s where (s.name, s.runtime, s.user, s.project) = (a.session, a.runtime, a.user, a.project)
           and s.last_turn = a.turn) as volatile,
       (select max(b.id) from activation b where b.session = a.session and a.session <> '' and b.id < a.id) is not null as has_earlier
  from turn_cost t join activation a on a.id = t.activation_id left join weighing w on w.activation_id = a.id where t.turn = :turn

-- name: items(turn)
-- What one turn considered: what it showed first.
select layer, is_shown, stage, why, place, ref, content, strength, relevance, score, chance, tokens, was_useful
  from turn_item where turn = :turn order by is_shown desc, layer, place, ref

-- name: sessions(before, user, project, limit)
-- Sessions, the latest first: those of turns and those of the record, one row each.
with latest as (
  select name, runtime, user, project, started_at, ended_at, turn_count from session
   where started_at < :before and (:user = '' or user = :user) and (:project = '' or project = :project)
   order by started_at desc limit :limit),
spoken as (
  select id, name, runtime, user, project, title, created_at, next_seq from conversation
   where created_at < :before and (:user = '' or user = :user) and (:project = '' or project = :project)
   order by id desc limit :limit)
select coalesce(s.name, c.name) as name, coalesce(s.runtime, c.runtime) as runtime, coalesce(s.user, c.user) as user,
       coalesce(s.project, c.project) as project, coalesce(c.title, '') as title, s.turn_count, s.ended_at,
       coalesce(s.started_at, c.created_at) as at, c.next_seq as messages,
       coalesce((select g.text from message g where g.conversation_id = c.id and g.role = 'user' order by g.seq limit 1),
                (select {prompt_of a} from activation a where a.session = s.name and a.session <> '' order by a.activated_at limit 1)) as first_said
  from latest s full join spoken c on (s.name, s.runtime, s.user, s.project) = (c.name, c.runtime, c.user, c.project)
 order by at desc limit :limit

-- name: timeline(project, user, limit)
-- What happened in a project, the newest first, with every owner's where none is named, as this page belongs to the file's.
-- A lane is a kind of memory, `+sessions`, or `+changes`: facts that another one replaced, when it did.
with happened as (
  select '+sessions' as lane, s.started_at as at, '' as uid, s.name, s.runtime, s.user, s.project, '' as content, 0 as is_over
    from session s
  union all
  select m.kind, coalesce(e.happened_at, f.valid_from, m.created_at), m.uid, '', m.runtime, m.user, m.project, m.content,
         f.superseded_by is not null
    from memory m left join episode e on e.memory_id = m.id left join fact f on f.memory_id = m.id
   where m.state <> 'deleted'
  union all
  select '+changes', f.valid_to, m.uid, '', m.runtime, m.user, m.project, m.content, 1
    from fact f join memory m on m.id = f.memory_id
   where f.superseded_by is not null and f.valid_to is not null and m.state <> 'deleted')
select h.*, coalesce(l.label, '') as project_label
  from happened h left join scope l on l.axis = 'project' and l.id = h.project
 where (:project = '' or h.project = :project) and (:user = '' or h.user = :user) and h.at is not null
 order by h.at desc limit :limit

-- name: files(part, user, project, limit)
-- Files of which something is known, those of which most is first: every owner's, as this page belongs to the file's.
with known as (
  select t.path, m.layer = 'semantic' as is_reason, 0 as is_cited, coalesce(e.happened_at, m.created_at) as at
    from touched t join memory m on m.id = t.memory_id left join episode e on e.memory_id = m.id
   where m.state <> 'deleted' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
  union all
  select path_glob, 0, 0, created_at from memory where path_glob <> '' and state <> 'deleted' and (:user = '' or user = :user) and (:project = '' or project = :project)
  union all
  select c.path, 0, 1, c.checked_at from citation c join memory m on m.id = c.memory_id
   where m.state <> 'deleted' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project))
select path, count(*) as told, sum(is_reason) as reasons, sum(is_cited) as cited, max(at) as latest_at
  from known where :part = '' or instr(lower(path), lower(:part)) > 0
 group by path order by count(*) desc, max(at) desc, path limit :limit

-- name: file_story(path, user, project, limit)
-- What is known of one file, the newest first: every owner's, as this page belongs to the file's.
select m.uid, m.kind, m.content, m.state, f.superseded_by is not null as is_amended, '' as place,
       coalesce(e.happened_at, f.valid_from, m.created_at) as at
  from touched t join memory m on m.id = t.memory_id
  left join episode e on e.memory_id = m.id left join fact f on f.memory_id = m.id
 where t.path = :path and m.state <> 'deleted' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
union all
select m.uid, m.kind, m.content, m.state, f.superseded_by is not null, '', coalesce(f.valid_from, m.created_at)
  from memory m left join fact f on f.memory_id = m.id where m.path_glob = :path and m.state <> 'deleted' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
union all
select m.uid, 'citation', m.content, case c.standing when 'holds' then 'active' else c.standing end, 0,
       case when c.symbol <> '' then c.symbol when c.first_line > 0 then 'line ' || c.first_line else '' end, c.checked_at
  from citation c join memory m on m.id = c.memory_id where c.path = :path and m.state <> 'deleted' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 order by at desc, uid limit :limit

-- name: session(name, runtime, user, project)
-- One session: what turns know of it, and what the record does.
select :name as name, :runtime as runtime, :user as user, :project as project, s.turn_count, s.started_at, s.ended_at, s.pinned, s.stable_tokens,
       c.id as conversation_id, c.title, c.next_seq as messages, c.created_at
  from (select 1) one
  left join session s on (s.name, s.runtime, s.user, s.project) = (:name, :runtime, :user, :project)
  left join conversation c on (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project)
 where s.id is not null or c.id is not null

-- name: talk(conversation, before, limit)
-- What was said in a conversation before a place, the latest first.
select 'msg_' || id as ref, id, seq, role, speaker, text, said_at as at, {origin message} as origin, version
  from message where conversation_id = :conversation and seq < :before and is_current = 1 order by seq desc limit :limit

-- name: learned_from(first, last)
-- The memories that messages of a stretch bear out.
select l.message_id, m.uid, m.kind, m.content, m.state
  from link l join memory m on m.id = l.from_id where l.message_id between :first and :last and m.state <> 'deleted'

-- name: turns_between(name, runtime, user, project, since, until)
-- The turns of a session between two instants, to stand in its transcript.
select a.turn, a.activated_at as at, substr({prompt_of a}, 1, 240) as prompt, a.tokens, a.budget,
       (select count(*) from json_each({shown a}) i where i.value ->> 1 <> 'A') as shown
  from activation a
 where a.session = :name and a.session <> '' and (a.runtime, a.user, a.project) = (:runtime, :user, :project)
   and a.activated_at between :since and :until
 order by a.activated_at desc limit 200

-- name: summaries(conversation)
-- The tellings that cover a conversation, in its order.
select uid, depth, content, earliest_seq, latest_seq, method from summary
 where conversation_id = :conversation and is_condensed = 0 and deleted_at is null order by earliest_seq limit 40

-- name: told_of(name)
-- What is remembered of a session by its name, the latest first.
select m.uid, m.content, e.outcome, e.happened_at as at, m.state
  from memory m join episode e on e.memory_id = m.id
 where m.key in ('session:' || :name, 'auto.session.' || :name) and m.state in ('active', 'archived') and e.session_name = :name order by m.id desc limit 5

-- name: nights(before, run, limit)
-- Job runs, the latest first, or one of them, with whether they were taken back.
select r.uid as run, r.job, r.period, r.started_at as at, r.finished_at, r.is_stopped, r.considered_count, r.changed_count,
       r.archived_count, r.merged_count, r.promoted_count, r.note,
       exists (select 1 from change u where u.undoes = r.uid
               and not exists (select 1 from change b where b.undoes = u.act)) as is_undone
  from job_run r where r.started_at < :before and (:run = '' or r.uid = :run) order by r.started_at desc, r.uid limit :limit

-- name: run_changes(run, limit)
-- What a job run did to memories, row by row; the memory says what it is about.
select c.id as change, c.uid, c.action, c.record, c.before, c.after, m.kind, m.content
  from change c left join memory m on m.uid = c.uid
 where c.run = :run and c.undoes is null order by c.id limit :limit

-- name: conflicts(user, project, limit)
-- Pairs that cannot both hold, for the review.
select w.reason, w.topic, a.uid, a.content, a.kind, a.created_at as at, a.source, b.uid as other_uid, b.content as other_content,
       b.kind as other_kind, b.created_at as other_at, b.source as other_source
  from conflict w join memory a on a.id = w.memory_id join memory b on b.id = w.other_id
 where (:user = '' or a.user = :user) and (:project = '' or a.project = :project)
 order by a.id desc limit :limit

-- name: doubted(user, project, limit)
-- What is in doubt, since what it depends on is over.
select m.uid, m.content, {line_of m}, m.kind, m.source, m.created_at as at, {doubt m} as why
  from memory m where m.state in ('active', 'candidate')
   and m.id in (select from_id from link indexed by link_by_ground where relation = 'depends_on') and {in_doubt m}
   and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 order by m.id desc limit :limit

-- name: failing(user, project, limit)
-- Procedures that keep failing.
select m.uid, m.content, {line_of m}, m.kind, m.source, m.created_at as at, {how_it_went p} as why
  from procedure p join memory m on m.id = p.memory_id
 where {keeps_failing p} and m.state = 'active' and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 order by p.used_at desc, m.id limit :limit

-- name: candidates(user, project, limit)
-- What waits for a word, the best first: what was met most often, then the weightiest.
select m.uid, m.content, {line_of m}, m.kind, m.source, m.trust, m.created_at as at, m.user, m.project
  from memory m indexed by memory_by_state
 where state = 'candidate' and (:user = '' or user = :user) and (:project = '' or project = :project)
 order by reinforcement_count desc, priority desc, id limit :limit

-- name: suspects(user, project, limit)
-- What may not be worth keeping, less what somebody said to keep. It reads the whole ledger.
select j.uid, j.kind, j.content, {line_of m}, j.why, j.source, m.created_at as at,
       (select min(d.uid) from duplicate d where d.duplicate_id = m.id) as other_uid
  from junk_suspect j join memory m on m.id = j.memory_id
 where not exists (select 1 from change h where h.uid = m.uid and h.verb in ('keep', 'restore', 'undo'))
   and (:user = '' or m.user = :user) and (:project = '' or m.project = :project)
 order by m.id limit :limit
