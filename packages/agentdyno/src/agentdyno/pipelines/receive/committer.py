"""Commits requests in groups: one write and one sync of the disk for all that wait.

Takes bodies of requests, answers each when its records are on disk. A thread takes what arrives
within `GATHER_SECONDS`, up to `COMMIT_BYTES`, decodes, redacts and writes it; what comes meanwhile
is the next group. So a request waits for the commit under way, for those ahead of it (the bytes
held are limited, and what is beyond the limit is refused) and for its own.
"""

import logging
import queue
import threading
import time
from concurrent.futures import Future

import msgspec
from msgspec import Struct

from agentdyno.pipelines.receive.counters import Counters
from agentdyno.pipelines.receive.redact import Redactor
from agentdyno.pipelines.receive.requests import (
    LARGEST_RECORD,
    Decoded,
    Encoding,
    Origin,
    Record,
    Rejection,
    Signal,
    check_record,
    find_keys,
    read_json,
)
from agentdyno.pipelines.receive.segments import Entry, Segments
from agentdyno.records.secrets import Counts


# Turns the body of an OTLP request, in JSON or protobuf, into records.
def decode_request(body: bytes, signal: Signal, encoding: Encoding) -> Decoded:
    """The records of a request; raises `MalformedRequest` where nothing of it can be read."""
    if encoding == "json":
        records = read_json(body, signal)
    else:
        from agentdyno.pipelines.receive.protobuf import read_protobuf

        records = read_protobuf(body, signal)
    decoded = Decoded(signal, [])
    for index, record in enumerate(records):
        try:
            value = record.read()
            check_record(value, signal)
        except (ValueError, RecursionError) as error:
            decoded.reject(error, index, record.find_span())
        else:
            decoded.records.append(Record(record.origin, value, index))
    return decoded


LOG = logging.getLogger("agentdyno.receive")
COMMIT_BYTES = 2**19
"""Bodies that are taken into one commit."""
GATHER_SECONDS = 0.05
"""How long the first request of a group waits for others."""


class Accepted(Struct, frozen=True):
    """The answer to a request whose records are on disk."""

    rejected: int
    reason: str
    """Why; empty when there are none."""


class DiskRefused(Exception):
    """Nothing of the request was kept: the disk is full, say."""


class _Waiting(Struct, eq=False):
    """A request that waits for the disk."""

    body: bytes
    """What was sent, unpacked."""
    signal: Signal
    encoding: Encoding
    answer: "Future[Accepted]"


class Committer:
    """The thread that writes."""

    def __init__(self, segments: Segments, counters: Counters) -> None:
        self._segments, self._counters = segments, counters
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="committer")
        self._thread.start()

    def submit(self, body: bytes, signal: Signal, encoding: Encoding) -> "Future[Accepted]":
        """The answer, when it is known."""
        waiting = _Waiting(body, signal, encoding, Future())
        self._waiting.put(waiting)
        return waiting.answer

    def close(self) -> None:
        """Commits what waits and ends."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, is_last = self._take_waiting(first)
            self._commit(group)
            if is_last:
                return

    def _take_waiting(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        group, size = [first], len(first.body)
        until = time.monotonic() + GATHER_SECONDS
        while size < COMMIT_BYTES:
            try:
                waiting = self._waiting.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            if waiting is None:
                return group, True
            group.append(waiting)
            size += len(waiting.body)
        return group, False

    def _commit(self, group: list[_Waiting]) -> None:
        begun = time.monotonic()
        try:
            self._write(group)
        except OSError as error:
            self._fail(group, DiskRefused(error.strerror or str(error)))
        except Exception as error:  # The thread serves whoever comes next all the same.
            self._fail(group, error)
        self._counters.add("commits_total")
        self._counters.add("commit_seconds_total", time.monotonic() - begun)

    def _write(self, group: list[_Waiting]) -> None:
        decoded: list[tuple[_Waiting, Decoded]] = []
        for waiting in group:
            try:
                request = decode_request(waiting.body, waiting.signal, waiting.encoding)
            except Exception as error:  # Whatever is wrong with a request costs no other one.
                waiting.answer.set_exception(error)
            else:
                decoded.append((waiting, request))
        secrets = Counts()
        entries = build_entries([found for _, found in decoded], secrets)
        for _, request in decoded:
            entries += _name_rejected(request)
        repeated = self._segments.append(entries)
        for waiting, request in decoded:
            self._count(waiting.signal, "accepted", len(request.records))
            self._count(waiting.signal, "rejected", request.rejected)
            reason = str(request.named[0]) if request.named else ""
            if request.rejected:
                many = f"{request.rejected:,} of {request.rejected + len(request.records):,}"
                LOG.warning("%s %s of a request were not kept; %s", many, waiting.signal, reason)
            waiting.answer.set_result(Accepted(request.rejected, reason))
        self._count("any", "repeated", repeated)
        self._counters.add("bytes_total", sum(len(entry.data) for entry in entries))
        self._counters.add("secrets_total", sum(secrets.values()))

    def _count(self, signal: str, outcome: str, number: int) -> None:
        if number:
            self._counters.add("records_total", number, signal=signal, outcome=outcome)

    def _fail(self, group: list[_Waiting], error: Exception) -> None:
        for waiting in group:
            if not waiting.answer.done():
                waiting.answer.set_exception(error)


def build_entries(group: list[Decoded], secrets: Counts) -> list[Entry]:
    """The records of some requests without their secrets, encoded; one that is too large or nested
    too deep is moved to the rejected ones of its request."""
    redactor = Redactor()
    origins: dict[int, Origin] = {}
    for decoded in group:
        decoded.keep(lambda record: redactor.collect(record.value))
        origins |= {id(record.origin): record.origin for record in decoded.records}
    for origin in origins.values():
        _collect_origin(origin, redactor)
    redactor.look(secrets)
    clean = {key: _redact_origin(origin, redactor) for key, origin in origins.items()}
    entries: list[Entry] = []

    def add(record: Record) -> None:
        value = redactor.replace(record.value)
        data = msgspec.json.encode(value)
        if len(data) > LARGEST_RECORD:
            raise ValueError(f"expected at most {LARGEST_RECORD:,} bytes, found {len(data):,}")
        entries.append(Entry(clean[id(record.origin)], data, find_keys(value)))

    for decoded in group:
        decoded.keep(add)
    return entries


def _collect_origin(origin: Origin, redactor: Redactor) -> None:
    """A resource or scope that is nested too deep is left out, not what it describes."""
    try:
        redactor.collect([origin.resource, origin.scope])
    except ValueError:
        origin.resource, origin.scope = {}, {}


def _name_rejected(decoded: Decoded) -> list[Entry]:
    """Lines for the ledger's bad records."""
    named = list(decoded.named)
    if (more := decoded.rejected - len(named)) > 0:
        last = named[-1].record
        named.append(Rejection(decoded.signal, last + 1, f"{more:,} more were not kept"))
    return [Entry(None, msgspec.json.encode(rejection), []) for rejection in named]


def _redact_origin(origin: Origin, redactor: Redactor) -> Origin:
    return Origin(origin.signal, redactor.replace(origin.resource), redactor.replace(origin.scope))
