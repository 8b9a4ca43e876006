-- Strength: weight × decay × reinforcement, without exp() or pow(), which common builds lack.

create table halving (
  -- Decay by look-up: what is left of 1 after step/64 half-lives, for the steps of the first one and for whole ones.
  step    integer primary key,   -- 0 to 63, and the multiples of 64
  factor  real not null
) strict;

insert into halving (step, factor) values
  (0, 1.0), (1, 0.9892280131939755), (2, 0.9785720620877001), (3, 0.9680308967461472),
  (4, 0.9576032806985737), (5, 0.9472879907934828), (6, 0.93708381705515), (7, 0.9269895625416927),
  (8, 0.9170040432046712), (9, 0.9071260877501994), (10, 0.8973545375015536), (11, 0.8876882462632606),
  (12, 0.8781260801866497), (13, 0.8686669176368531), (14, 0.859309649061239), (15, 0.8500531768592617),
  (16, 0.8408964152537145), (17, 0.8318382901633682), (18, 0.8228777390769825), (19, 0.8140137109286739),
  (20, 0.8052451659746271), (21, 0.7965710756711335), (22, 0.7879904225539432), (23, 0.7795022001189185),
  (24, 0.7711054127039704), (25, 0.7627990753722692), (26, 0.7545822137967114), (27, 0.7464538641456324),
  (28, 0.7384130729697497), (29, 0.7304588970903235), (30, 0.7225904034885233), (31, 0.714806669195985),
  (32, 0.7071067811865476), (33, 0.6994898362691556), (34, 0.691954940981916), (35, 0.6845012114872953),
  (36, 0.6771277734684463), (37, 0.6698337620266515), (38, 0.6626183215798707), (39, 0.6554806057623822),
  (40, 0.6484197773255048), (41, 0.6414350080393891), (42, 0.6345254785958666), (43, 0.6276903785123455),
  (44, 0.620928906036742), (45, 0.614240268053435), (46, 0.6076236799902345), (47, 0.6010783657263515),
  (48, 0.5946035575013605), (49, 0.5881984958251406), (50, 0.5818624293887887), (51, 0.5755946149764913),
  (52, 0.5693943173783458), (53, 0.5632608093041209), (54, 0.5571933712979462), (55, 0.5511912916539204),
  (56, 0.5452538663326288), (57, 0.5393803988785599), (58, 0.5335702003384118), (59, 0.5278225891802786),
  (60, 0.5221368912137069), (61, 0.5165124395106142), (62, 0.5109485743270583), (63, 0.5054446430258502);

-- And the whole half-lives, for the way back: from what is left to how long it takes.
with recursive halvings (n, share) as (select 1, 0.5 union all select n + 1, share * 0.5 from halvings where n < 63)
insert into halving (step, factor) select 64 * n, share from halvings;

insert into halving (step, factor) values (4096, 0.0);

create table half_life (
  -- What follows from a kind and from two settings, worked out once: each memory that is written asks for it.
  kind          text primary key,
  weight        real not null,
  half_life_ms  integer not null,  -- 0: it never fades
  least         real not null      -- the strength below which a memory is archived; 0: none is
) strict, without rowid;

create view inside_half_life_due as
  -- What `half_life` must hold.
  select k.name as kind, k.weight,
         cast(round(min(36525, coalesce(k.half_life_days,
           (select cast(value as real) from setting where name = 'half_life_days'), 90)) * 86400000) as integer) as half_life_ms,
         coalesce((select cast(value as real) from setting where name = 'archive_threshold'), 0) as least
    from kind k;

insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due;

create trigger kind_ai_half_life after insert on kind begin
  insert into half_life select kind, weight, half_life_ms, least from inside_half_life_due where kind = new.name;
end;

create trigger kind_ad_half_life after delete on kind begin
  delete from half_life where kind = old.name;
end;

create table fading (
  -- When each active memory will have faded below the archive threshold if nobody uses it. These instants never
  -- change by themselves, so a night compares them with its own and rewrites nothing. It reads all of them, a million
  -- in 50 ms: an index would be another page to write with every memory.
  memory_id  integer primary key references memory (id) on delete cascade,
  fades_at   integer not null   -- ms UTC; memories of kinds that never fade, and what a person said, have no row
) strict;

create view inside_fading_due as
  -- What `fading` must hold: the first instant at which weight × decay × reinforcement < archive_threshold.
  -- With a threshold of 0 there is none, and no row. What was heard of a person (`data.rule`) grows weaker, and is found
  -- less; but age alone is no judge of what somebody said and nobody contradicted.
  select m.id as memory_id,
         {last_use m} + ({steps_to h.least / (h.weight * m.reinforcement_count)} * h.half_life_ms + 63) / 64 as fades_at
    from memory m join half_life h on h.kind = m.kind
   where m.state = 'active' and h.half_life_ms > 0 and h.least > 0 and m.data ->> '$.rule' is null;

create trigger memory_au_fading after update of kind, state, data, reinforcement_count, reinforced_at, accessed_at on memory begin
  delete from fading where memory_id = old.id;
  insert into fading select memory_id, fades_at from inside_fading_due where memory_id = new.id;
end;

insert into fading select memory_id, fades_at from inside_fading_due;

create view strength as
  -- How strong each memory is at the instant of the latest transaction (context.last_at).
  select m.id as memory_id, m.uid, h.weight, {decay c.last_at - {last_use m}, h.half_life_ms} as decay, m.reinforcement_count,
         h.weight * {decay c.last_at - {last_use m}, h.half_life_ms} * m.reinforcement_count as strength,
         datetime({last_use m} / 1000, 'unixepoch') as used_at, h.half_life_ms
    from memory m
    join half_life h on h.kind = m.kind
    join context c;
