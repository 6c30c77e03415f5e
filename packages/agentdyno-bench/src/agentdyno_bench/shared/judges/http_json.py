"""JSON over HTTP with what Python brings: a URL and fields in, the decoded answer out.

Waits and tries again where a service is busy (429, 408, 5xx) or the connection breaks. Follows no
redirect, since the key would travel with it. What a service answers is decoded, never run.
"""

import http.client
import random
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from agentdyno.records import printable

BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
"""Statuses that pass."""
RETRIES = 3
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
LARGEST_ANSWER_BYTES = 20_000_000


class ServiceError(Exception):
    """A service that cannot be reached or refuses."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        """Of its answer; None where none came."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **named: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def request_json(
    url: str,
    fields: Mapping[str, Any] | None = None,
    key: str | None = None,
    timeout_seconds: float = 600.0,
    retries: int = RETRIES,
    sleep: Callable[[float], None] = time.sleep,
) -> Any:
    """Posts the fields, or gets where there are none; raises `ServiceError`."""
    pause = FIRST_PAUSE_SECONDS
    for attempt in range(retries + 1):
        try:
            return _request_once(url, fields, key, timeout_seconds)
        except _BusyError as busy:
            if attempt == retries:
                raise busy.error from None
            # Spread out, so that those who were refused together do not return together.
            waited = pause * random.uniform(0.75, 1.25)
            sleep(min(busy.wait_seconds or waited, LONGEST_PAUSE_SECONDS))
            pause *= 2
    raise AssertionError("unreachable")


class _BusyError(Exception):
    def __init__(self, error: ServiceError, wait_seconds: float | None = None) -> None:
        super().__init__(str(error))
        self.error, self.wait_seconds = error, wait_seconds


def _request_once(
    url: str, fields: Mapping[str, Any] | None, key: str | None, timeout_seconds: float
) -> Any:
    headers = {"Accept": "application/json", "User-Agent": "agentdyno"}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    if fields is not None:
        headers["Content-Type"] = "application/json"
    data = None if fields is None else msgspec.json.encode(fields)
    asked = urllib.request.Request(url, data, headers)
    try:
        with _opener.open(asked, timeout=timeout_seconds) as answer:
            return _decode(answer.read(LARGEST_ANSWER_BYTES))
    except urllib.error.HTTPError as error:
        with error:
            refused = ServiceError(_refusal(error, key), error.code)
            if error.code in BUSY:
                raise _BusyError(refused, _retry_after(error)) from None
        raise refused from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        away = ServiceError(f"cannot be reached: {printable(str(reason), 150)}")
        raise _BusyError(away) from None


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        raise ServiceError("expected JSON, found something else", 200) from None


def _refusal(error: urllib.error.HTTPError, key: str | None) -> str:
    """What the service says, without the key, should it repeat that."""
    try:
        text = error.read(4000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        text = ""
    if key:
        text = text.replace(key, "[key]")
    return f"{error.code} {printable(text or str(error.reason), 300)}"


def _retry_after(error: urllib.error.HTTPError) -> float | None:
    try:
        return max(0.0, float(error.headers.get("Retry-After", "")))
    except ValueError:
        return None
