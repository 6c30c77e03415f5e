"""Estimates the cost of a judging run: prompts and prices in, a sentence out.

    usd = (characters / 4) * input price + questions * OUTPUT_TOKENS * output price

Repairs come on top; in practice they are few. Worked: 1,000 questions of 6,000 characters at 1 and
5 USD a million: 1.5 + 0.6 = 2.10 USD.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.prices import Price, money
from agentdyno.records import InputError
from agentdyno_bench.shared.judges.evidence_budget import CHARACTERS_PER_TOKEN

OUTPUT_TOKENS = 120
"""An object with two sentences."""


class Estimated(Struct, frozen=True, kw_only=True):
    """Questions and cost of a run, estimated before it starts."""

    calls: int
    """Calls, or trajectories, that are judged."""
    questions: int
    """Questions about them: judges times repeats."""
    to_pay: int
    """Questions, those of checks included, that no earlier answer settles."""
    check_questions: int = 0
    check_to_pay: int = 0
    """Questions of checks that no earlier answer settles."""
    usd: float | None
    """Money for those; None when a model has no known price."""
    unpriced: tuple[str, ...]
    """Models without a known price."""

    def __str__(self) -> str:
        if not self.to_pay:
            return "nothing is left to ask"
        many = f"about {self.to_pay:,} {'call' if self.to_pay == 1 else 'calls'}"
        if self.check_to_pay:
            many += f" ({self.check_to_pay:,} of them for --check)"
        if self.usd is None:
            return f"{many}, at an unknown price ({', '.join(self.unpriced)})"
        return f"{many}, about ${self.usd:,.2f}"


def judge_price(model: str, prices: Path | None) -> Price | None:
    return price_of(model, prices)


def estimate_usd(price: Price | None, characters: int, questions: int) -> float | None:
    """Money for so many questions with so much text in all."""
    tokens = round(characters / CHARACTERS_PER_TOKEN)
    return money(price, tokens, None, None, questions * OUTPUT_TOKENS)


def refuse_above(estimated: Estimated, max_usd: float | None) -> None:
    """`InputError` when it will cost more than it may, or nobody can say what it will cost."""
    if max_usd is None or estimated.to_pay == 0:
        return
    if estimated.usd is None:
        refuse_unpriced(estimated.unpriced, max_usd)
    elif estimated.usd > max_usd:
        raise InputError(
            f"{estimated}: more than --max-usd {max_usd:g}. Raise it, or judge less: --sample N "
            "with judge, --stride N with bench toolfail."
        )


def refuse_unpriced(unpriced: Sequence[str], max_usd: float | None) -> None:
    """`InputError` when money is limited and these models have no price."""
    if max_usd is not None and unpriced:
        raise InputError(
            f"--max-usd {max_usd:g}: {', '.join(unpriced)} has no known price. "
            "Give one with --prices FILE, or leave --max-usd out."
        )
