-- Recorded messages as evidence for a turn: called by cogmem/search/messages.py and finding.py.

-- name: audiences(hearer)
-- Whom this viewer hears, and how much they said.
select a.id, a.messages from audience a where a.user in ('', :user) and {heard a}

-- name: everyone()
-- All audiences, for administration.
select id, messages from audience

-- name: others(audiences)
-- Whether somebody speaks whom the viewer must not hear: if not, the index need not be asked for audiences.
select exists (select 1 from audience where id not in (select value from json_each(:audiences)))

-- name: speakers(names, audiences)
-- Which of these words name a speaker, by the whole name or its first word.
select j.value from json_each(:audiences) a cross join json_each(:names) j
 where exists (select 1 from speaker where audience_id = a.value and name = j.value)
    or exists (select 1 from speaker where audience_id = a.value and name > j.value || ' ' and name < j.value || '!')

-- name: common(words)
-- Stems known to be common, and in how many messages they stood when that was counted.
select term, messages from common_word where term in (select value from json_each(:words))

-- name: like_terms(beginnings, shortest, longest, limit)
-- Words of the index that begin in one of these ways: what a word that stands nowhere may be a slip of.
select t.term from json_each(:beginnings) b cross join message_term t
 where t.term >= b.value and t.term < b.value || char(1114111) and length(t.term) between :shortest and :longest limit :limit

-- name: known_terms(terms)
-- Which of these words the index has: what one that stands nowhere may be made of.
select t.term from json_each(:terms) j cross join message_term t where t.term = j.value

-- name: places(match, limit)
-- Where a query finds messages, the newest conversations first, as one text: cheaper than rows.
select group_concat(rowid, ' ')
  from (select rowid from message_fts where message_fts match :match order by rowid desc limit :limit)

-- name: places_of_each(matches, limit)
-- The same for each of several queries.
select (select group_concat(rowid, ' ')
          from (select rowid from message_fts where message_fts match j.value order by rowid desc limit :limit))
  from json_each(:matches) j

-- name: talks_of_each(matches, limit)
-- Of which conversations the newest messages are that each of several queries finds.
select (select group_concat({conversation_of rowid}, ' ')
          from (select rowid from message_fts where message_fts match j.value order by rowid desc limit :limit))
  from json_each(:matches) j

-- name: all_places()
-- Every place, for a file that holds few.
select group_concat(place, ' ') from message_place

-- name: latest()
-- The number of the latest conversation.
select coalesce(max(id), 1) from conversation

-- name: around(start, end)
-- What was said on the days that a prompt names.
select group_concat({place m.conversation_id, m.seq}, ' ')
  from (select conversation_id, seq, is_current from message where said_at >= :start and said_at < :end order by said_at limit 300) m
 where m.is_current = 1

-- name: details(runs, until)
-- What ranking must know of matches and their neighbours, by runs of places from one to another: {first: last}.
select p.place, coalesce(p.tokens, 0), p.said_at, p.asks, p.rules, p.speaker, p.audience_id, p.traits
  from json_each(:runs) j cross join message_place p on p.place between cast(j.key as integer) and j.value
 where p.said_at < :until

-- name: beginnings(places)
-- Who said it, and how each candidate begins: what ranking by meaning reads of it.
select {place m.conversation_id, m.seq}, m.speaker || ' ' || substr(m.text, 1, 600)
  from json_each(:places) j
 cross join message m on m.conversation_id = {conversation_of j.value} and m.seq = {seq_of j.value}
 where m.is_current = 1

-- name: open_conversation(name, window, prompt, hearer)
-- The conversation under way, from which message on the agent still has it before it, and how long it is without the prompt, which
-- some record before they ask. What was said before the host shortened its prompt (the stable text was frozen anew) is gone from there.
select c.id, max(c.next_seq - :window, coalesce((
         select max(g.seq) + 1 from session s join message g on g.conversation_id = c.id and g.seq >= c.next_seq - :window
          where (s.name, s.runtime, s.user, s.project) = (c.name, c.runtime, c.user, c.project)
            and s.frozen_at > s.started_at and g.said_at < s.frozen_at), 0)),
       c.next_seq - exists (select 1 from message p where p.conversation_id = c.id and p.seq = c.next_seq - 1 and p.text = :prompt)
  from conversation c where c.name = :name and {heard c}

-- name: talks()
-- How many conversations there are, so that it can be told in how many of them a word stands.
select count(*) from conversation

-- name: ended(conversations)
-- When each of these had its last message.
select j.value, (select m.said_at from message m where m.conversation_id = j.value order by m.seq desc limit 1)
  from json_each(:conversations) j

-- name: words_of(conversation, limit)
-- What was said last in a conversation: its words say what it speaks of.
select substr(text, 1, 2000) from message where conversation_id = :conversation and is_current = 1 order by seq desc limit :limit

-- name: closing(conversation, until, limit)
-- The places of the last messages of a conversation that somebody had said by then. What a tool answered is not told.
select {place m.conversation_id, m.seq} from message m
 where m.conversation_id = :conversation and m.is_current = 1 and m.role <> 'tool' and m.text <> '' and m.said_at < :until
 order by m.seq desc limit :limit

-- name: lines(places, hearer)
-- The words of the best, read from the record and within the viewer's scope.
select {place m.conversation_id, m.seq}, m.id, coalesce(nullif(m.speaker, ''), m.role), m.text, m.tokens,
       m.token_counter, m.said_at, c.name
  from json_each(:places) j
 cross join message m on m.conversation_id = {conversation_of j.value} and m.seq = {seq_of j.value}
  join conversation c on c.id = m.conversation_id
 where m.is_current = 1 and {heard c}

-- name: unread(name, runtime, user, project, tokens)
-- Short messages of a person in a conversation that no turn has read, nor anybody for it.
select p.place, m.text
  from conversation c cross join message_place p on p.place between {place c.id, 0} and {place c.id, c.next_seq}
 cross join message m on m.conversation_id = c.id and m.seq = {seq_of p.place} and m.is_current = 1
 where (c.name, c.runtime, c.user, c.project) = (:name, :runtime, :user, :project)
   and p.worth is null and p.tokens <= :tokens and p.speaker = '' and p.traits & 1 = 0

-- name: note_worth(read)
-- What a turn read in messages of a person, each as [place, worth, wants, lasts].
update message_place set (worth, wants, lasts) = (
         select value ->> 1, value ->> 2, value ->> 3 from json_each(:read) where value ->> 0 = place)
 where place in (select value ->> 0 from json_each(:read))

-- name: latest_talks(limit, hearer)
-- The conversations that began last, of a few dozen.
select c.id from conversation c
 where c.id > (select max(id) from conversation) - 64 and {heard c} order by c.id desc limit :limit

-- name: of_work(hearer)
-- How many of an agent's latest answers hold something that is marked as code, of all of these; 1 where it gave none.
select coalesce(avg(traits & 8 > 0), 1)
  from (select p.traits from message m cross join message_place p on p.place = {place m.conversation_id, m.seq}
          join conversation c on c.id = m.conversation_id
         where m.id > (select max(id) from message) - 256 and p.traits & 33 = 1 and {heard c}
         order by m.id desc limit 32)

-- name: sayings(places, since, ranges, until, tokens)
-- Short messages of a person to an assistant: of these places since then, and of these conversations from one place to another.
select p.place, p.said_at, p.worth, p.wants, p.lasts
  from (select cast(value as integer) as first, value as last from json_each(:places)
        union select cast(key as integer), value from json_each(:ranges)) j
 cross join message_place p on p.place between j.first and j.last
 where p.tokens <= :tokens and p.speaker = '' and p.traits & 1 = 0 and p.said_at < :until
   and (j.first < j.last or p.said_at >= :since)
