"""A disk that forgets what was not synced: what is left of a folder after a power cut; and a
process that dies between two changes to the disk.

Takes the place of the calls that change a disk. Bytes last when their file was synced; a name lasts
when its folder was synced after it was given. At the cut, anything else may be there or not, and a
file whose bytes were not synced may hold nothing, a part, or zeros.
"""

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Names = dict[str, int]


class PowerCut(BaseException):
    """The moment the power goes: nobody catches it."""


class ForgetfulDisk:
    """Watches one folder from the moment it is made; what is there then has lasted."""

    def __init__(self, folder: Path, cut_at: int, seed: int) -> None:
        self.folder, self.cut_at, self._rng = folder, cut_at, random.Random(seed)
        self.steps = 0
        self._bytes: dict[int, bytes] = {}
        self._names: dict[Path, Names] = {}
        self._folders: set[Path] = set()
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir():
                self._names[path] = _names(path)
            else:
                self._bytes[path.stat().st_ino] = path.read_bytes()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Everything in here happens on this disk."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", self._sync)
            patch.setattr(Path, "replace", self._counted(Path.replace))
            patch.setattr(Path, "unlink", self._counted(Path.unlink))
            patch.setattr(shutil, "rmtree", self._counted(shutil.rmtree))
            yield

    def _counted(self, original: Any) -> Any:
        def change(*args: Any, **kwargs: Any) -> Any:
            self._step()
            return original(*args, **kwargs)

        return change

    def _step(self) -> None:
        if self.steps >= self.cut_at:
            raise PowerCut
        self.steps += 1

    def _sync(self, opened: int) -> None:
        self._step()
        path = Path(os.readlink(f"/proc/self/fd/{opened}"))
        if path.is_dir():
            self._names[path] = _names(path)
            self._folders |= {each for each in path.iterdir() if each.is_dir()}
        else:
            self._bytes[os.fstat(opened).st_ino] = path.read_bytes()

    def after_the_cut(self, into: Path) -> Path:
        """What the next process finds."""
        now = {p.stat().st_ino: p.read_bytes() for p in self.folder.rglob("*") if p.is_file()}
        self._restore(self.folder, into, now)
        return into

    def _restore(self, folder: Path, into: Path, now: dict[int, bytes]) -> None:
        into.mkdir(parents=True)
        lasting, current = self._names.get(folder, {}), _names(folder)
        for name in sorted({*lasting, *current}):
            inode = lasting.get(name) if self._rng.random() < 0.5 else current.get(name)
            if lasting.get(name) == current.get(name):
                inode = current.get(name)
            if inode is None:
                continue
            # A folder that was removed and whose removal did not last comes back as a folder.
            if (folder / name).is_dir() or folder / name in self._folders:
                self._restore(folder / name, into / name, now)
            else:
                (into / name).write_bytes(self._content(inode, now))

    def _content(self, inode: int, now: dict[int, bytes]) -> bytes:
        synced, written = self._bytes.get(inode), now.get(inode, b"")
        if synced is not None and (inode not in now or synced == written):
            return synced
        half = written[: len(written) // 2]
        return self._rng.choice([synced or b"", b"", half, bytes(len(written))])


def _names(folder: Path) -> Names:
    return {p.name: p.stat().st_ino for p in folder.iterdir()} if folder.is_dir() else {}


class Killed(BaseException):
    """Stands for SIGKILL: nobody catches it."""


@contextmanager
def killed_at(step: int) -> Iterator[None]:
    """Lets `step` changes to the disk pass and dies at the next, as a process would."""
    made = 0

    def counted(original: Any) -> Any:
        def change(*args: Any, **kwargs: Any) -> Any:
            nonlocal made
            if made >= step:
                raise Killed
            made += 1
            return original(*args, **kwargs)

        return change

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", counted(Path.replace))
        patch.setattr(Path, "unlink", counted(Path.unlink))
        patch.setattr(shutil, "rmtree", counted(shutil.rmtree))
        yield
