"""What publications state of their runs, read from the files beside their rows.

Takes folders of fetched repositories, yields a `Statement` for every figure that rests on rows of
the same publication. A file that cannot be read states nothing.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from agentdyno.intake.beside import decode_beside, read_beside
from agentdyno.intake.texts import amount, dicts_of, fields_of, read_solved, short_text, whole
from agentdyno_bench.studies.board.audit import Outcome, Statement

USUAL = 3
"""Entries that have rows of as many tasks, for that to be a number of tasks."""
Fields = dict[str, Any]


def read_statements(folders: Sequence[Path]) -> Iterator[Statement]:
    """Every statement of every publication below the folders."""
    readers = {
        "scores.json": _openhands_index,
        "leaderboards.json": _swe_bench,
        "summary_stats.json": _swe_effi,
        "results.json": _terminal_bench,
    }
    for folder in folders:
        for path in sorted(folder.rglob("*.json")):
            reader = readers.get(path.name)
            if reader is not None:
                yield from reader(path, path.relative_to(folder.parent).as_posix())


def _digits(value: float) -> int:
    """Digits behind the point, as the number is written."""
    return len(repr(value).partition(".")[2]) if value != int(value) else 0


def _outcome(task: str, row: Fields, solved: str, usd: str = "", calls: str = "") -> Outcome:
    tokens = [whole(row.get(f"{way}_tokens")) for way in ("input", "output")]
    return Outcome(
        task,
        read_solved(row.get(solved)),
        amount(row.get(usd)) if usd else None,
        amount(row.get(calls)) if calls else None,
        None if None in tokens else float(sum(each or 0 for each in tokens)),
    )


def _openhands_index(path: Path, name: str) -> Iterator[Statement]:
    sizes = _count_tasks(_results_folder(path))
    for entry in dicts_of(decode_beside(path)):
        benchmark = short_text(entry.get("benchmark")) or ""
        rows = read_beside(path.parent / "instance_results" / f"{Path(benchmark).name}.json")
        outcomes = [
            _outcome(task, row, "resolved", "cost")
            for task, row in rows.items()
            if isinstance(row, dict)
        ]
        if not outcomes:
            continue
        parts = fields_of(entry.get("component_scores"))
        # Of problems some of which nobody can solve, the score is over the others.
        score = amount(parts.get("combined_accuracy") if parts else entry.get("score"))
        row = f"{path.parent.name}, {benchmark}"
        named = [whole(parts.get(f"{sort}_total")) for sort in ("solveable", "unsolveable")]
        tasks = [*sizes.get(benchmark, []), *([sum(n or 0 for n in named)] if any(named) else [])]
        if score is not None:
            yield Statement(
                file=name, row=row, what="score", stated=score, outcomes=outcomes,
                tasks=tasks,
            )  # fmt: skip
        cost = amount(entry.get("cost_per_instance"))
        if cost is not None:
            yield Statement(
                file=name, row=row, what="cost a run", stated=cost, digits=2, outcomes=outcomes,
                tasks=tasks,
            )  # fmt: skip


def _results_folder(path: Path) -> Path:
    """Where most entries stand; alternative agents have a folder of their own each."""
    for parent in path.parents:
        if (parent / "results").is_dir():
            return parent / "results"
    return path.parent.parent


@cache
def _count_tasks(folder: Path) -> dict[str, list[int]]:
    """By benchmark, of how many tasks at least three entries beside this one have rows."""
    sizes: dict[str, Counter[int]] = {}
    for path in folder.glob("*/instance_results/*.json"):
        sizes.setdefault(path.stem, Counter())[len(read_beside(path))] += 1
    return {
        name: sorted(size for size, many in counts.items() if many >= USUAL)
        for name, counts in sizes.items()
    }


def _swe_bench(path: Path, name: str) -> Iterator[Statement]:
    seen: set[tuple[str, float | None]] = set()
    for board in dicts_of(read_beside(path).get("leaderboards")):
        entries = dicts_of(board.get("results"))
        sizes = Counter(len(fields_of(entry.get("per_instance_details"))) for entry in entries)
        usual = [size for size, many in sizes.items() if size and many >= USUAL]
        for entry in entries:
            rows = fields_of(entry.get("per_instance_details"))
            key = str(entry.get("folder")), amount(entry.get("resolved"))
            if key in seen:
                continue
            seen.add(key)
            outcomes = [
                _outcome(task, fields_of(row), "resolved", "cost", "api_calls")
                for task, row in rows.items()
            ]
            row = f"{short_text(board.get('name'))}: {short_text(entry.get('name'))}"
            known = {
                "score": "resolved",
                "total cost": "cost",
                "cost a run": "instance_cost",
                "calls a run": "instance_calls",
            }
            for what, field in known.items():
                stated = amount(entry.get(field))
                if stated is not None and (rows or (usual and what == "score")):
                    digits = min(_digits(stated), 3)
                    yield Statement(
                        file=name, row=row, what=what, stated=stated, digits=digits,
                        outcomes=outcomes, tasks=() if rows else usual,
                    )  # fmt: skip


def _swe_effi(path: Path, name: str) -> Iterator[Statement]:
    stated = read_beside(path)
    rows = read_beside(path.with_name("combined_stats.json"))
    outcomes = [
        _outcome(task, fields_of(row), "resolved", "", "llm_calls") for task, row in rows.items()
    ]
    row = f"{path.parent.parent.name}, {path.parent.name}"
    known = {
        "runs": "total_projects",
        "solved runs": "resolved",
        "tokens": "total_tokens",
        "calls a run": "avg_llm_calls",
    }
    for what, field in known.items():
        found = amount(stated.get(field))
        if found is not None and outcomes:
            yield Statement(
                file=name, row=row, what=what, stated=found, digits=min(_digits(found), 2),
                outcomes=outcomes,
            )  # fmt: skip


def _terminal_bench(path: Path, name: str) -> Iterator[Statement]:
    document = read_beside(path)
    trials = dicts_of(document.get("results"))
    outcomes = [_outcome(str(trial.get("task_id")), trial, "is_resolved") for trial in trials]
    about = read_beside(path.with_name("run_metadata.json"))
    size = whole(about.get("dataset_size"))
    for where, given in ((name, document), (f"{name} (run_metadata.json)", about)):
        share = amount(given.get("accuracy"))
        if share is not None and outcomes:
            yield Statement(
                file=where, row=path.parent.name, what="score", stated=100 * share, digits=1,
                outcomes=outcomes, tasks=[size] if size else [],
            )  # fmt: skip
        for what, field in (("solved runs", "n_resolved"),):
            found = amount(given.get(field))
            if found is not None and outcomes:
                yield Statement(
                    file=where, row=path.parent.name, what=what, stated=found, digits=0,
                    outcomes=outcomes,
                )  # fmt: skip
