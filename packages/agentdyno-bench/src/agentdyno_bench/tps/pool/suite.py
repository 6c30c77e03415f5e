"""Which servers a pool connects to: those of the world, and others from an `mcpServers` file."""

import re
import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import which
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, SERVERS

Transport = Literal["stdio", "memory"]
_MODULE = "agentdyno_bench.tps.world.serve"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}")


class ServerDiedError(Exception):
    """A server ended during a call, or could not be brought back. The sample is begun again, a few
    times; then it fails with this, and others go on."""


class PoolSpec(Struct, frozen=True):
    """Settings of a pool; plain values, so that every process can open its own."""

    seed: int = DEFAULT_SEED
    latency: Literal["virtual", "real"] = "virtual"
    """Whether services really take their time."""
    transport: Transport = "stdio"
    """`stdio`: a process for each server; `memory`: all in this process, still over MCP."""
    servers: tuple[str, ...] = tuple(SERVERS)
    """Servers of the world to connect to."""
    mcp_servers: str | None = None
    """A JSON file with `mcpServers`; None for the world alone."""
    call_seconds: float = 60.0
    """After this a call is given up."""
    faults: float = 0.0
    """Share of calls to the world's servers that fail by chance (503, timeout), by the seed."""
    restarts: int = 3
    """How often a server is brought back without having answered in between, before its tasks
    fail."""


class ServerSpec(Struct, frozen=True):
    """How one server is reached."""

    name: str
    """The prefix of its tools."""
    own: bool
    """Whether it is one of the world, with workspaces and an administrative channel."""
    command: str | None = None
    """Program of a stdio server."""
    args: list[str] = []
    env: dict[str, str] | None = None
    """Its environment, besides the usual."""
    url: str | None = None
    """Address of an HTTP server."""


def server_specs(spec: PoolSpec) -> list[ServerSpec]:
    """Every server of the suite; two of one name are an error."""
    bundled = [_bundled_server(name, spec) for name in spec.servers]
    configured = [] if spec.mcp_servers is None else _configured_servers(Path(spec.mcp_servers))
    for other in configured:
        if other.name in SERVERS:
            raise InputError(
                f"{spec.mcp_servers}: expected names besides those of the world, found "
                f"{other.name!r} again. Rename that server."
            )
    return [*bundled, *configured]


def check_reachable(specs: Iterable[ServerSpec]) -> None:
    """Refuses servers of a file that nobody answers for, before any task waits for them."""
    for spec in specs:
        if spec.url is not None:
            address = urlsplit(spec.url)
            port = address.port or (443 if address.scheme == "https" else 80)
            try:
                socket.create_connection((address.hostname or "", port), 5).close()
            except OSError as error:
                raise InputError(
                    f"MCP server {spec.name!r}: expected a service at {printable(spec.url)}, found "
                    f"none that can be reached ({error}). Start it, or correct its url."
                ) from None
        elif spec.command is not None and which(spec.command) is None:
            raise InputError(
                f"MCP server {spec.name!r}: expected a program {printable(spec.command)!r}, found "
                "none of that name. Install it, or give its path as the command."
            )


def _bundled_server(name: str, spec: PoolSpec) -> ServerSpec:
    # -P: a file in the working directory must not stand in for a module.
    args = ["-P", "-m", _MODULE, name, "--seed", str(spec.seed), "--latency", spec.latency]
    args += ["--faults", str(spec.faults), "--admin"]
    # The same code as here, wherever this process has it from.
    environment = {"PYTHONPATH": str(Path(__file__).resolve().parents[4])}
    return ServerSpec(name, True, sys.executable, args, environment)


class _Entry(Struct):
    command: str | None = None
    args: list[str] = []
    env: dict[str, str] | None = None
    url: str | None = None


class _File(Struct):
    servers: dict[str, Any] = msgspec.field(name="mcpServers")


def _configured_servers(path: Path) -> list[ServerSpec]:
    try:
        listed = msgspec.json.decode(path.read_bytes(), type=_File).servers
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{path}: expected a JSON file with mcpServers, found {error}") from None
    return [_other(path, name, entry) for name, entry in listed.items()]


def _other(path: Path, name: str, entry: Any) -> ServerSpec:
    try:
        read = msgspec.convert(entry, _Entry)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {printable(name)}: {error}") from None
    if (read.command is None) == (read.url is None):
        raise InputError(f"{path}: {printable(name)}: expected either a command or a url.")
    plain = name.replace("_", "-").replace(" ", "-")
    if not _NAME.fullmatch(plain):
        raise InputError(f"{path}: expected a short plain name, found {printable(name)!r}.")
    return ServerSpec(plain, False, read.command, read.args, read.env, read.url)
