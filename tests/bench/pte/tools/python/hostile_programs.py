"""Programs that try to get out, to take too much or to stay: `tests/data/hostile_programs.toml`."""

import tomllib

import msgspec

from tests.labelled import DATA


class Program(msgspec.Struct, frozen=True):
    """One program; the file says what the fields are."""

    name: str
    kind: str
    code: str
    expect: str
    seconds: float = 15.0
    cpu_seconds: int = 30
    slow: bool = False
    packages: bool = False


_written = tomllib.loads((DATA / "hostile_programs.toml").read_text("utf-8"))
PRELUDE: str = _written["prelude"]
PROGRAMS = [
    *msgspec.convert(_written["program"], list[Program]),
    # No text file can hold half a surrogate pair.
    Program("is no program", "kernel", "\ud800 = 1 (", r"SyntaxError\D+exit code: 1\b"),
]
