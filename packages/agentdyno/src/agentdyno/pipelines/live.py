"""Measures sessions while they are written: files that changed in, a state of each session out.

Takes the folders of agents and a ledger. Of a file that grew only the new lines are read, of one
that changed otherwise all, so whatever happened to it (a line that was half written, usage that was
corrected later, a compaction, a rotation) the ledger is as if it had been measured now. Rows of a
deleted file stay.
Between two changes the ledger is free for others to write, and what is known of it stays in memory.
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from agentdyno.intake.discover import Found, discover, recognise
from agentdyno.intake.format import load_formats
from agentdyno.intake.growing import GrowingFiles
from agentdyno.intake.mirror import Mirror
from agentdyno.ledger.connections import Connections
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.working_copy import open_working_copy
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.measure import FollowState, measure_costs_first, measure_files
from agentdyno.pipelines.measure_options import (
    MeasureOptions,
    ledger_options,
    select_reading_options,
)
from agentdyno.pipelines.session_states import SessionState, SessionStates
from agentdyno.pipelines.source_access import keep_access
from agentdyno.pipelines.versions import current_versions
from agentdyno.records import InputError


def follow(
    paths: list[Path],
    ledger: Path,
    changes: Iterable[Collection[Path]],
    report: Callable[[list[SessionState]], None],
    options: MeasureOptions | None = None,
) -> None:
    """Measures everything once, and then what changes, as long as changes come; reports the state
    of the sessions that changed. A ledger in object storage is brought up to date at the end."""
    measure_options = options or MeasureOptions(workers=1, costs_only=True)
    with open_working_copy(ledger) as copy:
        measure_costs_first(paths, copy, measure_options)
        live = LiveLedger(paths, copy, measure_options)
        waiting = set[Path]()
        for changed in changes:
            waiting |= {Path(os.path.realpath(path)) for path in changed if path.is_file()}
            if not waiting:
                continue
            try:
                states = live.measure(waiting)
            except InputError:
                continue  # Another command writes the ledger.
            waiting = set()
            report(states)


def watch(paths: list[Path], ledger: Path) -> Iterator[set[Path]]:
    """Files that change under the paths, those of the ledger left out, until Ctrl-C."""
    from watchfiles import watch as watch_files

    ledger_path = Path(os.path.realpath(ledger))
    for changes in watch_files(*paths, watch_filter=None, debounce=800, step=100):
        changed = {Path(path) for _, path in changes}
        yield {path for path in changed if ledger_path not in path.parents}


class LiveLedger:
    """A ledger that is brought up to date again and again."""

    def __init__(self, paths: list[Path], ledger: Path, options: MeasureOptions) -> None:
        self._paths, self._ledger, self._options = paths, ledger, options
        self._formats = load_formats()
        self._writer: LedgerWriter | None = None
        self._memory, self._states = FollowState(Connections(), GrowingFiles()), SessionStates()
        self._names: dict[str, str] = {}
        """By path: what the ledger calls a file."""
        self._known = {state.session: state for state in self._states.update(Ledger(ledger))}
        self._states.keep(ledger)

    def measure(self, changed: Collection[Path]) -> list[SessionState]:
        """Measures files that changed; returns the states of sessions that did."""
        began, writer = time.time(), self._open()
        try:
            files = self._find(changed)
            with keep_access(writer):
                read = measure_files(files, writer, self._options, _NO_MIRROR, self._memory)
            self._names |= {entry.path: name for name, entry in read.items()}
            states = self._states.update(Ledger(self._ledger, writer.manifest))
        except BaseException:
            self._writer = None  # What it holds may not be what was published.
            raise
        finally:
            writer.pause()
        self._states.keep(self._ledger, began)
        new = [state for state in states if self._known.get(state.session) != state]
        self._known |= {state.session: state for state in new}
        return new

    def _open(self) -> LedgerWriter:
        if self._writer is not None and self._writer.resume():
            return self._writer
        if self._writer is None:
            options = ledger_options(self._options)
            reading = select_reading_options(options)
            self._writer = LedgerWriter(self._ledger, options, reading, current_versions())
        inputs = self._writer.manifest.inputs
        self._names = {entry.path: name for name, entry in inputs.items()}
        return self._writer

    def _find(self, changed: Collection[Path]) -> list[Found]:
        """What the files are; the folders are searched only for one that is new."""
        names = {path: self._names.get(os.fspath(path)) for path in changed}
        new = {path for path, name in names.items() if name is None}
        items = [*discover(self._paths, self._formats, only=new)] if new else []
        for path, name in names.items():
            if name is not None:
                items += recognise(path, name, self._formats)
        return [item for item in items if isinstance(item, Found)]


_NO_MIRROR = Mirror(Path())
