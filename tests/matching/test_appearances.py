"""An index over a trajectory's texts is made once for all who ask for it."""

import pytest

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.matching import appearances as module
from agentdyno.matching.appearances import MOST_PARTS, Appearances, appearances, group_remembered
from agentdyno.records import Trajectory


def talk(parts: int) -> Trajectory:
    builder = TrajectoryBuilder()
    for number in range(parts - 1):
        builder.user(f"wish {number}")
    builder.turn()
    builder.text("done")
    return builder.build("a#1", "a", "test")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Trajectory]:
    """The trajectories of which an index was made, in order."""
    found: list[Trajectory] = []

    class Noted(Appearances):
        def __init__(self, trajectory: Trajectory) -> None:
            found.append(trajectory)
            super().__init__(trajectory)

    monkeypatch.setattr(module, "Appearances", Noted)
    return found


def test_who_asks_twice_for_each_of_a_group_has_each_index_made_once(
    made: list[Trajectory],
) -> None:
    trajectories = [talk(MOST_PARTS // 7) for _ in range(30)]
    for group in group_remembered(trajectories):
        for trajectory in group + group:
            assert appearances(trajectory).trajectory is trajectory
    # Whatever was remembered before may push out the first group once, and no later one.
    assert [id(each) for each in made[-23:]] == [id(each) for each in trajectories[-23:]]


def test_groups_hold_every_trajectory_once_and_in_order() -> None:
    trajectories = [talk(parts) for parts in (3, MOST_PARTS + 5, 2, MOST_PARTS - 2, 1, 4)]
    groups = list(group_remembered(trajectories))
    assert [[len(each.parts) for each in group] for group in groups] == [
        [3],
        [MOST_PARTS + 5],
        [2, MOST_PARTS - 2],
        [1, 4],
    ]


def test_an_index_larger_than_all_that_is_remembered_is_remembered_alone(
    made: list[Trajectory],
) -> None:
    small, large = talk(3), talk(MOST_PARTS + 1)
    for trajectory in (small, large, large, small):
        appearances(trajectory)
    assert [len(each.parts) for each in made] == [3, MOST_PARTS + 1, 3]
