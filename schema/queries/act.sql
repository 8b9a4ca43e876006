-- What is known about a file or a command that is about to be used: called by cogmem/turn/act.py.

-- name: settings()
-- Whether anything is to be told there at all.
select name, value from setting where name in ('at_the_act', 'subagent_rules')

-- name: failures_of(low, high, viewer)
-- The mended failures of one command. Here and below the few kinds come first, so that a large file is not walked.
select {at_hand m, k}
  from kind k cross join memory m on m.state = 'active' and m.kind = k.name
 where k.is_mend = 1 and m.key >= :low and m.key < :high and {visible m}
 order by m.reinforced_at desc, m.id desc limit 5

-- name: failures_like(error, viewer)
-- Mended failures that showed this error, whatever command showed it.
select {at_hand m, k}
  from kind k cross join memory m on m.state = 'active' and m.kind = k.name
 where k.is_mend = 1 and {data m} ->> '$.error' = :error and {visible m}
 order by m.reinforced_at desc, m.id desc limit 5

-- name: globs()
-- Every path glob in use, through its index.
select distinct path_glob from memory where path_glob <> ''

-- name: about_path(globs, now, viewer)
-- Memories whose glob fits the file.
select {at_hand m, k}
  from json_each(:globs) g cross join memory m on m.path_glob = g.value and m.path_glob <> '' join kind k on k.name = m.kind
       left join fact f on f.memory_id = m.id
 where m.state = 'active' and m.layer = 'semantic'
   and {held_now m, f, :now} and {visible m}
 order by m.priority desc, m.reinforced_at desc, m.id limit 20

-- name: these(uids, now, viewer)
-- Memories that a search found for a question.
select {at_hand m, k}
  from json_each(:uids) u cross join memory m on m.uid = u.value join kind k on k.name = m.kind
       left join fact f on f.memory_id = m.id
 where m.state = 'active' and m.layer = 'semantic' and {held_now m, f, :now} and {visible m}

-- name: mentioning(match, now, viewer)
-- Memories in which these words stand; that they name the file or the command is looked at afterwards. Words that
-- stand in more are too common to speak of one thing, so only the newest are read.
select {at_hand m, k}
  from (select rowid from memory_fts where memory_fts match :match order by rowid desc limit 200) w
  join memory m on m.id = w.rowid
  join kind k on k.name = m.kind and k.is_mend = 0
  left join fact f on f.memory_id = m.id
 where m.state = 'active' and m.layer = 'semantic'
   and {held_now m, f, :now} and {visible m}

-- name: touching(paths, now, viewer)
-- What the repository tells of a file: why it is so, then what changed it last. Of its commits the newest sixty are weighed.
select {at_hand m, k}
  from (select t.memory_id, max(t.weight) as weight from json_each(:paths) p cross join touched t on t.path = p.value and t.weight > 0
         group by t.memory_id order by t.memory_id desc limit 60) w
  join memory m on m.id = w.memory_id
  join kind k on k.name = m.kind
  left join fact f on f.memory_id = m.id
 where m.state = 'active' and {held_now m, f, :now} and {visible m}
 order by m.layer = 'semantic' desc, w.weight > 1 desc, m.created_at desc, m.id desc limit 6

-- name: failures_naming(match, viewer)
-- Mended failures in which the name of a file stands; that they mean this one is looked at afterwards.
select {at_hand m, k}
  from (select rowid from memory_fts where memory_fts match :match order by rowid desc limit 200) w
  join memory m on m.id = w.rowid
  join kind k on k.name = m.kind and k.is_mend = 1
 where m.state = 'active' and {visible m}

-- name: blocking(now, viewer)
-- Rules that a person made blocking.
select {at_hand m, k}
  from kind k cross join memory m on m.state = 'active' and m.kind = k.name
 where k.is_rule = 1 and m.source = 'user_explicit'
   and exists (select 1 from json_each(m.tags) where value = 'blocks')
   and (m.expires_at is null or m.expires_at > :now) and {visible m}

-- name: told(session, ids)
-- Which of these a session was told at an act since its prompt was last made anew.
select t.memory_id from told_at_act t
 where t.session = :session and t.memory_id in (select value from json_each(:ids))
   and t.told_at >= coalesce((select max(s.frozen_at) from session s where s.name = :session), 0)

-- name: tell(session, uids, subject, now)
-- It was told now.
insert into told_at_act (memory_id, session, subject, told_at)
select m.id, :session, :subject, :now from memory m where m.uid in (select value from json_each(:uids))
on conflict (session, memory_id) do update set subject = excluded.subject, told_at = excluded.told_at

-- name: drop_old(before)
-- What sessions of long ago were told.
delete from told_at_act where told_at < :before

-- name: rules(now, limit, viewer)
-- Rules for a subagent: what a person demands, the most important first.
select {at_hand m, k}
  from kind k cross join memory m on m.state = 'active' and m.kind = k.name left join fact f on f.memory_id = m.id
 where k.is_rule = 1 and m.path_glob = '' and {held_now m, f, :now} and {visible m}
 order by m.priority desc, m.reinforcement_count desc, m.id limit :limit

-- name: is_anything_cited()
-- Whether any memory cites code: without one, nothing is looked at.
select exists (select 1 from citation)

-- name: cited(uids)
-- The places in the code that these memories cite.
select m.uid, c.memory_id, c.root, c.path, c.symbol, c.first_line, c.line_count, c.text_hash, c.head_hash, c.standing, c.file_size, c.file_time
  from json_each(:uids) j cross join memory m on m.uid = j.value cross join citation c on c.memory_id = m.id

-- name: note_citation(memory_id, root, path, symbol, text_hash, standing, first_line, size, time, now)
-- What was found there now.
update citation set standing = :standing, first_line = :first_line, file_size = :size, file_time = :time, checked_at = :now
 where (memory_id, root, path, symbol, text_hash) = (:memory_id, :root, :path, :symbol, :text_hash)
