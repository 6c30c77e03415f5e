"""One odd line in a sample costs only itself: it is measured, and report, budget and view answer.

`AGENTDYNO_FUZZ_EXAMPLES=1000 pytest -n 2 tests/pipelines/test_odd_lines.py` tries many more.
"""

import itertools
import json
import os
import random
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from agentdyno.cli.app import app, run_guarded
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.view.explorer import Explorer
from agentdyno.view.session_list import GROUPINGS
from tests.cli.run import assert_harmless
from tests.labelled import DATA, mostly_slow
from tests.pipelines.odd_lines import draw_alone, draw_changed, replace_one

pytestmark = pytest.mark.daily

BUNDLED = Path(__file__).parents[2] / "packages/agentdyno/src/agentdyno/samples"
LARGEST = 40_000
NO_TRACES = {"rows", "first_version", "second_version", "context", "injections"}
"""Rows of databases, and files beside traces."""
SAMPLES = sorted(
    path
    for folder in (DATA, BUNDLED)
    for path in folder.rglob("*.jsonl")
    if path.stat().st_size < LARGEST
    and path.stem not in NO_TRACES
    and path.parent not in (DATA, DATA / "readings")
    if not path.is_relative_to(DATA / "cases") and "small_trajectories" not in path.parts
)
CLAUDE = [path for path in SAMPLES if path.is_relative_to(DATA / "claude_code")]
EXAMPLES = os.environ.get("AGENTDYNO_FUZZ_EXAMPLES")
SEEDS = range(int(EXAMPLES or 12))
every_seed = pytest.mark.parametrize("seed", SEEDS if EXAMPLES else mostly_slow(SEEDS, range(3)))


def check_answers(ledger: Path, captured: pytest.CaptureFixture[str]) -> None:
    """Report, budget and every query of the view."""
    for words in (("report", ledger), ("report", ledger, "--by", "day"),
                  ("budget", "--ledger", ledger)):  # fmt: skip
        captured.readouterr()
        code = run_guarded(lambda words=words, **how: app([*map(str, words)], **how))
        out, err = captured.readouterr()
        assert "should not have happened" not in err
        assert code == 0 or "expected sessions or times" in err, err
        assert_harmless(out + err)
    view = Explorer(ledger)
    try:
        queries = (view.first, view.origins, view.names, view.spent, view.levers, view.findings)
        answers: list[Any] = [query({}) for query in queries] + [view.sessions({"q": "the"})]
        answers += [view.sessions({"group": group}) for group in GROUPINGS]
        for row in view.sessions({})["rows"]:
            answers += [view.session({"id": row["id"]}), view.texts({"id": row["id"], "stop": "9"})]
        json.dumps(answers, allow_nan=False)
    finally:
        view.close()


def measure_lines(folder: Path, sample: Path, lines: list[str]) -> tuple[Counter[Any], int, Path]:
    """What was paid for, response by response; the bad records; the ledger."""
    traces = folder / "traces"
    traces.mkdir(parents=True)
    text = "".join(f"{line}\n" for line in lines)
    (traces / sample.name).write_bytes(text.encode("utf-8", "surrogatepass"))
    found = measure([traces], folder / "ledger", MeasureOptions(workers=1))
    tables = Ledger(found.ledger)
    columns = ("model", "context_tokens", "cached_tokens", "decode_tokens", "usd", "response_id")
    return (
        Counter(tables.read("turns").select(*columns).iter_rows()),
        len(tables.read("bad_records")),
        found.ledger,
    )


def read_lines(sample: Path) -> list[str]:
    return sample.read_text("utf-8").splitlines()


@every_seed
def test_a_line_of_no_format_damages_no_figure(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    drawn = random.Random(seed)
    sample = drawn.choice(SAMPLES)
    lines = read_lines(sample)
    at = drawn.randint(1, len(lines))
    with TemporaryDirectory() as name:
        before, bad, _ = measure_lines(Path(name, "before"), sample, lines)
        odd = [*lines[:at], draw_alone(drawn), *lines[at:]]
        after, worse, ledger = measure_lines(Path(name, "after"), sample, odd)
        check_answers(ledger, capsys)
    assert worse in (bad, bad + 1)
    assert sorted(after - before, key=str) == sorted(before - after, key=str) == []


@every_seed
def test_a_changed_line_damages_no_answer(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    drawn = random.Random(seed)
    sample = drawn.choice(SAMPLES)
    lines = read_lines(sample)
    lines.insert(drawn.randint(1, len(lines)), draw_changed(drawn, lines))  # The first is the head.
    with TemporaryDirectory() as name:
        _, _, ledger = measure_lines(Path(name), sample, lines)
        check_answers(ledger, capsys)


@every_seed
def test_an_odd_response_of_claude_code_damages_no_other(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    drawn, fresh = random.Random(seed), itertools.count()
    sample = drawn.choice(CLAUDE)
    lines = read_lines(sample)
    answers = [row for line in lines if (row := json.loads(line)).get("type") == "assistant"]
    if not answers:
        return
    row = drawn.choice(answers)
    for _ in range(drawn.randint(1, 3)):
        replace_one(drawn, row)
    row |= {"uuid": f"odd{next(fresh)}", "requestId": f"req_odd{next(fresh)}"}
    if isinstance(row.get("message"), dict):
        row["message"]["id"] = f"msg_odd{next(fresh)}"
    with TemporaryDirectory() as name:
        before, bad, _ = measure_lines(Path(name, "before"), sample, lines)
        after, worse, ledger = measure_lines(Path(name, "after"), sample, [*lines, json.dumps(row)])
        check_answers(ledger, capsys)
    assert worse in (bad, bad + 1)
    reported = {turn for turn in before if turn[-1] and turn[-1].startswith("msg_")}
    assert {turn for turn in reported if before[turn] > after[turn]} == set()
