BIN := .venv/bin

.PHONY: ci test format lint types layers docs bench

ci:
	.ci/run

test:
	$(BIN)/pytest -n auto --dist worksteal

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types:
	$(BIN)/mypy

layers:
	$(BIN)/lint-imports

docs:
	$(BIN)/python -m miles_lint.docs

bench:
	$(BIN)/python benchmarks/fold.py
