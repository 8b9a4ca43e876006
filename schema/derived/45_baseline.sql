-- Layer A in the order in which it is served, so that a turn reads its head and sorts nothing.

create table baseline (
  -- One row per active memory that layer A may show: baseline kinds from priority high up, pinned kinds, and what a
  -- person told as a standing wish, whatever its priority, or said again and again. What was said once is not here.
  memory_id  integer primary key references memory (id) on delete cascade,
  user       text not null,
  project    text not null,
  priority   integer not null,
  fades_at   integer not null   -- ms UTC, as in fading; the end of time for kinds that never fade
) strict;

create index baseline_by_rank on baseline (user, project, priority desc, fades_at desc);

create view inside_baseline_due as
  -- What `baseline` must hold. It asks the rule and not `fading`, so that neither table waits for the other.
  select m.id as memory_id, m.user, m.project, m.priority,
         coalesce((select f.fades_at from inside_fading_due f where f.memory_id = m.id), 9223372036854775807) as fades_at
    from memory m join kind k on k.name = m.kind
   where m.state = 'active' and m.path_glob = ''
     and (k.is_pinned = 1 or k.is_baseline = 1 and m.priority >= 3
          or k.is_wish = 1 and (m.source = 'user_explicit' or m.source = 'observed' and m.priority >= 3));

create trigger memory_ai_baseline after insert on memory when new.state = 'active' begin
  insert into fading select memory_id, fades_at from inside_fading_due where memory_id = new.id;
  insert into baseline select memory_id, user, project, priority, fades_at from inside_baseline_due where memory_id = new.id
     and exists (select 1 from kind where name = new.kind and 1 in (is_pinned, is_baseline, is_wish));
end;

create trigger memory_au_baseline
after update of kind, state, priority, source, user, project, path_glob, reinforcement_count, reinforced_at, accessed_at on memory
when exists (select 1 from kind where name in (old.kind, new.kind) and 1 in (is_pinned, is_baseline, is_wish))
begin
  delete from baseline where memory_id = old.id;
  insert into baseline select memory_id, user, project, priority, fades_at from inside_baseline_due where memory_id = new.id;
end;

-- A kind or a setting that is turned: first what follows from it alone, then what follows from that.

create trigger half_life_ai after insert on half_life begin
  delete from fading where memory_id in (select id from memory where state = 'active' and kind = new.kind);
  insert into fading select memory_id, fades_at from inside_fading_due
   where memory_id in (select id from memory where state = 'active' and kind = new.kind);
  delete from baseline where memory_id in (select id from memory where state = 'active' and kind = new.kind);
  insert into baseline select memory_id, user, project, priority, fades_at from inside_baseline_due
   where memory_id in (select id from memory where state = 'active' and kind = new.kind);
end;

create trigger kind_au_strength after update of weight, half_life_days, is_pinned, is_baseline, is_wish on kind begin
  delete from half_life where kind = new.name;
  insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due where kind = new.name;
end;

create trigger setting_ai_strength after insert on setting when new.name in ('half_life_days', 'archive_threshold') begin
  delete from half_life;
  insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due;
end;

create trigger setting_au_strength after update on setting
when old.name in ('half_life_days', 'archive_threshold') or new.name in ('half_life_days', 'archive_threshold') begin
  delete from half_life;
  insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due;
end;

create trigger setting_ad_strength after delete on setting when old.name in ('half_life_days', 'archive_threshold') begin
  delete from half_life;
  insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due;
end;

insert into baseline select memory_id, user, project, priority, fades_at from inside_baseline_due;
