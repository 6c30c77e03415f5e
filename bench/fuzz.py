"""Feeds damaged files to every reader and damaged requests to the receiver, for minutes each.

    python bench/fuzz.py [--minutes 10] [--only codex receive] [--seed 1] [--keep .bench/fuzz]

Each target runs in a process of its own. A sample of tests/data is damaged by bytes (cut, flipped,
spliced, wrong encoding) or by values (another type, huge numbers, deep nesting, repeated keys, a
line repeated to a megabyte) and read. A reader may yield bad records and nothing else may go wrong:
an exception, more than ten seconds for a megabyte, or more than a gigabyte of memory is a finding.
Findings are kept as files, one for each place in the code; exits 1 when there are any.
"""

import argparse
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

DATA = ROOT / "tests" / "data"
FOLDERS = {"openclaw": "pi"}
"""Where the samples of a format are, unless in the folder of its name."""
ROWS = {
    "hermes": ("rows.jsonl",),
    "opencode": ("first_version.jsonl", "second_version.jsonl"),
}
"""Samples that are rows of a database."""
RECEIVER = "receive"
LONGEST, HANGING = 10, 90
"""Seconds of the processor for one case, none of which is larger than about a megabyte, and seconds
by the clock, for what waits for something."""
LARGE = 2**20
MOST_MEMORY = 2**30
"""Bytes that one case may add to what the process uses."""
NOISE = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"{", b"}", b"[", b"]", b"null", b"-1", b"1e999",
    b"NaN", b"true", b"{}", b"[]", b'""', b"\\ud800", b"[" * 5000, b'{"a":' * 5000, b"\n", b"\r\n",
    b"9" * 5000, b"-0.0", b"\xe2\x80\xae", b"\\u0000", b",", b":", b"\\", b"\xed\xa0\x80",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 2**31, 2**63, 2**64, -(2**63), 10**40, 1e308, 5e-324, 0.1, "", "x",
    "\x00", "😀" * 50, "a" * 100_000, "9" * 400, [], {}, [[]], [None], {"": None}, [1, "a", {}],
    "2026-13-45T99:99:99Z", "9999-12-31T23:59:59.999999999+23:59", "-1", "1e999", "NaN", "null",
    "{", '{"a": 1}', "[1, 2", "\ud83d",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path(".bench/fuzz"))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        run_target(given.child, given.minutes * 60, given.seed, given.keep)
        return
    targets = given.only or [*list_formats(), RECEIVER]
    found = [watch(name, given) for name in targets]
    sys.exit(int(any(found)))


@cache
def list_formats() -> dict[str, Any]:
    """Every installed format by name, looked for once."""
    from agentdyno.intake.format import load_formats

    return load_formats()


def watch(name: str, given: argparse.Namespace) -> bool:
    """Runs a target in a process of its own; whether anything was found."""
    command = [sys.executable, __file__, "--child", name, "--minutes", str(given.minutes)]
    command += ["--seed", str(given.seed), "--keep", str(given.keep)]
    try:
        done = subprocess.run(command, timeout=given.minutes * 60 + 3 * HANGING, check=False)
    except subprocess.TimeoutExpired:
        print(f"{name}: hangs where no signal reaches it; the case is {given.keep / name}")
        return True
    if done.returncode not in (0, 1):
        print(f"{name}: ended with {done.returncode}; the case is in {given.keep / name}")
    return done.returncode != 0


def run_target(name: str, seconds: float, seed: int, keep: Path) -> None:
    """Tries cases until the time is over; exits 1 when one was a finding."""
    list_formats()
    try_case = try_request if name == RECEIVER else try_file
    rng = random.Random(f"{name} {seed}")
    folder = keep / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    limit_memory()
    signal.signal(signal.SIGALRM, _raise_timeout)
    signal.signal(signal.SIGPROF, _raise_timeout)
    findings: set[str] = set()
    cases, until = 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as scratch:
        while time.monotonic() < until:
            cases += 1
            begun = time.monotonic()
            signal.setitimer(signal.ITIMER_PROF, LONGEST)
            signal.alarm(HANGING)
            try:
                before = read_peak()
                try_case(name, rng, Path(scratch), folder / "last")
                if read_peak() - max(before, 200 * 2**20) > MOST_MEMORY:
                    raise MemoryError(f"{read_peak() - before:,} bytes for one case")
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                place = find_place(error)
                if place not in findings:
                    findings.add(place)
                    kept = folder / f"finding-{len(findings)}"
                    if (folder / "last").exists():
                        shutil.move(folder / "last", kept)
                    took = time.monotonic() - begun
                    print(f"{name}: {place} ({took:.1f} s), kept as {kept}", flush=True)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.alarm(0)
    peak = read_peak() / 2**20
    print(f"{name}: {cases:,} cases, {len(findings)} findings, peak {peak:,.0f} MB", flush=True)
    for receiver in RECEIVERS:
        receiver.committer.close()
    sys.exit(int(bool(findings)))


def limit_memory() -> None:
    """Lets an allocation far beyond the limit fail, instead of the machine; threads reserve much
    that they never use, so the limit itself is checked by what was used."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        used = int(pages.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 16 * MOST_MEMORY, used + 16 * MOST_MEMORY))


def read_peak() -> int:
    """Bytes of memory that were used at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _raise_timeout(*_: object) -> None:
    raise TimeoutError(f"more than {LONGEST} seconds of the processor, or {HANGING} by the clock")


def find_place(error: BaseException) -> str:
    """What went wrong, and the last line of ours that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/agentdyno/" in frame.filename] or frames
    where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return f"{type(error).__name__}: {str(error)[:120]!r} at {where}"


# Files ------------------------------------------------------------------------------------------


def try_file(name: str, rng: random.Random, scratch: Path, last: Path) -> None:
    """Damages one file of a sample folder, and reads what is there."""
    from tests.intake.mutations import assert_survives

    from agentdyno.intake.discover import Found, discover, pieces_of
    from agentdyno.intake.source import Source

    formats = list_formats()
    source = DATA / FOLDERS.get(name, name)
    work = scratch / "case"
    shutil.rmtree(work, ignore_errors=True)
    files = [path for path in source.rglob("*") if path.is_file() and path.name != "README.md"]
    target = rng.choice(files)
    # A session may need the files beside it; others would only be read again.
    beside = target.parent if target.parent != source else None
    if beside is not None:
        shutil.copytree(source, work)
    damaged = work / target.relative_to(source)
    damaged.parent.mkdir(parents=True, exist_ok=True)
    if target.name in ROWS.get(name, ()):
        damaged = work / f"{name}.db"
        build_database(damaged, target, rng)
    else:
        damaged.write_bytes(damage(target.read_bytes(), rng, rng.choice(files).read_bytes()))
    if last.exists():
        last.unlink()
    shutil.copyfile(damaged, last)
    found = [f for f in discover([work], formats) if isinstance(f, Found)]
    for item in found:
        if item.path == damaged or beside is not None:
            for piece in pieces_of(item):
                list(formats[item.format].read(piece))
    if all(item.path != damaged for item in found):
        forced = Source(damaged, damaged.name, 0, damaged.stat().st_size)
        list(formats[name].read(forced))
    elif rng.random() < 0.3:
        item = next(item for item in found if item.path == damaged)
        assert_survives(formats[item.format], damaged)


def build_database(path: Path, rows: Path, rng: random.Random) -> None:
    """A database out of the rows of a sample, damaged by its values or by its bytes."""
    import sqlite3

    from tests.intake.formats.sqlite_files import rows_in, written_database

    found = rows_in(rows)
    for _ in range(rng.choice((0, 1, 3))):
        at = rng.randrange(len(found))
        found[at]["row"] = {
            key: value
            for key, value in change_tree(found[at]["row"], rng).items()
            if not isinstance(value, int) or abs(value) < 2**63
        }
    try:
        with written_database(path, [row for row in found if row["row"]]):
            pass
    except (sqlite3.Error, UnicodeEncodeError):
        path.write_bytes(b"SQLite format 3\x00")  # SQLite itself takes no such value.
    if rng.random() < 0.5:
        path.write_bytes(damage(path.read_bytes(), rng, path.read_bytes()))


def damage(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """The data with one to four damages."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        change = rng.choice(DAMAGES)
        data = change(data, rng, other)[: 2 * LARGE]
    return data


def cut_end(data: bytes, rng: random.Random, other: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def flip(data: bytes, rng: random.Random, other: bytes) -> bytes:
    found = bytearray(data)
    for _ in range(rng.choice((1, 3, 20)) if found else 0):
        found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


def insert(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(NOISE) + data[at + rng.choice((0, 0, 1, 30)) :]


def splice(data: bytes, rng: random.Random, other: bytes) -> bytes:
    at, start = rng.randint(0, len(data)), rng.randint(0, len(other))
    return data[:at] + other[start : start + rng.choice((20, 500, 100_000))] + data[at:]


def repeat(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """A line, or a stretch, again and again; up to a megabyte."""
    lines = data.split(b"\n")
    if len(lines) > 2 and rng.random() < 0.7:
        at = rng.randrange(len(lines))
        most = max(1, LARGE // (len(lines[at]) + 1))
        times = rng.choice((1, 2, 100, most))
        return b"\n".join(lines[:at] + [lines[at]] * min(times, most) + lines[at:])
    at = rng.randint(0, len(data))
    stretch = data[at : at + rng.choice((1, 10, 200))]
    return data[:at] + stretch * rng.choice((1, 50, 1000)) + data[at:]


def reorder(data: bytes, rng: random.Random, other: bytes) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def encode_otherwise(data: bytes, rng: random.Random, other: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    encoding = rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500"))
    return text.encode(encoding, "replace")


def change_value(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """Another value, key or order at a random place of a JSON document or of one of its lines."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    whole = len(lines) < 3 or rng.random() < 0.2
    try:
        document = json.loads(data if whole else lines[at])
        changed = json.dumps(change_tree(document, rng), ensure_ascii=rng.random() < 0.5)
    except (ValueError, RecursionError):
        return insert(data, rng, other)
    written = changed.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:  # A key twice.
        written = written.replace(b"{", b'{"type": 1, "id": [], ', 1)
    return written if whole else b"\n".join([*lines[:at], written, *lines[at + 1 :]])


def change_tree(document: Any, rng: random.Random) -> Any:
    places = list(walk(document))
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    old = holder[key]
    choice = rng.random()
    if choice < 0.5:
        holder[key] = rng.choice(VALUES)
    elif choice < 0.6:
        del holder[key]
    elif choice < 0.7:
        from_holder, from_key = rng.choice(places)
        try:
            holder[key] = json.loads(json.dumps(from_holder[from_key]))
        except (KeyError, IndexError):
            return document
    elif choice < 0.8:
        holder[key] = [old] * rng.choice((2, 50))
    elif choice < 0.9:
        for _ in range(rng.choice((3, 100, 900))):
            old = rng.choice(([old], {"content": old}))
        holder[key] = old
    else:
        holder[key] = str(old) if not isinstance(old, str) else old[: len(old) // 2] + "\x00"
    return document


def walk(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document that a value could be put at."""
    waiting = [value] if isinstance(value, dict | list) else []
    while waiting:
        held = waiting.pop()
        items = held.items() if isinstance(held, dict) else enumerate(held)
        for key, item in items:
            yield held, key
            if isinstance(item, dict | list):
                waiting.append(item)


DAMAGES = [
    cut_end, flip, insert, insert, splice, repeat, reorder, encode_otherwise,
    change_value, change_value, change_value, change_value, change_value,
]  # fmt: skip


# Requests ---------------------------------------------------------------------------------------


def try_request(name: str, rng: random.Random, scratch: Path, last: Path) -> None:
    """A damaged request, by its body or on the wire; what is kept must be readable."""
    if not RECEIVERS:
        RECEIVERS.append(_Receiver(scratch))
    (receiver,) = RECEIVERS
    body, signal_name, encoding = build_request(rng)
    broken = damage(body, rng, build_request(rng)[0])
    if rng.random() < 0.05:
        last.write_bytes(broken)
        receiver.send(broken, signal_name, encoding, rng)
        return
    last.write_bytes(broken)
    receiver.commit(broken, signal_name, encoding)


def build_request(rng: random.Random) -> tuple[bytes, Any, Any]:
    """A sound request made from the samples."""
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    signal_name = rng.choice(("traces", "logs"))
    if rng.random() < 0.5 and signal_name == "traces":
        line = (DATA / "otel_genai" / "spread.jsonl").read_bytes().split(b"\n")[0]
        return line, signal_name, "json"
    is_traces = signal_name == "traces"
    request = ExportTraceServiceRequest() if is_traces else ExportLogsServiceRequest()
    resource_ = (request.resource_spans if is_traces else request.resource_logs).add()
    resource_.resource.attributes.add(key="service.name").value.string_value = "fuzz"
    scope = (resource_.scope_spans if is_traces else resource_.scope_logs).add()
    for number in range(1, rng.randint(2, 5)):
        record = (scope.spans if is_traces else scope.log_records).add()
        record.trace_id, record.span_id = bytes([number] * 16), bytes([number] * 8)
        record.attributes.add(key="gen_ai.request.model").value.string_value = "gpt-4o"
        nested = record.attributes.add(key="list").value.array_value.values.add()
        nested.kvlist_value.values.add(key="k").value.double_value = 0.5
        record.attributes.add(key="raw").value.bytes_value = b"\x00\xff"
    return request.SerializeToString(), signal_name, "protobuf"


class _Receiver:
    """The writing side of a receiver, and its HTTP server."""

    def __init__(self, folder: Path) -> None:
        import asyncio
        import threading

        from agentdyno.pipelines.receive.committer import Committer
        from agentdyno.pipelines.receive.counters import Counters
        from agentdyno.pipelines.receive.http_server import HttpServer, Limits
        from agentdyno.pipelines.receive.segments import Segments

        self.folder = folder / "inbox"
        self.segments, counters = Segments(self.folder), Counters()
        self.committer = Committer(self.segments, counters)
        loop = asyncio.new_event_loop()
        server = HttpServer(self.committer, counters, Limits(request_bytes=4 * LARGE))
        starting = asyncio.start_server(server.handle, "127.0.0.1", 0)
        self.port = loop.run_until_complete(starting).sockets[0].getsockname()[1]
        threading.Thread(target=loop.run_forever, daemon=True).start()
        self.cases = 0

    def commit(self, body: bytes, signal_name: Any, encoding: Any) -> None:
        from agentdyno.pipelines.receive.committer import build_entries, decode_request
        from agentdyno.pipelines.receive.requests import MalformedRequest
        from agentdyno.records.secrets import Counts

        try:
            decoded = decode_request(body, signal_name, encoding)
        except MalformedRequest:
            return
        self.segments.append(build_entries([decoded], Counts()))
        self.cases += 1
        if self.cases % 50 == 0:
            self.read_back()

    def read_back(self) -> None:
        from agentdyno.intake.source import Source

        for path in self.segments.list_files():
            for line in path.read_bytes().splitlines():
                json.loads(line)
            list(list_formats()["otel_genai"].read(Source(path, path.name, 0, path.stat().st_size)))
            path.write_bytes(b"")

    def send(self, body: bytes, signal_name: Any, encoding: Any, rng: random.Random) -> None:
        """The request as bytes of HTTP, damaged itself; the server must answer the next one."""
        import http.client
        import socket

        media = "application/json" if encoding == "json" else "application/x-protobuf"
        head = f"POST /v1/{signal_name} HTTP/1.1\r\nHost: x\r\nContent-Type: {media}\r\n"
        length = rng.choice((len(body), len(body), 0, 10**12, -1))
        wire = f"{head}Content-Length: {length}\r\n\r\n".encode() + body
        wire = damage(wire, rng, wire) if rng.random() < 0.5 else wire
        with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
            try:
                connection.sendall(wire)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65_536)
            except OSError:
                pass  # It may close on what it refuses.
        sound = http.client.HTTPConnection("127.0.0.1", self.port, timeout=8)
        sound.request("POST", "/v1/traces", b"{}", {"Content-Type": "application/json"})
        status = sound.getresponse().status
        sound.close()
        assert status == 200, f"a sound request was answered with {status}"


RECEIVERS: list[_Receiver] = []
"""The one that is running."""


if __name__ == "__main__":
    main()
