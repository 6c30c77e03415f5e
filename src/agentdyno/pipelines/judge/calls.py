"""The calls of a ledger with their texts: what is judged, and what it is called.

Texts are read again from the files that were measured; a file that changed or is gone is left out
and named. A call that the rules leave out is not judged.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from agentdyno.judges.utility.state import CallState, state_of
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.utility.logical import LogicalTools
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories


class CallToJudge(Struct, frozen=True):
    """One call, before anybody said anything about it."""

    volume: str
    """The ledger's volume that holds it."""
    trajectory_id: str
    """Its trajectory."""
    turn: int
    """Its turn."""
    call: int
    """Its place in the turn."""
    state: CallState
    """What the judge is shown."""


class Reader:
    """Reads the calls of one ledger, as often as is needed."""

    def __init__(self, folder: Path, rules: LogicalTools, sample: int | None = None) -> None:
        self.ledger = Ledger(folder)
        self.missing = missing_inputs(self.ledger.manifest)
        self._rules = rules
        self._chosen = None if sample is None else self._drawn(sample)

    def calls(self) -> Iterator[CallToJudge]:
        """Every call that is to be judged, trajectory by trajectory."""
        for volume in sorted(self.ledger.manifest.volumes):
            yield from self._in_volume(volume)

    def _in_volume(self, volume: str) -> Iterator[CallToJudge]:
        for trajectory in volume_trajectories(self.ledger.manifest, volume, self.missing):
            for index, call in enumerate(trajectory.calls):
                key = (trajectory.trajectory_id, call.turn, call.call)
                if self._chosen is not None and key not in self._chosen:
                    continue
                tool = self._rules.name_of(call.tool, call.arguments)
                if tool is not None:
                    yield CallToJudge(volume, *key, state_of(trajectory, index, tool))

    def _drawn(self, sample: int) -> set[tuple[str, int, int]]:
        """So many calls, spread over the ledger, the same ones every time."""
        rows = self.ledger.read("calls").select("trajectory_id", "turn", "call").iter_rows()
        keys = [(str(t), int(u), int(c)) for t, u, c in rows]
        return set(sorted(keys, key=_mixed)[:sample])


def _mixed(key: tuple[str, int, int]) -> bytes:
    return blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=8).digest()
