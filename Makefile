# Two commands do everything, set-up included:
#   make run    train, prune and show trees on bundled data, compare split metrics, repeat a paper's experiment
#   make test   lint, type-check and run the default test suite
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: run test test-slow test-matrix defaults papers statements vilalta2001 vilalta2001-more metric-or-search pi-question trust bench docs readme clean

run: $(VENV)/.installed
	$(BIN)/python experiments/tour.py
	$(BIN)/treelab reproduce vilalta2001 --quick --jobs 2

test: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist worksteal

test-slow: $(VENV)/.installed-test
	$(BIN)/pytest -m slow

# The suite with the lowest and the newest dependencies, on every Python on the path: hours.
test-matrix: $(VENV)/.installed-matrix
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python experiments/matrix/run.py

# The evidence behind the default metric, splits, pruner and missing policy.
defaults: $(VENV)/.installed-test
	$(BIN)/python experiments/defaults/run.py

# The paper's whole table: minutes on two processors; the same call goes on after an interruption.
vilalta2001: $(VENV)/.installed
	$(BIN)/treelab reproduce vilalta2001 --jobs -1 --output experiments/vilalta2001/report

# What theta and f do, and what the deviations depend on: half an hour on one processor.
vilalta2001-more: $(VENV)/.installed
	$(BIN)/treelab reproduce vilalta2001 --grid --output experiments/vilalta2001/report-grid
	$(BIN)/treelab reproduce vilalta2001 --sensitivity --output experiments/vilalta2001/report-sensitivity

# The other four documents, whole: half an hour on two processors.
papers: $(VENV)/.installed
	for paper in duch2004 hong1996 kantardzic2011 kononenko1995; do \
		$(BIN)/treelab reproduce $$paper --jobs -1 --output experiments/$$paper/report || exit 1; done

# The page of all statements, from the reports.
statements: $(VENV)/.installed
	$(BIN)/python experiments/statements.py

# Ten metrics under every search: a quarter of an hour on one processor.
metric-or-search: $(VENV)/.installed
	$(BIN)/treelab warmup
	$(BIN)/treelab reproduce metric-or-search --output experiments/metric-or-search/report

# Which Pi, and can the data choose it: half an hour on one processor; and the rule that is shipped.
pi-question: $(VENV)/.installed
	$(BIN)/treelab warmup
	$(BIN)/treelab reproduce pi-question --output experiments/pi-question/report
	$(BIN)/python experiments/pi-question/rule.py

# Every check of what docs/promises.md says, at full length: hours.
trust: $(VENV)/.installed-trust
	$(BIN)/python experiments/trust/run.py

# How fast treelab is beside its peers, in the same run: an hour or more on a quiet machine.
bench: $(VENV)/.installed-bench
	$(BIN)/python experiments/speed/run.py

# The site, from nothing: generated pages, gallery and reference; a few minutes on one processor, offline.
docs: $(VENV)/.installed-docs
	rm -rf docs/_build docs/generated docs/auto_gallery
	$(BIN)/python -m sphinx -b html -W --keep-going docs docs/_build/html
	$(BIN)/python docs/links.py docs/_build/html

# The picture in README.md and on the first page of the site.
readme: $(VENV)/.installed-test
	$(BIN)/python experiments/exor/figure.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[report]'
	touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-trust: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[trust]'
	touch $@ $(VENV)/.installed $(VENV)/.installed-test

$(VENV)/.installed-matrix: | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet 'uv>=0.5'
	touch $@

$(VENV)/.installed-bench: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .matrix .trust build dist docs/_build docs/generated docs/auto_gallery .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
