"""Load on `agentdyno receive`, with kills: is every acknowledged record in the ledger once?

    python bench/receive.py [--rate 2000] [--seconds 60] [--kills 3]

Senders post spans and log records over HTTP (protobuf, gzip) at the rate, and send again what was
not acknowledged. The receiver and the process that measures are killed with SIGKILL at even
intervals and started again. At the end the ledger is compared with what was acknowledged: a span is
a turn with its response id, and a log record brings the output tokens of its span, a number of its
own. Exits 1 when a record is missing or there twice, or an acknowledgement took over 500 ms.
"""

import argparse
import gzip
import http.client
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from agentdyno.ledger.reader import Ledger

SENDERS = 16
SPANS, LOGS = 80, 20
"""Of each hundred records; a log record tells of one of the spans."""
TURNS = 20
"""Model calls in a trace."""
BOUND = 0.5
"""Seconds that an acknowledgement may take."""
AFTER = 5
"""Seconds in which a receiver that was started again has what piled up."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--kills", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(run(Path(folder) / "ledger", given.rate, given.seconds, given.kills))


def run(ledger: Path, rate: int, seconds: int, kills: int) -> int:
    receiver = Receiver(ledger)
    senders = [Sender(number, receiver.port, rate / SENDERS, seconds) for number in range(SENDERS)]
    begun = time.monotonic()
    for sender in senders:
        sender.start()
    restarts: list[float] = []
    for number in range(kills):
        time.sleep(max(0.0, begun + seconds * (number + 1) / (kills + 1) - time.monotonic()))
        receiver.kill()
        receiver.start()
        restarts.append(time.monotonic())
    for sender in senders:
        sender.join()
    elapsed = time.monotonic() - begun
    last = time.monotonic()
    receiver.end()
    waits = sorted(wait for sender in senders for wait in sender.waits)
    records = sum(sender.acknowledged for sender in senders) * (SPANS + LOGS)
    print(
        f"{records:,} records acknowledged in {elapsed:.1f} s ({records / elapsed:,.0f} a second)"
    )
    print(
        f"acknowledgement: median {waits[len(waits) // 2] * 1000:.0f} ms, 99 % within "
        f"{waits[int(len(waits) * 0.99)] * 1000:.0f} ms, longest {waits[-1] * 1000:.0f} ms "
        f"({len(waits):,} requests, {sum(w > BOUND for w in waits)} over {BOUND * 1000:.0f} ms)"
    )
    print(f"of those, {_count_after(restarts, senders)} within {AFTER} s of a restart")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor: {used.ru_utime + used.ru_stime:.0f} s for receiving and measuring")
    print(f"requests sent again: {sum(s.again for s in senders)}; kills: {kills}")
    print(f"the ledger was complete {time.monotonic() - last:.1f} s after the last record")
    missing, twice, without_log = compare(ledger, senders)
    print(f"in the ledger: {missing} missing, {twice} twice, {without_log} without its log record")
    return int(bool(missing or twice or without_log or waits[-1] > BOUND))


def _count_after(restarts: list[float], senders: "list[Sender]") -> int:
    """Acknowledgements over the bound that came soon after the receiver was started again."""
    late = [e for s in senders for e, w in zip(s.ended, s.waits, strict=True) if w > BOUND]
    return sum(any(0 <= end - start < AFTER for start in restarts) for end in late)


def compare(ledger: Path, senders: "list[Sender]") -> tuple[int, int, int]:
    """Spans missing and there twice, and spans whose log record is missing."""
    rows = Ledger(ledger).read("turns").select("response_id", "decode_tokens").rows()
    found: dict[str, list[int | None]] = {}
    for name, tokens in rows:
        found.setdefault(name, []).append(tokens)
    missing = twice = without = 0
    for sender in senders:
        for batch in range(sender.acknowledged):
            for place in range(SPANS):
                held = found.get(name_of(sender.number, batch, place), [])
                missing += not held
                twice += len(held) > 1
                without += place < LOGS and held[:1] != [tokens_of(batch, place)]
    return missing, twice, without


def name_of(sender: int, batch: int, place: int) -> str:
    return f"resp-{sender}-{batch}-{place}"


def tokens_of(batch: int, place: int) -> int:
    return 1 + batch * LOGS + place


class Receiver:
    """`agentdyno receive` in a process group of its own."""

    def __init__(self, ledger: Path) -> None:
        self.ledger, self.port = ledger, 0
        self.start()

    def start(self) -> None:
        command = [str(Path(sys.executable).with_name("agentdyno")), "receive", "--json"]
        ports = ["--port", str(self.port), "--grpc-port", "-1"]
        self.process = subprocess.Popen(
            [*command, "--out", str(self.ledger), *ports],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.port = int(json.loads(self.process.stdout.readline())["http"].rpartition(":")[2])

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()
        assert self.process.returncode == 0


class Sender(threading.Thread):
    """Sends batches on schedule; one that is not acknowledged is sent again until it is."""

    def __init__(self, number: int, port: int, rate: float, seconds: int) -> None:
        super().__init__()
        self.number, self.port = number, port
        self.batches = int(rate * seconds / (SPANS + LOGS))
        self.pause = (SPANS + LOGS) / rate
        self.waits: list[float] = []
        self.ended: list[float] = []
        self.acknowledged = self.again = 0
        self.connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        begun = time.monotonic() + self.pause * self.number / SENDERS
        for batch in range(self.batches):
            traces, logs = build(self.number, batch)
            time.sleep(max(0.0, begun + batch * self.pause - time.monotonic()))
            self.post("/v1/traces", traces)
            self.post("/v1/logs", logs)
            self.acknowledged += 1
        self.close()

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def post(self, path: str, body: bytes) -> None:
        headers = {"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"}
        while True:
            begun = time.monotonic()
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                self.connection.request("POST", path, body, headers)
                answer = self.connection.getresponse()
                left = answer.read()
                if answer.status == 200 and not left:
                    self.waits.append(time.monotonic() - begun)
                    self.ended.append(time.monotonic())
                    return
            except (OSError, http.client.HTTPException):
                self.close()
            self.again += 1
            time.sleep(0.1)


def build(sender: int, batch: int) -> tuple[bytes, bytes]:
    """A batch of spans, five to a trace that the next batches go on with, and their log records."""
    traces, logs = ExportTraceServiceRequest(), ExportLogsServiceRequest()
    spans = traces.resource_spans.add().scope_spans.add().spans
    records = logs.resource_logs.add().scope_logs.add().log_records
    share = SPANS // TURNS
    start = 1_790_000_000_000_000_000
    for place in range(SPANS):
        trace = (sender << 96 | (batch // 4) << 32 | place // (TURNS // 4)).to_bytes(16, "big")
        trace = b"\x01" + trace[1:]
        own = (1 << 56 | sender << 48 | batch << 16 | place).to_bytes(8, "big")
        # No two at the same time: those would be one call that two programs tell of.
        at = start + ((batch * SPANS + place) * SENDERS + sender) * 1_000_000
        name = name_of(sender, batch, place)
        span = spans.add(trace_id=trace, span_id=own, name="chat gpt-4o")
        span.start_time_unix_nano, span.end_time_unix_nano = at, at + 900_000
        span.attributes.extend(
            [
                text("gen_ai.operation.name", "chat"),
                text("gen_ai.request.model", "gpt-4o"),
                text("gen_ai.response.id", name),
                number("gen_ai.usage.input_tokens", 1000 + place),
                text("gen_ai.output.messages", ANSWER.replace("NAME", name)),
            ]
        )
        if place >= LOGS:
            span.attributes.append(number("gen_ai.usage.output_tokens", share))
            continue
        log = records.add(trace_id=trace, span_id=own, time_unix_nano=at)
        log.event_name = "gen_ai.client.inference.operation.details"
        log.attributes.append(number("gen_ai.usage.output_tokens", tokens_of(batch, place)))
    return gzip.compress(traces.SerializeToString(), 1), gzip.compress(logs.SerializeToString(), 1)


ANSWER = json.dumps(
    [{"role": "assistant", "parts": [{"type": "text", "content": "Answer NAME. " + "word " * 60}]}]
)


def text(key: str, value: str) -> KeyValue:
    return KeyValue(key=key, value=AnyValue(string_value=value))


def number(key: str, value: int) -> KeyValue:
    return KeyValue(key=key, value=AnyValue(int_value=value))


if __name__ == "__main__":
    main()
