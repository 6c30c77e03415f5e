"""One line about a session, for the status line and for `follow`.

Loads nothing but the clock: the status hook waits for it.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class State(Protocol):
        """What a session has come to, as the status line reads it or as a table gives it."""

        @property
        def usd(self) -> float | None: ...
        @property
        def turns(self) -> int: ...
        @property
        def context_tokens(self) -> int | None: ...
        @property
        def cached_tokens(self) -> int | None: ...
        @property
        def ended_at(self) -> float | None: ...


def describe(state: "State", today: float | None = None, is_behind: bool = False) -> str:
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
