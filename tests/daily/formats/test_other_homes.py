"""Files as homes have them that no sample was made of: other tables, other names, fewer facts."""

import shutil
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.reports.topics.completeness import describe_completeness
from agentdyno.studies.completeness import study_completeness
from tests.intake.formats.conformance import ledger_counts, read_as
from tests.intake.formats.sqlite_files import rows_in, written_database

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.mark.parametrize("column", ["created", "aggregate_id"])
def test_every_opencode_session_is_read_where_events_lack_a_column(
    tmp_path: Path, column: str
) -> None:
    rows = rows_in(DATA / "opencode" / "second_version.jsonl")
    for item in rows:
        if item["table"] == "event":
            item["row"].pop(column)

    with written_database(tmp_path / "opencode.db", rows):
        runs, bad = read_as("opencode", tmp_path / "opencode.db")

    sessions = {item["row"]["id"] for item in rows if item["table"] == "session_v2"}
    assert {run.agent_id or run.session_id for run in runs} - {"upkeep"} == sessions
    assert not bad
    assert ("upkeep" in {run.agent_id for run in runs}) == (column == "created")


def test_copilot_responses_without_usage_records_have_the_times_of_their_events() -> None:
    runs, _ = read_as("copilot_cli", DATA / "copilot_cli" / "older" / "events.jsonl")

    turns = [turn for run in runs for turn in run.turns]
    assert all(turn.ended_at is not None for turn in turns)
    # The first prompt is of 10:00:01, its answer of 10:00:04; a tool ends at 10:00:04.300.
    assert [turn.latency_seconds for turn in turns][:2] == pytest.approx([3.0, 3.7])


def test_what_crush_states_and_list_prices_stand_beside_each_other(tmp_path: Path) -> None:
    measure([DATA / "crush"], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))

    agents = study_completeness(Ledger(tmp_path / "ledger"))

    assert agents[0].stated_usd == pytest.approx(0.05)
    assert 0 < agents[0].listed_usd < 0.01
    assert "Crush itself states $0.050 for what is $0.00" in " ".join(describe_completeness(agents))


def test_openclaw_sessions_saved_under_any_ending_are_read(tmp_path: Path) -> None:
    for ending in (".bak-2026-11-01", ".bak", ".reset.2026-11-02"):
        (folder := tmp_path / ending.strip(".")).mkdir()
        shutil.copy(DATA / "pi" / "openclaw.jsonl", folder / f"a.jsonl{ending}")
        assert ledger_counts([folder], folder).responses > 0


def test_kimi_counts_by_the_size_of_a_context_are_not_called_reported() -> None:
    session = DATA / "kimi" / "sessions" / "5f1a" / "3b8e6d2a-7777-4888-8999-aaaa22223333"
    runs, _ = read_as("kimi", session / "context_sub_1.jsonl")

    turns = [turn for turn in runs[0].turns if turn.prefill is not None]
    assert [turn.prefill.tokens for turn in turns if turn.prefill] == [700, 820]
    assert {turn.prefill.source for turn in turns if turn.prefill} == {"scaled"}


def test_a_home_is_measured_by_the_folders_that_agents_hide_in_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    codex, openclaw = home / ".codex" / "sessions", home / ".openclaw" / "agents" / "main"
    for folder, sample in (
        (codex, "codex/counts-behind-0.98.jsonl"),
        (openclaw, "pi/openclaw.jsonl"),
    ):
        folder.mkdir(parents=True)
        shutil.copy(DATA / sample, folder)

    measured = measure([home], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))

    assert measured.counts["read"] == 2
    formats = {agent.agent for agent in study_completeness(Ledger(tmp_path / "ledger"))}
    assert formats == {"codex", "openclaw"}
    # Sessions that lie open are measured alone: hidden folders beside them nobody named.
    (home / "one.jsonl").write_text((DATA / "codex" / "counts-first-0.47.jsonl").read_text())
    assert measure([home], tmp_path / "other", MeasureOptions(workers=1)).counts["read"] == 1
