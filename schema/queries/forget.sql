-- Removing for good: called by cogmem/store/forget.py. Everything here runs under the verb 'forget', which opens the guards.

-- name: closure(uids)
-- Memories that go together: what was merged, what was derived, and the same words of the same owner.
with recursive gone (id) as (
  select id from memory where uid in (select value from json_each(:uids))
  union
  select l.to_id from gone g join link l on l.from_id = g.id where l.relation = 'merged_from' and l.to_id is not null
  union
  select l.from_id from gone g join link l on l.to_id = g.id where l.relation in ('merged_from', 'derived_from')
  union
  select b.id from gone g join memory a on a.id = g.id
    join memory b on b.content_hash = a.content_hash and b.content_hash <> '' and (b.runtime, b.user) = (a.runtime, a.user))
select m.id, m.uid, m.content, m.data, m.content_hash from gone g join memory m on m.id = g.id order by m.id

-- name: elsewhere()
-- Whom this file exchanged acts with: they hear of it when they are met again.
select distinct coalesce(nullif(label, ''), origin) from peer where not is_self order by 1

-- name: past_contents(uids)
-- Every text that these memories ever held.
select distinct value from (
  select json_extract(before, '$.content') as value from change where uid in (select value from json_each(:uids)) and record = 'memory'
  union select json_extract(after, '$.content') from change where uid in (select value from json_each(:uids)) and record = 'memory')
 where value is not null

-- name: telling(phrases, uids, viewer)
-- Other memories in sight that hold one of these phrases anywhere: told by cogmem or an agent (is_told), or said by somebody.
select m.uid, m.layer = 'episodic' and m.source <> 'user_explicit' as is_told
  from memory m left join fact f on f.memory_id = m.id left join episode e on e.memory_id = m.id
  left join procedure o on o.memory_id = m.id
 where m.uid not in (select value from json_each(:uids)) and {visible m}
   and {holds m.content || ' ' || m.terms || ' ' || m.data || ' ' || m.key || ' ' || m.tags || ' ' || m.path_glob || ' ' || m.archive_reason
     || ' ' || coalesce(f.topic, '') || ' ' || coalesce(e.outcome, '') || ' ' || coalesce(e.session_name, '') || ' ' || coalesce(o.context, '') || ' ' || coalesce(o.steps, '')}
 order by m.uid

-- name: holding(phrases, viewer)
-- Memories within the viewer's sight that hold a word which must be gone.
select m.uid from memory m
 where {holds m.content || ' ' || m.terms || ' ' || m.data || ' ' || m.tags || ' ' || m.key} and {visible m}
 order by m.uid

-- name: predecessors(uids)
-- Facts whose place these memories took: they say something else on the same subject.
select m.uid from fact f join memory n on n.id = f.superseded_by join memory m on m.id = f.memory_id
 where n.uid in (select value from json_each(:uids)) and m.uid not in (select value from json_each(:uids)) order by m.uid

-- name: left_by(ids)
-- Lines and cures of conversations that only these messages bear out.
select distinct m.uid from json_each(:ids) j
 cross join link l on l.message_id = j.value and l.relation = 'evidence'
  join memory m on m.id = l.from_id
  join kind k on k.name = m.kind and (k.is_line = 1 or m.key glob 'failure.cure.*')
 where not exists (select 1 from link o join message g on g.id = o.message_id and g.text <> '[forgotten]'
                    where o.from_id = m.id and o.relation = 'evidence' and g.id not in (select value from json_each(:ids)))
 order by m.uid

-- name: of_user(user)
-- All memories that are a user's own, in whatever project and state.
select uid from memory where user = :user order by uid

-- name: messages_of_user(user)
-- All that was said in a user's conversations.
select g.id from conversation c join message g on g.conversation_id = c.id where c.user = :user order by g.id

-- name: delete_user_tasks(user)
-- Work that waits for a model, on a user's conversations.
delete from task
 where exists (select 1 from conversation c where c.user = :user
                and c.name in (task.payload ->> '$.session', task.payload ->> '$.conversation'))

-- name: evidence(uids)
-- Messages that bear these memories out.
select distinct l.message_id from link l join memory m on m.id = l.from_id
 where m.uid in (select value from json_each(:uids)) and l.message_id is not null

-- name: saying(phrases, hearer)
-- Messages that the viewer may hear, in any version, that hold one of these phrases; archived ones by the text that was left.
select g.id from message g join conversation c on c.id = g.conversation_id
 where {heard c} and {holds g.text || ' ' || coalesce(g.parts, '')}

-- name: message_places(ids)
-- Where these messages stand, with all versions of their places.
select distinct o.id, o.conversation_id, o.seq, o.segment_id, o.text
  from message g join message o on (o.conversation_id, o.seq) = (g.conversation_id, g.seq)
 where g.id in (select value from json_each(:ids)) order by o.id

-- name: message_heard(id, hearer)
-- A message, if the viewer may hear it.
select g.id from message g join conversation c on c.id = g.conversation_id where g.id = :id and {heard c}

-- name: blank_message(id, parts)
-- The place stays, so that nothing is renumbered; the words go. The hash stays, so that a host that sends its whole
-- list again does not bring them back.
update message set text = '[forgotten]', terms = '', tokens = null, whole_tokens = null, token_counter = '', asks = 0,
       parts = case when segment_id is null then :parts end
 where id = :id

-- name: rewrite_segment(id, body)
-- The same stretch without the forgotten words.
update segment set body = :body where id = :id

-- name: blank_summaries(conversation, seq, phrases, hearer)
-- Tellings that cover a forgotten message or hold the words: expanding them still leads to what is left.
update summary set content = '[forgotten]', expand_hint = ''
 where conversation_id = :conversation and earliest_seq <= :seq and latest_seq >= :seq
    or conversation_id in (select c.id from conversation c where {heard c}) and {holds content || ' ' || expand_hint}

-- name: drop_cached_summaries(conversation, seq, phrases, hearer)
-- Answers kept for the same stretches.
delete from summary_cache
 where conversation_id = :conversation and earliest_seq <= :seq and latest_seq >= :seq
    or conversation_id in (select c.id from conversation c where {heard c}) and {holds content}

-- name: delete_memories(uids)
-- The rows, and by triggers those of their layers, their links, their words in the index and their projections.
delete from memory where uid in (select value from json_each(:uids))

-- name: delete_vectors(hashes)
-- Vectors of texts that nobody else holds.
delete from embedding where content_hash in (select value from json_each(:hashes))
   and not exists (select 1 from memory m where m.content_hash = embedding.content_hash)
   and not exists (select 1 from message g where g.content_hash = embedding.content_hash)

-- name: delete_history(uids)
-- Their whole past, with what this very act has just added to it.
delete from change where uid in (select value from json_each(:uids))

-- name: delete_arrivals(uids)
-- What acts of other files said of them.
delete from arrival where subject in (select value from json_each(:uids))

-- name: drop_claims(uids)
-- What they wanted and could not have, and who waits for them: they never come.
delete from claim where subject in (select value from json_each(:uids)) or wants in (select value from json_each(:uids))

-- name: arrived(phrases, kept)
-- Acts of other files on other memories that hold the words.
select id, changes from arrival
 where {holds changes}
   and subject not in (select value from json_each(:kept))

-- name: blank_arrival(id, changes)
-- One of them without the words.
update arrival set changes = :changes where id = :id

-- name: past(phrases, kept, viewer)
-- Changes of other memories in sight whose past may hold the words, and which hold them no longer.
select id, before, after, reason from change
 where {holds coalesce(before, '') || ' ' || coalesce(after, '') || ' ' || reason}
   and coalesce(uid, '') not in (select value from json_each(:kept)) and {told change}

-- name: blank_change(id, before, after, reason)
-- One of them without the words.
update change set before = :before, after = :after, reason = :reason where id = :id

-- name: in_sight(viewer)
-- How much there is that the viewer could forget: the measure for a share of it.
select (select count(*) from memory m where {visible m}),
       (select count(*) from message g join conversation c on c.id = g.conversation_id where {heard c})

-- name: blank_prompts(phrases, hearer)
-- Prompts of the viewer's turns that begin with the words, or go on with them.
update activation set prompt = '[forgotten]'
 where {heard activation}
   and {holds prompt || ' ' || coalesce((select w.prompt from weighing w where w.activation_id = activation.id), '')}

-- name: blank_weighings(phrases, hearer)
-- What such turns kept of their prompts, and the files that were at hand with the words.
update weighing set prompt = case when {holds prompt}
                             then '' else prompt end,
       files = case when {holds files}
               then '[]' else files end, text_hash = ''
 where {holds prompt || ' ' || files}
   and activation_id in (select id from activation where {heard activation})

-- name: delete_shown(refs)
-- What the ledger says of them: that they were shown …
update activation
   set shown = (select json_group_array(json(i.value)) from json_each(activation.shown) i
                 where {ref i} not in (select value from json_each(:refs)))
 where exists (select 1 from json_each(:refs) r where instr(shown, '"' || r.value || '"') > 0)

-- name: delete_weighed(refs)
-- … and what was weighed of them.
update weighing
   set items = (select json_group_array(json(i.value)) from json_each(weighing.items) i
                 where {ref i} not in (select value from json_each(:refs)))
 where exists (select 1 from json_each(:refs) r where instr(items, '"' || r.value || '"') > 0)

-- name: delete_left_out(refs)
-- How often turns left them out, long ago.
delete from left_out_before where ref in (select value from json_each(:refs))

-- name: thaw_sessions(uids, phrases, hearer)
-- Frozen texts that hold them are frozen anew at the next turn, and a retry of the last turn chooses again.
update session set stable = null, stable_hash = '', stable_tokens = 0, stable_refs = '[]', frozen_at = null,
       last_turn = '', last_text = '', last_tokens = 0
 where exists (select 1 from json_each(case when json_valid(stable_refs) then stable_refs else '[]' end) r join json_each(:uids) u on u.value = r.value)
    or {heard session} and {holds coalesce(stable, '') || ' ' || last_text}

-- name: blank_pins(phrases, hearer)
-- Pinned texts that hold the words.
update session set pinned = ''
 where {heard session} and {holds pinned}

-- name: blank_buffers(phrases, hearer)
-- Buffer lines that hold the words.
update session set buffer = (
  select json_group_array(value) from (
    select b.value from json_each(case when json_valid(session.buffer) then session.buffer else '[]' end) b
     where not {holds b.value}
     order by b.key))
 where {heard session} and exists (select 1 from json_each(case when json_valid(session.buffer) then session.buffer else '[]' end) b, json_each(:phrases) p where instr(lower(b.value), lower(p.value)))

-- name: threads(phrases, hearer)
-- The threads of a program's graphs in which the words stand, as far as its serialiser writes words as they are. Without
-- a value a graph cannot go on, so a thread goes whole.
select distinct thread, runtime, user, project from (
  select c.thread, c.runtime, c.user, c.project, cast(c.state as text) || ' ' || c.about as told
    from checkpoint c where {heard c}
   union all
  select v.thread, v.runtime, v.user, v.project, cast(v.value as text) from checkpoint_value v where {heard v}
   union all
  select w.thread, w.runtime, w.user, w.project, cast(w.value as text) from checkpoint_write w where {heard w})
 where {holds told}

-- name: delete_notes(phrases, hearer)
-- Notes for running sessions of the viewer.
delete from pending_update
 where session_id in (select s.id from session s where {heard s}) and {holds note}

-- name: delete_tasks(phrases, uids)
-- Work that waits for a model, or its answers.
delete from task
 where {holds payload || ' ' || coalesce(result, '') || ' ' || subject}
    or exists (select 1 from json_each(:uids) u where instr(payload || ' ' || coalesce(result, '') || ' ' || subject, u.value))

-- name: mirrored(uids, phrases, everywhere, project)
-- Files on disk that mirror them or hold the words: a person owns those.
select d.path from document d left join memory m on m.id = d.memory_id
 where m.uid in (select value from json_each(:uids))
    or (:everywhere or d.project in ('', :project)) and {holds d.body}
 order by d.path

-- name: delete_documents(uids, phrases, everywhere, project)
-- What was read of those files. A file that still says it is read again.
delete from document where id in (
  select d.id from document d left join memory m on m.id = d.memory_id
   where m.uid in (select value from json_each(:uids))
      or (:everywhere or d.project in ('', :project)) and {holds d.body})

-- name: receipt(uid, removed, actor, reason, now, words, sight)
-- Proof of what went, without a word of it.
insert into receipt (uid, removed, actor, reason, forgotten_at, words, sight)
values (:uid, :removed, :actor, :reason, :now, :words, :sight)

-- name: unscrubbed()
-- Receipts whose free pages were not wiped yet: a process that was killed, or another one that was reading.
select id from receipt where json_extract(removed, '$.scrubbed') is null

-- name: scrubbed(now)
-- The pages behind all receipts so far are wiped.
update receipt set removed = json_set(removed, '$.scrubbed', :now) where json_extract(removed, '$.scrubbed') is null

-- name: is_in_copies()
-- Whether something was forgotten that backups may still hold.
select exists (select 1 from receipt where json_extract(removed, '$.copies') is null)

-- name: gone_from_copies(now)
-- The backups of this file hold nothing any more of what all receipts so far say.
update receipt set removed = json_set(removed, '$.copies', :now) where json_extract(removed, '$.copies') is null

-- name: to_follow()
-- All that was forgotten, to be forgotten in backups too.
select uid, actor, reason, forgotten_at, words, sight from receipt order by id

-- name: alive(uids)
-- Which of these memories stand here.
select uid from memory where uid in (select value from json_each(:uids)) and state <> 'deleted'

-- name: receipts(limit)
-- What was forgotten, the latest first.
select uid, removed, actor, reason, forgotten_at as at from receipt order by id desc limit :limit

-- name: text_columns()
-- Every column that holds text, but the history and what is made anew from it: what it says of a word is told as a whole.
select s.name, x.name from sqlite_schema s join pragma_table_xinfo(s.name) x
 where s.type = 'table' and x.type = 'TEXT' and s.name not in ('change', 'derivation', 'sqlite_stat1', 'sqlite_stat4')
   and s.sql not like 'create virtual%' and s.name not glob '*_data' and s.name not glob '*_idx' and s.name not glob '*_docsize'
   and s.name not glob '*_config' and s.name not glob '*_content'
 order by 1, 2
