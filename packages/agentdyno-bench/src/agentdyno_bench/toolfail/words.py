"""The written vocabularies: what can be asked in a domain, how, and what people would guess.

Takes a TOML file of the folder `vocabulary`, returns a `Vocabulary`. A leaf of a record reads
`path | what people call it | how it is drawn`:

    prior N D [<=M]   a number that differs from the row's Nth prior, with D decimals, M at most
    near A B D        a number between A and B
    calc F D          worked out from other leaves: what makes a record coherent
    other N a; b      one of these, not the row's Nth prior
    pick a; b         one of these
    code N            a code of the same shape as the Nth prior, another one
    version N [LEAF]  a version that might follow the Nth prior, later than LEAF where one is given
    column N          the Nth prior itself, which is no secret (a unit)
    day A B           a date between A and B
    month A B         the last day of a month between A and B
    band LEAF A B x; y; z   x where LEAF is below A, y up to B, z above
    link TOOL [N]     what a row of another tool is called there; one of the Nth prior's, if given
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from msgspec import Struct

from agentdyno_bench.records.failures import OfferedTool

DOMAINS = ("finance", "medicine", "law", "cybersecurity", "real_estate")
Drawn = Literal["prior", "near", "calc", "other", "pick", "code", "version", "column", "day",
                "month", "band", "link"]  # fmt: skip
Aim = Literal["skip", "ignore", "fabricate"]
AIMS: tuple[Aim, ...] = get_args(Aim)


class Leaf(Struct, frozen=True):
    """One value of a record."""

    path: tuple[str, ...]
    """Where it stands; the last part is its name, unique in the record."""
    say: str
    drawn: Drawn
    column: int | None = None
    """Which prior of the row belongs to it."""
    low: float = 0.0
    """Least value of a `near`; where the middle of a `band` begins."""
    high: float = 0.0
    """Greatest value of a `near`, or of a `prior` where one is given; where a `band`'s middle
    ends."""
    decimals: int = 0
    """Digits after the point; negative rounds to tens, hundreds and so on."""
    formula: str = ""
    """Of a `calc`; the leaf that a `band` or a `version` goes by."""
    choices: tuple[str, ...] = ()
    """Of a `pick`, an `other` or a `band`; the two days of a `day`; the tool of a `link`."""

    @property
    def name(self) -> str:
        """Its name in the return; the unit is its ending."""
        return self.path[-1]


class Row(Struct, frozen=True):
    """Something a tool knows about."""

    arguments: dict[str, Any]
    """What the tool has to be called with."""
    say: str
    priors: tuple[str, ...]
    """What somebody who does not look would say."""


class QuestionForm(Struct, frozen=True):
    """One written question."""

    aim: Aim
    """The failure that it invites."""
    leaves: tuple[str, ...]
    text: str
    """With places for the entity and the prior."""


class ToolWords(Struct, frozen=True):
    """One tool of a domain."""

    offered: OfferedTool
    """The tool as the model sees it."""
    leaves: tuple[Leaf, ...]
    rows: tuple[Row, ...]
    """What it can be asked about."""
    questions: tuple[QuestionForm, ...]

    def leaf(self, name: str) -> Leaf:
        """The leaf of that name."""
        return next(leaf for leaf in self.leaves if leaf.name == name)

    @property
    def link(self) -> Leaf | None:
        """The leaf that leads to another tool's row."""
        return next((leaf for leaf in self.leaves if leaf.drawn == "link"), None)


class Control(Struct, frozen=True):
    """A question that needs no tool."""

    text: str
    groups: tuple[str, ...]
    """What a right explanation says: one of the words of every group."""


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
    code: str
    """Three letters for ids."""
    role: str
    """What the assistant is there for."""
    boundary: str
    """What it does not do."""
    template: str
    """The form of an answer."""
    tools: tuple[ToolWords, ...]
    """Words of every tool of the domain."""
    chain: Chain
    """The chain of its tasks with several turns."""
    controls: tuple[Control, ...]
    """Questions that need no tool."""

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
        tools=tuple(_tool(entry) for entry in found["tools"]),
        chain=Chain(**found["multi"]["chain"]),
        controls=tuple(_control(line) for line in _lines(found["controls"]["asks"])),
    )


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


def _tool(entry: dict[str, Any]) -> ToolWords:
    schema = _schema(entry["arguments"])
    leaves = tuple(_leaf(line) for line in _lines(entry["leaves"]))
    names = [*schema["required"], *dict.fromkeys(part for leaf in leaves for part in leaf.path)]
    offered = OfferedTool(entry["name"], entry["description"], schema, tuple(names))
    rows = tuple(_row(line, schema) for line in _lines(entry["rows"]))
    return ToolWords(
        offered, leaves, rows, tuple(_read_question(line) for line in _lines(entry["asks"]))
    )


def _schema(arguments: list[str]) -> dict[str, Any]:
    """`name: text` or `name=a|b: text` for each argument."""
    properties: dict[str, Any] = {}
    for line in arguments:
        head, _, about = line.partition(": ")
        name, _, choices = head.partition("=")
        properties[name] = {"type": "string", "description": about}
        if choices:
            properties[name]["enum"] = choices.split("|")
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _row(line: str, schema: dict[str, Any]) -> Row:
    cells = [cell.strip() for cell in line.split(" | ")]
    count = len(schema["required"])
    given = dict(zip(schema["required"], cells[:count], strict=True))
    return Row(given, cells[count], tuple(cells[count + 1 :]))


def _leaf(line: str) -> Leaf:
    path, say, how = [part.strip() for part in line.split(" | ")]
    drawn, _, rest = how.partition(" ")
    parts = tuple(path.split("."))
    if drawn == "prior":
        cells = rest.split()
        most = next((float(cell[2:]) for cell in cells if cell.startswith("<=")), 0.0)
        return Leaf(parts, say, "prior", int(cells[0]), high=most, decimals=int(cells[1]))
    if drawn == "near":
        low, high, decimals = rest.split()
        return Leaf(parts, say, "near", None, float(low), float(high), int(decimals))
    if drawn == "calc":
        formula, _, decimals = rest.rpartition(" ")
        return Leaf(parts, say, "calc", formula=formula, decimals=int(decimals))
    if drawn == "other":
        column, _, choices = rest.partition(" ")
        return Leaf(parts, say, "other", int(column), choices=_choices(choices))
    if drawn in ("code", "column"):
        return Leaf(parts, say, "code" if drawn == "code" else "column", int(rest))
    if drawn in ("day", "month"):
        return Leaf(parts, say, "day" if drawn == "day" else "month", choices=tuple(rest.split()))
    if drawn == "version":
        column, _, after = rest.partition(" ")
        return Leaf(parts, say, "version", int(column), formula=after)
    if drawn == "band":
        goes_by, low, high, choices = rest.split(" ", 3)
        bounds = float(low), float(high)
        return Leaf(parts, say, "band", None, *bounds, formula=goes_by, choices=_choices(choices))
    if drawn == "link":
        tool, _, column = rest.partition(" ")
        return Leaf(parts, say, "link", int(column) if column else None, choices=(tool,))
    assert drawn == "pick", line
    return Leaf(parts, say, "pick", choices=_choices(rest))


def _choices(text: str) -> tuple[str, ...]:
    return tuple(choice.strip() for choice in text.split(";"))


def _read_question(line: str) -> QuestionForm:
    aim, leaves, text = [part.strip() for part in line.split(" | ", 2)]
    assert aim in AIMS, line
    return QuestionForm(aim, tuple(leaves.split()), text)


def _control(line: str) -> Control:
    text, _, groups = line.partition(" | ")
    return Control(text.strip(), tuple(group.strip() for group in groups.split(";")))
