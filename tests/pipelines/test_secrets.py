"""Fake keys of many kinds in every field of every format: none in anything that is written."""

import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.cli.report import ReportFormat, render_report
from agentdyno.intake.format import load_formats
from agentdyno.intake.formats.inspect_ai.archive import Archive
from agentdyno.intake.source import Source
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES
from tests.cli.run import Agentdyno
from tests.fake_secrets import FAKES
from tests.labelled import mostly_slow, read_table
from tests.ledger.traces import chat, tables

DATA = Path(__file__).parents[1] / "data"
STRUCTURE = {
    "role", "type", "event", "kind", "source", "schema_version", "object", "status", "traceId",
    "spanId", "parentSpanId", "startTimeUnixNano", "endTimeUnixNano", "key", "timestamp", "uuid",
    "parentUuid", "start_time", "end_time", "trace_id", "span_id", "parent_id", "requestor",
}  # fmt: skip
"""Fields without which there is no record: a key in one of them hides what stands in the others."""
ROUNDS = ((1.0, True), (1.0, False), (0.4, False), (0.1, False))
"""Which share of the fields gets a key, and whether those of the structure do."""


FILES = read_table("pipelines/secrets_files")
OF_SEVERAL_FILES = {
    "aider", "cline", "continue", "crush", "kimi", "mcpmark",
    "trae_agent", "kiro",
}  # fmt: skip
"""Formats whose sessions need their folder; their texts pass through the same builder."""


@pytest.mark.daily
def test_every_format_is_tried() -> None:
    assert FILES.keys() | OF_SEVERAL_FILES == load_formats().keys()


class Poisoner:
    """Puts a key behind every text it meets, or behind some of them."""

    def __init__(self, share: float, structure: bool, seed: int) -> None:
        self._rng, self._share, self._structure = random.Random(seed), share, structure
        self._fakes = [fake for fake, _ in FAKES.values()]

    def value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: item if key in STRUCTURE and not self._structure else self.value(item)
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, str) and self._rng.random() < self._share:
            return f"{value} {self._rng.choice(self._fakes)}"
        return value

    def text(self, text: str) -> str:
        try:
            return json.dumps(self.value(json.loads(text)))
        except ValueError:
            lines = [line for line in text.splitlines() if line.strip()]
            return "\n".join(json.dumps(self.value(json.loads(line))) for line in lines)

    def file(self, source: Path, target: Path) -> Path:
        if source.suffix != ".eval":
            target.write_text(self.text(source.read_text()))
            return target
        with source.open("rb") as file, zipfile.ZipFile(target, "w") as new:
            old = Archive(Source(source, source.name), file)
            for name in old.members:
                new.writestr(name, self.text(old.read(name).decode()))
        return target


def _written(folder: Path) -> Iterator[tuple[Path, str]]:
    """Everything under the folder as text; what is packed in Parquet is unpacked first."""
    for path in folder.rglob("*"):
        if path.suffix == ".parquet":
            yield path, json.dumps(pl.read_parquet(path).to_dicts(), default=str)
        if path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


def _assert_no_secret(folder: Path) -> None:
    for path, text in _written(folder):
        for kind, (_, inner) in FAKES.items():
            assert inner not in text, f"{kind} in {path.relative_to(folder)}"


QUICK = ("openai_chat", "inspect_ai", "otel_genai", "claude_code")
"""One object a line, an archive, nested spans, and a session of lines that lead to each other."""
REPORTED = ("openai_chat", "claude_code", "otel_genai")
"""Formats whose findings and reports are looked at too; those know no format."""


@pytest.mark.parametrize("format", mostly_slow(FILES, QUICK))
def test_no_key_in_any_field_reaches_an_output(
    agentdyno: Agentdyno, tmp_path: Path, format: str
) -> None:
    out, source = tmp_path / "out", DATA / FILES[format]
    out.mkdir()
    read = replaced = 0
    for turn, (share, structure) in enumerate(ROUNDS):
        poisoned = Poisoner(share, structure, turn).file(
            source, tmp_path / f"{turn}{source.suffix}"
        )
        ledger = out / f"ledger{turn}"
        try:
            options = MeasureOptions(workers=1, format=format, costs_only=format not in REPORTED)
            measured = measure([poisoned], ledger, options)
        except InputError as error:
            (out / f"error{turn}").write_text(str(error))
            continue
        rows = len(Ledger(ledger).read("trajectories"))
        read += rows
        replaced += sum(measured.secrets.values())
        if rows and read == rows and format in REPORTED:  # One round's reports: they take long.
            report = build_report(ledger)
            for form in ReportFormat:
                (out / f"report.{form}").write_text(render_report(report, form))
            assert agentdyno.run("measure", poisoned, "--out", ledger, "--format", format) == 0
            (out / "said").write_text(agentdyno.out + agentdyno.err)
    assert min(read, replaced) > 0, "no round left anything to read"
    _assert_no_secret(out)


def test_a_judge_is_shown_marks_and_a_count_is_not_changed_by_them(tmp_path: Path) -> None:
    fake, inner = FAKES["github-token"]
    talk = chat(1, usage=False)
    talk["messages"][1]["content"] = f"clone it with {fake}"
    talk["messages"][2]["tool_calls"][0]["function"]["arguments"] = json.dumps({"q": fake})
    (tmp_path / "a.jsonl").write_text(json.dumps(talk) + "\n" + json.dumps(chat(2)) + "\n")
    ledger = tmp_path / "ledger"
    measure([tmp_path / "a.jsonl"], ledger, MeasureOptions(workers=1))
    first, second = ReadableLedger(ledger).trajectories()
    assert inner not in repr(first)
    assert "[secret: github-token" in first.parts[3].text + first.calls[0].arguments
    assert "secret" not in repr(second)
    # Tokens are counted before: a mark is shorter than what it stands for.
    kept = tmp_path / "kept"
    measure([tmp_path / "a.jsonl"], kept, MeasureOptions(workers=1, keep_secrets=True))
    assert tables(ledger)["turns"].equals(tables(kept)["turns"])
    assert inner in repr(next(iter(ReadableLedger(kept).trajectories())))


def test_kept_secrets_are_kept_and_asking_otherwise_reads_again(tmp_path: Path) -> None:
    fake, inner = FAKES["stripe-key"]
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(chat(1, variant=f"lean {fake}")) + "\n")
    ledger = tmp_path / "ledger"
    kept = measure([path], ledger, MeasureOptions(workers=1, keep_secrets=True))
    assert kept.secrets == {}
    assert inner in json.dumps(Ledger(ledger).read("trajectories").to_dicts())
    cleaned = measure([path], ledger, MeasureOptions(workers=1))
    assert (cleaned.read_again, cleaned.secrets) == (1, {"stripe-key": 1})
    _assert_no_secret(ledger)


def test_the_bundled_samples_hold_none(tmp_path: Path) -> None:
    measured = measure([sample_traces()], tmp_path / "ledger", MeasureOptions(workers=1))
    assert measured.secrets == {}
    assert set(TABLES) <= {p.name for p in (tmp_path / "ledger").iterdir()}
