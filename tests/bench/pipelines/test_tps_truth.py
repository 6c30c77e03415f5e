"""How well dependencies are inferred, on tasks whose graph is known."""

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from tests.bench.pipelines.inference_truth import measure_inference, measure_joining


def test_nearly_every_dependency_of_easy_tasks_is_found_and_nothing_else() -> None:
    got = measure_inference(load_bundled("easy").tasks, DEFAULT_SEED)
    known = sum(len(s.needs) for task in load_bundled("easy").tasks for s in task.subtasks)
    assert known > 50
    assert got.known == known
    assert got.inferred == got.right >= 0.95 * known


def test_on_hard_tasks_nearly_all_inferred_edges_state_a_true_order() -> None:
    got = measure_inference(load_bundled("hard").tasks[:40], DEFAULT_SEED)
    assert got.precision_back is not None
    assert got.recall is not None
    assert got.precision is not None
    assert got.precision_back >= 0.95
    assert got.precision > 0.75
    assert got.recall >= 0.85


def test_on_easy_tasks_every_turn_that_inference_joins_could_be_joined() -> None:
    got = measure_joining(load_bundled("easy").tasks, DEFAULT_SEED)
    assert got.turns == sum(len(task.subtasks) for task in load_bundled("easy").tasks)
    assert got.right == got.inferred > 0


def test_on_hard_tasks_most_turns_that_inference_joins_could_be_joined() -> None:
    got = measure_joining(load_bundled("hard").tasks[:40], DEFAULT_SEED)
    assert got.right >= 0.95 * got.inferred
    best = measure_joining(load_bundled("hard").tasks[:40], DEFAULT_SEED, "optimal")
    assert (best.known, best.right) == (0, 0)
    assert best.inferred < 0.1 * best.turns
