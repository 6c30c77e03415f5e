"""Tool-mixing: families, the user's own ones, and tools of none."""

from pathlib import Path

import pytest

from agentdyno.findings.patterns import PatternOptions
from agentdyno.findings.patterns.families import load_families
from agentdyno.records import InputError
from tests.metrics.patterns.trajectories import Call, Turn, found, trajectory


def test_families_come_from_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "families.toml"
    path.write_text('[families]\nsky = ["*flight*"]\nmoney = ["Pay*"]\n')
    options = PatternOptions(families=load_families(path))
    given = trajectory(
        "?", Turn("", [Call("search_flight", {}, "x")]), Turn("", [Call("pay_bill", {}, "y")])
    )
    assert [f.evidence for f in found("tool_mixing", given, options)] == [
        "sky: search_flight; money: pay_bill"
    ]


@pytest.mark.parametrize("content", ["families = 3", "[families]\nweb = 'x'", "[oops", "[other]"])
def test_a_wrong_file_is_an_error_that_says_what_was_expected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "families.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=r"expected TOML with \[families\]"):
        load_families(path)
