# make run    set up and serve the app on this computer
# make serve  serve it to a class: everyone in the network (see docs/guides/class.md)
# make test   set up and run the tests        make test-thorough   the rare, long checks
# make lint   check style and types           make bench           measure against peers (MPGK_DATA)
# make docs   build the documentation in site/

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(firstword $(wildcard $(BIN)/python) python3)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# An environment belongs to one interpreter: another PYTHON makes another environment.
IDENTITY := import sys, zlib; print(*sys.version_info[:3], zlib.crc32(sys.base_prefix.encode()), sep=".")
INTERPRETER := $(VENV)/$(shell $(PYTHON) -c '$(IDENTITY)').stamp

# A browser opens where there is a desktop: not in continuous integration, not over ssh.
SCREEN := $(if $(filter Darwin,$(shell uname)),yes,$(DISPLAY)$(WAYLAND_DISPLAY))
HEADLESS := $(if $(CI)$(SSH_CONNECTION),true,$(if $(SCREEN),false,true))

# Browser tests wait as much as they work: one process more than there are cores.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
PYTEST := $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

.PHONY: run serve test test-thorough lint bench docs screenshots clean

run: $(VENV)/compiled.stamp
	$(BIN)/python -m scripts.start_app --server.headless $(HEADLESS)

serve: $(VENV)/compiled.stamp
	$(BIN)/python -m scripts.serve_class

test: $(VENV)/dev.stamp $(VENV)/compiled.stamp
	$(PYTEST)

# The long checks, the laws with 1,000 examples that differ in every run, and 20,000 damaged files.
test-thorough: $(VENV)/dev.stamp $(VENV)/compiled.stamp
	$(PYTEST) -m 'thorough or hypothesis' --hypothesis-profile thorough
	$(BIN)/python -m scripts.fuzz_readers --inputs 20000 --seed $$(date +%s) --journal $(VENV)/fuzz.jsonl

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint

bench: $(VENV)/dev.stamp $(VENV)/compiled.stamp
	$(BIN)/python -m benchmarks

# A link that leads nowhere is an error, and so is anything that a page would load from outside.
docs: $(VENV)/docs.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	$(BIN)/python -m scripts.check_site site
	@echo "To read it: $(BIN)/python -m http.server --directory site --bind 127.0.0.1 8000"

screenshots: $(VENV)/dev.stamp
	$(BIN)/python -m scripts.take_screenshots

clean:
	rm -rf $(VENV) site

$(INTERPRETER):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test "$(VENV)/$$($(BIN)/python -c '$(IDENTITY)' 2> /dev/null).stamp" = "$@" || $(PYTHON) -m venv --clear $(VENV)
	rm -f $(VENV)/*.stamp
	touch $@

$(VENV)/run.stamp: requirements.txt pyproject.toml setup.py $(INTERPRETER)
	$(PIP) install -r requirements.txt
	$(PIP) install --no-deps -e .
	touch $@

# Inner loops are compiled here, so that nobody waits for them in the app.
LOOPS := mpgk_core/warm_up.py $(shell grep -rl --include='*.py' 'mpgk_core._compiled import' mpgk_core)
$(VENV)/compiled.stamp: $(VENV)/run.stamp $(LOOPS)
	$(BIN)/python -m mpgk_core.warm_up
	touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	$(PIP) install -c requirements.txt -e '.[dev]'
	touch $@

$(VENV)/docs.stamp: $(VENV)/run.stamp
	$(PIP) install -c requirements.txt -e '.[docs]'
	touch $@
