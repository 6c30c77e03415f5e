"""What `agentdyno depth --ledger` says: the turns and settings of one reading of a ledger."""

from pathlib import Path
from typing import Literal

from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.depth.ledger_turns import DepthAdded
from agentdyno.pipelines.depth.turns import TurnDepth
from agentdyno.probes.voices import HEADERS
from agentdyno.records.depth import Thresholds
from agentdyno.studies.depth.by_setting import SettingDepth, depth_by_setting
from agentdyno.studies.depth.frames import DepthReading, load_depth


class DepthTold(Struct, frozen=True):
    """One model with one pair of thresholds over a ledger."""

    model: str
    """The model that read."""
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    added: DepthAdded
    """What was done now."""
    template: str
    """How the texts were given to the model: its chat template, or plain headers."""
    called: Literal["thinking", "reading"]
    """What the numbers are: thinking, where the model wrote all the texts and they were given in
    its own template; else how hard they are to read for it."""
    written_by_others: list[str]
    """Models that wrote some of the texts and are not the one that read."""
    settings: list[SettingDepth]
    """By setting, most trajectories first."""
    turns: list[TurnDepth]
    """Every turn, and after it each of its calls."""


def tell_depth(
    folder: Path, model: str, pair: Thresholds, added: DepthAdded, template: str
) -> DepthTold:
    """Reads the table back."""
    ledger = Ledger(folder)
    rows = (
        ledger.read("depth")
        .filter(depth_model=model, g=pair.g, rho=pair.rho)
        .sort("trajectory_id", "turn", "call", nulls_last=False)
    )
    count = rows["trajectory_id"].n_unique()
    frames = load_depth(ledger, DepthReading(model, pair.g, pair.rho, count))
    own = bool(frames.written_by) and not frames.foreign and template != HEADERS
    return DepthTold(
        template=template,
        called="thinking" if own else "reading",
        model=model,
        g=pair.g,
        rho=pair.rho,
        added=added,
        written_by_others=frames.foreign,
        settings=depth_by_setting(frames),
        turns=[TurnDepth(**row) for row in rows.iter_rows(named=True)],
    )
