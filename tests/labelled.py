"""Sets under `tests/data`, a JSON value a line."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def read_set(name: str) -> list[Any]:
    """Every line of a set."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
