# The main commands are `make run` and `make test`. Both install missing packages. `make help` lists all commands.
SWIFT ?= swift
PORT ?= 8080

.PHONY: program benchmarks help run run-cluster test test-postgres check-all test-clients test-walk test-browser test-pages test-formats freeze test-contract test-proxy example explore bench soak fuzz sanitize lint format install image release test-release test-release-long engine test-engine

# Builds the program in the release configuration.
program:
	@scripts/install-needed run
	@scripts/first-build release
	$(SWIFT) build -c release --product cairn

# Builds the programs that only the benchmarks use.
benchmarks: program
	CAIRN_BENCHMARKS=1 $(SWIFT) build -c release --product engine
	CAIRN_BENCHMARKS=1 $(SWIFT) build -c release --product journal

# Lists these commands: each with the first sentence of the comment above it.
help:
	@awk '/^# / { text = text substr($$0, 2); next } \
	  /^[a-z-]+:/ && text { sub(/\. .*|\.$$/, "", text); sub(/:.*/, ""); printf "make %-14s%s\n", $$0, text } { text = "" }' Makefile

# Builds the program, and serves on 127.0.0.1:8080, or on PORT.
run: program
	@mkdir -p var
	exec "$$($(SWIFT) build -c release --show-bin-path)/cairn" serve --port $(PORT)

# Serves with two nodes on PostgreSQL, and nginx in front of them. Ctrl-C ends all of them.
run-cluster: program
	@scripts/install-needed cluster
	exec scripts/run-cluster $(PORT)

# Runs the Swift tests.
test:
	@scripts/install-needed test
	@scripts/first-build debug
	CAIRN_STRICT=1 $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	CAIRN_STRICT=1 scripts/run-tests

# Runs the long checks of CI (`.ci/run-long`), such as the sanitizers, every state of the apps, long random drives, and fuzzing.
check-all:
	.ci/run-long

WITH_ENGINE = taps events session service live waiting outbox react-steps walk
# Tests the JavaScript client: without a service, with a service, and with a service and the engine.
test-clients: engine
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	cd clients/javascript && node --test
	cd clients/javascript && CAIRN_TEST_ENGINE=1 node --test $(addprefix test/,$(addsuffix .test.js,$(WITH_ENGINE)))

# Walks at random through 20 apps with JavaScript clients and the engine, with CAIRN_TEST_TURNS actions for each app.
test-walk: engine
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	cd clients/javascript && node --test test/engine-walk.test.js

# Tests nginx in front of the service with the shipped snippet, and compares the dashboard with the metrics.
test-proxy:
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	.build/python/bin/python -m pytest -q Tests/proxy

ENGINE = .build/engine
# Builds the reducer as WebAssembly, for clients, in `.build/engine`. The build takes about a minute. The service runs without the engine.
engine: $(ENGINE)/engine.wasm

$(ENGINE)/engine.wasm: scripts/build-engine $(shell find Sources/CairnCore Sources/CairnEngine -type f)
	@scripts/install-needed engine
	scripts/build-engine $(ENGINE)

# Tests the engine: it must produce the service's bytes in recorded sessions, and stay within its limits for size, imports, memory and the time to start.
test-engine: engine
	@scripts/install-needed test
	CAIRN_STRICT=1 $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	@rm -f $(ENGINE)/recording.txt
	CAIRN_STRICT=1 CAIRN_ENGINE_RECORDING=$(CURDIR)/$(ENGINE)/recording.txt scripts/run-tests --filter the.sessions.are.recorded
	node Tests/engine/replay.mjs $(ENGINE)

EXAMPLE_PORT ?= 8090
# Serves the delivery app for a browser, with its own service. Prints the address. Ctrl-C ends both.
example: engine program
	exec examples/delivery-web/run --port $(EXAMPLE_PORT) --engine $(ENGINE) --binary "$$($(SWIFT) build -c release --show-bin-path)/cairn"

# Explores the states of the apps in `config/apps`, within bounds.
explore:
	@scripts/install-needed test
	scripts/explore-apps

# Measures everything, and prints one table. Takes 20 minutes.
bench:
	@scripts/install-needed bench
	@scripts/install-needed people
	Benchmarks/run

# Runs the tests over HTTP with two nodes on PostgreSQL, which get the requests in turn. Tests that need one node are marked `.oneNode`, with the reason.
test-postgres:
	@scripts/install-needed test
	CAIRN_STRICT=1 $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	CAIRN_STRICT=1 CAIRN_TEST_BACKEND=postgres scripts/run-tests --filter CairnServerTests

ACTIONS ?= 10000000
# Runs ten minutes of mixed load, 50 kills at random moments, and ACTIONS random actions over HTTP with restarts in between.
soak:
	@scripts/install-needed bench
	Benchmarks/soak 600
	Benchmarks/kills 50
	Benchmarks/drive $(ACTIONS)

SECONDS ?= 600
# Searches for bytes from outside that violate a property, for SECONDS seconds in total.
fuzz:
	@scripts/install-needed test
	Fuzz/run $(SECONDS)

# Runs the tests under the thread sanitizer and under the address sanitizer, each with a separate build.
sanitize:
	scripts/sanitize thread --all
	scripts/sanitize address --all

# Tests the pages that people use, in a real browser.
test-browser: engine
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	scripts/test-browser

# Tests README and docs: every link, the index, and the commands of the first pages, which run as a reader would run them.
test-pages:
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	CAIRN="$$($(SWIFT) build --show-bin-path)/cairn" .build/python/bin/python -m pytest -q -p no:cacheprovider Tests/pages

# Tests that this version reads what released versions have written: definitions, databases and session files.
test-formats:
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	CAIRN="$$($(SWIFT) build --show-bin-path)/cairn" .build/python/bin/python -m pytest -q -p no:cacheprovider Tests/formats

# Records the samples of the version in CAIRN_FREEZE, such as 0.2, that are missing. See docs/versions.md.
freeze:
	@[ -n "$(CAIRN_FREEZE)" ] || { echo "freeze: set CAIRN_FREEZE to the version, such as 0.2" >&2; exit 64; }
	$(MAKE) test-formats test-engine
	cd clients/javascript && node --test test/formats.test.js

# Compares the service with its OpenAPI document, and calls it by clients that two generators create from the document. Takes about two and a half minutes.
test-contract:
	@scripts/install-needed people
	$(SWIFT) build --product cairn
	.build/python/bin/python Tests/contract/run.py "$$($(SWIFT) build --show-bin-path)/cairn"
	.build/python/bin/python Tests/contract/generators.py "$$($(SWIFT) build --show-bin-path)/cairn"

# Checks the format and the structure of the code.
lint:
	@scripts/install-needed lint
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks Fuzz migrations Package.swift
	scripts/check-floors
	scripts/check-errors
	scripts/check-javascript

# Formats the code.
format:
	@scripts/install-needed lint
	$(SWIFT) format --in-place --recursive Sources Tests Benchmarks Fuzz migrations Package.swift
	scripts/check-javascript --write

PREFIX ?= /usr/local
COMMIT = $$(git describe --always --dirty --exclude '*' 2>/dev/null)
# Installs the program, its libraries, settings and apps, and the engine if it was built before, under PREFIX. DESTDIR is put before all paths.
install:
	@scripts/install-needed run
	[ ! -e $(ENGINE)/engine.wasm ] || $(MAKE) engine
	CAIRN_COMMIT=$(COMMIT) $(SWIFT) build -c release --product cairn
	scripts/install "$$($(SWIFT) build -c release --show-bin-path)/cairn" $(PREFIX)

# Builds the container image `cairn`.
image:
	docker build --build-arg CAIRN_VERSION="$$(cat VERSION)" --build-arg CAIRN_COMMIT=$(COMMIT) --tag cairn .

# Builds the artefacts of a release from a commit into dist/: the deb, the tarball, the image, the npm package, the list of parts, and the checksums.
release:
	@scripts/install-needed release
	@scripts/install-needed image
	scripts/release

RELEASE_TESTS = CAIRN="$$($(SWIFT) build -c release --show-bin-path)/cairn" .build/python/bin/python -m pytest -q -p no:cacheprovider Tests/release
# Tests the deb, the tarball, the list of parts and the npm package, built from the program.
test-release: program engine
	@scripts/install-needed people
	@scripts/install-needed release
	$(RELEASE_TESTS)

# Tests the packages on a bare Debian, runs the image, and builds a release twice. Takes half an hour, and needs root and the network.
test-release-long: program engine
	@scripts/install-needed people
	@scripts/install-needed release
	@scripts/install-needed image
	CAIRN_LONG=1 $(RELEASE_TESTS)
