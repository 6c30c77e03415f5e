"""Output schemas of the world's tools, kept in a file that a program writes from their results.

A field of one name is one thing within a server: whatever kinds of value it had in the result of
any tool, it may have in all of them. Objects whose names are data (cuisines, currencies) are maps.
"""

import re
from collections.abc import Iterable
from typing import Any

from agentdyno_bench.tps.world.kit.data import load


def output_schema(server: str, tool: str) -> dict[str, Any] | None:
    """The JSON schema of a tool's results; None for a tool whose results nobody has looked at."""
    schema: dict[str, Any] | None = load("schemas").get(f"{server}_{tool}")
    return schema


def schema_of(value: Any) -> dict[str, Any]:
    """The schema of one result."""
    if isinstance(value, dict):
        properties = {key: schema_of(item) for key, item in value.items()}
        return {"type": "object", "properties": properties, "required": sorted(properties)}
    if isinstance(value, list):
        items: dict[str, Any] = {}
        for item in value:
            items = join_schemas(items, schema_of(item)) if items else schema_of(item)
        return {"type": "array", "items": items} if items else {"type": "array"}
    return {"type": _TYPES[type(value)]}


def join_schemas(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """A schema that both results satisfy."""
    if a.get("type") == b.get("type") == "object":
        keys = {**a["properties"], **b["properties"]}
        both = a["properties"].keys() & b["properties"].keys()
        joined = {
            key: join_schemas(a["properties"][key], b["properties"][key])
            if key in both
            else keys[key]
            for key in keys
        }
        required = sorted(set(a["required"]) & set(b["required"]))
        return {"type": "object", "properties": joined, "required": required}
    if a.get("type") == b.get("type") == "array":
        if "items" in a and "items" in b:
            return {"type": "array", "items": join_schemas(a["items"], b["items"])}
        return a if "items" in a else b
    if a == b:
        return a
    names = sorted({*_names(a), *_names(b)})
    if set(names) <= {"integer", "number"}:
        return {"type": "number"}
    return {"type": names}


def widen(schemas: list[dict[str, Any]], left_out: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The schemas of one server's tools, in which a name means the same everywhere; what callers
    may leave out may be null."""
    kinds: dict[str, dict[str, Any]] = {name: {"type": "null"} for name in left_out}
    for schema in schemas:
        _gather(schema, kinds)
    return [_widen(schema, kinds) for schema in schemas]


_FIELD = re.compile(r"[a-z][a-z0-9_]*")


def _gather(schema: dict[str, Any], kinds: dict[str, dict[str, Any]]) -> None:
    if "items" in schema:
        _gather(schema["items"], kinds)
    for name, inner in schema.get("properties", {}).items():
        if inner.get("type") != "object":
            existing = kinds.get(name)
            # A list that nobody gave is empty, not null.
            lists = inner.get("type") == "array" and existing == {"type": "null"}
            kinds[name] = inner if existing is None or lists else join_schemas(existing, inner)
        _gather(inner, kinds)


def _widen(schema: dict[str, Any], kinds: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if "items" in schema:
        return {**schema, "items": _widen(schema["items"], kinds)}
    fields = schema.get("properties")
    if fields is None:
        return schema
    if fields and not all(map(_FIELD.fullmatch, fields)):
        values = list(fields.values())
        joined = values[0]
        for value in values[1:]:
            joined = join_schemas(joined, value)
        return {"type": "object", "additionalProperties": _widen(joined, kinds)}
    properties = {
        name: _widen(_merge_known(name, inner, kinds), kinds) for name, inner in fields.items()
    }
    return {**schema, "properties": properties}


def _merge_known(
    name: str, inner: dict[str, Any], kinds: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    existing = kinds.get(name)
    if existing is None or inner.get("type") == "object":
        return inner
    if inner.get("type") == "array":
        return existing if "items" not in inner and existing.get("type") == "array" else inner
    return existing if existing.get("type") != "array" else inner


def _names(schema: dict[str, Any]) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
