-- Merge memories that say the same: to the letter (see the view merger), or in other words, where a writer compared those
-- that nobody had compared yet (see the view inside_resembles). The winner takes the counts, tags, evidence and priority of the
-- others, and their words; they are archived, and a link merged_from leads to them.
-- reads: memory, fact, episode, procedure, link, change, setting, kind, resembling
-- writes: job_run, memory, procedure, link, resembling
-- period: week
-- params: :run, :now, :period, :is_forced
-- first: resemble
-- then: unite

insert into job_run (uid, job, period, started_at, is_forced, considered_count, allowed_merged)
select :run, '30_deduplicate', :period, :now, :is_forced, n,
       {allowed n, share}
  from (select count(*) as n from memory where state = 'active'),
       (select cast(value as real) as share from setting where name = 'merge_share');

insert into link (from_id, relation, to_id, created_at)
select winner_id, 'merged_from', loser_id, :now
  from merger g
 where not exists (select 1 from link l where (l.from_id, l.relation, l.to_id) = (g.winner_id, 'merged_from', g.loser_id))
 order by loser_id;

insert into link (from_id, relation, to_id, created_at)
select winner_id, 'merged_from', loser_id, :now
  from inside_resembles g
 where not exists (select 1 from {merging e}
                    where e.winner_id in (g.winner_id, g.loser_id) or e.loser_id in (g.winner_id, g.loser_id))
   and not exists (select 1 from link l where (l.from_id, l.relation, l.to_id) = (g.winner_id, 'merged_from', g.loser_id))
 order by loser_id;

-- Too many, and the constraint of job_run aborts the whole job.
update job_run set merged_count = (select count(*) from {merging x}) where uid = :run;

update memory
   set reinforcement_count = memory.reinforcement_count + lost.reinforcement_count,
       access_count = memory.access_count + lost.access_count,
       reinforced_at = max(memory.reinforced_at, lost.reinforced_at),
       accessed_at = nullif(max(coalesce(memory.accessed_at, 0), lost.accessed_at), 0),
       priority = max(memory.priority, lost.priority),
       updated_at = :now
  from (select g.winner_id, sum(o.reinforcement_count) as reinforcement_count, sum(o.access_count) as access_count,
               max(o.reinforced_at) as reinforced_at, max(coalesce(o.accessed_at, 0)) as accessed_at,
               max(o.priority) as priority
          from {merging g} join memory o on o.id = g.loser_id group by g.winner_id) lost
 where memory.id = lost.winner_id;

update memory set tags = united.tags
  from (select winner_id, json_group_array(tag) as tags
          from (select winner_id, tag, min(place) as place
                  from (select g.winner_id, j.value as tag, j.key as place
                          from (select distinct winner_id from {merging x}) g join memory w on w.id = g.winner_id, json_each(w.tags) j
                        union all
                        select g.winner_id, j.value, 1000 + j.key
                          from {merging g} join memory o on o.id = g.loser_id, json_each(o.tags) j)
                 group by winner_id, tag order by winner_id, place, tag)
         group by winner_id) united
 where memory.id = united.winner_id and memory.tags <> united.tags;

update procedure
   set success_count = procedure.success_count + lost.success_count,
       failure_count = procedure.failure_count + lost.failure_count,
       recent_successes = procedure.recent_successes + lost.recent_successes,
       recent_failures = procedure.recent_failures + lost.recent_failures,
       used_at = nullif(max(coalesce(procedure.used_at, 0), lost.used_at), 0)
  from (select g.winner_id, sum(o.success_count) as success_count, sum(o.failure_count) as failure_count,
               sum(o.recent_successes) as recent_successes, sum(o.recent_failures) as recent_failures,
               max(coalesce(o.used_at, 0)) as used_at
          from {merging g} join procedure o on o.memory_id = g.loser_id group by g.winner_id) lost
 where procedure.memory_id = lost.winner_id;

-- What bore out a loser bears out the winner, and what a loser bore out, the winner does.
insert into link (from_id, relation, to_id, message_id, created_at)
select distinct g.winner_id, l.relation, l.to_id, l.message_id, :now
  from {merging g} join link l on l.from_id = g.loser_id
 where l.relation in ('evidence', 'derived_from', 'related', 'contradicts') and l.to_id is not g.winner_id
   and not exists (select 1 from link h where h.from_id = g.winner_id and h.relation = l.relation
                      and h.to_id is l.to_id and h.message_id is l.message_id)
 order by 1, 2, 3, 4;

insert into link (from_id, relation, to_id, created_at)
select distinct l.from_id, l.relation, g.winner_id, :now
  from {merging g} join link l on l.to_id = g.loser_id
 where l.relation in ('evidence', 'derived_from', 'related', 'contradicts') and l.from_id <> g.winner_id
   and not exists (select 1 from link h where (h.from_id, h.relation, h.to_id) = (l.from_id, l.relation, g.winner_id))
 order by 1, 2, 3;

update memory set state = 'archived', archived_at = :now, archive_reason = 'merged', updated_at = :now
 where id in (select loser_id from {merging x});

delete from resembling;

update job_run
   set finished_at = :now, changed_count = (select count(distinct uid) from change where run = :run)
 where uid = :run;
