"""Every policy through every benchmark, as one table: `make zoo`; exit 1 where a figure differs.

python -m tests.zoo OUT      results of each part are kept under OUT; run again, it goes on
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from agentdyno_bench.tps.tasks.dataset import load_bundled
from tests.zoo import tir, toolfail, tps
from tests.zoo.play import (
    Figures,
    Row,
    play_ablation,
    play_dealt_toolfail,
    play_dealt_tps,
    play_tir,
    play_toolfail,
    play_tps,
)
from tests.zoo.server import Zoo, serve
from tests.zoo.test_ablation import CASES

PORT = 18_971
"""Of the service: what was run before goes on only at the same address."""


def _parts(zoo: Zoo, out: Path) -> Iterator[Callable[[], list[Row]]]:
    yield lambda: play_toolfail(zoo, out / "toolfail", list(toolfail.POLICIES), 20)
    yield lambda: play_dealt_toolfail(zoo, out / "toolfail-all")
    yield lambda: play_tps(zoo, out / "tps", list(tps.POLICIES), "easy", 5)
    for level in tps.LEVELS:
        count = len(load_bundled(level).tasks)
        yield lambda level=level, count=count: play_dealt_tps(
            zoo, out / f"tps-{level}", level, count
        )
    for name in tir.SETS:
        count = len(tir.list_questions()[name])
        yield lambda name=name, count=count: play_tir(
            zoo, out / f"tir-{name}", list(tir.POLICIES), name, count
        )
    for number, (benchmark, policy, removed, loses) in enumerate(CASES):
        where = out / f"ablation-{number}"
        yield lambda where=where, b=benchmark, p=policy, r=removed, loses=loses: [
            play_ablation(zoo, where, b, p, r, 20, loses=loses)
        ]


def main(out: Path) -> int:
    """Prints a line for each policy of each benchmark."""
    rows: list[Row] = []
    with serve(port=PORT) as zoo:
        for play in _parts(zoo, out):
            for row in play():
                rows.append(row)
                print(_describe(row), flush=True)
    wrong = [row for row in rows if not row.is_as_stated]
    print(f"{len(rows) - len(wrong)} of {len(rows)} rows are scored as stated")
    return 1 if wrong else 0


def _describe(row: Row) -> str:
    mark = "=" if row.is_as_stated else "DIFFERS, scored " + _figures(row.scored)
    head = f"{row.benchmark:<24} {row.policy:<32} {row.attempts:>5}"
    return f"{head}  {_figures(row.stated)}  {mark}"


def _figures(figures: Figures) -> str:
    return " ".join(
        f"{name} {'-' if value is None else f'{value:.3g}'}" for name, value in figures.items()
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
