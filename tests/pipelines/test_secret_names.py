"""Secrets of every kind in texts, arguments, results and names of files and folders: none in any
byte of a ledger, and a file is the same file in the next run."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.cli.report import ReportFormat, render_report
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.sources import ReadableLedger
from tests.cli.run import Agentdyno
from tests.fake_secrets import FAKES
from tests.hostile.secret_kinds import ONLY_RANDOM, find_left, kinds
from tests.ledger.traces import chat

ONE = MeasureOptions(workers=1)
KINDS = kinds(300) | {f"fake {name}": kind for name, kind in FAKES.items()}
TABLES = {"csv in quotes", "tabs", "markdown column"}
"""Kinds whose lines cannot be told from their cells once both are underscores."""
LONGEST = 150
PEM, SECRET = FAKES["private-key"]
PEM_NAMES = [
    re.sub(sign, by, PEM) for sign, by in ((r"\\n| ", "_"), (r"\\n", "_"), (r"\\n| ", "-"))
]


def as_names(kind: str) -> Iterator[str]:
    """How a file or a folder is called after a text."""
    text = KINDS[kind][0]
    if kind not in ONLY_RANDOM and len(text.encode()) < LONGEST:
        yield text.replace("/", "_")
        if kind not in TABLES:
            yield re.sub(r"[\n/]", "_", text)
            yield re.sub(r"[\s/]", "_", text)


def plant(root: Path) -> int:
    """A conversation for each kind, and for each of its names a file and a folder; says how many
    names there are."""
    names = 0
    for number, (kind, (text, _)) in enumerate(KINDS.items()):
        talk = poison(chat(number, calls=2), text)
        (root / str(number)).mkdir(parents=True)
        write(root / str(number) / "talk.jsonl", talk)
        for shape, name in enumerate(dict.fromkeys(as_names(kind))):
            folder = root / str(number) / f"{shape} {name}"
            folder.mkdir()
            task = 10_000 + number * 10 + shape
            write(folder / f"{name}.jsonl", poison(chat(task), text))
            names += 1
    return names


def poison(talk: dict[str, Any], text: str) -> dict[str, Any]:
    messages = talk["messages"]
    messages[1]["content"] += f"\n{text}"
    messages[2]["tool_calls"][0]["function"]["arguments"] = json.dumps({"q": text})
    messages[3]["content"] = f"it says\n{text}"
    return talk


def write(path: Path, talk: dict[str, Any]) -> None:
    path.write_text(json.dumps(talk) + "\n")


def written(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file as it is; what is packed in Parquet is unpacked besides."""
    for path in folder.rglob("*"):
        yield f"name of {path}", str(path.relative_to(folder))
        if path.suffix == ".parquet":
            rows = pl.read_parquet(path).to_dicts()
            yield str(path), json.dumps(rows, default=str, ensure_ascii=False)
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace")
            yield str(path), text
            yield f"{path} unescaped", text.replace("\\/", "/").replace('\\"', '"')


@pytest.mark.slow
def test_no_kind_in_a_text_or_a_name_reaches_any_byte(agentdyno: Agentdyno, tmp_path: Path) -> None:
    traces, out = tmp_path / "traces", tmp_path / "out"
    out.mkdir()
    agentdyno.ledger = out / "ledger"
    names = plant(traces)
    assert names > 2 * (len(KINDS) - len(ONLY_RANDOM)) * 0.7
    said = {}
    for turn in range(2):
        assert agentdyno.measure(traces) == 0
        said[f"measure {turn}"] = agentdyno.out + agentdyno.err
    # A second run finds every file again.
    assert measure([traces], agentdyno.ledger, ONE).new_files == 0
    assert len(load(agentdyno.ledger).inputs) == names + len(KINDS)
    report = build_report(agentdyno.ledger, excerpts=True)
    said |= {f"report {form}": render_report(report, form) for form in ReportFormat}
    assert agentdyno.run("export", agentdyno.ledger, "--table", "trajectories", "--to",
                         out / "trajectories.csv") == 0  # fmt: skip
    assert agentdyno.run("ledger", "verify", agentdyno.ledger) == 0
    said["verify"] = agentdyno.out + agentdyno.err
    (traces / "0" / "talk.jsonl").unlink()
    assert agentdyno.measure(traces) == 0
    said["gone"] = agentdyno.out + agentdyno.err
    assert find_left(said | dict(written(out)), KINDS) == set()


@pytest.mark.parametrize("name", PEM_NAMES)
def test_a_file_whose_name_is_a_key_is_known_and_read_again(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "traces" / name
    folder.mkdir(parents=True)
    path = folder / f"{name}.jsonl"
    write(path, chat(1))
    ledger = tmp_path / "ledger"
    measure([tmp_path / "traces"], ledger, ONE)
    assert SECRET not in "".join(text for _, text in written(ledger))
    again = measure([tmp_path / "traces"], ledger, ONE)
    assert (again.new_files, again.read_again, again.gone) == (0, 0, [])
    assert len([*ReadableLedger(ledger).trajectories()]) == 1
    path.write_text(json.dumps(chat(2)) + "\n" + json.dumps(chat(3)) + "\n")
    assert measure([tmp_path / "traces"], ledger, ONE).read_again == 1
    assert set(Ledger(ledger).read("trajectories")["task_id"]) == {"2", "3"}
    path.unlink()
    write(tmp_path / "traces" / "other.jsonl", chat(4))
    assert len(measure([tmp_path / "traces"], ledger, ONE).gone) == 1


def test_names_that_were_kept_go_with_the_next_run_without_keeping(tmp_path: Path) -> None:
    folder = tmp_path / "traces" / PEM_NAMES[0]
    folder.mkdir(parents=True)
    write(folder / f"{PEM_NAMES[0]}.jsonl", chat(1))
    ledger = tmp_path / "ledger"
    measure([tmp_path / "traces"], ledger, MeasureOptions(workers=1, keep_secrets=True))
    assert SECRET in os.linesep.join(text for _, text in written(ledger))
    assert measure([tmp_path / "traces"], ledger, ONE).read_again == 1
    assert SECRET not in os.linesep.join(text for _, text in written(ledger))
    assert len(Ledger(ledger).read("trajectories")) == 1
