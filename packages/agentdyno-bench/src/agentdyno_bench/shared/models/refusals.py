"""Messages to a model about a call that never reached a tool, in the benchmark's own words.

One place for the runs of Inspect and for attempts that are played without it. Needs no Inspect.
"""

import re
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "array": list,
    "object": dict,
    "null": type(None),
}


def parse_error(text: str, problem: str) -> str:
    """Of arguments that cannot be read; the text stands between blank lines, where intake looks."""
    return (
        f"The arguments of this tool call could not be read:\n\n{text}\n\n"
        f"{problem} Nothing was run; write the arguments as one JSON object."
    )


def not_found(tool: str) -> str:
    """Of a tool that was never offered, as Inspect says it."""
    return f"Tool {tool} not found"


def invalid(arguments: dict[str, Any], schema: dict[str, Any]) -> str | None:
    """Of arguments that break the tool's schema, as Inspect says it; None where they fit.

    Knows the keywords that Inspect keeps of a tool's schema: types, choices, what is required.
    """
    problems = [
        problem
        for name, about in (schema.get("properties") or {}).items()
        if name in arguments
        for problem in _problems(arguments[name], about)
    ]
    odd = [name for name in arguments if name not in (schema.get("properties") or {})]
    if not odd or schema.get("additionalProperties") is not False:
        extra = []
    else:
        names, verb = ", ".join(map(repr, sorted(odd))), "was" if len(odd) == 1 else "were"
        extra = [f"Additional properties are not allowed ({names} {verb} unexpected)"]
    missing = [
        f"{name!r} is a required property"
        for name in schema.get("required") or ()
        if name not in arguments
    ]
    errors = [*problems, *missing, *extra]
    if not errors:
        return None
    head = f"Found {len(errors)} validation errors parsing tool input arguments:"
    return "\n".join([head, *(f"- {problem}" for problem in errors)])


def _problems(value: Any, schema: dict[str, Any]) -> list[str]:
    errors = []
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [] if kind is None else [kind]
    if kinds and not any(_is(value, name) for name in kinds):
        errors.append(f"{value!r} is not of type {', '.join(map(repr, kinds))}")
    if schema.get("enum") is not None and value not in schema["enum"]:
        errors.append(f"{value!r} is not one of {schema['enum']!r}")
    errors += _out_of_range(value, schema)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        errors += [problem for item in value for problem in _problems(item, schema["items"])]
    if schema.get("anyOf") and all(_problems(value, kind) for kind in schema["anyOf"]):
        errors.append(f"{value!r} is not valid under any of the given schemas")
    return errors


def _out_of_range(value: Any, schema: dict[str, Any]) -> list[str]:
    """Of a number or a text that is too small or too large, or of a text of another form."""
    if isinstance(value, str):
        short = "should be non-empty" if schema.get("minLength") == 1 else "is too short"
        shorter = [f"{value!r} {short}"] if len(value) < schema.get("minLength", 0) else []
        longer = len(value) > schema.get("maxLength", len(value))
        pattern = schema.get("pattern")
        unlike = pattern is not None and re.search(pattern, value) is None
        return [
            *shorter,
            *([f"{value!r} is too long"] if longer else []),
            *([f"{value!r} does not match {pattern!r}"] if unlike else []),
        ]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    least, most = schema.get("minimum", value), schema.get("maximum", value)
    below = [f"{value!r} is less than the minimum of {least!r}"] if value < least else []
    return [
        *below,
        *([f"{value!r} is greater than the maximum of {most!r}"] if value > most else []),
    ]


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES.get(kind, object))
