"""The result of running a program, and its text for a model. Knows nothing of sandboxes."""

from typing import Literal, Protocol

from msgspec import Struct

Stop = Literal["time", "output", "memory", "files"]


class Execution(Struct, frozen=True):
    """The result of running a program."""

    stdout: str
    """What it printed, up to the limit."""
    stderr: str
    """What it complained about, up to the limit."""
    exit_code: int | None
    """Its exit code, 128 plus the signal when one ended it; None when it was stopped."""
    stopped: Stop | None = None
    """The limit that stopped it; None when it ended by itself."""
    seconds: float | None = None
    """Wall time; None when the sandbox does not tell."""
    peak_bytes: int | None = None
    """The most memory that all its processes held; None where no control group counted it."""

    @property
    def failed(self) -> bool:
        """True when the program was stopped or ended with an error."""
        return self.stopped is not None or self.exit_code != 0


class PythonBackend(Protocol):
    """A place where programs run."""

    name: str
    """Its name in the configuration."""

    async def execute(self, code: str) -> Execution:
        """Runs one program in a fresh interpreter."""


STOPPED = {
    "time": "The program was stopped by a timeout: it ran longer than the time limit.",
    "output": "The program was killed: it printed more than the output limit. Print less.",
    "memory": "The program was killed: out of memory, all its processes together.",
    "files": "The program was killed: it made too many files.",
}
_SIGNALS = {
    9: "killed",
    11: "it crashed (segmentation fault)",
    15: "terminated",
    24: "killed: it used more CPU time than the limit",
    25: "killed: it wrote a larger file than the limit",
    31: "killed: it made a system call that is denied here",
}


def describe(execution: Execution) -> str:
    """The result for the model: both streams, and how it ended when it did not end well."""
    text = f"stdout:\n{execution.stdout.rstrip()}\n\nstderr:\n{execution.stderr.rstrip()}"
    return text + _describe_end(execution)


def _describe_end(execution: Execution) -> str:
    if execution.stopped is not None:
        return f"\n\n{STOPPED[execution.stopped]}"
    if execution.exit_code in (0, None):
        return ""
    signal = _SIGNALS.get((execution.exit_code or 0) - 128)
    return f"\n\nexit code: {execution.exit_code}" + (f" ({signal})" if signal else "")


def shell_exit_code(code: int | None) -> int | None:
    """128 plus the signal where Python says minus the signal."""
    return 128 - code if code is not None and code < 0 else code
