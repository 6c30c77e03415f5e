"""What a user of `measure` may choose, and what of it a ledger keeps.

Takes options, returns those that decide costs, those that decide what is read, and those that are
written down when a ledger is begun. A ledger's own costs stay what they were.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, structs

from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.pte import DEFAULT_CACHE, CacheAssumption
from agentdyno.ledger.given_paths import OPTION_FILES, find_closed_options
from agentdyno.ledger.manifest import Manifest
from agentdyno.measures.gamma import Form
from agentdyno.records import InputError, printable
from agentdyno.regular_files import read_regular


class MeasureOptions(Struct, frozen=True):
    """What the user may choose."""

    format: str | None = None
    """Read every file as this format; None detects it."""
    hardware: str = "h100-pcie"
    """Name of a known hardware, or a TOML file."""
    arch: str = "auto"
    """`auto`, the name of an architecture, or a config.json."""
    gamma: Form = "paper"
    """The paper's formula, or the real width of the cache."""
    cache: CacheAssumption = DEFAULT_CACHE
    """The cache assumption behind `pte`."""
    count: Literal["fast", "exact"] = "fast"
    """Whether texts are counted also where the provider reported totals."""
    tokenizer: str | None = None
    """A tokenizer.json that counts every model's tokens; None takes the family's own."""
    prices: str | None = None
    """A TOML price table that goes before the bundled one."""
    workers: int | None = None
    """Processes; None for one per processor."""
    max_record_mb: int = 64
    """Larger records are reported as bad."""
    keep_secrets: bool = False
    """Whether keys, tokens and passwords stay in the ledger's texts."""
    keep_equal: bool = False
    """Whether byte-equal files without ids or times are samples instead of copies of one run."""
    stated: dict[str, str] = {}
    """Fields that the traces do not say, with their values."""
    engine: Literal["local", "ray"] = "local"
    """Processes of this machine, or a Ray cluster."""
    costs_only: bool = False
    """Whether patterns and schedules are left to the first report, which reads the traces again."""
    keep_texts: bool = False
    """Whether the texts are kept beside the ledger, for when the traces are gone."""


def meter_options(options: MeasureOptions) -> MeterOptions:
    """What of it a meter needs to know."""
    shared = {f: getattr(options, f) for f in MeterOptions.__struct_fields__}
    return MeterOptions(**shared)


def own_meter_options(manifest: Manifest, folder: Path, options: MeasureOptions) -> MeterOptions:
    """Costs as the ledger was begun with, so that its tables never mix two; counts as asked now.

    Other costs are a view, chosen when the ledger is read.
    """
    own = manifest.options
    refuse_closed_files(manifest, folder, own)
    for name, digest in own.get("files", {}).items():
        path = Path(str(own.get(name)))
        if name != "tokenizer" and (not path.is_file() or _digest(path) != digest):
            raise InputError(
                f"{path}: expected the file that this ledger was begun with (--{name}), found "
                "another or none. Put it back, or begin another ledger with --out."
            )
    costs = ("hardware", "arch", "gamma", "cache", "prices")
    names = {name: own[name] for name in costs if name in own}
    return structs.replace(meter_options(options), **names)


def refuse_closed_files(manifest: Manifest, folder: Path, options: dict[str, Any]) -> None:
    """Raises where rows rest on a file that somebody else's ledger names."""
    for name, path in find_closed_options(folder, manifest.volumes, options).items():
        if name != "tokenizer" or options is not manifest.options:
            raise InputError(
                f"{folder}: expected a ledger that you began, found one begun elsewhere with "
                f"--{name} {printable(path, 120)}, a file that is not opened. If it is yours, give "
                f"it to measure again with --{name}; else measure into another folder with --out."
            )


def ledger_options(options: MeasureOptions) -> dict[str, object]:
    """What decides the numbers; how they were computed (workers, engine) does not."""
    how = ("workers", "engine", "costs_only", "keep_texts")
    stored = {k: v for k, v in structs.asdict(options).items() if k not in how}
    # The same path with other contents is another choice.
    files = {k: Path(v) for k in OPTION_FILES if (v := stored[k]) and Path(v).is_file()}
    return stored | {"files": {k: _digest(path) for k, path in files.items()}}


def select_reading_options(options: dict[str, Any]) -> dict[str, Any]:
    """Those of the ledger's options that decide what is read and how it is counted."""
    reading = {name: options.get(name) for name in ("count", "tokenizer", "max_record_mb")}
    reading["tokenizer_digest"] = options.get("files", {}).get("tokenizer")
    for name in ("keep_secrets", "keep_equal", "stated"):
        reading[name] = options.get(name) or None
    return {name: value for name, value in reading.items() if value is not None}


def _digest(path: Path) -> str:
    return blake2b(read_regular(path), digest_size=16).hexdigest()
