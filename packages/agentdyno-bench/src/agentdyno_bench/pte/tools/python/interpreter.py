"""Which Python runs inside the sandbox: the one that runs AgentDyno, at neutral paths.

The interpreter and its library appear under /python and the packages installed beside AgentDyno
under /packages, wherever they lie on the host, so that nothing of a home folder shows.
"""

import sys
import sysconfig
from pathlib import Path

from msgspec import Struct


class Interpreter(Struct, frozen=True):
    """A Python installation on the host."""

    executable: Path
    """The binary itself, no link."""
    libraries: dict[str, Path]
    """Its library folders by the name they have inside: `lib`, `lib64`."""
    packages: tuple[Path, ...] = ()


def current_interpreter(packages: bool) -> Interpreter:
    """The Python that runs this, without its virtual environment but with the packages in it."""
    prefix = Path(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = [prefix / "bin" / version, Path(sys.executable)]
    executable = next(path for path in candidates if path.exists()).resolve()
    return Interpreter(executable, _libraries(prefix), _packages() if packages else ())


def system_interpreter() -> Interpreter | None:
    """The distribution's own Python, which every user may read; None when there is none."""
    executable = Path("/usr/bin/python3")
    if not executable.exists():
        return None
    return Interpreter(executable.resolve(), _libraries(Path("/usr")))


def _libraries(prefix: Path) -> dict[str, Path]:
    names = dict.fromkeys(("lib", sys.platlibdir))
    return {name: (prefix / name).resolve() for name in names if (prefix / name).is_dir()}


def _packages() -> tuple[Path, ...]:
    if sys.prefix == sys.base_prefix:
        return ()  # They lie in the library, which is there anyway.
    paths = (sysconfig.get_path(name) for name in ("purelib", "platlib"))
    return tuple(dict.fromkeys(Path(path).resolve() for path in paths))
