-- Files: which memories are about which files, by the paths that their writers noted in `data`.

create view inside_touched as
  -- What `touched` must hold: each path of a memory that names several.
  select p.value as path, m.id as memory_id, coalesce(json_extract(m.data, '$.weight'), 2) as weight
    from memory m, json_each(m.data, '$.paths') p
   where instr(m.data, '"paths"') > 0 and p.type = 'text';

create table touched (
  -- One row per file that a commit changed, or that another memory names in data.paths.
  path       text not null,
  memory_id  integer not null references memory (id) on delete cascade,
  weight     integer not null,   -- how much it tells about its files: 0 nothing, 3 a lot
  primary key (path, memory_id)
) strict, without rowid;

create index touched_by_memory on touched (memory_id);

create trigger memory_ai_touched after insert on memory when instr(new.data, '"paths"') > 0 begin
  insert into touched (path, memory_id, weight) select distinct path, memory_id, weight from inside_touched where memory_id = new.id;
end;

create trigger memory_au_touched after update of data on memory
when new.data <> old.data and (instr(new.data, '"paths"') > 0 or instr(old.data, '"paths"') > 0)
begin
  delete from touched where memory_id = old.id;
  insert into touched (path, memory_id, weight) select distinct path, memory_id, weight from inside_touched where memory_id = new.id;
end;

insert into touched (path, memory_id, weight) select distinct path, memory_id, weight from inside_touched;
