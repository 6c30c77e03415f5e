"""`python -m agentdyno_bench.tps.world.serve weather`: one server over stdio or HTTP.

The same as `agentdyno world serve`, without the command line's imports: a pool starts fifteen.
"""

import argparse

import anyio

from agentdyno_bench.tps.world.directory import DEFAULT_SEED


def serve(
    name: str, seed: int, latency: str, http: int | None, admin: bool, faults: float = 0.0
) -> None:
    """Serves until the client leaves, or for ever over HTTP."""
    from agentdyno_bench.tps.world.kit.mcp import build, serve_http, serve_stdio

    server = build(name, seed, "real" if latency == "real" else "virtual", admin, faults)
    if http is None:
        anyio.run(serve_stdio, server)
    else:
        anyio.run(serve_http, server, http)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED)
    parser.add_argument("--latency", choices=("virtual", "real"), default="virtual")
    parser.add_argument("--http", type=int)
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--admin", action="store_true")
    args = parser.parse_args()
    serve(args.server, args.seed, args.latency, args.http, args.admin, args.faults)


if __name__ == "__main__":
    main()
