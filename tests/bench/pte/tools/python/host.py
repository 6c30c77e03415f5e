"""Things of the host that hostile programs are after, and ways to see what they left behind."""

import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from agentdyno_bench.pte.tools.python import bubblewrap
from agentdyno_bench.pte.tools.python.first_process import FirstProcess

SECRET_VALUE = "hunter2-of-the-host"
_MACHINES = ("x86_64", "aarch64")
_CALLS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "unshare": (272, 97),
    "clone": (56, 220),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
}


@dataclass
class Host:
    """The host of a test."""

    folder: Path
    canary: subprocess.Popen[bytes]
    listeners: list[socket.socket]
    values: dict[str, str]
    untouched: list[str] = field(default_factory=list)

    def fill_in(self, code: str) -> str:
        """A program with the host's things in place of their names."""
        for name, value in self.values.items():
            code = code.replace("{" + name + "}", value)
        return code

    def check(self) -> None:
        """Nothing was reached, killed or written."""
        assert self.canary.poll() is None, "a process of the host was killed"
        assert sorted(os.listdir(self.folder)) == self.untouched
        assert (self.folder / self.values["name"]).read_text() == SECRET_VALUE
        for listener in self.listeners:
            try:
                listener.accept()
            except BlockingIOError:
                continue
            raise AssertionError(f"somebody connected to {listener.getsockname()}")


@contextmanager
def host(folder: Path) -> Iterator[Host]:
    """Sets up a secret, a canary and listening sockets."""
    with ExitStack() as stack:
        secret = folder / "secret-of-the-host.txt"
        secret.write_text(SECRET_VALUE)
        folder.chmod(0o755)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        file = stack.enter_context(socket.socket(socket.AF_UNIX))
        file.bind(str(folder / "s"))
        (folder / "s").chmod(0o777)
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0agentdyno-test-{os.getpid()}")
        listeners = [port, file, abstract]
        for listener in listeners:
            listener.listen()
            listener.setblocking(False)
        canary = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        stack.callback(canary.wait)
        stack.callback(canary.kill)
        machine = _MACHINES.index(platform.machine())
        values = {
            "secret": str(secret),
            "name": secret.name,
            "folder": str(folder),
            "value": SECRET_VALUE,
            "port": str(port.getsockname()[1]),
            "socket": str(folder / "s"),
            "abstract": f"agentdyno-test-{os.getpid()}",
            "pid": str(canary.pid),
            "parent": str(os.getpid()),
            "tree": str(Path(sys.prefix).resolve().parent),
            **{name: str(numbers[machine]) for name, numbers in _CALLS.items()},
        }
        yield Host(folder, canary, listeners, values, sorted(os.listdir(folder)))


class Namespaces:
    """Remembers the process namespaces that were made, and finds who still lives in them."""

    def __init__(self) -> None:
        self._held: list[int] = []

    @contextmanager
    def remembered(self) -> Iterator["Namespaces"]:
        """While this lasts, every sandbox that starts is remembered."""
        find = FirstProcess.find

        async def remember(first: FirstProcess) -> None:
            await find(first)
            # Held open, so that the kernel gives its number to no other.
            self._held.append(os.open(f"/proc/{first.number}/ns/pid", os.O_RDONLY))

        FirstProcess.find = remember  # type: ignore[method-assign]
        try:
            yield self
        finally:
            FirstProcess.find = find  # type: ignore[method-assign]
            for descriptor in self._held:
                os.close(descriptor)

    def inhabitants(self) -> list[str]:
        """Processes, dead ones included, that are in any of them."""
        assert self._held, "no sandbox was started"
        numbers = {os.fstat(descriptor).st_ino for descriptor in self._held}
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.stat(f"/proc/{process}/ns/pid").st_ino in numbers:
                    found.append(process)
            except OSError:
                continue
        return found


def no_bubblewrap() -> str | None:
    """Why tests of the sandbox cannot run here."""
    return bubblewrap.unavailable()
