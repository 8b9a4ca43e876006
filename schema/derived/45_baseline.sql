-- Layer A in the order in which it is served, so that a turn reads its head and sorts nothing.

create table baseline (
  -- One row per active memory that layer A may show: baseline kinds from priority high up, and pinned kinds.
  memory_id  integer primary key references memory (id) on delete cascade,
  user       text not null,
  project    text not null,
  priority   integer not null,
  fades_at   integer not null   -- ms UTC, as in fading; the end of time for kinds that never fade
) strict;

create index baseline_by_rank on baseline (user, project, priority desc, fades_at desc);

create view baseline_due as
  -- What `baseline` must hold.
  select m.id as memory_id, m.user, m.project, m.priority,
         coalesce((select f.fades_at from fading f where f.memory_id = m.id), 9223372036854775807) as fades_at
    from memory m join kind k on k.name = m.kind
   where m.state = 'active' and m.path_glob = '' and (k.is_pinned = 1 or k.is_baseline = 1 and m.priority >= 3);

create trigger fading_ai_baseline after insert on fading begin
  update baseline set fades_at = new.fades_at where memory_id = new.memory_id;
end;

create trigger fading_ad_baseline after delete on fading begin
  update baseline set fades_at = 9223372036854775807 where memory_id = old.memory_id;
end;

create trigger memory_ai_baseline after insert on memory
when new.state = 'active' and exists (select 1 from kind where name = new.kind and (is_pinned = 1 or is_baseline = 1))
begin
  insert into baseline select memory_id, user, project, priority, fades_at from baseline_due where memory_id = new.id;
end;

create trigger memory_au_baseline
after update of kind, state, priority, user, project, path_glob, reinforcement_count, reinforced_at, accessed_at on memory
when exists (select 1 from kind where name in (old.kind, new.kind) and (is_pinned = 1 or is_baseline = 1))
begin
  delete from baseline where memory_id = old.id;
  insert into baseline select memory_id, user, project, priority, fades_at from baseline_due where memory_id = new.id;
end;

create trigger memory_ad_baseline after delete on memory begin
  delete from baseline where memory_id = old.id;
end;

create trigger kind_au_baseline after update of is_pinned, is_baseline on kind begin
  delete from baseline where memory_id in (select id from memory where kind = new.name);
  insert into baseline select b.memory_id, b.user, b.project, b.priority, b.fades_at
    from baseline_due b join memory m on m.id = b.memory_id where m.kind = new.name;
end;

insert into baseline select memory_id, user, project, priority, fades_at from baseline_due;
