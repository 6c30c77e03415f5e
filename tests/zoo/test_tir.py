"""Every policy for questions with tools is scored as it was built, by the command over HTTP."""

from pathlib import Path

from tests.zoo.play import play_dealt_tir
from tests.zoo.server import serve
from tests.zoo.tir import POLICIES


def test_dealt_policies_are_scored_as_stated_question_by_question(tmp_path: Path) -> None:
    with serve() as zoo:
        rows = play_dealt_tir(zoo, tmp_path, "math_500", len(POLICIES))
    assert [row for row in rows if not row.is_as_stated] == []
    assert {row.policy for row in rows} == set(POLICIES)
