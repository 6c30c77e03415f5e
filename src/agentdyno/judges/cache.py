"""Verdicts on disk by content: the same rubric, trace and model are asked once.

One JSON file per verdict, named by the digest of everything that decides it. Another rubric,
another trace or another model is another digest. A verdict without a label is not kept: the
judge may do better next time. A damaged file is as good as none.
"""

import os
import tempfile
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import structs

from agentdyno.records.verdicts import Verdict


def digest(*contents: str) -> str:
    """A name for contents; their borders count."""
    made = blake2b(digest_size=16)
    for content in contents:
        data = content.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


class VerdictCache:
    """A folder of verdicts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> Verdict | None:
        """The verdict of that digest, marked as read from here."""
        try:
            verdict = msgspec.json.decode(self._file(name).read_bytes(), type=Verdict)
        except (OSError, msgspec.MsgspecError):
            return None
        if verdict.digest != name:
            return None
        return structs.replace(verdict, cached=True)

    def write(self, verdict: Verdict) -> None:
        """Keeps a verdict that has a label; whoever writes last wins, and nobody reads half."""
        if verdict.label is None:
            return
        file = self._file(verdict.digest)
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=file.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as stream:
            stream.write(msgspec.json.encode(verdict))
        os.replace(aside, file)

    def _file(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name}.json"
