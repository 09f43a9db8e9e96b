# Each target sets up what it needs; a second run sets nothing up again.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
CORPUS ?= tests/data/sample.jsonl
NAME   ?=
# the annotated papers lie beside the checkout where there are some; the sample papers are here
GOLD   ?= $(firstword $(wildcard ../shared/data/abstracts/dev.jsonl) tests/data/sample_gold.jsonl)
name    = $(if $(NAME),--name $(NAME))
compile = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --no-header --override requirements/override.txt
extras  = --extra keybert --extra neo4j --extra pandas --extra rdf --extra report

.PHONY: help setup graph test check format bench evaluate neo4j lock clean

help:               ## this list
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: $(VENV)/ready  ## virtual environment with everything that runs and tests

graph: $(VENV)/run    ## build, store and draw a graph (CORPUS=path NAME=name)
	$(BIN)/kg build $(CORPUS) $(name) --view

test: $(VENV)/ready   ## all tests
	$(BIN)/python -m pytest

check: $(VENV)/ready  ## format, lint, types, tests: the gate
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

format: $(VENV)/ready ## format and tidy imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/ready  ## speed figures, with this machine named
	$(BIN)/python -m tests.bench

evaluate: $(VENV)/run ## quality on annotated papers: scores, rules against model, errors (GOLD=file)
	$(BIN)/kg evaluate $(GOLD) --compare

neo4j: $(VENV)/run    ## fetch and start a Neo4j server without Docker (needs Java 17 and mvn); prints how to reach it
	@$(BIN)/python -m loaders.stores.neo4j_server start

lock:                 ## compile requirements/*.txt anew (needs uv)
	$(compile) $(extras) pyproject.toml requirements/run.in -o requirements/run.txt
	$(compile) $(extras) pyproject.toml requirements/run.in requirements/dev.in -o requirements/dev.txt

clean:                ## everything that was made, graphs too
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find graphs -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +

$(VENV)/run: requirements/run.txt pyproject.toml
	@echo "Setting up $(VENV): this takes a minute or two"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements/run.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/ready: requirements/dev.txt $(VENV)/run
	$(BIN)/pip install --quiet --no-deps --require-hashes -r requirements/dev.txt
	touch $@
