"""What a model is told of a call that never reached a tool, in the benchmark's own words.

One place for the runs of Inspect and for attempts that are played without it. Needs no Inspect.
"""


def parse_error(text: str, problem: str) -> str:
    """Of arguments that cannot be read; the text stands between blank lines, where intake looks."""
    return (
        f"The arguments of this tool call could not be read:\n\n{text}\n\n"
        f"{problem} Nothing was run; write the arguments as one JSON object."
    )


def not_found(tool: str) -> str:
    """Of a tool that was never offered, as Inspect says it."""
    return f"Tool {tool} not found"
