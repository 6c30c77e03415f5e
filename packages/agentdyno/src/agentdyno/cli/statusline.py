"""`agentdyno statusline`: one line about the session, for Claude Code's status hook.

Takes the hook's JSON on stdin, prints the line. Opens no table and loads no library for tables: the
hook waits for it.
"""

import sys
import time
from typing import TYPE_CHECKING

from agentdyno.intake.user_folders import user_ledger_path
from agentdyno.pipelines.live_session import (
    Session,
    Spent,
    State,
    is_of,
    look_for_newer,
    read_budgets,
    read_hook,
    read_limit,
    read_session,
    read_spent,
)

if TYPE_CHECKING:
    from typing import Any

    from agentdyno.pipelines.session_states import SessionState


def answer_hook(ledger: str | None) -> int:
    """The line for what stands on stdin."""
    folder, hook = ledger or user_ledger_path(), read_hook(sys.stdin.buffer.read())
    spent = read_spent(folder)
    found = read_session(folder, hook, spent)
    is_behind = look_for_newer(folder, hook, spent)
    if found is None:
        print("not measured yet (agentdyno)")
    else:
        print(compose(found, spent, folder, hook, is_behind))
    return 0


def answer_budget_hook(ledger: str | None) -> int:
    """What Claude Code is told before a prompt or a tool: to stop, where a budget is spent."""
    import json

    folder, hook = ledger or user_ledger_path(), read_hook(sys.stdin.buffer.read())
    spent = read_spent(folder)
    found = read_session(folder, hook, spent)
    look_for_newer(folder, hook, spent)
    month = time.strftime("%Y-%m")
    new = found.new_usd(month) if found else 0.0
    for each in read_budgets(folder):
        if not is_of(_folder_of(hook), each.project):
            continue
        used = spent.sum(month, each.project) + new
        if used > each.usd:
            name = f" for {each.project}" if each.project else ""
            print(json.dumps({"continue": False, "stopReason": (
                f"The budget of ${each.usd:,.0f} a month{name} is spent (${used:,.2f} at list "
                "prices). To go on: agentdyno budget MORE/month sets a larger one, and agentdyno "
                "budget --uninstall takes this stop out."
            )}))  # fmt: skip
            return 0
    return 0


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
        name = f" {each.project}"[:20] if each.project else ""
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


def describe(
    state: "State | SessionState", today: float | None = None, is_behind: bool = False
) -> str:
    """`$4.12  today $9.80  31 turns  context 84k, 97 % cached  14:03`."""
    words = ["no price" if state.usd is None else f"${state.usd:,.2f}"]
    if today is not None:
        words.append(f"today ${today:,.2f}{'+' if is_behind else ''}")
    words.append(f"{state.turns:,} turn{'' if state.turns == 1 else 's'}")
    if state.context_tokens:
        context = f"context {state.context_tokens / 1000:,.0f}k"
        if state.cached_tokens is not None:
            context += f", {state.cached_tokens / state.context_tokens:.0%} cached"
        words.append(context.replace("%", " %"))
    if state.ended_at is not None and today is None:
        words.append(time.strftime("%H:%M", time.localtime(state.ended_at)))
    return "  ".join(words)
