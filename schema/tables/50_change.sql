-- History: who changed what, when, and what it was before.

create table context (
  -- One row: who is writing, why and when. A transaction of cogmem fills it first and clears it last; the history
  -- triggers read it. A client that leaves it empty is recorded as 'unknown', with no instant.
  id        integer primary key,
  act       text,      -- 'act_' + 16 hex digits: names the transaction under way; null: none
  verb      text,      -- what it is doing: learn, update, undo, nightly …
  actor     text,      -- who asked for it
  reason    text,      -- why, in words
  run       text,      -- job_run.uid when a job is at work
  undoes    text,      -- the act or run that this transaction takes back
  acted_at  integer,   -- ms UTC: the instant of the transaction
  last_at   integer not null default 0,   -- ms UTC: instant of the latest transaction; views take it for "now"
  holds     integer not null default 1,   -- a write that was decided on older rows sets it to whether they are still the same
  clock     integer not null default 0,   -- the hybrid clock of this file: ms UTC << 16 and a count; it never goes back
  origin    text,      -- the file that an act comes from which is taken in here; null: the act is this file's own
  constraint there_is_one_context check (id = 1),
  constraint what_was_decided_on_still_holds check (holds = 1)
) strict;

insert into context (id) values (1);

create table change (
  -- One row per row changed, written by triggers, whatever the client. `before` and `after` hold only the
  -- columns that an update changed, the whole row for an insert or a delete. Undo applies them backwards.
  -- The row of a layer comes with its memory, and is told by the memory's insert as long as it says nothing itself.
  id          integer primary key autoincrement,
  act         text,                    -- the transaction; null: a client that set no context
  verb        text not null default '',
  actor       text not null default 'unknown',
  reason      text not null default '',
  run         text,                    -- job_run.uid; null: no job
  undoes      text,                    -- the act or run that this change took back; null: an original change
  record      text not null,           -- the table
  row_key     text not null,           -- its primary key there
  uid         text,                    -- the memory it belongs to; null for policy rows
  action      text not null,
  before      text,                    -- JSON object; null for an insert
  after       text,                    -- JSON object; null for a delete
  changed_at  integer,                 -- ms UTC; null: unknown
  clock       integer,                 -- the hybrid clock of the act: orders acts of all files; null: no act yet
  origin      text,                    -- the file whose act did this here; null: an act of this file
  constraint ids_count_up_from_one check (id > 0),
  constraint action_is_known check (action = 'insert' or action = 'update' or action = 'delete'),
  constraint insert_has_no_before check ((action = 'insert') = (before is null)),
  constraint delete_has_no_after check ((action = 'delete') = (after is null))
) strict;

create index change_by_act on change (act);
create index change_by_run on change (run) where run is not null;
create index change_by_uid on change (uid) where uid is not null;
create index change_by_undone on change (undoes) where undoes is not null;

create trigger context_bd before delete on context begin
  select raise(abort, 'the row of context carries the history; clear its columns instead');
end;

create trigger change_bi before insert on change
when exists (select 1 from change where id = new.id)
begin
  select raise(abort, 'history is never rewritten: a change of this number is there');
end;

create trigger change_bu before update on change
when coalesce((select verb from context), '') <> 'forget'
 -- What a client left without the name of an act is named by the next transaction of cogmem, and nothing else of it.
 and not (old.act is null and (old.id, old.verb, old.actor, old.reason, old.run, old.undoes, old.record, old.row_key, old.uid,
       old.action, old.before, old.after, old.changed_at, old.origin)
    is (new.id, new.verb, new.actor, new.reason, new.run, new.undoes, new.record, new.row_key, new.uid,
       new.action, new.before, new.after, new.changed_at, new.origin))
begin
  select raise(abort, 'history is never rewritten: only forget may take words out of it');
end;

create trigger change_bd before delete on change
when coalesce((select verb from context), '') not in ('forget', 'purge')
begin
  select raise(abort, 'history is never deleted: only forget and purge may');
end;

create table seal (
  -- The chain over the history, one row per stretch: a digest of the changes and receipts of the stretch, and of the
  -- digest before. `check` makes it anew and compares: a change that was edited, or a receipt that was removed, shows.
  -- Written when a process that wrote closes the file, and every night; made anew by forget.
  id         integer primary key autoincrement,
  changes    integer not null,   -- change.id up to which this link reaches
  receipts   integer not null,   -- receipt.id up to which it reaches
  digest     text not null,      -- BLAKE2b, 20 bytes in hex
  sealed_at  integer not null,   -- ms UTC
  constraint seal_is_a_digest check (length(digest) = 40)
) strict;
