"""Says of every turn which response it is, so that the same one in another file is known again.

Takes a trajectory as a format read it and the file it came from; returns the trajectory with
`identity` on every turn and with a title. Knows nothing of other files: who compares identities
does that later.

- A provider's response id identifies, with the request id where there is one. An id that could
  stand anywhere (`chatcmpl-1`) does not: servers of one's own count from one.
- Without such an id, a digest does: what came before the response, how it begins, its place among
  the turns, the task and attempt, and an *anchor*, without which two equal conversations could
  not be told from one conversation written down twice. The anchor is the first thing in the
  trajectory that happens once in the world: a time, a random id of a call, a session's id. Where
  there is no such thing, it is the file's own look and the place in it: a copy of the file is the
  same file, and two equal conversations in one file, or in files that differ, stay two.

Texts enter the digest by their length and their edges, since whole ones would cost more time than
reading them did.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from msgspec import structs

from agentdyno.intake.format import Source
from agentdyno.records import Part, Trajectory, Turn, printable

TITLE_CHARACTERS = 80
EDGE_BYTES = 64 * 1024
"""As much of a file's beginning and of its end tells it from others of the same size."""
EDGE = 32
"""Characters at each end of a text that enter the digest."""
_WORD = re.compile(r"[0-9A-Za-z]{10,}")
_MIXED = re.compile(r"(?=.*\d)(?=.*[A-Za-z])")


def identify(trajectory: Trajectory, source: Source) -> Trajectory:
    """The trajectory with every turn's identity, and with a title where it had none."""
    turns = trajectory.turns
    ids = [turn.identity or _by_provider(turn) for turn in turns]
    if None in ids:
        digests = _digests(trajectory, _anchor(trajectory) or _place(trajectory, source))
        ids = [known or digest for known, digest in zip(ids, digests, strict=True)]
    named = tuple(
        [
            turn if turn.identity else structs.replace(turn, identity=identity)
            for turn, identity in zip(turns, ids, strict=True)
        ]
    )
    title = trajectory.title or _title(trajectory.parts)
    return structs.replace(trajectory, turns=named, title=title)


def response_identity(response_id: str, request_id: str | None) -> str:
    """The identity of a response that has an id."""
    return f"{response_id}/{request_id}" if request_id else response_id


def is_random(text: str) -> bool:
    """Whether an id looks as if nobody else could have it: ten mixed letters and digits in a row,
    or as many in the groups of a UUID."""
    if "-" in text:
        text = text.replace("-", "")
    return any(_MIXED.match(word) is not None for word in _WORD.findall(text))


def _by_provider(turn: Turn) -> str | None:
    if turn.response_id and is_random(turn.response_id):
        return response_identity(turn.response_id, turn.request_id)
    return None


def _anchor(trajectory: Trajectory) -> str | None:
    """The first thing in the trajectory that happens once in the world."""
    for turn in trajectory.turns:
        if (moment := turn.started_at or turn.ended_at) is not None:
            return f"at {moment:.3f}"
    for call in trajectory.calls:
        if call.call_id and is_random(call.call_id):
            return f"call {call.call_id}"
    session = trajectory.session_id
    return f"session {session}" if session and is_random(session) else None


def _place(trajectory: Trajectory, source: Source) -> str:
    """Where it stands in which file, whatever the file is called."""
    return f"file {_look(source.path)} {trajectory.trajectory_id.rpartition('#')[2]}"


@lru_cache(maxsize=16)
def _look(path: Path) -> str:
    """What the file holds, as far as its size and its two ends say."""
    size = path.stat().st_size
    digest = blake2b(str(size).encode(), digest_size=12)
    with path.open("rb") as file:
        digest.update(file.read(EDGE_BYTES))
        file.seek(max(size - EDGE_BYTES, 0))
        digest.update(file.read(EDGE_BYTES))
    return digest.hexdigest()


def _digests(trajectory: Trajectory, anchor: str) -> Iterator[str]:
    """One for each turn, of everything up to it."""
    running = blake2b(digest_size=12)
    running.update(f"{anchor}|{trajectory.task_id}|{trajectory.attempt}|".encode(*_ANY_TEXT))
    given, made = _by_turn(trajectory)
    for index in range(len(trajectory.turns)):
        running.update(f"turn {index}|".encode())
        for part in given[index]:
            running.update(_gist(part))
        own = running.copy()
        if made[index]:
            # Only how it begins: a copy taken while it was streamed is cut short.
            own.update(_beginning(made[index][0]))
        yield own.hexdigest()
        for part in made[index]:
            running.update(_gist(part))


def _by_turn(trajectory: Trajectory) -> tuple[list[list[Part]], list[list[Part]]]:
    """The parts that each turn was given as new, and those that it made."""
    count = len(trajectory.turns)
    given: list[list[Part]] = [[] for _ in range(count)]
    made: list[list[Part]] = [[] for _ in range(count)]
    for part in trajectory.parts:
        if part.made is not None:
            made[part.made].append(part)
        elif part.enters is not None and part.enters < count and part.kind != "schema":
            given[part.enters].append(part)
    return given, made


_ANY_TEXT = ("utf-8", "backslashreplace")


def _gist(part: Part) -> bytes:
    text = part.text
    return f"{part.kind}{len(text)}{text[:EDGE]}{text[-EDGE:]}|".encode(*_ANY_TEXT)


def _beginning(part: Part) -> bytes:
    return f"{part.kind}{part.text[:EDGE]}".encode(*_ANY_TEXT)


def _title(parts: tuple[Part, ...]) -> str | None:
    """How the first prompt begins; what a client wraps in tags is not what somebody asked."""
    prompts = [part.text for part in parts if part.kind == "user" and part.text.strip()]
    asked = next((text for text in prompts if not text.lstrip().startswith("<")), None)
    text = asked if asked is not None else next(iter(prompts), None)
    return None if text is None else printable(" ".join(text[:400].split()), TITLE_CHARACTERS)
