"""What a cost is counted in."""

from typing import Literal

CostUnit = Literal["pte", "gpu_seconds"]
"""Prefill-token equivalents, each a token of its trajectory's own model; or seconds of the machine,
which add up over models."""
