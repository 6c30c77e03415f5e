"""Aider: the Markdown file in which it keeps its chats, several one after the other.

Lines behind `####` are a person's, those behind `>` the program's, the others the model's. The
program says after every response how much was sent and received, rounded to two or three digits;
that line makes what stands before it a response. Without one, an answer that was cut and what the
program itself printed look alike: neither is counted. Files in the chat are sent but not shown.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Session, Shape
from agentdyno.intake.source import Source
from agentdyno.intake.texts import project_folder
from agentdyno.records import Trajectory

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_MODEL = re.compile(r"> (?:Main model|Model): (\S+)")
_TOKENS = re.compile(
    r"> Tokens: (?P<prompt>[\d.,]+[kM]?) sent(?:, (?P<written>[\d.,]+[kM]?) cache write)?"
    r"(?:, (?P<read>[\d.,]+[kM]?) cache hit)?, (?P<output>[\d.,]+[kM]?) received\."
    r"(?: Cost: \$(?P<usd>[\d.,]+) message)?"
)
_COUNTS = {name: name for name in ("prompt", "written", "read", "output", "usd")}
SHAPE = Shape(
    "aider",
    {
        "model": Row("nothing", model="text"),
        "user": Row("user", "text"),
        "text": Row("text", "text"),
        "tokens": (Row("turn", usage=_COUNTS), Row("nothing", closes=True)),
    },
)


def detect(head: Head) -> float:
    """0.95 for a file that begins with a chat."""
    return 0.95 if head.data.lstrip().startswith(b"# aider chat started at ") else 0.0


def read(source: Source) -> Iterator[Trajectory]:
    """Yields a trajectory for every chat."""
    session: Session | None = None
    project = _project(source.path.absolute().parent)
    texts: list[tuple[int, str]] = []
    for line, record in _records(source):
        kind = record["type"]
        if kind == "text":
            texts.append((line, record["text"]))
            continue
        for number, text in texts:
            if session:
                session.add({"type": "text" if kind == "tokens" else "user", "text": text}, number)
        texts = []
        if kind == "started":
            yield from session.results(project=project) if session else ()
            session = Session(SHAPE, source)
            session.talk.id = record["text"].replace(" ", "T")
        elif session:
            session.add(record, line)
    yield from session.results(project=project) if session else ()


def _project(folder: Path) -> str | None:
    """The repository whose chats these are; elsewhere the file was carried off."""
    return project_folder(str(folder)) if (folder / ".git").exists() else None


def _records(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records of the lines, those of a kind together."""
    block: tuple[int, str, list[str]] = (1, "note", [])
    with source.path.open("r", encoding="utf-8", errors="replace", newline="\n") as file:
        number = 0
        while line := file.readline(source.max_record_bytes):
            number += 1
            kind, fields = _read_line(line)
            if kind == block[1] and kind in ("user", "text"):
                block[2].append(fields["text"])
                continue
            if text := "".join(block[2]).strip():
                yield block[0], {"type": block[1], "text": text}
            block = (number, kind, [fields["text"]] if kind in ("user", "text") else [])
            if kind not in ("user", "text", "note"):
                yield number, {"type": kind, **fields}
    if text := "".join(block[2]).strip():
        yield block[0], {"type": block[1], "text": text}


def _read_line(line: str) -> tuple[str, dict[str, Any]]:
    if line.startswith("####"):
        return "user", {"text": line[4:].lstrip(" ").rstrip(" \n") + "\n"}
    if started := _STARTED.fullmatch(line):
        return "started", {"text": started[1]}
    if tokens := _TOKENS.match(line):
        return "tokens", {name: _number(text) for name, text in tokens.groupdict().items()}
    if model := _MODEL.match(line):
        return "model", {"text": model[1]}
    return ("note", {"text": ""}) if line.startswith(">") else ("text", {"text": line})


def _number(text: str | None) -> float | None:
    """`12k` is 12,000."""
    scale = {"k": 1e3, "M": 1e6}.get((text or "")[-1:], 1.0)
    try:
        return None if text is None else round(float(text.rstrip("kM").replace(",", "")) * scale, 9)
    except ValueError:
        return None


FORMAT = SHAPE.format(
    "Aider chats (.aider.chat.history.md)",
    detect,
    read=read,
    version=2,
    description=(
        "Read: tokens and cost of each response, rounded as Aider writes them; models. Missing: "
        "times but the chat's beginning, files in the chat and the repository map (hidden prompt), "
        "responses without a line of tokens (commit messages, answers that were cut)."
    ),
)
