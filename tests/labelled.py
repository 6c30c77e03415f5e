"""Sets under `tests/data`, a JSON value a line."""

import json
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data"


@cache
def read_set(name: str) -> list[Any]:
    """Every line of a set; `{"tuple": […]}` is a tuple."""
    lines = (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line, object_hook=_revive) for line in lines]


def read_table(name: str) -> dict[str, Any]:
    """A set under `tests/data/cases` whose lines are pairs of a name and what it stands for."""
    return dict(read_set(f"cases/{name}"))


def _revive(value: dict[str, Any]) -> Any:
    return tuple(value["tuple"]) if value.keys() == {"tuple"} else value


def mostly_slow(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Cases for `parametrize`, of which all but a few run with `make test-slow`."""
    return [c if c in quick else pytest.param(c, marks=pytest.mark.slow) for c in cases]


def from_set(name: str, *fields: str) -> Callable[[Any], Any]:
    """Runs a test on its rows of a set under `tests/data/cases`, each `{"test": …, "case": …}`
    with a `note` where the case needs a reason; one that says `why` it is there goes by that."""

    def parametrize(test: Any) -> Any:
        own = test.__name__.removeprefix("test_")
        rows = [row["case"] for row in read_set(f"cases/{name}") if row["test"] == own]
        assert rows, f"tests/data/cases/{name}.jsonl has no row for {own}"
        ids = [case[0] for case in rows] if fields[0] == "why" else None
        return pytest.mark.parametrize(fields if len(fields) > 1 else fields[0], rows, ids=ids)(
            test
        )

    return parametrize
