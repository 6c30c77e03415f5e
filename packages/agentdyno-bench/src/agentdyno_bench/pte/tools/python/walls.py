"""The command line that puts a program behind walls. Pure: it starts nothing.

Inside there is a read-only root with the interpreter, its packages and the C library; /tmp and
/dev/shm, which are memory and small; four devices; no /proc, since mount tables and host details
would show there and Python does not need it. All namespaces are new.
"""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from agentdyno.plugins import OURS
from agentdyno_bench.pte.tools.config import MIB, PythonConfig
from agentdyno_bench.pte.tools.python.boot import BOOT, boot_arguments
from agentdyno_bench.pte.tools.python.interpreter import Interpreter

_AGENTDYNO = [
    Path(place).resolve()
    for name in OURS
    if (spec := find_spec(name)) is not None
    for place in spec.submodule_search_locations or ()
]
_PYTHON = "/python/bin/python3"
_CODE = "/code/main.py"
_SHARED_MEMORY = 16 * MIB
_NOTES = ("*.pth", "*.egg-link", "__editable__*", "*.dist-info/direct_url.json")
_ENVIRONMENT = {
    "PATH": "/python/bin",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PYTHONDONTWRITEBYTECODE": "1",
    # What was printed before a program is stopped would otherwise be lost.
    "PYTHONUNBUFFERED": "1",
    # A thread for each of the host's cores would not fit into the limits.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def command(
    bwrap: str,
    interpreter: Interpreter,
    config: PythonConfig,
    user: int,
    descriptors: tuple[int, int, int, int],
    counted: bool = False,
) -> list[str]:
    """bubblewrap's command line; the descriptors are those of code, filter, information and of the
    pipe on which the sandbox waits before it runs anything; `counted` where no control group keeps
    the memory."""
    code, filter_, information, gate = map(str, descriptors)
    return [
        bwrap,
        *_namespaces(user),
        *("--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"),
        *("--seccomp", filter_, "--info-fd", information, "--block-fd", gate),
        *_environment(interpreter),
        *_system(),
        *_python(interpreter),
        *_memory("/tmp", config.disk_bytes),
        *_devices(),
        *("--dir", "/code", "--perms", "0444", "--ro-bind-data", code, _CODE),
        *("--remount-ro", "/", "--chdir", "/tmp"),
        *(_PYTHON, "-I", "-S", "-c", BOOT, *boot_arguments(config, user, counted)),
        *(_PYTHON, _CODE),
    ]


def _namespaces(user: int) -> list[str]:
    if not user:
        return ["--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    # Root starts without a user namespace, in which it would stay root for the kernel's counts,
    # and keeps only what it needs to become another user.
    names = ("ipc", "pid", "net", "uts", "cgroup-try")
    capabilities = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    return [*(f"--unshare-{name}" for name in names), *capabilities]


def _environment(interpreter: Interpreter) -> list[str]:
    values = dict(_ENVIRONMENT)
    if "lib" in interpreter.libraries:
        values["LD_LIBRARY_PATH"] = ":".join(f"/python/{n}" for n in interpreter.libraries)
    if interpreter.packages:
        values["PYTHONPATH"] = ":".join(_package_places(interpreter))
    return ["--clearenv", *(x for k, v in values.items() for x in ("--setenv", k, v))]


def _system() -> list[str]:
    arguments = ["--dir", "/usr", "--dir", "/etc", "--dir", "/dev"]
    for name in ("lib", "lib64", "lib32", "libx32"):
        if Path("/usr", name).is_dir():
            arguments += ["--ro-bind", f"/usr/{name}", f"/usr/{name}"]
        arguments += _top(name)
    for path in ("/etc/ld.so.cache", "/usr/share/zoneinfo"):
        arguments += ["--ro-bind-try", path, path]
    return arguments


def _top(name: str) -> list[str]:
    path = Path("/", name)
    if path.is_symlink():
        return ["--symlink", f"usr/{name}", f"/{name}"]
    return ["--ro-bind", f"/{name}", f"/{name}"] if path.is_dir() else []


def _python(interpreter: Interpreter) -> Iterable[str]:
    # Folders that bubblewrap makes on its way are closed to others; these are made open.
    yield from ("--dir", "/python", "--dir", "/python/bin")
    yield from ("--ro-bind", str(interpreter.executable), _PYTHON)
    mounts = {f"/python/{name}": path for name, path in interpreter.libraries.items()}
    mounts |= dict(zip(_package_places(interpreter), interpreter.packages, strict=True))
    for target, path in mounts.items():
        yield from ("--ro-bind", str(path), target)
        yield from _hide(path, target)
    for target, path in zip(_package_places(interpreter), interpreter.packages, strict=True):
        yield from _empty(path, target)


def _hide(path: Path, target: str) -> list[str]:
    """AgentDyno itself, where it is installed in there: the benchmarks' answers lie in it."""
    inside = [
        f"{target}/{package.relative_to(path).as_posix()}"
        for package in _AGENTDYNO
        if package.is_relative_to(path)
    ]
    return [word for hidden in inside for word in ("--tmpfs", hidden, "--remount-ro", hidden)]


def _empty(path: Path, target: str) -> Iterable[str]:
    """Notes of installers that name folders of the host; nothing imports them."""
    for pattern in _NOTES:
        for note in sorted(path.glob(pattern)):
            yield from ("--ro-bind", "/dev/null", f"{target}/{note.relative_to(path).as_posix()}")


def _package_places(interpreter: Interpreter) -> list[str]:
    return [f"/packages{number or ''}" for number in range(len(interpreter.packages))]


def _memory(target: str, size: int) -> list[str]:
    return ["--perms", "1777", "--size", str(size), "--tmpfs", target]


def _devices() -> Iterable[str]:
    for name in ("null", "zero", "random", "urandom"):
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    yield from _memory("/dev/shm", _SHARED_MEMORY)
