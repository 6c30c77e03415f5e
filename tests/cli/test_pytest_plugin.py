"""The plug-in inside a test suite of its own."""

from importlib.metadata import entry_points

import pytest
import scipy.special  # A suite inside this one forgets its imports; twice is an error.

# Loaded before: pytester forgets what a suite imports, and C extensions load once in a process.
import scipy.stats  # noqa: F401

from tests.studies.comparison.build import attempt, write_ledger

pytest_plugins = ["pytester"]
TASKS = [f"t{i}" for i in range(10)]

# Installed, it loads by its entry point; loading it twice would be an error.
INSTALLED = any("agentdyno" in entry.value for entry in entry_points(group="pytest11"))
LOADED = () if INSTALLED else ("-p", "agentdyno.cli.pytest_plugin")


@pytest.fixture
def suite(pytester):
    base = [attempt(t, 1000.0 + 10 * i) for i, t in enumerate(TASKS)]
    dear = [row | {"pte": row["pte"] * 1.3 + i} for i, row in enumerate(base)]
    write_ledger(pytester.path / "base", base)
    write_ledger(pytester.path / "dear", dear)
    return pytester


def _run(suite, body, *arguments):
    suite.makepyfile(f"def test_cost(agentdyno_compare):\n    {body}\n")
    return suite.runpytest("-p", "no:cacheprovider", *LOADED, *arguments)


INCONCLUSIVE = "agentdyno_compare('dear', 'base', gates=['accuracy>=-2pt'"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            "agentdyno_compare('dear', 'base', gates=['pte<=+5%'])",
            ["*gate not kept: pte<=+5%*", "*pte<=+5%*BROKEN*above the limit*"],
        ),
        (f"{INCONCLUSIVE}])", ["*accuracy>=-2pt*more tasks*"]),
        ("agentdyno_compare('dear', 'base')", ["*expected at least one gate, found none*"]),
        ("agentdyno_compare('dear', 'base', gates=[])", ["*at least one gate, found none*"]),
        (
            "agentdyno_compare('dear', 'base', gates=['pte<=+90%'], strict=True)",
            ["*allow_inconclusive=True*"],
        ),
        ("agentdyno_compare('dear', gates=['pte<=+5%'])", ["*expected a baseline, found none*"]),
        (
            "agentdyno_compare('nowhere', 'base', gates=['pte<=+5%'])",
            ["*expected a ledger*found none*"],
        ),
    ],
    ids=["broken", "inconclusive", "no gates", "empty", "strict", "no baseline", "no ledger"],
)
def test_what_fails_a_test_is_told_plainly(suite, body, lines):
    result = _run(suite, body)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(lines)
    result.stdout.no_fnmatch_line("*judge_gate*")


def test_kept_gate_passes_and_returns_the_comparison(suite):
    body = "assert agentdyno_compare('dear', 'base', gates=['pte<=+90%']).gates[0].state == 'kept'"
    _run(suite, body).assert_outcomes(passed=1)


def test_an_inconclusive_gate_may_be_allowed(suite):
    _run(suite, f"{INCONCLUSIVE}], allow_inconclusive=True)").assert_outcomes(passed=1)


def test_baseline_and_gates_come_from_the_ini_file(suite):
    suite.makeini("[pytest]\nagentdyno_baseline = base\nagentdyno_gates =\n    pte<=+5%\n")
    _run(suite, "agentdyno_compare('dear')").assert_outcomes(failed=1)


def test_command_line_baseline_goes_before_the_ini_file(suite):
    suite.makeini("[pytest]\nagentdyno_baseline = base\nagentdyno_gates =\n    pte<=+5%\n")
    result = _run(suite, "agentdyno_compare('dear')", "--agentdyno-baseline", "dear")
    result.assert_outcomes(passed=1)
