"""Two versions on the same traces: do they still say the same?

    python bench/golden.py OLD NEW [TRACES ...]

Takes the source trees of two versions (folders with src or packages inside) and paths of traces; by
default the bundled samples and every real trace under ../shared/data/traces. Each version measures,
with patterns and schedules and for costs only, and reports in processes of its own.
Compared: every ledger table that both have, row by row and number by number (1e-12, relative),
every figure of the reports' JSON. Prints every difference, and exits with
1 where there is one. A column, a table or an input that only the newer version reads is named
and is no difference. Where the JSON was laid out anew, figures are looked for by their own name and
value instead of by their whole place.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

ROOT = Path(__file__).resolve().parents[1]
REAL = ROOT.parent / "shared" / "data" / "traces"
CLOSE = 1e-12
KEYS = {
    "trajectories": ["trajectory_id"],
    "turns": ["trajectory_id", "turn"],
    "calls": ["trajectory_id", "turn", "call"],
    "parts": ["trajectory_id", "part"],
    "bad_records": ["source", "place", "expected", "found"],
}
"""What orders the rows of a table; tables that come later are ordered by all they have."""
LATER = ("patterns", "scheduling", "dependencies", "planning", "placements")


def main(old: Path, new: Path, traces: list[Path]) -> int:
    with tempfile.TemporaryDirectory() as work:
        folders = [Path(work) / name for name in ("old", "new")]
        for tree, folder in zip((old, new), folders, strict=True):
            run_version(tree, folder, traces)
        differences = [*differing_tables(*folders), *differing_figures(*folders)]
        same = all(not line.startswith("!") for line in differences)
        print("\n".join(differences))
        print("the same" if same else "NOT the same")
        return 0 if same else 1


def run_version(tree: Path, folder: Path, traces: list[Path]) -> None:
    """Ledgers and reports of one version, a ledger for each of the paths."""
    folder.mkdir()
    for number, path in enumerate(traces):
        ledger = folder / f"ledger{number}"
        agentdyno(tree, "measure", str(path), "--out", str(ledger), "--json")
        costs = folder / f"ledger{number}-costs"
        agentdyno(tree, "measure", str(path), "--out", str(costs), "--json", "--costs-only")
        text = agentdyno(tree, "report", str(ledger), "--format", "json")
        (folder / f"report{number}.json").write_text(text)


def agentdyno(tree: Path, *arguments: str) -> str:
    """What a verb of that version prints."""
    # In older versions hashes decided which of two equally good values an edge names.
    env = {**os.environ, "PYTHONPATH": sources_of(tree), "PYTHONHASHSEED": "0"}
    code = "from agentdyno.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        sys.exit(f"{tree}: agentdyno {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def differing_tables(old: Path, new: Path) -> Iterator[str]:
    """Lines on the ledgers; those that begin with ! are differences."""
    for first in sorted(old.glob("ledger*")):
        second, rows = new / first.name, 0
        for table in (*KEYS, *LATER):
            before, after = table_of(first, table), table_of(second, table)
            if before is None:
                continue
            rows += len(before)
            if after is not None:
                after = of_known_inputs(after, first)
            if after is None:
                yield f"! {first.name} {table}: gone"
            else:
                yield from differing_rows(f"{first.name} {table}", before, after, KEYS.get(table))
        yield f"{first.name}: {rows:,} rows compared"


def table_of(ledger: Path, table: str) -> pl.DataFrame | None:
    """The files that the manifest names: a volume's, or those added later."""
    manifest = json.loads((ledger / "manifest.json").read_text())
    if table in KEYS:
        files = [f for v in manifest["volumes"] for f in sorted((ledger / table).glob(f"{v}*"))]
    else:
        files = [ledger / table / entry["file"] for entry in manifest["derived"].get(table, [])]
    return pl.concat([pl.read_parquet(f) for f in files], how="diagonal") if files else None


def of_known_inputs(rows: pl.DataFrame, old: Path) -> pl.DataFrame:
    """Rows of inputs that the older version reads as well."""
    known = list(json.loads((old / "manifest.json").read_text())["inputs"])
    if "source" in rows.columns:
        return rows.filter(pl.col("source").is_in(known))
    source = pl.col("trajectory_id").str.replace(r"#[^#]*$", "")
    return rows.filter(source.is_in(known))


def differing_rows(
    what: str, before: pl.DataFrame, after: pl.DataFrame, keys: list[str] | None
) -> Iterator[str]:
    """Lines on one table."""
    if added := [c for c in after.columns if c not in before.columns]:
        yield f"{what}: new columns {', '.join(added)}"
    if gone := [c for c in before.columns if c not in after.columns]:
        yield f"! {what}: columns gone: {', '.join(gone)}"
    shared = [c for c in before.columns if c in after.columns]
    before, after = (f.select(shared).sort(keys or shared) for f in (before, after))
    if len(before) != len(after):
        yield f"! {what}: {len(before):,} rows before, {len(after):,} after"
        yield from _moved_rows(what, before, after, shared)
        return
    for column in shared:
        wrong = [
            (a, b) for a, b in zip(before[column], after[column], strict=True) if not is_same(a, b)
        ]
        if wrong:
            a, b = wrong[0]
            yield f"! {what}.{column}: {len(wrong):,} of {len(before):,} differ, as {a!r} and {b!r}"


def _moved_rows(
    what: str, before: pl.DataFrame, after: pl.DataFrame, shared: list[str]
) -> Iterator[str]:
    """How many rows of each sort came or went, where the table says of which sort they are."""
    sort = next((c for c in ("pattern", "edge_source", "kind", "format") if c in shared), None)
    if sort is not None:
        counts = Counter(after[sort].to_list())
        counts.subtract(before[sort].to_list())
        yield f"  {what}: {', '.join(f'{k} {n:+}' for k, n in counts.items() if n)}"


def differing_figures(old: Path, new: Path) -> Iterator[str]:
    """Lines on reports."""
    for first in sorted(old.glob("*.json")):
        before, after = (leaves(json.loads((f / first.name).read_text())) for f in (old, new))
        shared = before.keys() & after.keys()
        if len(shared) < len(before) / 2:
            yield from _by_name(first.name, before, after)
            continue
        yield f"{first.name}: {len(shared):,} of {len(before):,} figures compared"
        wrong = [p for p in sorted(shared) if not is_same(before[p], after[p]) and _counts(p)]
        for path in wrong[:40]:
            yield f"! {first.name} {path}: {before[path]!r} before, {after[path]!r} after"
        if len(wrong) > 40:
            yield f"! {first.name}: {len(wrong) - 40:,} more"


def _by_name(what: str, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Numbers that are no longer there under their name."""
    held, lost, found = _named(after), Counter[str](), 0
    for name, values in _named(before).items():
        for value in values:
            if any(is_same(value, other) for other in held.get(name, ())):
                found += 1
            else:
                lost[name] += 1
    total = found + lost.total()
    yield f"{what}: laid out anew; {found:,} of {total:,} numbers found under their name"
    yield from (f"! {what} {name}: {count:,} not found" for name, count in lost.most_common())


def _named(figures: dict[str, Any]) -> dict[str, set[float]]:
    named: dict[str, set[float]] = {}
    for path, value in figures.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            named.setdefault(re.sub(r"\[\d+\]", "", path).rpartition(".")[2], set()).add(value)
    return named


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Every number, text and truth by its place."""
    if isinstance(value, dict):
        return {k: v for key in value for k, v in leaves(value[key], f"{path}.{key}").items()}
    if isinstance(value, list):
        pairs = enumerate(value)
        return {k: v for i, each in pairs for k, v in leaves(each, f"{path}[{i}]").items()}
    return {path: value}


def _counts(path: str) -> bool:
    # Where it is, which differs by design, and what its names mean, which is no figure.
    return not path.endswith((".ledger", ".report_version"))


def sources_of(tree: Path) -> str:
    """Where a version's packages are; older ones have only one."""
    found = sorted(tree.resolve().glob("packages/*/src")) or [tree.resolve() / "src"]
    return os.pathsep.join(str(folder) for folder in found)


def is_same(a: Any, b: Any) -> bool:
    """Equal; numbers to 1e-12 of the larger."""
    if isinstance(a, float) and isinstance(b, float | int):
        return math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) or (a != a and b != b)
    return bool(a == b)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    given = [Path(path) for path in sys.argv[3:]]
    samples = ROOT / "packages/agentdyno/src/agentdyno/samples"
    default = [samples, *([REAL] if REAL.is_dir() else [])]
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), given or default))
