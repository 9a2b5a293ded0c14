# make run    set up and serve the app        make test   set up and run all tests
# make lint   check style and types           make bench  measure against peers (MPGK_DATA)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test lint bench screenshots clean

run: $(VENV)/compiled.stamp
	$(BIN)/python -m mpgk_core lessons & $(BIN)/streamlit run app.py

test: $(VENV)/dev.stamp $(VENV)/compiled.stamp
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev.stamp $(VENV)/compiled.stamp
	$(BIN)/python -m benchmarks

screenshots: $(VENV)/dev.stamp
	$(BIN)/python -m scripts.take_screenshots

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt pyproject.toml | $(BIN)/python
	$(PIP) install -r requirements.txt
	$(PIP) install --no-deps -e .
	touch $@

# Inner loops are compiled here, so that nobody waits for them in the app.
$(VENV)/compiled.stamp: $(VENV)/run.stamp $(shell find mpgk_core -name '*.py')
	$(BIN)/python -m mpgk_core.warm_up
	touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	$(PIP) install -c requirements.txt -e '.[dev]'
	touch $@
