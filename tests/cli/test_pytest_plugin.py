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


def test_broken_gate_fails_with_the_table(suite):
    result = _run(suite, "agentdyno_compare('dear', 'base', gates=['pte<=+5%'])")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*gate not kept: pte<=+5%*", "*pte<=+5%*BROKEN*above the limit*"])
    result.stdout.no_fnmatch_line("*judge_gate*")


def test_kept_gate_passes_and_returns_the_comparison(suite):
    body = "assert agentdyno_compare('dear', 'base', gates=['pte<=+90%']).gates[0].state == 'kept'"
    _run(suite, body).assert_outcomes(passed=1)


def test_an_inconclusive_gate_fails_unless_it_is_allowed(suite):
    gates = "gates=['accuracy>=-2pt']"
    result = _run(suite, f"agentdyno_compare('dear', 'base', {gates})")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*accuracy>=-2pt*more tasks*"])
    allowed = _run(suite, f"agentdyno_compare('dear', 'base', {gates}, allow_inconclusive=True)")
    allowed.assert_outcomes(passed=1)


@pytest.mark.parametrize("gates", ["", ", gates=[]"])
def test_a_test_without_gates_fails(suite, gates):
    result = _run(suite, f"agentdyno_compare('dear', 'base'{gates})")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected at least one gate, found none*"])


def test_strict_says_what_to_write_instead(suite):
    result = _run(suite, "agentdyno_compare('dear', 'base', gates=['pte<=+90%'], strict=True)")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*allow_inconclusive=True*"])


def test_baseline_and_gates_come_from_the_ini_file(suite):
    suite.makeini("[pytest]\nagentdyno_baseline = base\nagentdyno_gates =\n    pte<=+5%\n")
    _run(suite, "agentdyno_compare('dear')").assert_outcomes(failed=1)


def test_command_line_baseline_goes_before_the_ini_file(suite):
    suite.makeini("[pytest]\nagentdyno_baseline = base\nagentdyno_gates =\n    pte<=+5%\n")
    result = _run(suite, "agentdyno_compare('dear')", "--agentdyno-baseline", "dear")
    result.assert_outcomes(passed=1)


def test_missing_baseline_is_told_plainly(suite):
    result = _run(suite, "agentdyno_compare('dear', gates=['pte<=+5%'])")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected a baseline, found none*"])


def test_wrong_ledger_is_told_plainly(suite):
    result = _run(suite, "agentdyno_compare('nowhere', 'base', gates=['pte<=+5%'])")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*expected a ledger*found none*"])
