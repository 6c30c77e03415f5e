"""What every verb needs to print: JSON on stdout, the rest for people, progress on stderr."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from agentdyno.cli.progress_bars import progress_bar
from agentdyno.records.problems import printable

if TYPE_CHECKING:
    from agentdyno.plugins import Refused
    from agentdyno.reports.topic import Topic


def print_json(value: Any) -> None:
    """One JSON object, and nothing else on stdout."""
    sys.stdout.write(json_text(value))


def json_text(value: Any) -> str:
    """One JSON object in ASCII: no text of a trace can command a terminal or break a code page."""
    import msgspec

    # Texts of an older ledger were cleaned by fewer rules.
    from agentdyno.records.secrets.batch import redact_value

    shown = redact_value(msgspec.to_builtins(value))
    return _NOT_ASCII.sub(_escaped, msgspec.json.encode(shown).decode()) + "\n"


_NOT_ASCII = re.compile(r"[^ -~]")


def _escaped(match: re.Match[str]) -> str:
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


def print_refused(refused: "list[Refused]") -> None:
    """Plug-ins that failed to load, on stderr."""
    for one in refused:
        print(f"failed to load: {one}", file=sys.stderr)


def print_found(topics: "Sequence[Topic]") -> None:
    """What a verb found, for people: sentences and tables; pages have the charts."""
    from agentdyno.reports.terminal import print_topics

    print_topics(console(), topics, charts=False)


def print_text(title: str, topics: "Sequence[Topic]", form: str) -> None:
    """The same in the form that was asked for: terminal, md or html."""
    if form == "md":
        from agentdyno.reports.markdown import render_markdown

        sys.stdout.write(render_markdown(topics))
    elif form == "html":
        from agentdyno.reports.html import render_page

        sys.stdout.write(render_page(title, topics))
    else:
        print_found(topics)


def print_glance(to: Any, topic: "Topic", ledger: str) -> None:
    """The head of a report: tables first, then the sentences that matter and the next command."""
    import shlex

    from rich.text import Text

    from agentdyno.records import shortened
    from agentdyno.reports.terminal import print_figures, print_table, print_words

    print_figures(to, topic.figures)
    for each in topic.tables:
        print_table(to, each)
    print_words(to, topic)
    to.print(Text(f"ledger: {shortened(ledger, 70)}", style="dim"))
    to.print(Text(f"next: agentdyno report {shlex.quote(ledger)} -o report.html", style="dim"))


def byte_progress(title: str) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """A bar for what is counted in bytes, on stderr when that is a terminal; quiet otherwise."""
    return progress_bar(title, in_bytes=True)


def table(first: str, *columns: str) -> Any:
    """A plain table whose first column is a name and whose others are numbers."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    made.add_column(first, no_wrap=True)
    for column in columns:
        made.add_column(column, justify="right", no_wrap=True)
    return made
