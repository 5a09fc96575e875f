# What people and CI call. `make help` lists it.

SHELL         := /bin/bash
.SHELLFLAGS   := -eu -o pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS     += --no-print-directory

# How long `make fuzz` stays with each target, and which it takes (a regexp).
FUZZTIME ?= 30s
FUZZ     ?= .
# Further arguments of `make run`, for example ARGS='--addr 127.0.0.1:0'.
ARGS     ?=

# What `make bench` measures: work with this in its name.
ONLY     ?=

export TOOLREST_CACHE ?= $(CURDIR)/.cache
# Tests write here what they skipped and why; go test itself keeps quiet.
skipped := $(TOOLREST_CACHE)/skipped

.PHONY: build run test test-full bench fuzz lint parts clean help go

build: go ## build bin/toolrest (the default)
	CGO_ENABLED=0 go build -trimpath -o bin/toolrest ./cmd/toolrest

# exec, so that Ctrl-C reaches toolrest itself.
run: build ## build and serve on loopback; Ctrl-C stops it
	@exec bin/toolrest serve $(ARGS)

test: parts lint ## fetch what is missing, lint, run all tests with the race detector
	@rm -f $(skipped)
	TOOLREST_SKIPPED=$(skipped) go test -race -timeout 10m ./...
	@$(report)

test-full: parts ## the long tests too, at full speed (no race detector)
	@rm -f $(skipped)
	TOOLREST_SKIPPED=$(skipped) TOOLREST_FULL=1 go test -count=1 -timeout 30m ./...
	@$(report)

bench: go ## measure against the budgets; OPENCLAW_DIR=... measures OpenClaw beside
	go run ./bench -only '$(ONLY)'

fuzz: go ## run each fuzz target for FUZZTIME (30s)
	tools/fuzz.sh $(FUZZTIME) '$(FUZZ)'

lint: $(TOOLREST_CACHE)/bin/staticcheck ## vet, staticcheck, gofmt
	go vet ./...
	$< ./...
	@unformatted=$$(find . -name '*.go' -not -path './.*/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then printf 'not formatted, run gofmt -w:\n%s\n' "$$unformatted"; exit 1; fi

parts: go ## fetch the compiler, Node and the npm packages that tests use
	@tools/fetch.sh

clean: ## remove what was built and fetched
	rm -rf bin .cache

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

go:
	@command -v go >/dev/null || { echo 'Go 1.26 or newer is needed and not on the PATH' >&2; exit 1; }

$(TOOLREST_CACHE)/bin/staticcheck: tools/go.mod tools/go.sum | go
	go -C tools build -o $@ honnef.co/go/tools/cmd/staticcheck
	@touch $@

report = if [ -s $(skipped) ]; then printf '\nskipped, because something is missing here:\n'; sort -u $(skipped); fi
