"""Exports: tables, reports and training records."""

import asyncio
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.exports.formats import FORMATS, export_trajectories
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from tests.cli.run import Agentdyno
from tests.fake_secrets import FAKES

DATA = Path(__file__).parents[1] / "data"
COSTS = MeasureOptions(workers=1, costs_only=True)
SUFFIXES = {name: each.suffix or "" for name, each in FORMATS.items()}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions of three agents, sub-agents among them."""
    folder = tmp_path_factory.mktemp("exports") / "ledger"
    measure([DATA / "claude_code", DATA / "codex", DATA / "otel_genai"], folder, COSTS)
    return folder


def export(ledger: Path, name: str, folder: Path) -> Path:
    to = folder / f"{name}{SUFFIXES[name]}"
    found = export_trajectories(ledger, name, to)
    assert (found.trajectories, found.missing) == (Ledger(ledger).read("trajectories").height, {})
    return to


def sums(ledger: Path) -> dict[str, Any]:
    """What a ledger comes to, by trajectory and in all."""
    held = Ledger(ledger)
    turns = held.read("turns")
    rows = held.read("trajectories")
    tokens = turns.select(pl.col("context_tokens", "cached_tokens").sum()).row(0)
    tools = sorted(held.read("calls")["tool"].to_list())
    return {
        "trajectories": sorted(rows.select("turns", "calls").rows()),
        "responses": sorted(turns["response_id"].drop_nulls().to_list()),
        "sub-agents": rows["parent_id"].drop_nulls().len(),
        "tokens": tokens,
        "tools": tools,
    }


def test_otel_spans_come_to_what_they_were_exported_from(ledger: Path, tmp_path: Path) -> None:
    file = export(ledger, "otel", tmp_path)
    measure([file], tmp_path / "again", COSTS)
    assert sums(tmp_path / "again") == sums(ledger)
    assert Ledger(tmp_path / "again").read("bad_records").height == 0


def test_atif_comes_to_what_it_was_exported_from_and_names_the_files_of_sub_agents(
    ledger: Path, tmp_path: Path
) -> None:
    folder = export(ledger, "atif", tmp_path)
    documents = {path.name: json.loads(path.read_text()) for path in folder.iterdir()}
    measure([folder], tmp_path / "again", COSTS)
    found, expected = sums(tmp_path / "again"), sums(ledger)
    assert [found[key] for key in ("trajectories", "tokens", "tools")] == [
        expected[key] for key in ("trajectories", "tokens", "tools")
    ]
    results = [
        result
        for document in documents.values()
        for step in document["steps"]
        for result in step.get("observation", {}).get("results", [])
    ]
    named = [r["subagent_trajectory_ref"][0] for r in results if "subagent_trajectory_ref" in r]
    assert named
    assert {each["trajectory_path"] for each in named} <= documents.keys()


def test_atif_is_valid_to_harbor(ledger: Path, tmp_path: Path) -> None:
    harbor = pytest.importorskip("harbor.models.trajectories", reason="needs harbor, Python 3.12")
    for path in export(ledger, "atif", tmp_path).iterdir():
        harbor.Trajectory.model_validate_json(path.read_bytes())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_scout_reads_every_transcript_with_its_messages(ledger: Path, tmp_path: Path) -> None:
    scout = pytest.importorskip("inspect_scout", reason="needs inspect-scout")
    folder = export(ledger, "scout", tmp_path)

    async def read() -> dict[str, Any]:
        async with scout.transcripts_db(str(folder)) as found:
            content = scout.TranscriptContent(messages="all")
            return {
                info.transcript_id: await found.read(info, content) async for info in found.select()
            }

    transcripts = asyncio.run(read())
    rows = Ledger(ledger).read("trajectories")
    assert transcripts.keys() == set(rows["trajectory_id"])
    for name, turns, calls in rows.select("trajectory_id", "turns", "calls").iter_rows():
        held = transcripts[name]
        answers = [message for message in held.messages if message.role == "assistant"]
        assert len(answers) >= turns
        assert sum(len(answer.tool_calls or ()) for answer in answers) == calls
        assert held.message_count == len(held.messages)
        assert held.trust_content is False


def test_no_export_holds_a_secret(tmp_path: Path) -> None:
    texts = [text for text, _ in FAKES.values()]
    messages = [{"role": "user", "content": text} for text in texts]
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": texts[1]}}
    messages += [
        {"role": "assistant", "content": texts[0], "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": texts[2]},
        {"role": "assistant", "content": "done"},
    ]
    (tmp_path / "trace.json").write_text(json.dumps({"messages": messages}))
    measure([tmp_path / "trace.json"], tmp_path / "ledger", COSTS)
    for name in FORMATS:
        to = export(tmp_path / "ledger", name, tmp_path)
        files = [to] if to.is_file() else list(to.iterdir())
        written = "".join(
            pl.read_parquet(file).write_json() if file.suffix == ".parquet" else file.read_text()
            for file in files
        )
        assert [part for _, part in FAKES.values() if part in written] == [], name


def test_a_wrong_target_is_refused_before_anything_is_written(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    for name, to in (("atif", "full"), ("otel", "x.json"), ("nothing", "x.json")):
        with pytest.raises(InputError):
            export_trajectories(ledger, name, tmp_path / to)
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    agentdyno = Agentdyno(capsys, ledger)
    given = ("export", ledger, "--as", "otel")
    assert agentdyno.run(*given) == 2
    assert agentdyno.run(*given, "--to", tmp_path / "m.jsonl", "--json") == 0
    assert agentdyno.object()["trajectories"] == Ledger(ledger).read("trajectories").height
