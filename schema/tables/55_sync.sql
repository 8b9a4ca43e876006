-- Other files of the same memory: whom this one exchanges acts with, and what of theirs was taken in.

create table peer (
  -- One row per file or folder that this one exchanged acts with, and one for itself.
  origin    text primary key,             -- 'org_' + 16 hex digits, made by the file; of a folder 'dir_' and 16
  is_self   integer not null default 0,   -- 1: this file
  label     text not null default '',     -- what a person knows it by
  changes   integer not null default 0,   -- change.id there up to which its acts are here; of this file: up to which they are settled
  arrivals  integer not null default 0,   -- arrival.id there up to which they are here; of this file: up to which they are settled
  receipts  integer not null default 0,   -- receipt.id there up to which they are here
  proof     text not null default '',     -- what stands at these places there: if it differs, the file was restored
  taken     text not null default '{}',   -- of a folder: JSON object, name of a file there -> 1: put there by this memory, 0: read, 2: read in part
  met_at    integer,                      -- ms UTC: the last exchange; null: none yet
  constraint peer_is_self_or_other check (is_self in (0, 1)),
  constraint taken_is_a_json_object check (json_valid(taken) and json_type(taken) = 'object')
) strict, without rowid;

create table arrival (
  -- One row per act of another file and memory (or policy row) that it changed, as its writer recorded it. What a memory
  -- is follows from all acts that are known of it, in the order of their clocks.
  id          integer primary key autoincrement,
  act         text not null,            -- as in change, and so the next ones
  subject     text not null,            -- the memory's uid; 'setting silence', 'kind rumour' … for policy
  clock       integer not null,         -- of the act: the order of all acts of all files
  origin      text not null,            -- the file that it comes from
  verb        text not null default '', -- what the writer was doing
  actor       text not null default 'unknown', -- who asked for it there
  reason      text not null default '', -- why, in words
  run         text,                     -- the job run there; null: no job
  undoes      text,                     -- the act that this one took back; null: none
  changed_at  integer,                  -- ms UTC: the writer's instant; null: unknown
  changes     text not null,            -- JSON list of [record, action, before, after]; memories are named by uid, not by id
  constraint changes_are_a_json_list check (json_valid(changes) and json_type(changes) = 'array')
) strict;

create unique index arrival_once on arrival (subject, act);

create trigger arrival_bu before update on arrival
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'what another file said is never rewritten: only forget may take words out of it');
end;

create trigger arrival_bd before delete on arrival
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'what another file said is never deleted: only forget may');
end;

create table claim (
  -- What a memory wants and does not have: its key, which a later claim took, a memory that is not here, or its rest: it
  -- was merged into one that was merged into it.
  wants    text not null,   -- 'key ' and the key with its place as JSON; the uid of a memory; 'kind ' and its name; 'rest';
                            -- 'forgotten by ' and a guest of a hub: if he made it, it goes when it comes
  subject  text not null,   -- the memory that wants it
  primary key (wants, subject)
) strict, without rowid;

create index claim_by_subject on claim (subject);
