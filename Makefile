# Everything a contributor runs. `make` alone lists the targets.

# Tools are pinned here and live in .bin, never in go.mod.
GOLANGCI_LINT_VERSION := v2.15.0
GOVULNCHECK_VERSION   := v1.9.0
NFPM_VERSION          := v2.45.2
CYCLONEDX_VERSION     := v1.10.0

# What a caller may set: make bench BENCHTIME=5s COUNT=6, make fuzz FUZZTIME=10m,
# make demo SEED=7, make test TESTFLAGS=-v, make integration SEEDS="1 2",
# make integration SERVERS= (without real servers, which need root),
# make vulnerabilities VULNDB=file:///PATH (a copy of the database),
# make release-snapshot TARGETS=linux/amd64 RELEASE_URL=https://...
BENCH     ?= .
BENCHTIME ?= 1s
COUNT     ?= 1
FUZZTIME  ?= 60s
SEED      ?= 1
SEEDS     ?= 1 2 3 5 8
KILLS     ?= 1000
TIMES     ?= 300
WORLDS    ?= 24
BATTLES   ?= 1000
CUPS      ?= 10000
MAILS     ?= 2500 5000 10000
GAMES     ?= 1000 5000 100000
TESTFLAGS ?=
SERVERS   ?= .ci/servers
VULNDB    ?= https://vuln.go.dev
TARGETS   ?=

BIN  := $(CURDIR)/.bin
LINT := $(BIN)/golangci-lint-$(GOLANGCI_LINT_VERSION)
VULN := $(BIN)/govulncheck-$(GOVULNCHECK_VERSION)
NFPM := $(BIN)/nfpm-$(NFPM_VERSION)
SBOM := $(BIN)/cyclonedx-gomod-$(CYCLONEDX_VERSION)

PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)

# A binary under the race detector waits a second at its end for what still runs; ours leave nothing
# running. Collecting garbage later saves an eighth of their time. What vet says is said by make vet and
# make lint. The packages that take longest begin first, lest one runs alone at the end. As many run as there are
# processors, without the race detector each on one of them: where threads share a processor, all need up to half as much
# again. No test watches the time by itself: one that waits in vain is ended by the timeout, which
# a busy machine does not reach.
QUICK   := GORACE=atexit_sleep_ms=20 GOGC=400 .ci/memory go test -vet=off -timeout=1h -p=$(PROCESSORS)
LONGEST := ./pbem/crash ./pbem/daemon ./pbem/simulate ./examples ./pbem/compose ./cmd/starpost

# SQLite comes as C translated to Go. What it reads and writes in its own memory is left to its
# authors, as it would be in C: to watch that took the race detector as long as all our own
# code. The driver that calls it is watched.
TRANSLATED := modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory/...
RACED      := CGO_ENABLED=1 $(QUICK) -race $(foreach p,$(TRANSLATED),-gcflags='$(p)=-race=false -d=checkptr=0 -dwarf=false')

# Whatever is built without the race detector is built alike, for this machine and without paths of it, lest
# anything is compiled twice: the program, its tests, what the linter reads. What a debugger needs is left out: it takes
# a fifth of the compiler's time, and stack traces and profiles do without. To debug, build without make.
export CGO_ENABLED := 0
export GOFLAGS     := $(GOFLAGS) -trimpath -gcflags=all=-dwarf=false

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c

.DEFAULT_GOAL := help
.PHONY: help build composer pictures demo test check vet format tidy lint fmt vulnerabilities bench bench-mail bench-serve bench-hosts bench-clicks fuzz soak balance cups simulate crash integration package-tools release-snapshot package clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: composer ## build ./starpost, a single binary
	go build -o starpost ./cmd/starpost

# What a browser runs of the rules, on the page on which captains compose orders: the program embeds it, but for
# names that begin with a dot. With -l the compiler inlines no function of a package, which would make the program a
# quarter larger; what rehearsals spend their time in beside our own code is left as it is (docs/performance.md).
COMPOSER := templates/composer/dist
SMALL    := $(foreach p,starpost/... encoding/... github.com/... net/... compress/... crypto/internal/fips140/aes/... internal/poll internal/strconv io/... bufio syscall fmt reflect time os strconv strings bytes sort unicode context errors html/... text/... hash/... math/... path/... regexp/... mime/... log/... internal/godebug internal/reflectlite sync unicode/utf8 crypto/cipher crypto/fips140 crypto/internal/fips140/drbg crypto/internal/fips140/sha3 crypto/internal/fips140/sha512 crypto/sha3 internal/filepathlite internal/fmtsort internal/oserror iter unique weak,-gcflags='$(p)=-l')

composer: ## build the order composer for browsers, which starpost embeds
	GOOS=js GOARCH=wasm go build -buildvcs=false $(SMALL) -ldflags='-s -w' -o $(COMPOSER)/.wasm ./cmd/composer
	go run ./cmd/trimwasm $(COMPOSER)/.wasm >$(COMPOSER)/.trimmed
	gzip -9nc $(COMPOSER)/.trimmed >$(COMPOSER)/.gz
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $(COMPOSER)/.js
	mv $(COMPOSER)/.js $(COMPOSER)/wasm_exec.js
	mv $(COMPOSER)/.gz $(COMPOSER)/composer.wasm.gz
	rm $(COMPOSER)/.wasm $(COMPOSER)/.trimmed

pictures: build ## make the pictures of README.md in a browser (CHROMIUM)
	.ci/pictures

# Nobody waits for the page of the composer here, nor for a compiler that optimizes: without that, all is compiled in
# two thirds of the time, and the battle takes a second all the same. Compilers with one thread each need an eighth less
# than as many that share all processors. UNOPTIMIZED=all=-dwarf=false takes what is compiled already.
UNOPTIMIZED ?= all=-N -l -dwarf=false
demo: ## play a whole battle by mail, servers and captains included (SEED)
	GOMAXPROCS=1 GOGC=400 go run -p=$(PROCESSORS) -gcflags='$(UNOPTIMIZED)' ./cmd/starpost demo --seed $(SEED)

# The race detector watches each package that does several things at once, in its code or its tests (a test in docs holds the lists
# to that). Under it a test costs five times as much, and all must be compiled once more, so the other packages run without it. Those
# of BOTH run with and without, but under it only one in enginetest.Share of their made-up battles, only scripts with concurrent commands,
# and one in Share of the tests in which a daemon answers one mail after another.
RACE := ./cmd/keeper ./cmd/metrics ./engine ./engine/dice ./engine/rules/fasa/tables ./engine/testkit/enginetest ./pbem/backup ./pbem/beacon/fakerelay ./pbem/beacon/relay ./pbem/daemon/process ./pbem/daemon/sender ./pbem/incoming ./pbem/lmtp ./pbem/loopback ./pbem/mailbox ./pbem/notify ./pbem/outgoing ./pbem/record/postgres ./pbem/site ./pbem/store/postgres ./pbem/store/sqlite ./pbem/token ./pbem/vault
BOTH := ./pbem/daemon ./cmd/starpost ./pbem/simulate ./pbem/demo ./pbem/trial ./pbem/turn
test: ## run all tests, shuffled: concurrent code under the race detector, the rest and all random battles without it (TESTFLAGS)
	GOMAXPROCS=1 $(QUICK) -shuffle=on $(TESTFLAGS) $(LONGEST) $(filter-out $(patsubst ./%,starpost/%,$(RACE)),$(shell go list ./...))
	$(RACED) -shuffle=on $(TESTFLAGS) $(BOTH) $(RACE)

check: vet format lint tidy vulnerabilities test ## run everything that must pass before you hand in a change

vet:
	go vet -tags=integration ./...

format: $(LINT)
	$(LINT) fmt --diff

tidy:
	go mod tidy -diff

lint: $(LINT) ## run the pinned linters, and with node those of the pages' scripts
	$(LINT) run
	.ci/lint-js

fmt: $(LINT) ## format the source as the linter expects it
	$(LINT) fmt

vulnerabilities: $(VULN) ## look for known vulnerabilities in the code that the program calls, if the database is reachable (VULNDB)
	.ci/vulnerabilities $(VULN) -db $(VULNDB) ./...

# A run of all of them is kept, for docs/performance.md.
MEASURED = $(if $(filter .,$(BENCH)),docs/reference/measurements.txt,/dev/null)
bench: ## run the benchmarks and print a table (BENCH, BENCHTIME, COUNT); a full run also writes docs/reference/measurements.txt
	go test -run='^$$' -bench='$(BENCH)' -benchmem -benchtime=$(BENCHTIME) -count=$(COUNT) ./... | awk -f .ci/bench.awk | tee $(MEASURED)

fuzz: ## run every fuzz target in turn (FUZZTIME each)
	.ci/fuzz $(FUZZTIME)

soak: ## let robots play all scenarios with all their rule sets, and count who wins (BATTLES)
	go test -count=1 -v -timeout=2h ./engine/testkit/fasatest ./engine/testkit/sfbtest -run='^TestSoak(Systems)?$$' -battles=$(BATTLES)
	go test -count=1 -v -timeout=2h ./engine/testkit/fasatest -run='^TestSoak$$' -rules=stcs-command -battles=450
	go test -count=1 -timeout=2h ./pbem/compose -run='^TestCheckIsThatOfTheHost$$' -views=200

# The Big Bad Wolf keeps the ships of its rules, whomever they favour, and the
# Kobayashi Maru is meant to be hopeless; a referee plays Two Rooms.
TRICKED := encounter dakota war-eagle house-duel other-cloak

cups: ## pair random cups of 1 to 200 entrants, and check each round against the rules of pairing (CUPS)
	CUPS=$(CUPS) go test -count=1 -v -timeout=2h ./pbem/cup -run='^TestPairingBreaksNoLaw$$'

balance: build ## let robots play every scenario 400 times: no side may win more than 60 of 100, no simple trick more than 40
	for name in $(TRICKED); do ./starpost balance $$name --battles 100 --trick all --strict || exit; done
	for name in $$(./starpost scenarios | awk 'NR > 1 && $$1 !~ /^(big-bad-wolf|kobayashi-maru|two-rooms)$$/ { print $$1 }'); do ./starpost balance $$name --battles 400 --strict || exit; done

simulate: ## simulate SEEDS worlds from SEED on (10000), each a battle by mail in which everything goes wrong that can
	GOGC=1600 .ci/memory go test -count=1 -timeout=2h ./pbem/simulate -run='^TestWorlds$$' -seed=$(SEED) -seeds=$(if $(filter file,$(origin SEEDS)),10000,$(SEEDS))

crash: ## kill the daemon again and again in the middle of battles (KILLS); with HOSTS=3 disturb hosts that share a database (TIMES)
ifdef HOSTS
	.ci/postgres go test -count=1 -v -timeout=3h ./pbem/crash -run='^TestPostgresHostsDie$$' -hosts=$(HOSTS) -times=$(TIMES) -worlds=$(WORLDS) -parallel=$(WORLDS)
else
	go test -count=1 -v -timeout=2h ./pbem/crash -kills=$(KILLS) -stops -sleepers=300
endif

bench-mail: ## time mail handling beside a bare loop (MAILS); ".ci/servers make bench-mail" adds real servers
	STARPOST_BENCH_MAIL="$(MAILS)" go test -count=1 -timeout=2h -tags=integration -run=MailBench -v ./pbem/realmail

bench-clicks: composer ## measure clicks on the composer's map in a browser (CHROMIUM)
	STARPOST_TEST_BROWSER=$$(command -v "$${CHROMIUM:-chromium}") go test -count=1 -v ./cmd/starpost -run='^TestRealBrowserClickTimes$$' -clicks=20

bench-serve: ## measure the daemon with many games: start, memory, idle polls, turns due at once (GAMES)
	STARPOST_BENCH_GAMES="$(GAMES)" go test -run='^$$' -bench=ServeGames -benchtime=1x -timeout=2h ./cmd/starpost

# The server has what one of its own has for so many games.
given = $(if $(filter file,$(origin $(1))),$(2),$($(1)))
bench-hosts: ## measure hosts on one PostgreSQL database (GAMES=100000, MAILS=10000, HOSTS=3, RATES of mails a second)
	STARPOST_POSTGRES_SETTINGS=$$'shared_buffers = 1GB\nmax_wal_size = 8GB\ndefault_toast_compression = lz4' .ci/postgres go test -count=1 -v -timeout=4h ./cmd/benchhosts -games=$(call given,GAMES,100000) -mails=$(call given,MAILS,10000) -hosts=$(or $(HOSTS),3) -rates="$(or $(RATES),5 100)" -span=30s -polls=6 -models=24

# Only packages with such tests are linked.
REAL := Contract|Real|WholeBattle|OtherBattles|Postgres|TwoDaemons
integration: build ## run contracts and a battle on Dovecot, Postfix and PostgreSQL, pages in Chromium, and demos of many seeds (SERVERS, SEEDS)
	$(SERVERS) $(if $(SERVERS),.ci/postgres) go test -count=1 -parallel=8 -tags=integration -run='$(REAL)' $$(grep -rlE '^func Test\w*($(REAL))' --include='*_test.go' ./pbem ./cmd ./templates | xargs -n1 dirname | sort -u)
	.ci/battles ./starpost $(SEEDS)

package-tools: $(NFPM) $(SBOM)

release-snapshot: composer package-tools ## make a reproducible release in dist/ (TARGETS, RELEASE_URL)
	NFPM=$(NFPM) SBOM=$(SBOM) packaging/release $(TARGETS)

package: composer package-tools ## build the package twice, then install, upgrade and remove it in a clean Debian (SERVERS)
	NFPM=$(NFPM) SBOM=$(SBOM) $(SERVERS) .ci/package

clean: ## remove what was built, and the tools
	rm -rf starpost dist $(BIN) $(COMPOSER)/*.gz $(COMPOSER)/*.js .ci/js/node_modules

# The version is part of the file's name: another version is another file.
$(LINT):
	rm -rf $(BIN)/golangci-lint*
	GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv $(BIN)/golangci-lint $@

$(VULN):
	rm -f $(BIN)/govulncheck*
	GOBIN=$(BIN) go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	mv $(BIN)/govulncheck $@

$(NFPM):
	rm -f $(BIN)/nfpm*
	GOBIN=$(BIN) go install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	mv $(BIN)/nfpm $@

$(SBOM):
	rm -f $(BIN)/cyclonedx-gomod*
	GOBIN=$(BIN) go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	mv $(BIN)/cyclonedx-gomod $@
