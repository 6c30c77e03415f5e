"""How well dependencies are inferred, on tasks whose graph is known."""

from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.benchmarks.tps.world.directory import DEFAULT_SEED
from agentdyno.pipelines.tps.truth import measure_inference


def test_every_dependency_of_easy_tasks_is_found_and_nothing_else() -> None:
    got = measure_inference(bundled("easy").tasks, DEFAULT_SEED)
    assert (got.known, got.inferred, got.right) == (50, 50, 50)


def test_on_hard_tasks_nearly_all_inferred_edges_state_a_true_order() -> None:
    got = measure_inference(bundled("hard").tasks[:40], DEFAULT_SEED)
    assert got.precision_back is not None
    assert got.recall is not None
    assert got.precision is not None
    assert got.precision_back > 0.95
    assert got.precision > 0.75
    assert got.recall > 0.6
    # What is missed most is a choice made by comparing results, which quotes none of them.
    assert max(got.missed, key=lambda manner: got.missed[manner]) == "chosen by comparing results"
