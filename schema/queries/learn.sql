-- Decisions of the write path and the life of facts: called by cogmem/learn.

-- name: same_text(content_hash, layer, kind, runtime, user, project, session, path_glob, topic, now)
-- Living or archived memories of the same scope that say this but for case and white space and are still held; living ones first.
select m.uid, m.state, {decided_on m.uid} as seen, m.key, f.topic, m.content
  from memory m indexed by memory_by_content_hash
  left join fact f on f.memory_id = m.id
 where m.content_hash = :content_hash and m.content_hash <> ''
   and (m.layer, m.kind, m.runtime, m.user, m.project, m.session, m.path_glob)
     = (:layer, :kind, :runtime, :user, :project, :session, :path_glob)
   and m.state in ('active', 'candidate', 'archived') and m.archive_reason <> 'merged'
   and (f.memory_id is null
        or {going_on f, :now} and (f.topic in ('', :topic) or :topic = ''))
 order by m.state = 'active' desc, m.state = 'candidate' desc, m.id
 limit 5

-- name: still_new(content, content_hash, layer, kind, runtime, user, project, session, path_glob, topic, now)
-- Abort the whole write if someone stored exactly this text meanwhile.
update context set holds = not exists (
  select 1 from memory m indexed by memory_by_content_hash
   left join fact f on f.memory_id = m.id
   where m.content_hash = :content_hash and m.content_hash <> '' and m.content = :content
     and (m.layer, m.kind, m.runtime, m.user, m.project, m.session, m.path_glob)
       = (:layer, :kind, :runtime, :user, :project, :session, :path_glob)
     and m.state in ('active', 'candidate')
     and (f.memory_id is null
          or {going_on f, :now} and (f.topic in ('', :topic) or :topic = '')))
 where id = 1

-- name: still_room(kind, runtime, user, project, most_rows, most_characters, separator)
-- Abort the whole write if a kind that refuses more has been filled beyond its caps.
update context set holds = (
  select count(*) <= coalesce(:most_rows, count(*))
     and coalesce(sum(length(content)) + :separator * (count(*) - 1), 0) <= coalesce(:most_characters, 9223372036854775807)
    from memory indexed by memory_by_state where state in ('active', 'candidate')
     and (kind, runtime, user, project) = (:kind, :runtime, :user, :project))
 where id = 1

-- name: entries(kind, runtime, user, project)
-- A capped collection of exactly this scope, in the order in which it was filled: what its cap is counted over.
select uid, content from memory indexed by memory_by_state
 where kind = :kind and state = 'active' and (runtime, user, project, session) = (:runtime, :user, :project, '') and path_glob = ''
 order by id

-- name: entries_seen(kind, viewer)
-- What a viewer sees of a collection: of their own scope, and of those that they share.
select uid, content from memory m indexed by memory_by_state
 where m.kind = :kind and m.state = 'active' and m.session = '' and m.path_glob = '' and {visible m}
 order by m.id

-- name: named(kind, key, runtime, user, project)
-- A learned record of exactly this scope.
select uid from memory
 where key = :key and key <> '' and state in ('candidate', 'active') and kind = :kind
   and (runtime, user, project, session) = (:runtime, :user, :project, '')

-- name: common(terms)
-- In how many memories the common stems stand; the others are rare.
select term, documents from common_term where term in (select value from json_each(:terms))

-- name: having(matches, limit)
-- The newest memories that each full-text query finds, as one text of ids.
select (select group_concat(id, ' ') from (
          select rowid as id from memory_fts where memory_fts match j.value order by rowid desc limit :limit))
  from json_each(:matches) j order by j.key

-- name: alike(ids, most, layer, kind, runtime, user, project, session, path_glob, topic, trusted, named, now)
-- The first :most of these memories, in their order, that may be joined with a new text of this kind and scope. What a
-- person named is not rewritten; :named lets it be found by those who only strengthen. How alike two texts must be to be
-- one comes with each.
select m.uid, m.content, m.polarity, p.vector,
       (select value from setting where name = 'merge_threshold'), (select value from setting where name = 'add_threshold')
  from json_each(:ids) j
  cross join memory m on m.id = j.value
  left join fact f on f.memory_id = m.id
  left join projection p on p.memory_id = m.id
 where (m.layer, m.kind, m.runtime, m.user, m.project, m.session, m.path_glob)
     = (:layer, :kind, :runtime, :user, :project, :session, :path_glob)
   and (m.state = 'candidate' or m.state = 'active' and :trusted)
   and (m.key = '' or m.key glob 'auto.*' or :named)
   and {going_on f, :now} and (f.topic in ('', :topic) or :topic = '')
 limit :most

-- name: beside(ids, most, runtime, user, project, session, path_glob, now)
-- Statements of exactly this scope that hold now, or wait and were said by a person, whatever their kind: of these
-- memories, and what is always shown of this person.
select m.uid, m.content, m.key, m.state
  from (select value as id, key as place from json_each(:ids)
        union all
        select * from (select id, 1000 from memory indexed by memory_by_state
                        where kind in (select name from kind where is_pinned = 1) and state = 'active' and user = :user
                          and id not in (select value from json_each(:ids))
                        order by id desc limit 20)) w
  cross join memory m on m.id = w.id
  join fact f on f.memory_id = m.id
 where m.layer = 'semantic' and (m.state = 'active' or m.state = 'candidate' and m.source in ('observed', 'user_explicit'))
   and (m.runtime, m.user, m.project, m.session, m.path_glob) = (:runtime, :user, :project, :session, :path_glob)
   and {going_on f, :now}
 order by w.place, m.id desc
 limit :most

-- name: of_person(user)
-- What is always shown of a person in every project, the newest first.
select m.content, m.kind
  from memory m indexed by memory_by_state
  join fact f on f.memory_id = m.id
 where m.kind in (select name from kind where is_pinned = 1) and m.state = 'active'
   and (m.user, m.project, m.session, m.path_glob) = (:user, '', '', '') and f.valid_to is null
 order by m.id desc
 limit 20

-- name: project(uid, content, vector)
-- Keep the projection of a text beside its memory, so that a comparison need not make it anew.
insert into projection (memory_id, vector) select id, :vector from memory where uid = :uid and content = :content
on conflict (memory_id) do update set vector = excluded.vector

-- name: uncompared(limit)
-- Active statements that nobody has compared with the others yet: they have no projection.
select m.id, m.uid, m.content, m.content_hash, m.terms, m.polarity, m.layer, m.kind, m.runtime, m.user, m.project, m.session, m.path_glob, f.topic,
       {decided_on m.uid} as seen
  from (select m.id from kind k
         cross join memory m indexed by memory_by_state on m.kind = k.name and m.state = 'active'
         where k.layer = 'semantic' and k.is_pinned = 0 and not exists (select 1 from projection p where p.memory_id = m.id)
         order by m.id limit :limit) w
  cross join memory m on m.id = w.id
  join fact f on f.memory_id = m.id
 where m.layer = 'semantic'
 order by m.id

-- name: forget_common()
-- Before the common stems are counted anew.
delete from common_term

-- name: count_common()
-- The common stems, counted now: many comparisons follow, and each asks how rare a word is.
insert into common_term (term, documents) select term, doc from memory_term where doc >= 64

-- name: resembles(one, other, one_seen, other_content)
-- Two memories that say the same in other words: the next deduplication joins them.
insert into resembling (one_id, other_id, one_seen, other_seen)
select a.id, b.id, :one_seen, {decided_on b.uid}
  from memory a, memory b where a.uid = :one and b.uid = :other and b.content = :other_content
on conflict (one_id) do update
   set other_id = excluded.other_id, one_seen = excluded.one_seen, other_seen = excluded.other_seen

-- name: paired()
-- Memories that wait for the next deduplication.
select m.uid from resembling r join memory m on m.id in (r.one_id, r.other_id)

-- name: united(run)
-- What a deduplication joined though it says it in other words.
select w.uid, o.content, o.tags, o.source, o.data
  from change h
  join link l on l.id = cast(h.row_key as integer) and l.relation = 'merged_from'
  join memory w on w.id = l.from_id
  join memory o on o.id = l.to_id
 where h.run = :run and h.record = 'link' and h.action = 'insert'
   and not (w.content_hash = o.content_hash and w.content_hash <> '')
 order by l.id

-- name: set_topic(uid, topic)
-- What a fact is about, told later.
update fact set topic = :topic where memory_id = (select id from memory where uid = :uid)

-- name: set_key(uid, key, now)
-- A name for a memory that had none.
update memory set key = :key, updated_at = :now where uid = :uid

-- name: link(uid, relation, other, now)
-- Tie two memories together, once.
insert into link (from_id, relation, to_id, created_at)
select a.id, :relation, b.id, :now from memory a, memory b where a.uid = :uid and b.uid = :other and a.id <> b.id
   and not exists (select 1 from link l where (l.from_id, l.relation, l.to_id) = (a.id, :relation, b.id))

-- name: held_on_topic(topic, replaces, runtime, user, project, session, path_glob, since)
-- Facts of exactly this scope that hold on a topic at or after an instant, and the one that is to be replaced.
select m.uid, m.state, m.trust, m.source, f.valid_from, f.superseded_by is not null, {decided_on m.uid} as seen
  from (select memory_id from fact where topic = :topic and topic <> ''
        union select id from memory where uid = :replaces) w
  join fact f on f.memory_id = w.memory_id
  join memory m on m.id = f.memory_id
 where {rival m, f}
 order by m.uid

-- name: still_held(topic, replaces, runtime, user, project, session, path_glob, since, uids)
-- Abort the whole write unless the same facts are held on this topic.
update context set holds = :uids = (
  select json_group_array(uid) from (
    select m.uid
      from (select memory_id from fact where topic = :topic and topic <> ''
            union select id from memory where uid = :replaces) w
      join fact f on f.memory_id = w.memory_id
      join memory m on m.id = f.memory_id
     where {rival m, f}
     order by m.uid))
 where id = 1

-- name: fading(until, limit, viewer)
-- What nights would archive up to an instant if nobody uses it, the next one first.
select n.uid, n.content, n.kind, n.fades_at as day
  from fades_next n join memory m on m.id = n.memory_id
 where n.days <= :until and {visible m} limit :limit

-- name: dependants(uid, ids, most, now)
-- What may depend on a fact: of these memories the ones that the same people see. What happened stays as it happened.
select m.uid, m.content || ' ' || coalesce(p.steps, '') as said
  from (select b.* from memory a, memory b
         where a.uid = :uid and b.id <> a.id and b.state in ('active', 'candidate') and b.layer <> 'episodic'
           and b.runtime = a.runtime and b.user = a.user and (b.project = a.project or a.project = '' or b.project = '')
           and b.id in (select value from json_each(:ids))) m
  left join procedure p on p.memory_id = m.id
  left join fact f on f.memory_id = m.id
 where {going_on f, :now}
 order by m.id desc limit :most

-- name: rest(uid, other, about, at)
-- A memory rests on a fact that ends now, as was found: `about` names what is over.
insert into link (from_id, relation, to_id, about, created_at)
select a.id, 'depends_on', b.id, :about, :at from memory a, memory b where a.uid = :uid and b.uid = :other and a.id <> b.id
   and not exists (select 1 from link l where (l.from_id, l.relation, l.to_id) = (a.id, 'depends_on', b.id))

-- name: believe(uid)
-- Somebody confirmed or changed it: it depends no more on what is gone.
delete from link where relation = 'depends_on' and from_id = (select id from memory where uid = :uid)
   and exists (select 1 from fact f where f.memory_id = link.to_id and {gone link, f})

-- name: try_again(uid)
-- Somebody stands by a procedure: that it failed lately counts no more.
update procedure set recent_failures = 0 where memory_id = (select id from memory where uid = :uid) and recent_failures > 0

-- name: failing(viewer, limit)
-- Procedures that keep failing, the latest first.
select m.uid, m.content, {how_it_went p} as why
  from procedure p join memory m on m.id = p.memory_id
 where {keeps_failing p} and m.state = 'active' and {visible m}
 order by p.used_at desc, m.id limit :limit

-- name: doubted(viewer, limit)
-- What is in doubt, the newest doubt first.
select m.uid, m.content, o.uid as ended_uid, iif(f.valid_to is null, l.about, o.content) as ended_content,
       iif(f.valid_to is null, o.content, n.content) as newer_content, coalesce(f.valid_to, f.recorded_at) as ended_at, {doubt m} as why
  from link l indexed by link_by_ground
  join memory m on m.id = l.from_id
  join memory o on o.id = l.to_id
  join fact f on f.memory_id = o.id
  left join memory n on n.id = f.superseded_by
 where l.relation = 'depends_on' and {gone l, f} and m.state in ('active', 'candidate') and {visible m}
 order by l.id desc limit :limit

-- name: close(uid, ends, successor)
-- A fact is over; what took its place is named, or '' when nothing did.
update fact set valid_to = max(coalesce(valid_from, :ends), min(coalesce(valid_to, :ends), :ends)),
       superseded_by = (select id from memory where uid = :successor)
 where memory_id = (select id from memory where uid = :uid)

-- name: never_held(uid, successor)
-- A fact that was wrong from the start: its time ends where it begins, so no instant finds it held.
update fact set valid_to = coalesce(valid_from, 0), superseded_by = (select id from memory where uid = :successor)
 where memory_id = (select id from memory where uid = :uid)

-- name: held(topic, limit, valid_at, known_at, now, viewer)
-- Facts held true at one instant, as they were known at another.
select {memory m} from memory m
 where m.layer = 'semantic' and m.state in ('active', 'archived') and {held_then m}
   and (:topic is null or exists (select 1 from fact f where f.memory_id = m.id and f.topic = :topic))
   and {visible m}
 order by m.created_at desc, m.id desc limit :limit

-- name: conflicts(limit, viewer)
-- Pairs that cannot both hold, the newest first.
select w.reason, w.topic, a.uid as uid, a.content as content, b.uid as other_uid, b.content as other_content,
       a.created_at, b.created_at as other_created_at
  from conflict w
  join memory a on a.id = w.memory_id
  join memory b on b.id = w.other_id
 where {visible a} and {visible b}
 order by max(a.created_at, b.created_at) desc, a.id desc, b.id desc limit :limit

-- name: opposes(uid, other)
-- Whether a memory was found to contradict another one, and nobody has settled it.
select 1 from link l join memory a on a.id = l.from_id join memory b on b.id = l.to_id
 where a.uid = :uid and b.uid = :other and l.relation = 'contradicts'

-- name: settle(uid, other)
-- Two memories were looked at and both hold: what tied them as a contradiction only relates them.
update link set relation = 'related'
 where relation = 'contradicts'
   and ((from_id, to_id) in (select a.id, b.id from memory a, memory b where a.uid = :uid and b.uid = :other)
     or (from_id, to_id) in (select b.id, a.id from memory a, memory b where a.uid = :uid and b.uid = :other))
   and not exists (select 1 from link l where (l.from_id, l.relation, l.to_id) = (link.from_id, 'related', link.to_id))

-- name: clear_topic(uid)
-- A fact that turned out to be about something else.
update fact set topic = '' where memory_id = (select id from memory where uid = :uid)

-- name: take_over(uid, other, polarity)
-- What was counted of a memory counts for the one that took it in.
update memory
   set reinforcement_count = memory.reinforcement_count + lost.reinforcement_count,
       access_count = memory.access_count + lost.access_count,
       reinforced_at = max(memory.reinforced_at, lost.reinforced_at),
       accessed_at = nullif(max(coalesce(memory.accessed_at, 0), coalesce(lost.accessed_at, 0)), 0),
       priority = max(memory.priority, lost.priority),
       polarity = :polarity
  from memory lost where lost.uid = :other and memory.uid = :uid

-- name: take_over_trials(uid, other)
-- So does how often a procedure was tried.
update procedure
   set success_count = procedure.success_count + lost.success_count,
       failure_count = procedure.failure_count + lost.failure_count,
       recent_successes = procedure.recent_successes + lost.recent_successes,
       recent_failures = procedure.recent_failures + lost.recent_failures,
       used_at = nullif(max(coalesce(procedure.used_at, 0), coalesce(lost.used_at, 0)), 0)
  from procedure lost join memory o on o.id = lost.memory_id
 where o.uid = :other and procedure.memory_id = (select id from memory where uid = :uid)

-- name: take_over_evidence(uid, other, now)
-- What bore out the one bears out the other.
insert into link (from_id, relation, to_id, message_id, created_at)
select w.id, l.relation, l.to_id, l.message_id, :now
  from memory w, memory o join link l on l.from_id = o.id
 where w.uid = :uid and o.uid = :other and l.relation in ('evidence', 'derived_from', 'related')
   and l.to_id is not w.id
   and not exists (select 1 from link h where h.from_id = w.id and h.relation = l.relation
                      and h.to_id is l.to_id and h.message_id is l.message_id)
 order by l.id

-- name: known(uids)
-- Which of these names are taken, in whatever state: of many that are to be learned, the others are new.
select m.uid from json_each(:uids) j cross join memory m on m.uid = j.value

-- name: open_act(act, verb, actor, at)
-- Name the transaction; those of one bulk have one name, so that one undo takes all of it back.
update context set act = :act, verb = :verb, actor = :actor, acted_at = :at, last_at = max(last_at, :at) where id = 1

-- name: close_act()
-- The transaction is over.
update context set act = null, verb = null, actor = null, reason = null, run = null, undoes = null, acted_at = null where id = 1

-- name: said_before(matches, user, project, runtime, before, most)
-- What a person said before an instant and has one of these words, the rarest first; in every project where none is named.
-- Of a word that stands in very many messages, the newest conversations alone are weighed.
with holding as materialized (
  select value as place, count(*) over (partition by word) as often
    from (select j.key as word, f.value
            from json_each(:matches) j,
                 json_each((select json_group_array(rowid) from (
                   select rowid from message_fts where message_fts match j.value order by rowid desc limit 2000))) f)),
weighed as materialized (select place, sum(1.0 / often) as worth from holding group by place)
select m.id, m.text, m.said_at
  from weighed w
  join message_place p on p.place = w.place
  join audience a on a.id = p.audience_id
  join message m on m.conversation_id = {conversation_of p.place} and m.seq = {seq_of p.place} and m.is_current = 1
 where p.said_at < :before and p.traits & 1 = 0
   and a.user = :user and a.runtime = :runtime and (a.project = :project or :project = '')
 order by w.worth desc, p.place desc limit :most

-- name: was_held(message, content, content_hash, user)
-- Whether a memory in any state says this, or the message taught one that does.
select 1 from link l join memory m on m.id = l.from_id
 where l.message_id = :message and l.relation = 'evidence' and instr(m.content, :content)
union all
select 1 from memory m where m.content_hash = :content_hash and m.content_hash <> '' and m.user = :user
 limit 1

-- name: number_of(uid)
-- The number by which the index knows a memory.
select id from memory where uid = :uid
