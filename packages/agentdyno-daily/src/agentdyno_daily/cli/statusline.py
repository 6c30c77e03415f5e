"""`agentdyno statusline`: one line about the session, for Claude Code's status hook.

Takes the hook's JSON on stdin, prints the line. Opens no table and loads no library for tables: the
hook waits for it.
"""

import _thread
import os
import sys
import time
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, NamedTuple

from agentdyno.cli.session_line import describe
from agentdyno.intake.user_folders import user_ledger_path
from agentdyno_daily.running.live_session import (
    Budget,
    Session,
    Spent,
    is_of,
    is_readable_transcript,
    load_budgets,
    look_for_newer,
    read_budgets,
    read_hook,
    read_limit,
    read_session,
    read_spent,
)

LATEST = 0.6
"""Seconds after which an agent waits no longer: then the answer is that there is none."""
MOST_BYTES = 1 << 24
"""Of the hook's JSON, which holds what a tool was given."""


class Reply(NamedTuple):
    """What is printed."""

    out: str = ""
    err: str = ""


def answer_words(words: list[str]) -> int | None:
    """`agentdyno statusline` before any option is parsed; None where the words are others."""
    match words:
        case []:
            return answer_hook(None)
        case ["--ledger", place]:
            return answer_hook(place)
    return None


def answer_budget_words(words: list[str]) -> int | None:
    """`agentdyno budget hook`, likewise."""
    if words[:1] != ["hook"]:
        return None
    ledger = words[words.index("--ledger") + 1 :][:1] if "--ledger" in words else []
    return answer_budget_hook(next(iter(ledger), None), "--block-unknown" in words)


def answer_hook(ledger: str | None) -> int:
    """The line for what stands on stdin."""
    return _reply_in_time(
        lambda: Reply(_write_line(ledger or user_ledger_path(), _read_stdin())),
        lambda why: Reply(f"not measured: {why} (agentdyno)"),
    )


def _write_line(folder: str, hook: "dict[str, Any]") -> str:
    spent = read_spent(folder)
    session = read_session(folder, hook, spent)
    is_behind = look_for_newer(folder, hook, spent)
    if session is None:
        return "not measured yet (agentdyno)"
    return compose(session, spent, folder, hook, is_behind)


def answer_budget_hook(ledger: str | None, block_unknown: bool = False) -> int:
    """Before a prompt or a tool: stops Claude Code where a budget is spent. Exit code 0 always.
    `block_unknown`: also where nobody can say whether it is."""
    folder = ledger or user_ledger_path()
    budgets = load_budgets(folder)
    return _reply_in_time(
        lambda: _check_budgets(folder, budgets, block_unknown),
        lambda why: Reply() if budgets == [] else _reply_unknown(why, block_unknown),
    )


def _check_budgets(folder: str, budgets: list[Budget] | None, block_unknown: bool) -> Reply:
    hook = _read_stdin()
    if budgets == []:
        return Reply()
    spent = read_spent(folder)
    if why := _find_unknown(budgets, hook, spent):
        return _reply_unknown(why, block_unknown)
    session = read_session(folder, hook, spent)
    look_for_newer(folder, hook, spent)
    month = time.strftime("%Y-%m")
    new = session.new_usd(month) if session else 0.0
    for budget in budgets or ():
        used = spent.sum(month, budget.project) + new
        if is_of(_folder_of(hook), budget.project) and used > budget.usd:
            name = f" for {make_printable(budget.project)}" if budget.project else ""
            return _stop(
                f"The budget of ${budget.usd:,.0f} a month{name} is spent (${used:,.2f} at list "
                "prices). To go on: agentdyno budget MORE/month sets a larger one, and agentdyno "
                "budget --uninstall takes this stop out."
            )
    return Reply()


def _find_unknown(budgets: list[Budget] | None, hook: "dict[str, Any]", spent: Spent) -> str | None:
    if budgets is None:
        return "the file of budgets cannot be read"
    if not hook:
        return "the hook's input is not JSON"
    if spent.measured_at is None and not spent.days:
        return "nothing was measured, or what was kept of it cannot be read"
    path = hook.get("transcript_path")
    if path and not is_readable_transcript(path):
        return "the session's transcript is no regular file"
    return None


def _reply_unknown(why: str, block: bool) -> Reply:
    if block:
        return _stop(
            f"Whether the budget is spent is not known: {why}. To go on: agentdyno budget "
            "--install without --block-unknown lets the agent work then."
        )
    return Reply(err=f"agentdyno: the budget was not checked: {why}; the agent goes on.")


def _stop(reason: str) -> Reply:
    import json

    return Reply(json.dumps({"continue": False, "stopReason": reason}))


# The answer in time -------------------------------------------------------------------------------


def _reply_in_time(work: Callable[[], Reply], give_up: Callable[[str], Reply]) -> int:
    """Prints what `work` returns, or within a second why there is nothing; whoever has the lock
    answers."""
    answered = _thread.allocate_lock()
    _thread.start_new_thread(_give_up_late, (answered, give_up))
    try:
        reply = work()
    except Exception as error:  # An agent shows a traceback to its user, or stops.
        reply = give_up(f"unexpected {type(error).__name__}")
    if not answered.acquire(blocking=False):
        time.sleep(LATEST)  # The other thread ends the process.
    _print(reply)
    return 0


def _give_up_late(answered: "_thread.LockType", give_up: Callable[[str], Reply]) -> None:
    time.sleep(LATEST)
    if answered.acquire(blocking=False):
        _print(give_up(f"no answer within {LATEST} seconds"))
        os._exit(0)  # The other thread may wait for a file, or for stdin, for ever.


def _print(reply: Reply) -> None:
    for text, stream in zip(reply, (sys.stdout, sys.stderr), strict=True):
        if text and stream is not None:
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
            try:
                print(text, file=stream, flush=True)
            except OSError:  # Nobody reads it.
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1 if stream is sys.stdout else 2)


def _read_stdin() -> "dict[str, Any]":
    """The hook's JSON, up to the end of stdin or of the JSON: some never close it."""
    data, tried = b"", 0
    stream: Any = None if sys.stdin is None else sys.stdin.buffer
    while stream is not None and len(data) <= MOST_BYTES:
        piece = stream.read1(1 << 16)
        data += piece
        if not piece:
            return read_hook(data)
        # Not after every piece, which would take as long as the square of the input.
        if data.rstrip().endswith(b"}") and len(data) >= 2 * tried:
            if hook := read_hook(data):
                return hook
            tried = len(data)
    return {}


def make_printable(text: str) -> str:
    """Without characters that a terminal obeys, line ends and directions of text included."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:200])


def compose(
    found: Session, spent: Spent, ledger: str, hook: "dict[str, Any]", is_behind: bool = False
) -> str:
    """`$4.12  today $9.80  31 turns  context 84k, 97 % cached  cache 4:10 left; a miss costs $0.75`
    and what is left of budgets and limits. `is_behind`: other sessions have gone on, and it is
    `today $9.80+` until they are read."""
    day = time.strftime("%Y-%m-%d")
    month = day[:7]
    today = spent.sum(day) + found.new_usd(day)
    words = [describe(found.state, today, is_behind)]
    if found.cache_left is not None:
        words.append(_describe_cache(found.cache_left, found.miss_usd))
    for each in read_budgets(ledger):
        new = found.new_usd(month) if is_of(_folder_of(hook), each.project) else 0.0
        used = spent.sum(month, each.project) + new
        name = f" {make_printable(each.project)}"[:20] if each.project else ""
        words.append(f"budget{name} ${used:,.0f} of ${each.usd:,.0f}")
    for name, word in (("five_hour", "5 h"), ("seven_day", "week")):
        if (limit := read_limit(hook, name)) is not None:
            words.append(f"{word} {limit:.0f} %")
    return "  ".join(words)


def _folder_of(hook: "dict[str, Any]") -> str:
    return str(hook.get("cwd") or "")


def _describe_cache(left: float, miss: float | None) -> str:
    cost = "" if miss is None else f"${miss:,.2f}"
    if left <= 0:
        return f"cache gone{f'; writing it again costs {cost}' if cost else ''}"
    minutes, seconds = divmod(int(left), 60)
    return f"cache {minutes}:{seconds:02} left{f'; a miss costs {cost}' if cost else ''}"
