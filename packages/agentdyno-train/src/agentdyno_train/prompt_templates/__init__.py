"""Prompt templates: requests to the world's tools and the calls that serve them, a file a service.

    [[template]]
    do = ["finance_find_symbol company={company} -> symbol=matches[first].symbol",
          "finance_stock_quote symbol={symbol}"]
    say = ["What does a share of {company} cost? => price_usd"]

`do` are calls in an order in which they can be made. `{company}` is drawn (see `slots`); a name
after `->` is taken from the result and can be given to later calls and to the request. A call that
begins with `then` waits for all before it. `say` are wordings; after `=>` stand the fields of the
last result that answer them; without any, it is enough that it is done.

Fields are paths of `references.read_reference`; `flights[first].airline+price_eur` are two, and
`amount=text~([0-9.]+) euros` says what to call a figure.

Takes nothing, returns every template. Knows nothing of worlds; no sentence of a test task stands
here.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.tasks.references import read_reference

_STEP = re.compile(r"(?P<waits>then )?(?P<tool>\w+)(?P<given>.*?)(?: -> (?P<taken>.*))?")
_ARGUMENT = re.compile(r"(\w+)=(\[[^\]]*\]|\S+)")

Reference = dict[str, Any]
"""Where a value stands in a result, in the form of `tasks.references`, without the step."""


class RequestedValue(Struct, frozen=True):
    """A value that a request asks for."""

    label: str
    """The results' name for it, in words."""
    at: Reference
    """Where it stands in the last result."""


class TemplateStep(Struct, frozen=True):
    """One call of a template."""

    tool: str
    arguments: dict[str, Any]
    """Its arguments, with `{slots}`."""
    taken: dict[str, Reference]
    """What is taken from its result, by name."""
    waits: bool
    """Whether it must be made after all before it."""


class Wording(Struct, frozen=True):
    """One way to put a request."""

    text: str
    """The user's message, with `{slots}`."""
    values: list[RequestedValue]
    """Values that the answer must have; empty when doing it is enough."""


class PromptTemplate(Struct, frozen=True):
    """A request with the calls that serve it."""

    steps: list[TemplateStep]
    """The calls that serve it, in an order in which they can be made."""
    wordings: list[Wording]
    """Ways to put the request."""

    @property
    def tool(self) -> str:
        """The tool that it is about: the last."""
        return self.steps[-1].tool


@cache
def read_templates() -> tuple[PromptTemplate, ...]:
    """Every template of every service, in the order of the files' names."""
    folder = files(__package__)
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".toml"))
    return tuple(
        _read_template(entry)
        for name in names
        for entry in tomllib.loads((folder / name).read_text("utf-8")).get("template", ())
    )


def _read_template(entry: dict[str, Any]) -> PromptTemplate:
    return PromptTemplate(
        [_step(text) for text in entry["do"]], [_read_wording(text) for text in entry["say"]]
    )


def _step(text: str) -> TemplateStep:
    match = _STEP.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a call like 'tool a={{b}} -> c=d', found {text!r}")
    values = (part.split("=", 1) for part in (match["taken"] or "").split(", ") if part)
    return TemplateStep(
        match["tool"],
        {name: _value(value) for name, value in _ARGUMENT.findall(match["given"])},
        {name: read_reference(path) for name, path in values},
        match["waits"] is not None,
    )


def _value(text: str) -> Any:
    if text.startswith("["):
        return text[1:-1].split(",")
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch("-?[0-9]+", text) else text


def _read_wording(text: str) -> Wording:
    request, _, fields = text.partition(" => ")
    return Wording(
        request, [values for field in fields.split(", ") if field for values in _read_values(field)]
    )


def _read_values(field: str) -> Iterator[RequestedValue]:
    named = re.match(r"(\w+)=(.+)", field)
    if named is not None:
        yield RequestedValue(named[1], read_reference(named[2]))
        return
    path, *more_paths = field.split("+")
    yield RequestedValue(_words(path), read_reference(path))
    before = path.rpartition(".")[0]
    for other in more_paths:
        yield RequestedValue(_words(other), read_reference(f"{before}.{other}"))


def _words(path: str) -> str:
    """The last name of a path that is not a choice of row."""
    return re.sub(r"\[[^\]]*\]", "", path).rpartition(".")[2].replace("_", " ")
