"""Folders with planted Python files, each of which leaves a mark when it is executed."""

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path

from agentdyno.engines.children import SAFE_PATH
from agentdyno.engines.local import run
from tests.ledger.traces import write_jsonl

BY_ITSELF = {"sitecustomize", "usercustomize", "conftest", "__main__", "agentdyno_plugin"}
"""What Python or pytest would look for without being asked."""
SCRIPT = """\
import os, sys
open(os.path.join({started!r}, str(os.getpid())), "w").close()
{code}
"""


class Mine:
    """A folder that is full of planted modules, and a place where their marks appear."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self.folder = folder / "work"
        """Where programs are run."""
        self._outside = folder / "outside"
        self._names = sorted(names)
        for place in (self.folder, self._outside / "marks", self._outside / "started"):
            place.mkdir(parents=True)

    def plant(self, *folders: Path) -> None:
        """Puts a module of every name into each folder, and a .pth file."""
        for folder in folders:
            for name in self._names:
                (folder / f"{name}.py").write_text(self._leave_mark(folder, name))
            (folder / "planted.pth").write_text(f"import sys; {self._leave_mark(folder, 'pth')}")

    def _leave_mark(self, folder: Path, name: str) -> str:
        # Without an import: the module that would be imported may be planted, too.
        return f"open({str(self._outside / 'marks' / f'{folder.name}-{name}')!r}, 'w').close()\n"

    @property
    def executed(self) -> list[str]:
        """Which planted files were executed."""
        return sorted(mark.name for mark in (self._outside / "marks").iterdir())

    @property
    def processes(self) -> int:
        """How many processes ran the script: the one that was started, and spawned workers."""
        return len(list((self._outside / "started").iterdir()))

    def run_script(self, code: str, *words: str) -> "subprocess.CompletedProcess[str]":
        """Runs a script that lies elsewhere, as a console script does, in the planted folder."""
        script = self._outside / "script.py"
        script.write_text(SCRIPT.format(started=str(self._outside / "started"), code=code))
        return self.run_python(str(script), *words)

    def run_python(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Runs Python with these arguments in the planted folder."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if name != SAFE_PATH},
            capture_output=True,
            text=True,
            check=False,
        )


@cache
def worker_modules(folder: Path) -> frozenset[str]:
    """Top-level modules that a worker has imported, or looked for, when it has measured traces."""
    traces = write_jsonl(folder / "traces" / "a.jsonl", range(3))
    lists = run(modules_after_measuring, [(traces, folder / str(n)) for n in range(2)], 2)
    names = {name for found in lists for name in found} | BY_ITSELF
    return frozenset(name for name in names if name.isidentifier())


class _Recorder:
    """Notes which modules are looked for, and finds none."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        self.names.add(name)
        return None


def modules_after_measuring(places: tuple[Path, Path]) -> set[str]:
    """Runs in a worker."""
    recorder = _Recorder()
    sys.meta_path.insert(0, recorder)
    from agentdyno.pipelines.measure import MeasureOptions, measure

    traces, ledger = places
    measure([traces], ledger, MeasureOptions(workers=1))
    return {name.partition(".")[0] for name in {*sys.modules, *recorder.names}}
