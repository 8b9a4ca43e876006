#!/bin/sh
# `make demo`: what cogmem does, on a memory that is thrown away afterwards.
set -eu

BIN=${BIN:-.venv/bin}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export COGMEM_DB="$folder/memory.db"

say() { printf '\n# %s\n' "$*"; }
cogmem() {
  printf '$ cogmem'
  for word in "$@"; do
    case $word in *' '*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
  done
  printf '\n'
  "$BIN/cogmem" "$@"
}

say 'Learn a rule, a preference, something that happened and a way of doing things.'
cogmem learn "Deploys need a green build." --kind policy --priority critical
cogmem learn "Mara prefers short answers." --kind preference --priority high
cogmem episode "The deploy of Friday broke the login page" --outcome "rolled back"
cogmem procedure "deploy" "run the tests" "build the image" "ship it" "watch the logs"

say 'What an agent gets before it answers: what matters for this prompt, within 800 tokens.'
cogmem activate "How do I deploy on a Friday?"

say 'Why was it told that? Every decision is a row.'
uid=$("$BIN/cogmem" --json list --kind policy | "$BIN/python" -c 'import json, sys; print(json.load(sys.stdin)[0]["uid"])')
cogmem why "$uid"
other=$("$BIN/cogmem" --json list --kind episode | "$BIN/python" -c 'import json, sys; print(json.load(sys.stdin)[0]["uid"])')
cogmem why-not "$other" "What is for lunch?"

say 'Learning it again strengthens it; the same key overwrites.'
cogmem learn "deploys need a GREEN build." --kind policy
cogmem learn "The staging server is called heron." --key staging
cogmem learn "The staging server is called stork." --key staging

say 'Everything that was changed, by whom. Any of it can be taken back.'
cogmem log
change=$("$BIN/cogmem" --json log --limit 1 | "$BIN/python" -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
cogmem undo "$change"
cogmem get staging

say 'Three months pass, and a night: what nobody used fades and is archived. First a rehearsal.'
cogmem learn "The coffee machine is on loan until Easter."
later=$("$BIN/python" -c 'import datetime as d; print((d.datetime.now(d.UTC) + d.timedelta(days=330)).isoformat())')
cogmem nightly --dry-run --job archive --now "$later"
cogmem nightly --now "$later"
cogmem sql "select kind, content, archive_reason from archived"

say 'It is one SQLite file: look inside with any client.'
printf '$ sqlite3 memory.db "select kind, content, strength from semantic_memory"\n'
"$BIN/cogmem" sql "select kind, content, strength from semantic_memory"

say 'Your own memory begins with: .venv/bin/cogmem learn "…"'
