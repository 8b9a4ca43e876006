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
  ('budget_tokens', '800', 'Tokens that one activation may spend on layers A to D together, headings included.'),
  ('strength_threshold', '0.3', 'A contextual memory weaker than this is not injected.'),
  ('stop_words', '', 'Words of your languages that say nothing of a subject, with blanks between; English ones are built in.'),
  ('archive_threshold', '0.1', 'A memory weaker than this is archived by the nightly job.'),
  ('half_life_days', '90', 'Days without use after which strength halves, for kinds that name no half-life.'),
  ('procedures_per_turn', '3', 'The most procedures that one activation shows.'),
  ('procedure_reserve_tokens', '120', 'Tokens kept for procedures before contextual memories take the rest.'),
  ('stable_budget_tokens', '2000', 'Tokens that documents and the saved-memory index may take in the stable text, beside layer A.'),
  ('merge_same', '0.95', 'Similarity from which a new text only reinforces the old one.'),
  ('merge_threshold', '0.7', 'Similarity from which a new text is merged into the old one, if the exact cosine agrees.'),
  ('add_threshold', '0.3', 'Similarity up to which a new text is simply added; between this and merge_threshold it is judged.'),
  ('archive_share', '0.1', 'The largest share of active memories that one nightly run may archive; above it the run stops whole.'),
  ('merge_share', '0.1', 'The largest share of active memories that one nightly run may merge away.'),
  ('ledger_days', '90', 'Days for which activations are kept in the ledger.'),
  ('candidate_days', '30', 'Days after which a candidate that nobody confirmed is archived.'),
  ('purge_days', '0', 'Days after which a removed memory may be purged by the nightly job; 0 keeps it for ever.'),
  ('backups_kept', '7', 'Nightly backups kept beside the file.'),
  ('model_calls_per_day', '0', 'Model calls allowed in one UTC day; 0 allows none.'),
  ('model_calls_per_run', '0', 'Model calls allowed in one job run or one extraction; 0 allows none.');

create trigger setting_bu_number before update of value on setting
when old.value glob '[0-9]*'
 and (new.value = '' or new.value glob '*[^0-9.]*' or new.value glob '*.*.*' or new.value glob '.*')
begin
  select raise(abort, 'this setting is a number of at least 0: write it in digits');
end;

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
