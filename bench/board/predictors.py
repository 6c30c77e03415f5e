"""Does a kind of finding tell failed runs from solved ones, beyond turns and dollars?

    python bench/board/predictors.py LEDGER... [--marks CSV]

Takes ledgers with outcomes and derived tables; a CSV of `source,correct` marks runs that have none.
For every kind of pattern, for joins, missed parallelism and failed calls: the area under the ROC
curve of how many a run has, failed against solved, where 0.5 tells nothing. First over all pairs;
then over pairs of runs of the same source, suite, model, fifth of turns and fifth of dollars only:
what a kind adds to these; then over attempts of one model at one task, where the task explains
nothing. Intervals resample tasks, or those strata.
"""

import argparse
from pathlib import Path

import polars as pl
from areas import clustered_auc

from agentdyno.estimates.estimate import Estimate
from agentdyno.ledger.reader import Ledger

FIFTHS = 5


def read_runs(path: Path, marks: pl.DataFrame) -> pl.DataFrame:
    """A row for each graded main run, with how many of everything it has."""
    ledger = Ledger(path)
    suite = [pl.col(name).fill_null("") for name in ("benchmark", "variant", "harness", "model")]
    runs = (
        ledger.scan("trajectories")
        .filter(pl.col("parent_id").is_null())
        .join(marks.lazy(), on="source", how="left")
        .select(
            "trajectory_id", "turns", "usd", "calls",
            task=pl.concat_str(pl.col("benchmark").fill_null(path.name), "task_id"),
            # Where no price is known, tokens stand for dollars.
            spent=pl.coalesce("usd", pl.col("prefill_tokens") + pl.col("decode_tokens")),
            source=pl.lit(path.name),
            correct=pl.coalesce("correct", "mark"),
            suite=pl.concat_str(pl.lit(path.name), *suite, separator=" "),
        )
        .filter(pl.col("correct").is_not_null())
        .collect()
    )  # fmt: skip
    found = {
        f"pattern {name}": rows
        for (name,), rows in ledger.read("patterns").group_by("pattern", maintain_order=True)
    }
    found["joins"] = ledger.read("joins")
    calls = ledger.read("calls")
    found["failed calls"] = calls.filter(pl.col("error").is_not_null())
    for name, rows in found.items():
        runs = runs.join(
            rows.group_by("trajectory_id").len(name), on="trajectory_id", how="left"
        ).with_columns(pl.col(name).fill_null(0).cast(pl.Float64))
    missed = ledger.read("scheduling").select("trajectory_id", "missed_turns")
    missed = missed.group_by("trajectory_id").agg(pl.col("missed_turns").max())
    runs = runs.join(
        missed.rename({"missed_turns": "missed parallelism"}), on="trajectory_id", how="left"
    )
    return runs.with_columns(
        pl.col("missed parallelism").cast(pl.Float64),
        pl.col("turns", "usd", "calls").cast(pl.Float64),
    )


def fifth(column: str) -> pl.Expr:
    """Which fifth of its suite a run is in."""
    place = pl.col(column).rank("ordinal").over("suite") - 1
    return (place * FIFTHS // pl.len().over("suite")).cast(pl.String)


def area(rows: pl.DataFrame, score: str, units: str, within: bool) -> Estimate:
    """Of failed runs against solved ones."""
    marked = {
        str(name): list(zip(part[score], (~part["correct"]).to_list(), strict=True))
        for (name,), part in rows.group_by(units, maintain_order=True)
        if not within or part["correct"].n_unique() > 1
    }
    return clustered_auc(marked, within=within)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("ledgers", type=Path, nargs="+")
    parser.add_argument("--marks", type=Path)
    given = parser.parse_args()
    marks = pl.DataFrame(schema={"source": pl.String, "mark": pl.Boolean})
    if given.marks:
        marks = pl.read_csv(given.marks).rename({"correct": "mark"})
    rows = pl.concat([read_runs(each, marks) for each in given.ledgers], how="diagonal")
    print(
        rows.group_by("source", maintain_order=True).agg(
            runs=pl.len(), failed=(~pl.col("correct")).sum()
        )
    )
    kinds = [
        name
        for name in rows.columns
        if name not in ("trajectory_id", "task", "correct", "suite", "source", "spent")
    ]
    found = [kind for kind in kinds if kind not in ("turns", "usd", "calls")]
    rows = rows.with_columns(pl.col(found).fill_null(0.0)).with_columns(
        stratum=pl.concat_str("suite", fifth("turns"), fifth("spent"), separator=" "),
        attempts=pl.concat_str("suite", "task", separator=" "),
    )
    print(
        f"{len(rows):,} runs, {int((~rows['correct']).sum()):,} failed, "
        f"{rows['suite'].n_unique()} suites and models\n"
    )
    print(
        "| what is counted | runs that have it | AUC of failure | beyond turns and dollars "
        "| attempts at one task |\n|---|---:|---:|---:|---:|"
    )
    for kind in kinds:
        part = rows.filter(pl.col(kind).is_not_null())
        have = int((part[kind] > 0).sum())
        found = [area(part, kind, "task", False)]
        found += [area(part, kind, units, True) for units in ("stratum", "attempts")]
        shown = " | ".join(map(write, found))
        print(f"| {kind} | {have:,} of {len(part):,} | {shown} |", flush=True)


def write(found: Estimate) -> str:
    """With its interval."""
    if found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}"
    return f"{found.value:.2f} ({found.low:.2f} to {found.high:.2f})"


if __name__ == "__main__":
    main()
