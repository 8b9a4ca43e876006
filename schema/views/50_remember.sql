-- Writing by hand, in two columns; and a list of what there is to look at.

create view remember as
  -- Write here to remember something: insert into remember (content, kind) values ('Mara prefers tea.', 'preference').
  -- kind: a kind or one of its names, a plain fact without one. Also key, user, project, and learned_at as UTC text; without
  -- it the memory is given the instant of the next transaction of cogmem.
  select content, kind, key, user, project, datetime(created_at / 1000, 'unixepoch') as learned_at
    from memory where state = 'active';

create trigger remember_ii instead of insert on remember begin
  select raise(abort, 'there is nothing to remember: give a content') where coalesce(trim(new.content), '') = '';
  select raise(abort, 'no kind is called so: select name, meaning from kind')
   where new.kind is not null and not exists (
     select 1 from kind where name = lower(trim(new.kind))
     union all select 1 from kind_alias where vocabulary = '' and alias = lower(trim(new.kind)));
  select raise(abort, 'learned_at is UTC text like 2027-01-15 08:00')
   where new.learned_at is not null and strftime('%s', new.learned_at) is null;
  -- The uid follows from the words, from the place in this file and from its latest instant: nothing is drawn by lot, and
  -- two files give one uid only to the same words in the same place at the same age.
  insert into memory (uid, layer, kind, key, content, user, project, priority, created_at, updated_at, reinforced_at)
  select 'mem_' || printf('%016x', (
           with recursive
           told (words) as (select substr(new.content, 1, 400) || char(10) || length(new.content) || k.name || ' ' || c.last_at
             || ' ' || coalesce((select seq from sqlite_sequence where name = 'memory'), 0)
             || ' ' || coalesce((select seq from sqlite_sequence where name = 'change'), 0)),
           hashed (place, sum) as (
             select 1, 5381 union all
             select place + 1, (sum * 31 + unicode(substr(words, place, 1))) % 144115188075855859 from told, hashed
              where place <= length(words))
           select sum * 16 + place % 16 from hashed order by place desc limit 1)),
         k.layer, k.name, coalesce(new.key, ''), trim(new.content), case k.is_shared when 1 then '' else coalesce(new.user, '') end,
         coalesce(new.project, ''), k.default_priority, i.at, i.at, i.at
    from context c
    join (select coalesce(cast(strftime('%s', new.learned_at) as integer) * 1000, (select last_at from context)) as at) i
    join kind k on k.name = coalesce(
           (select name from kind where name = lower(trim(new.kind))),
           (select kind from kind_alias where vocabulary = '' and alias = lower(trim(new.kind))), 'fact');
  insert into undated (memory_id) select max(id) from memory where new.learned_at is null having max(id) is not null;
end;

create view guide as
  -- What there is to look at and to write to: each view for people, with what one row of it is.
  select name, substr(said, 1, instr(said, char(10)) - 1) as meaning
    from (select name, substr(sql, instr(sql, '-- ') + 3) || char(10) as said from sqlite_schema
           where type = 'view' and instr(sql, '-- ') > 0 and name <> 'guide')
   where name not glob 'inside_*'
   order by name = 'remember' desc, name;
