-- The registry of kinds: what sorts of memory there are, and the policy of each.

create table kind (
  -- One row per sort of memory. `insert into kind (name, layer, meaning) values (…)` adds one.
  -- The built-in ones are of five memory systems; their other names are aliases.
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
  is_line           integer not null default 0,        -- 1: a conversation leaves it: a line that stands alone, with its message
  is_mend           integer not null default 0,        -- 1: how an error was mended: found by the command or the error alone
  act_order         integer,                           -- its place in what is told beside a tool, from 1; 0: an intention,
                                                       -- told once at its moment; null: told where it names the file
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
    and needs_trust in (0, 1) and is_wish in (0, 1) and is_rule in (0, 1) and is_mend in (0, 1)
    and is_line in (0, 1)),
  constraint caps_are_positive check (coalesce(max_rows, 1) > 0 and coalesce(max_characters, 1) > 0),
  constraint capacity_policy_is_known check (
    capacity_policy = 'refuse' or capacity_policy = 'archive_oldest' or capacity_policy = 'archive_weakest')
) strict;

insert into kind
  (name, layer, meaning, weight, default_priority, half_life_days, is_baseline, is_pinned, is_shared,
   needs_person, max_rows, max_characters, capacity_policy, system)
values
  -- seven types of statements about how work is done
  ('policy', 'semantic', 'A rule that must be kept.', 1.5, 4, null, 1, 0, 0, 1, null, null, 'archive_oldest', 'zara'),
  ('pitfall', 'semantic', 'A mistake that was made and how to avoid it.', 1.4, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'zara'),
  ('architecture', 'semantic', 'How the system is built and why.', 1.3, 3, null, 1, 0, 0, 1, null, null, 'archive_oldest', 'zara'),
  ('decision', 'semantic', 'A choice that was made, with its reason.', 1.2, 2, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'zara'),
  ('workflow', 'semantic', 'How a piece of work is usually done.', 1.1, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'zara'),
  ('preference', 'semantic', 'What a person likes or wants done in a certain way.', 1.0, 2, 365, 1, 0, 0, 0, null, null, 'archive_oldest', 'zara'),
  ('fact', 'semantic', 'Anything else that is held true.', 0.9, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'zara'),
  -- what a model extracts of a conversation, each with its own half-life
  ('profile', 'semantic', 'Who a person is: what lasts about them.', 1.0, 2, 0, 0, 1, 0, 0, null, null, 'archive_oldest', 'flowcraft'),
  ('entity', 'semantic', 'A project, team or system that matters to the user.', 0.9, 1, 90, 0, 0, 0, 0, null, null, 'archive_oldest', 'flowcraft'),
  ('event', 'episodic', 'A decision, milestone or issue that took place.', 0.9, 1, 30, 0, 0, 0, 0, null, null, 'archive_oldest', 'flowcraft'),
  ('case', 'episodic', 'A finished task with its approach and result.', 0.9, 1, 60, 0, 0, 0, 0, null, null, 'archive_oldest', 'flowcraft'),
  ('pattern', 'semantic', 'A recurring practice, error or piece of feedback, with examples of its use.', 0.9, 1, 180, 0, 0, 0, 0, null, null, 'archive_oldest', 'flowcraft'),
  -- notes of a project assistant, and what it learned by doing
  ('note', 'semantic', 'A note of the session, the project or all projects.', 0.9, 1, null, 0, 0, 0, 0, 1000, null, 'archive_oldest', 'gokin'),
  ('convention', 'semantic', 'A convention of the project.', 1.1, 2, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'gokin'),
  ('command', 'procedural', 'A command that was run, how often it succeeded and how long it took.', 0.9, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'gokin'),
  ('file_type', 'semantic', 'The conventions of files with one extension.', 0.9, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'gokin'),
  -- a capped collection of facts; the other one is of the person (profile)
  ('environment', 'semantic', 'A fact about the machine or the workplace, kept in a small fixed space.', 1.0, 2, 0, 0, 1, 0, 0, null, 8000, 'refuse', 'odek'),
  -- types of saved memories, mirrored to one Markdown file each; the fourth is of the person (profile)
  ('feedback', 'semantic', 'A saved note on how the person wants to be served.', 1.0, 2, 0, 0, 0, 0, 0, 80, null, 'archive_oldest', 'ok'),
  ('project_note', 'semantic', 'A saved note about the project.', 1.0, 2, 0, 0, 0, 0, 0, 80, null, 'archive_oldest', 'ok'),
  ('reference', 'semantic', 'A saved pointer to where something is found.', 1.0, 2, 0, 0, 0, 0, 0, 80, null, 'archive_oldest', 'ok'),
  -- what is told again where it is about to be done
  ('rejected', 'semantic', 'What was tried or proposed and turned down, with the reason.', 1.3, 3, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('failure', 'semantic', 'A command that failed, the error it showed, and what mended it.', 0.9, 1, 90, 0, 0, 0, 0, 500, null, 'archive_oldest', 'cogmem'),
  ('rationale', 'semantic', 'Why the code is as it is, in the words of a commit, a decision record, a changelog or a comment.', 1.2, 2, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('intention', 'semantic', 'What is to be done when its moment comes: told once, then asked about until it is done.', 1.0, 2, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  -- what happened, and how to act
  ('episode', 'episodic', 'Something that happened, with its outcome.', 0.9, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('agreed', 'episodic', 'What a conversation decided, with its reason.', 1.2, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('dropped', 'episodic', 'What a conversation turned down, with its reason.', 1.2, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('corrected', 'episodic', 'What a person set right in a conversation.', 1.2, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('found', 'episodic', 'What a conversation found out: a cause, or how something is.', 1.0, 1, 180, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('done', 'episodic', 'What was done in a conversation: files, commits, what mended a failure.', 0.9, 1, 60, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('open', 'episodic', 'What a conversation left open; archived when a later one does it.', 0.9, 1, 30, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('session_summary', 'episodic', 'What one session was about, as a model or a host tells it: one row per session.', 0.9, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('commit', 'episodic', 'A change of the project''s code, as its repository tells it.', 0.9, 1, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('self_error', 'episodic', 'A mistake that the agent itself noticed.', 1.0, 1, null, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem'),
  ('procedure', 'procedural', 'A named way of doing a task, step by step; what fails is asked about, what is rarely done is kept.', 1.1, 2, 0, 0, 0, 0, 0, null, null, 'archive_oldest', 'cogmem');

update kind set needs_trust = 1 where name in ('pitfall', 'decision', 'preference');
update kind set is_wish = 1 where name in ('preference', 'convention', 'workflow', 'feedback');
update kind set is_rule = 1 where name = 'policy';
update kind set is_mend = 1 where name = 'failure';
update kind set is_line = 1 where name in ('agreed', 'dropped', 'corrected', 'found', 'done', 'open');
-- What is told where it is about to be done, the most telling first.
update kind set act_order = case name
         when 'failure' then 1 when 'rejected' then 2 when 'policy' then 3 when 'pitfall' then 4 when 'convention' then 5
         when 'decision' then 6 when 'architecture' then 7 when 'workflow' then 8 when 'rationale' then 9 else 10 end
 where name in ('rationale', 'failure', 'rejected', 'policy', 'pitfall', 'convention', 'decision', 'architecture', 'workflow', 'preference');

update kind set act_order = 0 where name = 'intention';

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

insert into kind_alias (vocabulary, alias, kind) values
  ('', 'rule', 'policy'), ('', 'constraint', 'policy'), ('', 'correction', 'fact'),
  ('', 'entities', 'entity'), ('', 'events', 'event'), ('', 'cases', 'case'),
  ('', 'patterns', 'pattern'), ('', 'preferences', 'preference'),
  ('', 'howto', 'procedure'), ('', 'session', 'session_summary'), ('', 'env', 'environment'),
  ('', 'user', 'profile'), ('', 'project', 'project_note'), ('', 'global', 'note'), ('', 'episodes', 'session_summary'),
  ('gokin', 'project', 'note'), ('gokin', 'global', 'note'), ('gokin', 'session', 'note'),
  ('odek', 'env', 'environment'), ('odek', 'episodes', 'session_summary'),
  ('ok', 'feedback', 'feedback'), ('ok', 'project', 'project_note'), ('ok', 'reference', 'reference');

insert into kind_alias (vocabulary, alias, kind, is_shared, stands_by_source, max_rows, max_characters, capacity_policy) values
  -- a model fills them; what is good practice belongs to everyone, what is about a person to that person
  ('flowcraft', 'profile', 'profile', null, 1, null, null, null),
  ('flowcraft', 'preference', 'preference', null, 1, null, null, null),
  ('flowcraft', 'preferences', 'preference', null, 1, null, null, null),
  ('flowcraft', 'pattern', 'pattern', 1, 1, null, null, null), ('flowcraft', 'patterns', 'pattern', 1, 1, null, null, null),
  -- a small fixed space that refuses what does not fit
  ('odek', 'user', 'profile', null, 0, null, 4000, 'refuse'), ('', 'about_user', 'profile', null, 0, null, 4000, 'refuse'),
  -- saved memories of each type
  ('ok', 'user', 'profile', null, 0, 80, null, null), ('', 'user_note', 'profile', null, 0, 80, null, null);
