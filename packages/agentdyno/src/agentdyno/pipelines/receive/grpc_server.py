"""OTLP over gRPC, where grpcio is installed: the same requests by another transport."""

import asyncio
import hmac
from typing import Any

from agentdyno.pipelines.receive.committer import Committer, DiskRefused
from agentdyno.pipelines.receive.http_answers import Refused, encode_protobuf
from agentdyno.pipelines.receive.http_server import (
    HEAD_SECONDS,
    IDLE_SECONDS,
    HttpServer,
    Limits,
)
from agentdyno.pipelines.receive.requests import MalformedRequest, Signal
from agentdyno.records import InputError, printable

_COLLECTOR = "/opentelemetry.proto.collector"
_METHODS: dict[str, Signal] = {
    f"{_COLLECTOR}.trace.v1.TraceService/Export": "traces",
    f"{_COLLECTOR}.logs.v1.LogsService/Export": "logs",
}
_METRICS = f"{_COLLECTOR}.metrics.v1.MetricsService/Export"


async def start_grpc(
    address: str, committer: Committer, limits: Limits, http: HttpServer
) -> tuple[Any, int]:
    """The server, running, and its port. Bytes are passed on as they are: no generated stubs."""
    import grpc

    options = [
        ("grpc.max_receive_message_length", limits.request_bytes),
        ("grpc.max_metadata_size", 16 * 2**10),
        ("grpc.so_reuseport", 0),
        ("grpc.server_handshake_timeout_ms", int(HEAD_SECONDS * 1000)),
        ("grpc.max_connection_idle_ms", int(IDLE_SECONDS * 1000)),
        ("grpc.max_concurrent_streams", limits.connections),
    ]
    server = grpc.aio.server(options=options, maximum_concurrent_rpcs=limits.connections)

    async def answer(body: bytes, context: Any, signal: Signal | None) -> bytes:
        sent = dict(context.invocation_metadata() or ()).get("authorization", "")
        token = limits.token
        if token is not None and not hmac.compare_digest(sent.encode(), f"Bearer {token}".encode()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "expected the receiver's token")
        if signal is None:
            return b""
        try:
            http.hold(len(body))
        except Refused as refused:
            http.counters.add("requests_total", signal=signal, status="unavailable")
            await context.abort(grpc.StatusCode.UNAVAILABLE, str(refused))
        try:
            accepted = await asyncio.wrap_future(committer.submit(body, signal, "protobuf"))
        except MalformedRequest as error:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except DiskRefused as error:
            await context.abort(grpc.StatusCode.UNAVAILABLE, f"nothing was kept: {error}")
        finally:
            http.release(len(body))
        http.counters.add("requests_total", signal=signal, status="ok")
        return encode_protobuf(accepted, signal)

    class Handler(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, details: Any) -> Any:
            if details.method not in _METHODS and details.method != _METRICS:
                return None
            signal = _METHODS.get(details.method)

            async def export(body: bytes, context: Any) -> bytes:
                return await answer(body, context, signal)

            return grpc.unary_unary_rpc_method_handler(export)

    server.add_generic_rpc_handlers((Handler(),))
    try:
        port = server.add_insecure_port(address)
    except RuntimeError:
        raise InputError(
            f"receive: cannot listen on {printable(address, 80)} for gRPC: the port is taken. "
            "Choose another with --grpc-port, or none with --grpc-port -1."
        ) from None
    await server.start()
    return server, port
