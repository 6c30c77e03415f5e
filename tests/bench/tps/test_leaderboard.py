"""The output page: places that intervals allow, pass^k, provenance, and what is lost."""

from pathlib import Path

import polars as pl
import pytest
from msgspec import structs

from agentdyno.estimates.estimate import Estimate
from agentdyno_bench.shared.running.options import FailedSample, TaskRun
from agentdyno_bench.tps.outcomes.marking import MARKS_VERSION
from agentdyno_bench.tps.report.provenance import describe_run, render_provenance
from agentdyno_bench.tps.studies.leaderboard import estimate_pass_power, estimate_score, rank
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.fresh import draw_fresh, hash_tasks, measure_hardness


def share(value: float, low: float | None, high: float | None) -> Estimate:
    return Estimate(value, low, high, 10)


def test_places_are_those_that_the_intervals_allow() -> None:
    good, fair, poor = share(0.8, 0.7, 0.9), share(0.75, 0.6, 0.85), share(0.3, 0.2, 0.4)
    every = [good, fair, poor]
    assert [rank(each, every) for each in every] == [(1, 2), (1, 2), (3, 3)]
    unknown = share(0.5, None, None)
    assert rank(unknown, [*every, unknown]) == (1, 4)
    perfect = share(1.0, None, None)  # Of ten tasks: Wilson's 0.72 to 1.
    assert rank(perfect, [perfect, poor]) == (1, 1)


def test_who_does_harm_stands_behind_who_does_the_same_without() -> None:
    tasks = [f"t{number}" for number in range(20)]

    def attempts(score: float | None) -> pl.DataFrame:
        scores = pl.Series([score] * 19 + [1.0], dtype=pl.Float64)
        return pl.DataFrame({"task": tasks, "completion": [1.0] * 20, "score": scores})

    clean, harmful = (estimate_score(attempts(score)) for score in (1.0, 0.3))
    assert [rank(each, [clean, harmful]) for each in (clean, harmful)] == [(1, 1), (2, 2)]
    assert estimate_score(attempts(None)).value == 1.0


def test_pass_power_is_of_as_many_attempts_as_the_poorest_task_has() -> None:
    """Two attempts: one task solved twice, one once: (1 + 0) / 2."""
    part = pl.DataFrame({"task": ["a", "a", "b", "b"], "correct": [True, True, True, False]})
    assert estimate_pass_power(part[:1]) is None
    found = estimate_pass_power(part)
    assert found is not None
    assert (found[0], found[1].value) == (2, 0.5)


def test_the_page_says_what_was_measured_and_hides_keys() -> None:
    lost = FailedSample("easy-001", "gone")
    run = TaskRun("tps_easy", "m", Path(), [], 20, 20, [lost], 1.0)
    words = ["bench", "tps", "-M", "api_key=hunter2", "--seed", "5"]
    found = describe_run({"easy": None}, [run], words)
    easy = load_bundled("easy")
    assert [(used.digest, used.world_seed) for used in found.sets] == [
        (hash_tasks(easy), easy.world_seed)
    ]
    topic = render_provenance(found)
    assert "19 of 20 samples are in the figures, 1 were lost" in topic.lead
    assert f"marks version {MARKS_VERSION}" in topic.lead
    assert "hunter2" not in str(topic)
    assert "agentdyno bench tps -M 'api_key=…' --seed 5" in str(topic.notes)


@pytest.mark.slow
def test_a_fresh_set_is_as_hard_and_is_drawn_once(tmp_path: Path) -> None:
    path = tmp_path / "easy.json.gz"
    fresh, bundled = draw_fresh(path, "easy", 5), load_bundled("easy")
    assert measure_hardness(fresh).differs(measure_hardness(bundled)) <= 0.05
    assert not {t.prompt for t in fresh.tasks} & {t.prompt for t in bundled.tasks}
    before = path.stat().st_mtime_ns
    assert hash_tasks(draw_fresh(path, "easy", 5)) == hash_tasks(fresh)
    assert path.stat().st_mtime_ns == before


def test_the_digest_changes_with_a_task_and_with_the_world() -> None:
    easy = load_bundled("easy")
    fewer = structs.replace(easy, tasks=easy.tasks[:-1])
    other = structs.replace(easy, world_seed=easy.world_seed + 1)
    assert len({hash_tasks(tasks) for tasks in (easy, fewer, other)}) == 3
