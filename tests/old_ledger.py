"""A ledger that an earlier version wrote, unpacked where a test may change it."""

import shutil
from pathlib import Path

KEPT = Path(__file__).parent / "data" / "ledger_0.1.0"


def unpack(folder: Path) -> tuple[Path, Path]:
    """The ledger and the folder of its traces."""
    ledger, traces = folder / "ledger", folder / "traces"
    shutil.copytree(KEPT / "ledger", ledger)
    shutil.copytree(KEPT / "traces", traces)
    manifest = ledger / "manifest.json"
    manifest.write_text(manifest.read_text().replace("TRACES", traces.as_posix()))
    return ledger, traces
