-- Whatever client writes a memory, its layer's row comes and goes with it.

create trigger memory_bu_layer before update of layer, kind on memory
when new.layer is not (select layer from kind where name = new.kind)
begin
  select raise(abort, 'memory.layer must be the layer of its kind (see table kind)');
end;

-- INSERT OR REPLACE would take the old row away without leaving history or touching the search index.
create trigger memory_bi before insert on memory begin
  select raise(abort, 'memory.layer must be the layer of its kind (see table kind)')
   where new.layer is not (select layer from kind where name = new.kind);
  select raise(abort, 'a memory with this uid or key is there: update it instead of inserting')
   where exists (select 1 from memory where uid = new.uid)
      or (new.id > 0 and exists (select 1 from memory where id = new.id))
      or (new.key <> '' and new.state in ('candidate', 'active') and exists (
            select 1 from memory where (key, layer, runtime, user, project, session)
                 = (new.key, new.layer, new.runtime, new.user, new.project, new.session)
               and key <> '' and state in ('candidate', 'active')));
end;

-- A client that changes a text in place knows nothing of what the writer worked out of the old one: its hash, the
-- words it is searched by, its length. They are taken away, as if the text had come without them, by the trigger that
-- tells of the change (memory_au_history), so that one undo brings back all of it. Steps and outcomes count as text:
-- these triggers come before, so that the latest change is the client's own.
create trigger procedure_bu_text before update of steps on procedure
when new.steps is not old.steps and (select act from context) is null
begin
  update memory set tokens = null, token_counter = '' where id = new.memory_id;
end;

create trigger episode_bu_text before update of outcome on episode
when new.outcome is not old.outcome and (select act from context) is null
begin
  update memory set tokens = null, token_counter = '' where id = new.memory_id;
end;

create trigger memory_bu_replace before update of key, layer, runtime, user, project, session, state on memory
when new.key <> '' and new.state in ('candidate', 'active') and exists (
       select 1 from memory where (key, layer, runtime, user, project, session)
            = (new.key, new.layer, new.runtime, new.user, new.project, new.session)
          and key <> '' and state in ('candidate', 'active') and id <> old.id)
begin
  select raise(abort, 'another living memory has this key: remove or rename that one first');
end;

create trigger memory_bu_name before update of uid on memory when new.uid <> old.uid begin
  select raise(abort, 'a memory keeps its uid: history and exports know it by that name');
end;

-- Foreign keys say the same, but stock shells leave them off.
create trigger kind_bd before delete on kind
when exists (select 1 from memory where kind = old.name and state in ('candidate', 'active', 'archived', 'deleted'))
begin
  select raise(abort, 'memories are of this kind: give them another kind first');
end;

create trigger memory_ai_layer after insert on memory begin
  insert into fact (memory_id, recorded_at) select new.id, new.created_at
   where new.layer = 'semantic' and not exists (select 1 from fact where memory_id = new.id);
  insert into episode (memory_id, happened_at) select new.id, new.created_at
   where new.layer = 'episodic' and not exists (select 1 from episode where memory_id = new.id);
  insert into procedure (memory_id) select new.id
   where new.layer = 'procedural' and not exists (select 1 from procedure where memory_id = new.id);
end;

-- Children first, also where the client left foreign keys off, so that history can be undone backwards.
create trigger memory_bd_layer before delete on memory begin
  delete from link where from_id = old.id or to_id = old.id;
  delete from undated where memory_id = old.id;
  update document set memory_id = null where memory_id = old.id;
  update fact set superseded_by = null where superseded_by = old.id;
  delete from fact where memory_id = old.id;
  delete from episode where memory_id = old.id;
  delete from procedure where memory_id = old.id;
  delete from baseline where memory_id = old.id;
  delete from fading where memory_id = old.id;
  delete from projection where memory_id = old.id;
  delete from touched where memory_id = old.id;
end;

-- When a transaction is over and not before, so that what it decided on is still as it was read.
create trigger context_au_undated after update of acted_at on context
when new.acted_at is null and old.acted_at is not null and exists (select 1 from undated)
begin
  update context set verb = 'date', actor = 'cogmem', acted_at = old.acted_at where id = 1;
  update memory set created_at = old.acted_at, updated_at = old.acted_at, reinforced_at = old.acted_at where id in (select memory_id from undated);
  update fact set recorded_at = old.acted_at where memory_id in (select memory_id from undated);
  update episode set happened_at = old.acted_at where memory_id in (select memory_id from undated);
  delete from undated;
  update context set verb = null, actor = null, acted_at = null where id = 1;
end;
