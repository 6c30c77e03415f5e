"""The formats that trajectories are exported to, by the name that is typed."""

import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from agentdyno.pipelines.exports.atif import write_atif
from agentdyno.pipelines.exports.otel_spans import write_otel_spans
from agentdyno.pipelines.exports.scout import write_scout
from agentdyno.pipelines.exports.source import ExportSource
from agentdyno.records import InputError, printable, shortened
from agentdyno.studies.selection import Selection


class ExportFormat(Struct, frozen=True):
    """A format of another tool."""

    write: Callable[[ExportSource, Path], None]
    """Writes the trajectories to a path."""
    suffix: str | None
    """How its file must end; None where it is a folder."""


FORMATS = {
    "atif": ExportFormat(write_atif, None),
    "otel": ExportFormat(write_otel_spans, ".jsonl"),
    "scout": ExportFormat(write_scout, None),
}


class Exported(Struct, frozen=True):
    """What an export wrote."""

    path: str
    trajectories: int
    missing: dict[str, str]
    """Traces that could not be read again, with the reason; their trajectories are not in it."""


def export_trajectories(
    folder: Path, name: str, to: Path, selection: Selection | None = None
) -> Exported:
    """Writes all trajectories of a ledger, or those of which any turn is in the selection, whole;
    the path appears when it is complete."""
    if name not in FORMATS:
        raise InputError(f"No format {printable(name, 40)!r}. Known: {', '.join(FORMATS)}.")
    form = FORMATS[name]
    if form.suffix is not None and to.suffix != form.suffix:
        raise InputError(
            f"{shortened(to, 200)}: expected a file called {form.suffix} for {name}, found "
            f"{printable(to.suffix) or 'no ending'}."
        )
    if form.suffix is None and to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise InputError(f"{shortened(to, 200)}: expected a new or empty folder for {name}.")
    source = ExportSource(folder, selection)
    staging = to.with_name(f".{to.name}.new")
    shutil.rmtree(staging, ignore_errors=True)
    form.write(source, staging)
    if to.is_dir():
        to.rmdir()
    staging.replace(to)
    return Exported(str(to), source.read, source.missing())
