"""Does a call keep to its tool's JSON schema? A schema and arguments in, the first breach out.

Only what a model gets wrong is checked: a required property left out, a property the schema rules
out, a value of the wrong type or outside its enumeration, at any depth. What is not understood
(`$ref`, `if`, formats, patterns) is taken as kept. A full validator is a dependency of ten packages
for rules that no tool schema uses. An optional property that is null counts as left out.

Worked: {"required": ["code"]} and {"script": "…"} -> "`code` is missing".
"""

from functools import lru_cache
from typing import Any

import msgspec

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_MAX_DEPTH = 8


@lru_cache(maxsize=4096)
def parameters_of(schema: str) -> dict[str, Any] | None:
    """The JSON schema of a tool's arguments; None when the text has none we know how to find."""
    try:
        tool = msgspec.json.decode(schema)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    if not isinstance(tool, dict):
        return None
    function = tool.get("function")
    inner = function if isinstance(function, dict) else tool
    for key in ("parameters", "input_schema", "inputSchema"):
        found = inner.get(key)
        if isinstance(found, dict) and isinstance(found.get("properties"), dict):
            return found
    return None


def breach(value: Any, schema: Any, path: str = "", depth: int = 0) -> str | None:
    """The first breach in words; None when there is none to be seen."""
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return None
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list) and options:
            found = [breach(value, option, path, depth + 1) for option in options]
            return found[0] if all(found) else None
    return (
        _wrong_type(value, schema, path)
        or _outside(value, schema, path)
        or _object_breach(value, schema, path, depth)
        or _array_breach(value, schema, path, depth)
    )


def _wrong_type(value: Any, schema: dict[str, Any], path: str) -> str | None:
    expected = schema.get("type")
    names = [expected] if isinstance(expected, str) else expected
    if not isinstance(names, list) or not names or not all(n in _TYPES for n in names):
        return None
    if any(_is_a(value, name) for name in names) or (value is None and schema.get("nullable")):
        return None
    return f"`{path or 'arguments'}` should be {' or '.join(names)} and is {_kind(value)}"


def _is_a(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _kind(value: Any) -> str:
    return next((name for name in _TYPES if _is_a(value, name)), "something else")


def _outside(value: Any, schema: dict[str, Any], path: str) -> str | None:
    allowed = schema.get("enum")
    if not isinstance(allowed, list) or not isinstance(value, str | int | float):
        return None
    return None if value in allowed else f"`{path}` is none of the values that the schema lists"


def _object_breach(value: Any, schema: dict[str, Any], path: str, depth: int) -> str | None:
    properties = schema.get("properties")
    if not isinstance(value, dict) or not isinstance(properties, dict):
        return None
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    for name in needed:
        if isinstance(name, str) and name not in value:
            return f"`{_join(path, name)}` is missing"
    for name, inner in value.items():
        if name not in properties:
            if schema.get("additionalProperties") is False:
                return f"`{_join(path, name)}` is not a property of the schema"
            continue
        left_out = inner is None and name not in needed
        found = None if left_out else breach(inner, properties[name], _join(path, name), depth + 1)
        if found:
            return found
    return None


def _array_breach(value: Any, schema: dict[str, Any], path: str, depth: int) -> str | None:
    items = schema.get("items")
    if not isinstance(value, list) or not isinstance(items, dict):
        return None
    found = (breach(item, items, f"{path}[{i}]", depth + 1) for i, item in enumerate(value[:50]))
    return next((one for one in found if one), None)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
