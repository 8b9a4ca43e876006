-- Vectors of texts: called by cogmem/search/vectors.py.

-- name: missing_memories(model, below, limit)
-- Memories without a vector of this model, the latest first.
select id, content_hash, content from memory m
 where id < :below and state <> 'deleted' and content_hash <> ''
   and not exists (select 1 from embedding where content_hash = m.content_hash and model = :model)
 order by id desc limit :limit

-- name: missing_messages(model, below, limit)
-- Messages without a vector of this model, the latest first.
select id, content_hash, coalesce(nullif(speaker, ''), role) || ': ' || text from message m
 where id < :below and is_current = 1 and text <> '' and content_hash <> ''
   and not exists (select 1 from embedding where content_hash = m.content_hash and model = :model)
 order by id desc limit :limit

-- name: store(content_hash, model, vector, now)
-- One vector, by the text of items; equal texts share it, and two processes may make it at once.
insert into embedding (content_hash, model, vector, created_at) values (:content_hash, :model, :vector, :now)
on conflict (content_hash, model) do nothing

-- name: store_of(id, content_hash, model, vector, now)
-- One vector, if its text was not forgotten meanwhile; equal texts share it, and two processes may make it at once.
insert into embedding (content_hash, model, vector, created_at) select :content_hash, :model, :vector, :now
 where exists (select 1 from memory where id = :id and content_hash = :content_hash)
    or exists (select 1 from message where id = :id and content_hash = :content_hash)
on conflict (content_hash, model) do nothing

-- name: of(model, hashes)
-- Vectors of these texts, as far as there are any.
select content_hash, vector from embedding
 where model = :model and content_hash in (select value from json_each(:hashes))

-- name: between(model, first, last)
-- The vectors from one text's to another's, in one pass: where `are_few` says so and most of them are asked for.
select content_hash, vector from embedding where content_hash between :first and :last and model = :model

-- name: are_few()
-- Whether there are so few texts that all their vectors can be gone through while somebody waits.
select (select coalesce(max(id), 0) from memory) + (select coalesce(sum(messages), 0) from audience) <= 8000

-- name: messages_at(places)
-- What the vectors of these messages are filed under.
select j.value, m.content_hash
  from json_each(:places) j
 cross join message m on m.conversation_id = {conversation_of j.value} and m.seq = {seq_of j.value}
 where m.is_current = 1

-- name: memories_at(ids)
-- What the vectors of these memories are filed under.
select j.value, m.content_hash from json_each(:ids) j cross join memory m on m.id = j.value
