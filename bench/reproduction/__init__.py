"""Recomputes what five papers print from what they print: no input, a list of checks out.

One module per paper holds its printed numbers and the arithmetic; `check` says when a figure
holds, `rounding` how much doubt its inputs carry, `markdown` writes `docs/reproduction.md`.
Knows nothing of ledgers, and measures nothing: a figure that needs the papers' raw data is out of
reach and not listed. `own_training` puts one finding of this project's beside the paper's.
"""

from bench.reproduction.check import Check, Reproduction
from bench.reproduction.markdown import render_markdown

EASY = 0.5
"""A check that so many of the figures nearby would pass says nothing when it holds."""

__all__ = ["Check", "Reproduction", "render_markdown", "reproduce"]


def reproduce() -> Reproduction:
    """Every check of the five papers, counted."""
    # Imported here: the arithmetic pulls in scipy and statsmodels, the values above do not.
    from bench.reproduction.deep_thinking import check_deep_thinking
    from bench.reproduction.own_training import compare_training
    from bench.reproduction.pte import check_pte
    from bench.reproduction.tool_efficiency import check_tool_efficiency
    from bench.reproduction.toolfailbench import check_toolfailbench
    from bench.reproduction.tps_bench import check_tps_bench

    checks = (
        *check_pte(),
        *check_tool_efficiency(),
        *check_deep_thinking(),
        *check_tps_bench(),
        *check_toolfailbench(),
    )
    left_out = [check for check in checks if _holds_by_chance(check)]
    checks = tuple(check for check in checks if check not in left_out)
    failing = tuple(check for check in checks if not check.holds)
    return Reproduction(
        checks=len(checks),
        hold=len(checks) - len(failing),
        fail=len(failing),
        failing=failing,
        every_check=checks,
        left_out=len(left_out),
        training=compare_training(),
    )


def _holds_by_chance(check: Check) -> bool:
    # A claim is one sentence: its chance is by definition a half, not counted.
    return check.holds and check.kind != "claim" and check.chance >= EASY
