-- The ledger of turns: what each prompt was given, what was left out, and why.

create table activation (
  -- One row per turn. `turn` is the client's own id, so that a retry finds the row instead of adding one.
  id            integer primary key autoincrement,
  turn          text not null unique,         -- 'turn_' + 16 hex digits, or the host's id
  session       text not null default '',     -- name of the session; '' for none
  runtime       text not null default '',
  user          text not null default '',
  project       text not null default '',
  prompt        text not null,                -- its beginning, redacted; the whole of a short one
  budget        integer not null,             -- tokens allowed
  tokens        integer not null,             -- tokens used
  counter       text not null,                -- the counter in force
  elapsed_us    integer,                      -- how long choosing took
  activated_at  integer not null,             -- ms UTC
  shown         text not null default '[]',   -- JSON: a list [ref, layer, tokens, was_useful] for each that was shown
  constraint shown_is_json check (json_valid(shown)),
  constraint budget_was_kept check (tokens <= budget),
  constraint turn_has_a_name check (turn <> '')
) strict;

create index activation_by_time on activation (activated_at);

create table weighing (
  -- What a turn weighed, as long as it is recent: a night lets it go after a third of `ledger_days`. Then the turn says
  -- what it showed, its prompt is found in its conversation, and `left_out_before` counts what it left out.
  activation_id  integer primary key references activation (id) on delete cascade,
  session        text not null default '',   -- as its turn has it
  activated_at   integer not null,           -- ms UTC, as its turn has it
  prompt         text not null default '',   -- the cue's source, redacted and cut: enough to replay; '' where the turn has it
  files          text not null default '[]', -- JSON list of the files at hand
  stable_hash    text not null default '',   -- of the stable text that went with it
  text_hash      text not null default '',   -- of the volatile text: it is recognised and never learned again
  weights        text not null default '',   -- hash of the weights that ranked messages; '' where none were ranked
  chance         real,                       -- of the likeliest candidate, 0 to 1; null: nothing was weighed
  items          text not null default '[]', -- JSON: all that was considered in earnest; view activation_item shows it
  constraint items_are_json check (json_valid(items))
) strict;

create index weighing_by_session on weighing (session, activated_at) where session <> '';
create index weighing_by_text on weighing (text_hash) where text_hash <> '';

create table left_out_before (
  -- How often turns whose weighing is gone had left a memory out: the view `exposure` adds it up.
  ref    text primary key,   -- uid of a memory
  times  integer not null,   -- turns that considered it and showed something else
  constraint it_was_left_out check (times > 0)
) strict, without rowid;
