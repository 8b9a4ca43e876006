-- Repositories: where the history of a project's code was read, and up to which commit.

create table repository (
  -- One row per working tree that `cogmem git` has read. Without a row nothing is read by itself.
  project    text not null,             -- the project's id, as in the scope of its memories
  root       text not null,             -- the working tree
  head       text not null default '',  -- the commit up to which its history was read; '' until the first reading is over
  docs       text not null default '',  -- the commit for which its documents and comments were read
  read_at    integer not null,          -- ms UTC
  primary key (project, root),
  constraint repository_has_a_project_and_a_root check (project <> '' and root <> '')
) strict, without rowid;
