-- Transcripts that were recorded after the fact: called by cogmem/conversation/backfilled.py.

-- name: known()
-- Every transcript that was recorded, and how it was then.
select path, size, file_time from transcript

-- name: note(path, host, name, user, project, size, file_time, messages, began, batch, now)
-- A transcript is recorded whole. One that grew since stays of the call that began it; its messages are counted if its
-- conversation began with it.
insert into transcript (path, host, conversation, user, project, size, file_time, messages, batch, recorded_at)
values (:path, :host, :name, :user, :project, :size, :file_time, iif(:began, :messages, 0), :batch, :now)
on conflict (path) do update set size = excluded.size, file_time = excluded.file_time, recorded_at = excluded.recorded_at,
       messages = transcript.messages + iif(transcript.messages, :messages, 0)

-- name: batches()
-- What each call recorded.
select batch, count(*) as transcripts, sum(messages) as messages, sum(size) as bytes, min(recorded_at) as began_at, max(recorded_at) as ended_at
  from transcript group by batch order by max(recorded_at) desc, batch

-- name: conversations(batch)
-- The conversations that began with one call: how far each is, and how much of it no transcript brought.
select c.id, c.next_seq, c.next_seq - t.brought
  from (select conversation, user, project, sum(messages) as brought from transcript
         group by conversation, user, project having max(batch = :batch and messages > 0)) t
 cross join conversation c on (c.name, c.user, c.project) = (t.conversation, t.user, t.project)
 order by c.id

-- name: proposed(batch)
-- What was learned of them and still waits for a yes.
select m.uid from kind k cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'candidate'
 where {data m} ->> '$.batch' = :batch

-- name: waiting(uids)
-- Those of them that nobody has decided about.
select uid from memory where uid in (select value from json_each(:uids)) and state = 'candidate'

-- name: gainsaid(uids)
-- Those of them that a later one says otherwise.
select m.uid from memory m
 where m.uid in (select value from json_each(:uids))
   and exists (select 1 from link l join memory n on n.id = l.from_id
                where l.to_id = m.id and l.relation = 'contradicts' and n.id > m.id
                  and n.uid in (select value from json_each(:uids)))

-- name: drop(batch)
-- As if it had not been recorded: another call finds it again.
delete from transcript where batch = :batch
