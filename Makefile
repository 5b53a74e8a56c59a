# From a bare Python 3.11 or newer to an audit or a test run; what needs .venv sets it up first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: audit test soak lint fmt samples pages bench growth prove agree fuzz peer mutants clean

# The Parquet twins would be the same hands again. malformed.jsonl holds lines that are no hands: the auditor
# says so and ends in 4, part of the input not audited. Here that is the right answer; any other code fails.
audit: $(READY)
	@$(BIN)/auditor audit sample_logs/*.jsonl sample_logs/phh --rules nz-1999 --fail-on never || [ $$? -eq 4 ]

test: lint
	$(BIN)/python -m pytest -n auto

# What the tests do a few times, many times: runs killed at random moments.
soak: $(READY)
	AUDITOR_KILLS=500 $(BIN)/python -m pytest tests/test_night.py -k killed

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check --output-format concise .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: $(READY)
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

# Then compare what it prints with sample_logs/README.md, which is kept by hand.
samples: $(READY)
	@$(BIN)/python -m tests.make_samples

# The pages of docs/clauses, from the rule sets and the hands of the tests. A test fails while they are stale.
pages: $(READY)
	@$(BIN)/python -m tests.make_pages

bench: $(READY)
	@$(BIN)/auditor bench

# Logs of up to ten million hands: a quarter of an hour. Writes docs/proof/growth.md and its chart.
growth: $(READY)
	@$(BIN)/python -m tests.proof.growth $(GROWTH)

# A million simulated hands and more, audited and scored; writes docs/proof/score.md.
prove: $(READY)
	@$(BIN)/python -m tests.proof.prove

# Both implementations on a million hands, and inputs that no well-behaved system writes: docs/proof/fuzzing.md.
HANDS ?= 1000000
MINUTES ?= 10
agree: $(READY)
	@$(BIN)/python -m tests.proof.agree --hands $(HANDS)

fuzz: $(READY)
	@$(BIN)/python -m tests.proof.fuzz --minutes $(MINUTES)

# Simulated hands played again in pokerkit; what came of it stands in docs/proof/second-opinion.md.
peer: $(READY)
	@$(BIN)/python -m tests.proof.second_opinion

# Which small changes to the checks and to replay no test notices; a quarter of an hour. docs/proof/mutation.md has the
# table. A quick look: make mutants MUTANTS='auditor.checks.opener --sample 100'
mutants: $(READY)
	@$(BIN)/python -m tests.proof.mutate $(MUTANTS)

clean:
	rm -rf $(VENV) build dist out htmlcov .coverage .coverage.*
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Built anew rather than patched, so that it holds what constraints.txt names and nothing older. The build
# backend goes in first and is used from there: an isolated build would not be held to the constraints.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: auditor needs Python 3.11 or newer and '$(PYTHON)' is not;" \
	    "name one that is: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "make: '$(PYTHON)' cannot make a virtual environment;" \
	    "on Debian and Ubuntu: apt-get install python$$version-venv" >&2; exit 1; }
	@echo "Setting up $(VENV); this happens once."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
	  --no-build-isolation -e '.[test]'
	@touch $@
