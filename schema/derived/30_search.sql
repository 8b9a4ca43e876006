-- Search: an FTS5 index over what may be found, kept exact by triggers from any client.

create view inside_memory_text as
  -- What the index covers: removed memories are not in it.
  select id, key, content, tags, path_glob, terms from memory where state <> 'deleted';

create view inside_word_merging as
  -- How the lists of the search indexes are merged in this SQLite: with one write in `every`, `pages` at a time (less
  -- than 0: of all lists at once), more of them at night. From 3.44 on FTS5 notes otherwise that a word was deleted. An
  -- older one that merges some lists of a newer one takes the note for done, and deleted words come back.
  select case is_newer when 1 then 7 else 97 end as every, case is_newer when 1 then 48 else -500 end as pages,
         case is_newer when 1 then 2000 else -2000 end as pages_at_night,
         12000 as pages_at_once, 4 as most_lists  -- of an index that is no larger a night makes one list of more
    from (select cast(substr(sqlite_version(), 3) as integer) >= 44 as is_newer);

create virtual table memory_fts using fts5 (
  -- The index of memory. Tools that look for one by content="memory" find it by these words.
  key, content, tags, path_glob, terms,
  content="inside_memory_text", content_rowid="id", tokenize="porter unicode61 remove_diacritics 2"
);

-- FTS5 would merge some lists by itself, in any SQLite. Some writes do it instead, as this one may.
insert into memory_fts (memory_fts, rank) values ('automerge', 0);
-- A page of the index on few pages of the file: read from many, a turn takes a third longer. 976 bytes fill two of the
-- smallest; shorter ones would need twice the merging.
insert into memory_fts (memory_fts, rank) select 'pgsz', max(976, min(4050, page_size - 24)) from pragma_page_size;
insert into memory_fts (memory_fts, rank) values ('usermerge', 4);
insert into memory_fts (memory_fts, rank) values ('crisismerge', 1000);

create trigger memory_ai_search after insert on memory when new.state <> 'deleted' begin
  insert into memory_fts (rowid, key, content, tags, path_glob, terms)
  values (new.id, new.key, new.content, new.tags, new.path_glob, new.terms);
  insert into memory_fts (memory_fts, rank) select 'merge', pages from inside_word_merging where new.id % every = 0;
end;

create trigger memory_ad_search after delete on memory when old.state <> 'deleted' begin
  insert into memory_fts (memory_fts, rowid, key, content, tags, path_glob, terms)
  values ('delete', old.id, old.key, old.content, old.tags, old.path_glob, old.terms);
  insert into memory_fts (memory_fts, rank) select 'merge', pages from inside_word_merging where (select max(id) from change) % every = 0;
end;

create trigger memory_au_search after update of key, content, tags, path_glob, terms, state on memory
when (old.key, old.content, old.tags, old.path_glob, old.terms, old.state = 'deleted')
       is not (new.key, new.content, new.tags, new.path_glob, new.terms, new.state = 'deleted')
begin
  insert into memory_fts (memory_fts, rowid, key, content, tags, path_glob, terms)
  select 'delete', old.id, old.key, old.content, old.tags, old.path_glob, old.terms where old.state <> 'deleted';
  insert into memory_fts (rowid, key, content, tags, path_glob, terms)
  select new.id, new.key, new.content, new.tags, new.path_glob, new.terms where new.state <> 'deleted';
  insert into memory_fts (memory_fts, rank) select 'merge', pages from inside_word_merging where (select max(id) from change) % every = 0;
end;

insert into memory_fts (memory_fts) values ('rebuild');
-- One list for each word: a rebuild leaves several, and every turn would read them all.
insert into memory_fts (memory_fts) values ('optimize');
-- That list lies one level above the new ones, and so the next hundreds of writes would merge it with theirs and pay for its
-- length. Merged once more, with a small one beside it, it comes to lie two levels higher, out of their way.
insert into memory_fts (memory_fts, rowid, key, content, tags, path_glob, terms)
select 'delete', id, key, content, tags, path_glob, terms from inside_memory_text where id = (select max(id) from inside_memory_text);
insert into memory_fts (rowid, key, content, tags, path_glob, terms)
select id, key, content, tags, path_glob, terms from inside_memory_text where id = (select max(id) from inside_memory_text);
insert into memory_fts (memory_fts) values ('optimize');

create virtual table memory_term using fts5vocab ("memory_fts", "row");

create table common_term (
  -- In how many memories the common stems stand, so that a turn knows a word's worth without reading its
  -- postings. A stem that is missing here is rare: its whole list is short. Refreshed by nightly jobs.
  term       text primary key,
  documents  integer not null
) strict, without rowid;

insert into common_term (term, documents) select term, doc from memory_term where doc >= 64;
