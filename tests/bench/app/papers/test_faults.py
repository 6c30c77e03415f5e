"""A paper's run of thirty tasks through three kills, refusals of the service and cut streams, under
a limit in dollars: everything finished is kept, nothing finished is paid for twice, and the limit
holds within one request."""

import json
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from agentdyno_bench.shared.models.scripted import Reply
from agentdyno_bench.shared.running.budget import SPENDING, sum_spending
from tests.conftest import ROOT
from tests.zoo import toolfail
from tests.zoo.server import Conversation, Cut, Refusal, Zoo, serve

TASKS, KILLS = 30, 3
PRICES = '["dealt"]\ninput = 1000.0\noutput = 1000.0\nas_of = "2026-01-01"\n'
"""A thousandth of a dollar for each token."""
LATENCY_SECONDS = 0.2
LIMIT, REQUEST_USD = 60.0, 8.0
"""The limit, and the most that one request of these tasks may cost."""


class Service:
    """The zoo's policies with every fault of a service."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        """The task of each request of the run at temperature 0, which is the main one."""
        self.faults: Counter[str] = Counter()

    def answer(self, policy: str, asked: Conversation) -> Reply | None:
        """The policy's reply, or a fault in its place: one request in four."""
        task = toolfail.find_task(asked)
        if task is None:
            return None
        time.sleep(LATENCY_SECONDS)
        if not asked.temperature:
            self.asked.append(task.task_id)
        faults: dict[int, Reply] = {3: Refusal(status=429), 7: Refusal(status=500), 11: Cut()}
        fault = faults.get(len(self.asked) % 12) if not asked.temperature else None
        if fault is not None:
            self.faults[type(fault).__name__ + str(getattr(fault, "status", ""))] += 1
        return fault or toolfail.answer(policy, asked)


def _command(zoo: Zoo, out: Path, max_usd: float) -> list[str]:
    return [
        sys.executable, "-c", "from agentdyno.cli import main; main()", "paper", "toolfail",
        "--model",
        zoo.model(toolfail.DEALT), "--base-url", zoo.address, "-M", "api_key=zoo", "-M",
        "stream=true", "--limit", str(TASKS), "--concurrency", "4", "--max-usd", str(max_usd),
        "--prices", str(out.parent / "prices.toml"), "--out", str(out), "--json",
    ]  # fmt: skip


def _finished(folder: Path) -> set[str]:
    """Tasks in the logs of the main run that ended without an error."""
    found: set[str] = set()
    for log in folder.glob("logs/*/*/*.eval"):
        try:
            with zipfile.ZipFile(log) as archive:
                names = [n for n in archive.namelist() if n.startswith("samples/")]
                samples = [json.loads(archive.read(name)) for name in names]
        except (OSError, zipfile.BadZipFile):
            continue
        found |= {str(s["id"]) for s in samples if not s.get("error")}
    return found


def _run_until(command: list[str], folder: Path, wanted: int) -> set[str]:
    """Kills the run once so many tasks are finished; which they are."""
    child = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while len(_finished(folder)) < wanted:
        assert child.poll() is None, "it ended before it was killed"
        time.sleep(0.1)
    child.kill()
    child.wait()
    return _finished(folder)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_thirty_tasks_through_kills_and_faults_are_finished_and_none_is_paid_for_twice(
    tmp_path: Path,
) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    service, out = Service(), tmp_path / "toolfail.html"
    folder = out.with_suffix("")
    with serve([service.answer]) as zoo:
        command = _command(zoo, out, 100_000)
        kept: set[str] = set()
        for number in range(KILLS):
            begun = len(service.asked)
            finished = _run_until(command, folder, (number + 1) * TASKS // (KILLS + 2))
            assert kept <= finished
            assert kept.isdisjoint(service.asked[begun:])
            kept = finished
        begun = len(service.asked)
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert kept.isdisjoint(service.asked[begun:])
    page = json.loads(ended.stdout)
    assert (page["attempts"], page["stopped"], page["notes"]) == (TASKS, None, [])
    assert len(_finished(folder)) == TASKS
    assert {"Refusal429", "Refusal500", "Cut"} == service.faults.keys()


@pytest.mark.slow
def test_the_limit_holds_within_one_request(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text(PRICES)
    service, out = Service(), tmp_path / "toolfail.html"
    with serve([service.answer]) as zoo:
        command = _command(zoo, out, LIMIT)
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        billed_usd = zoo.billed_tokens / 1000
    page = json.loads(ended.stdout)
    assert f"Stopped at --max-usd {LIMIT:g}" in page["stopped"]
    entered = sum_spending(out.with_suffix("") / SPENDING)
    assert LIMIT - REQUEST_USD <= entered <= LIMIT
    assert billed_usd <= LIMIT
    assert 0 < page["attempts"] < TASKS
