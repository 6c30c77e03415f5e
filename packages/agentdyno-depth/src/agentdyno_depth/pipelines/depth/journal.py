"""Records measured texts as they come, so that a killed run goes on where it stopped.

JSON lines: first how it was measured, then one line for each response with its token ids, so that
the file is also an exact input for `depth --texts`. `found.deep` says of every token whether it is
deep, from which ratios follow without this package. A response counts as done when its
line of input and the settings are the same. A last line that a kill tore is left out.
"""

from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.probes.text_files import Text
from agentdyno_depth.studies.depth.results import DepthOptions, SequenceDepth

_LEFT_OUT = ("profiles", "first_profile", "limit", "record", "device")
"""Options that change no number."""


class _Head(Struct, frozen=True, tag="depth"):
    """How the responses were measured."""

    settings: str
    """A fingerprint of the options."""
    model: str | None = None
    """The model that was read; None in older files."""
    layers: int | None = None
    """How many layers it has."""
    g: float | None = None
    """Distance at which a token has settled."""
    rho: float | None = None
    """Share of the layers at which the deep ones begin."""


class _Line(Struct, frozen=True):
    """One response: what `--texts` reads, and what was found."""

    id: str
    prompt: tuple[int, ...]
    """Token ids of the prompt."""
    response: tuple[int, ...]
    """Token ids of the response."""
    end: int | None
    """Id of the end token, None without one."""
    template: str
    """How the prompt was made."""
    correct: bool | None
    level: str | None
    """Reasoning level of the text."""
    source: str
    """A fingerprint of the line of input."""
    found: SequenceDepth
    """The depths that were measured."""
    problem: str | None = None
    """The problem that it is one of several responses to."""
    answer: str | None = None
    """The answer that it comes to."""


class Journal:
    """A file of responses that are done."""

    def __init__(self, path: Path, options: DepthOptions, layers: int) -> None:
        first = options.thresholds[0]
        self._path = path
        self._head = _Head(_fingerprint(options), options.model, layers, first.g, first.rho)
        self._done = self._read()

    def find(self, name: str, text: Text) -> SequenceDepth | None:
        """An earlier measurement of this very line; None without one."""
        line = self._done.get(name)
        return line.found if line is not None and line.source == _source(text) else None

    def add(self, texts: list[Text], depths: list[SequenceDepth]) -> None:
        """More responses at the end of the file."""
        lines = [msgspec.json.encode(_line(*pair)) for pair in zip(texts, depths, strict=True)]
        with self._path.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))

    def _read(self) -> dict[str, _Line]:
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_bytes(msgspec.json.encode(self._head) + b"\n")
            return {}
        lines_read = self._path.read_bytes().split(b"\n")[:-1]
        try:
            head = msgspec.json.decode(lines_read[0] if lines_read else b"", type=_Head)
            lines = [msgspec.json.decode(line, type=_Line) for line in lines_read[1:]]
        except msgspec.MsgspecError as error:
            raise InputError(
                f"{self._path}: expected a file that --record wrote, found: {error}. Name another."
            ) from None
        if head.settings != self._head.settings:
            raise InputError(
                f"{self._path}: expected responses measured in the same way, found other settings "
                "in its first line. Name another file, or remove this one."
            )
        self._path.write_bytes(b"".join(line + b"\n" for line in lines_read))  # No torn end.
        return {line.id: line for line in lines}


def _line(text: Text, depth: SequenceDepth) -> _Line:
    record = depth.record
    return _Line(
        id=depth.id,
        prompt=record.prompt if record else (),
        response=record.response if record else (),
        end=record.end if record else None,
        template=record.template if record else "",
        correct=text.correct,
        level=text.level,
        source=_source(text),
        found=depth,
        problem=text.problem,
        answer=text.answer,
    )


def _source(text: Text) -> str:
    return blake2b(msgspec.json.encode(text), digest_size=8).hexdigest()


def _fingerprint(options: DepthOptions) -> str:
    named = msgspec.to_builtins(options, enc_hook=str)
    deciding = {name: value for name, value in named.items() if name not in _LEFT_OUT}
    return blake2b(msgspec.json.encode(deciding, order="sorted"), digest_size=8).hexdigest()
