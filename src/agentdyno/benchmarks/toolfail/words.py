"""The reviewed vocabularies: what can be asked in a domain, with a plausible prior for each value.

Enters a TOML file of the folder `vocabulary`, leaves a `Vocabulary`. A row of a tool reads
`arguments | how people call it | constants | one prior per field`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct

from agentdyno.records.failures import OfferedTool

DOMAINS = ("finance", "medicine", "law", "cybersecurity", "real_estate")

FieldKind = Literal["number", "date", "category", "code"]


class Field(Struct, frozen=True):
    """A field that can be asked for."""

    name: str
    """Its name in the return; the unit is its ending."""
    say: str
    """What people call it."""
    kind: FieldKind = "number"
    """What its values are."""
    decimals: int = 0
    """Digits after the point; negative rounds to tens, hundreds and so on."""
    choices: tuple[str, ...] = ()
    """The values of a category."""
    most: float | None = None
    """The greatest value that makes sense; None when there is none."""


class Row(Struct, frozen=True):
    """Something a tool knows about."""

    arguments: dict[str, Any]
    """What the tool has to be called with."""
    say: str
    """What people call it."""
    constants: dict[str, str]
    """Fields that are returned as they are."""
    priors: tuple[float | int | str, ...]
    """Per field: what somebody who does not look would say."""


class ToolWords(Struct, frozen=True):
    """One tool of a domain."""

    offered: OfferedTool
    """The tool as the model sees it."""
    fields: tuple[Field, ...]
    """What can be asked for."""
    rows: tuple[Row, ...]
    """What it can be asked about."""
    dated: str | None
    """Name of a field that holds the record's date."""
    link: str | None
    """Name of a field that leads to another tool's row."""


class Chain(Struct, frozen=True):
    """Two tools of which the first says what the second has to be asked about."""

    first: str
    """The tool that holds the link."""
    then: str
    """The tool that is asked next."""
    say: str
    """How people call what the link leads to, with a place for the first entity."""


class Vocabulary(Struct, frozen=True):
    """All that can be asked in a domain."""

    domain: str
    """Its name."""
    code: str
    """Three letters for ids."""
    role: str
    """What the assistant is there for."""
    boundary: str
    """What it does not do."""
    template: str
    """The form of an answer."""
    contexts: tuple[str, ...]
    """What people need values for."""
    asked_by: tuple[str, ...]
    """Who wants to know."""
    tools: tuple[ToolWords, ...]
    """The nine tools."""
    chain: Chain
    """The chain of its tasks with several turns."""
    terms: tuple[tuple[str, tuple[str, ...]], ...]
    """Concepts, each with words of which a right explanation has at least one."""
    pairs: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Concepts that are told apart, each pair with such words."""

    def tool(self, name: str) -> ToolWords:
        """The tool of that name."""
        return next(tool for tool in self.tools if tool.offered.name == name)


@cache
def vocabulary(domain: str) -> Vocabulary:
    """The vocabulary of a domain, read from the package."""
    text = files(__package__).joinpath("vocabulary", f"{domain}.toml").read_text("utf-8")
    found = tomllib.loads(text)
    return Vocabulary(
        domain=found["domain"],
        code=found["code"],
        role=found["role"],
        boundary=found["boundary"],
        template=found["template"],
        contexts=tuple(found["contexts"]),
        asked_by=tuple(found["asked_by"]),
        tools=tuple(_tool(entry) for entry in found["tools"]),
        chain=Chain(**found["multi"]["chain"]),
        terms=tuple(_term(line) for line in found["concepts"]["terms"]),
        pairs=tuple(_pair(line) for line in found["concepts"]["pairs"]),
    )


def _tool(entry: dict[str, Any]) -> ToolWords:
    fields = tuple(_field(each) for each in entry["fields"])
    constants: list[str] = entry.get("constants", [])
    dated, link = entry.get("dated"), entry.get("link")
    arguments: list[dict[str, Any]] = entry["arguments"]
    names = [a["name"] for a in arguments] + constants + [f.name for f in fields]
    returns = (*names, *(name for name in (link, dated) if name))
    offered = OfferedTool(entry["name"], entry["description"], _schema(arguments), returns)
    rows = tuple(_row(line, arguments, constants, fields) for line in entry["rows"])
    return ToolWords(offered, fields, rows, dated, link)


def _field(entry: dict[str, Any]) -> Field:
    return Field(**{**entry, "choices": tuple(entry.get("choices", ()))})


def _schema(arguments: list[dict[str, Any]]) -> dict[str, Any]:
    properties = {
        a["name"]: {key: value for key, value in a.items() if key != "name"} for a in arguments
    }
    required = [a["name"] for a in arguments]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _row(
    line: str, arguments: list[dict[str, Any]], constants: list[str], fields: tuple[Field, ...]
) -> Row:
    cells = [cell.strip() for cell in line.split(" | ")]
    given, rest = cells[: len(arguments)], cells[len(arguments) + 1 :]
    return Row(
        arguments={
            a["name"]: int(cell) if a["type"] == "integer" else cell
            for a, cell in zip(arguments, given, strict=True)
        },
        say=cells[len(arguments)],
        constants=dict(zip(constants, rest[: len(constants)], strict=True)),
        priors=tuple(
            _prior(field, cell) for field, cell in zip(fields, rest[len(constants) :], strict=True)
        ),
    )


def _prior(field: Field, cell: str) -> float | int | str:
    if field.kind != "number":
        return cell
    return float(cell) if field.decimals > 0 else int(cell)


def _term(line: str) -> tuple[str, tuple[str, ...]]:
    term, words = line.split(" | ")
    return term.strip(), _words(words)


def _pair(line: str) -> tuple[str, str, tuple[str, ...]]:
    first, second, words = line.split(" | ")
    return first.strip(), second.strip(), _words(words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(";"))
