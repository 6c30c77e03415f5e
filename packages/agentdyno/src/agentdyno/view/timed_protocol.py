"""HTTP as uvicorn speaks it, for clients that end what they begin.

uvicorn waits for the rest of a request as long as the connection is open. Here a request that is
not there whole after `REQUEST_SECONDS` ends its connection; an upgrade is a request like others.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 10.0
"""How long a request may take from the opening of its connection, or its first byte, to its end."""


class TimedProtocol(H11Protocol):
    """A connection whose requests come in time."""

    _end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or all of it."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._end is None:
            self._end = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None

    def _unsupported_upgrade_warning(self) -> None:
        """The page's guard refuses it; the terminal need not hear of it."""
