"""Says of every turn which response it is, so that the same one in another file is known again.

Takes a trajectory as a format read it and the file it came from; returns the trajectory with
`identity` on every turn and with a title. Knows nothing of other files: who compares identities
does that later.

- A provider's response id identifies on its own: a copy may lack the request id, and no response
  has two. An id that could stand anywhere (`chatcmpl-1`, `call0000000001`) does not: servers of
  one's own count from one. Telemetry may have the id of the request alone; the ledger knows which
  response that was once another file names both.
- Without one, the moments at which the call began and ended do, with the task and the attempt,
  where they are known to fractions of a second.
- Without those, a digest does: what came before the response, how it begins, its place among
  the turns, the task and attempt, and an *anchor*, without which two equal conversations could
  not be told from one conversation written down twice. The anchor is the first thing in the
  trajectory that happens once in the world: a time, a random id of a call, a session's id. Where
  there is no such thing, it is the file's own look and the place in it: a copy of the file is the
  same file, and two equal conversations in one file, or in files that differ, stay two. Runs at
  temperature 0 can write byte-equal files: with `keep_equal` each file is a sample of its own.

Texts enter the digest by their length and their edges, since whole ones would cost more time than
reading them did.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import starmap
from pathlib import Path

from msgspec import structs

from agentdyno.intake.source import Source
from agentdyno.records import Part, ToolCall, Trajectory, Turn, printable
from agentdyno.records.rows import Rows, as_rows
from agentdyno.records.secrets.excerpts import clean_beginning, cut_text

TITLE_CHARACTERS = 80
LOOKED_AT = 4
"""Calls whose ids are looked at."""
EDGE_BYTES = 64 * 1024
"""As much of a file's beginning and of its end tells it from others of the same size."""
EDGE = 32
"""Characters at each end of a text that enter the digest."""
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_WORD = re.compile(r"[0-9A-Za-z]{10,}")
_INNER_DASH = re.compile(r"(?<=[0-9A-Za-z]{5})-(?=[0-9A-Za-z]{5})")
"""A dash of a URL-safe alphabet; in `run-1-call-3` it separates words."""
_MIXED = re.compile(r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d|(?=.{20})(?:\d+[A-Za-z]|[A-Za-z]+\d)")
"""Letters and digits that alternate; a counter has its digits at the end, as `call0000000001`.
One random word of 24 characters in fifty does not alternate, so long ones need not."""
_PADDING = "00000"
"""Zeros before a number; one random word of 24 characters in fifty million has as many."""
LONGEST_ID = 400
"""Characters of an id that are looked at."""
FEWEST_DISTINCT = 5
"""Different characters of a UUID that nobody counted up."""


def identify(trajectory: Trajectory, source: Source, keep_equal: bool = False) -> Trajectory:
    """The trajectory with every turn's identity, and with a title where it had none.

    `keep_equal`: byte-equal files without ids or times hold different samples.
    """
    turns = as_rows(Turn, trajectory.turns)
    ids = _collect_ids(turns)
    times = _times(turns) if None in ids else []
    if times:
        _by_time(ids, times, turns, trajectory)
    if None in ids:
        anchor = _anchor(trajectory, times)
        fallback = (
            _digests(trajectory, anchor) if anchor else _places(trajectory, source, keep_equal)
        )
        ids = [identity or other for identity, other in zip(ids, fallback, strict=True)]
    # The values are fresh from their format and nobody else has them yet; copies of every turn
    # would take longer than all the rest here.
    turns.fill("identity", ids)
    if turns is not trajectory.turns:
        structs.force_setattr(trajectory, "turns", turns)
    if trajectory.title is None:
        structs.force_setattr(trajectory, "title", _title(as_rows(Part, trajectory.parts)))
    return trajectory


@lru_cache(maxsize=16_384)
def is_random(text: str) -> bool:
    """True when an id looks globally unique: a UUID, or ten letters and digits in a
    row that are no padded or trailing number."""
    text = text[:LONGEST_ID]  # The patterns take time by the square of a word's length.
    if "-" in text:
        if (uuid := _UUID.search(text)) is not None:
            return len(set(uuid[0])) > FEWEST_DISTINCT
        text = _INNER_DASH.sub("", text)
    return any(_MIXED.search(word) and _PADDING not in word for word in _WORD.findall(text))


def telemetry_key(session: str, into: int | None, cached: int | None, out: int | None) -> str:
    """By what a response of Codex is known in its session file and in its telemetry: neither has
    an id of it, and no two responses of a session have the same counts."""
    return f"codex {session} {into or 0}/{cached or 0}/{out or 0}"


def _collect_ids(turns: Rows[Turn]) -> list[str | None]:
    """Per turn: the format's own identity, or the provider's id."""
    identities, responses = turns.column("identity"), turns.column("response_id")
    requests = turns.column("request_id")
    if None not in identities or responses.count(None) == len(responses) == requests.count(None):
        return identities
    return [
        identity
        or next((candidate for candidate in ids if candidate and is_random(candidate)), None)
        for identity, *ids in zip(identities, responses, requests, strict=True)
    ]


_Times = list[tuple[float | None, float | None]]


def _times(turns: Rows[Turn]) -> _Times:
    """Per turn: when it began and ended. None at all where nothing is known of any, as is usual."""
    starts, ends = turns.column("started_at"), turns.column("ended_at")
    if starts.count(None) == len(starts) == ends.count(None):
        return []
    return list(zip(starts, ends, strict=True))


def _by_time(
    ids: list[str | None], times: _Times, turns: Rows[Turn], trajectory: Trajectory
) -> None:
    """A call that began and ended at these very moments, where they are more than whole seconds."""
    models = turns.column("model")
    for index, (start, end) in enumerate(times):
        if ids[index] is not None or start is None or end is None:
            continue
        if start != int(start) and end != int(end) and start != end:
            task = f"{trajectory.task_id} {trajectory.attempt}"
            ids[index] = f"{start:.6f} {end:.6f} {task} {models[index]}"


def _anchor(trajectory: Trajectory, times: _Times) -> str | None:
    """The first thing in the trajectory that happens once in the world."""
    for start, end in times:
        if (moment := start or end) is not None:
            return f"at {moment:.3f}"
    # Ids of one trajectory come from one place: what the first look like, all do.
    for call_id in as_rows(ToolCall, trajectory.calls).column("call_id")[:LOOKED_AT]:
        if call_id and is_random(call_id):
            return f"call {call_id}"
    session = trajectory.session_id
    return f"session {session}" if session and is_random(session) else None


def _places(trajectory: Trajectory, source: Source, keep_equal: bool) -> list[str]:
    """One for each turn: where it stands in which file, whatever the file is called.

    Unless byte-equal files are kept: then the file is known by its name.
    """
    texts = as_rows(Part, trajectory.parts).column("text")
    locator = trajectory.trajectory_id.rpartition("#")[2]
    last = len(texts[-1]) if texts else 0
    file = f"file {source.name}" if keep_equal else _look(source.path)
    prefix = f"{file} {locator} {len(texts)} {last} "
    return [prefix + str(turn) for turn in range(len(trajectory.turns))]


@lru_cache(maxsize=16)
def _look(path: Path) -> str:
    """A digest of the file's size and its two ends."""
    size = path.stat().st_size
    digest = blake2b(str(size).encode(), digest_size=8)
    with path.open("rb") as file:
        digest.update(file.read(EDGE_BYTES))
        file.seek(max(size - EDGE_BYTES, 0))
        digest.update(file.read(EDGE_BYTES))
    return digest.hexdigest()


def _digests(trajectory: Trajectory, anchor: str) -> Iterator[str]:
    """One for each turn, of everything up to it."""
    running = blake2b(digest_size=12)
    running.update(f"{anchor}|{trajectory.task_id}|{trajectory.attempt}|".encode(*_ANY_TEXT))
    given_parts, produced = _by_turn(trajectory)
    for index, (before, after) in enumerate(zip(given_parts, produced, strict=True)):
        running.update("".join([f"turn {index}|", *starmap(_edges, before)]).encode(*_ANY_TEXT))
        turn_digest = running.copy()
        if after:
            kind, text = after[0]
            # Only how it begins: a copy taken while it was streamed is cut short.
            turn_digest.update(f"{kind}{text[:EDGE]}".encode(*_ANY_TEXT))
            running.update("".join(starmap(_edges, after)).encode(*_ANY_TEXT))
        yield turn_digest.hexdigest()


_Text = tuple[str, str]
"""The kind of a part, and its text."""


def _by_turn(trajectory: Trajectory) -> tuple[list[list[_Text]], list[list[_Text]]]:
    """The parts that each turn was given as new, and those that it made."""
    count, parts = len(trajectory.turns), as_rows(Part, trajectory.parts)
    new_parts: list[list[_Text]] = [[] for _ in range(count)]
    produced: list[list[_Text]] = [[] for _ in range(count)]
    columns = map(parts.column, ("kind", "text", "made", "enters"))
    for kind, text, maker, enters in zip(*columns, strict=True):
        if maker is not None:
            produced[maker].append((kind, text))
        elif enters is not None and enters < count and kind != "schema":
            new_parts[enters].append((kind, text))
    return new_parts, produced


_ANY_TEXT = ("utf-8", "backslashreplace")


def _edges(kind: str, text: str) -> str:
    return f"{kind}{len(text)}{text[:EDGE]}{text[-EDGE:]}|"


_NOT_ASKED = (
    "<", "[Request interrupted", "Caveat: The messages below", "# AGENTS.md instructions",
    "This session is being continued from", "Base directory for this skill:", "Stop hook feedback",
    "# Context from my IDE setup",
)  # fmt: skip
"""How texts begin that a client puts among what a user says."""
_COMMAND = re.compile(r"<command-name>\s*(/?[^<]{1,60}?)\s*</command-name>")
_COMMAND_ARGUMENTS = re.compile(r"<command-args>\s*([^<]+?)\s*</command-args>")


def _title(parts: Rows[Part]) -> str | None:
    """The beginning of the first prompt, without the texts that a client adds; a command that a
    user typed, where there is no prompt."""
    command = None
    if "user" not in (kinds := parts.column("kind")):
        return None
    for kind, prompt in zip(kinds, parts.column("text"), strict=True):
        if kind == "user" and (text := " ".join(_begin(prompt).split())):
            if not text.startswith(_NOT_ASKED):
                return _short_title(text)
            command = command or _find_command(prompt)
    return command and _short_title(command)


def _find_command(prompt: str) -> str | None:
    """`/review 17`, of what a client makes of it."""
    beginning = cut_text(prompt, _COMMAND_CHARACTERS)
    if (name := _COMMAND.search(beginning)) is None:
        return None
    typed = _COMMAND_ARGUMENTS.search(beginning)
    return " ".join(f"{name[1]} {typed[1] if typed else ''}".split())


def _begin(text: str) -> str:
    """The beginning of a prompt; of several lines that become one, the rules see each."""
    if len(text) <= _LOOKED_AT and "\n" in text:
        return clean_beginning(text, _LOOKED_AT)
    return cut_text(text, _LOOKED_AT)


_LOOKED_AT = 160
_COMMAND_CHARACTERS = 600


def _short_title(text: str) -> str:
    if len(text) > TITLE_CHARACTERS:
        text = cut_text(text, TITLE_CHARACTERS - 1) + "…"
    return text if text.isprintable() else printable(text, TITLE_CHARACTERS)
