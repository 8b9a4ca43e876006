-- Documents: files that a person owns. The file is the record; these rows are what was last seen of it.

create table document (
  -- One row per file found (AGENTS.md …), mirrored saved memory, or skill.
  id          integer primary key autoincrement,
  path        text not null unique,         -- absolute, resolved
  name        text not null,                -- how it is labelled in the prompt
  scope       text not null,                -- whose file it is
  project     text not null default '',     -- scope column, as in memory
  hash        text not null,                -- SHA-256 of the bytes last read; of a skill, of what it said
  size        integer not null,             -- bytes
  body        text not null,                -- trimmed text, imports expanded; of a saved memory what file and memory agreed on last, of a skill what its procedure said then
  memory_id   integer references memory (id) on delete set null,  -- the memory that this file mirrors; null: a document proper
  modified_at integer not null,             -- ms UTC, the file's own
  seen_at     integer not null,             -- ms UTC: when this text was taken over from the disk
  missing_at  integer,                      -- ms UTC: when it was found gone; null: there
  constraint document_scope_is_known check (
    scope = 'user' or scope = 'ancestor' or scope = 'project' or scope = 'local' or scope = 'saved'
    or scope = 'shared' or scope = 'skill'),
  constraint size_is_not_negative check (size >= 0)
) strict;

create table document_section (
  -- A heading and the text below it: what recall() cites as path#heading.
  id           integer primary key autoincrement,
  document_id  integer not null references document (id) on delete cascade,
  position     integer not null,            -- order in the file, from 0
  heading      text not null default '',    -- '' before the first heading
  anchor       text not null default '',    -- what stands behind # in a link to it; '' for the whole file
  content      text not null,
  terms        text not null default '',    -- as memory.terms
  tokens       integer,
  unique (document_id, position)
) strict;
