# What one does in this house. `make` alone lists the targets. Only Python (3.11 or later) and make
# are needed: the first target that wants tools makes .venv and installs them there.

PYTHON ?= python3
BIN    := .venv/bin
TOOLS  := .venv/.tools-installed
BENCH  := .venv/.bench-installed
CODE   := cogmem tests $(wildcard benchmarks)

.DEFAULT_GOAL := help
.PHONY: help demo test check fmt lint history derived fixture clean bench-store bench-activate bench-retrieval bench-write bench-night bench-year bench-kill bench-conversation bench-hook bench-documents

help:  ## List the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# Made anew only when pyproject.toml changed: an editable install sees the code as it is.
$(TOOLS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cogmem needs Python 3.11 or later: try make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(TOOLS)

demo: $(TOOLS)  ## Two minutes with a throw-away memory: learn, activate, why, a night, undo
	@BIN=$(BIN) sh docs/demo.sh

test: lint  ## Lint, types and all tests, in a few minutes
	$(BIN)/python -m pytest -n 2

check: $(TOOLS)  ## The quick tests, in less than a minute
	$(BIN)/python -m pytest -n 2 -m 'not slow'

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

derived: $(TOOLS)  ## Name the present schema/derived: older files are rebuilt when they are opened
	$(BIN)/python tests/sql/derived_version.py --write

fixture: $(TOOLS)  ## Remake the fixture database of the schema that is not released yet
	$(BIN)/python tests/fixtures/schema/make_fixture.py

clean:  ## Take away what was built or cached, except .venv
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

# Benchmarks. What a script prints as JSON is kept when it ends well; the others keep it themselves.
keep = > benchmarks/results/.$(1) && mv benchmarks/results/.$(1) benchmarks/results/$(1).json

$(BENCH): $(TOOLS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $(BENCH)

bench-store: $(BENCH)  ## Single writes, bulk import, a fresh process, eight writers on one file
	$(BIN)/python benchmarks/store.py

bench-activate: $(BENCH)  ## A whole turn at 10 k, 100 k and 1 M memories, beside other ways
	$(BIN)/python benchmarks/activate.py

bench-retrieval: $(BENCH)  ## Evidence within a token budget, on conversations in DATA=dir
	$(BIN)/python benchmarks/retrieval.py $(if $(DATA),--data "$(DATA)" --write)

bench-write: $(BENCH)  ## learn() whole, capture of messages and logs
	$(BIN)/python benchmarks/write.py $(call keep,write)

bench-night: $(BENCH)  ## A night on 1 M memories, what faded in one place and scattered
	$(BIN)/python benchmarks/night.py $(call keep,night)
	$(BIN)/python benchmarks/night.py --spread $(call keep,night-spread)

bench-year: $(BENCH)  ## A year of five users day by day, with its plot in docs/
	$(BIN)/python benchmarks/year.py $(call keep,year)

bench-kill: $(BENCH)  ## 200 nights killed at random points, each completed by the next
	COGMEM_KILLS=200 $(BIN)/python -m pytest tests/test_jobs.py -k killed_at_any_point

bench-conversation: $(BENCH)  ## Append, import, window and expansion of long conversations
	$(BIN)/python benchmarks/conversation.py --json $(call keep,conversation)

bench-hook: $(BENCH)  ## What a hook costs its host, against a bare Python
	$(BIN)/python benchmarks/hook.py

bench-documents: $(BENCH)  ## Composing 50 documents with 200 imports
	$(BIN)/python benchmarks/documents.py
