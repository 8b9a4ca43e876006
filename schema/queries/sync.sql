-- Acts that go to other files and come from them: called by cogmem/sync.

-- name: self()
-- What other files call this one.
select origin from peer where is_self = 1

-- name: name_self(origin)
-- It gets its name when it first meets another, and keeps it.
insert into peer (origin, is_self) select :origin, 1 where not exists (select 1 from peer where is_self = 1)

-- name: rename_self(origin)
-- A copy of a file is another file: it takes a name of its own.
update peer set origin = :origin where is_self = 1

-- name: clock()
-- The hybrid clock, and the instant of the latest transaction.
select clock, last_at from context

-- name: heads()
-- How far the feeds of this file reach.
select coalesce((select max(id) from change), 0) as changes, coalesce((select max(id) from arrival), 0) as arrivals,
       coalesce((select max(id) from receipt), 0) as receipts

-- name: proof(changes, arrivals, receipts)
-- What stands at a place of the feeds: something else says that the file was restored from a copy.
select coalesce((select act from change where id = :changes), '') || coalesce((select ' ' || subject || act from arrival where id = :arrivals), '')
    || coalesce((select ' ' || uid from receipt where id = :receipts), '') as proof

-- name: named(origin)
-- Under which tokens and sights files of a name came.
select origin from peer where origin = :origin or origin glob :origin || ' *'

-- name: peers()
-- Whom this file knows.
select origin, is_self, label, changes, arrivals, receipts, proof, taken, met_at from peer order by origin

-- name: peer(origin)
-- How far the feed of one of them is here.
select changes, arrivals, receipts, proof, taken from peer where origin = :origin

-- name: met(origin, label, changes, arrivals, receipts, proof, taken, now)
-- How far it is here now.
insert into peer (origin, label, changes, arrivals, receipts, proof, taken, met_at)
values (:origin, :label, :changes, :arrivals, :receipts, :proof, :taken, :now)
on conflict (origin) do update set label = case excluded.label when '' then peer.label else excluded.label end,
  changes = excluded.changes, arrivals = excluded.arrivals, receipts = excluded.receipts,
  proof = excluded.proof, taken = excluded.taken, met_at = excluded.met_at

-- name: is_settled()
-- Whether the consequences of all that this file did and forgot by itself are drawn.
select changes = (select coalesce(max(id), 0) from change) and receipts = (select coalesce(max(id), 0) from receipt)
   and arrivals = (select coalesce(max(id), 0) from arrival)
  from peer where is_self = 1

-- name: note_settled()
-- They are drawn up to here.
update peer set changes = (select coalesce(max(id), 0) from change), receipts = (select coalesce(max(id), 0) from receipt),
       arrivals = (select coalesce(max(id), 0) from arrival)
 where is_self = 1

-- name: unsettled(after)
-- What acts of others are about that came after a place, without what another client has just changed.
select distinct subject from arrival a
 where id > :after and not exists (select 1 from change c where c.uid = a.subject and c.act is null)
   and not exists (select 1 from receipt r where r.uid = a.subject)
 order by subject

-- name: settled_upto()
-- Up to which arrival the tables hold what follows.
select arrivals from peer where is_self = 1

-- name: uid_of(id)
-- The name of a memory.
select uid from memory where id = :id

-- name: gone()
-- The names of memories that are gone, by their former numbers.
select row_key, uid from change where record = 'memory' and action = 'delete'

-- name: message(id)
-- What tells a message from all others in every copy of its file: when, where and, as its hash, what was said.
select m.said_at, json_array(c.name, c.created_at, m.seq, m.version, m.content_hash)
  from message m join conversation c on c.id = m.conversation_id where m.id = :id

-- name: messages_at(name)
-- The messages of the instant that a name begins with, likewise.
select m.id, m.said_at, json_array(c.name, c.created_at, m.seq, m.version, m.content_hash)
  from message m join conversation c on c.id = m.conversation_id where m.said_at = cast(substr(:name, 5) as integer)

-- name: changes(after, size)
-- The next own changes of this file.
select id, act, clock, verb, actor, reason, run, undoes, changed_at, record, row_key, uid, action, before, after
  from change
 where id > :after and origin is null and act is not null
   and (uid is not null or record in ('kind', 'setting', 'gate_weight', 'capture_rule'))
 order by id limit :size

-- name: rest_of(act, after, uids, policy)
-- What else an act did to what it had begun with, where it is so large that it goes in parts. By its memories: the
-- rest of the act is not read for each part. `policy`: whether it had begun with a row of policy.
select c.id, c.act, c.clock, c.verb, c.actor, c.reason, c.run, c.undoes, c.changed_at, c.record, c.row_key, c.uid, c.action,
       c.before, c.after
  from json_each(:uids) u join change c on c.uid = u.value and c.id > :after
 where +c.act = :act and c.origin is null
 union all
select id, act, clock, verb, actor, reason, run, undoes, changed_at, record, row_key, uid, action, before, after
  from change
 where :policy and act = :act and id > :after and uid is null and origin is null and record in ('kind', 'setting', 'gate_weight', 'capture_rule')
 order by 1

-- name: begun(act, upto, uids, policy)
-- Which of these an act had begun with in the parts that went before: those went whole.
select distinct c.uid, c.record, c.row_key from json_each(:uids) u join change c on c.uid = u.value and c.id <= :upto
 where +c.act = :act and c.origin is null
union
select uid, record, row_key from change
 where :policy and act = :act and id <= :upto and uid is null and origin is null
   and record in ('kind', 'setting', 'gate_weight', 'capture_rule')

-- name: arrivals(after, size)
-- The next acts that came from others, for a third one.
select id, act, clock, origin, verb, actor, reason, run, undoes, changed_at, subject, changes
  from arrival where id > :after order by id limit :size

-- name: changes_of(uid)
-- What this file's own acts did to a memory.
select act, clock, record, action, before, after from change
 where uid = :uid and origin is null and act is not null order by id

-- name: policy_changes_of(record, key)
-- What this file's own acts did to a row of policy.
select act, clock, record, action, before, after from change
 where uid is null and record = :record and row_key = :key and origin is null and act is not null order by id

-- name: arrivals_of(subject)
-- What acts of others did to it.
select act, clock, changes from arrival where subject = :subject

-- name: act_of_change(id)
-- The act of a change.
select act from change where id = cast(:id as integer)

-- name: is_own(act)
-- Whether an act was made here.
select exists (select 1 from change where act = :act and origin is null)

-- name: has_arrived(subject, act)
-- Whether what an act did to a subject is here.
select exists (select 1 from arrival where subject = :subject and act = :act)

-- name: arrive(act, subject, clock, origin, verb, actor, reason, run, undoes, changed_at, changes)
-- An act of another file, as its writer recorded it.
insert into arrival (act, subject, clock, origin, verb, actor, reason, run, undoes, changed_at, changes)
values (:act, :subject, :clock, :origin, :verb, :actor, :reason, :run, :undoes, :changed_at, :changes)

-- name: enter(act, verb, actor, reason, run, undoes, at, origin, clock)
-- What is written next is done here by an act of another file, and signed as it was there. The clock hears of it.
update context set act = :act, verb = :verb, actor = :actor, reason = :reason, run = :run, undoes = :undoes, acted_at = :at,
       origin = :origin, clock = max(clock, :clock) where id = 1

-- name: wait(uid, now)
-- What a guest of a hub told everybody to do waits for its owner.
update memory set state = 'candidate', updated_at = :now where uid = :uid and state = 'active'

-- name: number(table)
-- The highest number that a table ever gave.
select coalesce((select seq from sqlite_sequence where name = :table), 0)

-- name: former_number(uid)
-- The number that a memory had here before it went.
select cast(row_key as integer) from change where uid = :uid and record = 'memory' order by id desc limit 1

-- name: ties(id)
-- The ties of a memory, by what they lead to.
select l.id, l.relation, m.uid, l.message_id, l.created_at
  from link l left join memory m on m.id = l.to_id where l.from_id = :id

-- name: referring(id)
-- Memories that lead to this one.
select m.uid from link l join memory m on m.id = l.from_id where l.to_id = :id
 union select m.uid from fact f join memory m on m.id = f.memory_id where f.superseded_by = :id

-- name: merged_with(id)
-- Memories that took this one in, and those that it took in.
select m.uid from link l join memory m on m.id = l.from_id where l.to_id = :id and l.relation = 'merged_from'
 union select m.uid from link l join memory m on m.id = l.to_id where l.from_id = :id and l.relation = 'merged_from'

-- name: merged_round()
-- Memories that were merged into one that was merged, and so on, until nobody of them stays.
with recursive held (id) as (
  select l.to_id from link l join memory w on w.id = l.from_id
   where l.relation = 'merged_from' and not (w.state = 'archived' and w.archive_reason = 'merged')
  union
  select l.to_id from link l join held h on h.id = l.from_id where l.relation = 'merged_from')
select distinct m.uid from link l join memory m on m.id = l.to_id
 where l.relation = 'merged_from' and m.state = 'archived' and m.archive_reason = 'merged' and m.id not in (select id from held)

-- name: tie(from_id, relation, to_id, message_id, created_at)
-- A tie between what is here.
insert into link (from_id, relation, to_id, message_id, created_at)
values (:from_id, :relation, :to_id, :message_id, :created_at)

-- name: untie(id)
-- A tie that somebody took away.
delete from link where id = :id

-- name: retie(id, created_at)
-- The same tie, of another instant.
update link set created_at = :created_at where id = :id

-- name: holder(key, layer, runtime, user, project, session)
-- The living memory that has a key.
select uid from memory where (key, layer, runtime, user, project, session) = (:key, :layer, :runtime, :user, :project, :session)
   and key <> '' and state in ('candidate', 'active')

-- name: claimants(wants)
-- Memories that want what they do not have.
select subject from claim where wants = :wants

-- name: claims_of(subject)
-- What a memory wants.
select wants from claim where subject = :subject and wants not glob 'forgotten by *'

-- name: claims()
-- All that is wanted.
select wants, subject from claim where wants not glob 'forgotten by *' order by wants, subject

-- name: waited_for()
-- What came although a guest says that it was forgotten, and whose it is.
select c.wants, c.subject, m.user from claim c join memory m on m.uid = c.subject where c.wants glob 'forgotten by *'

-- name: claim(wants, subject)
-- A memory wants what it does not have.
insert into claim (wants, subject) values (:wants, :subject) on conflict do nothing

-- name: unclaim(wants, subject)
-- It has it, or wants it no longer.
delete from claim where wants = :wants and subject = :subject

-- name: is_of_kind(kind)
-- Whether any memory is of a kind.
select exists (select 1 from memory where kind = :kind)

-- name: forgotten()
-- What was forgotten: it never comes back.
select uid from receipt where uid glob 'mem_*'

-- name: receipts(after, size)
-- Proofs of what was forgotten, for others.
select id, uid, actor, forgotten_at, words from receipt where id > :after order by id limit :size

-- name: texts()
-- All that is told here, to find a word in it of which only the digest is known.
select content || ' ' || terms || ' ' || data || ' ' || tags || ' ' || key from memory
 union all select text from message

-- name: owner(uid)
-- Whose a memory is and of which project: as its row says, or as it was when it went.
select user, project from memory where uid = :uid
 union all select * from (
   select json_extract(before, '$.user'), json_extract(before, '$.project') from change
    where uid = :uid and record = 'memory' and action = 'delete' order by id desc limit 1)
 limit 1

-- name: brought_by(subject)
-- Who brought what came here first of a memory, whatever clock a later one bears; null: it was made here.
select (select actor from arrival where subject = :subject order by id limit 1),
       exists (select 1 from change where uid = :subject and origin is null and record = 'memory' and action = 'insert')

-- name: arrived_since(after)
-- How much came from others after a place.
select count(*) from arrival where id > :after

-- name: private()
-- Projects that never leave this file.
select value from setting where name = 'private_projects'

-- name: waiting()
-- What wants a person after files met: contradictions, memories whose key another one took, texts that were written over unseen.
select (select count(*) from conflict), (select count(*) from claim where wants glob 'key *'), (select count(*) from overwritten)

-- name: overwritten(viewer, limit)
-- Texts that another writer replaced who had not seen them.
select o.uid, o.lost, o.kept, o.lost_by, o.kept_by, o.act
  from overwritten o join memory m on m.uid = o.uid where {visible m} order by o.clock desc limit :limit

-- name: shared(project)
-- Memories that the files of this project's repository said once.
select uid from memory
 where project = :project and state in ('active', 'candidate') and json_extract({data memory}, '$.shared.agreed') is not null order by uid

-- name: is_forgotten(uid)
-- Whether it was forgotten here.
select exists (select 1 from receipt where uid = :uid)

-- name: set_fact(uid, topic, valid_from, valid_to)
-- What the file of a shared memory says of a fact beside its text.
update fact set topic = :topic, valid_from = :valid_from, valid_to = :valid_to,
       superseded_by = case when :valid_to is null then null else superseded_by end
 where memory_id = (select id from memory where uid = :uid)
