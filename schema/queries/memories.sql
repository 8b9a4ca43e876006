-- Candidates for a turn or a search: called by cogmem/search/memories.py.

-- name: size()
-- How many memories there may be: ids are never used twice, so the largest bounds the count.
select coalesce(max(id), 0) from memory

-- name: common(terms)
-- Document frequencies of the stems that are common; the others are rare.
select term, documents from common_term where term in (select value from json_each(:terms))

-- name: having(matches)
-- Ids of all memories that each full-text query finds, as one text: cheaper than rows when there are thousands.
select (select group_concat(rowid, ' ') from memory_fts where memory_fts match j.value) from json_each(:matches) j order by j.key

-- name: newest_having(matches, limit)
-- The newest memories that each full-text query finds, when nothing rarer was asked for.
select (select group_concat(rowid, ' ') from (select rowid from memory_fts where memory_fts match j.value order by rowid desc limit :limit))
  from json_each(:matches) j order by j.key

-- name: by_ids(ids, more, procedures, viewer)
-- What ranking needs to know of candidates, within the viewer's scope: of all `ids`, and of the procedures among
-- `more`, best first. They are few, and facts must not crowd them out.
select m.id, m.uid, m.layer, m.kind, m.key, m.content, m.tags, m.path_glob, m.terms, m.source, m.state,
       m.reinforcement_count, m.tokens, m.token_counter, m.reinforced_at, m.accessed_at, m.created_at, m.expires_at,
       f.superseded_by, f.valid_from, f.valid_to, f.recorded_at, p.steps, {chance p}, {keeps_failing p}
  from memory m
  left join fact f on m.layer = 'semantic' and f.memory_id = m.id
  left join procedure p on m.layer = 'procedural' and p.memory_id = m.id
 where m.id in (
       select value from json_each(:ids)
       union all
       select * from (select w.memory_id from json_each(:more) j cross join procedure w on w.memory_id = j.value limit :procedures))
   and {visible m}

-- name: endings(ids)
-- What ends the lines of those that may be told. To prepare it takes longer than to find them, and mostly none is told.
select m.id, {ending m, e, p}
  from json_each(:ids) j
 cross join memory m on m.id = j.value
  left join episode e on m.layer = 'episodic' and e.memory_id = m.id
  left join procedure p on m.layer = 'procedural' and p.memory_id = m.id

-- name: apart(doubtful, ids)
-- What hangs on more than words: the keys of doubtful memories that have one, and null for a note among the others,
-- which is weighed by figures of its own. It tells nothing of a memory, so it asks for no viewer.
select m.key from json_each(:doubtful) j cross join memory m on m.id = j.value where m.key <> ''
union all
select null from json_each(:ids) j cross join memory m on m.id = j.value
 where m.source = 'inferred' and {data m} ->> '$.noted' is not null

-- name: is_any_noted()
-- Whether there is any note of a model, wherever it came from.
select exists (select 1 from memory m where m.source = 'inferred' and {data m} ->> '$.noted' is not null)

-- name: before(ids, limit)
-- What some facts took the place of, however many times: the id of each, and of the one that was found. Some know of
-- their predecessor only by this chain: "I moved to Lisbon" shares no word with "I live in Berlin".
with recursive old (id, found) as (
  select f.memory_id, j.value from json_each(:ids) j cross join fact f on f.superseded_by = j.value
  union
  select f.memory_id, o.found from old o cross join fact f on f.superseded_by = o.id)
select id, min(found) from old group by id order by id desc limit :limit

-- name: newest(limit, viewer)
-- The newest memories in sight: in a small space all are compared in meaning, not only those found by words.
select m.id from memory m
 where m.id > (select max(id) from memory) - :limit and m.state <> 'deleted' and {visible m}

-- name: like_terms(beginnings, shortest, longest, limit)
-- Words of the index that begin in one of these ways: where a search that found nothing looks for its neighbours.
select t.term from json_each(:beginnings) b cross join memory_term t
 where t.term >= b.value and t.term < b.value || char(1114111) and length(t.term) between :shortest and :longest limit :limit

-- name: known_terms(terms)
-- Which of these words the index has: what one that it lacks may be made of.
select t.term from json_each(:terms) j cross join memory_term t where t.term = j.value
