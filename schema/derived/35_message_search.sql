-- Search over what was said: an FTS5 index of the messages, kept exact by triggers from any client.
-- A message's place (its conversation and its seq in one number) is its rowid there, so that what stands before
-- and after it is arithmetic. So a conversation holds 2^24 messages, 16.7 million; more is refused.

create table audience (
  -- One row per scope in which something was said: who hears it. The index carries its id as a word, so
  -- that a search walks what its viewer may hear and not what all the others have.
  id        integer primary key,
  user      text not null,
  project   text not null,
  runtime   text not null,
  messages  integer not null default 0,   -- with words and in force: replaced versions do not count
  unique (user, project, runtime)
) strict;

create table speaker (
  -- Who speaks to an audience, by name.
  audience_id  integer not null,
  name         text not null collate nocase,
  messages     integer not null,
  primary key (audience_id, name)
) strict, without rowid;

create table message_place (
  -- One short row per message that the index covers: what ranking must know of a match and of its neighbours.
  place        integer primary key,        -- conversation and seq in one number, as the index counts its rows
  audience_id  integer not null,
  said_at      integer not null,           -- ms UTC
  tokens       integer,                    -- of its rendered line; of one that was not counted yet, about as many
  asks         integer not null,           -- 1: a question, so what follows it is the answer
  rules        integer not null,           -- 1: the user's rule for the future ("Always …", "I prefer …")
  speaker      text not null,              -- '' where the role says enough
  traits       integer not null,           -- what is told at a glance, added up; see the view below
  -- Of a person's message that a turn has read, so that no other need read it:
  worth        real,                       -- the chance that its best passage helps somebody later
  wants        integer,                    -- 1: it ends with a question, marked or not
  lasts        integer                     -- 1: it says what lasts
) strict;

create view inside_message_text as
  -- What the index covers: every message in force that has words. The first is a letter that nobody writes, and the audience.
  select {place m.conversation_id, m.seq} as place, m.text, char(57344) || a.id || ' ' ||
         case when {unspaced m.text} then {pairs substr(m.text, 1, 262144)} || substr(m.text, 262145) else m.text end || ' ' || m.terms as words,
         a.id as audience_id, m.said_at, coalesce(m.tokens, (length(m.text) + 3) / 4) as tokens, m.asks,
         case m.speaker when m.role then '' else m.speaker end as speaker,
         m.role, m.conversation_id, m.seq
    from message m
    join conversation c on c.id = m.conversation_id
    join audience a on (a.user, a.project, a.runtime) = (c.user, c.project, c.runtime)
   where m.is_current = 1 and m.text <> '';

create view inside_message_place_due as
  -- What `message_place` must hold. Not in the view above, as an index covers no view that reads a list.
  select place, audience_id, said_at, tokens, asks,
         role = 'user' and {says rule_phrases, substr(text, 1, 2000)} as rules, speaker,
         -- 1 an assistant's or a tool's, 2 a question mark, 4 a digit, 8 something marked as code, 16 a word of time,
         -- 32 a tool's
         (role <> 'user')
           + 2 * (substr(text, 1, 600) glob '*[?？]*')
           + 4 * (substr(text, 1, 600) glob '*[0-9]*')
           + 8 * (instr(substr(text, 1, 2000), '`') > 0)
           + 16 * {says time_phrases, substr(text, 1, 600)}
           + 32 * (role = 'tool') as traits,
         conversation_id, seq
    from inside_message_text;

create virtual table message_fts using fts5 (
  -- The index of message, known by content="message".
  words,
  content="inside_message_text", content_rowid="place", columnsize=0, tokenize="porter unicode61 remove_diacritics 2"
);

insert into message_fts (message_fts, rank) values ('automerge', 0);  -- as in memory_fts
insert into message_fts (message_fts, rank) select 'pgsz', max(976, min(4050, page_size - 24)) from pragma_page_size;
insert into message_fts (message_fts, rank) values ('usermerge', 4);
insert into message_fts (message_fts, rank) values ('crisismerge', 1000);

insert into audience (user, project, runtime)
select distinct c.user, c.project, c.runtime from message m join conversation c on c.id = m.conversation_id
 where m.is_current = 1 and m.text <> '';

insert into message_place (place, audience_id, said_at, tokens, asks, rules, speaker, traits)
select place, audience_id, said_at, tokens, asks, rules, speaker, traits from inside_message_place_due order by place;

insert into speaker (audience_id, name, messages)
select audience_id, min(speaker), count(*) from message_place
 where speaker <> '' group by audience_id, speaker collate nocase;

update audience set messages = (select count(*) from message_place where audience_id = audience.id);

insert into message_fts (message_fts) values ('rebuild');
insert into message_fts (message_fts) values ('optimize');  -- one list for each word, and high up, as for memories
insert into message_fts (message_fts, rowid, words)
select 'delete', place, words from inside_message_text
 where (conversation_id, seq) = (select {conversation_of max(place)}, {seq_of max(place)} from message_place);
insert into message_fts (rowid, words)
select place, words from inside_message_text
 where (conversation_id, seq) = (select {conversation_of max(place)}, {seq_of max(place)} from message_place);
insert into message_fts (message_fts) values ('optimize');

create virtual table message_term using fts5vocab ("message_fts", "row");

create table common_word (
  -- In how many messages the most common stems stood when it was last counted, so that a turn need not size
  -- them. A stem that is missing here is sized by the turn. Refreshed by nightly jobs.
  term      text primary key,
  messages  integer not null
) strict, without rowid;

insert into common_word (term, messages) select term, doc from message_term where doc >= 1000;

-- With a message's place, all the rest comes and goes.

create trigger message_place_ai after insert on message_place begin
  insert into message_fts (rowid, words)
  select place, words from inside_message_text
   where conversation_id = {conversation_of new.place} and seq = {seq_of new.place};
  insert into message_fts (message_fts, rank) select 'merge', pages from inside_word_merging where new.place % every = 0;
  update audience set messages = messages + 1 where id = new.audience_id;
  insert into speaker (audience_id, name, messages)
  select new.audience_id, new.speaker, 1 where new.speaker <> ''
  on conflict (audience_id, name) do update set messages = messages + 1;
end;

create trigger message_place_bd before delete on message_place begin
  insert into message_fts (message_fts, rowid, words)
  select 'delete', place, words from inside_message_text
   where conversation_id = {conversation_of old.place} and seq = {seq_of old.place};
  insert into message_fts (message_fts, rank) select 'merge', pages from inside_word_merging where old.place % every = 0;
  update speaker set messages = messages - 1 where audience_id = old.audience_id and name = old.speaker;
  delete from speaker where audience_id = old.audience_id and name = old.speaker and messages = 0;
  update audience set messages = messages - 1 where id = old.audience_id;
  delete from audience where id = old.audience_id and messages = 0;
end;

create trigger message_bi_search before insert on message begin
  -- Foreign keys say the first too, but stock shells leave them off.
  select raise(abort, 'a message needs its conversation: insert that first')
   where not exists (select 1 from conversation where id = new.conversation_id);
  select raise(abort, 'a conversation holds 16777216 messages at most: go on in a new one')
   where new.seq <> {seq_of new.seq};
  select raise(abort, 'an edit first marks the version in force: set its is_current to 0')
   where new.is_current = 1 and exists (
     select 1 from message where conversation_id = new.conversation_id and seq = new.seq and is_current = 1);
end;

create trigger message_ai_search after insert on message when new.is_current = 1 and new.text <> '' begin
  insert into audience (user, project, runtime)
  select user, project, runtime from conversation where id = new.conversation_id
  on conflict (user, project, runtime) do nothing;
  insert into message_place (place, audience_id, said_at, tokens, asks, rules, speaker, traits)
  select place, audience_id, said_at, tokens, asks, rules, speaker, traits from inside_message_place_due
   where conversation_id = new.conversation_id and seq = new.seq;
end;

-- An edit takes the older version out; a forgotten word changes the text. Archiving changes neither.

create trigger message_bu_search before update of is_current, text, terms on message
when old.is_current = 1 and (old.is_current, old.text, old.terms) is not (new.is_current, new.text, new.terms)
begin
  delete from message_place where place = {place old.conversation_id, old.seq};
end;

create trigger message_au_search after update of is_current, text, terms on message
when new.is_current = 1 and (old.is_current, old.text, old.terms) is not (new.is_current, new.text, new.terms)
begin
  select raise(abort, 'another version of this message is in force: set its is_current to 0 first')
   where exists (select 1 from message where conversation_id = new.conversation_id and seq = new.seq
                    and is_current = 1 and id <> new.id);
  insert into audience (user, project, runtime)
  select user, project, runtime from conversation where id = new.conversation_id and new.text <> ''
  on conflict (user, project, runtime) do nothing;
  insert into message_place (place, audience_id, said_at, tokens, asks, rules, speaker, traits)
  select place, audience_id, said_at, tokens, asks, rules, speaker, traits from inside_message_place_due
   where conversation_id = new.conversation_id and seq = new.seq;
end;

create trigger message_au_tokens after update of tokens, asks on message when new.is_current = 1 begin
  update message_place set tokens = coalesce(new.tokens, (length(new.text) + 3) / 4), asks = new.asks where place = {place new.conversation_id, new.seq};
end;

create trigger message_bd_search before delete on message when old.is_current = 1 begin
  delete from message_place where place = {place old.conversation_id, old.seq};
end;

-- A conversation that is given to another scope takes its messages along.

create trigger conversation_bu_search before update of user, project, runtime on conversation
when (old.user, old.project, old.runtime) is not (new.user, new.project, new.runtime)
begin
  delete from message_place where place >= {place old.id, 0} and place < {place old.id + 1, 0};
end;

create trigger conversation_au_search after update of user, project, runtime on conversation
when (old.user, old.project, old.runtime) is not (new.user, new.project, new.runtime)
begin
  insert into audience (user, project, runtime)
  select new.user, new.project, new.runtime
   where exists (select 1 from message where conversation_id = new.id and is_current = 1 and text <> '')
  on conflict (user, project, runtime) do nothing;
  insert into message_place (place, audience_id, said_at, tokens, asks, rules, speaker, traits)
  select place, audience_id, said_at, tokens, asks, rules, speaker, traits from inside_message_place_due where conversation_id = new.id;
end;

create trigger conversation_bu_number before update of id on conversation when new.id <> old.id begin
  select raise(abort, 'a conversation keeps its number: its messages are found by it');
end;

create trigger conversation_bd_search before delete on conversation begin
  delete from message where conversation_id = old.id;
end;
