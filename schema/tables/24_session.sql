-- Sessions: what lives between the first turn and the last one.

create table session (
  -- One row per session of one viewer. `stable` is frozen at the first turn, for the provider's prompt cache, until
  -- the host says that the prompt was rebuilt.
  id              integer primary key autoincrement,
  name            text not null,                 -- the host's id
  runtime         text not null default '',
  user            text not null default '',
  project         text not null default '',
  turn_count      integer not null default 0,
  buffer          text not null default '[]',    -- JSON list: the last lines said, oldest first
  pinned          text not null default '',      -- one text that stays in every prompt of this session
  stable          text,                          -- the frozen text; null: not frozen yet
  stable_hash     text not null default '',
  stable_tokens   integer not null default 0,    -- what its memories cost: taken from each turn's budget
  document_tokens integer not null default 0,    -- what its documents cost, beside that budget
  stable_refs     text not null default '[]',    -- JSON list of the memories in it
  frozen_at       integer,                       -- ms UTC; null: not frozen yet
  frozen_change   integer not null default 0,    -- change.id at the freeze: what came later is news to this session
  shown_change    integer not null default 0,    -- change.id up to which news was shown
  last_turn       text not null default '',      -- the latest turn: a retry of it gets the same bytes again
  last_text       text not null default '',      -- what that turn was given beside the stable text
  last_tokens     integer not null default 0,    -- what the latest activation of this session took
  started_at      integer not null,              -- ms UTC
  ended_at        integer,                       -- null: running
  unique (name, runtime, user, project),
  constraint session_has_a_name check (name <> ''),
  constraint buffer_is_a_json_list check (json_valid(buffer) and json_type(buffer) = 'array'),
  constraint stable_refs_are_a_json_list check (json_valid(stable_refs) and json_type(stable_refs) = 'array'),
  constraint frozen_text_has_an_instant check ((stable is null) = (frozen_at is null))
) strict;

create table pending_update (
  -- A note for running sessions: shown once at the tail of the next prompt, folded into the next session's
  -- stable text. Saves and document edits leave one.
  id          integer primary key autoincrement,
  session_id  integer not null references session (id) on delete cascade,
  note        text not null,
  created_at  integer not null,   -- ms UTC
  shown_at    integer,            -- ms UTC; null: waiting
  constraint note_says_something check (trim(note) <> '')
) strict;

create index pending_update_by_session on pending_update (session_id, shown_at);
