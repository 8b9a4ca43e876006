-- What a person says again: called by cogmem/hear/said.py.

-- name: add(message, rows)
-- Statements of a message that may be said again, each as [start, end, worth, count].
insert or ignore into said (message_id, start, end, worth, count)
select :message, value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(:rows)

-- name: add_words(message, rows)
-- Their telling words, each as [start, word].
insert or ignore into said_word (word, message_id, start)
select value ->> 1, :message, value ->> 0 from json_each(:rows)

-- name: words(message, start)
-- The telling words of a statement.
select word from said_word where message_id = :message and start = :start

-- name: add_many(conversation, rows)
-- Statements of a conversation that was recorded at once, each as [seq, start, end, worth, count].
insert or ignore into said (message_id, start, end, worth, count)
select m.id, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4
  from json_each(:rows) r join message m on m.conversation_id = :conversation and m.seq = r.value ->> 0 and m.is_current = 1

-- name: add_words_of_many(conversation, rows)
-- Their telling words, each as [seq, start, word].
insert or ignore into said_word (word, message_id, start)
select r.value ->> 2, m.id, r.value ->> 1
  from json_each(:rows) r join message m on m.conversation_id = :conversation and m.seq = r.value ->> 0 and m.is_current = 1

-- name: message_at(conversation, seq)
-- The message at a place.
select id from message where conversation_id = :conversation and seq = :seq and is_current = 1

-- name: near(words, message, least)
-- Statements of the same person in the same place that share telling words, of other messages, with how ordinary the
-- shared words are.
with known as materialized (select value as word, (select count(*) from said_word s where s.word = value) as often from json_each(:words)),
     shared as (select w.message_id, w.start, count(*) as words, json_group_array(k.often) as often
                  from known k cross join said_word w on w.word = k.word and w.message_id <> :message
                 group by w.message_id, w.start having count(*) >= :least)
select s.message_id, s.start, s.end, s.worth, s.count, s.memory, c.name, m.said_at, f.often
  from (select h.user, h.project from message o join conversation h on h.id = o.conversation_id where o.id = :message) own
 cross join shared f
 cross join said s on s.message_id = f.message_id and s.start = f.start
 cross join message m on m.id = s.message_id
 cross join conversation c on c.id = m.conversation_id and c.user = own.user and c.project = own.project
 order by f.words desc, m.said_at desc, s.message_id, s.start limit 60

-- name: known()
-- How many statements there are.
select count(*) from said

-- name: text(message, start, end)
-- The words of a statement.
select substr(m.text, :start + 1, :end - :start), m.said_at, c.name
  from message m join conversation c on c.id = m.conversation_id where m.id = :message

-- name: join_rule(message, start, memory)
-- A statement is the wording of a rule.
update said set memory = :memory where message_id = :message and start = :start

-- name: wordings(message, start, memory)
-- The other wordings of a rule.
select s.message_id, s.start, s.end, s.worth, s.memory, c.name, m.said_at
  from said s join message m on m.id = s.message_id join conversation c on c.id = m.conversation_id
 where s.memory = :memory and (s.message_id, s.start) <> (:message, :start)

-- name: reworded(rule, by)
-- A clearer wording stands for the rule.
update said set memory = :by where memory = :rule

-- name: no_rule(rule, priority, now)
-- What a clearer wording stands for is a memory among others: it is found when it fits.
update memory
   set priority = :priority, updated_at = :now, data = json_remove(coalesce(data, '{}'), '$.said', '$.since')
 where uid = :rule and layer = 'semantic'

-- name: state(uid)
-- Whether a rule is still in force, and whether it is a standing order, which stands in every prompt from the first day on.
select state, kind, json_extract(data, '$.rule') = 'standing order' from memory where uid = :uid and layer = 'semantic'

-- name: rule(uid, said, since, kind, now)
-- What was said in three sessions is a rule: it stands in every prompt, with its count and its first day.
update memory
   set kind = :kind, priority = max(priority, 3), state = 'active', updated_at = :now, reinforced_at = max(reinforced_at, :now),
       data = json_set(coalesce(data, '{}'), '$.said', :said, '$.since', min(:since, coalesce(json_extract(data, '$.since'), :since)))
 where uid = :uid and layer = 'semantic' and state in ('active', 'candidate')

-- name: outlived(uids)
-- What was found to contradict one of the sayings of a rule, was said before it and is still in force.
select distinct b.uid
  from json_each(:uids) said join memory a on a.uid = said.value
  join link l on l.relation = 'contradicts' and a.id in (l.from_id, l.to_id)
  join memory b on b.id in (l.from_id, l.to_id) and b.id <> a.id and b.state = 'active' and b.created_at < a.created_at
  join fact f on f.memory_id = b.id and f.valid_to is null
 where b.uid not in (select value from json_each(:uids))

-- name: held(ids, runtime, user, project, before)
-- What is held of these memories, of a person in a place or everywhere, and was said before an instant.
select m.uid, m.content
  from json_each(:ids) said join memory m on m.id = said.value join fact f on f.memory_id = m.id
 where m.layer = 'semantic' and m.state in ('active', 'candidate') and f.valid_to is null
   and m.runtime = :runtime and m.user = :user and m.project in ('', :project) and coalesce(f.valid_from, 0) <= :before

-- name: taught_before(message)
-- What is held of what the person's message before this one taught.
select m.uid
  from link l join memory m on m.id = l.from_id join fact f on f.memory_id = m.id and f.valid_to is null
 where l.relation = 'evidence' and m.layer = 'semantic'
   and l.message_id = (select p.id from message o join message p on p.conversation_id = o.conversation_id and p.seq < o.seq
                        where o.id = :message and p.role = 'user' and p.is_current = 1 order by p.seq desc limit 1)

-- name: strengthen(uid, now)
-- The same wish in a second session.
update memory set reinforcement_count = reinforcement_count + 1, reinforced_at = max(reinforced_at, :now) where uid = :uid and state = 'active'

-- name: first(match, message)
-- Who said something first before a message, in the same place: 1 an agent, 0 the person.
with own as (select c.user, c.project, m.said_at, {place m.conversation_id, m.seq} as place
               from message m join conversation c on c.id = m.conversation_id where m.id = :message)
select p.traits & 1
  from message_fts f
  join message_place p on p.place = f.rowid
  join audience a on a.id = p.audience_id
  join own o on a.user = o.user and a.project = o.project
 where message_fts match :match and p.said_at <= o.said_at and p.place <> o.place
 order by p.said_at, p.place limit 1
