-- What a memory on an rqlite cluster has beside the tables of every memory: docs/decisions.md.
-- A file that is no cluster's has none of it, and `cogmem bulk move` leaves it behind.

create table cluster (
  -- One row: which cluster this is, how many batches it has taken, and who works alone for a moment.
  id          integer primary key,
  uid         text not null,      -- 'clu_' + 16 hex digits: a copy of another cluster under the same address is told by it
  at          integer not null,   -- number of the newest batch; a copy that has the same number has the same rows
  held_by     text,               -- the client that works alone, such as a night; null: nobody
  held_until  integer,            -- ms UTC: whoever it is has died when this is over
  constraint there_is_one_cluster check (id = 1)
) strict;

create table cluster_batch (
  -- One row per write that the cluster took: other copies do the same, in this order. The newest few thousand are kept;
  -- a copy that is further behind is fetched whole. `forget` empties it.
  at          integer not null primary key,   -- one more than the batch before
  name        text not null unique,           -- made by the client: a batch whose answer was lost is found by it
  copy        text not null,                  -- the copy that sent it
  turns       text not null,                  -- JSON: what turns wrote, which that copy has already
  steps       text,                           -- JSON: [[statement, parameters] …]; null: too large to keep, fetch the whole
  sent_at     integer not null,               -- ms UTC by the clock of the client
  constraint batches_count_up check (at > 0)
) strict, without rowid;
