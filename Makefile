PYTHON ?= python3
UV_VERSION := 0.13.7
BIN := .venv/bin
UV := $(BIN)/uv
PLAYABLE := .venv/.playable
INSTALLED := .venv/.installed
PYTEST := $(BIN)/python -m pytest --dist worksteal
WORKERS ?= 4
unexport PYTHONDONTWRITEBYTECODE  # tests start hundreds of programs: each would compile our sources again

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup play quick test test-deps check bench peers docs bench-web stage pictures fuzz faults audit mutants ratings evaluation networks regen lock dist

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(INSTALLED) ## install what the lock names into .venv (PYTHON=python3.12 picks another interpreter)

play: $(if $(wildcard $(INSTALLED)),$(INSTALLED),$(PLAYABLE)) ## play in the browser; installs no more than that needs
	$(BIN)/tripot serve

quick: setup ## run what needs no compiler, server or browser: at every edit, a minute or so
	$(PYTEST) -n 2 --quick

test: setup ## run all the tests (WORKERS=4 at a time: some wait); CI=true or TEST_DEPS=yes installs the browser and PostgreSQL first
	@$(BIN)/python -m tests.system_packages --offer
	$(PYTEST) -n $(WORKERS)

test-deps: setup ## ask, and install what some tests need with apt-get: chromium and PostgreSQL
	@$(BIN)/python -m tests.system_packages

check: setup ## check everything: format, lint, types, layers, tests
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy tripot bench
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory test

bench: setup ## measure the speed of the rules on this machine
	$(BIN)/tripot bench

peers: $(UV) ## measure beside OpenSpiel, pgx, RLCard and PettingZoo, installed in .peers: docs/benchmarks.md
	@test -d .peers || $(PYTHON) -m venv .peers
	$(UV) pip install --quiet --compile-bytecode --python .peers/bin/python --editable '.[peers]'
	.peers/bin/tripot bench --peers

docs: $(UV) ## build the documentation in build/site, with warnings as errors; its tools are installed in .docs
	@test -d .docs || $(PYTHON) -m venv .docs
	$(UV) pip install --quiet --compile-bytecode --python .docs/bin/python --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 .docs/bin/mkdocs build --quiet
	@echo 'build/site/index.html'

bench-web: setup ## measure the web table under load, beside boardgame.io's server where node is at hand: docs/benchmarks.md
	$(BIN)/python -m bench.web --write docs/benchmarks.md

stage: setup ## watch whole games in a browser: is every reveal shown, first, in order and long enough? (GAMES=20 of each, at each speed)
	$(BIN)/python -m tests.browser.stage --games $(or $(GAMES),20) --write docs/testing.md

pictures: setup ## take pictures of every page at five sizes, light and dark, in both languages: build/pictures/index.html
	$(BIN)/python -m tests.browser.every_page

fuzz: setup ## a million inputs nobody would send (RUNS=1000000)
	$(BIN)/python -m tests.fuzz --runs $(or $(RUNS),1000000)

faults: setup ## break servers, disks, clocks and databases while people play: docs/reliability.md (TRIES=20 of each; goes on where it stopped)
	$(BIN)/python -m tests.faults --tries $(or $(TRIES),20) --write docs/reliability.md

audit: setup ## known vulnerabilities of the locked dependencies, their licences, an SBOM: build/tripot.cdx.json
	$(BIN)/python -m tests.dependencies

mutants: setup ## change the rules one place at a time: do the tests notice? docs/testing.md (SAMPLE=10 percent AFTER=0, JOBS=2, MINUTES=60)
	$(UV) pip install --quiet --python $(BIN)/python --no-build-isolation --editable '.[mutation]'
	$(BIN)/python -m tests.mutation --sample $(or $(SAMPLE),100) --after $(or $(AFTER),0) --jobs $(or $(JOBS),2) $(if $(MINUTES),--minutes $(MINUTES)) $(PACKAGES)

ratings: setup ## measure the ladder of the bots anew: docs/ratings.md (RATED=1000 games of each game)
	$(BIN)/tripot ladder --games $(or $(RATED),1000) --save .ratings -o docs/ratings.md

evaluation: setup ## fit the evaluations that search uses to games of the heuristic players (some minutes)
	$(BIN)/python -m tripot.lab.training.fit_evaluation

networks: setup ## train a network for each game on a GPU (ten minutes each; needs pip install 'tripot[train,gpu]')
	for game in verrater trok trieste; do $(BIN)/tripot train $$game -o .networks/$$game --minutes 10 || exit 1; done

regen: setup ## write the golden playthroughs and generated pages anew
	$(BIN)/python -m tests.regen

lock: $(UV) ## write requirements.lock anew from pyproject.toml (UPGRADE=--upgrade takes newer versions)
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra dev $(UPGRADE) \
		--output-file requirements.lock pyproject.toml
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra install --extra web \
		--constraints requirements.lock --output-file requirements.play.lock pyproject.toml

dist: setup ## build wheel and sdist into dist/ and try them in clean environments
	$(BIN)/python -m tests.distribution

$(PLAYABLE): $(UV) pyproject.toml requirements.play.lock
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.play.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(INSTALLED): $(UV) pyproject.toml requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo 'Tripot needs Python 3.11 or later; name one with: make setup PYTHON=...' >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
