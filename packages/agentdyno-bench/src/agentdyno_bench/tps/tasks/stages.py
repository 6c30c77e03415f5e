"""Tasks in which the user answers back: one stage for each of the user's messages."""

from msgspec import structs

from agentdyno_bench.tps.tasks.values import CompoundTask


def split_stages(task: CompoundTask) -> list[CompoundTask]:
    """Each stage as a task of its own, with the steps and goals of that stage."""
    if not task.follow_ups:
        return [task]
    return [
        structs.replace(
            task,
            subtasks=[step for step in task.subtasks if step.stage == stage],
            goals=[goal for goal in task.goals if goal.stage == stage],
        )
        for stage in range(len(task.follow_ups) + 1)
    ]


def read_request(task: CompoundTask, stage: int | None = None) -> str:
    """All that the user has said by a stage; by the last one where none is given."""
    until = len(task.follow_ups) if stage is None else stage
    return "\n\n".join([task.prompt, *task.follow_ups[:until]])
