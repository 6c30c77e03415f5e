"""A removed tool is missed by the policy that needs it, on the tasks that need it, and by nobody
else: `worth` over HTTP."""

from pathlib import Path

import pytest

from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.zoo.play import play_ablation
from tests.zoo.server import serve

FIRST_TOOL = next(t.script[0].tool for t in order_evenly(load_suite().tasks) if t.script)
CASES = [
    ("tps", "honest", "news_*", True),
    ("tps", "avoids_news", "news_*", False),
    ("tps", "right_by_heart", "news_*", False),
    ("toolfail", "honest", FIRST_TOOL, True),
    ("toolfail", "good", FIRST_TOOL, True),
    ("toolfail", "lazy", FIRST_TOOL, False),
    ("tir", "honest", "python", True),
    ("tir", "right_by_heart", "python", False),
]
QUICK = CASES[3]


@pytest.mark.parametrize(
    ("benchmark", "policy", "removed", "loses"),
    [case if case == QUICK else pytest.param(*case, marks=pytest.mark.slow) for case in CASES],
)
def test_a_removed_tool_is_missed_by_whoever_needs_it(
    tmp_path: Path, benchmark: str, policy: str, removed: str, loses: bool
) -> None:
    with serve() as zoo:
        row = play_ablation(zoo, tmp_path, benchmark, policy, removed, 6, loses=loses)
    assert row.is_as_stated, row
    assert (row.stated["only with"] or 0) > 0 or not loses
