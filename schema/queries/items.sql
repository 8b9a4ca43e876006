-- Items of an agent's own program: called by cogmem/store/items.py. A key is namespace.joined.by.dots/key-of-the-item,
-- so that what lies below a namespace is one range of the index, which covers candidates too: a stranger's item is not
-- served before somebody confirmed it.

-- name: at(keys, kind, runtime, user, project, session, now)
-- Items by their keys. They belong to exactly one scope: what others share is not theirs to overwrite, so no viewer.
select m.uid, m.key, m.data, m.content_hash, m.created_at, m.updated_at, m.expires_at
  from json_each(:keys) j
 cross join memory m indexed by memory_by_key on m.key = j.value and m.key <> '' and m.layer = 'semantic'
 where {item m}

-- name: below(low, high, path, wanted, equal, kind, runtime, user, project, session, now, limit)
-- Items below a namespace, the latest first; of exactly one scope, as above. What stands at `path` must be
-- `wanted`, and `equal` holds further fields as [path, value]. The caller gets fewer rows and still checks them,
-- since SQL says that true is 1. What an item holds is read only from the rows that are wanted.
select m.uid, m.key, m.data, m.content_hash, m.created_at, m.updated_at, m.expires_at
  from (select b.id, b.updated_at
          from memory b indexed by memory_by_key
         where b.key >= :low and b.key < :high and b.key <> '' and b.layer = 'semantic'
           and {item b}
           and (:path is null or (select case when json_valid(v) then json_extract(v, :path) is :wanted else 1 end
                                    from (select b.data ->> 'value' as v)))
           and (:equal = '[]' or not exists (
             select 1 from json_each(:equal) e
              where json_valid(b.data ->> 'value') and json_extract(b.data ->> 'value', e.value ->> 0) is not e.value ->> 1))
         order by b.updated_at desc, b.id desc limit :limit) found
 cross join memory m on m.id = found.id
 order by found.updated_at desc, m.id desc

-- name: by_words(match, low, high, kind, runtime, user, project, session, now, limit)
-- Items below a namespace that share words with a query, the best first; of exactly one scope, as above.
select m.uid, m.key, m.data, m.content_hash, m.created_at, m.updated_at, m.expires_at, -bm25(memory_fts) as score
  from memory_fts f join memory m on m.id = f.rowid
 where memory_fts match :match and m.key >= :low and m.key < :high and m.key <> '' and m.layer = 'semantic'
   and {item m}
 order by bm25(memory_fts), m.id desc limit :limit

-- name: namespaces(low, high, kind, runtime, user, project, session, now)
-- Which namespaces hold items; of exactly one scope, as above.
select distinct substr(m.key, 1, instr(m.key, '/') - 1)
  from memory m indexed by memory_by_key
 where m.key >= :low and m.key < :high and m.key <> '' and m.layer = 'semantic' and instr(m.key, '/') > 1
   and {item m}

-- name: refresh(uid, expires_at)
-- An item with a time to live was read: its end moves away.
update memory set expires_at = :expires_at where uid = :uid and expires_at is not null and expires_at < :expires_at

-- name: remove(keys, kind, runtime, user, project, session, now)
-- Take items out; undo brings them back.
update memory indexed by memory_by_key set state = 'deleted', archived_at = null, archive_reason = 'deleted by the agent', updated_at = :now
 where key in (select value from json_each(:keys)) and key <> '' and layer = 'semantic'
   and (runtime, user, project, session) = (:runtime, :user, :project, :session)
   and kind = :kind and state in ('candidate', 'active')
returning uid

-- name: remove_expired(kind, runtime, user, project, session, now)
-- Take out the items whose time is over.
update memory indexed by memory_by_expiry set state = 'deleted', archived_at = null, archive_reason = 'expired', updated_at = :now
 where expires_at is not null and expires_at <= :now
   and (runtime, user, project, session) = (:runtime, :user, :project, :session)
   and kind = :kind and state in ('candidate', 'active')
returning uid

-- name: vectors(hashes, low, high)
-- Vectors of items: filed under the text of the memory and the model's name with a name for each embedded text, so that
-- they go when the memory is forgotten.
select content_hash, model, vector from embedding
 where content_hash in (select value from json_each(:hashes)) and model >= :low and model < :high
