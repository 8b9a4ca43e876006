-- The space itself: its settings, and the names behind the ids that scopes use.

create table setting (
  -- One row per figure that a person may turn. Policy travels with the file; what belongs to one
  -- process (where the file is, which model answers) does not stand here.
  name     text primary key,
  value    text not null,      -- always text; a number is written in digits, a list as JSON
  meaning  text not null,      -- one sentence: what it does, its unit, what turning it up changes
  constraint setting_has_a_name check (name <> ''),
  constraint setting_is_explained check (meaning <> '')
) strict;

insert into setting (name, value, meaning) values
  ('at_the_act', '1', 'Whether hooks tell what is known about a file or a command right before it is used: 1 or 0.'),
  ('durable', '0', 'Whether every write waits until the disk has it, so that a power cut takes nothing that was acknowledged: 1 or 0; turns never wait.'),
  ('subagent_rules', '1', 'Whether a subagent is told the rules when it starts: 1 or 0.'),
  ('resident_minutes', '10', 'Minutes for which the process that answers hooks waits for the next one before it ends; 0 starts none.'),
  ('budget_tokens', '800', 'Tokens that one activation may spend on layers A to D together, headings included.'),
  ('silence', 'balanced', 'How sure the gate must be before a turn adds text: cautious, balanced or generous, or the least chance from 0 to 1; turning it up shows less.'),
  ('repeat_after_turns', '12', 'Turns for which what a session was shown is not shown to it again, unless it changed; 0 shows it every time.'),
  ('strength_threshold', '0.3', 'A contextual memory weaker than this is not injected.'),
  ('stop_words', '', 'Words of your languages that say nothing of a subject, with blanks between; English ones are built in.'),
  ('archive_threshold', '0.1', 'A memory weaker than this is archived by the nightly job.'),
  ('half_life_days', '90', 'Days without use after which strength halves, for kinds that name no half-life.'),
  ('always_share', '0.33', 'The share of the budget that Always may take; what is beyond it is found when it fits.'),
  ('always_lines', '12', 'The most lines of Always.'),
  ('procedures_per_turn', '3', 'The most procedures that one activation shows.'),
  ('stable_budget_tokens', '2000', 'Tokens that documents and the saved-memory index may take in the stable text, beside layer A.'),
  ('merge_threshold', '0.7', 'Similarity from which a new text is merged into the old one, if the exact cosine agrees.'),
  ('add_threshold', '0.3', 'Similarity up to which a new text is simply added; between this and merge_threshold it is judged.'),
  ('archive_share', '0.1', 'The largest share of active memories that one nightly run may archive; above it the run stops whole.'),
  ('merge_share', '0.1', 'The largest share of active memories that one nightly run may merge away.'),
  ('ledger_days', '90', 'Days for which activations are kept in the ledger.'),
  ('candidate_days', '30', 'Days after which a candidate that nobody confirmed is archived.'),
  ('purge_days', '0', 'Days after which a removed memory may be purged by the nightly job; 0 keeps it for ever.'),
  ('noted_turns', '2', 'User messages from which a model, where one is turned on, leaves notes of a session that is over.'),
  ('recurs_occasions', '3', 'Sessions or days on which something must come again before a night proposes to remember it.'),
  ('plain_commands', 'cd ls cat echo', 'First words of commands that say nothing however often they succeed, with blanks between.'),
  ('saved_memories', '80', 'Saved memories of a project, each a file, beyond which the oldest go to the folder archive.'),
  ('shared_memories', '30', 'The same for the saved memories of all projects.'),
  ('rule_phrases', '[" always *", " please always *", " never *", "* i prefer *", "*from now on*"]',
   'Patterns of a message in which a user says how to do things from then on, as a JSON list: * is anything, small letters fit any. It holds for what is said after; cogmem file rebuild reads the rest again.'),
  ('time_phrases', '["*day*", "*night*", "*week*", "*month*", "*year*", "* ago*", "*tomorrow*", "*recently*", "*last *", "*next *", '
    || '"*january*", "*february*", "*March *", "*April *", "*June*", "*July*", "*August*", "*tember*", "*October*", "*vember*", '
    || '"*December*", "*20[0-9][0-9]*", "*[昨今明前后]天*", "*[0-9]月*", "*上周*", "*下周*"]',
   'Patterns of a message that tells of a time, as a JSON list, as in rule_phrases.'),
  ('backups_kept', '7', 'Days of which the nightly backup is kept; beside them four weeks and twelve months. 0 makes none.'),
  ('backups_folder', '', 'Folder, on another disk if there is one, that takes the nightly backups instead of the place beside the file; empty: beside it.'),
  ('git_commits', '50000', 'The most commits that are read of a repository, the newest.'),
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
   'Patterns of a sentence in a commit that says why the code is so, as a JSON list: * is anything, small letters fit any.'),
  ('private_projects', '', 'Projects whose memories never leave this file when it is synced, by their ids, with blanks between.'),
  ('model_calls_per_day', '0', 'Model calls allowed in one UTC day; 0 allows none.'),
  ('model_calls_per_run', '0', 'Model calls allowed in one job run; 0 allows none.'),
  ('model_tokens_per_day', '200000', 'Tokens that models may be sent in one UTC day; 0 allows none.');

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
  name     text not null primary key,  -- message.<figure>: all that was said, together; session.<figure>: the same, for a prompt of a session;
                                       -- memory.<figure>: each memory for itself
  weight   real not null,     -- what a figure of 1 adds to the logarithm of the odds; the bias is always 1
  meaning  text not null,     -- one sentence: what the figure is
  constraint gate_weight_is_of_a_message_a_session_or_a_memory
    check (name like 'message._%' or name like 'session._%' or name like 'memory._%'),
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
  ('session.bias', -3.24, 'What speaks for silence before anything is known.'),
  ('session.cover', 1.53, 'The figure cover of messages.'),
  ('session.named', 4.05, 'The prompt names somebody who speaks in these conversations.'),
  ('session.unknown', -0.48, 'The prompt names somebody or something that stands nowhere in memory.'),
  ('session.days', 0.84, 'The prompt names a day.'),
  ('session.trouble', 1.00, 'The prompt states that something is not as it should be: a report asks, unsaid, why it is so.'),
  ('session.opening', -0.56, 'The prompt begins a session.'),
  ('session.inner', 0.56, 'The prompt stands within a session, of which the agent has the beginning before it.'),
  ('session.brief', -1.35, 'Within a session: how far the typed part falls short of twelve words.'),
  ('session.pasted', 0.40, 'The share of the prompt that nobody typed: logs, tables, templates, pictures.'),
  ('session.inner_cover', -0.94, 'The figure cover, within a session: what was said there before counts in no figure.'),
  ('session.together', -1.05, 'Logarithm of 1 plus what the words tell, all together, that stand in the earlier conversation with the most of them: a word tells the more the fewer conversations have it.'),
  ('session.share', 0.75, 'The share of what the words of the prompt tell that stands together in one earlier conversation.'),
  ('session.beyond', 0.52, 'How far what stands together is beyond what any conversation of this file would have by chance, in standard deviations.'),
  ('session.rich', -1.08, 'Logarithm of 1 plus the number of telling words that a person typed: who says much is met by much.'),
  ('session.fresh', 0.68, 'How fresh the likeliest conversation is: it fades in five days.'),
  ('session.life', -1.63, 'How far what was said lately is about a life and not about work in files, where the prompt begins a session.'),
  ('session.life_rich', 1.47, 'The figures life and rich together: who tells an assistant much takes up a matter of theirs again.'),
  ('session.few', 1.00, 'What the figure cover has beyond that of an ordinary word, times the logarithm of 150 to the number of messages if they are fewer, where a short prompt begins a session. Set by hand.'),
  ('memory.bias', -7.29, 'What speaks for silence before anything is known.'),
  ('memory.cover', 1.80, 'Logarithm of 1 plus ten times the information of the prompt that the memory covers, against a word that is nowhere.'),
  ('memory.share', 3.44, 'The share of the information of the prompt that the memory covers.'),
  ('memory.many', 1.64, 'Two words of the prompt or more stand in the memory.'),
  ('memory.few', 2.00, 'What the figure cover has beyond that of an ordinary word, times the logarithm of 150 to the number of memories and messages if they are fewer: what a small file holds is seldom met by chance. Set by hand.'),
  ('memory.key', 3.00, 'The prompt has every word of the memory''s key or name. Set by hand: the fitting data has no keys.'),
  ('memory.short', 1.00, 'Where a session begins: how far a statement that tells falls short of 40 tokens. Set by hand.'),
  ('memory.foremost', 2.00, 'There: it has the most telling word of the prompt. Set by hand.'),
  ('memory.asks', 1.68, 'The prompt is a question, and not what one may or should do.'),
  ('memory.why', -1.11, 'The prompt asks why something is so now.'),
  ('memory.here', -0.91, 'The prompt points at what the agent has before it: this, here, it.'),
  ('memory.own', 0.67, 'The prompt says I, my or we.'),
  ('memory.own_asks', 1.73, 'The prompt asks for something of the user''s own.'),
  ('memory.own_tells', -1.12, 'The prompt tells something of the user: I am, we need.'),
  ('memory.trouble', 2.20, 'The prompt states that something is not as it should be. Set by hand.'),
  ('memory.opening', -1.19, 'The prompt begins a session.'),
  ('memory.inner', -3.30, 'The prompt stands within a session, of which the agent has the beginning before it.'),
  ('memory.brief', 0.53, 'Within a session: how far the typed part falls short of twelve words.'),
  ('memory.pasted', -1.14, 'The share of the prompt that nobody typed.'),
  ('memory.unknown', -2.11, 'The prompt names somebody or something that stands nowhere in memory.');

create table scope (
  -- What an id in a scope column of `memory` or `conversation` stands for, so that a person can read it.
  -- A row is a label only: a scope that has no row here works just as well.
  axis        text not null,             -- which scope column the id belongs to
  id          text not null,             -- the value found in that column
  label       text not null default '',  -- what to call it
  root        text not null default '',  -- for a project: the folder where it was last seen
  remote      text not null default '',  -- for a project: the git remote that identifies it, without credentials
  created_at  integer not null,          -- ms since 1970, UTC
  primary key (axis, id),
  constraint scope_axis_is_known check (axis = 'runtime' or axis = 'user' or axis = 'project' or axis = 'session'),
  constraint scope_has_an_id check (id <> '')
) strict, without rowid;
