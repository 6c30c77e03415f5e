"""By what the answer of a scene is chosen."""

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.references import resolve
from agentdyno_bench.tps.world import World
from agentdyno_train.plans import find_references


def test_references_lead_to_the_values_that_a_task_wants() -> None:
    found = 0
    for task in load_bundled("train").tasks[:80]:
        world, results = World(7), {}
        for step in task.subtasks:
            results[step.subtask_id] = world.call(step.tool, resolve(step.arguments, results)).value
        for step in task.subtasks:
            wanted = [w.slot.value for w in task.wishes if w.step == step.subtask_id and w.slot]
            for at in find_references(task, step, results):
                assert resolve(at, results) in wanted
                found += at["take"] in ("min", "max")
    assert found >= 10


def test_a_value_that_a_scene_does_not_lead_to_is_left_out() -> None:
    task = next(t for t in load_bundled("train").tasks if "early_bird" in t.scenes)
    step = next(s for s in task.subtasks if s.tool == "flights_search_flights")
    other = {"flights": [{"departs": "2026-01-01T00:00", "price_eur": 1.0}]}
    assert find_references(task, step, {step.subtask_id: other}) == []
