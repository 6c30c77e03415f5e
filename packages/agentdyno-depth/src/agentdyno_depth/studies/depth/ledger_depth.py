"""How hard a ledger's turns were for one model: its table `depth` in, turns and settings out."""

from typing import Literal

from msgspec import Struct

from agentdyno.studies.tables import Tables
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.studies.depth.by_setting import SettingDepth, depth_by_setting
from agentdyno_depth.studies.depth.frames import DepthReading, load_depth


class TurnDepth(Struct, frozen=True):
    """One turn, or one of its calls, under one pair of thresholds: a row of the table `depth`."""

    trajectory_id: str
    turn: int
    """Its place in the trajectory, from 0."""
    call: int | None
    """The call's place in the turn; None for the whole turn."""
    depth_model: str
    """The model that read it."""
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    dtr: float | None
    """Share of deep tokens among all of them; None when the trace holds no text."""
    depth_tokens: int
    """Tokens that share is taken over."""
    call_dtr: float | None
    """Share of deep tokens among those of tool calls; None for a turn without calls."""
    call_tokens: int
    """Tokens that share is taken over."""
    mean_log_prob: float | None
    """Mean natural logarithm of the tokens' probabilities."""
    entropy: float | None
    """Mean entropy of the last layer's distributions, in nats."""
    self_certainty: float | None
    """Mean divergence of these from the uniform one, in nats."""


class DepthAdded(Struct, frozen=True):
    """Counts of the trajectories read."""

    trajectories: int
    """Trajectories that were read now."""
    known: int
    """Trajectories whose rows were there already."""
    left: int
    """Trajectories of the ledger that a limit left out."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their depth is unknown."""


class LedgerDepth(Struct, frozen=True):
    """One model with one pair of thresholds over a ledger."""

    model: str
    g: float
    """Distance at which a layer has settled."""
    rho: float
    """Share of the layers at which the deep ones begin."""
    added: DepthAdded
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


def study_ledger_depth(
    ledger: Tables,
    model: str,
    pair: Thresholds,
    added: DepthAdded,
    template: str,
    plain_headers: bool,
) -> LedgerDepth:
    """Summarize the table for one model and one pair of thresholds."""
    rows = (
        ledger.read("depth")
        .filter(depth_model=model, g=pair.g, rho=pair.rho)
        .sort("trajectory_id", "turn", "call", nulls_last=False)
    )
    count = rows["trajectory_id"].n_unique()
    frames = load_depth(ledger, DepthReading(model, pair.g, pair.rho, count))
    is_thinking = bool(frames.written_by) and not frames.foreign and not plain_headers
    return LedgerDepth(
        template=template,
        called="thinking" if is_thinking else "reading",
        model=model,
        g=pair.g,
        rho=pair.rho,
        added=added,
        written_by_others=frames.foreign,
        settings=depth_by_setting(frames),
        turns=[TurnDepth(**row) for row in rows.iter_rows(named=True)],
    )
