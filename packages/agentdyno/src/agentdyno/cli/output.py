"""What every verb needs to print: JSON on stdout, the rest for people, progress on stderr."""

import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from agentdyno.records.problems import printable

if TYPE_CHECKING:
    from agentdyno.plugins import PluginError
    from agentdyno.reports.topic import Topic


class AnswerForm(Protocol):
    """In which form an answer is asked for."""

    @property
    def json(self) -> bool:
        """As one JSON object, whatever the format."""
        ...

    @property
    def format(self) -> str:
        """terminal, md, html or json."""
        ...


def print_json(value: Any) -> None:
    """One JSON object, and nothing else on stdout."""
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """One JSON object in ASCII: no text of a trace can command a terminal or break a code page."""
    import msgspec

    # Texts of an older ledger were cleaned by fewer rules.
    from agentdyno.records.secrets.batch import redact_value

    displayed = redact_value(msgspec.to_builtins(value))
    return _NOT_ASCII.sub(_escape, msgspec.json.encode(displayed).decode()) + "\n"


_NOT_ASCII = re.compile(r"[^ -~]")


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def console() -> Any:
    """A console for people; plain when the output is no terminal."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Whoever reads us has seen enough, which is no failure.

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 112
    return Plain(width=width, highlight=False, markup=False, emoji=False)


def note(text: str) -> None:
    """One line on stderr, beside whatever stdout says."""
    print(printable(text, 500), file=sys.stderr)


def print_refused(refused: "list[PluginError]") -> None:
    """Plug-ins that failed to load, on stderr."""
    for refusal in refused:
        print(f"failed to load: {refusal}", file=sys.stderr)


def print_found(topics: "Sequence[Topic]", *, everything: bool = False) -> None:
    """What a verb found, for people: sentences and tables; pages have the charts."""
    from agentdyno.reports.terminal import EVERY, ROWS, print_topics

    print_topics(console(), topics, EVERY if everything else ROWS, charts=False)


def print_answer(answer: AnswerForm, title: str, topic: "Topic", value: Any) -> None:
    """A topic for people, or its value for programs."""
    if answer.json or answer.format == "json":
        print_json(value)
    else:
        print_text(title, [topic], answer.format)


def print_text(
    title: str, topics: "Sequence[Topic]", form: str, *, everything: bool = False
) -> None:
    """The same in the form that was asked for: terminal, md or html; `everything` for every row."""
    if form == "md":
        from agentdyno.reports.markdown import ROWS, render_markdown

        sys.stdout.write(render_markdown(topics, rows=None if everything else ROWS))
    elif form == "html":
        from agentdyno.reports.html import render_page

        sys.stdout.write(render_page(title, topics))
    else:
        print_found(topics, everything=everything)


def print_lines(lines: list[tuple[str, str]]) -> None:
    """Lines for people, each with its style at a terminal."""
    if not sys.stdout.isatty() and not {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys():
        sys.stdout.writelines(f"{line}\n" for line, _ in lines)
        return
    from rich.text import Text  # Loading it takes a fifth of the time of an unchanged run.

    to = console()
    for line, style in lines:
        to.print(Text(line, style=style), soft_wrap=True)  # A path may be longer than a line.


def table(first: str, *columns: str) -> Any:
    """A plain table whose first column is a name and whose others are numbers."""
    from rich import box
    from rich.table import Table

    produced = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    produced.add_column(first, no_wrap=True)
    for column in columns:
        produced.add_column(column, justify="right", no_wrap=True)
    return produced
