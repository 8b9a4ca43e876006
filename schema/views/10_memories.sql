-- Views for people. Instants are shown as UTC text; strength is that of the latest transaction's instant.

create view semantic_memory as
  -- What is held true, whole: spine, fact and strength in one row.
  select m.uid, m.kind, m.key, m.content, m.tags, f.topic, m.state, m.priority,
         round(s.strength, 4) as strength, m.reinforcement_count, m.access_count, f.confidence, m.source, m.trust,
         m.runtime, m.user, m.project, m.session, m.path_glob,
         datetime(f.valid_from / 1000, 'unixepoch') as valid_from, datetime(f.valid_to / 1000, 'unixepoch') as valid_to,
         datetime(f.recorded_at / 1000, 'unixepoch') as recorded_at,
         (select n.uid from memory n where n.id = f.superseded_by) as superseded_by,
         datetime(m.created_at / 1000, 'unixepoch') as created_at, datetime(m.updated_at / 1000, 'unixepoch') as updated_at,
         s.used_at, m.tokens, m.id as memory_id
    from memory m join fact f on f.memory_id = m.id join strength s on s.memory_id = m.id
   where m.layer = 'semantic' and m.state <> 'deleted';

create view episodic_memory as
  -- What happened, whole.
  select m.uid, m.kind, m.content as event, e.outcome, m.tags, datetime(e.happened_at / 1000, 'unixepoch') as happened_at,
         e.session_name, e.turns, e.form, m.state, m.priority, round(s.strength, 4) as strength,
         m.reinforcement_count, m.access_count, m.source, m.trust, m.runtime, m.user, m.project, m.session, m.path_glob,
         datetime(m.created_at / 1000, 'unixepoch') as created_at, s.used_at,
         m.tokens, m.id as memory_id
    from memory m join episode e on e.memory_id = m.id join strength s on s.memory_id = m.id
   where m.layer = 'episodic' and m.state <> 'deleted';

create view procedural_memory as
  -- How to act, whole.
  select m.uid, m.kind, m.key as name, m.content as description, p.context, p.steps, p.success_count, p.failure_count,
         round({chance p}, 2) as chance, {keeps_failing p} as keeps_failing, p.failed_because,
         datetime(p.used_at / 1000, 'unixepoch') as tried_at, m.tags, m.state, m.priority, round(s.strength, 4) as strength,
         m.reinforcement_count, m.access_count, m.source, m.trust, m.runtime, m.user, m.project, m.session, m.path_glob,
         datetime(m.created_at / 1000, 'unixepoch') as created_at, s.used_at,
         m.tokens, m.id as memory_id
    from memory m join procedure p on p.memory_id = m.id join strength s on s.memory_id = m.id
   where m.layer = 'procedural' and m.state <> 'deleted';

create view archived as
  -- What faded, was merged or expired: still found by search, never injected.
  select uid, layer, kind, content, archive_reason, datetime(archived_at / 1000, 'unixepoch') as archived_at,
         runtime, user, project, id as memory_id
    from memory where state = 'archived';

create view candidate as
  -- What waits for a confirmation: not injected yet. Change its content here, set its state to 'active' to confirm it, or delete it.
  select uid, layer, kind, content, state, source, trust, datetime(created_at / 1000, 'unixepoch') as created_at,
         runtime, user, project, id as memory_id
    from memory where state = 'candidate';

create trigger candidate_iu instead of update of content, state on candidate begin
  select raise(abort, 'a candidate is confirmed by state active, and put away by state deleted')
   where new.state not in ('candidate', 'active', 'deleted');
  select raise(abort, 'there is nothing to remember: give a content') where trim(new.content) = '';
  update memory
     set state = new.state, content = trim(new.content), updated_at = (select last_at from context),
         content_hash = case content when trim(new.content) then content_hash else '' end,
         tokens = case content when trim(new.content) then tokens end
   where id = old.memory_id;
end;

create trigger candidate_id instead of delete on candidate begin
  update memory set state = 'deleted', archive_reason = 'by hand', updated_at = (select last_at from context) where id = old.memory_id;
end;

create view superseded as
  -- What was held true until something newer took its place.
  select old.uid, old.content, f.topic, datetime(f.valid_from / 1000, 'unixepoch') as valid_from,
         datetime(f.valid_to / 1000, 'unixepoch') as valid_to, new.uid as successor, new.content as now_held,
         old.id as memory_id
    from fact f join memory old on old.id = f.memory_id left join memory new on new.id = f.superseded_by
   where f.valid_to is not null;

create view duplicate as
  -- Memories of one layer, kind and scope that say the same to the letter, the oldest first.
  select a.uid, b.uid as duplicate_uid, a.kind, a.content, a.reinforcement_count, b.reinforcement_count as duplicate_count,
         a.id as memory_id, b.id as duplicate_id
    from memory a
    join memory b on b.content_hash = a.content_hash and b.id > a.id
     and (b.layer, b.kind, b.runtime, b.user, b.project, b.session, b.path_glob, b.polarity)
         = (a.layer, a.kind, a.runtime, a.user, a.project, a.session, a.path_glob, a.polarity)
   where a.content_hash <> '' and b.content_hash <> '' and a.state = 'active' and b.state = 'active';

create view sight as
  -- Which memories each scope sees: one row per viewer (a scope that owns anything) and memory.
  select v.runtime as viewer_runtime, v.user as viewer_user, v.project as viewer_project, v.session as viewer_session,
         m.uid, m.layer, m.kind, m.content, m.state, m.path_glob, m.id as memory_id
    from (select distinct runtime, user, project, session from memory) v
    join memory m on m.runtime in ('', v.runtime) and m.user in ('', v.user)
     and m.project in ('', v.project) and m.session in ('', v.session)
   where m.state <> 'deleted';

create view holding as
  -- How much there is, by layer, kind and state, with the tokens it would cost.
  select layer, kind, state, count(*) as memories, sum(coalesce(tokens, 0)) as tokens, datetime(max(updated_at) / 1000, 'unixepoch') as updated_at
    from memory group by layer, kind, state;

create view act as
  -- History by transaction, the newest last: what `cogmem log` prints and `cogmem undo` takes back.
  select min(c.id) as change_id, c.act, c.verb, c.actor, c.reason, c.run, c.undoes, datetime(c.changed_at / 1000, 'unixepoch') as changed_at,
         count(*) as rows_changed, count(distinct c.uid) as memories, min(c.uid) as uid,
         exists (select 1 from change u where u.undoes in (c.act, c.run, 'change ' || c.id)
                 and not exists (select 1 from change r where r.undoes = u.act)) as is_undone
    from change c group by coalesce(c.act, 'change ' || c.id);
