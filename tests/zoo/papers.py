"""Policies of known truth through `agentdyno paper`, every cell that follows from them compared.

    python -m tests.zoo.papers OUT [PAPER …]     `make papers`; OUT is kept: run again, it goes on
    python -m tests.zoo.papers OUT --dealt       one model that plays another policy on each task

Each paper is run by its own command, at mini size, with some policies as its models. What a cell
should hold is worked out from how a policy was built and from what the service billed, never by
the code that made the page.
"""

import sys
import time
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from tests.zoo.cells import state
from tests.zoo.judge import BY_CALLS
from tests.zoo.logged import INPUT_PRICE, OUTPUT_PRICE
from tests.zoo.play import reach, run_command
from tests.zoo.server import Zoo, serve
from tests.zoo.truth import DEALT, Known, Truth

DEALT_TASKS = {"pte": 15, "utility": 5, "tps": 8, "toolfail": 40}
"""Of each benchmark, for the model that plays another policy on each: as many as show most."""
PORT, DEALT_PORT = 18_972, 18_973
"""Of the service: what was run before goes on only at the same address."""
POLICIES: dict[str, tuple[str, ...]] = {
    "pte": ("good", "sequential", "right_by_heart", "mixes_tools", "confirms", "prints_nothing",
            "unoffered_tool", "malformed_calls", "wrong"),
    "utility": ("good", "right_by_heart"),
    "tps": ("good", "sequential", "half", "lazy", "needless", "ignores", "refused_arguments"),
    "toolfail": ("good", "lazy", "refuses", "ignores", "invents_on_half", "guess_on_half",
                 "needless_without_arguments", "needless_malformed", "wrong_on_controls",
                 "mixes_tools", "malformed_calls"),
}  # fmt: skip


class Cell(NamedTuple):
    """One cell of a page beside what it should hold."""

    paper: str
    exhibit: str
    row: str
    column: str
    stated: Known
    made: Any

    @property
    def is_as_stated(self) -> bool:
        """Whether the two are the same; of a range, whether it holds what was made."""
        if self.stated is None or isinstance(self.stated, str):
            return bool(self.made == self.stated)
        if not isinstance(self.made, int | float):
            return False
        if isinstance(self.stated, tuple):
            return self.stated[0] <= self.made <= self.stated[1]
        return abs(self.made - self.stated) <= 1e-9 * max(1, abs(self.stated))


def run_paper(
    zoo: Zoo, out: Path, paper: str, policies: Sequence[str], limit: int | None = None
) -> dict[str, Any]:
    """The page of a paper as the command prints it for programs."""
    prices = out / "prices.toml"
    prices.write_text("".join(map(_price, policies)), "utf-8")
    limited = () if limit is None else ("--limit", limit)
    judged = ("--judge", zoo.model(BY_CALLS), "--judge-base-url", zoo.address, "-J", "api_key=zoo")
    code, page = run_command(
        "paper", paper, *reach(zoo, *policies), "--size", "mini", "--concurrency", 8, *limited,
        *(judged if paper == "toolfail" else ()),
        "--prices", prices, "--out", out / f"{paper}.html", "--json",
    )  # fmt: skip
    assert code == 0, code
    return page


def _price(policy: str) -> str:
    return f"""["{policy}"]
input = {INPUT_PRICE}
output = {OUTPUT_PRICE}
as_of = "2026-01-01"
"""


def compare(paper: str, page: Mapping[str, Any], truth: Truth) -> list[Cell]:
    """Every stated cell with what the page has there; and of a table with a stated cell the rows
    that have none."""
    made, rows = flatten(page), {key[:2] for key in truth}
    places = {place for place, _ in rows}
    beside = {key[:2] for key in made if key[0] in places} - rows
    cells = [Cell(paper, *key, value, made.get(key)) for key, value in sorted(truth.items())]
    return cells + [Cell(paper, *row, "row", "not there", "there") for row in sorted(beside)]


def flatten(page: Mapping[str, Any]) -> dict[tuple[str, str, str], Any]:
    """A page's cells by exhibit, row and column, with the ends of their intervals. Rows of further
    tables are named by all words that they begin with."""
    found: dict[tuple[str, str, str], Any] = {}
    for exhibit in page["exhibits"]:
        for row in exhibit["rows"]:
            found |= _cells(exhibit["name"], str(row[0]), exhibit["columns"], row)
        for table in exhibit["tables"]:
            place = f"{exhibit['name']}: {table['title']}"
            for row in table["rows"]:
                words = takewhile(lambda value: isinstance(value, str), row)
                found |= _cells(place, ", ".join(words), table["columns"], row)
    return found


def _cells(
    place: str, name: str, columns: Sequence[str], row: Sequence[Any]
) -> dict[tuple[str, str, str], Any]:
    found = {}
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, dict) and "value" in value:
            ends = {f"{column} {end}": value[end] for end in ("low", "high")}
            found |= {(place, name, each): end for each, end in ends.items()}
            value = value["value"]
        found[place, name, column] = value
    return found


# All of them --------------------------------------------------------------------------------------


def main(out: Path, words: Sequence[str]) -> int:
    """Prints each cell that differs, and how long each paper took."""
    wrong = 0
    out.mkdir(parents=True, exist_ok=True)
    with serve(port=DEALT_PORT if "--dealt" in words else PORT) as zoo:
        for paper in [word for word in words if word in POLICIES] or POLICIES:
            began = time.perf_counter()
            dealt = "--dealt" in words
            policies = (DEALT,) if dealt else POLICIES[paper]
            limit = DEALT_TASKS[paper] if dealt else None
            page = run_paper(zoo, out, paper, policies, limit)
            cells = compare(paper, page, state(paper, policies, out / paper, limit))
            differing = [cell for cell in cells if not cell.is_as_stated]
            for cell in differing:
                print(f"DIFFERS {cell}")
            seconds = time.perf_counter() - began
            print(
                f"{paper}: {len(cells) - len(differing)} of {len(cells)} cells as stated, "
                f"{len(policies)} models, {seconds:.0f} s",
                flush=True,
            )
            wrong += len(differing)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
