"""A tool: a method with types and a docstring becomes a name, a description and a JSON schema.

    @tool(latency=0.4)
    def daily_forecast(self, city: City, date: Day) -> Row: ...

Latency is what the service would take, in seconds; the kit varies it by a quarter either way with
the arguments, so that it is known beforehand and yet no two calls look alike.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from agentdyno_bench.tps.world.kit.errors import ServiceError

F = TypeVar("F", bound=Callable[..., Any])
_MARK = "_agentdyno_tool"


class Tool(Struct, frozen=True):
    """A tool of a server."""

    name: str
    """Its name within the server."""
    description: str
    """What it does, for the agent."""
    schema: dict[str, Any]
    latency_seconds: float
    """How long the service takes, on average."""
    writes: bool
    """Whether a successful call changes the world."""
    destructive: bool
    """Whether a successful call spends money or takes away something that cannot be had back."""
    quota: tuple[int, int] | None
    """How many calls a day one workspace may make, from least to most by the seed; None without
    limit."""
    arguments: type[Struct]
    """What arguments are read into."""

    def read(self, raw: Mapping[str, object]) -> dict[str, Any]:
        """Arguments checked against their types, defaults filled in."""
        try:
            value = msgspec.convert(raw, self.arguments)
        except msgspec.ValidationError as error:
            text = str(error).replace("`", "'").replace(" - at '$.", " at '")
            raise ServiceError("invalid_argument", f"{self.name}: {text}.") from None
        return {name: getattr(value, name) for name in self.arguments.__struct_fields__}


def tool(
    latency: float,
    writes: bool = False,
    quota: tuple[int, int] | None = None,
    destructive: bool = False,
) -> Callable[[F], F]:
    """Marks a method as a tool."""

    def mark(function: F) -> F:
        setattr(function, _MARK, (latency, writes, quota, destructive))
        return function

    return mark


def tools_of(owner: type) -> dict[str, Tool]:
    """Every marked method of a class, in the order in which they stand."""
    marked = [f for f in vars(owner).values() if hasattr(f, _MARK)]
    return {function.__name__: _tool(function) for function in marked}


def _tool(function: Callable[..., Any]) -> Tool:
    latency, writes, quota, destructive = getattr(function, _MARK)
    arguments = _arguments(function)
    return Tool(
        name=function.__name__,
        description=" ".join((inspect.getdoc(function) or "").split()),
        schema=_schema(arguments),
        latency_seconds=latency,
        writes=writes,
        destructive=destructive,
        quota=quota,
        arguments=arguments,
    )


def _arguments(function: Callable[..., Any]) -> type[Struct]:
    hints = get_type_hints(function, include_extras=True)
    fields: list[Any] = []
    for name, parameter in list(inspect.signature(function).parameters.items())[1:]:
        optional = parameter.default is not inspect.Parameter.empty
        fields.append((name, hints[name], parameter.default) if optional else (name, hints[name]))
    return msgspec.defstruct(function.__name__, fields, forbid_unknown_fields=True, kw_only=True)


def _schema(arguments: type[Struct]) -> dict[str, Any]:
    """The schema in one piece: agents' providers do not all follow references."""
    document = msgspec.json.schema(arguments)
    schema: dict[str, Any] = dict(document["$defs"][arguments.__name__])
    schema.pop("title", None)
    # Objects are closed for msgspec; say so to providers in their own word.
    return {**schema, "additionalProperties": False}
