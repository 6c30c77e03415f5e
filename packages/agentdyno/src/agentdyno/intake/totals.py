"""The result of a scan: a file's responses with their counts, and texts only of responses whose
output nobody counted.

Takes what a format's scan found, or a trajectory that a reader made, returns `Response`s.
"""

from collections import defaultdict

from msgspec import Struct

from agentdyno.records import Part, PartKind, Trajectory, Turn
from agentdyno.records.rows import as_rows


class Talk(Struct, gc=False):
    """A session's main talk, or a sub-agent's."""

    trajectory_id: str
    """As a ledger has it."""
    source: str
    format: str
    model: str | None = None
    """The model that answered most often."""
    session_id: str | None = None
    project: str | None = None
    responses: int = 0


class Written(Struct, gc=False):
    """A text that the model wrote."""

    kind: PartKind
    text: str
    """The text; empty where only its size is known."""
    tokens: int | None = None
    """Its size where the provider reported it."""


class Response(Struct, gc=False):
    """A response as it stands in one file."""

    talk: Talk
    place: int
    """Its place in the talk."""
    identity: str = ""
    """By what it is known in every file."""
    model: str | None = None
    """The model that wrote it."""
    context: int | None = None
    """Tokens of the prompt, cached ones included; None where nobody counted them."""
    is_prompt_sized: bool = False
    """True when these are sized from the texts."""
    cached: int | None = None
    """How many of them were read from a cache."""
    written: int | None = None
    hour: int | None = None
    """How many of these are kept for an hour."""
    output: int = 0
    is_counted: bool = True
    """True when the provider counted these; otherwise they are estimated from the text."""
    is_hidden: bool = False
    """True when the file has nothing of its output."""
    service_tier: str | None = None
    """The terms that it was served at."""
    web_searches: int | None = None
    """Searches that are charged for."""
    reported_usd: float | None = None
    """Its cost as reported in the trace."""
    started_at: float | None = None
    """When it was asked for, in seconds since 1970."""
    ended_at: float | None = None
    request_id: str | None = None
    """The provider's id of the request."""
    stands_for: str | None = None
    """As in `Turn`."""
    texts: list[Written] = []
    """Its output, where nobody counted that."""
    usd: float | None = None
    """Its cost; None without a price or a count."""

    @property
    def at(self) -> float | None:
        """When it was asked for, or else answered."""
        return self.ended_at if self.started_at is None else self.started_at


def list_responses(trajectory: Trajectory, are_whole: bool = True) -> list[Response]:
    """The responses of a trajectory. `are_whole`: it has all their texts."""
    talk = Talk(
        trajectory.trajectory_id, trajectory.source, trajectory.format, trajectory.model,
        trajectory.session_id, trajectory.project, len(trajectory.turns),
    )  # fmt: skip
    texts: dict[int, list[Written]] = defaultdict(list)
    for part in as_rows(Part, trajectory.parts):
        if part.made is not None and (part.text or part.tokens is not None):
            texts[part.made].append(Written(part.kind, part.text, part.tokens))
    return [
        _from_turn(turn, talk, index, texts.get(index, []), are_whole and index not in texts)
        for index, turn in enumerate(as_rows(Turn, trajectory.turns))
    ]


def _from_turn(
    turn: Turn, talk: Talk, index: int, texts: list[Written], is_hidden: bool
) -> Response:
    return Response(
        talk,
        index,
        turn.identity or "",
        turn.model or talk.model,
        None if turn.prefill is None else turn.prefill.tokens,
        False,
        turn.cached_tokens,
        turn.cache_write_tokens,
        turn.cache_write_hour_tokens,
        0 if turn.decode is None else turn.decode.tokens,
        turn.decode is not None,
        is_hidden,
        turn.service_tier,
        turn.web_searches,
        turn.reported_usd,
        turn.started_at,
        turn.ended_at,
        turn.request_id,
        turn.stands_for,
        texts if turn.decode is None else [],
    )
