"""How many tokens a response really had, where only its text is known.

Takes a model's name; returns what to multiply counted tokens by, per kind of text, and by how much
such an estimate may be off. A stand-in vocabulary miscounts, a call costs more than its name and
arguments (the tags around them), and thinking may be shown shortened.

    decode = text * f_text + request * f_request + reasoning * f_reasoning
             + per_call * calls + per_response

The table was fitted to responses whose final count is known. Worked, for Opus 4.6: an answer of 386
counted tokens without a call is 386 * 1.14 + 18 = 458 (the provider counted 468).
"""

import re
from functools import cache, lru_cache

import msgspec
from msgspec import Struct

from agentdyno.cost.toml_files import read_bundled


class Calibration(Struct, frozen=True):
    family: str
    """Its name in the table."""
    pattern: str
    """Regular expression for a model's name, in lower case."""
    text: float
    """Factor on counted tokens of visible text."""
    request: float
    """Factor on counted tokens of a call's name and arguments."""
    reasoning: float
    """Factor on counted tokens of reasoning, as far as it is shown."""
    per_call: float
    """Tokens that come with every call."""
    per_response: float
    """Tokens that come with every response."""
    spread: float
    """Standard deviation of one response's estimate, as a share of it."""
    bias: float
    """Standard error that all estimates of the family share, as a share of their sum."""
    responses: int
    """How many responses it was fitted to."""
    as_of: str

    def factor(self, kind: str) -> float:
        """The factor on a kind of text that a model writes."""
        if kind == "text":
            return self.text
        return self.request if kind == "request" else self.reasoning


UNCALIBRATED: dict[str, tuple[float, float]] = {"estimated": (0.4, 0.25), "counted": (0.2, 0.1)}
"""Spread and bias where no family matches, by how the text was counted: what the families in the
table were off by before they were calibrated (0.69 to 0.78 of the truth with a stand-in vocabulary,
0.91 to 0.94 with their own)."""


@lru_cache(maxsize=1024)
def calibration_of(model: str | None) -> Calibration | None:
    """The family that a model's name belongs to; None where none is known."""
    name = (model or "").lower()
    return next((row for row in list_calibrations() if re.search(row.pattern, name)), None)


@cache
def list_calibrations() -> tuple[Calibration, ...]:
    """The bundled table, the particular families before the general ones."""
    rows = read_bundled("token_calibration.toml")
    return tuple(
        msgspec.convert({"family": family, **row}, Calibration, strict=False)
        for family, row in rows.items()
    )
