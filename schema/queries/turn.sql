-- One turn: its layers, its session and its ledger; called by cogmem/turn/turn.py and its siblings.

-- name: baseline(of_user, of_project, now, limit, viewer, least, most)
-- Head of one list: everyone's or the user's own, of all projects or of this one. A statement for all four at
-- once costs five times as much as the one that most viewers need. What does not hold is told too: it says with
-- the rest until when the head stays as it is.
select {held_now m, f, :now},
       min(case when m.created_at > :now then m.created_at else 9223372036854775807 end,
           case when m.expires_at > :now then m.expires_at else 9223372036854775807 end,
           case when f.valid_from > :now then f.valid_from else 9223372036854775807 end,
           case when f.valid_to > :now then f.valid_to else 9223372036854775807 end),
       m.uid, m.kind, m.layer, m.key, m.content, m.source, m.priority, m.reinforcement_count, m.tokens, m.token_counter,
       m.reinforced_at, m.accessed_at, m.created_at, json_extract({data m}, '$.said'), json_extract({data m}, '$.since'),
       {ending m, e, p}
  from (select memory_id from baseline where user = :of_user and project = :of_project and priority between :least and :most
         order by priority desc, fades_at desc, memory_id limit :limit) b
  join memory m on m.id = b.memory_id
  left join fact f on f.memory_id = m.id
  left join episode e on m.layer = 'episodic' and e.memory_id = m.id
  left join procedure p on m.layer = 'procedural' and p.memory_id = m.id
 where {visible m}

-- name: is_of_session(session)
-- Whether a session has memories of its own: without one it is told what any other session is told always.
select exists (select 1 from memory where session = :session and session <> '')

-- name: contradicted(refs)
-- Of each two among these, which the turn may show, that cannot both hold and that nobody has settled: the one that
-- gives way, which is the less trusted one, and of equals the older.
select case when b.trust < a.trust or (b.trust = a.trust and b.created_at < a.created_at) then b.uid else a.uid end
  from json_each(:refs) r
  join memory b on b.uid = r.value
  join link l on l.from_id = b.id and l.relation = 'contradicts'
  join memory a on a.id = l.to_id
 where a.uid in (select value from json_each(:refs))

-- name: globs()
-- Every path glob in use, through its index.
select distinct path_glob from memory where path_glob <> ''

-- name: scoped(globs, now, limit, viewer)
-- Memories about the files at hand.
select m.uid, m.kind, m.layer, m.key, m.content, m.source, m.priority, m.reinforcement_count, m.tokens, m.token_counter,
       m.reinforced_at, m.accessed_at, m.created_at, m.path_glob, {ending m, e, p}, p.steps
  from memory m
  left join fact f on f.memory_id = m.id
  left join episode e on e.memory_id = m.id
  left join procedure p on p.memory_id = m.id
 where m.path_glob in (select value from json_each(:globs)) and m.path_glob <> '' and m.state = 'active'
   and {held_now m, f, :now} and {visible m}
 order by m.priority desc, m.reinforced_at desc, m.id
 limit :limit

-- name: touched(paths, now, limit, viewer)
-- What the repository tells of the files at hand: first what changed the most of them that few others changed, as what was
-- done together is changed together; a reason before a commit, and the newest first.
select m.uid, m.kind, m.layer, m.key, m.content, m.source, m.priority, m.reinforcement_count, m.tokens, m.token_counter,
       m.reinforced_at, m.accessed_at, m.created_at
  from (select t.memory_id, sum(1 / (1 + ln(1 + p.many))) * (0.8 + 0.1 * min(2, max(t.weight))) as share
          from (select value as path, (select count(*) from touched c where c.path = value and c.weight > 0) as many
                  from json_each(:paths)) p
         cross join touched t on t.path = p.path and t.weight > 0
         group by t.memory_id order by share desc, t.memory_id desc limit 60) w
  join memory m on m.id = w.memory_id
  left join fact f on f.memory_id = m.id
 where m.state = 'active' and {held_now m, f, :now} and {visible m}
 order by w.share desc, m.layer = 'semantic' desc, m.created_at desc, m.id desc
 limit :limit

-- name: is_anything_said()
-- Whether any message is recorded: without one, a turn does not even load the search among them.
select exists (select 1 from audience)

-- name: session(name, runtime, user, project)
-- The session of exactly this viewer, what its frozen text holds, and the latest change; without the rest where it has
-- had no turn yet.
select coalesce(s.id, 0), coalesce(turn_count, 0), stable, coalesce(stable_hash, ''), coalesce(stable_tokens, 0),
       coalesce((select group_concat(value, ' ') from json_each(case when json_valid(stable_refs) then stable_refs end)), ''), coalesce(shown_change, 0),
       coalesce(pinned, ''), coalesce(last_turn, ''), coalesce(last_text, ''), coalesce(last_tokens, 0), coalesce(document_tokens, 0),
       coalesce(frozen_at, 0), coalesce(frozen_change, 0), (select coalesce(max(id), 0) from change)
  from (select 1) left join session s on (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: froze(turn, at)
-- Whether a turn is of the instant at which the stable text was frozen.
select 1 from activation where turn = :turn and activated_at = :at

-- name: is_told(name, runtime, user, project, since)
-- Whether a session had a turn since its stable text was frozen.
select 1 from weighing w join activation a on a.id = w.activation_id
 where w.session = :name and w.session <> '' and w.activated_at >= :since
   and (a.runtime, a.user, a.project) = (:runtime, :user, :project) limit 1

-- name: lately_shown(name, runtime, user, project, since, turns)
-- What the latest turns of a session were given since its prompt was last made anew, and when. Its index holds named
-- sessions alone and asks to be told so.
select {ref i}, max(t.activated_at)
  from (select activation_id, activated_at from weighing
         where session = :name and session <> '' and activated_at >= :since
         order by activated_at desc, activation_id desc limit :turns) t
  join activation a on a.id = t.activation_id and (a.runtime, a.user, a.project) = (:runtime, :user, :project)
  join json_each({shown a}) i on i.value ->> 1 <> 'A'
 group by 1

-- name: changed_since(shown, frozen)
-- Which of these memories have other words than when they were shown: {ref: instant}. A change without an instant
-- is of an unknown client: better told twice than not at all. They were shown after the freeze: of what changed before
-- it no row need be read.
select j.key from json_each(:shown) j
 where exists (select 1 from change c
                where c.uid = j.key and c.id > :frozen and c.action = 'update' and (c.changed_at is null or c.changed_at > j.value)
                  and json_valid(c.before)
                  and coalesce(c.before ->> '$.content', c.before ->> '$.outcome', c.before ->> '$.steps') is not null)

-- name: open_session(name, runtime, user, project, now)
-- A session begins with its first turn.
insert into session (name, runtime, user, project, started_at) values (:name, :runtime, :user, :project, :now)
on conflict (name, runtime, user, project) do nothing

-- name: freeze(name, runtime, user, project, stable, hash, tokens, beside, refs, latest, refresh, now)
-- Freeze the stable text; whoever froze first wins, unless the host asks for a refresh.
update session set stable = :stable, stable_hash = :hash, stable_tokens = :tokens, document_tokens = :beside, stable_refs = :refs,
       frozen_at = :now, frozen_change = :latest, shown_change = :latest
 where (name, runtime, user, project) = (:name, :runtime, :user, :project) and (stable is null or :refresh)

-- name: thaw(name, runtime, user, project)
-- The host is shortening its prompt: the next turn freezes the stable text anew, and shows it again.
update session set stable = null, frozen_at = null, last_turn = ''
 where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: fold_notes(name, runtime, user, project, hash, now)
-- A freshly frozen text tells what the waiting notes would have told.
update pending_update set shown_at = :now
 where shown_at is null
   and session_id = (select id from session where (name, runtime, user, project) = (:name, :runtime, :user, :project) and stable_hash = :hash)

-- name: advance_session(name, runtime, user, project, turn, text, tokens, shown)
-- One more turn; news up to this change was shown.
update session set turn_count = turn_count + 1, last_turn = :turn, last_text = :text, last_tokens = :tokens, shown_change = max(shown_change, :shown)
 where (name, runtime, user, project) = (:name, :runtime, :user, :project) and last_turn <> :turn

-- name: news(since, talk, limit, viewer)
-- What layer A gained, lost or saw changed since a change, as it stands now, oldest change first; and whether it was
-- said in the session's own talk, which the agent has before it.
select m.uid, m.content, c.latest, b.memory_id is not null, f.superseded_by is not null, m.state,
       exists (select 1 from link l
                 join message g on g.id = l.message_id
                 join conversation o on o.id = g.conversation_id
                where l.from_id = m.id and l.relation = 'evidence' and o.name = :talk)
  from (select uid, max(id) as latest from change
         where id > :since and record in ('memory', 'fact') and uid is not null
         group by uid order by latest limit :limit) c
  join memory m on m.uid = c.uid
  left join baseline b on b.memory_id = m.id
  left join fact f on f.memory_id = m.id
 where {visible m}
 order by c.latest

-- name: notes(id)
-- Notes waiting for a session's next prompt.
select id, note from pending_update where session_id = :id and shown_at is null order by id

-- name: notes_shown(name, runtime, user, project, notes, now)
-- Waiting notes were shown. They are found by what they say: on a cluster their numbers may differ while a turn waits.
update pending_update set shown_at = :now
 where session_id = (select id from session where (name, runtime, user, project) = (:name, :runtime, :user, :project))
   and shown_at is null and note in (select value from json_each(:notes))

-- name: activation(turn, session, runtime, user, project, head, budget, tokens, counter, elapsed_us, shown, now)
-- The ledger row of a turn; a retry finds it there and adds nothing.
insert into activation (turn, session, runtime, user, project, prompt, budget, tokens, counter, elapsed_us, shown, activated_at)
values (:turn, :session, :runtime, :user, :project, :head, :budget, :tokens, :counter, :elapsed_us, :shown, :now)
on conflict (turn) do nothing

-- name: weighing(turn, session, prompt, files, stable_hash, text_hash, weights, chance, items, now)
-- What it weighed, for as long as anybody asks.
insert into weighing (activation_id, session, activated_at, prompt, files, stable_hash, text_hash, weights, chance, items)
select id, :session, :now, :prompt, :files, :stable_hash, :text_hash, :weights, :chance, :items from activation where turn = :turn
on conflict (activation_id) do nothing
