-- Citations: the places in the code that memories speak of, and whether what was cited there still stands.

create table citation (
  -- One row per place that a memory cites. Before the memory is shown its places are looked at: the file's size and
  -- time first, its text only where those changed.
  memory_id   integer not null references memory (id) on delete cascade,
  root        text not null,               -- the working tree
  path        text not null,               -- from its top, with /
  symbol      text not null default '',    -- the function, class or name that is cited; '' for lines or the file itself
  first_line  integer not null default 0,  -- where the cited lines begin, counted from 1; 0: the file itself
  line_count  integer not null default 0,  -- how many lines there are, blank ones left out; 0: the file itself
  text_hash   text not null default '',    -- of the cited lines without indentation and blank lines; '' for the file itself
  head_hash   text not null default '',    -- of their first line alone, by which they are found again
  standing    text not null default 'holds', -- what was found when it was last looked at
  file_size   integer not null default -1, -- bytes of the file then; -1: it was not there
  file_time   integer not null default 0,  -- ns: when the file was last written then
  checked_at  integer not null,            -- ms UTC
  primary key (memory_id, root, path, symbol, text_hash),
  constraint standing_is_known check (standing = 'holds' or standing = 'changed' or standing = 'gone'),
  constraint citation_names_a_file check (path <> ''),
  constraint lines_are_not_negative check (first_line >= 0 and line_count >= 0)
) strict, without rowid;

