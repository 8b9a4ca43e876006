-- The conversation record: what was said, in order, for ever.

create table conversation (
  -- One row per conversation that a host records. The host's own id is `name`.
  id             integer primary key autoincrement,
  name           text not null,
  runtime        text not null default '',     -- scope, as in memory
  user           text not null default '',
  project        text not null default '',
  title          text not null default '',
  created_at     integer not null,             -- ms UTC
  next_seq       integer not null default 0,   -- the number that the next message gets; never goes down
  hot_start_seq  integer not null default 0,   -- messages below it are archived in segments
  ingested_seq   integer not null default 0,   -- messages below it are covered by the summary DAG
  captured_seq   integer not null default 0,   -- messages below it went through auto-capture
  told_seq       integer not null default 0,   -- messages below it have left the lines worth saying elsewhere
  unique (name, runtime, user, project),
  constraint conversation_has_a_name check (name <> ''),
  constraint cursors_stay_within_the_record check (
    0 <= hot_start_seq and hot_start_seq <= next_seq
    and 0 <= ingested_seq and ingested_seq <= next_seq
    and 0 <= captured_seq and captured_seq <= next_seq and 0 <= told_seq and told_seq <= next_seq)
) strict;

create table message (
  -- One row per message and version. Append-only: a seq is never given twice, and an edit adds a version.
  -- Archiving moves `parts` into a segment; the rest stays searchable. Short columns come first: reading them
  -- does not touch the long ones.
  id               integer primary key autoincrement,  -- shown outside as 'msg_' + id
  conversation_id  integer not null references conversation (id) on delete cascade,
  seq              integer not null,             -- absolute place in the conversation, from 0
  version          integer not null default 1,   -- 2 and up: edits of the same place
  is_current       integer not null default 1,   -- 0: a later version exists
  role             text not null,
  speaker          text not null default '',     -- a person's name where the role does not say enough
  asks             integer not null default 0,   -- 1: it ends with a question; its answer follows
  tokens           integer,                      -- length of its rendered line; null: not counted yet
  whole_tokens     integer,                      -- what all of it costs in a window: 4, its role and its parts; null as above
  token_counter    text not null default '',     -- who counted both
  said_at          integer not null,             -- ms UTC: when it was said
  content_hash     text not null default '',     -- of role, speaker and parts: tells a changed prefix
  origin           text not null default '',     -- where the text came from; '': its role says it
  segment_id       integer references segment (id),  -- the archive that holds its parts; null: here
  terms            text not null default '',     -- search words beside `text`, by the writer
  text             text not null,                -- the words of its text parts, archived or not
  parts            text,                         -- JSON list: text (null: the only one), tool_call, tool_result; null once archived, [] where the host took it back
  uid              text,                         -- the host's own name of it, stored once; null: it gave none
  unique (conversation_id, seq, version),
  constraint message_role_is_known check (role = 'system' or role = 'user' or role = 'assistant' or role = 'tool'),
  constraint seq_counts_from_zero check (seq >= 0 and version >= 1),
  constraint message_is_here_or_archived check ((parts is null) = (segment_id is not null)),
  constraint asks_is_yes_or_no check (asks in (0, 1)),
  constraint parts_are_a_json_list check (parts is null or (json_valid(parts) and json_type(parts) = 'array'))
) strict;

create index message_by_time on message (said_at);
create unique index message_by_uid on message (uid) where uid is not null;

create table segment (
  -- An archived stretch of one conversation: the original messages as gzip JSON lines, byte for byte.
  id               integer primary key autoincrement,
  conversation_id  integer not null references conversation (id) on delete cascade,
  start_seq        integer not null,
  end_seq          integer not null,             -- inclusive
  message_count    integer not null,
  body             blob not null,                -- gzip of JSON lines, one per message version
  created_at       integer not null,             -- ms UTC
  constraint segment_runs_forwards check (0 <= start_seq and start_seq <= end_seq),
  constraint segment_holds_messages check (message_count > 0)
) strict;

create unique index segment_by_start on segment (conversation_id, start_seq);

-- The record is append-only. Three exceptions, each by a transaction that names itself in `context`:
-- an edit marks the older version, archiving moves the text into a segment, forget removes for good.
create trigger message_bu before update on message
when (old.conversation_id, old.seq, old.version, old.role, old.speaker, old.said_at)
       is not (new.conversation_id, new.seq, new.version, new.role, new.speaker, new.said_at)
  or ((old.parts is not new.parts or old.text is not new.text)
      and coalesce((select verb from context), '') not in ('archive', 'forget'))
begin
  select raise(abort, 'a message is never rewritten: add a version (edit), archive it, or forget it');
end;

-- INSERT OR REPLACE would take the old row away without asking the triggers below.
create trigger message_bi before insert on message
when exists (select 1 from message where id = new.id
     or (conversation_id, seq, version) = (new.conversation_id, new.seq, new.version))
begin
  select raise(abort, 'a message stands at this place: add a version (edit) instead of replacing it');
end;

create trigger message_bd before delete on message
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'a message is never deleted: only forget may remove it');
end;

create trigger segment_bi before insert on segment
when exists (select 1 from segment where id = new.id
     or (conversation_id, start_seq) = (new.conversation_id, new.start_seq))
begin
  select raise(abort, 'a segment of this stretch is there: it holds original messages and is never replaced');
end;

create trigger segment_bu before update of conversation_id, start_seq, end_seq, message_count, body on segment
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'a segment holds original messages: only forget may rewrite it');
end;

create trigger segment_bd before delete on segment
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'a segment holds original messages: only forget may remove it');
end;

create trigger conversation_bd before delete on conversation
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'a conversation goes with all its messages: only forget may remove it');
end;

create table said (
  -- One row per statement of a person's own that they may say again in another session. Where it stands, and no
  -- text: its words lie in said_word as numbers, so that forgetting a message forgets them.
  message_id  integer not null references message (id) on delete cascade,
  start       integer not null,             -- character of the message's text at which it begins
  end         integer not null,             -- character behind its last
  worth       integer not null,             -- hundredths: how likely it is worth keeping; 0: it words no rule
  count       integer not null,             -- of its telling words
  memory      text not null default '',     -- uid of the rule that it is the wording of
  primary key (message_id, start),
  constraint statement_has_a_length check (0 <= start and start < end)
) strict, without rowid;

create table said_word (
  -- One row per telling word of a statement, as a checksum.
  message_id  integer not null references message (id) on delete cascade,
  start       integer not null,             -- as in said
  word        integer not null,             -- CRC-32 of the word without its ending
  primary key (message_id, start, word)
) strict, without rowid;

create index said_word_by_word on said_word (word);

-- A message whose text is gone leaves no statements.
create trigger message_au_said after update of text on message when old.text is not new.text begin
  delete from said where message_id = old.id;
  delete from said_word where message_id = old.id;
end;
