-- Work: what ran at night, what waits for a model, what models cost, what was forgotten.

create table job_run (
  -- One row per job and period, written by the job's first statement: a second run of the period stops there.
  -- The limits are constraints of this row, so a job that would destroy too much aborts whole, on any engine.
  uid               text primary key,               -- 'run_' + 16 hex digits, made by the caller
  job               text not null,                  -- the file's name in schema/jobs, without ending
  period            text not null,                  -- '2026-11-20' for daily jobs, '2026-W47' for weekly ones
  started_at        integer not null,               -- ms UTC
  finished_at       integer,                        -- null: running, or died
  is_forced         integer not null default 0,     -- 1: a person ran it again within the period
  is_stopped        integer not null default 0,     -- 1: it would have gone beyond a limit and changed nothing; note says why
  considered_count  integer not null default 0,     -- active memories when it began
  changed_count     integer not null default 0,
  archived_count    integer not null default 0,
  merged_count      integer not null default 0,
  promoted_count    integer not null default 0,
  allowed_archived  integer not null default 0,     -- what archive_share allows of considered_count
  allowed_merged    integer not null default 0,     -- what merge_share allows of it
  note              text not null default '',       -- one sentence for people
  constraint run_archives_no_more_than_allowed check (archived_count <= allowed_archived),
  constraint run_merges_no_more_than_allowed check (merged_count <= allowed_merged)
) strict;

create unique index job_run_once_per_period on job_run (job, period) where is_forced = 0 and is_stopped = 0;

create table archiving (
  -- What a run has planned to archive and has not archived yet. It goes in portions; the limits were proved on the whole plan.
  run         text not null,      -- job_run.uid
  memory_id   integer not null,
  touched_at  integer not null,   -- ms UTC: what somebody used or changed since then is left alone
  primary key (run, memory_id)
) strict, without rowid;

create table resembling (
  -- Pairs that say the same in other words, found by a writer that can compare (cogmem/learn/alike.py) for the next night.
  one_id      integer primary key,
  other_id    integer not null,
  one_seen    integer,   -- the latest change of each when they were compared
  other_seen  integer    -- null: it never changed
) strict;

create table task (
  -- A piece of work that wants a model. SQL queues it, Python fills it, the next fold applies the result.
  -- States: ready → claimed → filled → done, or dead after too many failures.
  uid            text primary key,                -- 'task_' + 16 hex digits
  purpose        text not null,                   -- notes, judge, merge, summarise …
  subject        text not null,                   -- what it is about; with purpose the key that keeps it single
  payload        text not null,                   -- JSON object: the input
  state          text not null default 'ready',
  attempts       integer not null default 0,
  ready_at       integer not null,                -- ms UTC: not before this instant (back-off)
  lease_ends_at  integer,                         -- ms UTC: a claim that is older may be taken over
  result         text,                            -- JSON, once filled
  error          text not null default '',        -- the last failure, without content
  created_at     integer not null,                -- ms UTC
  done_at        integer,                         -- ms UTC
  constraint task_state_is_known check (
    state = 'ready' or state = 'claimed' or state = 'filled' or state = 'done' or state = 'dead'),
  constraint claimed_task_has_a_lease check ((state = 'claimed') = (lease_ends_at is not null)),
  constraint filled_task_has_a_result check (state <> 'filled' or result is not null),
  constraint payload_is_a_json_object check (json_valid(payload) and json_type(payload) = 'object')
) strict;

create unique index task_once_per_subject on task (purpose, subject) where state in ('ready', 'claimed', 'filled');
create index task_by_readiness on task (state, ready_at);

create table model_call (
  -- What was asked of a model and what it cost. No content.
  id          integer primary key autoincrement,
  purpose     text not null,
  model       text not null,
  run         text not null default '',   -- job_run.uid or task.uid it served
  tokens_in   integer not null default 0,
  tokens_out  integer not null default 0,
  elapsed_ms  integer not null default 0,
  outcome     text not null,              -- ok, timeout, busy, cancelled, error; asked: no answer yet
  asked_at    integer not null            -- ms UTC
) strict;

create index model_call_by_time on model_call (asked_at);

create table receipt (
  -- Proof that something was forgotten for good: what kind of rows went, never what they said.
  id            integer primary key autoincrement,
  uid           text not null,                 -- of the memory that is gone
  removed       text not null,                 -- JSON object: table → number of rows removed or rewritten
  actor         text not null,
  reason        text not null default '',
  forgotten_at  integer not null,              -- ms UTC
  words         text not null default '[]',    -- JSON list of [length, digest] of words named to be forgotten: other files
                                               -- find them by it and cannot read them from it
  sight         text not null default '{}'     -- JSON object: in whose sight words were looked for; it stays in this file,
                                               -- whose backups forget the same
) strict;
