-- The spine. Every remembered thing is one row here, whatever its layer.

create table memory (
  -- A writer learns it, turns show it, recalls and repetition strengthen it, time weakens it, a night archives it, a
  -- person may remove it. Only `forget` and an undone insert take the row away.
  -- Every change leaves rows in `change`.
  id                   integer primary key autoincrement,  -- never used twice, so history stays unambiguous
  uid                  text not null unique,         -- the name used outside
  layer                text not null,                -- episodic (what happened), semantic (what is held true), procedural (how to act)
  kind                 text not null references kind (name) on update cascade,
  key                  text not null default '',     -- a name that overwrites, one per layer and scope; '' for none
  content              text not null,                -- the thing itself, as it is shown
  tags                 text not null default '[]',   -- JSON list of words
  terms                text not null default '',     -- search words that FTS5 cannot find by itself (CJK pairs)
  runtime              text not null default '',     -- scope: the agent it belongs to; '' is every agent
  user                 text not null default '',     -- scope: the person; '' is everyone
  project              text not null default '',     -- scope: the project's id; '' is every project
  session              text not null default '',     -- scope: the session it lives and dies with; 'branch ' and a name: until it is merged
  path_glob            text not null default '',     -- scope: the files it is about (src/auth/**)
  priority             integer not null default 1,   -- 4 critical, 3 high, 2 medium, 1 normal
  source               text not null default 'user_explicit', -- how it was learned
  trust                real not null default 1.0,    -- 0 to 1; what the source deserves
  polarity             integer not null default 1,   -- -1: the text forbids or denies ("never use X"); 1 otherwise
  state                text not null default 'active', -- only active rows are injected; archived ones are still found by search
  reinforcement_count  integer not null default 1,   -- how often it was learned or recalled: factor of strength
  access_count         integer not null default 0,   -- how often an explicit recall returned it
  tokens               integer,                      -- length of its rendered line; null: not counted yet
  token_counter        text not null default '',     -- which counter gave `tokens`
  content_hash         text not null default '',     -- of the folded text, by the writer: equal texts are found through it
  data                 text not null default '{}',   -- JSON object: what only this kind needs
  created_at           integer not null,             -- all instants: ms since 1970, UTC
  updated_at           integer not null,             -- last change of key, content, tags, scope, priority or state
  reinforced_at        integer not null,             -- the decay timer: last learned, repeated or asked to be remembered
  accessed_at          integer,                      -- last explicit recall; null: never
  expires_at           integer,                      -- null: no end; after it the row is out, and a night archives it
  archived_at          integer,                      -- null unless archived
  archive_reason       text not null default '',     -- faded, merged, expired, capacity, superseded, by hand …
  constraint ids_count_up_from_one check (id > 0),
  constraint uid_looks_like_mem_and_16_hex check (uid glob 'mem_[0-9a-f][0-9a-f][0-9a-f][0-9a-f]*' and length(uid) = 20),
  constraint memory_belongs_to_a_layer check (layer = 'episodic' or layer = 'semantic' or layer = 'procedural'),
  constraint memory_says_something check (trim(content) <> ''),
  constraint tags_are_a_json_list check (json_valid(tags) and json_type(tags) = 'array'),
  constraint data_is_a_json_object check (json_valid(data) and json_type(data) = 'object'),
  constraint priority_is_one_to_four check (priority between 1 and 4),
  constraint source_is_known check (
    source = 'user_explicit' or source = 'observed' or source = 'inferred' or source = 'tool' or source = 'web'
    or source = 'import' or source = 'system'),
  constraint trust_is_a_share check (trust between 0 and 1),
  constraint polarity_is_for_or_against check (polarity in (-1, 1)),
  constraint state_is_known check (
    state = 'candidate' or state = 'active' or state = 'archived' or state = 'deleted'),
  constraint archived_memory_has_an_instant check ((state = 'archived') = (archived_at is not null)),
  constraint counts_are_not_negative check (
    reinforcement_count >= 1 and access_count >= 0 and coalesce(tokens, 0) >= 0)
) strict;

-- A key names one living memory per layer and scope; a session's own key shadows the project's without touching it.
create unique index memory_by_key on memory (key, layer, runtime, user, project, session)
  where key <> '' and state in ('candidate', 'active');
-- What a night proposed once is not proposed again, even if it was archived or removed since.
create index memory_by_own_key on memory (key) where key glob 'auto.*';
create index memory_by_content_hash on memory (content_hash) where content_hash <> '';
create index memory_by_session on memory (session) where session <> '';
-- One index for two questions, since each index is another page to write with every memory.
create index memory_by_state on memory (state, kind);
create index memory_by_creation on memory (created_at);  -- lists show the newest first, without a sort
create index memory_by_expiry on memory (expires_at) where expires_at is not null;
create index memory_by_path on memory (path_glob) where path_glob <> '';
create index memory_by_source on memory (source) where source = 'inferred';  -- a turn asks whether there are notes

create table undated (
  -- Memories that a shell wrote through `remember` without an instant: the next transaction of cogmem gives them its own.
  memory_id  integer primary key references memory (id) on delete cascade
) strict;
