"""Escape sequences, other control characters and marks that turn writing around, in every text of a
trace and in its name: none reaches a terminal, a page, a table or a document of ours as itself."""

import json
import os
import re
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from agentdyno.cli.report import By
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.exports.formats import FORMATS
from agentdyno.records.ledger import DERIVED, TABLES
from tests.cli.run import Agentdyno
from tests.conftest import ROOT

pytestmark = pytest.mark.daily

BAD = "\x1b[31m\x9b2J\r\x07\x7f\u202e\u2066=x"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""All but line feeds and tabs of C0, C1, and what turns the direction of writing."""
STRUCTURE = frozenset(
    {"type", "role", "timestamp", "subtype", "stop_reason", "service_tier", "method", "url"}
)
"""Fields whose words decide how a trace is read; every other text is poisoned."""
PARQUET = b"PAR1"


def _poison(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _poison(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_poison(inner, field) for inner in value]
    return value + BAD if isinstance(value, str) and field not in STRUCTURE else value


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """The invented week with bad characters in every text, and a file that cannot be read."""
    folder = tmp_path / f"week{BAD}"
    folder.mkdir()
    for path in sorted((ROOT / "examples" / "week").glob("*.jsonl")):
        lines = [json.dumps(_poison(json.loads(line))) for line in path.read_text().splitlines()]
        (folder / f"{path.stem}{BAD}.jsonl").write_text("\n".join([*lines, "{" + BAD, ""]))
    (folder / f"other{BAD}.jsonl").write_text(f'{{"messages": "{BAD}"}}\n{{{BAD}\n')
    return folder


@pytest.fixture
def ledger(agentdyno: Agentdyno, traces: Path) -> Path:
    assert agentdyno.measure(traces, "--keep-texts") == 0
    return agentdyno.ledger


def test_the_poisoned_week_is_read(ledger: Path) -> None:
    """Otherwise the tests below would look at nothing."""
    rows = Ledger(ledger).read("trajectories")
    assert rows["turns"].sum() == 30
    for column in ("title", "project", "branch"):  # Which are cleaned when they are read.
        assert any("[31m" in text for text in rows[column].drop_nulls()), column
    for column in ("model", "source", "trajectory_id"):
        assert any("\x1b[31m" in text for text in rows[column].drop_nulls()), column
    assert any("\x1b[31m" in tool for tool in Ledger(ledger).read("calls")["tool"])


def test_no_output_of_any_verb_has_one(
    agentdyno: Agentdyno, ledger: Path, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fixture looks at what each prints."""
    session = Ledger(ledger).read("trajectories")["session_id"][0]
    hook = BytesIO(json.dumps({"session_id": session}).encode())
    monkeypatch.setattr("sys.stdin", TextIOWrapper(hook))
    monkeypatch.setenv("HOME", str(traces))
    assert agentdyno.run("statusline", "--ledger", ledger) == 0
    assert "turns" in agentdyno.out
    verbs: list[tuple[object, ...]] = [
        ("measure", traces, "--out", ledger),
        ("report", ledger, "--format", "md"),
        *(("report", ledger, "--by", by.value) for by in By),
        ("report", ledger, "--by", "file", "--format", "md"),
        ("compare", ledger, ledger, "--gate", "pte<=+5%"),
        ("compare", ledger, ledger, "--gate", "usd<=+5%"),
        ("compare", ledger, ledger, "--setting-a", f"model={BAD}"),
        ("compare", ledger, ledger, "--gate", BAD),
        ("cache", ledger),
        ("classify", "--ledger", ledger),
        ("export", ledger, "--table", BAD, "--to", "a.csv"),
        ("export", ledger, "--as", BAD, "--to", "a.json"),
        ("doctor",),
        ("formats",),
        ("ledger", "verify", ledger),
        ("measure", traces / f"none{BAD}", "--out", ledger),
        (f"verb{BAD}",),
    ]
    for words in verbs:
        assert agentdyno.run(*words) in (0, 1, 2, 3), words
    for words in verbs:
        if words[0] in ("measure", "report", "compare", "cache", "findings", "doctor"):
            agentdyno.run(*words, "--json")
            assert agentdyno.out.isascii()
    # A program gets a name as it is; only its way through a terminal is made safe.
    assert agentdyno.run("report", ledger, "--json") == 0
    assert f"Read{BAD}" in {
        each["tool"] for each in agentdyno.object()["results"]["tools"]["tools"]
    }
    os.rename(traces, traces.with_name(f"moved{BAD}"))
    assert agentdyno.run("ledger", "verify", ledger) == 0


def test_no_file_that_is_written_has_one(
    agentdyno: Agentdyno, ledger: Path, tmp_path: Path
) -> None:
    """JSON has them as escapes; Parquet keeps every text as it is and is left out."""
    out = tmp_path / "out"
    out.mkdir()
    for name in ("report.html", "report.md", "report.json"):
        assert agentdyno.run("report", ledger, "-o", out / name) == 0
    assert agentdyno.run("report", ledger, "--share", "-o", out / "shared.html") == 0
    for table in (*TABLES, *DERIVED):
        assert agentdyno.run("export", ledger, "--table", table, "--to", out / f"{table}.csv") == 0
    for name, form in FORMATS.items():
        file = out / f"as-{name}{form.suffix or ''}"
        assert agentdyno.run("export", ledger, "--as", name, "--to", file) == 0
    assert agentdyno.run("classify", "--ledger", ledger, "-o", out / "labels.jsonl") in (0, 2)
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 30
    written = {path: path.read_bytes() for path in files}
    texts = {path: data.decode() for path, data in written.items() if data[:4] != PARQUET}
    assert {path.relative_to(out).as_posix(): found[0].encode("unicode_escape")
            for path, text in texts.items() if (found := HARMFUL.search(text))} == {}  # fmt: skip
    assert [str(path.relative_to(out)) for path in files if HARMFUL.search(path.name)] == []


def test_no_answer_of_the_page_s_server_has_one(ledger: Path) -> None:
    pytest.importorskip("starlette", reason="the extra view is not installed")
    from agentdyno.view.server import _as_json
    from agentdyno.view.session import describe_session
    from agentdyno.view.snapshot import Snapshot

    snapshot = Snapshot(ledger)
    for name in snapshot.ledger.read("trajectories")["trajectory_id"]:
        answer = _as_json(lambda: describe_session(snapshot, name))  # noqa: B023
        assert not HARMFUL.search(bytes(answer.body).decode())
