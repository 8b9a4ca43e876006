-- The summary DAG over a conversation: shorter tellings that always lead back to the messages.

create table summary (
  -- One node. Depth 0 tells a chunk of messages, depth n+1 a group of nodes of depth n.
  id               integer primary key autoincrement,
  uid              text not null unique,         -- 'sum_' + 16 hex digits; sortable order is earliest_seq
  conversation_id  integer not null references conversation (id) on delete cascade,
  depth            integer not null,
  content          text not null,
  expand_hint      text not null default '',     -- what a reader would find by expanding it
  earliest_seq     integer not null,
  latest_seq       integer not null,             -- inclusive
  tokens           integer not null,
  method           text not null,                -- model: first answer; retry: shorter second answer; extract: without a model
  is_condensed     integer not null default 0,   -- 1: a live node of the next depth tells it; the others are the frontier
  is_pruned        integer not null default 0,   -- 1: its text was dropped because a parent tells it; expand still works
  is_stale         integer not null default 0,   -- 1: a message below it was edited since; it is told anew with the next ingest
  created_at       integer not null,             -- ms UTC
  deleted_at       integer,                      -- null: alive
  constraint depth_counts_from_zero check (depth >= 0),
  constraint summary_covers_a_stretch check (0 <= earliest_seq and earliest_seq <= latest_seq),
  constraint summary_method_is_known check (method = 'model' or method = 'retry' or method = 'extract'),
  constraint marks_are_zero_or_one check (is_condensed in (0, 1) and is_pruned in (0, 1) and is_stale in (0, 1))
) strict;

create index summary_by_place on summary (conversation_id, depth, earliest_seq);
-- The live nodes that nothing tells any further: together they cover what was ingested, each message once.
create index summary_by_frontier on summary (conversation_id, earliest_seq) where is_condensed = 0 and deleted_at is null;
create index summary_by_stale on summary (conversation_id, depth) where is_stale = 1;

create table summary_source (
  -- Which nodes of the depth below a node was made from. A leaf has none: its range of seq says it.
  summary_id  integer not null references summary (id) on delete cascade,
  source_id   integer not null references summary (id) on delete cascade,
  primary key (summary_id, source_id)
) strict, without rowid;

create index summary_source_by_source on summary_source (source_id);

create trigger summary_source_ai after insert on summary_source
when (select deleted_at from summary where id = new.summary_id) is null
begin
  update summary set is_condensed = 1 where id = new.source_id;
end;

create trigger summary_source_ad after delete on summary_source begin
  update summary set is_condensed = 0 where id = old.source_id;
end;

create trigger summary_au_deleted after update of deleted_at on summary
when (old.deleted_at is null) <> (new.deleted_at is null)
begin
  -- A leaf that lost its text because this node told it has to be told anew.
  update summary set is_condensed = (new.deleted_at is null), is_stale = max(is_stale, is_pruned)
   where id in (select source_id from summary_source where summary_id = new.id);
end;

create table summary_cache (
  -- Answers already paid for: the same input is not summarised twice within its time.
  conversation_id  integer not null references conversation (id) on delete cascade,
  input_hash       text not null,
  content          text not null,
  earliest_seq     integer not null,
  latest_seq       integer not null,
  used_at          integer not null,             -- ms UTC; the least recently used goes first
  expires_at       integer not null,             -- ms UTC
  primary key (conversation_id, input_hash)
) strict, without rowid;

create table model_limit (
  -- How much a model takes and gives. A model is found by its whole name, else by the longest name here
  -- that stands in it; a row of your own is one INSERT.
  model          text primary key,
  input_tokens   integer not null,   -- the most it reads at once
  output_tokens  integer not null,   -- the most it writes at once
  constraint limits_are_positive check (input_tokens > 0 and output_tokens > 0),
  constraint model_is_named_in_lower_case check (model <> '' and model = lower(model))
) strict, without rowid;

insert into model_limit (model, input_tokens, output_tokens) values
  ('gemini-3-flash', 1048576, 65536),
  ('gemini-3-pro', 1048576, 65536),
  ('gemini-2.5-flash', 1048576, 8192),
  ('gemini-2.5-pro', 1048576, 8192),
  ('gemini-2.0-flash', 1048576, 8192),
  ('glm-4.7', 128000, 131072);

insert into setting (name, value, meaning) values
  ('warning_threshold', '0.8', 'Share of the model''s input from which a window is near its limit and is made smaller.'),
  ('auto_compact_threshold', '0.75', 'Share of the model''s input from which all but the last 50 messages are summarised.'),
  ('summarization_ratio', '0.5', 'Length that a summary aims at, as a share of what it tells.'),
  ('tool_result_max_chars', '10000', 'Characters of a tool result above which a window shows it shortened; the record keeps it whole.'),
  ('enable_auto_summary', '1', '0: a window is never summarised by itself, only cut when it exceeds the limit.'),
  ('max_input_tokens', '0', 'Tokens that a window may take whatever the model; 0: as much as the model takes.');
