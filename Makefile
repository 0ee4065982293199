# aircheck: `make run` starts the service, `make test` tests it. Both install what is missing, say so, and may be run twice.

SWIFT_BUILD := swift build --explicit-target-dependency-import-check error
RELEASE     := $(SWIFT_BUILD) -c release --static-swift-stdlib
RELEASE_BIN := .build/release
PREFIX      ?= /usr/local

.PHONY: help run build debug test-api test test-all check format bench bench-ingest bench-relay bench-player fuzz install clean test-web screenshots setup-build setup-test

help:
	@echo "make run        build the release and start the service with the demo station"
	@echo "make test       install what the tests need and run the quick set"
	@echo "make test-all   the quick set, long runs and sanitizers"
	@echo "make test-web   the page's tests, in Chromium and Firefox against real stations"
	@echo "make screenshots  pictures of every screen at three widths, into docs/screens"
	@echo "make test-api   made-up calls against the description of the API (10 min)"
	@echo "make bench      CPU and start-up figures, as ratios against peers in the same run"
	@echo "make bench-ingest  what a received station costs, against a bare libcurl loop and curl processes (10 min)"
	@echo "make bench-relay  what a listener costs, against Icecast and the least that C can do (root, 10 min)"
	@echo "make bench-player  skips, joins and first sounds, against mpv and mpg123 (3 min)"
	@echo "make fuzz       every fuzz target, FUZZ_SECONDS (60) each"
	@echo "make check      formatting, and the rules that a compiler does not know"
	@echo "make install    build and install under PREFIX ($(PREFIX))"

setup-build:
	@scripts/install-packages build

setup-test: setup-build
	@scripts/install-packages test
	@scripts/test-python

build: setup-build
	$(RELEASE) --product aircheck
	$(RELEASE) --product aircheck-media

debug: setup-build
	$(SWIFT_BUILD)

run: build
	@AIRCHECK_PATHS_STATIONS="$(CURDIR)/stations" $(RELEASE_BIN)/aircheck serve --demo

test: setup-test
	@scripts/test

test-all: setup-test
	@scripts/test --all

test-web: debug
	@scripts/install-packages browser
	@scripts/test-web

screenshots: debug
	@scripts/install-packages browser
	@scripts/test-web screenshots

# The API against its own description, at length.
test-api: setup-test
	@$(SWIFT_BUILD) --build-tests
	@AIRCHECK_TESTS=all swift test --skip-build --no-parallel --filter EndToEndTests.APIConformanceTests

check:
	@scripts/check

format:
	swift format --in-place --recursive Package.swift Sources Tests Fuzz Benchmarks

bench: build
	@scripts/install-packages bench test
	@scripts/bench

bench-ingest: setup-build
	@scripts/install-packages bench
	@scripts/bench-ingest

bench-relay: setup-build
	@scripts/install-packages bench
	@scripts/bench-relay

bench-player: setup-build
	@scripts/install-packages bench test
	@scripts/bench-player

fuzz: setup-build
	@scripts/fuzz

install: build
	install -D -m 755 $(RELEASE_BIN)/aircheck $(DESTDIR)$(PREFIX)/bin/aircheck
	install -D -m 755 $(RELEASE_BIN)/aircheck-media $(DESTDIR)$(PREFIX)/bin/aircheck-media
	install -d $(DESTDIR)$(PREFIX)/share/aircheck/stations
	install -m 644 stations/*.toml $(DESTDIR)$(PREFIX)/share/aircheck/stations/
	cd web && find . -type f -exec install -D -m 644 {} $(DESTDIR)$(PREFIX)/share/aircheck/web/{} \;
	install -D -m 644 config/aircheck.toml $(DESTDIR)$(PREFIX)/share/aircheck/aircheck.toml
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/lib/systemd/system $(DESTDIR)$(PREFIX)/lib/systemd/user
	$(RELEASE_BIN)/aircheck manual > $(DESTDIR)$(PREFIX)/share/man/man1/aircheck.1
	sed 's|/usr/bin/aircheck|$(PREFIX)/bin/aircheck|' config/systemd/aircheck.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/aircheck.service
	sed 's|/usr/bin/aircheck|$(PREFIX)/bin/aircheck|' config/systemd/aircheck-user.service > $(DESTDIR)$(PREFIX)/lib/systemd/user/aircheck.service
	install -m 644 config/systemd/aircheck.socket $(DESTDIR)$(PREFIX)/lib/systemd/system/aircheck.socket

clean:
	rm -rf .build
