"""The unit of comparison: a model on a benchmark with a tool suite."""

from msgspec import Struct


class SettingName(Struct, frozen=True):
    """Model x benchmark x variant."""

    model: str | None
    """The agent's model."""
    benchmark: str | None
    """The task set."""
    variant: str | None
    """The tool suite."""
