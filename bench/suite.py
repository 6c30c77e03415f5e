"""Where the tests spend the processor: CPU seconds of each file and of its slowest tests.

    python -m pytest -p bench.suite tests/ledger [-m "not slow"]

A plug-in of pytest. Seconds are user and system, of the test process and of the children that it
has waited for, so other work on the machine hardly moves them. A shared fixture is counted with
the test that needed it first; collecting, and so importing, is counted apart.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest

SLOWEST = 30
seconds: Counter[str] = Counter()
at_start = 0.0
collected = 0.0


def cpu_seconds() -> float:
    """User and system seconds so far, children that have ended among them."""
    return sum(os.times()[:4])


def pytest_sessionstart() -> None:
    global at_start
    at_start = cpu_seconds()


def pytest_collection_finish() -> None:
    global collected
    collected = cpu_seconds() - at_start


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    before = cpu_seconds()
    try:
        return (yield)
    finally:
        seconds[item.nodeid] += cpu_seconds() - before


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    files: Counter[str] = Counter()
    for test, taken in seconds.items():
        files[test.split("::")[0]] += taken
    write = terminalreporter.write_line
    terminalreporter.section("CPU seconds")
    write(f"{sum(files.values()):8.1f}  all tests\n{collected:8.1f}  collecting")
    for name, taken in [*files.most_common(SLOWEST), *seconds.most_common(SLOWEST)]:
        write(f"{taken:8.1f}  {name}")
