-- Gathered counters: called by cogmem/store/counters.py.

-- name: recalled(counts)
-- What explicit recalls returned, counted over a while: that strengthens it, as store.recalled does one by one.
update memory
   set reinforcement_count = reinforcement_count + more.times, access_count = access_count + more.times,
       accessed_at = max(coalesce(accessed_at, 0), more.at)
  from (select json_extract(value, '$[0]') as uid, json_extract(value, '$[1]') as times, json_extract(value, '$[2]') as at
          from json_each(:counts)) more
 where memory.uid = more.uid
