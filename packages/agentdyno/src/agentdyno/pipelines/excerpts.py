"""How requests and results begin, for the trajectories that a page opens.

Takes a ledger and the names of trajectories, the most expensive first; returns the first characters
of what each call asked and got, without what the rules take for secrets. Reads their traces again,
no more than `ROOM_BYTES` of them; a trace that is gone or has changed gives no excerpts.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from agentdyno.pipelines.sources import ReadableLedger, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.excerpts import clean_beginning
from agentdyno.studies.cost.drilldown import Excerpt, Excerpts

ROOM_BYTES = 32 * 2**20
"""Of traces that one page reads again."""
MOST_TRAJECTORIES = 100
LONGEST = 200
"""Characters of a request or a result."""
SEARCHED = 1000
"""Characters that are looked at: blanks among them are not displayed."""


def read_excerpts(ledger: ReadableLedger, names: Sequence[str]) -> Excerpts:
    """Excerpts of the calls of these trajectories, as far as there is room."""
    requested = set(names[:MOST_TRAJECTORIES])
    sources = _choose_sources(ledger, names[:MOST_TRAJECTORIES])
    missing = {name: "" for name in ledger.manifest.inputs if name not in sources}
    missing |= ledger.unreadable()
    excerpts: Excerpts = {}
    for volume in ledger.manifest.volumes:
        for trajectory in volume_trajectories(ledger, volume, missing, only_counted=True):
            if trajectory.trajectory_id in requested:
                excerpts.update(_cut(trajectory))
    return excerpts


def _choose_sources(ledger: ReadableLedger, names: Sequence[str]) -> set[str]:
    """Inputs of the trajectories in order, until the room is used up."""
    rows = ledger.scan("trajectories").filter(pl.col("trajectory_id").is_in(list(names)))
    source_of = dict(rows.select("trajectory_id", "source").collect().iter_rows())
    inputs = {clean_name(name): name for name in ledger.manifest.inputs}
    sources: set[str] = set()
    room = ROOM_BYTES
    for name in names:
        source = inputs.get(source_of.get(name, ""), "")
        if not source or source in sources:
            continue
        room -= ledger.manifest.inputs[source].fingerprint.size
        if room < 0:
            break
        sources.add(source)
    return sources


def _cut(trajectory: Trajectory) -> Iterator[tuple[tuple[str, int, int], Excerpt]]:
    for call in trajectory.calls:
        result = "" if call.result is None else trajectory.parts[call.result].text
        key = (trajectory.trajectory_id, call.turn, call.call)
        yield key, Excerpt(begin_text(call.arguments), begin_text(result))


def begin_text(text: str) -> str | None:
    """The beginning of a text on one line, without secrets; None where there is nothing."""
    line = " ".join(clean_beginning(text, SEARCHED).split())
    if not line:
        return None
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
