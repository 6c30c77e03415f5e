"""The things of a ledger that are judged, with their texts.

Texts are read again from the files that were measured; a file that changed or is gone is left out
and named.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno_bench.shared.verdicts.kinds import Kind
from agentdyno_bench.shared.verdicts.planned import Item, Place


class Reader:
    """Reads what one kind judges in one ledger, as often as is needed."""

    def __init__(self, folder: Path, kind: Kind, sample: int | None = None) -> None:
        self.ledger = Ledger(folder)
        self.missing = find_missing_inputs(self.ledger)
        self._kind = kind
        self._chosen = None if sample is None else self._draw(sample)
        self._trajectories = None if self._chosen is None else {item[0] for item in self._chosen}

    def items(self) -> Iterator[Item]:
        """Everything that is to be judged, trajectory by trajectory."""
        for volume in sorted(self.ledger.manifest.volumes):
            for trajectory in volume_trajectories(self.ledger, volume, self.missing):
                if self._trajectories is None or trajectory.trajectory_id in self._trajectories:
                    yield from self._in(volume, trajectory)

    def _in(self, volume: str, trajectory: Trajectory) -> Iterator[Item]:
        for thing in self._kind.things(trajectory):
            item = Item(volume, trajectory.trajectory_id, thing)
            if self._chosen is None or item.place in self._chosen:
                yield item

    def _draw(self, sample: int) -> set[Place]:
        """So many rows, spread over the ledger, the same ones every time."""
        rows = self.ledger.read(self._kind.about)
        if self._kind.about == "calls":
            places: list[Place] = list(rows.select("trajectory_id", "turn", "call").iter_rows())
        else:
            main = rows.filter(rows["parent_id"].is_null() & (rows["turns"] > 0))
            places = [(name, None, None) for name in main["trajectory_id"]]
        return set(sorted(places, key=_mix)[:sample])


def _mix(location: Place) -> bytes:
    return blake2b(repr(location).encode("utf-8", "surrogatepass"), digest_size=8).digest()
