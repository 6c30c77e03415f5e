"""Units of cost."""

from typing import Literal

CostUnit = Literal["usd", "gpu_seconds", "pte"]
"""Money; seconds of the machine, which add up over models like money; or prefill-token equivalents,
each a token of its trajectory's own model."""
