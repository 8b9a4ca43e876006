-- Search in documents: an FTS5 index over their sections, kept exact by triggers from any client.

create virtual table document_fts using fts5 (
  heading, content, terms,
  content="document_section", content_rowid="id", tokenize="porter unicode61 remove_diacritics 2"
);

insert into document_fts (document_fts, rank) values ('automerge', 0);  -- as in memory_fts
insert into document_fts (document_fts, rank) select 'pgsz', max(976, min(4050, page_size - 24)) from pragma_page_size;
insert into document_fts (document_fts, rank) values ('usermerge', 4);
insert into document_fts (document_fts, rank) values ('crisismerge', 1000);

create trigger document_section_ai_search after insert on document_section begin
  insert into document_fts (rowid, heading, content, terms)
  values (new.id, new.heading, new.content, new.terms);
  insert into document_fts (document_fts, rank) select 'merge', pages from inside_word_merging where new.id % every = 0;
end;

create trigger document_section_ad_search after delete on document_section begin
  insert into document_fts (document_fts, rowid, heading, content, terms)
  values ('delete', old.id, old.heading, old.content, old.terms);
  insert into document_fts (document_fts, rank) select 'merge', pages from inside_word_merging where old.id % every = 0;
end;

create trigger document_section_au_search after update of id, heading, content, terms on document_section begin
  insert into document_fts (document_fts, rowid, heading, content, terms)
  values ('delete', old.id, old.heading, old.content, old.terms);
  insert into document_fts (rowid, heading, content, terms)
  values (new.id, new.heading, new.content, new.terms);
  insert into document_fts (document_fts, rank) select 'merge', pages from inside_word_merging where new.id % every = 0;
end;

insert into document_fts (document_fts) values ('rebuild');
