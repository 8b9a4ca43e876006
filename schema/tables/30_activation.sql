-- The ledger of turns: what each prompt was given, what was left out, and why.

create table activation (
  -- One row per turn. `turn` is the client's own id, so that a retry finds the row instead of adding one.
  id            integer primary key autoincrement,
  turn          text not null unique,         -- 'turn_' + 16 hex digits, or the host's id
  session       text not null default '',     -- name of the session; '' for none
  runtime       text not null default '',
  user          text not null default '',
  project       text not null default '',
  prompt        text not null,                -- the cue's source, redacted and cut: enough to replay
  files         text not null default '[]',   -- JSON list of the files at hand
  budget        integer not null,             -- tokens allowed
  tokens        integer not null,             -- tokens used
  counter       text not null,                -- the counter in force
  stable_hash   text not null default '',     -- of the stable text that went with it
  text_hash     text not null default '',     -- of the volatile text: it is recognised and never learned again
  elapsed_us    integer,                      -- how long choosing took
  activated_at  integer not null,             -- ms UTC
  weights       text not null default '',     -- hash of the weights that ranked messages; '' where none were ranked
  constraint budget_was_kept check (tokens <= budget),
  constraint turn_has_a_name check (turn <> '')
) strict;

create index activation_by_time on activation (activated_at);
create index activation_by_session on activation (session, activated_at) where session <> '';
create index activation_by_text on activation (text_hash) where text_hash <> '';

create table activation_item (
  -- One row per memory or message that was considered in earnest: chosen, or dropped at a named stage.
  activation_id  integer not null references activation (id) on delete cascade,
  ref            text not null,              -- uid of a memory, or msg_<id> of a message
  layer          text not null,              -- A baseline, B contextual, C procedures, D scoped
  stage          text not null,              -- chosen, or what dropped it
  position       integer not null,           -- order of rank within the layer, from 0
  strength       real,                       -- weight × decay × reinforcement at that instant
  relevance      real,                       -- how well it fitted the cue, 0 to 1
  score          real,                       -- what it was ranked by
  chance         real,                       -- that it helps this prompt, 0 to 1, as the gate weighed it; null: not asked
  tokens         integer not null default 0, -- what its line cost, or would have cost
  was_useful     integer,                    -- 1 or 0 when the host said so; null: nobody said
  primary key (activation_id, ref),
  constraint layer_is_a_b_c_or_d check (layer = 'A' or layer = 'B' or layer = 'C' or layer = 'D'),
  constraint stage_is_known check (
    stage = 'chosen' or stage = 'weak' or stage = 'budget' or stage = 'duplicate' or stage = 'rank'
    or stage = 'superseded' or stage = 'expired' or stage = 'state' or stage = 'silent' or stage = 'shown'
    or stage = 'amended' or stage = 'gone'),
  constraint usefulness_is_yes_or_no check (was_useful is null or was_useful in (0, 1))
) strict, without rowid;

-- No index on `ref`: forty random leaves of it cost a turn more than all else that it writes. What a memory
-- went through is read turn by turn, from the newest, through the primary key.
