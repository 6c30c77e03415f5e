"""The part of the slow suite that fits into a time limit: `tools/slow_part.py`."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from tools.slow_part import find_slow_files, judge, main, order_of_day

from tests.conftest import ROOT

SLOW = "import pytest, time\n\n@pytest.mark.slow\ndef test_{name}():\n    {body}\n"


def _write_suite(folder: Path, **bodies: str) -> Path:
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = slow\n")
    tests = folder / "tests"
    tests.mkdir()
    (tests / "test_quick.py").write_text("def test_quick():\n    assert False\n")
    for name, body in bodies.items():
        (tests / f"test_{name}.py").write_text(SLOW.format(name=name, body=body))
    return tests


def test_a_day_has_an_order_of_its_own_and_a_week_begins_with_every_part() -> None:
    files = [f"file {number}" for number in range(14)]
    sunday = date(2026, 11, 15)
    orders = [order_of_day(files, sunday + timedelta(days)) for days in range(15)]
    assert all(sorted(order) == sorted(files) for order in orders)
    assert order_of_day(files, sunday) == orders[0]
    assert len({order[0] for order in orders[:7]}) == 7
    assert {order[0] for order in orders[:14]} == set(files)
    assert order_of_day([], sunday) == []


def test_only_files_with_slow_tests_are_run_and_a_failure_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = _write_suite(tmp_path, passes="assert True", fails="assert 'expected' == 'found'")
    assert find_slow_files(tests) == ["tests/test_fails.py", "tests/test_passes.py"]
    assert main(["--minutes", "5", "--date", "2026-11-16", "--tests", str(tests)]) == 1
    output = capsys.readouterr().out
    assert "assert 'expected' == 'found'" in output
    assert "2 tests ran; of 2 files 1 " in output.splitlines()[-1]


def test_what_the_time_limit_ends_is_named_and_fails_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = _write_suite(tmp_path, first="time.sleep(600)", second="time.sleep(600)")
    options = ["--minutes", "0.02", "--workers", "1", "--date", "2026-11-16"]
    assert main([*options, "--tests", str(tests)]) == 0
    first, second = order_of_day(find_slow_files(tests), date(2026, 11, 16))
    *_, cut, left, last = capsys.readouterr().out.splitlines()
    assert (cut, left) == (f"cut off: {first}", f"not started: {second}")
    assert last == ("slow suite of 2026-11-16: 0 tests ran; of 2 files 1 cut off, 1 not started")


def test_a_test_that_failed_before_the_limit_fails() -> None:
    line = "tests/test_a.py::test_a[1 and 2] FAILED                      [ 50%]\n"
    assert judge(None, line) == "failed"
    assert judge(None, line.replace("FAILED", "PASSED")) == "cut off"
    assert judge(2, "") == "failed"


def test_the_files_of_this_suite_have_slow_tests() -> None:
    files = find_slow_files(ROOT / "tests")
    assert "tests/hostile/test_child_processes.py" in files
    assert "tests/ledger/test_full_disk.py" in files  # Its cases are marked by `mostly_slow`.
    assert "tests/studies/test_summary.py" not in files
