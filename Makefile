# The two commands are `make run` and `make test`; both install what is missing.
SWIFT ?= swift
PORT ?= 8080

.PHONY: run test bench soak lint format image

run:
	@scripts/install-needed run
	@mkdir -p var
	$(SWIFT) build -c release --product cairn
	exec "$$($(SWIFT) build -c release --show-bin-path)/cairn" serve --port $(PORT)

test:
	@scripts/install-needed test
	CAIRN_STRICT=1 $(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	CAIRN_STRICT=1 $(SWIFT) test --skip-build

bench:
	@scripts/install-needed bench
	Benchmarks/run

soak:
	@scripts/install-needed bench
	Benchmarks/kills 50

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks migrations Package.swift
	scripts/check-floors

format:
	$(SWIFT) format --in-place --recursive Sources Tests Benchmarks migrations Package.swift

image:
	docker build --tag cairn .
