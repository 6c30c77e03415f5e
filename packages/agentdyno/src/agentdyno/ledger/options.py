"""What a manifest may say of the options that a ledger was measured with.

Takes the options as they stand in a manifest, raises where one has another type than `measure`
writes, so that nobody who uses one has to ask. Options that are not listed here decide nothing.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from agentdyno.records import InputError

_Text = Annotated[str, Meta(pattern=r"\A[^\x00]*\Z")]


class _Options(Struct):
    """Every option that is read from a manifest."""

    format: _Text | None = None
    hardware: _Text | None = None
    arch: _Text | None = None
    gamma: Literal["paper", "width"] | None = None
    cache: Literal["observed", "evicted", "reported", "kept"] | None = None
    count: Literal["fast", "exact"] | None = None
    tokenizer: _Text | None = None
    tokenizer_digest: str | None = None
    prices: _Text | None = None
    max_record_mb: Annotated[int, Meta(ge=1, le=2**40)] | None = None
    keep_secrets: bool | None = None
    columns: dict[str, _Text] = {}
    stated: dict[str, _Text] = {}
    files: dict[str, str] = {}


def check_options(manifest: Path, options: dict[str, Any]) -> None:
    """Raises when an option is not what `measure` writes."""
    try:
        msgspec.convert(options, _Options)
    except msgspec.ValidationError as error:
        raise InputError(
            f"{manifest}: expected options as `agentdyno measure` writes them, found: {error}. "
            "Measure the traces into another folder."
        ) from None
