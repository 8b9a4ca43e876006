-- What only a client's copy of a cluster has.

create table if not exists cluster_copy (
  -- One row: which copy this is. It makes a file a copy, which nobody opens as a memory of its own.
  id       integer primary key,
  uid      text not null,   -- 'cpy_' + 16 hex digits
  address  text not null,   -- of the cluster, without a password
  constraint there_is_one_copy check (id = 1)
) strict;

create table if not exists cluster_unsent (
  -- What turns wrote here and the cluster has not taken yet: their ledger, and what their sessions froze.
  id       integer primary key autoincrement,
  steps    text not null,      -- JSON: [[statement, parameters] …]
  made_at  integer not null,   -- ms UTC by the clock of this machine
  refused  text                -- what the cluster said to it; null: it was not asked, or did not answer
) strict;
