-- The history and its way back: called by cogmem/store/history.py.

-- name: log(uid, act, run, verb, before, since, until, limit, viewer)
-- Transactions, the newest first, with what they touched within the viewer's sight: `content` is what the memory said
-- after it, `was` what it said before if that differs, `changed` the columns that an update set. Of a row of policy
-- `content` is its name, of a setting with its value. What a client left without an instant counts as its neighbours.
select c.id, c.act, c.verb, c.actor, c.reason, c.run, c.undoes, c.at, c.rows_changed, c.memories, c.uid, c.is_undone,
       substr(coalesce(c.said,
                       (select n.before ->> 'content' from change n
                         where n.uid = c.uid and n.id > c.id and n.record = 'memory' and json_valid(n.before)
                           and n.before ->> 'content' is not null
                         order by n.id limit 1),
                       c.was,
                       (select m.content from memory m where m.uid = c.uid)), 1, 200) as content,
       case when c.said is not null then substr(c.was, 1, 200) end as was,
       (select group_concat(distinct k.key) from change x, json_each(x.after) k
         where c.memories = 1 and x.act = c.act and x.uid = c.uid and x.action = 'update' and json_valid(x.after)
           and k.key <> 'updated_at') as changed
  from (
    select max(case when c.uid is null then c.row_key || iif(c.record = 'setting' and json_valid(c.after), ' = ' || (c.after ->> 'value'), '')
                    when c.record = 'memory' and json_valid(c.after) then c.after ->> 'content' end) as said,
           max(case when c.record = 'memory' and json_valid(c.before) then c.before ->> 'content' end) as was,
           max(c.id) as id, c.act, c.verb, c.actor, c.reason, c.run, c.undoes, c.changed_at as at, count(*) as rows_changed,
           count(distinct c.uid) as memories, min(c.uid) as uid,
           exists (select 1 from change u where u.undoes in (c.act, c.run, 'change ' || c.id)
                   and not exists (select 1 from change r where r.undoes = u.act)) as is_undone
      from change c
     where (:uid is null or c.uid = :uid) and (:act is null or c.act = :act) and (:run is null or c.run = :run)
       and (:verb is null or c.verb = :verb) and (:before is null or c.id < :before)
       and (:since is null or c.changed_at >= :since or (c.changed_at is null
         and c.id > coalesce((select max(id) from change where changed_at < :since and origin is null), 0)))
       and (:until is null or c.changed_at < :until or (c.changed_at is null
         and c.id < coalesce((select min(id) from change where changed_at >= :until and origin is null), c.id + 1)))
       and {told c}
     group by coalesce(c.act, 'change ' || c.id)
     order by max(c.id) desc
     limit :limit) c

-- name: of_act(act, viewer)
-- The row changes of one transaction, the latest first: the order in which undo takes them back. With a memory that it
-- brought goes what cogmem itself noted on it since: its instant, and that it was told.
select id, record, row_key, uid, action, before, after, act from change c
 where id in (select id from change where act = :act
              union select d.id from change i join change d on d.uid = i.uid and d.verb in ('date', 'told')
               where i.act = :act and i.action = 'insert')
   and {told c}
 order by id desc

-- name: of_run(run, viewer)
-- The row changes of one job run, the latest first.
select id, record, row_key, uid, action, before, after, act from change c
 where run = :run and {told c} order by id desc

-- name: of_change(id, viewer)
-- One change by its number. A client that sets no context takes away a memory and, by trigger, the row of its
-- layer under two numbers: they come and go together.
select c.id, c.record, c.row_key, c.uid, c.action, c.before, c.after, c.act
  from change t join change c on c.id between t.id - 1 and t.id + 1
 where t.id = :id
   and (c.id = t.id or (c.act is null and t.act is null and c.uid = t.uid and c.action = t.action
     and c.action <> 'update' and c.record <> 'link' and t.record <> 'link'))
   and {told c}
 order by c.id desc

-- name: of_others(changes, runtime, user)
-- How many of these changes are of memories of another user or runtime, or of nobody that can be told. The
-- projects and sessions of one user are not told apart: what was done in them is that user's to take back.
select count(*) from change c
 where c.id in (select value from json_each(:changes)) and c.record not in ('kind', 'setting', 'capture_rule')
   and not exists (select 1 from {owner c} o where o.runtime in ('', :runtime) and o.user in ('', :user))

-- name: is_run(uid)
-- Whether a name is that of a job run, here or in the file that an act came from.
select exists (select 1 from job_run where uid = :uid) or exists (select 1 from change where run = :uid)

-- name: of_memory(uid)
-- A memory's whole life, the oldest change first.
select id, act, verb, actor, reason, run, undoes, changed_at as at, record, action, before, after
  from change where uid = :uid order by id

-- name: latest()
-- The number of the newest change, to tell whether anything happened.
select coalesce(max(id), 0) from change

-- name: still_latest(latest)
-- Abort the whole write if anything was changed since it was decided on.
update context set holds = ((select coalesce(max(id), 0) from change) = :latest) where id = 1

-- name: after(at)
-- Every row change after an instant, the latest first; changes without an instant count as their neighbours, and so
-- does what came from another file, which was not known here before it came.
select id, record, row_key, uid, action, before, after, act from change
 where id > coalesce((select max(id) from change where changed_at <= :at and origin is null), 0) order by id desc

-- name: unsay(at)
-- In a copy that is taken back to an instant: what was said later.
delete from message where said_at > :at

-- name: tied(from_id, relation, to_id, message_id)
-- A tie by what it joins, whatever its number.
select id from link where from_id = :from_id and relation = :relation and to_id is :to_id and message_id is :message_id
