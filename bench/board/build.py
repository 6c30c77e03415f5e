"""Makes `docs/board/` from public repositories: fetches, measures, compares, audits.

    python bench/board/build.py WORK [--mirrors FOLDER]

WORK gets a bare clone of one commit, the files and a ledger of each repository in `sources.toml`;
nothing of theirs goes into this repository. `--mirrors` holds bare clones that are there already,
as `owner+name` or `owner+name/repo`. What a mirror lacks is counted.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "board"
AGENTDYNO = [str(Path(sys.executable).with_name("agentdyno"))]


def main() -> None:
    """Everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--mirrors", type=Path)
    given = parser.parse_args()
    sources = tomllib.loads((HERE / "sources.toml").read_text())["source"]
    rows = [measure(source, given.work, given.mirrors) for source in sources]
    DOCS.mkdir(exist_ok=True)
    (DOCS / "sources.md").write_text(describe(sources, rows))
    audited = [s["name"] for s in sources if s.get("is_audited")]
    shown = [given.work / "ledgers" / s["name"] for s in sources if not s.get("off_board")]
    command = [*AGENTDYNO, "board", *map(str, shown)]
    for name in audited:
        command += ["--audit", str(given.work / "files" / name)]
    page = str(DOCS / "board.html")
    answer = subprocess.run([*command, "--out", page, "--json"], check=True, capture_output=True)
    (given.work / "board.json").write_bytes(answer.stdout)


def measure(source: dict[str, Any], work: Path, mirrors: Path | None) -> dict[str, Any]:
    """What `measure` said of a source, with the files that were missing, seconds and memory."""
    name, files = source["name"], work / "files" / source["name"]
    ledger, kept = work / "ledgers" / name, work / f"{name}.json"
    if kept.is_file():
        found: dict[str, Any] = json.loads(kept.read_text())
        return found
    missing = take_files(find_repository(source, work, mirrors), source, files)
    command = [*AGENTDYNO, "measure", str(files), "--out", str(ledger), "--json"]
    # Patterns and schedules need texts.
    command += [] if source.get("has_texts") else ["--costs-only"]
    for each in source.get("set", []):
        command += ["--set", each]
    start = time.monotonic()
    with subprocess.Popen([*command, "--workers", "1"], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        text = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(f"{name}: measure failed with {run.returncode}")
    answer = json.loads(text) | {
        "missing": missing,
        "wall_seconds": time.monotonic() - start,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
    }
    kept.write_text(json.dumps(answer))
    return answer


def find_repository(source: dict[str, Any], work: Path, mirrors: Path | None) -> Path:
    """A bare clone that is there, or a new one of the commit alone, which no branch need have."""
    name = source["repository"].replace("/", "+")
    for place in [mirrors / name / "repo", mirrors / name] if mirrors else []:
        if (place / "HEAD").is_file():
            return place
    target, commit = work / "clones" / name, source["commit"]
    git = ["git", "-C", str(target)]
    has_commit = [*git, "cat-file", "-e", commit]
    if subprocess.run(has_commit, capture_output=True).returncode:
        subprocess.run(["git", "init", "-q", "--bare", str(target)], check=True)
        url = f"https://github.com/{source['repository']}.git"
        subprocess.run([*git, "fetch", "-q", "--depth", "1", url, commit], check=True)
    return target


def take_files(repository: Path, source: dict[str, Any], target: Path) -> int:
    """Writes the files that the source names; returns how many the clone does not hold. For each of
    these the file beside it that `instead` names is written, where the source has one."""
    listed = _git(repository, "ls-tree", "-r", "-z", source["commit"]).decode()
    blobs = {}
    for line in filter(None, listed.split("\0")):
        about, _, path = line.partition("\t")
        _, kind, blob = about.split()
        if kind == "blob" and ".." not in path.split("/"):
            blobs[path] = blob
    wanted = [path for path in blobs if re.search(source["paths"], path)]
    missing = _write(repository, {path: blobs[path] for path in wanted}, target)
    if "instead" in source:
        others = [str(Path(path).with_name(source["instead"])) for path in missing]
        _write(repository, {path: blobs[path] for path in others if path in blobs}, target)
    return len(missing)


def _write(repository: Path, blobs: dict[str, str], target: Path) -> list[str]:
    """Writes files by their blobs; returns those that are not there."""
    missing = []
    with TemporaryFile() as asked:
        asked.write("".join(f"{blob}\n" for blob in blobs.values()).encode())
        asked.seek(0)
        command = ["git", "-C", str(repository), "cat-file", "--batch"]
        with subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            for path in blobs:
                head = run.stdout.readline().split()
                if head[1] != b"blob":
                    missing.append(path)
                    continue
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(run.stdout.read(int(head[2])))
                run.stdout.read(1)
    return missing


def _git(repository: Path, *words: str) -> bytes:
    command = ["git", "-C", str(repository), *words]
    return subprocess.run(command, check=True, capture_output=True).stdout


def describe(sources: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    """The tables of sources."""
    pairs = list(zip(sources, rows, strict=True))
    shown = [pair for pair in pairs if "off_board" not in pair[0]]
    other = [pair for pair in pairs if "off_board" in pair[0]]
    lines = [
        "# What was read",
        "",
        "Made by `python bench/board/build.py WORK`. A file that is missing is one that the",
        "fetched clone does not hold. Skipped files hold no runs (statements, tables of scores).",
        "Seconds and megabytes are those of `agentdyno measure`, one process.",
        "",
        *_table(shown),
    ]
    if other:
        lines += ["", "Read for `bench/board/predictors.py` and not on the board:", ""]
        lines += _table(other)
        lines += ["", *(f"- {s['repository']}: {s['off_board']}" for s, _ in other)]
    bad = [each for row in rows for each in row["not_read"] if each["state"] == "bad"]
    lines += ["", "Bad files, each with its reason:", ""]
    lines += [f"- `{each['source']}`: {each['reason']}" for each in bad] or ["- none"]
    return "\n".join(lines) + "\n"


def _table(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[str]:
    lines = [
        "| repository | commit | runs | turns | bad records | files read | skipped | empty "
        "| missing | CPU s | MB |",
        "|---|---|" + "---:|" * 9,
    ]
    for source, row in pairs:
        lines.append(
            f"| {source['repository']} | `{source['commit'][:10]}` | {row['trajectories']:,} | "
            f"{row['turns']:,} | {row['bad_records']} | {row['files_read']:,} | "
            f"{row['files_skipped']:,} | {row['files_empty']:,} | {row['missing']:,} | "
            f"{row['cpu_seconds']:.0f} | {row['megabytes']:.0f} |"
        )
    runs = sum(row["trajectories"] for _, row in pairs)
    seconds = sum(row["cpu_seconds"] for _, row in pairs)
    most = max(row["megabytes"] for _, row in pairs)
    lines.append(f"| **all** | | **{runs:,}** | | | | | | | **{seconds:.0f}** | **{most:.0f}** |")
    return lines


if __name__ == "__main__":
    main()
