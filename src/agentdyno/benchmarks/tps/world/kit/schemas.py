"""Output schemas of the world's tools, kept in a file that a program writes from their results."""

from typing import Any

from agentdyno.benchmarks.tps.world.kit.data import load


def output_schema(server: str, tool: str) -> dict[str, Any] | None:
    """The JSON schema of a tool's results; None for a tool whose results nobody has looked at."""
    found: dict[str, Any] | None = load("schemas").get(f"{server}_{tool}")
    return found


def schema_of(value: Any) -> dict[str, Any]:
    """The schema of one result."""
    if isinstance(value, dict):
        made = {key: schema_of(item) for key, item in value.items()}
        return {"type": "object", "properties": made, "required": sorted(made)}
    if isinstance(value, list):
        items: dict[str, Any] = {}
        for item in value:
            items = joined(items, schema_of(item)) if items else schema_of(item)
        return {"type": "array", "items": items} if items else {"type": "array"}
    return {"type": _TYPES[type(value)]}


def joined(a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """A schema that both results satisfy."""
    if a.get("type") == b.get("type") == "object":
        keys = {**a["properties"], **b["properties"]}
        both = a["properties"].keys() & b["properties"].keys()
        made = {
            key: joined(a["properties"][key], b["properties"][key]) if key in both else keys[key]
            for key in keys
        }
        required = sorted(set(a["required"]) & set(b["required"]))
        return {"type": "object", "properties": made, "required": required}
    if a.get("type") == b.get("type") == "array":
        if "items" in a and "items" in b:
            return {"type": "array", "items": joined(a["items"], b["items"])}
        return a if "items" in a else b
    if a == b:
        return a
    names = sorted({*_names(a), *_names(b)})
    if set(names) <= {"integer", "number"}:
        return {"type": "number"}
    return {"type": names}


def _names(schema: dict[str, Any]) -> list[str]:
    found = schema.get("type", [])
    return [found] if isinstance(found, str) else list(found)


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
