"""What a receiver acknowledges is on disk and in the ledger once, whoever sends it and how."""

import asyncio
import contextlib
import gzip
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("h11", reason="needs agentdyno[receive]")
pytest.importorskip("opentelemetry.proto", reason="needs agentdyno[receive]")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.receive import committer, http_server
from agentdyno.pipelines.receive.committer import Committer
from agentdyno.pipelines.receive.counters import Counters
from agentdyno.pipelines.receive.folding import fold
from agentdyno.pipelines.receive.http_server import HttpServer, Limits
from agentdyno.pipelines.receive.segments import Segments
from agentdyno.pipelines.receive.serve import check_address
from agentdyno.records import InputError
from tests.fake_secrets import FAKES
from tests.labelled import mostly_slow

JSON = {"Content-Type": "application/json"}
BODY_BEGUN = (
    b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{"
)
PROTOBUF = {"Content-Type": "application/x-protobuf"}


class Running:
    """The HTTP side of a receiver in a thread; segments are measured when a test asks for it."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder, self.measured = folder, dict[Path, tuple[int, int]]()
        self.counters = Counters()
        self.segments = Segments(folder / "inbox")
        self.committer = Committer(self.segments, self.counters)
        self.loop = asyncio.new_event_loop()
        server = HttpServer(self.committer, self.counters, limits)
        starting = asyncio.start_server(server.handle, "127.0.0.1", 0)
        self.server = self.loop.run_until_complete(starting)
        self.port = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.server.close)
        asyncio.run_coroutine_threadsafe(self._cancel(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.committer.close()
        self.segments.close()

    async def _cancel(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def post(
        self, body: Any, path: str = "/v1/traces", headers: dict[str, str] = JSON
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request("POST", path, data, headers)
        answer = connection.getresponse()
        answer.text = answer.read()  # type: ignore[attr-defined]
        connection.close()
        return answer

    def turns(self) -> list[str]:
        """Response ids in the ledger."""
        fold(self.folder / "inbox", self.folder / "ledger", self.measured)
        return sorted(Ledger(self.folder / "ledger").read("turns")["response_id"].to_list())

    def disk(self) -> str:
        return "".join(path.read_text() for path in self.segments.list_files())


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Running]:
    found = Running(tmp_path, getattr(request, "param", Limits()))
    yield found
    found.close()


def span(number: int, trace: int = 1, **attributes: str) -> dict[str, Any]:
    given = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.response.id": f"resp_{number}",
    } | attributes
    start = 1_790_000_000_000_000_000 + number * 10**9
    return {
        "traceId": f"{trace:032x}",
        "spanId": f"{number:016x}",
        "name": "chat gpt-4o",
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 10**8),
        "attributes": [{"key": k, "value": {"stringValue": v}} for k, v in given.items()],
    }


def request_of(*spans: Any) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}


def test_a_trace_that_comes_in_pieces_is_one_trajectory_and_each_call_counts_once(
    running: Running,
) -> None:
    for number in (1, 2):
        other = span(10 + number, trace=10 + number)
        assert running.post(request_of(span(number), other)).status == 200
        running.turns()
    assert running.post(request_of(span(2), span(3))).status == 200  # An answer that was lost.
    zipped = gzip.compress(json.dumps(request_of(span(4))).encode())
    assert running.post(zipped, headers=JSON | {"Content-Encoding": "gzip"}).status == 200
    assert running.turns() == ["resp_1", "resp_11", "resp_12", "resp_2", "resp_3", "resp_4"]
    rows = Ledger(running.folder / "ledger").read("trajectories")
    assert sorted(rows["turns"].to_list()) == [1, 1, 4]


def test_a_bad_record_costs_no_other_and_the_answer_counts_it(running: Running) -> None:
    deep: Any = "x"
    for _ in range(150):
        deep = {"kvlistValue": {"values": [{"key": "k", "value": deep}]}}
    bad = [7, {"spanId": "1"}, span(8) | {"attributes": "none"}, span(9) | {"name": deep}]
    answer = running.post(request_of(span(1), *bad, span(2)))
    partial = json.loads(answer.text)["partialSuccess"]  # type: ignore[attr-defined]
    assert (answer.status, partial["rejectedSpans"]) == (200, "4")
    assert "expected" in partial["errorMessage"]

    body = json.dumps(request_of(span(6) | {"name": "ZZ"}, span(7))).encode()
    for broken in (
        body.replace(b"ZZ", b"\xed\xa0"),
        body.replace(b'"resource": {}', b'"resource": 7'),
    ):
        assert running.post(broken).status == 200

    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add().scope_spans.add().spans
    for number, name in ((3, "good"), (4, "QQQQ"), (5, "good")):
        added = spans.add(trace_id=b"t" * 16, span_id=bytes([number]) * 8, name=name)
        added.attributes.add(key="gen_ai.request.model").value.string_value = "gpt-4o"
        added.attributes.add(key="gen_ai.response.id").value.string_value = f"resp_{number}"
    broken = request.SerializeToString().replace(b"QQQQ", b"\xff\xfe\xff\xfe")
    answer = running.post(broken, headers=PROTOBUF)
    found = ExportTraceServiceResponse.FromString(answer.text)  # type: ignore[attr-defined]
    assert (answer.status, found.partial_success.rejected_spans) == (200, 1)
    assert running.turns() == [f"resp_{number}" for number in (1, 2, 3, 5, 6, 7)]


def deep_value(levels: int) -> str:
    """A value in JSON that is nested so deep."""
    return '{"kvlistValue":' * levels + "{}" + "}" * levels


@pytest.mark.parametrize(
    "bad",
    [deep_value(3000), deep_value(350), '{"stringValue": "\\ud800"}', '{"stringValue": "\\x"}'],
    ids=["far too deep", "too deep", "half a character", "no escape"],
)
def test_of_101_records_in_json_the_bad_one_is_named_and_100_are_in_the_ledger(
    bad: str, running: Running
) -> None:
    spans = [span(number) for number in range(1, 102)]
    body = json.dumps(request_of(*spans))
    own = json.dumps({"stringValue": "resp_51"})
    assert body.count(own) == 1
    answer = running.post(body.replace(own, bad).encode())
    partial = json.loads(answer.text)["partialSuccess"]  # type: ignore[attr-defined]
    assert (answer.status, partial["rejectedSpans"]) == (200, "1")
    assert partial["errorMessage"].startswith(f"record 51 (span {51:016x}): ")
    good = sorted(f"resp_{number}" for number in range(1, 102) if number != 51)
    assert running.turns() == good
    (row,) = Ledger(running.folder / "ledger").read("bad_records").to_dicts()
    assert f"record 51 of a request (span {51:016x})" in row["place"]


@pytest.mark.parametrize("kind", ["too deep", "half a character"])
def test_of_101_records_in_protobuf_the_bad_one_is_named_and_100_are_in_the_ledger(
    kind: str, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    logged: list[str] = []  # Other tests' libraries may have silenced the root of all loggers.
    monkeypatch.setattr(committer.LOG, "warning", lambda text, *of: logged.append(text % of))
    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add().scope_spans.add().spans
    for number in range(1, 102):
        added = spans.add(trace_id=b"t" * 16, span_id=number.to_bytes(8, "big"), name="chat")
        added.attributes.add(key="gen_ai.request.model").value.string_value = "gpt-4o"
        added.attributes.add(key="gen_ai.response.id").value.string_value = f"resp_{number}"
    if kind == "too deep":
        items = b""  # Lists in lists, 200 of them, in the place of a text of the same length.
        for _ in range(200):
            items = _field(1, _field(5, items))
        spans[50].attributes.add(key="deep").value.string_value = "z" * len(items)
        text = _field(1, b"z" * len(items))
        body = request.SerializeToString()
        assert body.count(text) == 1
        body = body.replace(text, _field(5, items))
    else:
        spans[50].name = "QQQQ"
        body = request.SerializeToString().replace(b"QQQQ", b"\xed\xa0\x80Q")
    answer = running.post(body, headers=PROTOBUF)
    found = ExportTraceServiceResponse.FromString(answer.text)  # type: ignore[attr-defined]
    assert (answer.status, found.partial_success.rejected_spans) == (200, 1)
    named = f"record 51 (span {51:016x}): "
    assert found.partial_success.error_message.startswith(named)
    (line,) = logged
    assert line.startswith(f"1 of 101 traces of a request were not kept; {named}")
    good = sorted(f"resp_{number}" for number in range(1, 102) if number != 51)
    assert running.turns() == good
    (row,) = Ledger(running.folder / "ledger").read("bad_records").to_dicts()
    assert f"record 51 of a request (span {51:016x})" in row["place"]


def _field(number: int, data: bytes) -> bytes:
    size, length = len(data), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + data


def test_a_resource_that_is_nested_too_deep_costs_no_record(running: Running) -> None:
    resource = '{"attributes": [{"key": "a", "value": ' + deep_value(400) + "}]}"
    body = json.dumps(request_of(span(1))).replace('"resource": {}', f'"resource": {resource}')
    assert running.post(body.encode()).status == 200
    assert running.turns() == ["resp_1"]


def test_many_bad_records_are_counted_and_the_first_of_them_are_named(running: Running) -> None:
    answer = running.post(request_of(span(1), *range(250)))
    partial = json.loads(answer.text)["partialSuccess"]  # type: ignore[attr-defined]
    assert partial["rejectedSpans"] == "250"
    assert running.turns() == ["resp_1"]
    assert len(Ledger(running.folder / "ledger").read("bad_records")) == 101


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example:{port}"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example:{port}"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "localhost:{port}"}, 200),
        ({"Host": "[::1]:{port}"}, 200),
        ({"Host": "127.0.0.1"}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
    ],
)
def test_a_web_page_writes_no_rows(headers: dict[str, str], status: int, running: Running) -> None:
    given = {name: value.format(port=running.port) for name, value in headers.items()}
    assert running.post(request_of(span(1)), headers=JSON | given).status == status
    assert (running.disk() != "") == (status == 200)


@pytest.mark.parametrize("running", [Limits(token="right")], indirect=True)
def test_with_a_token_any_name_may_lead_here_and_no_page(running: Running) -> None:
    given = JSON | {"Host": "host.docker.internal:4318"}
    body = request_of(span(1))
    right = given | {"Authorization": "Bearer right"}
    assert running.post(body, headers=given).status == 401
    assert running.post(body, headers=given | {"Authorization": "Bearer wrong"}).status == 401
    assert running.post(body, headers=right | {"Origin": "http://evil.example"}).status == 403
    assert running.post(body, headers=right).status == 200


@pytest.mark.parametrize(
    "part",
    [
        b"POST /v1/traces HTTP/1.1\r\nHo",
        pytest.param(b"", marks=pytest.mark.slow),
        pytest.param(BODY_BEGUN, marks=pytest.mark.slow),
    ],
    ids=["head", "nothing", "body"],
)
def test_400_half_open_requests_keep_no_good_one_waiting(part: bytes, running: Running) -> None:
    half_open = []
    for _ in range(400):
        half_open.append(socket.create_connection(("127.0.0.1", running.port)))
        half_open[-1].sendall(part)
    try:
        assert running.post(request_of(span(1))).status == 200
        ended = 0
        for each in half_open[:100]:
            each.settimeout(5)
            with contextlib.suppress(ConnectionError):
                assert each.recv(100) == b""
            ended += 1
        assert ended == 100  # The oldest made room.
    finally:
        for each in half_open:
            each.close()


def test_records_of_other_programs_do_not_hide_those_of_agents(running: Running) -> None:
    other = {"timeUnixNano": "1", "body": {"stringValue": "cache miss " * 100}}
    logs = [other | {"timeUnixNano": str(number)} for number in range(1, 300)]
    scope = {"scope": {}, "logRecords": logs}
    body = {"resourceLogs": [{"resource": {}, "scopeLogs": [scope]}]}
    assert running.post(body, "/v1/logs").status == 200
    assert running.post(request_of(span(1))).status == 200
    assert len(running.segments.list_files()) == 1
    assert running.turns() == ["resp_1"]


def test_no_secret_reaches_the_disk(running: Running) -> None:
    secrets = [text for text, _ in FAKES.values()]
    messages = json.dumps(
        [{"role": "user", "parts": [{"type": "text", "content": t}]} for t in secrets]
    )
    plain = {"db.password": "hunter2-but-long", "gen_ai.input.messages": messages}
    others = {f"note.{number}": text for number, text in enumerate(secrets)}
    event = {"name": "e", "attributes": [{"key": "a", "value": {"stringValue": secrets[1]}}]}
    sent = span(1, **plain, **others) | {"events": [event], "status": {"message": secrets[2]}}
    sent |= {"parentSpanId": secrets[1], "startTimeUnixNano": secrets[2], secrets[4]: secrets[5]}
    body = request_of(sent)
    body["resourceSpans"][0]["resource"] = {
        "attributes": [{"key": "host", "value": {"stringValue": secrets[3]}}]
    }
    assert running.post(body).status == 200
    disk = running.disk()
    assert [part for _, part in FAKES.values() if part in disk] == []
    assert "hunter2-but-long" not in disk
    assert running.turns() == ["resp_1"]
    (line,) = disk.splitlines()
    kept = json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"]
    (found,) = (a["value"]["stringValue"] for a in kept if a["key"] == "gen_ai.input.messages")
    assert len(json.loads(found)) == len(secrets)


@pytest.mark.parametrize(
    "running", [Limits(request_bytes=10_000, held_bytes=12_000, token="t0k")], indirect=True
)
def test_what_is_too_much_or_not_allowed_is_refused_and_nothing_is_kept(running: Running) -> None:
    allowed = JSON | {"Authorization": "Bearer t0k"}
    large, bomb = b" " * 10_001, gzip.compress(b" " * 10_000_000)
    assert running.post(request_of(span(1))).status == 401
    assert running.post(large, headers=allowed).status == 413
    assert running.post(bomb, headers=allowed | {"Content-Encoding": "gzip"}).status == 413
    assert running.post(b"{", headers=allowed).status == 400
    assert running.post(b"x", headers=allowed | {"Content-Encoding": "gzip"}).status == 400
    assert running.post(b"", headers=allowed | {"Content-Type": "text/plain"}).status == 415
    assert running.post(b"", "/v2/traces", headers=allowed).status == 404
    with socket.create_connection(("127.0.0.1", running.port)) as held:
        head = "POST /v1/logs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t0k\r\n"
        held.sendall(f"{head}Content-Length: 9000\r\n\r\n".encode() + b" " * 8_999)
        answers = {running.post(b" " * 9_000, headers=allowed).status for _ in range(20)}
        busy = running.post(b" " * 9_000, headers=allowed)
        assert 429 in answers
        assert (busy.status, busy.getheader("Retry-After")) == (429, "1")
    assert running.segments.list_files() == []
    assert running.post(request_of(span(1)), headers=allowed).status == 200
    assert running.post(b"{}", "/v1/metrics", headers=allowed).status == 200


def test_a_client_that_sends_too_slowly_is_cut_off(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(http_server, "BODY_SECONDS", 0.2)
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow:
        slow.sendall(b"POST /v1/traces HTT")
        assert slow.recv(100) == b""
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as slow:
        slow.sendall(b"POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        assert slow.recv(100).startswith(b"HTTP/1.1 408")
    assert running.post(request_of(span(1))).status == 200


def test_a_line_that_a_crash_cut_off_is_removed_and_a_repeat_is_recognised(tmp_path: Path) -> None:
    first = Running(tmp_path, Limits())
    assert first.post(request_of(span(1), span(2))).status == 200
    first.close()
    (file,) = first.segments.list_files()
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    again = Running(tmp_path, Limits())
    with pytest.raises(InputError, match="another process"):
        Segments(tmp_path / "inbox")
    try:
        assert again.post(request_of(span(1), span(2))).status == 200
        assert file.read_bytes() == whole
        assert again.post(request_of(span(3))).status == 200
        assert again.turns() == ["resp_1", "resp_2", "resp_3"]
        assert again.segments.list_files() == [file]
        again.segments.remove_older(-1, lambda path: False)
        assert again.segments.list_files() == [file]
    finally:
        again.close()


def test_other_machines_need_a_token() -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        with pytest.raises(InputError, match="AGENTDYNO_RECEIVE_TOKEN"):
            check_address(host, None)
        check_address(host, "token")
    for host in ("127.0.0.1", "::1", "localhost"):
        check_address(host, None)


@pytest.mark.parametrize("token", mostly_slow([None, "right"], ["right"]))
def test_the_sdks_own_exporters_are_received_and_measured(
    token: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if token:
        monkeypatch.setenv("AGENTDYNO_RECEIVE_TOKEN", token)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"Authorization=Bearer%20{token}")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="needs the exporter")
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    command = [str(Path(sys.executable).with_name("agentdyno")), "receive", "--json"]
    ports = ["--port", "0", "--grpc-port", "0", "--every", "0.5"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "ledger"), *ports], stdout=subprocess.PIPE
    ) as process:
        where = json.loads(process.stdout.readline())
        exporters: list[Any] = [
            OTLPSpanExporter(f"{where['http']}/v1/traces", compression=Compression.Gzip)
        ]
        if where["grpc"]:
            exporters.append(_grpc_exporter(where["grpc"]))
            if token:
                _expect_refusal(where["grpc"])
        for number, exporter in enumerate(exporters):
            provider = TracerProvider()
            provider.add_span_processor(SimpleSpanProcessor(exporter))
            tracer = provider.get_tracer("test")
            agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "a"}
            with tracer.start_as_current_span("invoke_agent a", attributes=agent):
                for turn in range(3):
                    called = {
                        "gen_ai.operation.name": "chat",
                        "gen_ai.request.model": "gpt-4o",
                        "gen_ai.usage.input_tokens": 100,
                        "gen_ai.response.id": f"resp_{number}_{turn}",
                    }
                    tracer.start_span("chat gpt-4o", attributes=called).end()
            provider.shutdown()
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    turns = Ledger(tmp_path / "ledger").read("turns")
    expected = [f"resp_{number}_{turn}" for number in range(len(exporters)) for turn in range(3)]
    assert sorted(turns["response_id"].to_list()) == expected
    assert set(turns["context_tokens"]) == {100}
    assert Ledger(tmp_path / "ledger").read("trajectories").height == len(exporters)


def _grpc_exporter(where: str) -> Any:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(where, insecure=True)


def _expect_refusal(where: str) -> None:
    import grpc

    with grpc.insecure_channel(where.removeprefix("http://")) as channel:
        export = channel.unary_unary("/opentelemetry.proto.collector.trace.v1.TraceService/Export")
        for metadata in ((), (("authorization", "Bearer wrong"),)):
            with pytest.raises(grpc.RpcError) as refused:
                export(b"", metadata=metadata)
            assert refused.value.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.slow
def test_every_acknowledged_record_is_in_the_ledger_once_after_kills(tmp_path: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
    from receive import Receiver, Sender, compare

    receiver = Receiver(tmp_path / "ledger")
    senders = [Sender(number, receiver.port, rate=100, seconds=8) for number in range(4)]
    for sender in senders:
        sender.start()
    for _ in range(3):
        senders[0].join(timeout=2)
        receiver.kill()
        receiver.start()
    for sender in senders:
        sender.join()
    receiver.end()
    assert sum(sender.acknowledged for sender in senders) == 32
    assert compare(tmp_path / "ledger", senders) == (0, 0, 0)
