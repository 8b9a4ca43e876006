-- Figures for pictures: called by cogmem/inspect/plot.py, for the page of `cogmem inspect`.

-- name: growth()
-- How the memory grew: one row per day on which something came or went.
select day, learned, archived, removed, living, put_away from growth order by day

-- name: budget(turns)
-- What the latest turns spent their budget on, the oldest of them first.
select turn, activated_at, prompt, budget, tokens, stable_tokens, contextual_tokens, procedure_tokens, scoped_tokens, heading_tokens
  from (select * from turn_cost order by activation_id desc limit :turns) order by activation_id

-- name: retrieval(turns)
-- Which share of what the latest turns found worth showing would fit into a budget, and of what hosts called useful. Lines are taken
-- as they ranked; headings are left out.
with recursive
grid (budget) as (select 50 union all select budget + 50 from grid where budget < 1600),
item as (
  select i.was_useful, sum(i.tokens) over (
           partition by i.activation_id order by i.layer <> 'A', i.position, i.layer, i.ref rows unbounded preceding) as cost
    from activation_item i
   where i.stage in ('chosen', 'budget') and i.activation_id in (select id from activation order by id desc limit :turns))
select g.budget, round(avg(i.cost <= g.budget), 4) as share,
       round(avg(case when i.was_useful = 1 then i.cost <= g.budget end), 4) as useful,
       (select cast(value as integer) from setting where name = 'budget_tokens') as present
  from grid g cross join item i group by g.budget order by g.budget

-- name: decay()
-- How the kinds in use fade when nobody uses them, the commonest six: one row per kind and day.
with recursive
day (day) as (select 0 union all select day + 10 from day where day < 360),
used as (select kind, count(*) as memories from memory where state = 'active' group by kind order by memories desc, kind limit 6)
select u.kind, d.day, round(h.weight * {decay d.day * 86400000, h.half_life_ms}, 4) as strength,
       (select cast(value as real) from setting where name = 'strength_threshold') as shown_from,
       (select cast(value as real) from setting where name = 'archive_threshold') as kept_from
  from used u join half_life h on h.kind = u.kind
  cross join day d
 order by u.memories desc, u.kind, d.day

-- name: nights(runs)
-- What the latest nights did, the oldest of them first.
select night, archived, merged, promoted from (
  select substr(started_at, 1, 10) as night, sum(archived_count) as archived, sum(merged_count) as merged, sum(promoted_count) as promoted
    from night_run where is_undone = 0 group by 1 order by 1 desc limit :runs)
 order by night
