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

-- name: counts()
-- What a person may want to look at first, counted.
select (select count(*) from memory where state = 'active') as active,
       (select count(*) from memory where state = 'archived') as archived,
       (select count(*) from candidate) as candidates,
       (select count(*) from conflict) as contradictions,
       (select count(*) from junk_suspect) as suspects,
       (select count(*) from never_used) as unused,
       (select count(*) from activation) as turns,
       (select count(*) from night_change) as night_changes,
       (select datetime(last_at / 1000, 'unixepoch') from context) as latest

-- name: objects()
-- The DDL of tables and views with its comments, and whether derived/ made them.
select s.name, s.type, s.sql, exists (select 1 from derivation d where (d.type, d.name) = (s.type, s.name)) as is_derived
  from sqlite_schema s where s.type in ('table', 'view') and s.sql is not null

-- name: memory(uid)
-- One memory whole, for its page.
select m.*, round(s.strength, 4) as strength,
       datetime(m.created_at / 1000, 'unixepoch') as created, s.used_at as used,
       datetime(f.fades_at / 1000, 'unixepoch') as fades, t.topic, t.confidence,
       datetime(t.valid_from / 1000, 'unixepoch') as holds_from, datetime(t.valid_to / 1000, 'unixepoch') as holds_to,
       (select n.uid from memory n where n.id = t.superseded_by) as superseded_by,
       e.outcome, datetime(e.happened_at / 1000, 'unixepoch') as happened, p.context, p.steps, p.success_count, p.failure_count
  from memory m join strength s on s.memory_id = m.id
  left join fading f on f.memory_id = m.id
  left join fact t on t.memory_id = m.id
  left join episode e on e.memory_id = m.id
  left join procedure p on p.memory_id = m.id
 where m.uid = :uid

-- name: ties(uid)
-- What bears a memory out, and what it bears out.
select relation, ref, told, conversation, happened_at, 1 as is_outward from evidence where uid = :uid
union all
select relation, uid, content, '', null, 0 from evidence where ref = :uid

-- name: turns_of(uid)
-- The latest turns that considered a memory.
select activated_at, turn, layer, is_shown, why, place, strength, relevance, score, tokens, was_useful
  from turn_item where ref = :uid order by activation_id desc limit 50

-- name: strength_of(uid)
-- A memory's strength as turns saw it, and as it will be.
select tense, days, strength from strength_over_time where uid = :uid order by tense desc, days, valid_at

-- name: history_of(uid)
-- The latest changes of a memory.
select id as change, datetime(changed_at / 1000, 'unixepoch') as changed_at, verb, actor, reason, record, action, before, after, run
  from change where uid = :uid order by id desc limit 50

-- name: turn(turn)
-- One turn, for its page.
select t.*, a.prompt as whole_prompt, a.files from turn_cost t join activation a on a.id = t.activation_id where t.turn = :turn

-- name: items(turn)
-- What one turn considered: what it showed first.
select layer, is_shown, why, place, ref, content, strength, relevance, score, tokens, was_useful
  from turn_item where turn = :turn order by is_shown desc, layer, place, ref
