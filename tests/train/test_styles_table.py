"""The tables of the styles experiment follow from the rows in the repository, wherever printed."""

import json
import re
import runpy
import shutil
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from agentdyno_bench.reproduction.own_training import compare_training

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "bench" / "gpu_training" / "styles_table.py"))


def _read(text: str) -> list[tuple[str, list[float]]]:
    """The name and the numbers of every row of the tables."""
    rows = [line.partition(" |") for line in text.splitlines() if re.match(r"\w+ \|.*\d", line)]
    return [
        (name, [float(n) for n in re.findall(r"[-+]?\d[\d.]*(?:e[-+]\d+)?", cells)])
        for name, _, cells in rows
        if name not in ("measure", "first", "second")
    ]


def test_the_log_shows_what_the_rows_say(
    table: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    table["print_all"](table["HERE"])
    printed = _read(capsys.readouterr().out)
    log = _read((ROOT / "docs" / "log" / "2026-11-17-styles-gpu.md").read_text())
    assert {name for name, _ in printed} >= set(table["MEASURES"])
    assert [name for name, _ in printed] == [name for name, _ in log]
    for (name, numbers), (_, logged) in zip(printed, log, strict=True):
        # Other releases of numpy may draw other tasks.
        least = 0.0005 if name == "gpu_seconds" else 0.005
        assert numbers == pytest.approx(logged, rel=0.1, abs=least), name


def test_reproduce_shows_what_the_rows_say(table: dict[str, Any]) -> None:
    rows = table["add_measures"](table["read_rows"](table["HERE"] / "attempts.csv.gz"))
    shown = {gain.training: gain for gain in compare_training() if gain.training[:4] == "ours"}
    for kind in ("greedy", "sampled"):
        for arm, changes in table["compare_arms"](rows, kind).items():
            trained = {(row["run"], row["seed"]) for row in rows if row["arm"] == arm}
            gain = shown.pop(f"ours, {kind}, {arm}, trainings: {len(trained)}")
            for change, found in zip(
                changes, (gain.completion, gain.time, gain.turns), strict=True
            ):
                assert [found.value, found.low, found.high] == pytest.approx(change, abs=0.5)
    assert not shown


def test_a_change_is_paired_within_its_run(table: dict[str, Any]) -> None:
    """Worked: in run 1 the arm is 1 above its start, in run 2, which has two seeds, 2 and 4 above
    another start: (1 + 2 + 4) / 3. Tasks that differ by 10 do not widen the interval."""

    def rows(run: str, arm: str, seed: str, value: float) -> list[dict[str, str]]:
        own = {"run": run, "arm": arm, "seed": seed}
        return [own | {"task": str(place), "turns": str(value + 10 * place)} for place in range(5)]

    given = [*rows("1", "warm", "1", 5), *rows("1", "arm", "1", 6)]
    given += [*rows("2", "warm", "1", 8), *rows("2", "arm", "1", 10), *rows("2", "arm", "2", 12)]
    warm, arm = (table["cells"](given, name, "turns") for name in ("warm", "arm"))
    assert table["estimate"](arm, warm) == pytest.approx((7 / 3, 5 / 3, 3))


def test_packing_keeps_what_other_agents_did(table: dict[str, Any], tmp_path: Path) -> None:
    for name in ("attempts", "steps"):
        shutil.copy(table["HERE"] / f"{name}.csv.gz", tmp_path)
    before = table["read_rows"](tmp_path / "attempts.csv.gz")
    row = {"kind": "greedy", "sample": 0, "task": "hard-001", "tokens": [[1000, 50], [1200, 40]]}
    found = {"arm": "warm", "seed": 1, "level": "hard", "steps": [], "rows": [row]}
    (tmp_path / "rows-warm-1-hard.json").write_text(json.dumps(found))
    (tmp_path / "rows-warm-up-1-easy.json").write_text("{}")
    for _ in range(2):
        table["pack"](tmp_path, tmp_path, "2")
    after = table["read_rows"](tmp_path / "attempts.csv.gz")
    assert after[:-1] == before
    assert (after[-1]["run"], after[-1]["tokens"]) == ("2", "1000+50 1200+40")
    alone, longer = table["replay_attempts"](
        [after[-1], after[-1] | {"tokens": "1000+50 1200+400"}]
    )
    assert 0 < alone < longer


def test_arms_begin_from_the_stored_warm_up(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    styles = runpy.run_path(str(ROOT / "bench" / "gpu_training" / "styles.py"))
    given = Namespace(out=tmp_path, start=styles["_shipped"](), part="styles", seeds=3)
    styles["_take_warm_up"](given)
    folder = Path(styles["_adapter"](given, "warm", 1))
    config, weights = "adapter_config.json", "adapter_model.safetensors"
    assert (folder / config).read_text() == (Path(given.start) / config).read_text()
    stored, shipped = (load_file(where / weights) for where in (folder, Path(given.start)))
    assert {name: value.shape for name, value in stored.items()} == {
        name: value.shape for name, value in shipped.items()
    }
    assert any((stored[name] != shipped[name]).any() for name in stored)
    left = [
        job for job in styles["_list_jobs"](given) if not styles["_result"](given, *job).exists()
    ]
    assert "warm-up" not in {arm for arm, *_ in left}
    assert all(styles["_is_ready"](given, job) for job in left if job[2] == "easy")
