-- Transcripts: what hosts wrote down on this machine before cogmem was there, and how far it was recorded.

create table transcript (
  -- One row per transcript that a backfill recorded, with a rowid: paths come in no order, and long rows in a tree of them leave its pages half empty. Run again, it passes over those that are still the same.
  path         text not null primary key,  -- the host's file
  host         text not null,              -- which host wrote it
  conversation text not null,              -- the name of the conversation that it became
  user         text not null default '',   -- whose it is, as in the scope of the conversation
  project      text not null default '',
  size         integer not null,           -- bytes of the file that were recorded
  file_time    integer not null,           -- ns: when the file was last written
  messages     integer not null,           -- how many messages it gave
  batch        text not null,              -- 'fill_' + 16 hex digits: the call that recorded it, by which it is undone
  recorded_at  integer not null,           -- ms UTC
  constraint transcript_has_a_place check (path <> '' and host <> '' and conversation <> ''),
  constraint sizes_are_not_negative check (size >= 0 and messages >= 0)
) strict;
