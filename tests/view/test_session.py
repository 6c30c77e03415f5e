"""What the page works out by itself: alignment, the critical path, what the river merges; and
who is answered."""

import contextlib
import http.client
import socket
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import polars as pl
import pytest

pytest.importorskip("starlette", reason="the extra view is not installed")

from agentdyno.pipelines.measure import MeasureOptions, derive_rest, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.view import river, security, timed_protocol
from agentdyno.view.difference import align, compare_ledgers
from agentdyno.view.finding_list import list_found
from agentdyno.view.server import Opened
from agentdyno.view.session import describe_session
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.timeline import find_critical_path, sum_times
from tests.pipelines.ledger_builder import LedgerRows
from tests.view.serving import serving_opened


def test_one_more_turn_moves_no_other() -> None:
    pairs = list(align(["read", "edit", "test", "answer"], ["read", "test", "answer"]))
    assert pairs == [(0, 0), (1, None), (2, 1), (3, 2)]


class Schedule:
    """Tables of calls a, b and c, of which c uses a result of a."""

    def __init__(self, seconds: list[float]) -> None:
        places = {"trajectory_id": ["t"] * 3, "turn": [0, 0, 1], "call": [0, 1, 0]}
        self._tables = {
            "calls": pl.DataFrame(places | {"wait_seconds": seconds}),
            "dependencies": pl.DataFrame({"trajectory_id": ["t"], "source_turn": [0],
                "source_call": [0], "target_turn": [1], "target_call": [0]}),
        }  # fmt: skip

    def read(self, table: str) -> pl.DataFrame:
        return self._tables[table]

    def has(self, table: str) -> bool:
        return table in self._tables


@pytest.mark.parametrize(
    ("seconds", "path"), [([2, 7, 3], [(0, 1)]), ([2, 5, 4], [(0, 0), (1, 0)])]
)
def test_the_critical_path_is_the_longest_chain(seconds: list[float], path: list[object]) -> None:
    found = find_critical_path(Schedule(seconds), "t")  # type: ignore[arg-type]
    assert found == {"calls": path, "seconds": sum(seconds)}


def _turn(turn: int, start: float | None, end: float | None) -> dict[str, Any]:
    return {"turn": turn, "started_at": start, "ended_at": end, "latency_seconds": None}


def _call(turn: int, wait: float | None) -> dict[str, Any]:
    return {"turn": turn, "wait_seconds": wait, "started_at": None, "ended_at": None}


def test_time_between_turns_is_no_time_of_tools() -> None:
    """Two calls, one of 0.7 s, in the 10 s from the first answer to the next request; then a user
    who reads for 60 s."""
    turns = [_turn(0, 100, 105), _turn(1, 115, 118), _turn(2, 178, 180)]
    times = sum_times(turns, [_call(0, 0.7), _call(0, None)])
    assert (times["model"], times["tools_and_waiting"], times["pauses"]) == (10, 10, 60)
    assert (times["timed"], times["timed_calls"], times["calls"]) == (0.7, 1, 2)
    assert [(each["turn"], each["has_calls"]) for each in times["between"]] == [
        (0, True),
        (1, False),
    ]


def test_times_that_nobody_recorded_are_unknown() -> None:
    times = sum_times([_turn(0, None, 5), _turn(1, None, None)], [_call(0, None)])
    assert [times[name] for name in ("model", "tools_and_waiting", "pauses", "timed")] == [None] * 4


def test_small_parts_are_drawn_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(river, "MOST_BANDS", 1)
    rows = LedgerRows().trajectory("t", turns=3)
    for turn in range(3):
        rows.turn("t", turn)
    rows.part("t", "system", 5.0, part=0, tokens=900.0, enters=0)
    rows.part("t", "result", 3.0, part=1, tokens=40.0, enters=1, leaves=2)
    rows.part("t", "result", 3.0, part=2, tokens=2.0, enters=1)
    drawn = describe_session(Snapshot(rows.write(tmp_path / "ledger")), "t")["river"]
    assert [(band["part"], band["enters"], band["until"]) for band in drawn["bands"]] == [(0, 0, 3)]
    assert drawn["rest"] == [
        {"kind": "result", "first": False, "count": 2, "tokens": [0.0, 42.0, 2.0]}
    ]


def test_agents_that_started_each_other_in_a_circle_end(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", parent_id="b").trajectory("b", parent_id="a")
    rows.turn("a", 0).turn("b", 0)
    found = describe_session(Snapshot(rows.write(tmp_path / "ledger")), "a")
    assert found["session"]["tree_cost"] == 200.0


@pytest.mark.daily
def test_findings_that_were_not_derived_yet_are_not_none(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([sample_traces() / "coding"], ledger, MeasureOptions(workers=1, costs_only=True))
    assert list_found(Snapshot(ledger))["derived"] is False
    derive_rest(ledger, 1)
    assert list_found(Snapshot(ledger))["derived"] is True


@pytest.mark.daily
def test_a_session_in_another_folder_is_the_same_session(tmp_path: Path) -> None:
    for name in ("before", "after"):
        copytree(sample_traces() / "coding", tmp_path / name)
        options = MeasureOptions(workers=1, costs_only=True)
        measure([tmp_path / name], tmp_path / f"{name}-ledger", options)
    found = compare_ledgers(
        Snapshot(tmp_path / "before-ledger"), Snapshot(tmp_path / "after-ledger")
    )
    assert found["matching"] == found["totals"][0]["sessions"]
    assert {row["difference"] for row in found["rows"]} == {0.0}


class Client:
    """Asks one server, with the cookie that its page was given."""

    def __init__(self, opened: Opened) -> None:
        parts = urlsplit(opened.home)
        assert parts.hostname
        self.host, self.port = parts.hostname, parts.port
        self.own, self._opened = opened.home, opened
        given = self.ask(self.new_path())[2]["set-cookie"]
        self.cookie = {"Cookie": given.partition(";")[0]}
        self.token = given.partition("=")[2].partition(";")[0]

    def new_path(self) -> str:
        """One that opens the page."""
        return self._opened.new_address().removeprefix(self.own)

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, str, dict]:
        """Status, text and headers of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET" if body is None else "POST", path, body, named)
        answer = connection.getresponse()
        found = answer.status, answer.read().decode(), dict(answer.getheaders())
        connection.close()
        return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    rows = LedgerRows().trajectory("a#0").turn("a#0", 0)
    with serving_opened(rows.write(tmp_path_factory.mktemp("guarded") / "ledger")) as opened:
        yield Client(opened)


def test_the_printed_address_gives_a_cookie_that_no_script_reads(client: Client) -> None:
    path = client.new_path()
    status, page, headers = client.ask(path)
    assert (status, page, headers["location"]) == (303, "", "/")
    settings = headers["set-cookie"].lower().split("; ")[1:]
    assert sorted(settings) == ["httponly", "path=/", "samesite=strict"]
    assert path.partition("=")[2] not in headers["set-cookie"]
    cookie = {"Cookie": headers["set-cookie"].partition(";")[0]}
    for _ in range(2):  # Loading the page again needs no code.
        status, page, headers = client.ask("/", **cookie)
        assert status == 200
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "<script type=" in page
    assert client.token not in page


def test_a_code_opens_the_page_once_and_within_a_minute(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = client.new_path()
    assert client.ask(path)[0] == 303
    status, text, headers = client.ask(path)
    assert (status, "set-cookie" in headers) == (403, False)
    assert "press Enter in the terminal where agentdyno view runs" in text
    # The browser that has the cookie already is led on, whatever else opened the address.
    assert client.ask(path, **client.cookie)[0] == 303
    late = client.new_path()
    now = security.time.monotonic()
    with monkeypatch.context() as later:
        # Not in the module of all: the server's loop would sleep for a minute.
        later.setattr(security, "time", SimpleNamespace(monotonic=lambda: now + 61))
        assert client.ask(late)[0] == 403
    assert client.ask(late)[0] == 403


def test_a_link_on_another_site_leads_to_the_page_by_a_request_of_its_own(client: Client) -> None:
    status, text, headers = client.ask(client.new_path(), Sec_Fetch_Site="cross-site")
    assert (status, "set-cookie" in headers) == (200, True)
    assert 'http-equiv="refresh" content="0;url=/"' in text


def test_an_upgrade_to_web_sockets_is_refused(client: Client) -> None:
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
               "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    assert client.ask("/api/sessions", **upgrade)[0] == 400
    assert client.ask("/api/sessions", **upgrade, **client.cookie)[0] == 400


@pytest.mark.parametrize(
    "part",
    [b"", b"GET / HT", b"POST /api/findings HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\n{"],
    ids=["nothing", "head", "body"],
)
def test_a_half_open_request_ends(
    part: bytes, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timed_protocol, "REQUEST_SECONDS", 0.2)
    with socket.create_connection((client.host, client.port), timeout=60) as slow:
        slow.sendall(part)
        with contextlib.suppress(ConnectionResetError):
            while slow.recv(1000):  # A refusal may come first.
                pass


def test_without_the_right_cookie_nothing_is_answered(client: Client) -> None:
    code = client.new_path().removeprefix("/")
    for path in ("/", "/?code=wrong", "/api/sessions", f"/api/sessions{code}"):
        assert client.ask(path)[0] == 403
    other = {"Cookie": f"agentdyno-{client.port}=wrong"}
    assert client.ask("/api/sessions", **other)[0] == 403
    assert client.ask("/api/sessions", **client.cookie)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", ""])
def test_another_host_is_refused(client: Client, host: str) -> None:
    """A name elsewhere that was pointed at this machine."""
    named = host.format(port=client.port)
    assert client.ask("/api/sessions", **client.cookie, Host=named)[0] == 403
    assert client.ask(client.new_path(), Host=named)[0] == 403


def test_another_origin_is_refused(client: Client) -> None:
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{(client.port or 0) + 1}"):
        assert client.ask("/api/sessions", **client.cookie, Origin=origin)[0] == 403
        assert client.ask("/api/findings", b"{}", **client.cookie, Origin=origin)[0] == 403
    # A picture or a script tag of another page names no origin; the browser says where it stands.
    for site in ("cross-site", "same-site"):
        assert client.ask("/api/sessions", **client.cookie, Sec_Fetch_Site=site)[0] == 403


def test_nothing_can_be_sent(client: Client) -> None:
    assert client.ask("/api/findings", b"{}", **client.cookie)[0] == 403
    assert client.ask("/api/findings", b"{}", **client.cookie, Origin=client.own)[0] == 405


def test_no_other_file_is_served(client: Client) -> None:
    for path in ("/assets/x/app.js", "/assets/../server.py", "/manifest.json"):
        assert client.ask(path, **client.cookie)[0] in (404, 405)


def test_what_the_page_asks_wrongly_is_answered_in_words(client: Client) -> None:
    for path in ("/api/sessions?sort=1;DROP", "/api/session?id=x", "/api/session", "/api/texts",
                 "/api/difference", "/api/sessions?offset=a"):  # fmt: skip
        status, answer, _ = client.ask(path, **client.cookie)
        assert (status, answer.startswith('{"error":"')) == (400, True), path
