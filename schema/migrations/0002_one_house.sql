-- The gate: its weights and two settings, and in the ledger the chance that each candidate had.

insert or ignore into setting (name, value, meaning) values
  ('silence', 'balanced', 'How sure the gate must be before a turn adds text: cautious, balanced or generous, or the least chance from 0 to 1; turning it up shows less.'),
  ('repeat_after_turns', '12', 'Turns for which what a session was shown is not shown to it again, unless it changed; 0 shows it every time.');

-- A number guards itself; silence may be a word as well.
drop trigger setting_bu_number;
create trigger setting_bu_number before update of value on setting
when old.value glob '[0-9]*' and old.name <> 'silence'
 and (new.value = '' or new.value glob '*[^0-9.]*' or new.value glob '*.*.*' or new.value glob '.*')
begin
  select raise(abort, 'this setting is a number of at least 0: write it in digits');
end;

create trigger setting_bu_silence before update of value on setting
when old.name = 'silence' and lower(new.value) not in ('cautious', 'balanced', 'generous')
 and (new.value = '' or new.value glob '*[^0-9.]*' or new.value glob '*.*.*' or new.value glob '.*'
      or cast(new.value as real) > 1)
begin
  select raise(abort, 'silence is cautious, balanced or generous, or a chance from 0 to 1');
end;

create table gate_weight (
  -- What the gate makes of each figure of a candidate: one row per figure. Their weighted sum, as a logistic
  -- function, is the chance that the candidate helps a prompt; the setting `silence` says how high it must be.
  name     text primary key,  -- message.<figure>: all that was said, together; memory.<figure>: each memory for itself
  weight   real not null,     -- what a figure of 1 adds to the logarithm of the odds; the bias is always 1
  meaning  text not null,     -- one sentence: what the figure is
  constraint gate_weight_is_of_a_message_or_a_memory check (name like 'message._%' or name like 'memory._%'),
  constraint gate_weight_is_explained check (meaning <> '')
) strict, without rowid;

insert into gate_weight (name, weight, meaning) values
  ('message.bias', -11.41, 'What speaks for silence before anything is known.'),
  ('message.cover', 4.67, 'Logarithm of 1 plus ten times the information of the prompt that one of the ten best messages covers, long ones counting less, against a word that is nowhere.'),
  ('message.named', 7.42, 'The prompt names somebody who speaks in these conversations.'),
  ('message.past', 2.59, 'The prompt speaks of what was.'),
  ('message.own', 1.50, 'The prompt says I, my or we, and what was said is a talk of a user with an assistant.'),
  ('message.own_past', -0.91, 'Both of these.'),
  ('message.own_asks', 1.53, 'The prompt asks for something of the user''s own: where is my, when did we.'),
  ('message.own_may', -1.06, 'The prompt asks what the user may or should do: how do I, can we.'),
  ('message.unknown', -5.51, 'The prompt names somebody or something that stands nowhere in memory.'),
  ('message.command', -1.78, 'The prompt begins with a request to do something: add, run, write.'),
  ('message.days', 1.34, 'The prompt names a day.'),
  ('memory.bias', -25.06, 'What speaks for silence before anything is known.'),
  ('memory.cover', 9.96, 'Logarithm of 1 plus ten times the information of the prompt that the memory covers, against a word that is nowhere.'),
  ('memory.share', 9.75, 'The share of the information of the prompt that the memory covers.'),
  ('memory.key', 3.0, 'The prompt has every word of the memory''s key or name. Set by hand: the fitting data has no keys.'),
  ('memory.own', -0.57, 'The prompt says I, my or we.'),
  ('memory.past', -1.00, 'The prompt speaks of what was.'),
  ('memory.unknown', -4.03, 'The prompt names somebody or something that stands nowhere in memory.'),
  ('memory.command', -1.31, 'The prompt begins with a request to do something: add, run, write.');

-- Search: which weights ranked the messages of a turn.
alter table activation rename to activation_before;
create table activation (
  -- One row per turn. `turn` is the client's own id, so that a retry finds the row instead of adding one.
  id           integer primary key autoincrement,
  turn         text not null unique,         -- 'turn_' + 16 hex digits, or the host's id
  session      text not null default '',     -- name of the session; '' for none
  runtime      text not null default '',
  user         text not null default '',
  project      text not null default '',
  prompt       text not null,                -- the cue's source, redacted and cut: enough to replay
  files        text not null default '[]',   -- JSON list of the files at hand
  budget       integer not null,             -- tokens allowed
  tokens       integer not null,             -- tokens used
  counter      text not null,                -- the counter in force
  stable_hash  text not null default '',     -- of the stable text that went with it
  text_hash    text not null default '',     -- of the volatile text: it is recognised and never learned again
  elapsed_us   integer,                      -- how long choosing took
  at           integer not null,             -- ms UTC
  weights      text not null default '',     -- hash of the weights that ranked messages; '' where none were ranked
  constraint budget_was_kept check (tokens <= budget),
  constraint turn_has_a_name check (turn <> '')
) strict;


insert into activation (id, turn, session, runtime, user, project, prompt, files, budget, tokens, counter, stable_hash, text_hash, elapsed_us, at)
select id, turn, session, runtime, user, project, prompt, files, budget, tokens, counter, stable_hash, text_hash, elapsed_us, at from activation_before;

-- New stages and a new column: SQLite changes a constraint only by making the table anew.
alter table activation_item rename to activation_item_before;
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
    or stage = 'amended'),
  constraint usefulness_is_yes_or_no check (was_useful is null or was_useful in (0, 1))
) strict, without rowid;

insert into activation_item (activation_id, ref, layer, stage, position, strength, relevance, score, tokens, was_useful)
select activation_id, ref, layer, stage, position, strength, relevance, score, tokens, was_useful from activation_item_before;
drop table activation_item_before;
drop table activation_before;
create index activation_by_time on activation (at);
create index activation_by_session on activation (session, at) where session <> '';
create index activation_by_text on activation (text_hash) where text_hash <> '';

-- What is known is told where it is about to be done: two kinds, two settings, and what a session was told.

insert or ignore into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
values
  ('rejected', 'semantic', 'What was tried or proposed and turned down, with the reason.', 1.3, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('failure', 'semantic', 'A command that failed, the error it showed, and what mended it.', 0.9, 1, 90, 0, 0, 0, 0, 500, null, 'archive_oldest', 'cogmem');

insert or ignore into setting (name, value, meaning) values
  ('at_the_act', '1', 'Whether hooks tell what is known about a file or a command right before it is used: 1 or 0.'),
  ('subagent_rules', '1', 'Whether a subagent is told the rules when it starts: 1 or 0.');

create table told_at_act (
  -- One row per memory that a session was told right before, or after, a tool ran: it is not told there again until
  -- the host makes its prompt anew. Old rows are dropped when new ones come.
  memory_id  integer not null references memory (id) on delete cascade,
  session    text not null,   -- the host's name of the session
  subject    text not null,   -- the file or the command that it was about, cut
  at         integer not null, -- ms UTC
  primary key (session, memory_id),
  constraint telling_belongs_to_a_session check (session <> '')
) strict, without rowid;
create table seal (
  -- The chain over the history, one row per stretch: a digest of the changes and receipts of the stretch, and of the
  -- digest before. `check` makes it anew and compares: a change that was edited, or a receipt that was removed, shows.
  -- Written when a process that wrote closes the file, and every night; made anew by forget.
  id        integer primary key autoincrement,
  changes   integer not null,   -- change.id up to which this link reaches
  receipts  integer not null,   -- receipt.id up to which it reaches
  digest    text not null,      -- BLAKE2b, 20 bytes in hex
  at        integer not null,   -- ms UTC
  constraint seal_is_a_digest check (length(digest) = 40)
) strict;

update setting set meaning = 'Days of which the nightly backup is kept; beside them four weeks and twelve months. 0 makes none.'
 where name = 'backups_kept';



-- Kinds united: singular and plural, and the three kinds of what a person is, become one kind each. Their old names
-- stay as aliases. What a night has planned becomes part of the record, so that a rebuild keeps it.

create table renamed (was text primary key, kind text not null) strict, without rowid;

insert into renamed (was, kind) values
  ('entities', 'entity'), ('events', 'event'), ('cases', 'case'), ('patterns', 'pattern'),
  ('preferences', 'preference'), ('about_user', 'profile'), ('user_note', 'profile');

-- Figures that somebody turned go along; where two kinds become one, those of the one that stays.
insert or ignore into kind (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
                            needs_person, max_rows, max_characters, capacity_policy, system)
select (select kind from renamed where was = name), layer, meaning, weight, default_priority, half_life_days, is_baseline,
       is_pinned, is_shared, needs_person, max_rows, max_characters, capacity_policy, system
  from kind where name in ('entities', 'events', 'cases');

update kind set meaning = 'Who a person is: what lasts about them.', half_life_days = 0, is_shared = 0
 where name = 'profile' and half_life_days = 365;
update kind set half_life_days = 365 where name = 'preference' and half_life_days is null;
update kind set half_life_days = 180, system = 'flowcraft',
       meaning = 'A recurring practice, error or piece of feedback, with examples of its use.'
 where name = 'pattern' and half_life_days is null;

update memory set kind = (select kind from renamed where was = memory.kind) where kind in (select was from renamed);
update capture_rule set kind = (select kind from renamed where was = capture_rule.kind)
 where kind in (select was from renamed);

-- The history tells of the same kinds, so that an undo finds them.
update context set verb = 'forget' where id = 1;
update change set before = json_set(before, '$.kind', (select kind from renamed where was = json_extract(before, '$.kind')))
 where record in ('memory', 'capture_rule') and json_extract(before, '$.kind') in (select was from renamed);
update change set after = json_set(after, '$.kind', (select kind from renamed where was = json_extract(after, '$.kind')))
 where record in ('memory', 'capture_rule') and json_extract(after, '$.kind') in (select was from renamed);
update change set before = json_set(before, '$.name', (select kind from renamed where was = json_extract(before, '$.name')))
 where record = 'kind' and json_extract(before, '$.name') in ('entities', 'events', 'cases');
update change set after = json_set(after, '$.name', (select kind from renamed where was = json_extract(after, '$.name')))
 where record = 'kind' and json_extract(after, '$.name') in ('entities', 'events', 'cases');
update change set row_key = (select kind from renamed where was = row_key)
 where record = 'kind' and row_key in ('entities', 'events', 'cases');
update context set verb = null where id = 1;

-- And it tells where the others went, if it tells of them at all.
insert into change (verb, actor, reason, record, row_key, action, before, at)
select 'migrate', 'cogmem', 'it is one with ' || r.kind, 'kind', k.name, 'delete',
       json_object('name', k.name, 'layer', k.layer, 'meaning', k.meaning, 'weight', k.weight,
         'default_priority', k.default_priority, 'half_life_days', k.half_life_days, 'is_baseline', k.is_baseline,
         'is_pinned', k.is_pinned, 'is_shared', k.is_shared, 'needs_person', k.needs_person, 'max_rows', k.max_rows,
         'max_characters', k.max_characters, 'capacity_policy', k.capacity_policy, 'system', k.system),
       (select last_at from context)
  from renamed r join kind k on k.name = r.was
 where exists (select 1 from change c where c.record = 'kind' and c.row_key = k.name);

create table former_alias (vocabulary text not null, alias text not null, kind text not null) strict;

insert into former_alias (vocabulary, alias, kind)
select vocabulary, alias, coalesce((select kind from renamed where was = a.kind), a.kind) from kind_alias a;

drop table kind_alias;
delete from kind where name in (select was from renamed);

create table kind_alias (
  -- Another name for a kind, as one of the united systems (or a user) calls it. Where that system treats it in a way of
  -- its own, the row says how, for what is learned under this name.
  vocabulary       text not null,   -- whose word it is: zara, flowcraft, gokin, odek, ok; '' is understood everywhere
  alias            text not null,   -- the word
  kind             text not null references kind (name) on update cascade on delete cascade,
  is_shared        integer,         -- as in kind; null: as the kind says
  stands_by_source integer not null default 0, -- 1: what comes under this name stands as its source does, whatever the kind
  max_rows         integer,         -- as in kind; null: as the kind says
  max_characters   integer,         -- as in kind; null: as the kind says
  capacity_policy  text,            -- as in kind; null: as the kind says
  primary key (vocabulary, alias),
  constraint alias_is_lower_case check (alias <> '' and alias = lower(alias)),
  constraint alias_is_shared_or_not check (
    (is_shared is null or is_shared in (0, 1)) and stands_by_source in (0, 1)),
  constraint alias_caps_are_positive check (coalesce(max_rows, 1) > 0 and coalesce(max_characters, 1) > 0),
  constraint alias_capacity_policy_is_known check (
    capacity_policy is null or capacity_policy = 'refuse' or capacity_policy = 'archive_oldest'
    or capacity_policy = 'archive_weakest')
) strict, without rowid;

insert into kind_alias (vocabulary, alias, kind)
select vocabulary, alias, kind from former_alias a
 where not (vocabulary = '' and exists (select 1 from kind k where k.name = a.alias))
   and not (vocabulary = 'flowcraft' and alias in ('preference', 'pattern'))
   and not (vocabulary in ('odek', 'ok') and alias = 'user');

insert or ignore into kind_alias (vocabulary, alias, kind) values
  ('', 'entities', 'entity'), ('', 'events', 'event'), ('', 'cases', 'case'),
  ('', 'patterns', 'pattern'), ('', 'preferences', 'preference');

insert or ignore into kind_alias (vocabulary, alias, kind, is_shared, stands_by_source, max_rows, max_characters, capacity_policy) values
  -- its categories about a person and about good practice belong to everyone, and a model fills them
  ('flowcraft', 'profile', 'profile', 1, 1, null, null, null), ('flowcraft', 'preference', 'preference', 1, 1, null, null, null),
  ('flowcraft', 'preferences', 'preference', 1, 1, null, null, null),
  ('flowcraft', 'pattern', 'pattern', 1, 1, null, null, null), ('flowcraft', 'patterns', 'pattern', 1, 1, null, null, null),
  -- a small fixed space that refuses what does not fit
  ('odek', 'user', 'profile', null, 0, null, 4000, 'refuse'), ('', 'about_user', 'profile', null, 0, null, 4000, 'refuse'),
  -- saved memories of each type
  ('ok', 'user', 'profile', null, 0, 80, null, null), ('', 'user_note', 'profile', null, 0, 80, null, null);

drop table former_alias;
drop table renamed;

create table archiving (
  -- What a run has planned to archive and has not archived yet. It goes in portions, each a transaction of its own, so that
  -- the log stays small; the limits were proved on the whole plan.
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

-- The plan of a run that was killed stood in what is made anew: the next night plans again.
update job_run
   set finished_at = started_at, is_stopped = 1, note = 'it was cut off before its memory was upgraded: the next night plans anew'
 where finished_at is null and job in ('50_archive', '60_expire');

create table undated (
  -- Memories that a shell wrote through `remember` without an instant: the next transaction of cogmem gives them its own.
  memory_id  integer primary key references memory (id) on delete cascade
) strict;

insert or ignore into setting (name, value, meaning) values
  ('lookback_days', '90', 'Days that a night looks back: for what recurs, what no episode tells yet, and what somebody brought back.'),
  ('rest_hours', '6', 'Hours without a message after which a night tells a conversation as one episode.'),
  ('unused_days', '60', 'Days after which what came by itself and was never used is suspected to be junk.'),
  ('plain_tags', 'auto-detect self-improvement session episode task todo note misc general user assistant agent chat message tool '
    || 'code file work test fix bug error failure success done other unknown default the and for with this that from have not '
    || 'was are you yes no ok today yesterday now new info log data update change',
   'Tags that are no topic however often they come, with blanks between.');
