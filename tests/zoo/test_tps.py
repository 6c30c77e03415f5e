"""Every policy for planning tasks is scored as it was built, through the command over HTTP."""

from pathlib import Path

from tests.zoo.play import play_dealt_tps, play_tps
from tests.zoo.server import serve
from tests.zoo.tps import POLICIES


def test_dealt_policies_are_scored_as_stated_task_by_task(tmp_path: Path) -> None:
    with serve() as zoo:
        rows = play_dealt_tps(zoo, tmp_path, "easy", len(POLICIES))
    assert [row for row in rows if not row.is_as_stated] == []
    assert len(rows) == len(POLICIES) >= 25


def test_only_calls_that_ran_earn_or_harm(tmp_path: Path) -> None:
    unrun = ["right_by_heart", "unoffered_tool", "malformed_calls", "refused_arguments"]
    harmless = ["harmful_but_refused", "harmful_but_malformed"]
    with serve() as zoo:
        rows = play_tps(zoo, tmp_path, [*unrun, *harmless, "harmful", "good"], "easy", 2)
    assert [row for row in rows if not row.is_as_stated] == []
    scored = {row.policy: row.scored for row in rows}
    assert {scored[name]["completion"] for name in unrun} == {0}
    assert {scored[name]["calls"] for name in unrun} == {0}
    assert {scored[name]["harmful"] for name in harmless} == {0}
    assert {scored[name]["all_done"] for name in (*harmless, "good")} == {1}
    assert (scored["harmful"]["harmful"], scored["harmful"]["all_done"]) == (1, 0)
