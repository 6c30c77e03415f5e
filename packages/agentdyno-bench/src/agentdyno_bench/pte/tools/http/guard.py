"""Decides where may be connected to, at the moment of connecting.

A name is looked up once, every address it has is judged, and the connection goes to an address
that was judged: a name that answers differently a second time gains nothing. The name itself
stays in the request (Host) and in the certificate check.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import anyio
import httpcore

from agentdyno_bench.pte.tools.http.addresses import why_not_public

Resolver = Callable[[str, int], Awaitable[list[str]]]


class RefusedError(Exception):
    """A connection or a page that is not allowed; the text says why."""


class Guard:
    """The rule: public addresses, a few ports."""

    def __init__(
        self,
        ports: Iterable[int] = (80, 443),
        resolver: Resolver | None = None,
        trusted: Iterable[tuple[str, int]] = (),
    ) -> None:
        """`trusted`: addresses with ports that are allowed besides, for tests' own servers."""
        self._ports = frozenset(ports)
        self._resolve = resolver or look_up
        self._trusted = frozenset(trusted)

    async def choose(self, host: str, port: int) -> str:
        """The address to connect to; `RefusedError` when any address of the host is not allowed."""
        if port not in self._ports | {trusted for _, trusted in self._trusted}:
            raise RefusedError(f"the port {port} is not one of {sorted(self._ports)}")
        addresses = await self._resolve(host, port)
        if not addresses:
            raise RefusedError(f"the host {host} has no address")
        for address in addresses:
            self._judge(host, address, port)
        return addresses[0]

    def _judge(self, host: str, address: str, port: int) -> None:
        if (address, port) in self._trusted:
            return
        problem = why_not_public(address)
        if problem:
            raise RefusedError(f"the address {address} of {host} {problem}")
        if port not in self._ports:
            raise RefusedError(f"the port {port} is not one of {sorted(self._ports)}")


async def look_up(host: str, port: int) -> list[str]:
    """The addresses that the system knows for a name."""
    try:
        entries = await anyio.getaddrinfo(host, port, type=1)
    except (OSError, UnicodeError):
        raise RefusedError(f"the host {host} is not known") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """httpcore's way to the network, with the guard in front."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *args: Any, **more: Any) -> Any:
        """Connects to the address that the guard has chosen."""
        address = await self._guard.choose(host, port)
        return await self._network.connect_tcp(address, port, *args, **more)

    async def connect_unix_socket(self, *args: Any, **more: Any) -> Any:
        """Never."""
        raise RefusedError("sockets of this machine are not for visiting")

    async def sleep(self, seconds: float) -> None:
        """For retries; there are none."""
        await anyio.sleep(seconds)
