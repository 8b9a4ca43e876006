-- The conversation record: called by cogmem/conversation/record.py, archive.py and search.py.

-- name: open(name, runtime, user, project, now)
-- A conversation exists from its first message on.
insert into conversation (name, runtime, user, project, created_at) values (:name, :runtime, :user, :project, :now)
on conflict (name, runtime, user, project) do nothing

-- name: find(name, runtime, user, project)
-- The conversation of exactly this scope.
select id, next_seq, hot_start_seq, ingested_seq, title, created_at
  from conversation where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: entitle(id, title)
-- A title for people; an import brings one.
update conversation set title = :title where id = :id

-- name: append(name, runtime, user, project, ahead, role, speaker, asks, parts, text, terms, tokens, whole_tokens, token_counter, content_hash, origin, at, uid)
-- A message at the next free place, `ahead` counted from it; `advance` moves that place in the same transaction.
insert into message (conversation_id, seq, role, speaker, asks, parts, text, terms, tokens, whole_tokens, token_counter, content_hash, origin, said_at, uid)
select id, next_seq + :ahead, :role, :speaker, :asks, :parts, :text, :terms, :tokens, :whole_tokens, :token_counter, :content_hash, :origin, :at, :uid
  from conversation where (name, runtime, user, project) = (:name, :runtime, :user, :project)
returning seq

-- name: place_of(uid)
-- Where a message of this name stands: one that is sent again is there already.
select c.name, c.runtime, c.user, c.project, m.seq from message m join conversation c on c.id = m.conversation_id where m.uid = :uid

-- name: advance(name, runtime, user, project, count)
-- The places just taken are never given again.
update conversation set next_seq = next_seq + :count
 where (name, runtime, user, project) = (:name, :runtime, :user, :project)

-- name: still(id, next_seq)
-- What was compared with the record is stored only if the record has not grown meanwhile.
update context set holds = (select next_seq = :next_seq from conversation where id = :id)

-- name: retire(id, seq)
-- The version that an edit takes the place of.
update message set is_current = 0 where conversation_id = :id and seq = :seq and is_current = 1

-- name: edit(id, seq, role, speaker, asks, parts, text, terms, tokens, whole_tokens, token_counter, content_hash, origin, at, uid)
-- The next version at a place that was given before.
insert into message (conversation_id, seq, version, is_current, role, speaker, asks, parts, text, terms, tokens, whole_tokens, token_counter, content_hash, origin, said_at, uid)
select :id, :seq, max(version) + 1, 1, :role, :speaker, :asks, :parts, :text, :terms, :tokens, :whole_tokens, :token_counter, :content_hash, :origin, :at, :uid
  from message where conversation_id = :id and seq = :seq
having max(version) is not null
returning version

-- name: mark_stale(id, seq)
-- Summaries that tell an edited message are told anew with the next ingest.
update summary set is_stale = 1
 where conversation_id = :id and deleted_at is null and earliest_seq <= :seq and latest_seq >= :seq

-- name: forget_cached(id, seq)
-- Answers about an edited message are no answers any more; what is appended touches none.
delete from summary_cache where conversation_id = :id and earliest_seq <= :seq and latest_seq >= :seq

-- name: range(id, start, end)
-- Current messages of seq start to end (exclusive), in order; what the host took back is left out.
select m.id, m.seq, m.version, m.role, m.speaker, m.parts, m.text, m.tokens, {origin m}, m.segment_id, m.said_at as at, m.whole_tokens, m.token_counter
  from message m
 where m.conversation_id = :id and m.seq >= :start and m.seq < :end and m.is_current = 1 and m.parts is not '[]'
 order by m.seq

-- name: before(id, end, count)
-- The last current messages before a place, the newest first.
select m.id, m.seq, m.version, m.role, m.speaker, m.parts, m.text, m.tokens, {origin m}, m.segment_id, m.said_at as at, m.whole_tokens, m.token_counter
  from message m
 where m.conversation_id = :id and m.seq < :end and m.is_current = 1 and m.parts is not '[]'
 order by m.seq desc limit :count

-- name: contents(id, limit)
-- What the last current messages hold, the newest first, and nothing about them: for whoever keeps things of their own there.
select m.id, m.parts, m.segment_id, m.text
  from message m
 where m.conversation_id = :id and m.is_current = 1 and m.parts is not '[]'
 order by m.seq desc limit :limit

-- name: versions(id, seq)
-- Everything that ever stood at one place, the first version first.
select m.id, m.seq, m.version, m.role, m.speaker, m.parts, m.text, m.tokens, {origin m}, m.segment_id, m.said_at as at, m.whole_tokens, m.token_counter
  from message m where m.conversation_id = :id and m.seq = :seq order by m.version

-- name: hashes(id)
-- What stands at each place, to find where a list that the host hands over differs.
select m.seq, m.content_hash from message m
 where m.conversation_id = :id and m.is_current = 1 and m.parts is not '[]' order by m.seq

-- name: count_tokens(id, tokens, whole_tokens, token_counter)
-- A count that had to wait, since no tokenizer was at hand when the message came.
update message set tokens = :tokens, whole_tokens = :whole_tokens, token_counter = :token_counter where id = :id

-- name: forget(id)
-- A whole conversation, for good: its messages, archives and summaries go with it.
delete from conversation where id = :id

-- name: list(limit, hearer)
-- Conversations, the latest first.
select c.name, c.title, c.runtime, c.user, c.project, c.next_seq as messages, c.created_at,
       (select max(m.said_at) from message m where m.conversation_id = c.id) as last_at
  from conversation c where {heard c} order by last_at desc, c.id desc limit :limit

-- name: archivable(id, start, count)
-- The oldest places that still hold their messages, to be archived up to the last of them.
select m.seq from message m
 where m.conversation_id = :id and m.seq >= :start and m.is_current = 1 order by m.seq limit :count

-- name: hot_count(id, start)
-- How many messages are not archived yet.
select count(*) from message m where m.conversation_id = :id and m.seq >= :start and m.is_current = 1

-- name: hot(id, start, end)
-- Every version between two places (both included) that still holds its parts.
select m.id, m.seq, m.version, m.role, m.speaker, m.said_at as at, m.parts from message m
 where m.conversation_id = :id and m.seq >= :start and m.seq <= :end and m.parts is not null and m.parts <> '[]'
 order by m.seq, m.version

-- name: add_segment(id, start, end, count, body, now)
-- One archived stretch.
insert into segment (conversation_id, start_seq, end_seq, message_count, body, created_at)
values (:id, :start, :end, :count, :body, :now)

-- name: empty(id, start, end, message_id)
-- The parts of one message version move into the segment just written; everything else stays searchable.
update message set parts = null,
       segment_id = (select s.id from segment s where s.conversation_id = :id and s.start_seq = :start and s.end_seq = :end)
 where id = :message_id and conversation_id = :id

-- name: raise_hot_start(id, seen, hot_start)
-- The archive ends here now, if nobody else archived meanwhile.
update conversation set hot_start_seq = :hot_start where id = :id and hot_start_seq = :seen

-- name: archive_still(id, seen)
-- Two processes never archive the same stretch.
update context set holds = (select hot_start_seq = :seen from conversation where id = :id)

-- name: segments(id, start, end)
-- Archived stretches that touch a range (both ends included).
select s.id, s.start_seq, s.end_seq, s.message_count, s.created_at from segment s
 where s.conversation_id = :id and s.end_seq >= :start and s.start_seq <= :end order by s.start_seq

-- name: segment_body(id)
-- The original messages of one stretch.
select body from segment where id = :id

-- name: insert_triggers()
-- The triggers that index messages one by one.
select name, sql from sqlite_schema
 where type = 'trigger' and tbl_name in ('message', 'message_place') and lower(sql) like '%after insert%' order by name

-- name: hear_many(runtime, user, project)
-- Who hears the messages of a bulk.
insert into audience (user, project, runtime) values (:user, :project, :runtime)
on conflict (user, project, runtime) do nothing

-- name: place_many(name, runtime, user, project, count)
-- The places of the last messages, which came in one bulk.
insert into message_place (place, audience_id, said_at, tokens, asks, rules, speaker, traits)
select t.place, t.audience_id, t.said_at, t.tokens, t.asks, t.rules, t.speaker, t.traits
  from conversation c join inside_message_place_due t on t.conversation_id = c.id and t.seq >= c.next_seq - :count
 where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project) order by t.place

-- name: index_many(name, runtime, user, project, count)
-- Their words, in one statement: the index writes itself out once instead of once per message.
insert into message_fts (rowid, words)
select t.place, t.words
  from conversation c join inside_message_text t on t.conversation_id = c.id and t.seq >= c.next_seq - :count
 where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project) order by t.place

-- name: count_many(name, runtime, user, project, count)
-- How many messages their audience has now.
update audience set messages = messages + (
  select count(*) from conversation c join message_place p
      on p.place >= {place c.id, c.next_seq - :count} and p.place < {place c.id, c.next_seq}
   where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project))
 where (user, project, runtime) = (:user, :project, :runtime)

-- name: forget_empty_audience(user, project, runtime)
-- An audience exists while it has messages with words.
delete from audience where (user, project, runtime) = (:user, :project, :runtime) and messages = 0

-- name: name_many(name, runtime, user, project, count)
-- Who spoke in them; the first spelling of a name stays.
insert into speaker (audience_id, name, messages)
select s.audience_id, s.speaker, s.messages from (
  select p.audience_id, p.speaker, count(*) as messages, min(p.place) from conversation c join message_place p
      on p.place >= {place c.id, c.next_seq - :count} and p.place < {place c.id, c.next_seq}
   where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project) and p.speaker <> ''
   group by p.audience_id, p.speaker collate nocase) s
 where true
on conflict (audience_id, name) do update set messages = messages + excluded.messages

-- name: message(id, hearer)
-- One message whole, if the viewer may hear it.
select 'msg_' || g.id as uid, c.name as conversation, g.seq, g.role, g.speaker, g.text, g.said_at as at
  from message g join conversation c on c.id = g.conversation_id where g.id = :id and {heard c}

-- name: of_summary(uid, hearer)
-- The conversation that a summary belongs to.
select c.name, c.runtime, c.user, c.project
  from summary s join conversation c on c.id = s.conversation_id where s.uid = :uid and {heard c}

-- name: told_of_session(name, viewer)
-- What a session left, the latest first.
select e.session_name as session, m.uid, m.content as summary, e.turns, e.outcome, e.happened_at
  from episode e join memory m on m.id = e.memory_id
 where e.session_name = :name and e.session_name <> '' and m.state in ('active', 'archived') and {visible m}
 order by e.happened_at desc, m.id desc limit 20

-- name: told_of_sessions(viewer)
-- What all sessions left, the latest first.
select e.session_name as session, m.uid, m.content as summary, e.turns, e.outcome, e.happened_at
  from episode e join memory m on m.id = e.memory_id
 where e.session_name <> '' and m.state = 'active' and {visible m}
 order by e.happened_at desc, m.id desc

-- name: untold(name, runtime, user, project)
-- A conversation that was said more of since it left its lines, and how many those are.
select c.id, c.told_seq, c.next_seq,
       (select count(*) from episode e cross join memory m on m.id = e.memory_id join kind k on k.name = m.kind and k.is_line = 1
         where e.session_name = c.name and e.session_name <> '' and (m.runtime, m.user, m.project) = (c.runtime, c.user, c.project))
  from conversation c
 where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project) and c.told_seq < c.next_seq

-- name: told_up_to(id, upto)
-- A conversation has left its lines so far.
update conversation set told_seq = max(told_seq, :upto) where id = :id

-- name: left_open(kind, name, runtime, user, project, now)
-- What other conversations of the latest two months left open in the same place.
select m.uid, m.content, (select coalesce(group_concat(value, char(10)), '') from json_each(m.tags))
  from memory m join episode e on e.memory_id = m.id
 where m.kind = :kind and m.state = 'active' and e.session_name <> :name
   and (m.runtime, m.user, m.project) = (:runtime, :user, :project) and e.happened_at > :now - 60 * 86400000
 order by e.happened_at desc, m.id limit 200

-- name: cures(name, runtime, user, project)
-- What complaints were mended by in the same place.
select m.key, m.content from memory m join kind k on k.name = m.kind and k.is_mend = 1
 where m.state = 'active' and m.key glob 'failure.cure.*'
   and (m.runtime, m.user, m.project) = (:runtime, :user, :project) and :name is not null
 order by m.updated_at desc, m.id desc limit 200

-- name: turns(name, runtime, user, project)
-- How many messages of the user stand in a conversation.
select count(*) from message m join conversation c on c.id = m.conversation_id
 where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project) and m.role = 'user' and m.is_current = 1
