"""Which of several equally good values an edge or a use names does not depend on hashes."""

import os
import subprocess
import sys

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.matching.appearances import Appearances
from agentdyno.matching.uses import use_of
from agentdyno.records import Trajectory
from tests.metrics.scheduling.trajectories import Call, trajectory

IDS = [f"{letter}X{number}K7" for number, letter in enumerate("QWERTZUIOP", start=10)]
WORDS = "harbour_gate river_crossing mountain_hut valley_station glacier_path summit_cross"


def ties() -> Trajectory:
    """Every choice among equals: in a short argument, a long one, figures, and a failure."""
    listed: Call = ("list_orders", {}, {"ids": IDS, "left": [41233, 51677, 20456, 30900]})
    note: Call = (
        "note",
        {"text": "They are all late: " + ", ".join(reversed(IDS)) + "." * 150},
        "ok",
    )
    pay: Call = ("pay", {"amount": 72133, "for": " ".join(IDS)}, "ok")
    gone: Call = ("find", {"what": WORDS}, "Error: nothing of that kind")
    again: Call = ("find", {"what": f"{WORDS} nearby"}, "found")
    return trajectory("x", [listed], [note], [pay], [gone], [again])


def told() -> str:
    index = Appearances(ties())
    return repr((infer_edges(ties()), [use_of(index, call) for call in range(5)]))


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_edges_and_uses_are_the_same_under_every_hash_seed(seed: str) -> None:
    code = "from tests.metrics.scheduling.test_hash_seed import told; print(told())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**env, "PYTHONHASHSEED": each},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for each in ("0", seed)
    ]
    assert "CallEdge" in runs[0]
    assert runs[0] == runs[1]
