"""What may be asked of a what-if."""

from msgspec import Struct


class WhatIfOptions(Struct, frozen=True):
    """The changes, alone and together."""

    drop_tools: tuple[str, ...] = ()
    """Names or globs of tools to leave out."""
    drop_turns: bool = False
    """Whether turns that made only dropped calls go as well."""
    cap_results: int | None = None
    """The most tokens of a result."""
    cap_tools: tuple[str, ...] = ()
    """Names or globs of the tools whose results are cut; empty: all of them."""
    counts_rereads: bool = False
    """Whether a result is left whole, and asked for twice, where the agent later quotes what would
    be cut of it."""
    compact_at: int | None = None
    """Tokens of a context beyond which it is compacted."""
    clear_after_seconds: float | None = None
    """The break after which the context is cleared, where nothing from before is quoted later."""
    subagent_model: str | None = None
    """The model of sub-agents, for price alone."""
    keep_cache_seconds: float | None = None
    """How long a cache lives without being used."""
    cache_lifetime_seconds: float | None = None
    """How long the provider keeps what is written: 300 or 3600 seconds."""
    keep_alive_seconds: float | None = None
    """For how long after every answer the cache is kept alive by small requests."""
    hardware: str | None = None
    """Another accelerator: a name, or a TOML file."""
    model: str | None = None
    """Another model, for gamma and price."""
    arch: str | None = None
    """Another architecture, for gamma alone: a name, or a config.json."""
    concurrency: int | None = None
    """Requests served at once, behind GPU-seconds; None: the hardware profile's, or the default."""
    batch_independent: bool = False
    """Whether calls that do not wait for each other are made in one turn."""
    batch_notes: bool = False
    """Whether entries of the agent's task list are made in the turn that follows them."""
