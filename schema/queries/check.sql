-- Is the file as it must be? Called by cogmem/file/check.py and replay.py. Each statement lists faults, a few at most.

-- name: dangling()
-- Rows that refer to a row that is gone, also where a client left foreign keys off.
select "table" || ' ' || coalesce(rowid, 'None') || ' → ' || "parent" from pragma_foreign_key_check limit 6

-- name: objects()
-- What the file is made of, to compare with a fresh one.
select type, name, sql from sqlite_schema where sql is not null

-- name: without_layer_row()
-- Memories that lack the row of their layer, or have one of another.
select uid from memory m
 where case layer when 'semantic' then not exists (select 1 from fact where memory_id = m.id)
                  when 'episodic' then not exists (select 1 from episode where memory_id = m.id)
                  else not exists (select 1 from procedure where memory_id = m.id) end
union all
select m.uid from fact f join memory m on m.id = f.memory_id where m.layer <> 'semantic'
union all
select m.uid from episode e join memory m on m.id = e.memory_id where m.layer <> 'episodic'
union all
select m.uid from procedure p join memory m on m.id = p.memory_id where m.layer <> 'procedural'
limit 6

-- name: of_another_layer()
-- Memories whose layer is not that of their kind.
select m.uid from memory m join kind k on k.name = m.kind where k.layer <> m.layer limit 6

-- name: keys_twice()
-- Keys that name two living memories of one scope.
select min(uid) from memory where key <> '' and state in ('candidate', 'active')
 group by key, layer, runtime, user, project, session having count(*) > 1 limit 6

-- name: counters()
-- Memories that were recalled at no instant, or counted by nobody.
select uid from memory
 where (access_count > 0 and accessed_at is null) or (tokens is not null and token_counter = '')
 limit 6

-- name: numbers_used_again()
-- Tables that would give a new row a number that history already knows.
select 'memory' where (select max(id) from memory) > coalesce((select max(seq) from sqlite_sequence where name = 'memory'), 0)
union all
select 'message' where (select max(id) from message) > coalesce((select max(seq) from sqlite_sequence where name = 'message'), 0)
union all
select 'link' where (select max(id) from link) > coalesce((select max(seq) from sqlite_sequence where name = 'link'), 0)
union all
select 'change' where (select max(id) from change) > coalesce((select max(seq) from sqlite_sequence where name = 'change'), 0)

-- name: open_context()
-- A transaction that a client named and never closed: what comes later would be recorded as its work.
select coalesce(act, verb, actor, run, undoes) from context
 where coalesce(act, verb, actor, run, undoes, acted_at) is not null

-- name: half_life()
-- Kinds whose half-life is kept otherwise than they and the settings say.
select d.kind from inside_half_life_due d left join half_life h on h.kind = d.kind
 where (h.weight, h.half_life_ms, h.least) is not (d.weight, d.half_life_ms, d.least)
union all
select h.kind from half_life h where not exists (select 1 from kind k where k.name = h.kind)
limit 6

-- name: fading()
-- Memories whose stored instant of fading is not what their strength says.
select m.uid from inside_fading_due d join memory m on m.id = d.memory_id left join fading f on f.memory_id = d.memory_id
 where f.fades_at is not d.fades_at
union all
select coalesce((select uid from memory where id = f.memory_id), 'number ' || f.memory_id) from fading f
 where not exists (select 1 from inside_fading_due d where d.memory_id = f.memory_id)
limit 6

-- name: baseline()
-- Memories that layer A would serve wrongly, or not at all.
select m.uid from inside_baseline_due d join memory m on m.id = d.memory_id left join baseline b on b.memory_id = d.memory_id
 where (b.user, b.project, b.priority, b.fades_at) is not (d.user, d.project, d.priority, d.fades_at)
union all
select coalesce((select uid from memory where id = b.memory_id), 'number ' || b.memory_id) from baseline b
 where not exists (select 1 from inside_baseline_due d where d.memory_id = b.memory_id)
limit 6

-- name: places()
-- Messages whose place in the search index is not as it follows from the record.
select 'place ' || t.place from inside_message_text t left join message_place p on p.place = t.place
 where (p.audience_id, p.said_at, p.tokens, p.asks, p.speaker) is not (t.audience_id, t.said_at, t.tokens, t.asks, t.speaker)
union all
select 'place ' || p.place from message_place p
 where not exists (select 1 from inside_message_text t where t.conversation_id = {conversation_of p.place} and t.seq = {seq_of p.place})
limit 6

-- name: audiences()
-- Audiences and speakers that are counted wrongly.
select 'audience ' || a.id from audience a
  left join (select audience_id, count(*) as messages from message_place group by audience_id) p on p.audience_id = a.id
 where a.messages <> coalesce(p.messages, 0)
union all
select s.name from speaker s
  left join (select audience_id, speaker, count(*) as messages from message_place group by audience_id, speaker collate nocase) p
    on p.audience_id = s.audience_id and p.speaker = s.name collate nocase
 where s.messages <> coalesce(p.messages, 0)
limit 6

-- name: hashes(after, size)
-- The next stretch of memories that have a hash, with what it is of.
select id, uid, content, content_hash from memory where id > :after and content_hash <> '' order by id limit :size

-- name: page(after, size)
-- The next stretch of memories, by number.
select max(id), count(*) from (select id from memory where id > :after order by id limit :size)

-- name: past(after, upto)
-- Everything that history says of a stretch of memories, in the order in which it happened.
select c.record, c.row_key, c.action, c.before, c.after, m.uid
  from memory m cross join change c on c.uid = m.uid
 where m.id > :after and m.id <= :upto and c.record in ('memory', 'fact', 'episode', 'procedure', 'link')
 order by c.id

-- name: vanished()
-- Memories and ties that history saw come and never saw go, and that are not there.
select coalesce(c.uid, c.record || ' ' || c.row_key) from change c
 where c.action = 'insert'
   and case c.record when 'memory' then not exists (select 1 from memory where id = c.row_key)
                     when 'link' then not exists (select 1 from link where id = c.row_key) else 0 end
   and not exists (select 1 from change d where d.uid is c.uid and d.record = c.record
                     and d.row_key = c.row_key and d.id > c.id and d.action = 'delete')
 limit 6

-- name: policy_past()
-- Everything that history says of policy rows.
select record, row_key, action, before, after from change
 where record in ('kind', 'setting', 'capture_rule') order by id

-- name: cursors()
-- Conversations that would number a message twice.
select c.name from conversation c
 where c.next_seq <= (select max(m.seq) from message m where m.conversation_id = c.id) limit 6

-- name: versions()
-- Messages of which not exactly the latest version is the current one.
select 'msg_' || max(m.id) from message m
 group by m.conversation_id, m.seq
having sum(m.is_current) <> 1 or max(m.version) <> max(case m.is_current when 1 then m.version else 0 end)
 limit 6

-- name: lost_archives()
-- Archived messages that no segment holds, and segments that hold another number of them.
select 'msg_' || m.id from message m left join segment s on s.id = m.segment_id
 where m.segment_id is not null
   and (s.id is null or s.conversation_id <> m.conversation_id or m.seq not between s.start_seq and s.end_seq)
union all
select 'segment ' || s.id from segment s
 where s.message_count <> (select count(*) from message m where m.segment_id = s.id)
limit 6

-- name: summaries()
-- Summaries that tell more than was said, or were made from nodes of a wrong depth or conversation.
select s.uid from summary s join conversation c on c.id = s.conversation_id where s.latest_seq >= c.next_seq
union all
select s.uid from summary_source x join summary s on s.id = x.summary_id join summary o on o.id = x.source_id
 where o.depth <> s.depth - 1 or o.conversation_id <> s.conversation_id
limit 6

-- name: sessions()
-- Sessions that were frozen at, or shown, a change that is yet to come.
select name from session
 where max(frozen_change, shown_change) > coalesce((select max(seq) from sqlite_sequence where name = 'change'), 0)
 limit 6

-- name: overspent()
-- Turns that gave more tokens than they were allowed.
select a.turn from activation a
 where a.tokens > a.budget
    or a.budget < (select sum(i.value ->> 2) from json_each({shown a}) i)
 limit 6

-- name: overdone()
-- Job runs that took more than they were allowed.
select uid from job_run where archived_count > allowed_archived or merged_count > allowed_merged limit 6
