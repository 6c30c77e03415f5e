"""An invented week of a coding agent, with a provider's cache that is read, written and lost.

A step is a turn with its calls, and the seconds that passed before its prompt. The cache lives for
five minutes from its last use; a skill makes the client write the conversation again.
"""

from dataclasses import dataclass, field
from typing import Any

from sample_traces.talk import TEMPLATE_TOKENS, Call, tokens

LIFETIME_SECONDS = 300
PROMPT_TOKENS = 15_400
"""The client's own prompt and schemas, which it does not write down."""


@dataclass(frozen=True)
class Step:
    """One turn: what the user wrote before it, what the model wrote, and its calls."""

    text: str
    calls: tuple[Call, ...] = ()
    asked: str = ""
    after: float = 6.0


@dataclass
class Session:
    """One session of the week."""

    name: str
    day: int
    hour: int
    branch: str
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True)
class Billed:
    """What the provider counts for a turn."""

    read: int
    written: int
    output: int


def bill(session: Session) -> list[Billed]:
    """The cache as a provider would report it."""
    context, held, skill = PROMPT_TOKENS, 0, False
    found = []
    for step in session.steps:
        context += tokens(step.asked) + TEMPLATE_TOKENS if step.asked else 0
        lost = step.after > LIFETIME_SECONDS
        read = 0 if lost or not held else PROMPT_TOKENS if skill else held
        output = tokens(step.text) + sum(tokens(c.tool + c.written) + 6 for c in step.calls) + 1
        found.append(Billed(read, context - read, output))
        held, skill = context, any(call.tool == "Skill" for call in step.calls)
        context += output + TEMPLATE_TOKENS
        context += sum(tokens(call.result) + TEMPLATE_TOKENS for call in step.calls)
    return found


def read(path: str, lines: int, subject: str) -> Call:
    """A file of so many invented lines."""
    text = "\n".join(
        f"{n:>6}\tdef {subject}_{n}(order, {subject}): return order.{subject}[{n}] - {7 * n % 31}"
        for n in range(1, lines + 1)
    )
    return Call("Read", {"file_path": f"/home/ada/shop/{path}"}, text)


def edit(path: str, old: str, new: str) -> Call:
    """A change of a line."""
    fields = {"file_path": f"/home/ada/shop/{path}", "old_string": old, "new_string": new}
    return Call("Edit", fields, f"{path} has been updated: {new}")


def run(command: str, result: str) -> Call:
    """A command of the shell."""
    return Call("Bash", {"command": command}, result)


def _tests(lines: int) -> Call:
    report = "\n".join(f"tests/test_shop.py::test_case_{n} PASSED" for n in range(lines))
    return run("pytest -v tests", f"{report}\n{lines} passed in 4.21s")


def week() -> list[Session]:
    """Four sessions from Monday to Thursday."""
    checkout, basket = read("checkout.py", 90, "voucher"), read("basket.py", 30, "price")
    skill = Call("Skill", {"skill": "release-notes"}, "Launching skill: release-notes")
    return [
        Session("5e552001-basket", 2, 9, "fix/discount", [
            Step("I will read basket.py.", (basket,), "total() takes off ten times too much."),
            Step("", (edit("basket.py", "discount / 10", "discount / 100"),)),
            Step("", (_tests(12),)),
            Step("total() now divides by 100; all 12 tests pass."),
        ]),
        Session("5e552002-vouchers", 3, 10, "feat/vouchers", [
            Step("Checkout first.", (checkout,), "Add vouchers to the checkout."),
            Step("", (read("AGENTS.md", 20, "rule"), basket)),
            Step("", (edit("checkout.py", "total()", "total(voucher)"),)),
            Step("", (_tests(40),)),
            Step("Vouchers are in; should an expired one be an error or ignored?"),
            Step("", (checkout,), "An error, please.", 840.0),
            Step("", (edit("checkout.py", "pass", "raise Expired(voucher)"),)),
            Step("", (checkout,)),
            Step("", (_tests(42),)),
            Step("Expired vouchers raise an error; all 42 tests pass."),
        ]),
        Session("5e552003-import", 4, 14, "main", [
            Step("", (run("git log --oneline -40", "\n".join(
                f"{n * 7919:07x} import step {n}" for n in range(40))),),
                "Why is the nightly import slow?"),
            Step("", (read("importer.py", 60, "row"),)),
            Step("", (Call("Grep", {"pattern": "commit()", "path": "/home/ada/shop"},
                           "importer.py:31\nimporter.py:52"),)),
            Step("It commits once for each row. One commit a batch would do."),
            Step("", (edit("importer.py", "commit()", "commit_batch()"),), "Do that.", 430.0),
            Step("The import commits once a batch now."),
        ]),
        Session("5e552004-notes", 5, 16, "main", [
            Step("", (run("git log --oneline -5", "vouchers\nimport\ndiscount"),),
                 "Write the release notes."),
            Step("", (read("CHANGELOG.md", 25, "entry"),)),
            Step("", (skill,)),
            Step("", (edit("CHANGELOG.md", "Unreleased", "2.4: vouchers, faster import"),)),
            Step("The release notes are in CHANGELOG.md."),
        ]),
    ]  # fmt: skip


def offered() -> list[dict[str, Any]]:
    """Schemas of the session that a proxy recorded: own tools, and those of two MCP servers."""
    own = {"Bash": "command", "Read": "file_path", "Edit": "file_path"}
    tools = [_schema(name, f"{name} of the agent.", key) for name, key in own.items()]
    tools.append(_schema("mcp__tickets__get_ticket", "One ticket of the tracker.", "ticket"))
    words = ("create an event", "move an event", "cancel an event", "list events", "find a room",
             "invite people", "answer an invitation", "export a calendar")  # fmt: skip
    return tools + [
        _schema(f"mcp__calendar__{text.replace(' ', '_')}", _long(text), "event") for text in words
    ]


def _long(text: str) -> str:
    return (
        f"Use this to {text} in the shared calendar of the team. Times are in UTC. People are "
        "named by their addresses, rooms by building and number. Returns the event with its id, "
        "its guests and their answers. Asks nobody; whoever is invited gets a mail. "
    ) * 2


def _schema(name: str, description: str, key: str) -> dict[str, Any]:
    properties = {key: {"type": "string", "description": f"The {key.replace('_', ' ')}."}}
    schema = {"type": "object", "properties": properties, "required": [key]}
    return {"name": name, "description": description, "input_schema": schema}
