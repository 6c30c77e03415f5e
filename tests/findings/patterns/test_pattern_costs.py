"""What findings bear, what the samples show, and that no trajectory breaks a detector."""

import re
from functools import lru_cache
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentdyno
from agentdyno.findings.patterns import DETECTORS, Detector, find_patterns
from agentdyno.findings.patterns.published import PUBLISHED, detect_format_collapse
from agentdyno.findings.patterns.table import SCHEMA, measure_patterns
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.records import Trajectory
from agentdyno.records.patterns import PATTERNS
from agentdyno_bench.pte.patterns.multipliers import multipliers
from tests.findings.patterns.trajectories import PYTHON, Call, Turn, trajectory

FAILS = Call("Read", {"file_path": "/a.py"}, "File does not exist.", "File does not exist.")


def test_a_finding_bears_the_share_of_its_call() -> None:
    given = trajectory("?", Turn("Reading."), Turn("", [FAILS]), Turn("Done."))
    calls = pl.DataFrame(
        {"trajectory_id": ["t", "t"], "turn": [0, 1], "call": [0, 0], "pte": [700.0, 600.0]}
    )
    found = measure_patterns([given], calls)
    assert found.columns == [column.name for column in PATTERNS]
    assert found.select("trajectory_id", "pattern", "turn", "call", "pte").rows() == [
        ("t", "lack_of_tool_priors", 1, 0, 600.0)
    ]


def test_a_finding_without_a_call_bears_nothing() -> None:
    given = trajectory(
        "?", Turn("", [Call("web_search", {}, "x")]), Turn("", [Call("python", {}, "y")])
    )
    calls = pl.DataFrame(
        {"trajectory_id": ["t", "t"], "turn": [0, 1], "call": [0, 0], "pte": [70.0, 60.0]}
    )
    found = measure_patterns([given], calls, detectors=PUBLISHED)
    got = found.select("pattern", "call", "pte").rows()
    assert got == [("tool_mixing", None, None)]


def test_no_findings_make_an_empty_table_with_every_column() -> None:
    none = pl.DataFrame(
        schema={"trajectory_id": pl.String, "turn": pl.Int64, "call": pl.Int64, "pte": pl.Float64}
    )
    assert measure_patterns([], none).schema == pl.Schema(SCHEMA)


def _trajectories(*rows: tuple[str, str, float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        [(i, "m", "b", None, task, pte) for i, task, pte in rows],
        schema=["trajectory_id", "model", "benchmark", "variant", "task_id", "pte"],
        orient="row",
    )


def _findings(*rows: tuple[str, int, int | None, float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        [(i, "confirmatory", turn, call, "e", "d", pte) for i, turn, call, pte in rows],
        schema=SCHEMA,
        orient="row",
    )


def test_multiplier_is_the_ratio_of_means_inside_a_setting() -> None:
    rows = _trajectories(("a", "1", 300.0), ("b", "2", 500.0), ("c", "3", 100.0), ("d", "4", 300.0))
    [one] = multipliers(_findings(("a", 0, 0, 20.0), ("a", 1, 0, 30.0), ("b", 0, 0, 5.0)), rows)
    # (300 + 500) / 2 = 400 with, (100 + 300) / 2 = 200 without.
    assert one.multiplier.value == pytest.approx(2.0)
    assert one.multiplier.low < 2.0 < one.multiplier.high
    assert one.frequency.value == pytest.approx(0.5)


def test_trajectories_without_a_cost_are_left_out() -> None:
    rows = _trajectories(("a", "1", 300.0), ("b", "2", None), ("c", "3", 100.0))
    [one] = multipliers(_findings(("a", 0, 0, 1.0), ("b", 0, 0, 1.0)), rows)
    assert (one.frequency.value, one.multiplier.value) == (0.5, pytest.approx(3.0))


_PIECES = st.sampled_from(
    ["```python\n", "<tool_call>{", '{"name": "python", "arguments": {}}', "3,400", "\\boxed{",
     "the answer is ", "\x1b[31m", "\ud800", "Traceback", "stdout:", "\n", "[", "}", "\x00", "é"]
)  # fmt: skip
_TEXT = st.lists(st.one_of(_PIECES, st.text(max_size=30)), max_size=6).map("".join)
_LONG = st.builds(lambda text, n: text * n, _TEXT, st.sampled_from([1, 1, 1, 400]))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
_CALL = st.builds(
    Call,
    tool=st.sampled_from(["python", "web_search", "bash", "get_x", "", "\ud800"]) | _TEXT,
    arguments=st.one_of(_TEXT, _JSON, st.builds(lambda code: {"code": code}, _TEXT)),
    result=st.none() | _LONG,
    error=st.none() | _TEXT,
    executed=st.booleans(),
)
_TURN = st.builds(Turn, text=_TEXT, calls=st.lists(_CALL, max_size=3), reasoning=st.none() | _TEXT)
_SCHEMAS = st.lists(
    st.just(PYTHON) | st.builds(lambda p: {"name": "get_x", "parameters": p}, _JSON), max_size=2
)


@given(st.lists(_TEXT | _TURN, max_size=8), _SCHEMAS)
def test_no_trajectory_breaks_a_detector(events: list[str | Turn], tools: list[dict]) -> None:
    built: Trajectory = trajectory(*events, tools=tools)
    sizes = [sum(call.turn == turn for call in built.calls) for turn in range(len(built.turns))]
    for finding in find_patterns(built):
        assert 0 <= finding.turn < len(built.turns)
        assert finding.call is None or finding.call < sizes[finding.turn]
        assert finding.evidence.isprintable()
        assert len(finding.evidence) <= 200
        assert finding.detail.isprintable()


SAMPLES = Path(agentdyno.__file__).parent / "samples"

EVIDENCE: dict[str, tuple[int, int | None, str]] = {
    "lack_of_tool_priors": (0, 0, "pieces"),
    "format_collapse": (0, 0, '{"script"'),
}


ALL = (*DETECTORS, Detector("format_collapse", 1, detect_format_collapse))


@lru_cache(maxsize=1)
def _sample_trajectories() -> dict[str, Trajectory]:
    formats = load_formats()
    return {
        item.trajectory_id: item
        for file in discover([SAMPLES], formats)
        if isinstance(file, Found)
        for source in pieces_of(file)
        for item in formats[file.format].read(source)
        if isinstance(item, Trajectory)
    }


@lru_cache(maxsize=1)
def _pairs() -> dict[str, tuple[str, str]]:
    """The table of the samples' README."""
    row = re.compile(r"\| `(\w+)` \| `(samples/[^`]+)` \| `(samples/[^`]+)` \|")
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    return {match[1]: (match[2], match[3]) for match in row.finditer(text)}


def test_the_readme_lists_pairs_that_are_checked_here_and_patterns_that_are_looked_for() -> None:
    assert set(_pairs()) == set(EVIDENCE)
    assert set(EVIDENCE) <= {detector.name for detector in ALL}


@pytest.mark.parametrize("pattern", tuple(EVIDENCE))
def test_pattern_is_found_with_its_evidence(pattern: str) -> None:
    shown = _sample_trajectories()[_pairs()[pattern][0]]
    first = next(f for f in find_patterns(shown, detectors=ALL) if f.pattern == pattern)
    turn, call, quoted = EVIDENCE[pattern]
    assert (first.turn, first.call) == (turn, call)
    assert quoted in first.evidence


@pytest.mark.parametrize("pattern", tuple(EVIDENCE))
def test_clean_twin_shows_no_pattern_at_all(pattern: str) -> None:
    shown, clean = (_sample_trajectories()[name] for name in _pairs()[pattern])
    assert clean.task_id == shown.task_id
    assert find_patterns(clean, detectors=ALL) == []
