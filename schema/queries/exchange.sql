-- What leaves the file and comes back: called by cogmem/exchange. Reads go in pages of ids.

-- name: scopes(everywhere, runtime, user, project, session)
-- What the ids of the viewer's own scope stand for.
select * from scope s
 where :everywhere or (s.axis, s.id) in (('runtime', :runtime), ('user', :user), ('project', :project), ('session', :session))
 order by s.axis, s.id

-- name: memories(after, limit, viewer)
-- The spine, with the name of what took a fact's place, and what its line has beside the text.
select m.*, (select n.uid from fact f join memory n on n.id = f.superseded_by
              where f.memory_id = m.id and {visible n}) as superseded_by, {ending m, e, p} as ending, p.steps
  from memory m left join episode e on e.memory_id = m.id left join procedure p on p.memory_id = m.id
 where m.id > :after and {visible m} order by m.id limit :limit

-- name: conversations(after, limit, hearer)
-- Conversations and how far they were worked on.
select c.* from conversation c where c.id > :after and {heard c} order by c.id limit :limit

-- name: segments(after, limit, hearer)
-- Archived stretches, with their bytes.
select s.* from segment s join conversation c on c.id = s.conversation_id
 where s.id > :after and {heard c} order by s.id limit :limit

-- name: messages(after, limit, hearer)
-- Every version of every message.
select m.* from message m join conversation c on c.id = m.conversation_id
 where m.id > :after and {heard c} order by m.id limit :limit

-- name: summaries(after, limit, hearer)
-- The nodes of the summary DAG.
select s.* from summary s join conversation c on c.id = s.conversation_id
 where s.id > :after and {heard c} order by s.id limit :limit

-- name: summary_sources(after, upto)
-- What the nodes of a page were made from.
select x.summary_id, o.uid from summary_source x join summary o on o.id = x.source_id
 where x.summary_id > :after and x.summary_id <= :upto order by x.summary_id, o.earliest_seq, o.id

-- name: links(after, limit, viewer)
-- Ties whose two ends the viewer sees, by the names of the memories.
select l.*, a.uid as "from", b.uid as "to"
  from link l join memory a on a.id = l.from_id left join memory b on b.id = l.to_id
  left join message g on g.id = l.message_id left join conversation c on c.id = g.conversation_id
 where l.id > :after and {visible a} and (b.id is null or {visible b}) and (c.id is null or {heard c})
 order by l.id limit :limit

-- name: documents(after, limit, everywhere, project)
-- Documents as last seen.
select d.*, (select uid from memory where id = d.memory_id) as memory
  from document d where d.id > :after and (:everywhere or d.project in ('', :project)) order by d.id limit :limit

-- name: document_sections(after, limit, everywhere, project)
-- Their sections.
select s.* from document_section s join document d on d.id = s.document_id
 where s.id > :after and (:everywhere or d.project in ('', :project)) order by s.id limit :limit

-- name: sessions(after, limit, hearer)
-- Sessions of the viewer.
select s.* from session s where s.id > :after and {heard s} order by s.id limit :limit

-- name: pending_updates(after, limit, hearer)
-- Notes that running sessions are yet to see.
select p.* from pending_update p join session s on s.id = p.session_id
 where p.id > :after and {heard s} order by p.id limit :limit

-- name: receipts(after, limit)
-- Proofs of what was forgotten.
select * from receipt where id > :after order by id limit :limit

-- name: changes(after, limit, viewer)
-- History of what the viewer sees, and of the policy.
select c.* from change c
 where c.id > :after and (:everywhere or c.uid is null or exists (select 1 from memory m where m.uid = c.uid and {visible m}))
 order by c.id limit :limit

-- name: is_empty()
-- Whether nothing was ever kept in this file.
select not exists (select 1 from memory) and not exists (select 1 from conversation) and not exists (select 1 from session)
   and not exists (select 1 from document) and not exists (select 1 from change)

-- name: open_act(act, actor, at)
-- Name the transaction, so that one undo takes the whole import back.
update context set act = :act, verb = 'import', actor = :actor, acted_at = :at, last_at = :at,
       clock = max(clock + 1, :at << 16) where id = 1

-- name: begin_purge()
-- The history of a restored file replaces what the restoring itself left.
update context set verb = 'purge' where id = 1

-- name: purge()
-- Take away the changes that the restoring itself left.
delete from change

-- name: end_purge()
-- Only the restoring may do this.
update context set verb = 'import' where id = 1

-- name: set_successor(uid, successor)
-- Which fact took the place of this one, once both are here.
update fact set superseded_by = (select id from memory where uid = :successor)
 where memory_id = (select id from memory where uid = :uid)
   and superseded_by is not (select id from memory where uid = :successor)

-- name: set_source(summary, source)
-- What a summary was made from, once both are here.
insert into summary_source (summary_id, source_id)
select s.id, o.id from summary s, summary o where s.uid = :summary and o.uid = :source
on conflict do nothing

-- name: known_link(from_id, relation, to_id, message_id)
-- A tie that is here already.
select id from link where from_id = :from_id and relation = :relation
   and coalesce(to_id, 0) = coalesce(:to_id, 0) and coalesce(message_id, 0) = coalesce(:message_id, 0)

-- name: drop_memories(viewer)
-- In a copy for one scope: what it does not see.
delete from memory as m where not {visible m}

-- name: drop_conversations(hearer)
-- In a copy for one scope: talk of others, with all that hangs on it.
delete from conversation as c where not {heard c}

-- name: drop_sessions(hearer)
-- In a copy for one scope: sessions of others.
delete from session as s where not {heard s}

-- name: drop_documents(everywhere, project)
-- In a copy for one scope: files of other projects.
delete from document where not (:everywhere or project in ('', :project))

-- name: drop_activations(hearer)
-- In a copy for one scope: prompts of others, and the whole ledger of an unnamed viewer's turns that show more.
delete from activation as a
 where not {heard a}
    or exists (select 1 from json_each({shown a}) i where {ref i} glob 'mem_*'
                 and not exists (select 1 from memory m where m.uid = {ref i}))
    or exists (select 1 from weighing w, json_each(w.items) i where w.activation_id = a.id and {ref i} glob 'mem_*'
                 and not exists (select 1 from memory m where m.uid = {ref i}))

-- name: drop_scopes(everywhere, runtime, user, project, session)
-- In a copy for one scope: the names of others.
delete from scope
 where not :everywhere
   and (axis, id) not in (('runtime', :runtime), ('user', :user), ('project', :project), ('session', :session))

-- name: drop_vectors()
-- In a copy for one scope: vectors whose text is gone.
delete from embedding
 where not exists (select 1 from memory m where m.content_hash = embedding.content_hash)
   and not exists (select 1 from message m where m.content_hash = embedding.content_hash)

-- name: drop_changes(everywhere)
-- In a copy for one scope: the history of what is not there.
delete from change
 where not :everywhere
   and ((uid is not null and not exists (select 1 from memory m where m.uid = change.uid))
     or (record = 'link' and not exists (select 1 from link l where l.id = change.row_key)))

-- name: drop_arrivals(everywhere)
-- In a copy for one scope: what other files said of what is not there.
delete from arrival where not :everywhere and not exists (select 1 from memory m where m.uid = arrival.subject)

-- name: drop_claims(everywhere)
-- In a copy for one scope: what memories want that are not there.
delete from claim where not :everywhere and not exists (select 1 from memory m where m.uid = claim.subject)

-- name: sheet(after, limit, viewer)
-- Memories as a table for a spreadsheet: one flat row each, instants as UTC text; the first and last columns make its line.
select m.id, m.layer, m.uid, m.kind, m.key, m.content, m.tags, m.runtime, m.user, m.project, m.session, m.path_glob, m.priority,
       m.source, m.trust, m.state, strftime('%Y-%m-%dT%H:%M:%SZ', m.created_at / 1000, 'unixepoch') as created_at,
       f.topic, strftime('%Y-%m-%dT%H:%M:%SZ', f.valid_from / 1000, 'unixepoch') as valid_from,
       strftime('%Y-%m-%dT%H:%M:%SZ', f.valid_to / 1000, 'unixepoch') as valid_to,
       e.outcome, p.context, p.steps, {ending m, e, p} as ending
  from memory m left join fact f on f.memory_id = m.id left join episode e on e.memory_id = m.id
  left join procedure p on p.memory_id = m.id
 where m.id > :after and m.state <> 'deleted' and {visible m} order by m.id limit :limit

-- name: told(after, limit, layer, now, viewer)
-- What holds now of one layer, as its lines are told.
select m.id, m.layer, m.key, m.content, {ending m, e, p} as ending, p.steps
  from memory m left join fact f on f.memory_id = m.id left join episode e on e.memory_id = m.id
  left join procedure p on p.memory_id = m.id
 where m.id > :after and m.layer = :layer and m.state = 'active' and {held_now m, f, :now} and {visible m}
 order by m.id limit :limit

-- name: of_nobody()
-- How much is known of persons without a word on whose it is, and always shown: a doctor says so.
select count(*) from of_nobody o join kind k on k.name = o.kind where k.is_pinned = 1

-- name: unheard()
-- How many messages from before the last night no rule has read: there were more than one night hears.
select count(*) from conversation c join message m on m.conversation_id = c.id and m.seq >= c.captured_seq and m.is_current = 1
 where c.captured_seq < c.next_seq and m.said_at < (select max(started_at) from job_run where job = '10_capture' and finished_at is not null)

-- name: unanswered()
-- What waits for a model since its last attempt failed, or will not be tried again: the latest reason and how many there are.
select error, count(*) over (), state = 'dead' from task
 where error <> '' and state in ('ready', 'claimed', 'dead') order by state = 'dead', created_at desc, uid limit 1
