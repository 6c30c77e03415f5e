"""What makes a world: the same from the same seed, a memory, the errors of real services, and
tools that keep to their schemas over any transport."""

import json
import socket
import subprocess
import sys
import time
from typing import Any

import anyio
import msgspec
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError, StdioServerParameters

from agentdyno.records import InputError
from agentdyno_bench.tps.pool.connection import _AdminRequest
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import (
    DEFAULT_SEED,
    SERVERS,
    World,
    all_tools,
    server_class,
)
from agentdyno_bench.tps.world.kit.mcp import (
    LATENCY,
    STATE_METHOD,
    WORKSPACE,
    StateResult,
    WorkspaceParams,
    build,
)
from agentdyno_bench.tps.world.kit.schemas import join_schemas, schema_of, widen
from agentdyno_bench.tps.world.kit.server import SLOWEST
from tests.bench.tps.world.observed import CALLS, FILE, arguments_of, every_task, observed, schemas


def answers(seed: int) -> dict[str, dict[str, str]]:
    world, found = World(seed), {}
    for server, calls in CALLS.items():
        results: dict[str, object] = {}
        texts = {}
        for tool, arguments in calls.items():
            try:
                outcome = world.call(f"{server}_{tool}", arguments_of(arguments, results))
            except Exception:  # Another seed has other rows; only what it says matters here.
                break
            results[tool], texts[tool] = outcome.value, outcome.text
        found[server] = texts
    return found


def test_the_same_seed_gives_the_same_world_and_another_one_another() -> None:
    assert answers(7) == answers(7)
    assert answers(7)["flights"]["search_flights"] != answers(8)["flights"]["search_flights"]


def test_a_booking_is_there_afterwards_and_gone_when_cancelled() -> None:
    world = World()
    stay = {"hotel_id": "lisbon-h1", "check_in": "2026-05-04", "nights": 2}
    booked = world.call("hotels_reserve_room", stay)
    key = booked.value["reservation_id"]
    assert world.call("hotels_my_reservations", {}).value["reservations"] == [booked.value]
    world.call("hotels_cancel_reservation", {"reservation_id": key})
    assert world.state("hotels")["reservations"][key]["status"] == "cancelled"
    assert World().state("hotels")["reservations"] == {}


STAY = {"check_in": "2026-05-04"}
TOO_MUCH = {"source": "travel", "target": "savings", "amount": 1e6}


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("weather_daily_forecast", {"city": "Atlantis", "date": "2026-05-04"}, "not_found"),
        ("weather_daily_forecast", {"city": "Lisbon", "date": "2026-02-30"}, "invalid_date"),
        ("weather_daily_forecast", {"city": "Lisbon", "date": "2026-04-01"}, "invalid_date"),
        ("hotels_reserve_room", {"hotel_id": "x", **STAY, "nights": 1}, "not_found"),
        ("hotels_search_hotels", {"city": "Lisbon", **STAY, "nights": "3"}, "invalid_argument"),
        ("finance_transfer_money", TOO_MUCH, "insufficient_funds"),
        ("mail_send_mail", {"to": "x@corvid.example", "subject": "a", "text": "b"}, "not_found"),
        ("convert_calculate", {"expression": "__import__('os')"}, "invalid_argument"),
        ("convert_calculate", {"expression": "9**9**9**9"}, "invalid_argument"),
        ("notes_nothing", {}, "unknown_tool"),
    ],
)
def test_services_refuse_as_real_ones_do(
    tool: str, arguments: dict[str, object], code: str
) -> None:
    outcome = World().call(tool, arguments)
    assert outcome.error == code
    assert outcome.value["error"]["message"]


def test_overlapping_events_full_flights_and_used_up_quotas_are_refused() -> None:
    world = World()
    event = {"title": "a", "start": "2026-05-09T12:00"}
    assert world.call("calendar_create_event", event).error is None
    assert world.call("calendar_create_event", {**event, "title": "b"}).error == "conflict"
    route = {"origin": "Oslo", "destination": "Lisbon"}
    full = [
        flight["flight_id"]
        for day in range(10, 30)
        for flight in world.call(
            "flights_search_flights", {**route, "date": f"2026-05-{day}"}
        ).value["flights"]
        if flight["seats_left"] == 0
    ]
    assert world.call("flights_book_flight", {"flight_id": full[0]}).error == "sold_out"
    asked = [world.call("websearch_deep_research", {"question": "bees"}).error for _ in range(26)]
    assert asked == [None] * 25 + ["rate_limited"]


def test_latency_follows_from_the_arguments_and_stays_near_the_declared_one() -> None:
    tool = server_class("weather").tools["daily_forecast"]
    world = World()
    days = [{"city": "Lisbon", "date": f"2026-05-{n}"} for n in range(10, 20)]
    took = [world.call("weather_daily_forecast", d).latency_seconds for d in days]
    assert took == [World().call("weather_daily_forecast", d).latency_seconds for d in days]
    near = [t for t in took if 0.75 <= t / tool.latency_seconds <= 1.25]
    assert len(near) >= 7
    assert all(t / tool.latency_seconds <= 1.25 * SLOWEST for t in took)
    assert len(set(took)) > 5


def test_workspaces_see_nothing_of_each_other_and_state_needs_the_admin_channel() -> None:
    request = _AdminRequest(method=STATE_METHOD, params=WorkspaceParams(workspace="a"))

    async def session() -> None:
        async with Client(build("notes", 7, "virtual", admin=True), mode="legacy") as client:
            await client.call_tool("add_task", {"title": "mine"}, meta={WORKSPACE: "a"})  # type: ignore[arg-type]
            other = await client.call_tool(
                "list_tasks",
                {"list_name": "personal"},
                meta={WORKSPACE: "b"},  # type: ignore[arg-type]
            )
            assert "mine" not in other.content[0].text  # type: ignore[union-attr]
            state = (await client.session.send_request(request, StateResult)).state
            assert "mine" in {task["title"] for task in state["tasks"].values()}
            assert all("agentdyno" not in t.name for t in (await client.list_tools()).tools)
        async with Client(build("notes", 7, "virtual"), mode="legacy") as client:
            with pytest.raises(MCPError):
                await client.session.send_request(request, StateResult)

    anyio.run(session)


def test_an_unknown_server_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"weather, calendar.*found 'wether'"):
        server_class("wether")


def test_seats_rooms_stock_and_money_are_finite_and_shared_between_servers() -> None:
    world = World()
    route = {"origin": "Oslo", "destination": "Bergen", "date": "2026-05-04"}
    flights = world.call("flights_search_flights", route).value["flights"]
    flight = min((f for f in flights if f["seats_left"]), key=lambda f: f["seats_left"])
    before = world.call("finance_account_balance", {"account": "checking"}).value["balance_eur"]
    booked = [
        world.call("flights_book_flight", {"flight_id": flight["flight_id"], "passenger": f"P {n}"})
        for n in range(flight["seats_left"] + 3)
    ]
    paid = [b for b in booked if b.error is None]
    assert len(paid) <= flight["seats_left"]
    assert {b.error for b in booked if b.error} <= {"sold_out", "insufficient_funds"}
    after = world.call("finance_account_balance", {"account": "checking"}).value["balance_eur"]
    assert after == pytest.approx(before - len(paid) * flight["price_eur"])


def test_a_booking_takes_the_time_in_the_calendar_too() -> None:
    world = World()
    goal = {"restaurant_id": "oslo-r1", "date": "2026-05-09", "party": 2}
    tables = world.call("restaurants_free_tables", goal).value
    time = tables["times"][0]
    world.call("restaurants_reserve_table", {"restaurant_id": "oslo-r1", "date": "2026-05-09",
                                             "time": time, "party": 2})  # fmt: skip
    inside = f"2026-05-09T{int(time[:2]):02d}:{int(time[3:]) + 5:02d}"
    refused = world.call("calendar_create_event", {"title": "x", "start": inside, "minutes": 30})
    own = world.call("calendar_create_event", {"title": "Dinner", "start": f"2026-05-09T{time}"})
    assert (refused.error, own.error) == ("conflict", None)


def test_faults_come_by_the_seed_and_trying_again_helps() -> None:
    def outcomes() -> list[str | None]:
        world = World(7, faults=0.3)
        return [world.call("notes_list_notes", {}).error for _ in range(60)]

    first = outcomes()
    assert first == outcomes()
    assert {"unavailable", "timeout", None} == set(first)
    assert 6 <= sum(error is not None for error in first) <= 30


async def call_every_tool(client: Client, server: str) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for tool, arguments in CALLS[server].items():
        answer = await client.call_tool(tool, arguments_of(arguments, results))
        text = answer.content[0].text  # type: ignore[union-attr]
        assert not answer.is_error, f"{server}.{tool}: {text}"
        assert (answer.meta or {})[LATENCY] > 0
        results[tool] = json.loads(text)
    return results


@pytest.mark.parametrize("server", SERVERS)
def test_every_tool_answers_a_real_client(server: str) -> None:
    async def session() -> None:
        async with Client(build(server, 7, "virtual"), mode="legacy") as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == set(CALLS[server]) == set(server_class(server).tools)
            await call_every_tool(client, server)

    anyio.run(session)


def test_a_server_process_answers_over_stdio_as_inside_this_process() -> None:
    command = ["-P", "-m", "agentdyno_bench.tps.world.serve", "convert"]
    process = StdioServerParameters(command=sys.executable, args=command)

    async def session() -> None:
        async with (
            Client(process, mode="legacy") as far,
            Client(build("convert", 7, "virtual")) as near,
        ):
            there, here = [await call_every_tool(c, "convert") for c in (far, near)]
            assert there == here
            assert here["calculate"]["result"] == 20
            assert here["convert_units"]["converted"] == 1.609344
            assert here["split_bill"]["each"] == 27.5  # 110 / 4
            assert here["compound_interest"]["final"] == 121.0

    anyio.run(session)


def test_fifteen_servers_offer_at_least_141_described_tools() -> None:
    tools = all_tools()
    assert len(SERVERS) == 15
    assert len(tools) >= 141
    assert all(len(tool.description) >= 15 for tool in tools.values())
    assert all(tool.schema["additionalProperties"] is False for tool in tools.values())
    assert all(0 < tool.latency_seconds < 3 for tool in tools.values())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_any_client_can_use_a_server_over_http() -> None:
    port = free_port()
    words = ["-P", "-m", "agentdyno_bench.tps.world.serve", "convert", "--http", str(port)]
    process = subprocess.Popen([sys.executable, *words])
    try:
        deadline = time.monotonic() + 60
        while not is_open(port):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.1)

        async def session() -> str:
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                answer = await client.call_tool("calculate", {"expression": "6*7"})
                return str(answer.content[0].text)  # type: ignore[union-attr]

        assert '"result":42.0' in anyio.run(session)
    finally:
        process.terminate()
        process.wait(20)


WRITTEN: dict[str, Any] = msgspec.json.decode(FILE.read_bytes())


def test_every_tool_has_a_schema() -> None:
    assert WRITTEN.keys() == all_tools().keys()
    for schema in WRITTEN.values():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


def test_results_of_worlds_that_nobody_looked_at_keep_to_it() -> None:
    checks = {tool: Draft202012Validator(schema) for tool, schema in WRITTEN.items()}
    count = 0
    for tool, arguments, value in observed((11, 12), load_bundled("hard").tasks[:4]):
        problem = next(checks[tool].iter_errors(value), None)
        assert problem is None, (tool, arguments, problem and problem.message)
        count += 1
    assert count > 800


@pytest.mark.slow
def test_the_file_is_what_the_program_writes() -> None:
    assert schemas(observed((DEFAULT_SEED, 1, 2, 3), every_task())) == WRITTEN


def test_a_client_sees_schema_annotations_and_version() -> None:
    async def session(server: str) -> None:
        async with Client(build(server, DEFAULT_SEED, "virtual"), mode="legacy") as client:
            for tool in (await client.list_tools()).tools:
                ours = server_class(server).tools[tool.name]
                assert tool.output_schema == WRITTEN[f"{server}_{tool.name}"]
                assert tool.annotations.read_only_hint == (not ours.writes)
                assert tool.annotations.destructive_hint == ours.destructive

    for server in SERVERS:
        anyio.run(session, server)
    assert len({server_class(server).version for server in SERVERS}) > 10


def test_schemas_join_and_a_name_means_the_same_in_all_tools_of_a_server() -> None:
    one = schema_of({"note": None, "tags": [], "count": 1})
    two = schema_of({"note": "x", "tags": ["a"], "count": 1.5})
    whole = join_schemas(one, two)
    assert whole["properties"]["note"] == {"type": ["null", "string"]}
    assert whole["properties"]["count"] == {"type": "number"}
    first, second = widen([one, schema_of({"items": [{"note": "x", "tags": ["a"]}]})])
    assert first["properties"]["note"] == {"type": ["null", "string"]}
    assert first["properties"]["tags"] == {"type": "array", "items": {"type": "string"}}
    inner = second["properties"]["items"]["items"]["properties"]
    assert inner["note"] == {"type": ["null", "string"]}
    (rates,) = widen([schema_of({"rates": {"EUR": 1, "USD": 1.1}})])
    got = rates["properties"]["rates"]
    assert got == {"type": "object", "additionalProperties": {"type": "number"}}
