"""Recomputes what five papers print from what they print: no input, a list of checks out.

One module per paper holds its printed numbers and the arithmetic; `check` says when a figure
holds, `rounding` how much doubt its inputs carry, `markdown` writes `docs/reproduction.md`.
Knows nothing of ledgers, and measures nothing: a figure that needs the papers' raw data is out of
reach and not listed.
"""

from agentdyno_bench.reproduction.check import Check, Reproduction
from agentdyno_bench.reproduction.markdown import render_markdown

__all__ = ["Check", "Reproduction", "render_markdown", "reproduce"]


def reproduce() -> Reproduction:
    """Every check of the five papers, counted."""
    # Imported here: the arithmetic pulls in scipy and statsmodels, the values above do not.
    from agentdyno_bench.reproduction.deep_thinking import check_deep_thinking
    from agentdyno_bench.reproduction.pte import check_pte
    from agentdyno_bench.reproduction.tool_efficiency import check_tool_efficiency
    from agentdyno_bench.reproduction.toolfailbench import check_toolfailbench
    from agentdyno_bench.reproduction.tps_bench import check_tps_bench

    checks = (
        *check_pte(),
        *check_tool_efficiency(),
        *check_deep_thinking(),
        *check_tps_bench(),
        *check_toolfailbench(),
    )
    # A check that every figure nearby would pass tests nothing.
    left_out = [check for check in checks if check.chance >= 1.0 and check.holds]
    checks = tuple(check for check in checks if check not in left_out)
    failing = tuple(check for check in checks if not check.holds)
    return Reproduction(
        checks=len(checks),
        hold=len(checks) - len(failing),
        fail=len(failing),
        failing=failing,
        every_check=checks,
        left_out=len(left_out),
    )
