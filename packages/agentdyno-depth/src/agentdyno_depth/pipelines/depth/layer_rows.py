"""One turn for each setting, layer by layer: the rows behind a report's heat map of thought.

Takes a trajectory's turns as the model reads them, returns rows of the table `layer_distances`: the
first turn that makes a call (where a setting makes any, else the first that says something), at
most 120 tokens of it, and these from shortly before the call on.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.studies.cost.frames import SETTING
from agentdyno_depth.probes.windows import TurnText

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel

TABLE = "layer_distances"
MOST_TOKENS = 120
BEFORE_CALL = 15
"""Tokens before a call that are shown: enough to see what it follows from…"""
FULL_WIDTH = 50
"""…and more where a page has room left after the call."""

Setting = tuple[str | None, ...]


class Pictures:
    """Knows which settings still lack a picture by this model."""

    def __init__(self, ledger: Ledger, opened: "OpenModel") -> None:
        rows = ledger.read("trajectories").select("trajectory_id", "calls", *SETTING)
        self._opened = opened
        self._setting: dict[str, Setting] = {row[0]: row[2:] for row in rows.iter_rows()}
        calling = rows.filter(pl.col("calls") > 0)["trajectory_id"]
        self._calling = {self._setting[name] for name in calling}
        kept = ledger.read(TABLE).filter(pl.col("depth_model") == opened.name)
        self._done = {self._setting.get(name) for name in kept["trajectory_id"].unique()}

    def wanted(self, trajectory_id: str, texts: Sequence[TurnText]) -> TurnText | None:
        """The turn of the trajectory that its setting's picture is to show; None for none."""
        setting = self._setting[trajectory_id]
        if setting in self._done:
            return None
        return next((text for text in texts if _shows(text, setting in self._calling)), None)

    def rows(self, trajectory_id: str, text: TurnText) -> pl.DataFrame:
        """The turn's rows; its setting then has its picture."""
        self._done.add(self._setting[trajectory_id])
        return layer_rows(trajectory_id, text, self._opened)


def _shows(text: TurnText, calling: bool) -> bool:
    if calling:
        return any(call is not None for call in text.calls)
    return bool(text.calls)


def layer_rows(trajectory_id: str, text: TurnText, opened: "OpenModel") -> pl.DataFrame:
    """Every layer's distance for the tokens that are shown."""
    from agentdyno_depth.probes.profiles import record_profiles

    start = first_drawn(text)
    (profile,) = record_profiles(opened, [text.sequence(start, MOST_TOKENS)])
    rows = [
        {
            "trajectory_id": trajectory_id,
            "turn": text.turn,
            "depth_model": opened.name,
            "token": start + place,
            "text": token,
            "layer": layer,
            "distance": float(distance),
        }
        for place, (token, distances) in enumerate(
            zip(profile.tokens, profile.distances["jsd"], strict=True)
        )
        for layer, distance in enumerate(distances, 1)
    ]
    return pl.DataFrame(rows, schema=empty_table(TABLE).schema)


def first_drawn(text: TurnText) -> int:
    """The first token of the picture: shortly before the call."""
    call = next((place for place, call in enumerate(text.calls) if call is not None), 0)
    return max(0, min(call - BEFORE_CALL, len(text.calls) - FULL_WIDTH))
