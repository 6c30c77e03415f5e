"""A pytest plug-in: the comparison and its gates inside a test suite.

    def test_agent_did_not_get_dearer(agentdyno_compare):
        agentdyno_compare("ledgers/candidate", gates=["pte<=+5%", "accuracy>=-2pt"])

The baseline is an argument, `--agentdyno-baseline`, or the ini option `agentdyno_baseline`; paths
are relative to the folder of the ini file. A broken gate fails the test with the table, and so does
an inconclusive one, with how many more tasks you need, unless `allow_inconclusive=True`. A test
without gates fails.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno.studies.comparison.results import Comparison, GateVerdict

Compare = Callable[..., Comparison]


def pytest_addoption(parser: pytest.Parser) -> None:
    """The baseline, the gates and the confidence, for a whole suite."""
    group = parser.getgroup("agentdyno", "limits on what an agent costs")
    group.addoption("--agentdyno-baseline", default=None, help="ledger that others are held to")
    parser.addini("agentdyno_baseline", "ledger that others are held to", default="")
    parser.addini("agentdyno_gates", "limits such as pte<=+5%", type="linelist", default=[])
    parser.addini("agentdyno_confidence", "confidence of the gates", default="0.95")


@pytest.fixture(name="agentdyno_compare")
def _agentdyno_compare(pytestconfig: pytest.Config) -> Compare:
    """Compares a candidate's ledger with the baseline; fails the test where a gate is not kept."""

    def check(
        candidate: Path | str,
        baseline: Path | str | None = None,
        *,
        gates: Sequence[str] | None = None,
        **options: Any,
    ) -> Comparison:
        __tracebackhide__ = True
        _refuse_strict(options)
        first = baseline or _baseline(pytestconfig)
        gates_used = pytestconfig.getini("agentdyno_gates") if gates is None else gates
        options.setdefault("confidence", _confidence(pytestconfig))
        root = pytestconfig.rootpath
        return assert_gates(root / candidate, root / first, gates=gates_used, **options)

    return check


def assert_gates(
    candidate: Path | str,
    baseline: Path | str,
    *,
    gates: Sequence[str],
    confidence: float = 0.95,
    setting: str = "",
    baseline_setting: str = "",
    cache: Any = None,
    allow_inconclusive: bool = False,
) -> Comparison:
    """The comparison; an `AssertionError` that shows it where a gate is broken or inconclusive.

    With `allow_inconclusive` a gate that the data cannot decide passes.
    """
    from agentdyno.pipelines.compare import CompareOptions, compare

    __tracebackhide__ = True
    if not gates:
        pytest.fail(
            "agentdyno: expected at least one gate, found none. Pass gates=['pte<=+5%'] to "
            "agentdyno_compare, or write agentdyno_gates in the ini file.",
            pytrace=False,
        )
    options = CompareOptions(baseline_setting, setting, tuple(gates), confidence, cache)
    try:
        compared = compare(Path(baseline), Path(candidate), options)
    except InputError as error:
        pytest.fail(f"agentdyno: {error}", pytrace=False)
    failing = [*compared.broken, *([] if allow_inconclusive else compared.inconclusive)]
    if failing:
        raise AssertionError(_message(compared, failing))
    return compared


def _refuse_strict(options: dict[str, Any]) -> None:
    if "strict" in options:
        pytest.fail(
            "agentdyno: strict is gone: an inconclusive gate always fails. Leave "
            "it out, or pass allow_inconclusive=True to let such a gate pass.",
            pytrace=False,
        )


def _baseline(config: pytest.Config) -> str:
    baseline = config.getoption("--agentdyno-baseline") or config.getini("agentdyno_baseline")
    if not baseline:
        pytest.fail(
            "agentdyno: expected a baseline, found none. Pass it to agentdyno_compare, with "
            "--agentdyno-baseline LEDGER, or as agentdyno_baseline in the ini file.",
            pytrace=False,
        )
    return str(baseline)


def _confidence(config: pytest.Config) -> float:
    text = config.getini("agentdyno_confidence")
    try:
        return float(text)
    except ValueError:
        pytest.fail(
            f"agentdyno_confidence: expected a share like 0.95, found {text!r}.", pytrace=False
        )


def _message(compared: Comparison, failing: list[GateVerdict]) -> str:
    from rich.console import Console

    from agentdyno.reports.terminal import print_topic
    from agentdyno.reports.topics.comparison import render_comparison

    console = Console(width=110, highlight=False, markup=False, emoji=False, color_system=None)
    with console.capture() as captured:
        print_topic(console, render_comparison(compared))
    reasons = "".join(f"gate not kept: {gate.gate}: {gate.sentence}\n" for gate in failing)
    return f"{reasons}{captured.get()}"
