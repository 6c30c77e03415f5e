"""Where the fuel went by setting: one bar each, cut by kind of part."""

from typing import TYPE_CHECKING, Any

from agentdyno.records.settings import SettingName
from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.fuel import kind_colour
from agentdyno.reports.charts.palette import KINDS, LIGHT
from agentdyno.reports.numbers import label, short
from agentdyno.studies.cost.results import KindShare

if TYPE_CHECKING:
    import altair as alt

SETTINGS = 12
BAR_ROW = 42
WORDY = 500
"""Under this width the note is cut to its figure."""


def by_setting(kinds: list[KindShare], width: int) -> "alt.LayerChart":
    """The name above each bar, and beside it the mean cost of a trajectory."""
    import altair as alt

    order = list(dict.fromkeys(k.setting for k in kinds))[:SETTINGS]
    place = {setting: i for i, setting in enumerate(order)}
    rank = {kind: i for i, kind in enumerate(KINDS)}
    pieces = [
        {"row": place[k.setting], "kind": k.kind, "share": k.share, "rank": rank.get(k.kind, 9)}
        for k in kinds
        if k.setting in place and k.share
    ]
    whole = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("row:N", axis=None, sort=None)
    bars = over(pieces).mark_bar(size=13, yOffset=7)
    heads = over([{"row": place[s], **_head(s, kinds, width)} for s in order])
    name = heads.mark_text(align="left", baseline="bottom", dy=-2, limit=width - 90)
    note = heads.mark_text(align="right", baseline="bottom", dy=-2, color=LIGHT["soft"])
    layers = [
        bars.encode(
            x=alt.X("share:Q", axis=None, stack="zero", scale=whole),
            y=y,
            color=kind_colour(legend=True),
            order=alt.Order("rank:Q"),
        ),
        name.encode(x=alt.value(0), y=y, text="name:N"),
        note.encode(x=alt.value(alt.expr("width")), y=y, text="note:N"),
    ]
    return layered(layers, width, BAR_ROW * len(order))


def _head(setting: SettingName, kinds: list[KindShare], width: int) -> dict[str, Any]:
    mine = [k for k in kinds if k.setting == setting]
    many = mine[0].trajectories
    mean = short(sum(k.pte for k in mine) / many)
    note = f"{mean} PTE each, n = {many:,}" if width > WORDY else mean
    return {
        "name": label(setting.model, setting.benchmark, setting.variant, limit=34),
        "note": note,
    }
