"""How far the fast split of reported totals is from counting every text.

    python bench/shortcut.py PATH…        (without a path: the bundled samples)

Measures the same traces twice, with `--count fast` and with `--count exact`, and compares the
shares of PTE by kind of part, by call and by tool. Totals are equal by construction.
"""

import sys
import tempfile
from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces


def main(paths: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fast, exact = (_ledger(paths, Path(folder) / how, how) for how in ("fast", "exact"))
        reported = fast.read("trajectories").filter(token_source="reported")["trajectory_id"]
        print(f"{len(reported)} trajectories whose totals are reported")
        _kinds(fast, exact, reported)
        _calls(fast, exact, reported)
        _sizes(fast, exact, reported)


def _ledger(paths: list[Path], out: Path, count: str) -> Ledger:
    measure(paths, out, MeasureOptions(count=count))  # type: ignore[arg-type]
    return Ledger(out)


def _kept(ledger: Ledger, table: str, ids: pl.Series) -> pl.DataFrame:
    return ledger.read(table).filter(pl.col("trajectory_id").is_in(ids.implode()))


def _kinds(fast: Ledger, exact: Ledger, ids: pl.Series) -> None:
    total = _kept(fast, "trajectories", ids)["pte"].sum()
    both = [
        _kept(ledger, "parts", ids).group_by("kind").agg(pl.col("pte").sum() / total)
        for ledger in (fast, exact)
    ]
    joined = both[0].join(both[1], on="kind", how="full", coalesce=True, suffix="_exact")
    print("\nshare of PTE      fast    exact   points")
    for kind, a, b in joined.fill_null(0.0).sort("pte_exact", descending=True).iter_rows():
        print(f"{kind:14} {100 * a:7.2f} %{100 * b:7.2f} %{100 * (a - b):+7.2f}")


def _calls(fast: Ledger, exact: Ledger, ids: pl.Series) -> None:
    key = ["trajectory_id", "turn", "call"]
    joined = _kept(fast, "calls", ids).join(_kept(exact, "calls", ids), on=key, suffix="_exact")
    error = (joined["pte"] / joined["pte_exact"] - 1).abs().drop_nulls()
    weighted = (joined["pte"] - joined["pte_exact"]).abs().sum() / joined["pte_exact"].sum()
    print(f"\nPTE of {len(joined)} calls: median error {100 * (error.median() or 0):.1f} %, "
          f"90th percentile {100 * (error.quantile(0.9) or 0):.1f} %, "
          f"weighted by PTE {100 * weighted:.1f} %")  # fmt: skip


def _sizes(fast: Ledger, exact: Ledger, ids: pl.Series) -> None:
    """Characters per token by kind would remove the mean error; this is what is left of it."""
    key = ["trajectory_id", "part"]
    texts = ~pl.col("kind").is_in(["unseen"])
    joined = (
        _kept(fast, "parts", ids)
        .filter(texts)
        .join(_kept(exact, "parts", ids).filter(texts), on=key, suffix="_exact")
    )
    print("\nsize of parts    fast / exact tokens   parts")
    grouped = joined.group_by("kind").agg(
        ratio=pl.col("tokens").sum() / pl.col("tokens_exact").sum(), parts=pl.len()
    )
    for kind, ratio, parts in grouped.sort("kind").iter_rows():
        print(f"{kind:14} {ratio or 0:12.3f} {parts:15,}")


if __name__ == "__main__":
    main([Path(p) for p in sys.argv[1:]] or [sample_traces()])
