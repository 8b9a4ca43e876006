-- Projections: how a new text finds the old one that says the same, without a scan and without a model.

create table projection (
  -- One row per memory that the writer projected (cogmem/language/similarity.py): 256 signed bytes of unit length. A memory
  -- without a row is projected when it is compared; the night that compares it fills what is missing.
  memory_id  integer primary key references memory (id) on delete cascade,
  vector     blob not null,
  constraint projection_has_256_dimensions check (length(vector) = 256)
) strict;

-- A changed text has another projection, whoever changed it.
create trigger memory_au_projection after update of content on memory when new.content <> old.content begin
  delete from projection where memory_id = old.id;
end;
