"""All questions about what the measures say of an agent and of each other, in one result."""

from msgspec import Struct

from agentdyno_train.studies.instruments.choosing import Choice, choices
from agentdyno_train.studies.instruments.depths import PartDepth, Telling, part_depths, tellings
from agentdyno_train.studies.instruments.habits import Habit, habits
from agentdyno_train.studies.instruments.played import Played
from agentdyno_train.studies.instruments.predictors import SecondsFit, seconds_fits
from agentdyno_train.studies.instruments.worth import Agreement, ToolWorth, agreements, tool_worths


class Instruments(Struct, frozen=True):
    """What was found."""

    agents: list[str]
    """Who played."""
    machine: str
    """What the seconds are of."""
    hardware: str
    """What PTE and GPU-seconds are of."""
    depths: list[PartDepth]
    """How deep the model thinks, by part."""
    tellings: list[Telling]
    """Whether depth tells right from wrong."""
    choices: list[Choice]
    """Think@n."""
    worths: list[ToolWorth]
    """What each tool's calls are worth."""
    agreements: list[Agreement]
    """Whether a rule agrees with continuations."""
    habits: list[Habit]
    """Whether patterns predict failure."""
    seconds: list[SecondsFit]
    """What predicts seconds."""


def study_instruments(played: Played, hardware: str) -> Instruments:
    """Asks every question."""
    return Instruments(
        list(played.agents), played.machine, hardware, part_depths(played), tellings(played),
        choices(played), tool_worths(played), agreements(played), habits(played),
        seconds_fits(played, hardware),
    )  # fmt: skip
