"""Damages valid files in the ways files get damaged, for the property tests of every format."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from agentdyno.intake.format import Format
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory

NOISE = [
    b"\x00", b"\xff\xfe", b"\x1b[31m", b'"', b"{", b"}", b"[", b"]", b"null", b"-1", b"1e999",
    b"NaN", b"true", b"{}", b"[]", b'""', b"\\ud800", b"[" * 3000, b"\n", b"9" * 40,
    b"\xe2\x80\xae",
]  # fmt: skip


@st.composite
def damaged(draw: st.DrawFn, originals: Sequence[bytes]) -> bytes:
    """One of the originals with up to four cuts, swaps, repeats or insertions of noise."""
    data = draw(st.sampled_from(list(originals)))
    for _ in range(draw(st.integers(1, 4))):
        data = draw(_once(data)) if data else data
    return data


@st.composite
def _once(draw: st.DrawFn, data: bytes) -> bytes:
    at = draw(st.integers(0, len(data)))
    size = draw(st.integers(0, 200))
    noise = draw(st.sampled_from(NOISE))
    kind = draw(st.sampled_from(["cut_end", "remove", "insert", "overwrite", "repeat", "value"]))
    if kind == "cut_end":
        return data[:at]
    if kind == "remove":
        return data[:at] + data[at + size :]
    if kind == "insert":
        return data[:at] + noise + data[at:]
    if kind == "overwrite":
        return data[:at] + noise + data[at + len(noise) :]
    if kind == "repeat":
        return data[: at + size] + data[at:]
    return _other_value(data, at, noise)


def _other_value(data: bytes, at: int, noise: bytes) -> bytes:
    """Replaces the value behind the next colon: the right key with the wrong type."""
    colon = data.find(b":", at)
    ends = [i for i in (data.find(c, colon + 1) for c in (b",", b"}", b"]")) if i > 0]
    return data if colon < 0 or not ends else data[: colon + 1] + noise + data[min(ends) :]


def assert_survives(format: Format, path: Path) -> None:
    """Reading ends without an exception and yields sound trajectories and explained bad records."""
    ids = set()
    for item in format.read(Source(path, path.name, max_record_bytes=2**20)):
        if isinstance(item, BadRecord):
            assert item.source == path.name
            assert item.place
            assert item.expected
            assert item.found
            assert (item.expected + item.found).isprintable()
        else:
            assert_sound(item)
            assert item.trajectory_id not in ids
            ids.add(item.trajectory_id)


def assert_sound(trajectory: Trajectory) -> None:
    """Indices point into the trajectory, and intervals are intervals."""
    turns, calls, parts = len(trajectory.turns), len(trajectory.calls), len(trajectory.parts)
    assert turns > 0
    for part in trajectory.parts:
        assert part.made is None or 0 <= part.made < turns
        assert part.enters is None or 0 <= part.enters < turns
        assert part.leaves is None or (
            part.enters is not None and part.enters < part.leaves <= turns
        )
        assert part.call is None or 0 <= part.call < calls
        assert isinstance(part.text, str)
        part.text.encode("utf-8", "surrogatepass")
    for call in trajectory.calls:
        assert 0 <= call.turn < turns
        assert call.request is None or trajectory.parts[call.request].kind == "request"
        assert call.result is None or trajectory.parts[call.result].kind == "result"
        assert call.result is None or call.result < parts
    for turn in trajectory.turns:
        for count in (turn.prefill, turn.decode):
            assert count is None or count.tokens >= 0
        assert turn.cached_tokens is None or turn.cached_tokens >= 0
