"""All questions about what the measures say of an agent and of each other, in one result."""

from msgspec import Struct

from agentdyno_train.studies.instruments.depths import (
    PartDepth,
    Separation,
    find_separations,
    part_depths,
)
from agentdyno_train.studies.instruments.predictors import Habit, SecondsFit, habits, seconds_fits
from agentdyno_train.studies.instruments.rollout_frames import RolloutFrames
from agentdyno_train.studies.instruments.sample_choices import Choice, choices
from agentdyno_train.studies.instruments.worth import Agreement, ToolWorth, agreements, tool_worths


class Instruments(Struct, frozen=True, rename={"separations": "tellings"}):
    """The results of every question. `separations` is stored as `tellings`."""

    agents: list[str]
    """Names of the agents, the reference first."""
    machine: str
    """The machine that the seconds were measured on."""
    hardware: str
    """What PTE and GPU-seconds are of."""
    depths: list[PartDepth]
    """How deep the model thinks, by part."""
    separations: list[Separation]
    """Whether depth tells right from wrong."""
    choices: list[Choice]
    """Think@n over the agent's own samples."""
    worths: list[ToolWorth]
    """What each tool's calls are worth."""
    agreements: list[Agreement]
    """Whether a rule agrees with continuations."""
    habits: list[Habit]
    """Whether patterns predict failure."""
    seconds: list[SecondsFit]
    """What predicts the seconds of an attempt."""


def study_instruments(frames: RolloutFrames, hardware: str) -> Instruments:
    """Asks every question."""
    return Instruments(
        list(frames.agents), frames.machine, hardware, part_depths(frames),
        find_separations(frames), choices(frames), tool_worths(frames), agreements(frames),
        habits(frames), seconds_fits(frames, hardware),
    )  # fmt: skip
