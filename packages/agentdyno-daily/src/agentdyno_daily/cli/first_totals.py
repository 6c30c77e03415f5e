"""First totals for people and for programs: before a full run reads on, or alone (`--totals-only`).

Loads no library for tables: they are to be there before that would be.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import to_builtins

from agentdyno.records import InputError, plural, printable
from agentdyno_daily.homes import AGENTS
from agentdyno_daily.totals.first_totals import Grouping, Scan, Spent, scan

GROUPINGS: tuple[Grouping, ...] = ("agent", "model", "project", "day")
AT_ONCE_BYTES = 16 * 2**20
"""Less than that is read whole before anybody has read a first line."""
NAMED = 3
"""Models, projects and days in a line of their own before a full run goes on."""
NAME_WIDTH = 44


def print_totals(paths: Sequence[Path], prices: Path | None, as_json: bool) -> int:
    """Everything, and nothing is written."""
    found = scan(paths, complete=True, prices=prices)
    if as_json:
        from agentdyno.cli.output import print_json

        groups = {f"by_{name}": found.by(name) for name in (*GROUPINGS, "session")}
        print_json(to_builtins({"total": found.total(), **groups}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _lay_out(found))
    return 0


def show_first_totals(paths: Sequence[Path], prices: Path | None, is_quiet: bool) -> Scan | None:
    """Prints what is known before the sessions are read; returns it for the ledger to be compared
    with. None where it could not be had: the full run says why."""
    try:
        found = scan(paths, prices=prices)
    except InputError:
        return None
    except Exception as error:
        reason = printable(f"{type(error).__name__}: {error}", 300)
        print(f"agentdyno: there are no first totals: {reason}", file=sys.stderr)
        return None
    if found.bytes >= AT_ONCE_BYTES and found.responses and not is_quiet:
        sys.stdout.writelines(f"{line}\n" for line in describe(found))
        sys.stdout.flush()
    return found


def describe(found: Scan) -> Iterator[str]:
    """How much, by agent, model, project and day, and what is still to come."""
    total = found.total()
    yield (
        f"{_dollars(total.usd)}: {plural(total.responses, 'response')}, "
        f"{_short(total.cache_read)} tokens from the cache, {_short(total.cache_write)} written "
        f"to it, {_short(total.fresh)} other input, {_short(total.output)} output"
    )
    for grouping in GROUPINGS:
        groups = found.by(grouping)
        if grouping == "day":
            groups = groups[::-1]
        named = [f"{_name(grouping, each)} {_dollars(each.usd)}" for each in groups[:NAMED]]
        if more := len(groups) - NAMED:
            named += [f"{more:,} more"] if more > 0 else []
        yield f"  by {grouping:<8} {' · '.join(named)}"
    if to_come := [*_describe_rest(found, total)]:
        yield f"  to come     {', '.join(to_come)}"
    yield ""


def _describe_rest(found: Scan, total: Spent) -> Iterator[str]:
    for each in found.waiting:
        files = plural(each.files, "file")
        yield f"{files} of {_agent(each.format)}"
    if total.uncounted:
        yield f"{plural(total.uncounted, 'response')} without a count"
    if total.unpriced:
        yield f"{plural(total.unpriced, 'response')} without a price"


def _lay_out(found: Scan) -> Iterator[str]:
    titles = ("responses", "input", "written", "from cache", "output", "USD")
    yield f"{'':<{NAME_WIDTH}}" + "".join(f"{title:>14}" for title in titles)
    yield _row("all", found.total())
    for grouping in GROUPINGS:
        yield f"by {grouping}"
        yield from (_row(f"  {_name(grouping, each)}", each) for each in found.by(grouping))


def _row(name: str, each: Spent) -> str:
    counts = (each.responses, each.fresh, each.cache_write, each.cache_read, each.output)
    usd = "-" if each.usd is None else f"{each.usd:,.2f}"
    cells = "".join(f"{count:>14,}" for count in counts)
    return f"{printable(name, NAME_WIDTH):<{NAME_WIDTH}}{cells}{usd:>14}"


def _name(grouping: Grouping, each: Spent) -> str:
    if each.name is None:
        return f"no {grouping} stated"
    if grouping == "project":
        home = str(Path.home())
        name = f"~{each.name[len(home) :]}" if each.name.startswith(f"{home}/") else each.name
        return name if len(name) <= 40 else f"…{name[-39:]}"
    return _agent(each.name) if grouping == "agent" else printable(each.name, 40)


def _agent(format: str) -> str:
    """An agent as people call it, by the format of its traces."""
    return next((agent.name for agent in AGENTS if agent.format == format), format)


def _dollars(usd: float | None) -> str:
    return "no price" if usd is None else f"${usd:,.2f}"


def _short(tokens: int) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if tokens >= size:
            return f"{tokens / size:,.3g}{letter}"
    return str(tokens)
