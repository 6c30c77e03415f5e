"""Whatever a trace holds: no detector raises, evidence is printable and short."""

from hypothesis import given
from hypothesis import strategies as st

from agentdyno.findings.patterns import find_patterns
from agentdyno.records import Trajectory
from tests.metrics.patterns.trajectories import PYTHON, Call, Turn, trajectory

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
