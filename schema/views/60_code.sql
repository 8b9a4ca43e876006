-- The code at hand, for people: what is known of each file, and which places in it memories cite.

create view file_story as
  -- Each file with what is known of it: commits, reasons, rules by path, failures. `cogmem sql "select … where path = '…'"`.
  select t.path, datetime(coalesce(e.happened_at, f.valid_from, m.created_at) / 1000, 'unixepoch') as happened_at,
         m.kind, m.content, t.weight, m.state, f.superseded_by is not null as is_amended, m.project, m.uid
    from touched t
    join memory m on m.id = t.memory_id
    left join episode e on e.memory_id = m.id
    left join fact f on f.memory_id = m.id
   where m.state <> 'deleted'
  union all
  select m.path_glob, datetime(coalesce(f.valid_from, m.created_at) / 1000, 'unixepoch'), m.kind, m.content, 2, m.state,
         f.superseded_by is not null, m.project, m.uid
    from memory m left join fact f on f.memory_id = m.id
   where m.path_glob <> '' and m.state <> 'deleted';

create view cited_code as
  -- Each place in the code that a memory cites, and whether it still stood when it was last looked at.
  select m.uid, m.content, c.path, c.symbol, c.first_line, c.line_count, c.standing,
         datetime(c.checked_at / 1000, 'unixepoch') as checked_at, m.project
    from citation c join memory m on m.id = c.memory_id
   where m.state <> 'deleted';
