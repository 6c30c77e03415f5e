"""The figures of the styles experiment follow from the rows in the repository, wherever stated."""

import contextlib
import io
import json
import re
import runpy
import shutil
from argparse import Namespace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from bench.reproduction.own_training import compare_training

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "gpu_training" / "styles_table.py"))


LOG = (ROOT / "docs" / "log" / "training.md").read_text()
SECTION = LOG.partition("## Mixed demonstrations\n")[2].partition("\n## ")[0]
OURS = [gain for gain in compare_training() if gain.training[:4] == "ours"]
NUMBER = r"[-+]?\d*\.?\d+(?:e[-+]\d+)?"
CHANGE = rf"({NUMBER})(?: s| points| turns| %)?\s+\[({NUMBER}), ({NUMBER})\]"


@pytest.fixture(scope="module")
def printed(table: dict[str, Any]) -> str:
    """Every table of either run, and those of both together."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for run in table["RUNS"]:
            table["print_all"](run)
        table["print_both"]()
    return out.getvalue()


def test_the_tables_have_every_measure_and_arm(table: dict[str, Any], printed: str) -> None:
    names = set(re.findall(r"^([\w.-]+) \| .*\d", printed, re.MULTILINE))
    assert names >= {*table["MEASURES"], *table["ARMS"]}


def test_every_interval_of_the_log_is_in_a_table(table: dict[str, Any], printed: str) -> None:
    """As a share, in points or in percent of the warm-up's, rounded."""
    known = [[float(number) for number in one] for one in re.findall(CHANGE, printed)]
    known += [[100 * number for number in one] for one in known]
    for run in table["RUNS"]:
        rows = table["read_attempts"](run)
        for title in table["KINDS"]:
            for arm in table["compare_arms"](rows, title).values():
                known += [list(one) for one in arm]
    stated = re.findall(CHANGE, SECTION)
    assert len(stated) == len(re.findall(r"\[[-+]", SECTION)) > 0
    assert [one for one in stated if not any(_equals(one, other) for other in known)] == []


def _equals(stated: tuple[str, ...], known: list[float]) -> bool:
    """The change as rounded; ends of its interval nearly, for other releases of numpy may draw
    other tasks."""
    exact = [Decimal(number) for number in stated]
    half = [0.51 * 10.0 ** int(number.as_tuple().exponent) for number in exact]
    spread = [0, *(0.1 * abs(end) for end in known[1:])]
    return all(
        abs(float(number) - value) <= rounding + more
        for number, value, rounding, more in zip(exact, known, half, spread, strict=True)
    )


def test_reproduce_shows_what_the_rows_say(table: dict[str, Any]) -> None:
    rows = table["read_attempts"](table["HERE"])
    shown = {gain.training: gain for gain in OURS}
    for title in table["KINDS"]:
        own = table["of_kind"](rows, title)
        for arm, changes in table["compare_arms"](rows, title).items():
            trained = {row["seed"] for row in own if row["arm"] == arm}
            gain = shown.pop(f"ours, {title.lower()}, {arm}, trainings: {len(trained)}")
            for change, found in zip(
                changes, (gain.completion, gain.time, gain.turns), strict=True
            ):
                assert [found.value, found.low, found.high] == pytest.approx(change, abs=0.5)
    assert not shown


def _attempts(arm: str, seed: str, value: float, tasks: int = 5) -> list[dict[str, str]]:
    own = {"arm": arm, "seed": seed}
    return [own | {"task": str(place), "turns": str(value + 10 * place)} for place in range(tasks)]


def test_a_change_is_paired_by_task(table: dict[str, Any]) -> None:
    """Worked: three seeds are 1, 2 and 6 above the start, 3 on average. Two of three are drawn, so
    the ends are those of one seed drawn twice; tasks that differ by 10 widen nothing."""
    rows = _attempts("warm", "1", 5)
    for seed, value in (("1", 6), ("2", 7), ("3", 11)):
        rows += _attempts("arm", seed, value)
    warm, arm = (table["cells"](rows, name, "turns") for name in ("warm", "arm"))
    assert table["estimate"](arm, warm) == pytest.approx((3, 1, 6))


def test_both_sides_draw_their_own_seeds(table: dict[str, Any]) -> None:
    """Worked: both sides have 1 and 3. Were seeds drawn together, the change would always be 0."""
    rows = [row for arm in ("one", "other") for seed, value in (("1", 1), ("2", 3))
            for row in _attempts(arm, seed, value)]  # fmt: skip
    one, other = (table["cells"](rows, name, "turns") for name in ("one", "other"))
    assert table["estimate"](one, other) == pytest.approx((0, -2, 2))


def test_other_tasks_are_not_compared(table: dict[str, Any]) -> None:
    rows = [*_attempts("warm", "1", 5), *_attempts("arm", "1", 5, tasks=4)]
    warm, arm = (table["cells"](rows, name, "turns") for name in ("warm", "arm"))
    with pytest.raises(ValueError, match="same tasks"):
        table["estimate"](arm, warm)


def test_packing_keeps_what_other_agents_did(table: dict[str, Any], tmp_path: Path) -> None:
    for name in ("attempts", "steps"):
        shutil.copy(table["HERE"] / f"{name}.csv.gz", tmp_path)
    before = table["read_rows"](tmp_path / "attempts.csv.gz")
    row = {"kind": "greedy", "sample": 0, "task": "hard-001", "tokens": [[1000, 50], [1200, 40]]}
    found = {"arm": "warm", "seed": 2, "level": "hard", "steps": [], "rows": [row]}
    (tmp_path / "rows-warm-2-hard.json").write_text(json.dumps(found))
    (tmp_path / "rows-warm-up-1-easy.json").write_text("{}")
    for _ in range(2):
        table["pack"](tmp_path, tmp_path)
    after = table["read_rows"](tmp_path / "attempts.csv.gz")
    assert (after[:-1], after[-1]["seed"], after[-1]["tokens"]) == (before, "2", "1000+50 1200+40")
    alone, longer = table["replay_attempts"](
        [after[-1], after[-1] | {"tokens": "1000+50 1200+400"}]
    )
    assert 0 < alone < longer


def test_arms_wait_for_the_warm_up(tmp_path: Path) -> None:
    styles = runpy.run_path(str(ROOT / "bench" / "gpu_training" / "styles.py"))
    given = Namespace(out=tmp_path, start=styles["_shipped"](), part=None, seeds=3)
    jobs = [job for job in styles["_list_jobs"](given) if job[2] == "easy"]
    waiting = {arm for arm, *_ in (job for job in jobs if not styles["_is_ready"](given, job))}
    assert waiting == {"warm", *styles["ARMS"]}
    Path(styles["_adapter"](given, "warm", 1)).mkdir(parents=True)
    assert all(styles["_is_ready"](given, job) for job in jobs)
