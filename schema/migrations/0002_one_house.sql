-- The names of instants end in _at.
alter table message rename column at to said_at;
alter table context rename column at to acted_at;
alter table change rename column at to changed_at;
alter table model_call rename column at to asked_at;
alter table receipt rename column at to forgotten_at;
alter table task rename column lease_until to lease_ends_at;

-- What a layer, the guard or a hook does with a kind is told by the kind, and no longer by its name.
create table kind_before as select * from kind;
drop table kind;
create table kind (
  -- One row per sort of memory. `insert into kind (name, layer, meaning) values (…)` adds one.
  -- The built-in rows unite the vocabularies of five memory systems; their other names are aliases.
  name              text primary key,
  layer             text not null,                     -- the layer that a memory of this kind belongs to
  meaning           text not null,                     -- one sentence, shown to people and to models that extract
  weight            real not null default 1.0,         -- type weight: factor of strength, > 0
  default_priority  integer not null default 1,        -- 4 critical, 3 high, 2 medium, 1 normal
  half_life_days    real,                              -- null: the setting half_life_days; 0: never fades
  is_baseline       integer not null default 0,        -- 1: layer A of an activation when priority is high or above
  is_pinned         integer not null default 0,        -- 1: always in layer A, whatever its priority
  is_shared         integer not null default 0,        -- 1: never bound to one user or session
  needs_person      integer not null default 0,        -- 1: only a person may assert it (source user_explicit)
  needs_trust       integer not null default 0,        -- 1: no page or tool may assert it; what is inferred waits as a candidate
  is_wish           integer not null default 0,        -- 1: what a person says of it is in layer A, whatever its priority
  is_rule           integer not null default 0,        -- 1: it may stop a tool, and a subagent is told it
  is_mend           integer not null default 0,        -- 1: how an error was mended: found by the command or the error alone
  act_order         integer,                           -- its place in what is told beside a tool, from 1; null: told there
                                                       -- only where it names the file
  max_rows          integer,                           -- null: no cap; counted per runtime, user and project
  max_characters    integer,                           -- null: no cap; over all contents and their separators
  capacity_policy   text not null default 'archive_oldest', -- what gives way at a cap
  system            text not null default 'user',      -- whose vocabulary it comes from; 'user' for your own
  constraint kind_has_a_name check (name <> '' and name = lower(name)),
  constraint kind_is_explained check (meaning <> ''),
  constraint kind_belongs_to_a_layer check (layer = 'episodic' or layer = 'semantic' or layer = 'procedural'),
  constraint weight_is_positive check (weight > 0),
  constraint priority_is_one_to_four check (default_priority between 1 and 4),
  constraint half_life_is_zero_to_a_century check (half_life_days is null or half_life_days between 0 and 36525),
  constraint flags_are_zero_or_one check (
    is_baseline in (0, 1) and is_pinned in (0, 1) and is_shared in (0, 1) and needs_person in (0, 1)
    and needs_trust in (0, 1) and is_wish in (0, 1) and is_rule in (0, 1) and is_mend in (0, 1)),
  constraint caps_are_positive check (coalesce(max_rows, 1) > 0 and coalesce(max_characters, 1) > 0),
  constraint capacity_policy_is_known check (
    capacity_policy = 'refuse' or capacity_policy = 'archive_oldest' or capacity_policy = 'archive_weakest')
) strict;

insert into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
select name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
       needs_person, max_rows, max_characters, capacity_policy, system
  from kind_before;
drop table kind_before;

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
  name     text not null primary key,  -- message.<figure>: all that was said, together; memory.<figure>: each memory for itself
  weight   real not null,     -- what a figure of 1 adds to the logarithm of the odds; the bias is always 1
  meaning  text not null,     -- one sentence: what the figure is
  constraint gate_weight_is_of_a_message_or_a_memory check (name like 'message._%' or name like 'memory._%'),
  constraint gate_weight_is_explained check (meaning <> '')
) strict;

insert into gate_weight (name, weight, meaning) values
  ('message.bias', -10.30, 'What speaks for silence before anything is known.'),
  ('message.cover', 3.85, 'Logarithm of 1 plus ten times the information of the prompt that one of the ten best messages covers, long and bare ones counting less, against a word that is nowhere.'),
  ('message.named', 4.29, 'The prompt names somebody who speaks in these conversations.'),
  ('message.past', 1.18, 'The prompt speaks of what was.'),
  ('message.asks', 2.32, 'The prompt is a question, and not what one may or should do.'),
  ('message.may', 1.87, 'The prompt asks what one may or should do, or what something is: how do I, can we, what is a.'),
  ('message.why', -2.02, 'The prompt asks why something is so now: a reason is sought, and seldom remembered.'),
  ('message.here', -1.07, 'The prompt points at what the agent has before it: this, here, it.'),
  ('message.own', 0.93, 'The prompt says I, my or we, and what was said is a talk of a user with an assistant.'),
  ('message.own_asks', 0.90, 'The prompt asks for something of the user''s own: where is my, when did we.'),
  ('message.own_command', 1.50, 'The prompt says I, my or we and begins with a request: plan my, review our.'),
  ('message.own_tells', -0.56, 'The prompt tells something of the user: I am, we need.'),
  ('message.unknown', -3.50, 'The prompt names somebody or something that stands nowhere in memory.'),
  ('message.command', -0.79, 'The prompt begins with a request to do something: add, run, write.'),
  ('message.trouble', 2.50, 'The prompt states that something is not as it should be: a report asks, unsaid, why it is so. Set by hand: the fitting data has few.'),
  ('message.days', -0.08, 'The prompt names a day.'),
  ('memory.bias', -7.29, 'What speaks for silence before anything is known.'),
  ('memory.cover', 1.80, 'Logarithm of 1 plus ten times the information of the prompt that the memory covers, against a word that is nowhere.'),
  ('memory.share', 3.44, 'The share of the information of the prompt that the memory covers.'),
  ('memory.many', 1.64, 'Two words of the prompt or more stand in the memory.'),
  ('memory.few', 2.00, 'What the figure cover has beyond that of an ordinary word, times the logarithm of 150 to the number of memories and messages if they are fewer: what a small file holds is seldom met by chance. Set by hand.'),
  ('memory.key', 3.00, 'The prompt has every word of the memory''s key or name. Set by hand: the fitting data has no keys.'),
  ('memory.asks', 1.68, 'The prompt is a question, and not what one may or should do.'),
  ('memory.why', -1.11, 'The prompt asks why something is so now.'),
  ('memory.here', -0.91, 'The prompt points at what the agent has before it: this, here, it.'),
  ('memory.own', 0.67, 'The prompt says I, my or we.'),
  ('memory.own_asks', 1.73, 'The prompt asks for something of the user''s own.'),
  ('memory.own_tells', -1.12, 'The prompt tells something of the user: I am, we need.'),
  ('memory.trouble', 2.20, 'The prompt states that something is not as it should be. Set by hand.'),
  ('memory.unknown', -2.11, 'The prompt names somebody or something that stands nowhere in memory.');

-- Search: which weights ranked the messages of a turn.
alter table activation rename to activation_before;
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


insert into activation (id, turn, session, runtime, user, project, prompt, files, budget, tokens, counter, stable_hash, text_hash, elapsed_us, activated_at)
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
    or stage = 'amended' or stage = 'gone'),
  constraint usefulness_is_yes_or_no check (was_useful is null or was_useful in (0, 1))
) strict, without rowid;

insert into activation_item (activation_id, ref, layer, stage, position, strength, relevance, score, tokens, was_useful)
select activation_id, ref, layer, stage, position, strength, relevance, score, tokens, was_useful from activation_item_before;
drop table activation_item_before;
drop table activation_before;
create index activation_by_time on activation (activated_at);
create index activation_by_session on activation (session, activated_at) where session <> '';
create index activation_by_text on activation (text_hash) where text_hash <> '';

-- What is known is told where it is about to be done: two kinds, two settings, and what a session was told.

insert or ignore into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
values
  ('rejected', 'semantic', 'What was tried or proposed and turned down, with the reason.', 1.3, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('failure', 'semantic', 'A command that failed, the error it showed, and what mended it.', 0.9, 1, 90, 0, 0, 0, 0, 500, null, 'archive_oldest', 'cogmem');

insert or ignore into setting (name, value, meaning) values
  ('durable', '0', 'Whether every write waits until the disk has it, so that a power cut takes nothing that was acknowledged: 1 or 0; turns never wait.'),
  ('at_the_act', '1', 'Whether hooks tell what is known about a file or a command right before it is used: 1 or 0.'),
  ('subagent_rules', '1', 'Whether a subagent is told the rules when it starts: 1 or 0.'),
  ('resident_minutes', '10', 'Minutes for which the process that answers hooks waits for the next one before it ends; 0 starts none.');

create table told_at_act (
  -- One row per memory that a session was told right before, or after, a tool ran: it is not told there again until
  -- the host makes its prompt anew. Old rows are dropped when new ones come.
  memory_id  integer not null references memory (id) on delete cascade,
  session    text not null,   -- the host's name of the session
  subject    text not null,   -- the file or the command that it was about, cut
  told_at    integer not null, -- ms UTC
  primary key (session, memory_id),
  constraint telling_belongs_to_a_session check (session <> '')
) strict, without rowid;
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

update setting set meaning = 'Days of which the nightly backup is kept; beside them four weeks and twelve months. 0 makes none.'
 where name = 'backups_kept';
insert or ignore into setting (name, value, meaning) values
  ('backups_folder', '', 'Folder, on another disk if there is one, that takes the nightly backups instead of the place beside the file; empty: beside it.');



-- Kinds united: singular and plural, and the three kinds of what a person is, become one kind each. Their old names
-- stay as aliases. What a night has planned becomes part of the record, so that a rebuild keeps it.

-- What is known of a person lost its user, because its kind was shared. Whose it is can be told where one user alone said
-- what bears it out, where it belonged to one before, or where what was learned with it belongs to one; and nothing of
-- that user's has its key. The view `of_nobody` lists the rest.
create table of_whom (memory_id integer primary key, user text not null) strict;

insert into of_whom
with
lost as materialized (
  select m.id, m.uid, m.layer, m.key, m.runtime, m.project
    from memory m join kind k on k.name = m.kind and k.is_shared = 1
   where m.kind in ('profile', 'preferences') and m.user = ''),
sign (id, user) as (
  select l.id, v.user from lost l
    join link e on e.from_id = l.id and e.relation = 'evidence'
    join message g on g.id = e.message_id
    join conversation v on v.id = g.conversation_id
  union
  select l.id, json_extract(c.before, '$.user') from lost l
    join change c on c.uid = l.uid and c.record = 'memory' and json_extract(c.before, '$.user') <> ''
  union
  select l.id, o.user from lost l
    join change mine on mine.uid = l.uid and mine.record = 'memory' and mine.action = 'insert' and mine.verb not glob 'import*'
    join change beside on beside.act = mine.act and beside.record = 'memory' and beside.action = 'insert'
    join memory o on o.uid = beside.uid and o.user <> '')
select l.id, o.user
  from lost l
  join (select id, min(user) as user from sign group by id having count(distinct user) = 1) o on o.id = l.id
 where o.user <> ''
   and not (l.key <> '' and exists (
     select 1 from memory h
      where (h.key, h.layer, h.runtime, h.user, h.project) = (l.key, l.layer, l.runtime, o.user, l.project)));

update memory set user = (select user from of_whom where memory_id = memory.id) where id in (select memory_id from of_whom);
insert into change (verb, actor, reason, record, row_key, uid, action, before, after, changed_at)
select 'migrate', 'cogmem', 'it is about this person', 'memory', cast(m.id as text), m.uid, 'update',
       json_object('user', ''), json_object('user', m.user), (select last_at from context)
  from of_whom w join memory m on m.id = w.memory_id
 where exists (select 1 from change c where c.uid = m.uid)
 order by m.id;
drop table of_whom;

-- That a topic "comes up again and again" tells nothing: what recurs is said in a sentence now.
insert into change (verb, actor, reason, record, row_key, uid, action, before, after, changed_at)
select 'migrate', 'cogmem', 'it tells nothing', 'memory', cast(m.id as text), m.uid, 'update',
       json_object('state', 'candidate'), json_object('state', 'deleted'), (select last_at from context)
  from memory m
 where m.key glob 'auto.topic.*' and m.state = 'candidate' and m.source = 'inferred'
   and m.content glob 'The topic "*" comes up again and again.'
   and exists (select 1 from change c where c.uid = m.uid);
update memory set state = 'deleted'
 where key glob 'auto.topic.*' and state = 'candidate' and source = 'inferred' and content glob 'The topic "*" comes up again and again.';

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
insert into change (verb, actor, reason, record, row_key, action, before, changed_at)
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
  max_rows         integer,         -- as in kind, where the kind has no cap; null: as the kind says
  max_characters   integer,         -- as in kind, where the kind has no cap; null: as the kind says
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
  ('', 'patterns', 'pattern'), ('', 'preferences', 'preference'),
  ('', 'user', 'profile'), ('', 'project', 'project_note'), ('', 'global', 'note'), ('', 'episodes', 'session_summary');

insert or ignore into kind_alias (vocabulary, alias, kind, is_shared, stands_by_source, max_rows, max_characters, capacity_policy) values
  -- a model fills them; what is good practice belongs to everyone, what is about a person to that person
  ('flowcraft', 'profile', 'profile', null, 1, null, null, null),
  ('flowcraft', 'preference', 'preference', null, 1, null, null, null),
  ('flowcraft', 'preferences', 'preference', null, 1, null, null, null),
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
  ('episode_turns', '3', 'User messages from which a session is told as an episode when it is over.'),
  ('recurs_occasions', '3', 'Sessions or days on which something must come again before a night proposes to remember it.'),
  ('plain_commands', 'cd ls cat echo', 'First words of commands that say nothing however often they succeed, with blanks between.'),
  ('saved_memories', '80', 'Saved memories of a project, each a file, beyond which the oldest go to the folder archive.'),
  ('shared_memories', '30', 'The same for the saved memories of all projects.'),
  ('unused_days', '60', 'Days after which what came by itself and was never used is suspected to be junk.'),
  ('rule_phrases', '[" always *", " please always *", " never *", "* i prefer *", "*from now on*"]',
   'Patterns of a message in which a user says how to do things from then on, as a JSON list: * is anything, small letters fit any. It holds for what is said after; cogmem rebuild reads the rest again.'),
  ('time_phrases', '["*day*", "*night*", "*week*", "*month*", "*year*", "* ago*", "*tomorrow*", "*recently*", "*last *", "*next *", '
    || '"*january*", "*february*", "*March *", "*April *", "*June*", "*July*", "*August*", "*tember*", "*October*", "*vember*", '
    || '"*December*", "*20[0-9][0-9]*", "*[昨今明前后]天*", "*[0-9]月*", "*上周*", "*下周*"]',
   'Patterns of a message that tells of a time, as a JSON list, as in rule_phrases.'),
  ('plain_tags', 'auto-detect self-improvement session episode task todo note misc general user assistant agent chat message tool '
    || 'code file work test fix bug error failure success done other unknown default the and for with this that from have not '
    || 'was are you yes no ok today yesterday now new info log data update change',
   'Tags that are no topic however often they come, with blanks between.');

-- Plain statements are heard: who somebody is, what was decided, what is so. The table is made anew, as three families
-- were added to it; rules that a person changed, added or switched off stay as they are.

alter table capture_rule rename to capture_rule_before;

create table capture_rule (
  -- One row per pattern that turns a clause of a message into a proposed memory. Rules read clauses, never
  -- whole messages: code, quotations, logs and URLs are left out before, and a clause that asks, supposes,
  -- reports or jokes is passed over whatever a rule says. The whole clause is stored, so its sense is kept.
  -- `cogmem rules check` proves each row by its own example and counter-example.
  name             text primary key,                  -- family.what, for a language other than English family.what_de
  family           text not null,                     -- constraint wins over correction, decision, profile, preference and
                                                      -- statement, in this order; remember is what a person asks to be kept;
                                                      -- self_error reads the agent
  language         text not null default 'en',        -- of the pattern; rules in de, es, fr, pt, it, nl, zh and ja read
                                                      -- messages in that language, all others read every message
  position         integer not null default 100,      -- within a family the lowest that matches takes the clause
  pattern          text not null,                     -- re2 syntax, no case, no accents; a blank is any white space;
                                                      -- ^ is the clause after its opening words ("ok, please …");
                                                      -- (?P<what>…) is the object that names the memory, so that a later
                                                      -- clause on it replaces it; without one the whole clause does
  veto             text,                              -- re2: the rule passes a clause over where this is found; null: never
  kind             text not null references kind (name) on update cascade, -- what it is stored as
  priority         integer not null default 2,        -- 4 critical, 3 high, 2 medium, 1 normal
  polarity         integer not null default 1,        -- -1: the clause forbids or denies
  confidence       real not null default 0.8,         -- 0 to 1: how often such a clause really is a standing wish or fact
  state            text not null default 'active',    -- candidate: not shown until repeated or confirmed
  outcome          text not null default '',          -- of a self_error: failure, or learning when something else was tried
  example          text not null,                     -- a message of which this rule must capture something
  counter_example  text not null,                     -- a message that looks alike and that this rule must leave
  is_enabled       integer not null default 1,        -- 0: out of use
  is_own           integer not null default 1,        -- 1: a person's own, which nothing doubts; 0: it came with cogmem
  constraint rule_has_a_name check (name <> '' and name = lower(name)),
  constraint family_is_known check (
    family in ('remember', 'constraint', 'correction', 'decision', 'profile', 'preference', 'statement', 'self_error')),
  constraint pattern_is_not_empty check (pattern <> '' and coalesce(veto, 'none') <> ''),
  constraint pattern_is_of_bounded_length check (length(pattern) <= 2000 and length(coalesce(veto, '')) <= 2000),
  constraint rule_priority_is_one_to_four check (priority between 1 and 4),
  constraint rule_polarity_is_for_or_against check (polarity in (-1, 1)),
  constraint confidence_is_a_share check (confidence between 0 and 1),
  constraint rule_state_is_candidate_or_active check (state in ('candidate', 'active')),
  constraint only_self_errors_have_an_outcome check (
    case family when 'self_error' then outcome in ('failure', 'learning') else outcome = '' end),
  constraint rule_proves_itself check (example <> '' and counter_example <> '' and example <> counter_example),
  constraint rule_is_enabled_or_not check (is_enabled in (0, 1)),
  constraint rule_is_own_or_not check (is_own in (0, 1))
) strict;

insert into capture_rule select *, 0 from capture_rule_before;

drop table capture_rule_before;

-- What is known of a person belongs to that person; it is shared on purpose only, by a scope without a user.
update kind set is_shared = 0 where name in ('profile', 'preference');

insert or ignore into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('profile.name', 'profile', 'en', 10,
   '^(?:my (?:full |first |last |middle |real )?name(?:''s|\s+is)|i(?:''m| am)\s+called|i\s+go\s+by|(?:people|everyone'
   || '|friends)\s+calls?\s+me|my\s+pronouns\s+are)\s+(?P<what>\S.*)',
   '\b(?:missing|wrong|misspelled|too|taken|in the|on the|nice)\b',
   'profile', 2, 1, 0.9, 'active',
   'My name is Ada.', 'My name is missing from the list.'),
  ('profile.am_a', 'profile', 'en', 20,
   '^(?:i(?:''m|\s+am|\s+work\s+as)|im|as)\s+(?:an?|the)\s+(?:[\w-]+\s+)*?[\w-]*(?:er|or|ist|ian|nurse|student|chef|cook'
   || '|dad|mum|mom|parent|lead|vegan|ceo|cto|cfo|lawyer|vet|architect|scientist|analyst|consultant|accountant|assistant'
   || '|founder|phd|expat|introvert|morning person|night owl)\b',
   '\b(?:user|admin|customer|bit|little|another|over|order|error|number|folder|server|computer|either|never|ever|other'
   || '|further|for this|in our|role|villain|character|knight|wizard|reminder|disaster|monster|winner|loser|better|sucker'
   || '|believer)\b|\bi\s+(?:can|want)\s+(?:reset|ban|see|to)\b',
   'profile', 2, 1, 0.85, 'active',
   'I''m a backend developer at a small insurance company.', 'As a user I can reset my password.'),
  ('profile.trait', 'profile', 'en', 21,
   '^(?:since\s+|because\s+)?(?:i(?:''m|\s+am)|im|we(?:''re|\s+are))\s+(?:(?:mildly|severely|also|strictly|partly|badly|a'
   || '|not a)\s+)?(?:vegan|vegetarian|pescatarian|allergic\s+to|colou?r[\s-]?blind|dyslexic|deaf|blind|visually\s+impaired'
   || '|hard\s+of\s+hearing|left-handed|diabetic|celiac|coeliac|lactose\s+intolerant|gluten|pregnant|muslim|jewish|christian'
   || '|retired|married|divorced|based\s+in|originally\s+from|from\s+\w+$|self[\s-]taught|new\s+to|native\s+speaker'
   || '|responsible\s+for|in\s+charge\s+of|\d\d(?:\s+years\s+old)?$)',
   '\b(?:this file|this code|future lol|here)\b',
   'profile', 2, 1, 0.9, 'active',
   'I''m allergic to peanuts.', 'I''m confused by this error.'),
  ('profile.lives', 'profile', 'en', 22,
   '^(?:i|we)\s+(?:currently\s+|now\s+|both\s+|mostly\s+|just\s+)?(?:live|work|teach|study|grew\s+up|was\s+(?:born'
   || '|raised)|come|moved|rent|own)\s+(?:in|at|near|on|from|to|for|as|with|part\s+time|nights|alone|an?)\s*(?P<what>\S.*)',
   '\b(?:this|today|tonight|tomorrow|yesterday|next|the (?:next|other|second|first|bug|login|same|sofa)|step|topic|room'
   || '|stuff|a fix|it)\b|\bwork\s+on\s+(?:it|that)\b',
   'profile', 2, 1, 0.85, 'active',
   'I live in Lisbon.', 'We moved to the next topic.'),
  ('profile.kin', 'profile', 'en', 23,
   '^(?:my|our)\s+(?:new\s+|old\s+|elder\s+|younger\s+|best\s+)?(?:wife|husband|partner|son|daughter|kids?|child(?:ren)?'
   || '|toddler|baby|mother|father|mum|mom|dad|sister|brother|grand(?:ma|pa|mother|father)|parents|dogs?|cats?|horse|boss'
   || '|manager|team lead|landlord|dentist|doctor|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer'
   || '|therapist)(?:''s\s+(?:name|birthday))?\s+(?:is|are|was\s+born|has|have|works?|lives?|speaks?|plays?|hates?|loves?'
   || '|goes|can''t|doesn''t)\s+\S.*',
   '\b(?:just|now|today|tonight|tomorrow|yesterday|here|late|on the phone|calling|coming|waiting|right)\b',
   'profile', 2, 1, 0.85, 'active',
   'My daughter''s name is Ines.', 'My brother just called, one moment.'),
  ('profile.has', 'profile', 'en', 24,
   '^(?:i|we)(?:''ve|\s+have)\s+(?:got\s+)?(?:an?\s+)?(?:(?:two|three|four|five|\d+|small|six year old|peanut|nut|bad|new'
   || '|golden)\s+)*(?:(?:wife|husband|partner|son|daughter|kids?|child(?:ren)?|toddler|baby|mother|father|mum|mom|dad'
   || '|sister|brother|grand(?:ma|pa|mother|father)|parents|dogs?|cats?|horse|boss|manager|team lead|landlord|dentist|doctor'
   || '|accountant|girlfriend|boyfriend|roommate|flatmate|supervisor|lawyer|therapist)|twins?|allergy|asthma|adhd|diabetes'
   || '|celiac|migraines?|degree|phd|knee|back|retriever|greenhouse|garden)\b',
   '\b(?:question|problem|error|test|just|today)\b',
   'profile', 2, 1, 0.8, 'active',
   'I have two kids.', 'I have two questions.'),
  ('profile.diet', 'profile', 'en', 25,
   '^(?:i|we)\s+(?:do\s+not|don''?t|can''?t|cannot|never|only)\s+(?:eat|drink|drive|speak|smoke|fly'
   || '|work\s+on\s+\w+days?)\b',
   '\b(?:today|now|tonight|this)\b',
   'profile', 2, -1, 0.85, 'active',
   'I don''t eat pork.', 'I can''t eat now, I''m debugging.'),
  ('decision.decided', 'decision', 'en', 10,
   '^(?:(?:after|in|for)\s[^,]*,?\s+)?(?:so\s+)?(?:we|i|the\s+(?:team|board|client|customer|committee|company))(?:''ve'
   || '|\s+have|\s+has)?\s+(?:all\s+|also\s+|now\s+|finally\s+)?(?:decided|agreed|opted|voted|resolved|chosen|chose|settled'
   || '|standardi[sz]ed|consolidated|ruled\s+out|made\s+up\s+my\s+mind|signed\s+off|signed\s+with)\b\s*(?P<what>.*)',
   '\b(?:pizza|lunch|dinner|tonight|today|for now|to stop|to leave|a break|to talk|to meet|to skip|bus|almost|wrong)\b',
   'decision', 2, 1, 0.85, 'active',
   'We decided to use Postgres.', 'We decided to have pizza tonight.'),
  ('decision.switched', 'decision', 'en', 11,
   '^(?:we|i)(?:''ve|''re|\s+have|\s+are|\s+just)?\s+(?:now\s+|finally\s+|also\s+)?(?:(?:switch(?:ed|ing)|migrat(?:ed'
   || '|ing)|mov(?:ed|ing))\s+(?:(?:\w+\s+)*?from\s+\S+\s+to|off|over\s+to|everything)|replac(?:ed|ing)\s+\S.*\s(?:with|by)'
   || '|dropp(?:ed|ing)\s+(?:the\s+)?(?:support|python|node|php|ie|internet|android|ios)|deprecat(?:ed|ing)'
   || '|going\s+(?:all\s+in|with)|sticking\s+(?:with|to)|standardi[sz]ing\s+on|adopt(?:ed|ing)|retir(?:ed|ing)\s+the'
   || '|phas(?:ed|ing)\s+out|stopped\s+(?:using|supporting)|keeping\s+the)\s+(?P<what>\S.*)',
   '\b(?:first|second|this|that one|option two here|paragraphs|button|for now)\b',
   'decision', 2, 1, 0.85, 'active',
   'We moved from Jenkins to GitHub Actions.', 'We moved the button to the left.'),
  ('decision.will', 'decision', 'en', 12,
   '^(?:we\s+(?:will\s+not|won''?t|are\s+not\s+going\s+to|aren''?t\s+going\s+to)|we(?:''re|\s+are)\s+not\s+(?:going\s+to'
   || '|renewing|supporting|using|doing))\s+(?P<what>\S.*)',
   '\b(?:make it|finish|today|tonight|tomorrow|now|get there|this)\b',
   'decision', 2, -1, 0.75, 'active',
   'We won''t support Windows.', 'We won''t finish this today.'),
  ('decision.verdict', 'decision', 'en', 13,
   '^(?:(?:the\s+|final\s+|ok\s+)?(?:decision|verdict|conclusion|resolution|outcome\s+of\s+the\s+vote)(?:\s+(?:is|was'
   || '|made)\b,?|\s+(?:on|of)\s[^:]*:|\s*[,:])\s*\w|it(?:''s|\s+was|''s\s+been|\s+has\s+been)\s+(?:decided|settled'
   || '|official)\b|the\s+plan\s+is\s+to\s|let''s\s+go\s+with\s.*\b(?:final|decided|settled)\b)',
   null,
   'decision', 2, 1, 0.85, 'active',
   'Decision made, Tailwind it is.', 'The decision tree is too deep.'),
  ('decision.as_of', 'decision', 'en', 14,
   '^(?:as\s+of|starting(?:\s+(?:with|from|on))?|effective|from)\s+(?:today|monday|tuesday|wednesday|thursday|friday'
   || '|january|february|march|april|may|june|july|august|september|october|november|december|next\s+\w+|version\s+\S+'
   || '|v?\d[\d.]*)\b[^?]*\b(?:is|are|we|our|the)\b\s+\S.*',
   '\b(?:vacation|out of office|list|loop|index|row|line)\b',
   'decision', 2, 1, 0.75, 'active',
   'As of version 2.0 we require Node 20.', 'Starting from row 2 the list is empty.'),
  ('preference.for_good', 'preference', 'en', 90,
   '\b(?:from\s+(?:now|here)\s+on(?:wards?)?|going\s+forward|(?:in|for)\s+(?:the\s+|all\s+)?future(?:\s+\w+)?'
   || '|next\s+time)\b',
   '\b(?:movie|novel|story|plan the|in the near future|job|worried|next time (?:it|this|that))\b|\b(?:host|server'
   || '|is called|are called)\b',
   'preference', 2, 1, 0.85, 'active',
   'Next time show me the plan before you edit anything.', 'In the near future robots will cook.'),
  ('preference.emojis', 'preference', 'en', 14,
   '^(?:please\s+)?(?:no|less|fewer|without|skip(?:\s+the)?|drop\s+the|cut(?:\s+out)?(?:\s+the)?|avoid|stop\s+(?:using'
   || '|with|adding|writing|putting)(?:\s+the)?)\s+(?:more\s+)?(?:emojis?|smileys?|exclamation\s+marks?|disclaimers?'
   || '|small\s+talk|filler|jargon|summar(?:y|ies)|apolog(?:y|ies)|flattery|enthusiasm|preamble|introductions?|markdown'
   || '|bullet\s+points?|comments?|docstrings?|abbreviations?|semicolons?|co-authored-by\S*)\b.*',
   '\b(?:in this|here|for this)\b',
   'preference', 2, -1, 0.85, 'active',
   'No emojis please.', 'No comments in this file?'),
  ('preference.dont_emoji', 'preference', 'en', 14,
   '^(?:do\s+not|don''?t|dont|stop|quit|you\s+(?:don''?t\s+(?:have|need)\s+to|needn''?t|needn''t))\s+(?:always\s+|ever\s+'
   || '|keep\s+)?(?:use|using|add|adding|put|putting|write|writing|apologi[sz]e|apologi[sz]ing|thank|thanking|greet'
   || '|explain(?:ing)?\s+what|summari[sz](?:e|ing)|repeat(?:ing)?|ask\s+(?:me\s+)?(?:twice|for\s+permission)|guess(?:ing)?'
   || '|sugar-?\s?coat|dumb|reformat|agree\s+with\s+me)\b.*',
   '\b(?:here|this|that one|for now|yet|the (?:attached|first|second|other)|above|below|in (?:line|the (?:first|second'
   || '|example|header)))\b|\ba library\b',
   'preference', 2, -1, 0.8, 'active',
   'Stop apologising all the time.', 'Don''t use a library for this one.'),
  ('preference.hate_when', 'preference', 'en', 24,
   '^(?:i\s+(?:really\s+|just\s+)?(?:hate|dislike|can''?t\s+stand|don''?t\s+like)\s+it\s+when|it\s+(?:drives\s+me'
   || '|annoys\s+me|bothers\s+me|bugs\s+me)\b.*\bwhen|what\s+bugs\s+me\s+is\s+when)\s+(?P<what>\S.+)',
   null,
   'preference', 2, -1, 0.85, 'active',
   'It drives me crazy when you leave trailing whitespace.', 'It bugs me a lot.'),
  ('preference.want_answers', 'preference', 'en', 25,
   '^i(?:''d\s+like|\s+would\s+like|\s+want|\s+always\s+want|\s+expect)\s+(?:(?:always|all)\s+)?(?:your\s+|my\s+'
   || '|the\s+)?(?:answers?|replies|responses|commit\s+messages?|commits|explanations|summaries|(?:american|british|metric'
   || '|conventional)\b|you\s+to\s+(?:always|never|double|call|address|ask|tell|use|speak|answer|write|keep|be'
   || '|stop))\b\s*(?P<what>.*)',
   '\b(?:this|these|that one|here|now|today)\b',
   'preference', 2, 1, 0.85, 'active',
   'I want answers in German.', 'I want you to refactor this method.'),
  ('preference.call_me', 'preference', 'en', 26,
   '^(?:you\s+can\s+|just\s+)?(?:call|address)\s+me\s+(?P<what>\S.*)',
   '\b(?:later|back|tomorrow|today|a taxi|at \d|when|if|for this|in this|maybe)\b',
   'preference', 2, 1, 0.85, 'active',
   'Call me Sam.', 'Call me when it''s done.'),
  ('preference.ask_first', 'preference', 'en', 27,
   '^(?:(?:always|please)\s+)?(?:ask|check\s+with|tell|show|warn)\s+me\s+(?:[^,]*\s)?(?:first|before)\b.*'
   || '|^when(?:ever)?\s+you(?:''re|\s+are)?\s+(?:unsure|not\s+sure|in\s+doubt)\b.*',
   '\b(?:this|lunch|today|the (?:first|second) (?:line|row|item))\b',
   'preference', 2, 1, 0.8, 'active',
   'Ask me before you delete anything.', 'Tell me the first line.'),
  ('preference.answer_in', 'preference', 'en', 95,
   '^(?:(?:always|please)\s+)?(?:answer|reply|respond|speak|write|talk|explain)\b[^.]*\b(?:always|only in|in (?:german'
   || '|english|french|spanish|italian|portuguese|dutch|chinese|japanese|the language i))\b.*',
   '\b(?:this|him|her|them|mail|email|letter|essay|poem|story|sentence|word|ticket|customer|card|function|test|script'
   || '|regex|config)\b',
   'preference', 2, 1, 0.8, 'active',
   'Reply in German.', 'Reply to this mail in German.'),
  ('preference.keep_answers', 'preference', 'en', 29,
   '^(?:keep|make)\s+(?:your|all|the|every|my)\s+(?:answers?|replies|responses|explanations|commit\s+messages|functions'
   || '|lines|paragraphs|tone|language)\b\s*(?P<what>.*)',
   '\b(?:this|here|function (?:return|final))\b',
   'preference', 2, 1, 0.8, 'active',
   'Keep your replies short.', 'Keep the tone friendly in this message.'),
  ('preference.x_not_y', 'preference', 'en', 30,
   '^(?:use\s+)?(?P<what>tabs|spaces|single\s+quotes|double\s+quotes|metric|pathlib|pytest|yarn|pnpm|npm|snake_case'
   || '|camelcase|\w+),?\s+(?:not|over|instead\s+of|rather\s+than|never)\s+(?:tabs|spaces|double|single|imperial|os\.path'
   || '|unittest|npm|yarn|pnpm|camelcase|snake_case|bullet\w*|paragraphs)\b.*',
   '\b(?:here|this|not (?:this|that|here|now|yet))\b',
   'preference', 2, 1, 0.8, 'active',
   'Use tabs, not spaces.', 'Use the second one, not the first.'),
  ('preference.we_use_never', 'preference', 'en', 31,
   '^(?:in\s+this\s+\w+\s+|here\s+)?we\s+(?:only\s+|always\s+|exclusively\s+)?use\s+(?P<what>\S.*?)(?:,?\s+(?:never|not'
   || '|only|always|exclusively)\b.*|\s+(?:here|in\s+this\s+(?:repo|repository|project|codebase|monorepo))\b.*)$',
   '\b(?:variable|loop|function|import)\b',
   'convention', 3, 1, 0.85, 'active',
   'We use pnpm here, never npm.', 'We use the variable x here only once.'),
  ('preference.we_dont', 'preference', 'en', 32,
   '^(?:(?:in|at|on)\s+(?:this|our|the)\s+\w+\s+)?(?:we|nobody|no\s+one)\s+(?:never|only|always|(?:do\s+not'
   || '|don''?t)(?:\s+ever)?)\s+(?:accept|add|allow|buy|call|cache|commit|delete|deploy|discount|do|email|expose|give'
   || '|hardcode|hire|import|joke|log|merge|mix|mock|push(?:es)?|rebase|release|ship|squash|store|support|test|throw|touch'
   || '|use|write)\b\s*(?P<what>.*)',
   '\b(?:here|today|yet|this line|reach|get to|any more)\b',
   'convention', 3, -1, 0.75, 'active',
   'We don''t deploy on fridays.', 'We never get to the else branch.'),
  ('correction.no_longer', 'correction', 'en', 40,
   '^(?:that(?:''s|\s+is)\s+(?:outdated|not\s+true\s+any\s?more|stale|the\s+old)\b|(?:the|my|our|i|we'
   || '|[a-z]+)\b[^?]*\b(?:no\s+longer\b|(?:n''?t|not)\s[^,;?]*\b(?:any\s?more|any\s+longer)\b))',
   '\b(?:works?|compiles?|understand|need this|see the|care|load(?:s|ing)?|fails?|happens?|prefer)\b',
   'fact', 3, 1, 0.8, 'active',
   'We no longer use Jenkins.', 'It no longer compiles.'),
  ('correction.now', 'correction', 'en', 41,
   '^(?:the|my|our|we|i)\b[^?,]*\b(?:(?:is|are|''s|''re|am)\s+(?:now\s+(?:called|at|on|in|named|run|owned|\d)'
   || '|called\s+\S+\s+now)|was\s+renamed\s+to|(?:is|are)\s+\S+(?:\s+\S+)?\s+now(?:,\s+not\b.*)?$|(?:has|have)\s+(?:moved'
   || '|changed)|moved\s+to\s+\w+$|changed\s+from\b.*\bto\b|used\s+to\s+be)\b.*',
   '\b(?:green|red|working|broken|empty|fixed|done|fine|good|ready|gone|failing|slow|fast|faster|down|running|live|step'
   || '|next|here|better|topic|room|clear|blank|file|line|look|again|button)\b',
   'fact', 3, 1, 0.75, 'active',
   'The staging server is called stork now.', 'The build is green now.'),
  ('correction.mixing', 'correction', 'en', 42,
   '^(?:you(?:''re|\s+are)?\s+(?:mix(?:ed|ing)\s+(?:up|things\s+up)|misremember(?:ed)?|confus(?:ed|ing)|keep\s+calling'
   || '|got\s+that\s+wrong|have\s+my\s+name\s+wrong)|(?:sorry|scratch|forget|ignore)\b.*\b(?:i\s+meant|what\s+(?:i'
   || '|you)\s+(?:said|know)|not)\b|i\s+(?:mis-?spoke|was\s+wrong|got\s+it\s+wrong|made\s+a\s+mistake\s+earlier)'
   || '|make\s+that\s+\d)',
   '\b(?:surgery|try|this line)\b',
   'fact', 3, 1, 0.8, 'active',
   'You misremember, the cat is called Miso.', 'Ignore the second error for now.'),
  ('statement.called', 'statement', 'en', 50,
   '^(?:the|our|my|this)\s+(?:[\w''/-]+\s+)+?(?:is|are)\s+(?:called|named|hosted|deployed|written|maintained|owned|stored'
   || '|kept|built|located|headquartered|generated|signed|due|closed|open)\b\s+(?P<what>\S.*)',
   '\b(?:variable|function|method|button|when|twice|never|above|below|tutorial|below|again|here)\b',
   'fact', 1, 1, 0.7, 'active',
   'The staging server is called heron.', 'The method is called when the button is clicked.'),
  ('statement.runs_on', 'statement', 'en', 51,
   '^(?:(?:the|our|my|all)\s+)?(?:[\w''./-]+\s+)+?(?:listens?|runs?|lives?|sits|starts?|begins?|opens|closes|expires?'
   || '|points|belongs?|goes|go)\s+(?:on|in|at|to|until|through|after|under)\s+(?P<what>\S.*)',
   '\b(?:i|you|he|she|they|it|this|that|seeing|netflix|loop|script|function|test|line|page|nothing|let''s|user|error'
   || '|where|which|when|if|my machine|forever|ages|circles)\b',
   'fact', 1, 1, 0.7, 'active',
   'The api listens on port 8080.', 'The loop runs on line 3 forever.'),
  ('statement.owns', 'statement', 'en', 52,
   '^[a-z][\w-]+\s+(?:owns|maintains|looks\s+after|takes\s+care\s+of|is\s+(?:responsible|in\s+charge'
   || '|on\s+call)\b(?:\s+(?:for|of))?|handles|manages|leads)\s+(?P<what>\S.*)',
   '^(?:it|this|that|he|she|who|which|nobody|everyone|react|git|someone|redis|docker|kubernetes|python)\b',
   'fact', 1, 1, 0.75, 'active',
   'Marta owns billing.', 'It handles null badly.'),
  ('statement.we_use', 'statement', 'en', 53,
   '^we\s+(?:use|run|host|build\s+with|deploy\s+(?:with|on|to|via)|bill|ship|sell|keep|meet|have)\s+(?P<what>\S.*\s(?:for'
   || '|as|in|on|every|about|with|in\s+prod)\b.*|[\w.-]+(?:\s[\d.]+)?)$',
   '\b(?:variable|loop|here|now|today|this|that|i|problem|error|errors|bug|failing|time|fun|demo|test|tests|it)\b',
   'fact', 1, 1, 0.7, 'active',
   'We use celery for background jobs.', 'We have a problem with the login.'),
  ('profile.who_de', 'profile', 'de', 40,
   '^(?:ich\s+heisse|mein(?:\s+\w+)?\s+name\s+ist|nenn(?:t)?\s+mich|ich\s+bin\s+(?:ein[e]?\s+)?(?:\w+\s+)?\w*(?:er|erin'
   || '|in|ist|eur|arzt|arztin|frau|mann|studentin?|allergisch|vegetarisch|vegan|farbenblind|blind|taub'
   || '|schwanger)\b(?:\s.*)?$|(?:ich|wir)\s+(?:wohnen?|lebe|leben|arbeite\s+(?:als|bei|in|im)|komme\s+(?:aus|ursprunglich)'
   || '|sitze\s+im\s+rollstuhl|esse\s+kein|trinke\s+kein|spreche\s+\w)|(?:ich\s+habe|wir\s+haben)\s+(?:\w+\s+)?(?:kinder'
   || '|kind|hund|katze|allergie|asthma|diabetes)|mein[e]?\s+(?:frau|mann|tochter|sohn|hund|katze|schwester|bruder|mutter'
   || '|vater|chef(?:in)?|geburtstag)\s+(?:heisst|ist|arbeitet|wohnt|hat|isst)\b)',
   '\b(?:gerade|heute|mude|fertig|sicher|unterwegs|hier|dabei|hinter|immer|weiter|wieder|unsicher|wurde|ware'
   || '|einer meinung|experte|pirat|ritter)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ich wohne in Leipzig.', 'Ich bin mir nicht sicher.'),
  ('preference.wish_de', 'preference', 'de', 50,
   '^(?:(?:antwort|schreib|sprich|frag|zeig|benutz|nutz|verwend|lass|lauf|mach|halt|gib|sag|formatier|nenn|du'
   || '|sie)\w*\b[^,]*\b(?:immer|stets|nie|niemals|grundsatzlich)\b|(?:ab\s+(?:jetzt|sofort)|in\s+zukunft|kunftig|zukunftig'
   || '|nachstes\s+mal|von\s+nun\s+an)\b|(?:keine?|nie\s+wieder)\s+(?:emojis?|smileys|entschuldigungen|zusammenfassungen'
   || '|kommentare|floskeln)\b|(?:benutz|verwend|nutz)\w*\s+(?:bitte\s+)?kein|hor\s+auf\b|ich\s+(?:mag|hasse|bevorzuge'
   || '|hatte\s+gern|mochte|will)\b[^,]*(?:,\s+wenn\s+du|\bantworten\b|\bimmer\b|\bnie\b)|ich\s+(?:bevorzuge'
   || '|hab(?:e)?\s+lieber)\b|es\s+nervt\s+mich|lieber\s+\w+\s+als|(?:bitte\s+)?duze?\s+mich|frag\s+(?:mich,?\s+bevor|lieber'
   || '|vorher)|fass\s+(?:dich\s+kurz|nie)|(?:merk\s+dir|denk\s+(?:dran|daran)),?\s+dass)|\b(?:in\s+zukunft|ab\s+jetzt'
   || '|ab\s+sofort|nachstes\s+mal)\b',
   '\b(?:diesmal|heute|furs erste|in dieser|diese version|dieses mal|spalte|logs sehen|nur fur|das nicht)\b',
   'preference', 2, 1, 0.8, 'active',
   'Hör auf, dich ständig zu entschuldigen.', 'Ich möchte eine neue Spalte hinzufügen.'),
  ('decision.made_de', 'decision', 'de', 40,
   '^(?:(?:wir|ich)\s+(?:haben?|hat)\s+(?:uns\s+)?(?:\S+\s+)*?(?:entschieden|beschlossen|geeinigt|ersetzt|abgeschafft'
   || '|gewahlt|vereinbart)|wir\s+sind\s+(?:von\s+)?(?:\S+\s+){0,5}(?:umgestiegen|gewechselt)|wir\s+(?:bleiben\s+bei'
   || '|nehmen\s+.*(?:fest|endgultig)|wechseln\s+(?:zu|auf)|stellen\s+.*\bein$|setzen\s+auf)|das\s+team\s+hat\s+sich'
   || '|der\s+\w+\s+wurde\s+auf\b.*verschoben|ab\s+(?:montag|dienstag|mittwoch|donnerstag|freitag|januar|februar|marz|april'
   || '|mai|juni|juli|august|september|oktober|november|dezember)\s+(?:ist|sind|gilt))',
   '\b(?:pizza|heute|jetzt|mittag|pause)\b',
   'decision', 2, 1, 0.8, 'active',
   'Wir haben uns für Postgres entschieden.', 'Wir haben beschlossen, jetzt Pizza zu essen.'),
  ('correction.changed_de', 'correction', 'de', 50,
   '^(?:(?:ich\s+meinte|korrektur|das\s+ist\s+falsch,|stimmt\s+nicht,|nicht\s+\w+,?\s+sondern|du\s+verwechselst'
   || '|du\s+irrst)\b|(?:der|die|das|unser\w*|mein\w*)\s[^,]*\b(?:heisst|lauft|ist|liegt)\s+jetzt\s)|\bnicht\s+mehr\b'
   || '|\bsondern\s+\w',
   '\b(?:funktioniert|geht|weiter|verstehe|nur|brauche|will|kann|kaputt|grun|rot|fertig)\b',
   'fact', 3, 1, 0.75, 'active',
   'Wir benutzen Jenkins nicht mehr.', 'Es funktioniert nicht mehr.'),
  ('profile.who_es', 'profile', 'es', 40,
   '^(?:me\s+llamo|mi\s+nombre\s+es|soy\s+(?:un[a]?\s+)?(?:\w+\s+)?\w+(?:or|ora|ero|era|ista|ico|ica|ante|ente|ano|ana'
   || '|ogo|oga|ado|ada|iz|atra)\b(?:\s.*)?$|soy\s+(?:alergic|vegetarian|vegan|daltonic|celiac|diabetic|sord|de\s+\w)'
   || '|(?:vivo|vivimos)\s+(?:en|con|sol)|trabajo\s+(?:de|en|como|para)\s|(?:no\s+como|no\s+bebo)\s'
   || '|tengo\s+(?:\w+\s+)?(?:hij|perr|gat|alergi|asma|diabetes)|mi\s+(?:mujer|marido|esposa|hij[ao]|perr[ao]|gat[ao]'
   || '|herman[ao]|madre|padre|jef[ae]|cumpleanos)\s+(?:se\s+llama|es|trabaja|vive|tiene)\b|(?:hablo|uso)\s+\w'
   || '|voy\s+en\s+silla)',
   '\b(?:ahora|hoy|aqui|listo|seguro|un experto|caballero|de nuevo|este|esta|esto)\b',
   'profile', 2, 1, 0.8, 'active',
   'Me llamo Ada.', 'Soy un experto en este juego.'),
  ('preference.wish_es', 'preference', 'es', 50,
   '^(?:(?:respond|contest|habl|escrib|pregunt|ensen|muestra|us|utiliz|pas|explic|haz|pon)\w*\b[^,]*\b(?:siempre|nunca)\b'
   || '|(?:siempre|nunca)\s+(?:respond|contest|us|pregunt|toques|pon|hagas|escrib|pas)|(?:a\s+partir\s+de\s+ahora'
   || '|de\s+ahora\s+en\s+adelante|en\s+(?:el\s+)?futuro|la\s+proxima\s+vez|desde\s+ahora)\b|sin\s+(?:emojis?|resumenes'
   || '|comentarios|disculpas)|no\s+(?:uses|utilices|pongas|anadas)\s+(?:emojis?|comentarios|\w+$)|deja\s+de\s'
   || '|no\s+me\s+gusta\s+que\s|prefiero\s+|(?:odio|detesto)\s+(?:que|los|las)\s|me\s+(?:molesta|gusta)\s+(?:que|ver)\s'
   || '|llamame\s|tuteame|preguntame\s+(?:antes|primero)|recuerda\s+que\s|quiero\s+que\s+(?:siempre|nunca|los|las|me))'
   || '|\ba\s+partir\s+de\s+ahora$',
   '\b(?:esta vez|este correo|este archivo|la primera|el primero|la segunda|esta version|refactorices|hoy|por ahora)\b'
   || '|partir de ahora .*(?:servidor|host)',
   'preference', 2, 1, 0.8, 'active',
   'Respóndeme siempre en español.', 'Prefiero la primera.'),
  ('decision.made_es', 'decision', 'es', 40,
   '^(?:(?:hemos|he)\s+(?:decidido|acordado|elegido|cambiado|sustituido|reemplazado|migrado|pasado\s+de|optado)'
   || '|(?:decidimos|acordamos|elegimos|optamos|migramos|pasamos\s+de|cambiamos|dejamos\s+de|nos\s+quedamos\s+con)\b'
   || '|el\s+equipo\s+(?:eligio|decidio|acordo)|vamos\s+(?:con\s.*decidid|a\s+usar\s)|el\s+\w+\s+se\s+aplazo'
   || '|a\s+partir\s+del?\s+\w+\s+(?:la|el|los|las)\s)',
   '\b(?:pizza|hoy|ahora|comer|descanso|este)\b',
   'decision', 2, 1, 0.8, 'active',
   'Hemos decidido usar Postgres.', 'Hemos decidido comer pizza hoy.'),
  ('correction.changed_es', 'correction', 'es', 50,
   '^(?:ya\s+no\s+\w|me\s+referia\s|correccion\s*:|eso\s+esta\s+mal,|te\s+equivocas,?\s+|no\s+es\s+\w+,\s+(?:es|sino)\s'
   || '|(?:la|el|los|las|mi|nuestr\w+)\s[^,]*\bahora\s+(?:es|se\s+llama|escucha|esta)\s)|\bya\s+no\s+(?:esta|es|se|vivo|usa)',
   '\b(?:funciona|falla|entiendo|necesito|rojo|verde|roto|puedo|hace falta)\b',
   'fact', 3, 1, 0.75, 'active',
   'Ya no usamos Jenkins.', 'Ya no funciona.'),
  ('profile.who_fr', 'profile', 'fr', 40,
   '^(?:je\s+m''appelle|mon\s+nom\s+est|je\s+suis\s+(?:une?\s+)?(?:\w+\s+)?\w+(?:eur|euse|ier|iere|iste|ien|ienne|ant'
   || '|ante|ecin|ogue|ecte|aire|ique|marie|mariee)\b(?:\s.*)?$|je\s+suis\s+(?:allergique|vegetarien|vegan|daltonien|sourd'
   || '|en\s+fauteuil)|(?:j''habite|nous\s+habitons|je\s+vis|je\s+viens\s+(?:du|des)\b|je\s+travaille\s+(?:comme|dans|chez'
   || '|pour)|je\s+ne\s+(?:mange|bois)\s+pas|j''utilise\s+\w+$|j''apprends\s|je\s+parle\s)|j''ai\s+(?:\w+\s+)?(?:enfants?'
   || '|chiens?|chats?|ans\b|une\s+allergie|asthme)|m(?:on|a)\s+(?:femme|mari|fille|fils|chien|chat|soeur|frere|mere|pere'
   || '|cheffe?|anniversaire)\s+(?:s''appelle|est|travaille|habite|a)\b)',
   '\b(?:maintenant|ici|fatigue|en train|sur que|pret|content|bloque|chevalier|expert|un probleme|en reunion)\b',
   'profile', 2, 1, 0.8, 'active',
   'Je m''appelle Ada.', 'Je suis en réunion.'),
  ('preference.wish_fr', 'preference', 'fr', 50,
   '^(?:(?:repond|ecri|parl|demand|montr|utilis|lanc|expliqu|mets|fais)\w*(?:-moi)?\b[^,]*\b(?:toujours|jamais)\b'
   || '|ne\s+\w+\s+jamais\b|(?:a\s+partir\s+de\s+maintenant|desormais|dorenavant|a\s+l''avenir|la\s+prochaine\s+fois)\b'
   || '|pas\s+d(?:e\s+|'')(?:emojis?|resumes?|commentaires?|excuses)|n''utilise[sz]?\s+pas\s+d|arrete[sz]?\s+de\s'
   || '|je\s+(?:n''aime\s+pas\s+quand|deteste\s+(?:quand|les)|prefere\s+|veux\s+(?:des|les|que\s+tu)\s)|ca\s+m''(?:enerve'
   || '|agace)\s+quand|j''aime\s+(?:voir|quand)|appelle-moi\s|demande-moi\s+avant|souviens-toi\s+que'
   || '|propose-moi\s+uniquement)',
   '\b(?:cette fois|ce mail|ce fichier|la premiere|le premier|la deuxieme|cette version|refactorises|aujourd''hui'
   || '|pour l''instant)\b|maintenant .*serveur',
   'preference', 2, 1, 0.8, 'active',
   'Réponds-moi toujours en français.', 'Je préfère la première.'),
  ('decision.made_fr', 'decision', 'fr', 40,
   '^(?:(?:nous\s+avons|on\s+a|j''ai)\s+(?:decide|choisi|remplace|migre|retenu|adopte|opte|convenu)|(?:on\s+est'
   || '|nous\s+sommes)\s+passes?\s+de|on\s+(?:reste\s+sur|part\s+sur|abandonne|va\s+utiliser|s''est\s+mis\s+d''accord)'
   || '|nous\s+(?:restons|abandonnons|allons\s+utiliser)|l''equipe\s+a\s+(?:choisi|decide)|le\s+\w+\s+est\s+(?:repousse'
   || '|reporte)|a\s+partir\s+(?:de|du)\s+\w+\s+(?:le|la|les)\s)',
   '\b(?:pizza|ce soir|aujourd''hui|pause|manger)\b',
   'decision', 2, 1, 0.8, 'active',
   'Nous avons décidé d''utiliser Postgres.', 'On a décidé de manger une pizza ce soir.'),
  ('correction.changed_fr', 'correction', 'fr', 50,
   '^(?:(?:on|nous|je)\s+n[e'']\s?\w+\s+plus\s|je\s+voulais\s+dire\s|correction\s*:|c''est\s+faux,|tu\s+te\s+trompes,?\s'
   || '|ce\s+n''est\s+pas\s+\w+,\s+c''est\s|(?:la|le|les|l''|mon|ma|notre)\s?[^,]*\b(?:s''appelle|ecoute'
   || '|est)\s+(?:maintenant|desormais)\s)|\bn''est\s+plus\s',
   '\b(?:marche|comprends|sais|besoin|rouge|vert|casse|rien)\b',
   'fact', 3, 1, 0.75, 'active',
   'On n''utilise plus Jenkins.', 'Je ne sais plus quoi faire.'),
  ('profile.who_pt', 'profile', 'pt', 40,
   '^(?:(?:eu\s+)?me\s+chamo|chamo-me|(?:o\s+)?meu\s+nome\s+e|(?:eu\s+)?sou\s+(?:um[a]?\s+)?(?:\w+\s+)?\w+(?:or|ora|eiro'
   || '|eira|ista|ico|ica|ante|ente|ano|ana|ogo|oga|ado|ada)\b(?:\s.*)?$|sou\s+(?:alergic|vegetarian|vegan|daltonic'
   || '|d[oae]\s+\w)|(?:moro|vivo|moramos|vivemos)\s+(?:em|no|na|com)|trabalho\s+(?:como|na|no|em|para)\s|nao\s+(?:como'
   || '|bebo)\s|tenho\s+(?:\w+\s+)?(?:filh|cachorr|gat|alergia|asma)|(?:o\s+|a\s+)?m(?:eu|inha)\s+(?:mulher|marido|esposa'
   || '|filh[ao]|cachorr[ao]|gat[ao]|irma|irmao|mae|pai|chefe|aniversario)\s+(?:se\s+chama|e|trabalha|mora|tem)\b'
   || '|(?:eu\s+)?uso\s+(?:cadeira|\w+$)|falo\s+\w)',
   '\b(?:agora|hoje|aqui|pronto|certeza|especialista|cavaleiro|este|esse|isso)\b',
   'profile', 2, 1, 0.8, 'active',
   'Meu nome é Ada.', 'Sou um especialista neste jogo.'),
  ('preference.wish_pt', 'preference', 'pt', 50,
   '^(?:(?:respond|fal|escrev|pergunt|mostr|us|rod|expliqu)\w*(?:-me)?\b[^,]*\b(?:sempre|nunca)\b|(?:sempre'
   || '|nunca)\s+(?:respond|us|pergunt|mex|rod|mostr|escrev)|(?:a\s+partir\s+de\s+agora|daqui\s+(?:pra'
   || '|para)\s+(?:a\s+)?frente|de\s+agora\s+em\s+diante|no\s+futuro|da\s+proxima\s+vez)\b|sem\s+(?:emojis?|resumos'
   || '|comentarios)|nao\s+(?:use|usa|coloque)\s+(?:emojis?|comentarios|\w+$)|par[ae]\s+de\s|nao\s+gosto\s+quando|prefiro\s'
   || '|(?:odeio|detesto)\s+(?:quando|resumos|que)|me\s+irrita\s+quando|gosto\s+de\s+ver|me\s+chama\s+de|pergunta?\s+antes'
   || '|lembr[ae]\s+que|quero\s+(?:os|as|que\s+voce\s+sempre)\s)',
   '\b(?:dessa vez|desta vez|neste email|neste arquivo|a primeira|o primeiro|a segunda|essa versao|hoje|por enquanto)\b'
   || '|agora .*servidor',
   'preference', 2, 1, 0.8, 'active',
   'Responde-me sempre em português.', 'Prefiro a primeira.'),
  ('decision.made_pt', 'decision', 'pt', 40,
   '^(?:(?:a\s+gente\s+)?(?:decidimos|decidiu|escolhemos|combinamos|optamos|migramos|mudamos\s+de|trocamos|substituimos'
   || '|deixamos\s+de|ficamos\s+com)\b|o\s+time\s+(?:escolheu|decidiu)|vamos\s+(?:com\s.*decidid|usar\s)'
   || '|o\s+\w+\s+foi\s+adiado|a\s+partir\s+de\s+\w+\s+(?:a|o|as|os)\s)',
   '\b(?:pizza|hoje|agora|comer|pausa)\b',
   'decision', 2, 1, 0.8, 'active',
   'Decidimos não usar Kafka.', 'Decidimos comer pizza hoje.'),
  ('correction.changed_pt', 'correction', 'pt', 50,
   '^(?:nao\s+\w+\s+mais\s|eu\s+quis\s+dizer\s|correcao\s*:|(?:isso\s+)?esta\s+errado,|voce\s+se\s+enganou,?\s'
   || '|nao\s+e\s+\w+,\s+e\s|(?:a|o|as|os|meu|minha|nosso)\s[^,]*\bagora\s+(?:e|se\s+chama|escuta|fica)\s)|\bnao\s+(?:fica'
   || '|mora|usa|e|esta)\s+mais\s',
   '\b(?:funciona|entendo|preciso|vermelho|verde|quebrado|sei)\b',
   'fact', 3, 1, 0.75, 'active',
   'Não usamos mais Jenkins.', 'Não funciona mais nada.'),
  ('profile.who_it', 'profile', 'it', 40,
   '^(?:mi\s+chiamo|il\s+mio\s+nome\s+e|sono\s+(?:un[ao'']?\s*)?(?:\w+\s+)?\w+(?:ore|rice|iere|iera|ista|ico|ica|ante'
   || '|ente|ano|ana|ogo|oga|ato|ata|essa)\b(?:\s.*)?$|sono\s+(?:allergic|vegetarian|vegan|daltonic|in\s+sedia)|(?:abito'
   || '|vivo|abitiamo|viviamo)\s+(?:a|in|con)\s|lavoro\s+(?:come|nel|in|per)\s|non\s+(?:mangio|bevo)\s'
   || '|ho\s+(?:\w+\s+)?(?:figli[oae]?|un\s+cane|gatt|allergi|asma)|(?:la\s+|il\s+)?mi[ao]\s+(?:moglie|marito|figli[ao]|cane'
   || '|gatto|sorella|fratello|madre|padre|cap[ao]|compleanno)\s+(?:si\s+chiama|e|lavora|abita|ha)\b|vengo\s+d|parlo\s+\w'
   || '|uso\s+\w+$|sto\s+imparando)',
   '\b(?:ora|oggi|qui|pronto|sicuro|esperto|cavaliere|bloccato|stanco|andato|appena|in riunione|questo)\b',
   'profile', 2, 1, 0.8, 'active',
   'Mi chiamo Ada.', 'Sono stanco.'),
  ('preference.wish_it', 'preference', 'it', 50,
   '^(?:(?:rispond|scriv|parl|chied|mostr|usa|lancia|spieg)\w*\b[^,]*\b(?:sempre|mai)\b|(?:sempre|mai)\s+\w'
   || '|non\s+\w+\s+mai\b|(?:d''ora\s+in\s+poi|da\s+ora\s+in\s+(?:poi|avanti)|in\s+futuro|la\s+prossima\s+volta'
   || '|da\s+adesso)\b|niente\s+(?:emoji|riassunti|commenti)|non\s+usare\s+(?:emoji|commenti|\w+$)|smettila\s+di|smetti\s+di'
   || '|non\s+mi\s+piace\s+quando|preferisco\s|(?:odio|detesto)\s+(?:quando|i\s|le\s|gli\s)|mi\s+da\s+fastidio\s+quando'
   || '|mi\s+piace\s+(?:vedere|quando)|chiamami\s|chiedimi\s+prima|ricordati\s+che|voglio\s+(?:i|le|che\s+tu)\s'
   || '|proponimi\s+solo)',
   '\b(?:questa volta|questa mail|questo file|la prima|il primo|la seconda|questa versione|oggi|per ora|i log|funziona)\b'
   || '|poi .*server',
   'preference', 2, 1, 0.8, 'active',
   'Rispondimi sempre in italiano.', 'Preferisco la prima.'),
  ('decision.made_it', 'decision', 'it', 40,
   '^(?:abbiamo\s+(?:deciso|scelto|sostituito|concordato|migrato|optato|adottato)|siamo\s+passati\s+d|restiamo\s+su'
   || '|andiamo\s+con\s.*decis|useremo\s|non\s+supportiamo\s+piu|il\s+team\s+ha\s+(?:scelto|deciso)'
   || '|il\s+\w+\s+e\s+stato\s+(?:rinviato|spostato)|da\s+(?:lunedi|martedi|mercoledi|giovedi|venerdi)\s+(?:lo|la|il|i|le)\s'
   || '|ho\s+deciso\s)',
   '\b(?:pizza|stasera|oggi|pausa|mangiare)\b',
   'decision', 2, 1, 0.8, 'active',
   'Abbiamo deciso di usare Postgres.', 'Abbiamo deciso di mangiare una pizza stasera.'),
  ('correction.changed_it', 'correction', 'it', 50,
   '^(?:non\s+\w+\s+piu\s|intendevo\s|correzione\s*:|e\s+sbagliato,|ti\s+sbagli,?\s|non\s+e\s+\w+,\s+e\s|(?:la|il|lo|l'''
   || '|i|le|mi[ao]|nostr\w)\s?[^,]*\b(?:ora|adesso)\s+(?:e|si\s+chiama|ascolta)\s)|\bnon\s+e\s+piu\s',
   '\b(?:funziona|capisco|rosso|verde|rotto|so|serve)\b',
   'fact', 3, 1, 0.75, 'active',
   'Non usiamo più Jenkins.', 'Non funziona più niente.'),
  ('profile.who_nl', 'profile', 'nl', 40,
   '^(?:ik\s+heet|mijn\s+naam\s+is|ik\s+ben\s+(?:een\s+)?(?:\w+\s+)?\w+(?:er|eur|ist|kundige|aar|ent|arts|veganist'
   || '|vegetarier|allergisch|kleurenblind|doof)\b(?:\s.*)?$|(?:ik|we|wij)\s+(?:woon|wonen)\s|ik\s+(?:werk\s+(?:als|in|bij'
   || '|niet\s+op)|kom\s+(?:uit|oorspronkelijk)|eet\s+geen|drink\s+geen|spreek\s|leer\s+\w+$|zit\s+in\s+een\s+rolstoel'
   || '|gebruik\s+\w+$)|ik\s+heb\s+(?:\w+\s+)?(?:kinderen|hond|kat|allergie|astma)|mijn\s+(?:vrouw|man|dochter|zoon|hond|kat'
   || '|zus|broer|moeder|vader|baas|verjaardag)\s+(?:heet|is|werkt|woont|heeft)\b)',
   '\b(?:nu|hier|moe|klaar|zeker|bezig|ridder|expert|vergadering|vast|eerder|verder|weer)\b',
   'profile', 2, 1, 0.8, 'active',
   'Ik woon in Gent.', 'Ik ben nu klaar.'),
  ('preference.wish_nl', 'preference', 'nl', 50,
   '^(?:(?:antwoord|schrijf|spreek|vraag|laat|gebruik|draai|leg|hou)\w*\b[^,]*\b(?:altijd|nooit)\b|(?:altijd|nooit)\s+\w'
   || '|kom\s+nooit|(?:vanaf\s+nu|voortaan|in\s+de\s+toekomst|de\s+volgende\s+keer)\b|geen\s+(?:emoji|samenvattingen'
   || '|commentaar|excuses)|gebruik\s+geen\s|(?:hou\s+op|stop)\s+met\s|ik\s+(?:vind\s+het\s+niet\s+fijn|heb\s+liever'
   || '|haat\s+(?:het|samen)|erger\s+me|zie\s+graag|wil\s+(?:commits|dat\s+je))\b|noem\s+me\s|vraag\s+het\s+me\s+voordat'
   || '|je\s+hoeft\s+(?:me\s+)?niet\s|onthoud\s+dat|stel\s+alleen)',
   '\b(?:deze keer|deze mail|dit bestand|de eerste|de tweede|deze versie|vandaag|voor nu|te onthouden)\b|nu .*server',
   'preference', 2, 1, 0.8, 'active',
   'Antwoord me altijd in het Nederlands.', 'Gebruik deze keer altijd tabs.'),
  ('decision.made_nl', 'decision', 'nl', 40,
   '^(?:(?:we|wij|ik)\s+heb(?:ben)?\s+(?:besloten|gekozen|\w+\s+vervangen|\w+\s+releases\s+afgesproken|afgesproken)|(?:we'
   || '|wij)\s+(?:zijn\s+overgestapt|blijven\s+bij|gaan\s+voor|stoppen\s+met|gaan\s+\w+\s+gebruiken)|het\s+team\s+(?:koos'
   || '|heeft)|de\s+\w+\s+is\s+(?:uitgesteld|verplaatst)|vanaf\s+(?:maandag|dinsdag|woensdag|donderdag|vrijdag)\s)',
   '\b(?:pizza|vanavond|vandaag|pauze|eten)\b',
   'decision', 2, 1, 0.8, 'active',
   'We hebben besloten om Postgres te gebruiken.', 'We hebben besloten om vanavond pizza te eten.'),
  ('correction.changed_nl', 'correction', 'nl', 50,
   '^(?:ik\s+bedoelde\s|correctie\s*:|dat\s+klopt\s+niet,|je\s+vergist\s+je,?\s|het\s+is\s+niet\s+\w+,?\s+maar\s|(?:de'
   || '|het|onze|mijn)\s[^,]*\b(?:heet|luistert|is)\s+nu\s)|\bniet\s+meer\b',
   '\b(?:werkt|snap|weet|nodig|rood|groen|stuk|klaar)\b',
   'fact', 3, 1, 0.75, 'active',
   'We gebruiken Jenkins niet meer.', 'Het werkt niet meer.'),
  ('profile.who_zh', 'profile', 'zh', 40,
   '^(?:我叫.+|我的名字是.+|我(?:们)?住在?.+|我是(?:一[名个家])?.*(?:护士|老师|教师|医生|工程师|程序员|开发|律师|学生|设计师|会计|厨师|记者|经理|司机|翻译|色盲|素食)|我(?:对.+过敏'
   || '|不吃.+|吃素.*|来自.+|老家在.+|会说.+|在.+工作|有.+(?:孩子|儿子|女儿).*|用[\w ]+|坐轮椅.*|周[一二三四五六日]不上班)|我的?(?:女儿|儿子|丈夫|妻子|老婆|老公|狗|猫|老板|生日|姐姐'
   || '|妹妹|哥哥|弟弟)(?:叫|是|上|在|住).+)',
   '骑士|海盗|专家|什么|现在|今天|暂时|试|开会|住不|第一',
   'profile', 2, 1, 0.8, 'active',
   '我住在成都。', '我住不惯，今天换酒店。'),
  ('preference.wish_zh', 'preference', 'zh', 50,
   '^(?:请?(?:一直|始终|总是|永远)|(?:不要|别)(?:用|老是|再|使用)(?:表情|emoji|道歉|总结|分号|注释)|(?:我)?(?:更喜欢|讨厌|不喜欢你|偏好|习惯)|我喜欢(?:简短|先|用)|叫我.+'
   || '|记住我|只推荐)|(?:以后|今后|从现在起|下次|从今以后)|(?:之前|前)(?:总是)?先(?:问我|给我看)',
   '这个版本|第一个|这次|暂时|今天|服务器叫',
   'preference', 2, 1, 0.8, 'active',
   '请一直用中文回答我。', '我更喜欢第一个。'),
  ('constraint.must_zh', 'constraint', 'zh', 40,
   '^.*(?:必须|禁止|不允许|不得|绝不能|不准|一律|不能直接).+',
   '这个函数|改一下|文档说|手册|要求我们|今天|交付|我们今天|肯定|吗$',
   'policy', 3, 1, 0.75, 'active',
   '所有提交都必须签名。', '我们今天必须交付。'),
  ('decision.made_zh', 'decision', 'zh', 40,
   '^(?:我们(?:最后)?(?:决定|商定|选了|不再支持|还是继续用|把.+换成了?|从.+(?:换到|迁移到|换成)).+|团队(?:选了|决定).+|就用.+(?:定了|吧定)|.+(?:推迟到|改到).+'
   || '|从周[一二三四五六日]开始.+|.+已经定了)',
   '披萨|今晚|现在吃|休息',
   'decision', 2, 1, 0.8, 'active',
   '我们决定用Postgres。', '我们决定今晚吃披萨。'),
  ('correction.changed_zh', 'correction', 'zh', 50,
   '^(?:不对[，,].+|错了[，,].+|更正[：:].+|其实(?:服务器|端口|我|它|名字|公司|会议|办公室).+|我说的是.+|不是.+[，,]是.+|你(?:记错|弄错|搞混)了?[，,].+|我不住.+现在'
   || '|.+现在(?:叫|由|监听|是|在).+)|已经不(?:用|在|住).+|不在.+搬到.+',
   '无所谓|再试|可以了|就行|挂了|看',
   'fact', 3, 1, 0.75, 'active',
   '不对，端口是8081。', '不对，再试一次。'),
  ('statement.is_zh', 'statement', 'zh', 50,
   '^(?:.+(?:服务器|数据库|项目|集群|主机)叫.+|[^我你他]+负责\w+|.+监听\d+端口|.+在(?:wiki|[一二三四五六七八九十]楼|人民路)|我们用\w+(?:部署|做|写)|.+是用\w+写的|.+从.月开始)',
   '吗|什么|谁|哪',
   'fact', 1, 1, 0.7, 'active',
   '测试服务器叫苍鹭。', '服务器叫什么？'),
  ('profile.who_ja', 'profile', 'ja', 40,
   '^(?:(?:私|僕|俺)(?:の名前)?は.+(?:です|をしています|といいます)|.+といいます$|[^、]*(?:看護師|教師|医師|エンジニア|学生|弁護士|プログラマ|デザイナー)です$|.+に住んで(?:います|いる)'
   || '|.+(?:の仕事をして|で働いて|の開発をして|を勉強して)います|.+アレルギーが(?:あります|ある)|.+は食べ(?:ません|ない)$|(?:娘|息子|夫|妻|犬|猫|姉|兄|弟|妹|母|父|上司)(?:の名前)?は.+'
   || '|子供が.+います|誕生日は.+|出身は.+|車椅子を使って.+|.+を使っています$)',
   '騎士|海賊|専門家|何|どこ|誰|今|今日|たら|ゲーム|と言って|いないし|もう',
   'profile', 2, 1, 0.8, 'active',
   '大阪に住んでいます。', '今は京都に住んでいます。'),
  ('preference.wish_ja', 'preference', 'ja', 50,
   '^(?:いつも.+(?:して|答えて|ください|書いて)|(?:これから|今後|次回|以後).+|.+(?:の方が好き|回答が好きです)$|.+(?:前に)(?:必ず|先に).+(?:聞いて|見せて)|.+には絶対に触らないで'
   || '|.+って呼んで$|.+だけ提案して$|基本的に.+|.+して(?:から|)報告してほしい|.+で書いてほしい)|(?:絵文字|セミコロン|敬語|まとめ)は?(?:使わ|なし|いら|嫌い)|(?:謝らないで|謝られるのは)'
   || '|と?覚えておいて',
   '今回|このメール|このファイル|今日|バグ|最初の方|さっき',
   'preference', 2, 1, 0.8, 'active',
   'いつも日本語で答えてください。', '最初の方が好き。'),
  ('constraint.must_ja', 'constraint', 'ja', 40,
   '^.*(?:必要です|必ず.+(?:必要|すること|する|始める|記載する|つける)|てはいけない|てはならない|のは禁止|禁止$|なければならない|しか使わない|こと$).*',
   '明日まで|この関数|直して|今日中|スクリプトが|と書いて|によると|ことにした|ことに',
   'policy', 3, 1, 0.75, 'active',
   'すべてのコミットには署名が必要です。', '明日までにスクリプトが必要です。'),
  ('decision.made_ja', 'decision', 'ja', 40,
   '^.+(?:ことに(?:決めました|決めた|しました|した)|に決定|に決まりました|に移行しました|に移行した|に置き換えました|に延期になった|で合意した|を選んだ|使い続ける|で決定).*',
   'ピザ|今夜|今日は|休憩',
   'decision', 2, 1, 0.8, 'active',
   'Postgresを使うことに決めました。', '今夜はピザを食べることにした。'),
  ('correction.changed_ja', 'correction', 'ja', 50,
   '^(?:いや、.+(?:です|だ)$|実は.+(?:名前|ポート|は).+|訂正[：:].+|違います、.+|.+ではなく.+|もう.+(?:いません|いない)|.+のことでした$|間違って.+、.+|.+の担当は今は?.+'
   || '|.+は今\d+.+)',
   '大丈夫|どっちでも|そのまま|ファイル|もう一度|終わ|動',
   'fact', 3, 1, 0.75, 'active',
   'いや、ポートは8081です。', 'いや、そのままで大丈夫です。'),
  ('statement.is_ja', 'statement', 'ja', 50,
   '^(?:.+(?:サーバー|データベース|プロジェクト)(?:の名前)?は.+(?:です|という名前です)|.+が\w+を担当しています|.+(?:にあります|で書かれている|から始まる|に開きます|で待ち受けている)$'
   || '|\w+でデプロイしています)',
   '何|どこ|誰|か$|質問',
   'fact', 1, 1, 0.7, 'active',
   'ステージングサーバーの名前はアオサギです。', 'サーバーの名前は何ですか？'),
  ('constraint.every', 'constraint', 'en', 40,
   '^(?:in\s+this\s+\w+\s+)?(?:every|each|all)\s+(?:new\s+)?(?:[\w./-]+\s+)+?(?:needs?|gets?|has|have|are|is|starts?'
   || '|ends?|goes?|carr(?:y|ies)|requires?|follows?|lives?)\s+\S.*',
   '\b(?:time|day|users?|good|done|fine|green|red|broken|failing|now|today|here|gone|the same|of (?:them|it|this)'
   || '|tests? (?:are|pass|is)|developers?|people|kids?|about|example|row|value in rust|orders)\b',
   'convention', 3, 1, 0.75, 'active',
   'Every PR needs two approvals.', 'All tests are green now.'),
  ('constraint.only', 'constraint', 'en', 41,
   '^only\s+(?:[\w./-]+\s+)+?(?:may|can|has|have|gets?|is\s+allowed|are\s+allowed)\s+\S.*',
   '\b(?:i|seen?|happens?|time|see|hope|two)\b',
   'policy', 4, 1, 0.8, 'active',
   'Only the release bot may tag versions.', 'Only time can tell.'),
  ('constraint.no_x_in_y', 'constraint', 'en', 42,
   '^(?:please\s+)?no\s+(?:[\w./-]+\s+)+?(?:in|on|at|without|after|before|during|under|outside|until|from)\s+\S.*',
   '^no\s+(?:\w+\s+)?(?:idea|problem|need|matter|change|changes|luck|errors?|difference|reason|way|worries|one|response'
   || '|such|wait|more questions|point|access|doubt|sign|news|rush|hurry|clue|comments were)\b|\b(?:yet|now|today|here|my)\b'
   || '|^no,',
   'policy', 3, -1, 0.8, 'active',
   'No deploys after 4pm.', 'No errors in the log.'),
  ('preference.before_after', 'preference', 'en', 91,
   '^(?:before|after|whenever|if\s+you|when\s+you|when\s+a|if\s+a)\s+(?:every|each|any|changing|merging|releasing'
   || '|going\s+live|deploying|touching|add|touch|change|break|bump|open|send|the\s+\w+\s+changes|\w+\s+(?:is|changes)'
   || '|an?\s+\w+)\b[^,]*,?\s+(?:you\s+(?:have|need)\s+to|you\s+fix|it\s+(?:gets|goes|has)|always|(?:please\s+)?(?:run'
   || '|update|regenerate|bump|tag|write|rebase|ask|get|we\s+(?:write|update|run)|has\s+to|the\s+\w+\s+has\s+to))\s+\S.*',
   '\b(?:this|that|it works|lunch|done|error|i (?:click|run)|run the|memory|possible|line \d)\b',
   'convention', 3, 1, 0.75, 'active',
   'If you add a dependency, write down why.', 'After lunch, run the tests on this branch.'),
  ('constraint.is_always', 'constraint', 'en', 44,
   '^(?:[\w./''-]+\s+)+?(?:is|are|gets?|stays?|goes?|has\s+to|have\s+to|need\s+to|can''?t|may\s+only|stay)\s+(?:always'
   || '|never|only|exclusively|below|above|under|out\s+of|in\s+english|off\s+limits|frozen|banned|reviewed|signed|be\s+\S+'
   || '|deleted\s+after)\b.*',
   '^(?:it|he|she|they|i|we|you|there|this|that|what|who)\b|\b(?:zero|null|true|false|none|empty|broken|failing|late|used'
   || '|called|slow|dns|my|test|prove|assume|below|above|finite|positive|pain|loop|cause|fun|the last|the same|funny|red)\b'
   || '|\bto\s+be\s+(?:faster|in here|somewhere|restarted)\b',
   'convention', 3, 1, 0.7, 'active',
   'Money is always stored in cents.', 'The value is always zero.'),
  ('constraint.label', 'constraint', 'en', 45,
   '^(?:(?:house|ground|golden|team|our)\s+rule|(?:our\s+|the\s+|a\s+)?(?:convention|policy)|company\s+policy'
   || '|our\s+(?:style\s+guide|deal)|(?:the|our)\s+rule)\b(?:\s+(?:for|here|in|on|of)\s+[^:,]*)?(?:\s+(?:is|says)'
   || '|\s*[:,])\s+(?P<what>\S.*)',
   '\b(?:broken|unclear|wrong|too|missing|outdated)\b',
   'convention', 3, 1, 0.85, 'active',
   'House rule: one component per file.', 'The rule is broken.'),
  ('constraint.repo_noun', 'constraint', 'en', 46,
   '^(?:commit\s+(?:messages|titles)|branch\s+names|branches|variable\s+names|file\s+names|comments|tests|migrations'
   || '|secrets|timestamps|prices|imports|error\s+messages|images|log\s+lines|passwords|tokens|keys|headlines|invoices'
   || '|css\s+classes|config|prs|pull\s+requests|ids|releases|releases|files\s+in\s+\S+|everything\s+in\s+\S+)\s+(?:must'
   || '|start|starts|end|follow|follows|stay|stays|are|is|have|has|go|goes|comes?|live|need|happen|run|say'
   || '|include)\s+(?:to\s+)?\S.*',
   '\b(?:green|red|broken|failing|now|today|here|missing|wrong|pass|fine|done|ready|gone|empty|nice|off|slow|hard|still'
   || '|long|late|confusing)\b',
   'convention', 3, 1, 0.75, 'active',
   'Branch names start with the ticket number.', 'Tests are green now.'),
  ('constraint.we_rule', 'constraint', 'en', 47,
   '^we\s+(?:always\s+)?(?:squash|tag|document|review|write\s+\w+\s+(?:before|for)|round|target|support\s+the|keep\s+one'
   || '|store\s+\w+\s+in|work\s+in\s+pairs|release\s+on|sign)\b\s*(?P<what>\S.*)',
   '\b(?:this|now|today|here|tomorrow|need|should)\b',
   'convention', 3, 1, 0.7, 'active',
   'We tag every release.', 'We document this now.'),
  ('constraint.house_de', 'constraint', 'de', 50,
   '^(?:(?:hier|in\s+diesem\s+projekt|bei\s+uns|wir)\s.*\b(?:verwenden|benutzen|nutzen)\b.*\b(?:nur|ausschliesslich|immer'
   || '|niemals|nie|kein\w*|hier|grundsatzlich)\b|(?:kein\w*|niemand|nichts|ohne)\s.*\b(?:ins|im|auf|in|pusht|geht)\b'
   || '|jede[rs]?\s+\w+\s+braucht\s|vor\s+jede[mr]\s.*\b(?:muss|mussen)\b|neue\s.*\bmussen\b)|\bwird\s+nicht\s|\b(?:durfen'
   || '|darf)\s+(?:nie|nicht|kein\w*)\b|\b(?:immer|nie)\s+(?:in|nach|mit)\s',
   '\b(?:ich|du|hier nicht|gerade|heute|mehr|idee|ahnung|problem|test|fehler|funktioniert)\b',
   'convention', 3, 1, 0.75, 'active',
   'Freitags wird nicht deployt.', 'Der Test wird nicht grün.'),
  ('constraint.house_es', 'constraint', 'es', 50,
   '^(?:(?:aqui|en\s+este\s+\w+)\s+(?:solo\s+)?(?:usamos|utilizamos|se\s+usa)|nadie\s+\w+|no\s+se\s+(?:despliega|guarda'
   || '|permite|toca|sube|usa|hace|acepta)\w*\s|cada\s+\w+\s+(?:necesita|debe|lleva|tiene)'
   || '|hay\s+que\s.*\bantes\s+de\s+cada\b)|\b(?:nunca\s+(?:sale|se)|no\s+pueden|tienen?\s+que|se\s+guardan\s+(?:siempre)?'
   || '|esta\s+prohibido)\b|\b(?:empiezan|van)\s+siempre\b',
   '\b(?:hoy|ahora|esto|este fallo|entregar|yo|contesto|esta roto)\b',
   'convention', 3, 1, 0.75, 'active',
   'No se despliega los viernes.', 'Nadie contesto hoy.'),
  ('constraint.house_fr', 'constraint', 'fr', 50,
   '^(?:(?:ici|dans\s+ce\s+\w+),?\s+(?:on|nous)\s+(?:n'')?utilis|personne\s+ne\s|on\s+ne\s+(?:deploie|pousse|touche'
   || '|stocke|fusionne|commit)\s+(?:pas|jamais|rien)|pas\s+de\s+\w+\s+(?:dans|sur|le)\s|chaque\s+\w+\s+(?:a\s+besoin|doit'
   || '|porte)|il\s+faut\s.*\bavant\s+chaque\b)|\b(?:n''ont\s+pas\s+le\s+droit|il\s+est\s+interdit|ne\s+doivent\s+(?:jamais'
   || '|pas)|(?:commencent|sont)\s+toujours)\b',
   '\b(?:aujourd''hui|maintenant|ca|repond|marche)\b',
   'convention', 3, 1, 0.75, 'active',
   'On ne déploie pas le vendredi.', 'Personne ne répond.'),
  ('constraint.house_pt', 'constraint', 'pt', 50,
   '^(?:(?:aqui|neste\s+\w+)\s+(?:so\s+)?usamos|ninguem\s+\w+|nao\s+(?:fazemos|usamos|guardamos|aceitamos)\s'
   || '|cada\s+\w+\s+(?:precisa|deve|leva|tem)|nada\s+de\s|(?:todos|todas)\s+(?:os|as)\s.*\b(?:devem|tem\s+que|precisam)\b'
   || '|e\s+preciso\s.*\bantes\s+de\s+cada\b|(?:as|os)\s.*\bdevem\s)|\b(?:nunca\s+saem|nao\s+podem|tem\s+que|e\s+proibido'
   || '|sao\s+sempre|comecam\s+sempre)\b',
   '\b(?:hoje|agora|isso|entregar|mais|respondeu|funcao)\b',
   'convention', 3, 1, 0.75, 'active',
   'Não fazemos deploy às sextas.', 'Ninguem respondeu hoje.'),
  ('constraint.house_it', 'constraint', 'it', 50,
   '^(?:(?:qui|in\s+questo\s+\w+)\s+usiamo|nessuno\s+\w+|ogni\s+\w+\s+(?:ha\s+bisogno|deve|porta)|niente\s+\w+\s+(?:nel'
   || '|nella|in|su)\s|(?:tutti|tutte)\s.*\bdevono\b|bisogna\s.*\bprima\s+di\s+ogni\b|(?:le|gli|i)\s.*\bdevono\s)'
   || '|\bnon\s+si\s+(?:fa|tocca|usa|pusha)\b|\b(?:non\s+devono|non\s+possono|e\s+vietato|si\s+salvano\s+sempre'
   || '|iniziano\s+sempre)\b',
   '\b(?:oggi|ora|questo bug|risponde|consegnar)\b',
   'convention', 3, 1, 0.75, 'active',
   'Il venerdì non si fa deploy.', 'Nessuno risponde.'),
  ('constraint.house_nl', 'constraint', 'nl', 50,
   '^(?:(?:we|wij)\s+gebruiken\s+hier|in\s+dit\s+\w+\s+gebruiken\s|niemand\s+\w+|elke\s+\w+\s+(?:heeft|moet|krijgt)'
   || '|geen\s+\w+\s+in\s|alle\s.*\bmoeten\b|voor\s+elke\s.*\bmoet\b|\w+\s+moeten\s)|\bwordt\s+er\s+niet\b'
   || '|\b(?:mogen\s+(?:nooit|het|niet|geen)|het\s+is\s+verboden|worden\s+altijd|beginnen\s+altijd)\b',
   '\b(?:vandaag|nu|dit opleveren|antwoordt|we moeten)\b',
   'convention', 3, 1, 0.75, 'active',
   'Op vrijdag wordt er niet gedeployed.', 'Niemand antwoordt.');

update kind set needs_trust = 1 where name in ('pitfall', 'decision', 'preference');
update kind set is_wish = 1 where name in ('preference', 'convention', 'workflow', 'feedback');
update kind set is_rule = 1 where name = 'policy';
update kind set is_mend = 1 where name = 'failure';
-- What is told where it is about to be done, the most telling first.
update kind set act_order = case name
         when 'failure' then 1 when 'rejected' then 2 when 'policy' then 3 when 'pitfall' then 4 when 'convention' then 5
         when 'decision' then 6 when 'architecture' then 7 when 'workflow' then 8 else 9 end
 where name in ('failure', 'rejected', 'policy', 'pitfall', 'convention', 'decision', 'architecture', 'workflow', 'preference');
-- What was tried or proposed and turned down, with its reason: told when it comes up again.
insert or ignore into capture_rule
  (name, family, language, position, pattern, veto, kind, priority, polarity, confidence, state, example, counter_example)
values
  ('decision.tried_in_vain', 'decision', 'en', 5,
   '^(?:we(?:''ve|''d|\s+have|\s+had)?\s+(?:already\s+|also\s+|once\s+|even\s+)?(?:tried|tested|evaluated|experimented\s+with|piloted)'
   || '|i(?:''ve|\s+have)?\s+(?:already\s+|also\s+|once\s+)?tried\s+(?:using|moving|switching|migrating|replacing|upgrading|adopting'
   || '|going))\s+(?P<what>\S.*?)(?:\s*[,;:-]\s*|\s+)(?:(?:and|but)\s+)?(?:we\s+had\s+to\s+(?:revert|roll|back)|(?:it|that|this|they|which|everything'
   || '|the\s+\S+)\s+(?:\w+\s+)?(?:br(?:oke|eaks)|fail(?:ed|s)|crash(?:ed|es)|los(?:t|es)|leak(?:ed|s)|corrupt(?:ed|s)|deadlock(?:ed|s)'
   || '|h(?:u|a)ngs?|timed\s+out|conflict(?:ed|s)|caus(?:ed|es)|slow(?:ed|s)|doubled|tripled|blocked|ran\s+(?:out|into)|made\s+\S+'
   || '|(?:did|does|do|was|were|is)(?:n''t|\s+not)\s+\w+|(?:was|were|is|are|got|became)\s+(?:far\s+|way\s+|much\s+)?(?:too|worse'
   || '|slower|flaky|unstable|unusable|a\s+(?:mess|disaster|nightmare|pain))|cost\s+(?:too|more)|never\s+worked))\b',
   '\btried\s+(?:to|again|running|it\b|that\b|this\b|your|the\s+(?:tests?|build|command|link|button|fix|new\s+version))\b'
   || '|\b(?:restaurant|pizza|recipe|today|just\s+now|works\s+now|fixed|seems?|can\s+you|help|not\s+sure)\b',
   'rejected', 3, -1, 0.8, 'active',
   'We tried Redis for the queue, it lost jobs at a restart.', 'We tried to run the tests but it failed.'),
  ('decision.rather_not', 'decision', 'en', 6,
   '^let(?:''s|\s+us)\s+(?:not|never)\s+(?:use\s+)?(?P<what>\S.*?)\s*(?:\s(?:because|since|as\s+(?:it|that|they|this|we))\b'
   || '|[,;:-]\s*(?:it|that|this|they|because)\s).*\w',
   '\b(?:today|tonight|now|right\s+now|for\s+now|yet|forget|talk|panic|worry|argue|get\s+ahead|pizza|lunch|this\s+time|this\s+one)\b',
   'rejected', 3, -1, 0.8, 'active',
   'Let''s not use Redis because it lost jobs at a restart.', 'Let''s not do this now because I''m tired.'),
  ('decision.turned_down', 'decision', 'en', 7,
   '^(?:we|i)(?:''ve|\s+have)?\s+(?:already\s+|also\s+|finally\s+)?(?:decided\s+against|ruled\s+out|rejected|turned\s+down'
   || '|gave\s+up\s+on|given\s+up\s+on|abandoned|backed\s+out\s+(?:of\s+)?|reverted|rolled\s+back)\s+(?P<what>\S.*?)'
   || '(?:\s(?:because|since|as\s+(?:it|that|they|this|we)|when\s+it|after\s+it|due\s+to)\b|\s*[,;:-]\s*(?:it|that|this|they|too)\s).*\w',
   '\b(?:today|just\s+now|for\s+now|your\s+(?:change|edit|commit)|the\s+last\s+commit|pizza|lunch|dinner)\b',
   'rejected', 3, -1, 0.85, 'active',
   'We decided against Kafka because it is too much for three events a day.', 'I reverted your change because the tests fail.'),
  ('decision.rejected_de', 'decision', 'de', 30,
   '^(?:(?:wir|ich)\s+(?:haben?|hatten)\s+(?:\S+\s+){0,8}?(?:ausprobiert|probiert|versucht|verworfen|getestet)\b.*(?:,|aber|das|es)'
   || '\s+(?:\S+\s+){0,6}?(?:kaputt|abgesturzt|verloren|gescheitert|fehlgeschlagen|zu\s+(?:langsam|teuer|instabil|aufwendig)'
   || '|funktionierte\s+nicht|nicht\s+funktioniert|ging\s+nicht|weil)\b|(?:lass(?:t)?\s+uns|lieber|besser)\s+(?:\S+\s+){0,6}?(?:nicht|kein\w*)\s.*\bweil\b'
   || '|wir\s+(?:nehmen|verwenden|nutzen|machen)\s+(?:\S+\s+){0,4}?(?:nicht|kein\w*)\b.*\bweil\b)',
   '\b(?:heute|jetzt|gerade|erst ?mal|mittag|pizza|zu starten|die tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Wir haben Redis für die Queue ausprobiert, das hat Jobs verloren.', 'Ich habe versucht, die Tests zu starten, das ging nicht.'),
  ('decision.rejected_es', 'decision', 'es', 30,
   '^(?:(?:ya\s+)?(?:probamos|hemos\s+probado|intentamos\s+(?:usar|migrar|cambiar)|descartamos|hemos\s+descartado)\s+\S.*'
   || '(?:rompio|rompia|fallo|fallaba|perdio|perdia|no\s+funcion\w+|era\s+(?:demasiado|muy)|porque|ya\s+que)\b'
   || '|(?:mejor\s+)?no\s+(?:usemos|hagamos|migremos|cambiemos|metamos)\s+\S.*\b(?:porque|ya\s+que)\b)',
   '\b(?:hoy|ahora|por ahora|todavia|pizza|comer|las pruebas)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Probamos Redis para la cola y perdió trabajos.', 'Hoy no hagamos nada porque estoy cansado.'),
  ('decision.rejected_fr', 'decision', 'fr', 30,
   '^(?:(?:on|nous)\s+(?:a|avons)\s+(?:deja\s+)?(?:essaye|teste|abandonne|ecarte|rejete)\s+\S.*(?:casse|plante|perdu|perdait|echoue'
   || '|ne\s+(?:marchait|fonctionnait|tenait)\s+pas|etait\s+trop|parce\s+qu|car\s)'
   || '|(?:evitons|n''utilisons\s+pas|ne\s+\w+ons\s+pas)\s+\S.*\b(?:parce\s+qu|car\s).*)',
   '\b(?:aujourd''hui|maintenant|pour l''instant|encore|pizza|manger|de lancer)\b',
   'rejected', 3, -1, 0.75, 'active',
   'On a essayé Redis pour la file, ça a perdu des tâches.', 'Ne parlons pas de ça maintenant car je suis fatigué.'),
  ('decision.rejected_pt', 'decision', 'pt', 30,
   '^(?:(?:(?:nos\s+)?(?:ja\s+)?(?:tentamos\s+(?:usar|migrar|trocar|mudar|passar)|testamos|experimentamos|avaliamos|descartamos|abandonamos|rejeitamos)'
   || '|(?:a\s+gente|eu)\s+(?:ja\s+)?(?:testou|testei|experimentou|descartou|descartei|abandonou|tentou\s+(?:usar|migrar|trocar)|tentei\s+(?:usar|migrar|trocar)))'
   || '\s+\S.*(?:quebr(?:ou|av\w+|aram)|falh(?:ou|av\w+|aram)|perd(?:eu|ia\w*|eram)|trav(?:ou|av\w+|aram)|corromp\w+|nao\s+(?:funcion\w+|deu\s+certo|aguent\w+|escal\w+)'
   || '|(?:era|eram|ficou|ficava|foi)\s+(?:muito|demasiado|mais|instavel)|porque|pois|ja\s+que)\b'
   || '|(?:e\s+)?(?:melhor\s+)?nao\s+(?:vamos\s+)?(?:usar(?:mos)?|usemos|adotar(?:mos)?|migrar(?:mos)?|trocar(?:mos)?)\s+\S.*\b(?:porque|pois|ja\s+que)\b)',
   '\b(?:hoje|agora|por enquanto|ainda|pizza|almoc\w+|os testes)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Testamos o Redis para a fila e ele perdeu tarefas.', 'Hoje não vamos usar o carro porque chove.'),
  ('decision.rejected_it', 'decision', 'it', 30,
   '^(?:(?:(?:noi\s+)?abbiamo|ho)\s+(?:gia\s+)?(?:provato|testato|sperimentato|valutato|scartato|abbandonato|rifiutato)\s+\S.*'
   || '(?:rott[oaie]|romp\w+|fallit[oaie]|falliva\w*|pers[oaie]|perdeva\w*|bloccat[oaie]|bloccava\w*|corrott[oaie]|non\s+(?:ha\s+|hanno\s+)?(?:funzion\w+|regg\w+|rett[oa]|scala\w*)'
   || '|(?:era|erano|diventava)\s+(?:troppo|piu|instabil\w+)|perche|poiche|dato\s+che|visto\s+che)\b'
   || '|(?:meglio\s+)?non\s+(?:usiamo|usare|adottiamo|passiamo|migriamo)\s+\S.*\b(?:perche|poiche|dato\s+che|visto\s+che)\b)',
   '\b(?:oggi|adesso|per ora|ancora|pizza|pranzo|i test)\b',
   'rejected', 3, -1, 0.75, 'active',
   'Abbiamo provato Redis per la coda e ha perso dei lavori.', 'Oggi non usiamo la macchina perché piove.'),
  ('decision.rejected_nl', 'decision', 'nl', 30,
   '^(?:(?:we|wij|ik)\s+(?:hebben|heb|hadden)\s+(?:\S+\s+){0,8}?(?:uitgeprobeerd|geprobeerd|getest|geevalueerd|verworpen|afgewezen)\b.*'
   || '(?:kapot\w*|brak|braken|crasht\w*|gecrasht|faald\w*|gefaald|mislukt\w*|verlo(?:or|ren)|vastgelopen|liep\s+vast|te\s+(?:traag|duur|zwaar|complex|instabiel|ingewikkeld)'
   || '|werkte\s+niet|niet\s+gewerkt|want|omdat)\b'
   || '|(?:laten\s+we|liever|beter)\s+(?:\S+\s+){0,6}?(?:niet|geen)\s.*\b(?:want|omdat)\b'
   || '|(?:we|wij)\s+(?:nemen|gebruiken)\s+(?:\S+\s+){0,4}?(?:niet|geen)\b.*\b(?:want|omdat)\b)',
   '\b(?:vandaag|nu|even|voorlopig|pizza|lunch|de tests)\b',
   'rejected', 3, -1, 0.75, 'active',
   'We hebben Redis voor de wachtrij geprobeerd, het verloor taken.', 'We gebruiken de auto vandaag niet, want het regent.'),
  ('decision.rejected_zh', 'decision', 'zh', 30,
   '^(?:(?:我们|咱们|我)(?:之前|以前|已经|曾经|早就|也|都)*(?:试过|试用过|试了|尝试过|尝试了|测试过|用过|评估过|评估了|放弃了|否决了|排除了|弃用了)\S.*'
   || '(?:坏|崩|丢|失败|超时|死锁|泄漏|冲突|出错|出问题|报错|卡住|变慢|太慢|太贵|太重|太复杂|不稳定|不行|没用|不支持|扛不住|因为)'
   || '|(?:我们|咱们|还是|最好)+(?:别|不要|不再?)(?:用|采用|引入|换成|迁移到)\S.*(?:因为|毕竟))',
   '今天|现在|暂时|这次|刚才|一下|吃|披萨|跑测试',
   'rejected', 3, -1, 0.75, 'active',
   '我们试过用Redis做队列，结果丢了任务。', '今天我们不要用车，因为下雨。'),
  ('decision.rejected_ja', 'decision', 'ja', 30,
   '[をはもにへ]\S{0,8}?(?:試した|試しました|試してみた|試してみました|使ってみた|使ってみました|検証した|検証しました|検討した|検討しました|導入した|導入しました|移行した|移行しました)'
   || '(?:が|けど|けれど|ところ|ものの|んですが|んだけど|のですが|、|,|結果).*(?:壊|落ち|失敗|消え|失|遅|不安定|だめ|ダメ|駄目|動かな|動きません|高すぎ|複雑|重すぎ|固ま|タイムアウト|デッドロック|エラー|やめ|見送|断念)'
   || '|(?:ので|ため|から|を理由に)、?(?:\S+は)?(?:却下|見送|断念|採用しな|採用しません|不採用|使うのをやめ|やめました|やめることに)',
   '今日|今は|とりあえず|さっき|ランチ|ピザ|テストを実行',
   'rejected', 3, -1, 0.75, 'active',
   'キューにRedisを試しましたが、ジョブが失われました。', '今日は雨なので見送ります。');

-- A rule that history saw coming is a person's own; those that came with cogmem were there before it.
update capture_rule set is_own = name in (select row_key from change where record = 'capture_rule' and action = 'insert');

-- A blank of a pattern is any white space, and a group need not say that it keeps nothing.
update capture_rule set pattern = replace(replace(pattern, '\s+', ' '), '(?:', '('), veto = replace(replace(veto, '\s+', ' '), '(?:', '(')
 where name not in (select row_key from change where record = 'capture_rule');

-- The repository of a project: its commits and their reasons as memories, how far it was read, and what memories cite.
insert or ignore into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
values
  ('commit', 'episodic', 'A change of the project''s code, as its repository tells it.', 0.9, 1, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('rationale', 'semantic', 'Why the code is as it is, in the words of a commit, a decision record, a changelog or a comment.', 1.2, 2, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem');
update kind set act_order = 9 where name = 'rationale';
update kind set act_order = 10 where name = 'preference';

insert or ignore into setting (name, value, meaning) values
  ('git_commits', '50000', 'The most commits that are read of a repository, the newest.'),
  ('git_paths', '100', 'The most files of one commit that are noted; one that changes more is noted with as many.'),
  ('git_at_start', '1', 'Whether the start of a session reads the new commits of a repository that was read before: 1 or 0.'),
  ('git_bots', '[bot] dependabot renovate greenkeeper pre-commit-ci github-actions semantic-release allcontributors snyk-',
   'Parts of an author''s name or address by which a program is known; its commits are not read. Blanks between.'),
  ('minor_phrases', '["*typo*", "*whitespace*", "*formatting*", "* lint*", "* bump *", "*update dependenc*", "*upgrade dependenc*", '
    || '"* wip *", "* fixup*", "* squash!*", "* style:*", "* chore*", "* ci:*", "*changelog*", "*version bump*", "* release *", "* prepare release*", '
    || '"*merge branch*", "*spelling*", "*reformat*", "* isort*", "*ruff format*", "*prettier*", "*gofmt*"]',
   'Patterns of the subject of a commit that changed nothing of weight, as a JSON list, as in reason_phrases.'),
  ('amend_phrases', '["*no longer*", "*instead of*", "*replace*", "* switch*", "* drop*", "* remov*", "*revert*", "*back to *", "*rather than*", '
    || '"*supersede*", "* raise*", "* lower *", "* lowers *", "*increase*", "*reduce*", "*move* from *", "*change* from *", "*change* to *", '
    || '"* amend*", "* not any more*", "* undo*", "* now *", "*after all*", "*give* up *", "*turned out*", "*turns out*", "*previous*", "*earlier *"]',
   'Patterns of a reason that takes the place of an earlier one on the same matter, as a JSON list, as in reason_phrases.'),
  ('reason_phrases', '["*because *", "* since *", "*so that*", "*instead of*", "*rather than*", "*no longer*", "*in favour of*", '
    || '"*in favor of*", "*decided*", "*decision*", "*the reason*", "*to avoid*", "*otherwise *", "*on purpose*", "*deliberate*", '
    || '"*intentional*", "*turns out*", "*turned out*", "*trade-off*", "*tradeoff*", "* must *", "* never *", "* always *", '
    || '"* prefer *", "* chose *", "* chosen *", "*workaround*", "*work around*", "*we tried*", "*tried to*", "*did not work*", '
    || '"*does not work*", "*not safe*", "*unsafe*", "* breaks *", "*from now on*", "*as of *", "*due to*", "* replaces *", '
    || '"*replace *with *", "*switch* to *", "*agreed*", "*limit*to *", "* reject*", "*why:*", "*reason:*", "*constraint:*"]',
   'Patterns of a sentence in a commit that says why the code is so, as a JSON list: * is anything, small letters fit any.');

create table repository (
  -- One row per working tree that `cogmem git` has read. Without a row nothing is read by itself.
  project    text not null,             -- the project's id, as in the scope of its memories
  root       text not null,             -- the working tree
  head       text not null default '',  -- the commit up to which its history was read; '' until the first reading is over
  docs       text not null default '',  -- the commit for which its documents and comments were read
  read_at    integer not null,          -- ms UTC
  primary key (project, root),
  constraint repository_has_a_project_and_a_root check (project <> '' and root <> '')
) strict, without rowid;

create table citation (
  -- One row per place that a memory cites. Before the memory is shown its places are looked at: the file's size and
  -- time first, its text only where those changed.
  memory_id   integer not null references memory (id) on delete cascade,
  root        text not null,               -- the working tree
  path        text not null,               -- from its top, with /
  symbol      text not null default '',    -- the function, class or name that is cited; '' for lines or the file itself
  first_line  integer not null default 0,  -- where the cited lines begin, counted from 1; 0: the file itself
  line_count  integer not null default 0,  -- how many lines there are, blank ones left out; 0: the file itself
  text_hash   text not null default '',    -- of the cited lines without indentation and blank lines; '' for the file itself
  head_hash   text not null default '',    -- of their first line alone, by which they are found again
  standing    text not null default 'holds', -- what was found when it was last looked at
  file_size   integer not null default -1, -- bytes of the file then; -1: it was not there
  file_time   integer not null default 0,  -- ns: when the file was last written then
  checked_at  integer not null,            -- ms UTC
  primary key (memory_id, root, path, symbol, text_hash),
  constraint standing_is_known check (standing = 'holds' or standing = 'changed' or standing = 'gone'),
  constraint citation_names_a_file check (path <> ''),
  constraint lines_are_not_negative check (first_line >= 0 and line_count >= 0)
) strict, without rowid;


create table transcript (
  -- One row per transcript that a backfill recorded. Run again, it passes over those that are still the same.
  path         text not null primary key,  -- the host's file
  host         text not null,              -- which host wrote it
  conversation text not null,              -- the name of the conversation that it became
  user         text not null default '',   -- whose it is, as in the scope of the conversation
  project      text not null default '',
  size         integer not null,           -- bytes of the file that were recorded
  file_time    integer not null,           -- ns: when the file was last written
  messages     integer not null,           -- how many messages it gave
  batch        text not null,              -- 'fill_' + 16 hex digits: the call that recorded it, by which it is undone
  recorded_at  integer not null,           -- ms UTC
  constraint transcript_has_a_place check (path <> '' and host <> '' and conversation <> ''),
  constraint sizes_are_not_negative check (size >= 0 and messages >= 0)
) strict, without rowid;

create index transcript_by_batch on transcript (batch);

-- Where the graphs of a program stand.
create table checkpoint (
  -- One row per step of a graph, from which it can go on.
  id        integer primary key,
  thread    text    not null,               -- the program's name for one run that goes on
  namespace text    not null default '',    -- the graph within the graph; '' is the outermost
  name      text    not null,               -- the checkpoint; later ones sort behind
  parent    text    not null default '',    -- the one it followed; '' for the first
  runtime   text    not null default '',    -- whose it is, as in the scope of a memory
  user      text    not null default '',
  project   text    not null default '',
  about     text    not null default '{}',  -- what LangGraph says of it: source, step, run …, as JSON
  form      text    not null,               -- how `state` is written
  state     blob    not null,               -- the checkpoint, without the values that lie in checkpoint_value
  links     text    not null default '{}',  -- channel → value_hash of checkpoint_value, as JSON
  kept_at   integer not null,               -- ms UTC
  constraint checkpoint_has_a_name check (thread <> '' and name <> ''),
  constraint about_is_json check (json_valid(about) and json_valid(links)),
  constraint one_checkpoint_has_each_name unique (thread, namespace, name, runtime, user, project)
) strict;

create table checkpoint_value (
  -- One row per value that a thread ever held and that is not small: steps that leave it as it is share it.
  id         integer primary key,
  thread     text not null,                 -- as in checkpoint
  runtime    text not null default '',      -- whose it is, as in the scope of a memory
  user       text not null default '',
  project    text not null default '',
  value_hash text not null,                 -- sha256 of form and value
  form       text not null,                 -- how `value` is written
  value      blob not null,                 -- as the program's serialiser wrote it
  constraint a_value_is_kept_once unique (thread, value_hash, runtime, user, project)
) strict;

create table checkpoint_write (
  -- One row per value that a task wrote after a checkpoint, before all tasks of its step were done.
  id         integer primary key,
  thread     text    not null,              -- as in checkpoint
  namespace  text    not null default '',   -- as in checkpoint
  checkpoint text    not null,              -- its name
  runtime    text    not null default '',   -- whose it is, as in the scope of a memory
  user       text    not null default '',
  project    text    not null default '',
  task       text    not null,              -- who wrote it
  path       text    not null default '',   -- where the task stands in its step: writes are replayed in this order
  place      integer not null,              -- the number of the write; below zero for errors, interrupts and their like
  channel    text    not null,              -- the part of the state that is written
  form       text    not null,              -- how `value` is written
  value      blob    not null,              -- as the program's serialiser wrote it
  constraint write_belongs_to_a_task check (thread <> '' and checkpoint <> '' and channel <> ''),
  constraint a_task_writes_each_place_once unique (thread, namespace, checkpoint, task, place, runtime, user, project)
) strict;

-- One memory on several machines: acts have a clock that orders those of all files, and know the file that they come
-- from; a message has a name of its writer's. The tables are made anew, since SQLite adds no column before a constraint.
create table number_before as select name, seq from sqlite_sequence;

create table context_before as select id, act, verb, actor, reason, run, undoes, acted_at, last_at, holds from context;
drop table context;
create table context (
  -- One row: who is writing, why and when. A transaction of cogmem fills it first and clears it last;
  -- the history triggers read it. A client that does not know it leaves it empty, and its changes are
  -- recorded with actor 'unknown' and no instant.
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

insert into context (id, act, verb, actor, reason, run, undoes, acted_at, last_at, holds)
select id, act, verb, actor, reason, run, undoes, acted_at, last_at, holds from context_before;

drop table context_before;

create trigger context_bd before delete on context begin
  select raise(abort, 'the row of context carries the history; clear its columns instead');
end;

create table change_before as select id, act, verb, actor, reason, run, undoes, record, row_key, uid, action, before, after, changed_at from change;
drop table change;
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

-- Acts of before count up from one, and so come before all that have a clock.
insert into change (id, act, verb, actor, reason, run, undoes, record, row_key, uid, action, before, after, changed_at, clock)
select b.id, act, verb, actor, reason, run, undoes, record, row_key, uid, action, before, after, changed_at, first.clock
  from change_before b left join (select act as name, min(id) as clock from change_before group by act) first on first.name = b.act;
update context set clock = (select coalesce(max(clock), 0) from change);

drop table change_before;

create index change_by_act on change (act);

create index change_by_run on change (run) where run is not null;

create index change_by_uid on change (uid) where uid is not null;

create index change_by_undone on change (undoes) where undoes is not null;

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

create table message_before as select id, conversation_id, seq, version, is_current, role, speaker, asks, tokens, whole_tokens, token_counter, said_at, content_hash, origin, segment_id, terms, text, parts from message;
drop table message;
create table message (
  -- One row per message and version. Append-only: a seq is never given twice, and an edit adds a version.
  -- Archiving moves `parts` into a segment and leaves the rest of the row where it is, so that old talk
  -- stays searchable. Short columns come first: reading them does not touch the long ones.
  id               integer primary key autoincrement,  -- shown outside as 'msg_' + id
  conversation_id  integer not null references conversation (id) on delete cascade,
  seq              integer not null,             -- absolute place in the conversation, from 0
  version          integer not null default 1,   -- 2 and up: edits of the same place
  is_current       integer not null default 1,   -- 0: a later version exists
  role             text not null,
  speaker          text not null default '',     -- a person's name where the role does not say enough
  asks             integer not null default 0,   -- 1: it ends with a question, so what follows it is the answer
  tokens           integer,                      -- length of its rendered line; null: not counted yet
  whole_tokens     integer,                      -- what all of it costs in a window: 4, its role and its parts; null: not counted yet
  token_counter    text not null default '',     -- who counted both
  said_at          integer not null,             -- ms UTC: when it was said
  content_hash     text not null default '',     -- of role, speaker and parts: a changed prefix is noticed through it
  origin           text not null default 'user', -- where the text came from, as the guard judged it
  segment_id       integer references segment (id),  -- the archive that holds its parts; null: here
  terms            text not null default '',     -- as memory.terms
  text             text not null,                -- the words of its text parts: what is searched and shown, archived or not
  parts            text,                         -- JSON list of parts: text, tool_call, tool_result; null once archived, [] where the host took the message back
  uid              text,                         -- the writer's own name of it: the same one is never stored twice; null: none yet
  unique (conversation_id, seq, version),
  constraint message_role_is_known check (role = 'system' or role = 'user' or role = 'assistant' or role = 'tool'),
  constraint seq_counts_from_zero check (seq >= 0 and version >= 1),
  constraint message_is_here_or_archived check ((parts is null) = (segment_id is not null)),
  constraint asks_is_yes_or_no check (asks in (0, 1)),
  constraint parts_are_a_json_list check (parts is null or (json_valid(parts) and json_type(parts) = 'array'))
) strict;

insert into message (id, conversation_id, seq, version, is_current, role, speaker, asks, tokens, whole_tokens, token_counter, said_at, content_hash, origin, segment_id, terms, text, parts)
select id, conversation_id, seq, version, is_current, role, speaker, asks, tokens, whole_tokens, token_counter, said_at, content_hash, origin, segment_id, terms, text, parts from message_before;

drop table message_before;

create index message_by_time on message (said_at);

create unique index message_by_uid on message (uid) where uid is not null;

-- The record is append-only. Three exceptions, each by a transaction that names itself in `context`:
-- an edit marks the older version, archiving moves the text into a segment, forget removes for good.
create trigger message_bu before update on message
when (old.conversation_id, old.seq, old.version, old.role, old.speaker, old.said_at)
       is not (new.conversation_id, new.seq, new.version, new.role, new.speaker, new.said_at)
  or ((old.parts is not new.parts or old.text is not new.text)
      and coalesce((select verb from context), '') not in ('archive', 'forget'))
begin
  select raise(abort, 'a message is never rewritten: add a version (edit), archive it, or forget it');
end;

-- INSERT OR REPLACE would take the old row away without asking the triggers below.
create trigger message_bi before insert on message
when exists (select 1 from message where id = new.id
     or (conversation_id, seq, version) = (new.conversation_id, new.seq, new.version))
begin
  select raise(abort, 'a message stands at this place: add a version (edit) instead of replacing it');
end;

create trigger message_bd before delete on message
when coalesce((select verb from context), '') <> 'forget'
begin
  select raise(abort, 'a message is never deleted: only forget may remove it');
end;

create table receipt_before as select id, uid, removed, actor, reason, forgotten_at from receipt;
drop table receipt;
create table receipt (
  -- Proof that something was forgotten for good: what kind of rows went, never what they said.
  id            integer primary key autoincrement,
  uid           text not null,                 -- of the memory that is gone
  removed       text not null,                 -- JSON object: table → number of rows removed or rewritten
  actor         text not null,
  reason        text not null default '',
  forgotten_at  integer not null,              -- ms UTC
  words         text not null default '[]'     -- JSON list of [length, digest] of words named to be forgotten: other files
                                               -- find them by it and cannot read them from it
) strict;

insert into receipt (id, uid, removed, actor, reason, forgotten_at)
select id, uid, removed, actor, reason, forgotten_at from receipt_before;

drop table receipt_before;

update sqlite_sequence set seq = (select b.seq from number_before b where b.name = sqlite_sequence.name)
 where name in ('change', 'message', 'receipt') and exists (select 1 from number_before b where b.name = sqlite_sequence.name and b.seq > sqlite_sequence.seq);
insert into sqlite_sequence (name, seq)
select name, seq from number_before b where name in ('change', 'message', 'receipt')
   and not exists (select 1 from sqlite_sequence s where s.name = b.name);
drop table number_before;

insert or ignore into setting (name, value, meaning) values
  ('private_projects', '', 'Projects whose memories never leave this file when it is synced, by their ids, with blanks between.');

create table peer (
  -- One row per file that this one exchanged acts with, and one for itself. A folder has a row too: it keeps acts for others.
  origin    text primary key,             -- 'org_' + 16 hex digits, made by the file; of a folder 'dir_' and 16
  is_self   integer not null default 0,   -- 1: this file
  label     text not null default '',     -- what a person knows it by
  changes   integer not null default 0,   -- change.id there up to which its acts are here; of this file: up to which they are settled
  arrivals  integer not null default 0,   -- arrival.id there up to which they are here
  receipts  integer not null default 0,   -- receipt.id there up to which they are here
  messages  integer not null default 0,   -- message.id there up to which they are here
  proof     text not null default '',     -- the act that stands at `changes` there: another one says that the file was restored
  taken     text not null default '{}',   -- of a folder: JSON object, origin -> number of its last file that is here
  met_at    integer,                      -- ms UTC: the last exchange; null: none yet
  constraint peer_is_self_or_other check (is_self in (0, 1)),
  constraint taken_is_a_json_object check (json_valid(taken) and json_type(taken) = 'object')
) strict, without rowid;

create table arrival (
  -- One row per act of another file and memory (or policy row) that it changed, as its writer recorded it. What it did here
  -- stands in `change`; what a memory is follows from all acts that are known of it, in the order of their clocks.
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
  -- What a memory wants and does not have: its key, which a later claim took, another memory that is not here, or its
  -- rest: it was merged into one that was merged into it. It is looked at again when that changes.
  wants    text not null,   -- 'key ' and the key with its place as JSON; the uid of a memory; 'kind ' and its name; 'rest'
  subject  text not null,   -- the memory that wants it
  primary key (wants, subject)
) strict, without rowid;

create index claim_by_subject on claim (subject);
