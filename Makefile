# Two commands matter: `make demo` and `make test`. Each sets up what is missing, then does its work.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench bench-nodes format playthroughs settings weights-othello weights-chess weights-shogi weights-dvonn weights-drmario book-chess book-shogi setup clean

demo: setup
	$(BIN)/evalsmith demo

test: setup
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: setup
	$(BIN)/python benchmarks/run.py

# Renew the node counts of `evalsmith bench` after a change of the search that is meant.
bench-nodes: setup
	$(BIN)/evalsmith bench --json > tests/engine/bench.json

# Rewrite the golden playthroughs after a change of the rules that is meant.
playthroughs: setup
	$(BIN)/python -m evalsmith.games.playthrough --write tests/playthroughs

# Rewrite the page of settings after a change of their declarations.
settings: setup
	$(BIN)/python -m evalsmith.cli.common.reference > docs/settings.md

# Make the fitted weights of a game anew: SIZE=small takes minutes, full (the default) hours. They take the place of
# those that ship if a match proves them stronger than the hand-set ones.
SIZE ?= full
weights-othello weights-chess weights-shogi weights-dvonn: weights-%: setup
	$(BIN)/python tools/make_weights.py $* --size $(SIZE) \
		--output $(if $(filter full,$(SIZE)),src/evalsmith/games/$*/fitted.weights,runs/$*-$(SIZE).weights)

# Make Dr. Mario's fitted weights anew, in minutes.
weights-drmario: setup
	$(BIN)/python tools/weights_drmario.py --output src/evalsmith/games/drmario/fitted.weights

# Make the openings that chess or shogi ships anew, in a few minutes.
book-chess: setup
	$(BIN)/python tools/make_book.py chess --lines 492

book-shogi: setup
	$(BIN)/python tools/make_book.py shogi --lines 270

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

setup:
	@PYTHON=$(PYTHON) tools/setup

clean:
	rm -rf .venv demo runs benchmarks/build
