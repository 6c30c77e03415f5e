"""Which sums are levers, the three sentences, and what a ledger of real sample traces says."""

from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records.precision import load_measured
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno_daily.levers.settings import list_edits
from tests.pipelines.ledger_builder import LedgerRows


def _levers(folder: Path) -> dict[str, Lever]:
    return {lever.name: lever for lever in find_levers(ReportContext(ReadableLedger(folder)))}


def _sentences(report: Report) -> dict[str, str]:
    [glance] = [topic for topic in report.topics if topic.anchor == "glance"]
    return {term.name: term.text for term in glance.terms}


HAIKU, SONNET, OPUS = (f"claude-{name}-4-5" for name in ("haiku", "sonnet", "opus"))


def _agents(models: tuple[str, ...], sessions: int = 8) -> LedgerRows:
    """Sessions of Claude Code, each with a sub-agent on every model: 1,000 tokens in, 100 out."""
    rows = LedgerRows()
    for number in range(sessions):
        main = f"s{number}"
        rows.trajectory(main, usd=0.01, format="claude_code").turn(main, 0, usd=0.01)
        for model in models:
            name = f"{main}{model}"
            usd = {HAIKU: 1e-6, SONNET: 3e-6, OPUS: 5e-6}[model] * 1_500
            rows.trajectory(name, usd=usd, model=model, parent_id=main, format="claude_code")
            rows.turn(name, 0, usd=usd, model=model, context_tokens=1_000, decode_tokens=100)
    return rows


def test_a_model_for_sub_agents_is_priced_on_all_that_the_setting_moves(tmp_path: Path) -> None:
    """Four on Haiku go up by 4 * 1,500 * $2 a million, more than the one on Opus goes down by."""
    alone = _levers(_agents((OPUS,)).write(tmp_path / "opus", "usd"))["subagent_model"]
    assert alone.amount == pytest.approx(8 * 1_500 * 2e-6)
    assert (alone.agent, alone.scope, alone.rows) == ("claude_code", "user", 8)
    assert [edit.value for edit in alone.edits] == [SONNET]
    rows = _agents((OPUS, HAIKU))
    for number in range(8):
        for more in range(3):
            name = f"more{number}{more}"
            rows.trajectory(name, usd=0.0015, model=HAIKU, parent_id=f"s{number}",
                            format="claude_code")  # fmt: skip
            rows.turn(name, 0, usd=0.0015, model=HAIKU, context_tokens=1_000, decode_tokens=100)
    assert "subagent_model" not in _levers(rows.write(tmp_path / "both", "usd"))


def _offer(usd: list[float], at: float = 1.7e9, agent: str = "claude_code") -> LedgerRows:
    """Sessions whose schemas of an unused server cost so much."""
    rows = LedgerRows()
    for number, cost in enumerate(usd):
        name = f"{agent}{number}"
        rows.trajectory(name, usd=1.0, format=agent).turn(name, 0, usd=1.0, ended_at=at)
        if cost:
            rows.part(name, "schema", 1.0, name="mcp__linear__get_issue", usd=cost, enters=0)
    return rows


@pytest.mark.parametrize(
    ("usd", "expected"),
    [
        ([0.1] * 4, (0.4, 0.4, 0.4)),
        ([0.1] * 3, None),  # Three sessions are too few.
        ([2.0, *[0.0] * 19], None),
        # Of 20 sessions four bring it all: .95 ** 20 of the draws have none of any one of them.
        ([0.5] * 4 + [0.0] * 16, (2.0, 0.5, 4.0)),
    ],
    ids=["four alike", "three", "one of twenty", "four of twenty"],
)
def test_a_lever_has_an_interval_by_whole_sessions(
    tmp_path: Path, usd: list[float], expected: tuple[float, float, float] | None
) -> None:
    found = _levers(_offer(usd).write(tmp_path / "l", "usd")).get("unused_server:linear")
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert (found.amount, found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize(("days", "is_shown"), [(29, True), (31, False)])
def test_an_agent_that_was_last_used_a_month_ago_has_no_lever(
    tmp_path: Path, days: int, is_shown: bool
) -> None:
    rows = _offer([0.1] * 6, 1.7e9, "codex")
    rows.trajectory("new", usd=1.0, format="claude_code")
    rows.turn("new", 0, usd=1.0, ended_at=1.7e9 + days * 86_400.0)
    assert ("unused_server:linear" in _levers(rows.write(tmp_path / "l", "usd"))) is is_shown


def test_the_sentences_say_what_the_data_cannot(tmp_path: Path) -> None:
    told = _sentences(build_report(LedgerRows().trajectory("a", None).write(tmp_path / "l")))
    cost = "The cost of 1 trajectory is unknown under the evicted cache assumption."
    assert told["What it costs"] == cost
    assert "cannot be said" in told["Where it goes"]
    assert "cannot be said" in told["What to change"]


def test_ungraded_trajectories_have_no_cost_per_solved_task(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0).part("a", "user", 100.0)
    told = _sentences(build_report(rows.write(tmp_path / "l")))
    assert told["What it costs"] == "1 trajectory cost 100 PTE."
    assert told["Where it goes"] == "100 % went to user messages; there are no tools."
    assert told["What to change"].startswith("The data show no single change")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return folder


@pytest.fixture(scope="module")
def samples(ledger: Path) -> Report:
    return build_report(ledger)


def test_exact_changes_are_named_for_every_agent() -> None:
    edits = list_edits("server off", "linear", ["claude_code", "codex", "pi"])
    assert [edit.describe() for edit in edits] == [
        'in ~/.claude/settings.json add ["linear"] to disabledMcpjsonServers',
        "in ~/.codex/config.toml set mcp_servers.linear.enabled to false",
    ]


def test_kinds_of_every_sample_setting_sum_to_its_whole(samples: Report) -> None:
    totals: dict[object, float] = {}
    for row in samples.results["fuel"].kinds:
        totals[row.setting] = totals.get(row.setting, 0.0) + (row.share or 0.0)
    priced = [s for s in samples.results["glance"].summary.settings if s.usd_mean is not None]
    assert list(totals.values()) == [pytest.approx(1.0)] * len(priced)


def test_patterns_are_looked_for_when_nobody_has(samples: Report) -> None:
    found = samples.results["patterns"].patterns
    names = {rate.pattern for rate in found.rates}
    assert names == {"lack_of_tool_priors"}
    assert found.unproven == {}
    assert found.unread == 0
    notes = next(t.notes for t in samples.topics if t.anchor == "patterns")
    read = load_measured()["lack_of_tool_priors"]
    name = "failed calls: wrong path or option, mismatched edit"
    said = f"{name}: {read.right} of {read.read} real findings were right"
    assert any(said in note for note in notes)
