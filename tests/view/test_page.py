"""The explorer in a real Chromium, over an invented week and over a ledger that attacks it."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra view is not installed")

import agentdyno
from agentdyno.pipelines.samples import sample_traces
from agentdyno.view.first_page import FirstPageQuery, describe_first_page
from agentdyno.view.snapshot import Snapshot
from tests.browser import assert_nothing_ran, needs_browser, resize, run, wait
from tests.conftest import ROOT
from tests.fake_secrets import FAKES
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.hostile import ATTACKS, hostile_ledger
from tests.view.serving import serving

pytestmark = [needs_browser, pytest.mark.daily]
WEEK = ROOT / "examples" / "week"
VOUCHERS = "week/5e552002-vouchers.jsonl#5e552002-vouchers"
IMPORT = "week/5e552003-import.jsonl#5e552003-import"
TITLES = "return [...document.querySelectorAll('.sessions .title')].map(e => e.textContent)"
ENTER, ESCAPE = "\ue007", "\ue00c"


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(WEEK, tmp_path_factory.mktemp("traces") / "week"))


@pytest.fixture(scope="module")
def ledger(traces: Path) -> Path:
    agentdyno.measure(traces, traces.parent / "ledger")
    return traces.parent / "ledger"


@pytest.fixture(scope="module")
def page(browser: Any, ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The browser with the page open; B is the same week without its last session."""
    fewer = tmp_path_factory.mktemp("fewer")
    shutil.copytree(WEEK, fewer / "week", ignore=shutil.ignore_patterns("*notes*"))
    agentdyno.measure(fewer / "week", fewer / "ledger")
    with serving(ledger, fewer / "ledger") as address:
        resize(browser)
        browser.get(address)
        wait(browser, "return document.querySelectorAll('.dearest li').length", 4)
        yield browser


def go(page: Any, view: str, **asked: Any) -> None:
    """Opens a view by its address alone, and waits until it is there."""
    run(page, "location.hash = '#/' + arguments[0] + '?' + new URLSearchParams(arguments[1])",
        view, asked)  # fmt: skip
    page.refresh()
    wait(page, "return document.querySelectorAll('#main > *').length > 1")


def press(page: Any, selector: str) -> None:
    run(page, "document.querySelector(arguments[0]).click()", selector)


def text_of(page: Any, selector: str) -> str:
    return str(run(page, "return document.querySelector(arguments[0]).textContent", selector))


def key(page: Any, sign: str) -> None:
    page.switch_to.active_element.send_keys(sign)


def test_the_code_leaves_the_address(page: Any) -> None:
    assert run(page, "return location.search") == ""


DAYS = "return [...document.querySelectorAll('.day')].map(e => e.ariaLabel)"
SPLIT = "return [...document.querySelectorAll('#split li')].map(e => e.textContent)"


def test_the_first_page_has_a_bar_for_every_day_and_its_year(page: Any, ledger: Path) -> None:
    go(page, "first")
    wait(page, "return document.querySelectorAll('.dearest li').length", 4)
    days = run(page, DAYS)
    assert len(days) == 30
    assert days[-1].startswith("Thu, 5 Mar 2026: $")
    assert days[0].endswith(": $0")
    turns = agentdyno.open(ledger).table("turns")
    dated = turns.filter(turns["ended_at"].is_not_null())["usd"].sum()
    assert text_of(page, "#days .lead").startswith(f"${dated:.3f} Wed, 4 Feb 2026 to ")
    assert "$0.040 without a date not in it" in text_of(page, "#days .lead")
    assert "2026" in text_of(page, ".dates")
    assert run(page, "return document.querySelectorAll('.levers li').length") <= 3


def test_a_day_and_a_name_that_are_pressed_filter_all_of_it(page: Any) -> None:
    go(page, "first", by="agent")
    run(page, "[...document.querySelectorAll('.day')].at(-1)"
              ".dispatchEvent(new Event('click', {bubbles: true}))")  # fmt: skip
    wait(page, "return document.querySelectorAll('.dearest li').length", 1)
    assert text_of(page, "#days h2") == "Thu, 5 Mar 2026"
    press(page, "#clear")
    wait(page, "return document.querySelectorAll('.dearest li').length", 4)
    assert [row.startswith("Claude Code$0.868") for row in run(page, SPLIT)] == [True]
    press(page, "#split li:last-child button")
    wait(page, "return document.querySelectorAll('#split li.chosen').length", 1)
    assert "agent=claude_code" in run(page, "return location.hash")
    press(page, ".dearest a")
    wait(page, "return document.querySelector('.head h1') !== null")


def test_the_keyboard_reaches_the_bands_of_the_river_and_opens_their_turns(page: Any) -> None:
    go(page, "first", by="agent")
    wait(page, "return document.querySelectorAll('.dearest li').length", 4)
    press(page, ".dearest a")
    wait(page, "return document.querySelectorAll('#river path[tabindex]').length > 0")
    run(page, "document.querySelector('#river path[tabindex]').focus()")
    said = run(page, "return document.activeElement.ariaLabel")
    assert " tokens, in context from turn " in said
    assert said in text_of(page, "#river .point")
    key(page, ENTER)
    wait(page, "return location.hash.includes('turn=')")


def test_what_is_written_now_is_marked(page: Any, ledger: Path, tmp_path: Path) -> None:
    now = time.time()
    session = (WEEK / "5e552001-basket.jsonl").read_text().replace("5e552001", "5e55200a")
    moved = datetime.fromtimestamp(now - 60, UTC).strftime("%Y-%m-%dT%H:%M")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "now.jsonl").write_text(re.sub(r"2026-03-02T\d\d:\d\d", moved, session))
    agentdyno.measure(tmp_path / "t", tmp_path / "ledger")
    found = describe_first_page(Snapshot(tmp_path / "ledger"), FirstPageQuery())
    assert [each["is_running"] for each in found["sessions"]] == [True]
    assert len(found["running"]) == 1
    assert describe_first_page(Snapshot(ledger), FirstPageQuery())["running"] == []


def test_words_are_found_in_titles_files_and_texts(page: Any) -> None:
    go(page, "sessions")
    search = page.find_element("css selector", "#search")
    search.send_keys("nightly")
    wait(page, TITLES, ["Why is the nightly import slow?"])
    run(page, "arguments[0].select()", search)
    search.send_keys("checkout.py")
    wait(page, TITLES, ["Add vouchers to the checkout."])
    run(page, "arguments[0].select()", search)
    # Only a result of a call has it.
    search.send_keys("price_17")
    wait(page, "return document.querySelectorAll('.hit').length > 0")
    assert "result" in text_of(page, ".hit a")
    press(page, ".hit a")
    wait(page, "return document.querySelector('.call.target') !== null")


def test_filters_groups_and_sorting_agree_with_the_tables(page: Any, ledger: Path) -> None:
    rows = agentdyno.open(ledger).table("trajectories").sort("usd", descending=True)
    go(page, "sessions")
    press(page, "th[data-name=cost] button")
    wait(page, TITLES, [title.rstrip() for title in rows["title"]])
    choose = "const s = document.getElementById(arguments[0]); s.value = arguments[1];" \
             "s.dispatchEvent(new Event('change'))"  # fmt: skip
    run(page, choose, "group", "day")
    wait(page, "return document.querySelectorAll('.sessions .group').length", 5)
    assert "2026-03-05" in text_of(page, ".sessions .group")
    run(page, choose, "agent", "anthropic_messages")
    wait(page, f"{TITLES}.length", 1)
    assert text_of(page, "#found").startswith("1 of 5 sessions, $0.040")
    page.back()
    wait(page, f"{TITLES}.length", 5)
    page.forward()
    wait(page, f"{TITLES}.length", 1)


def test_the_river_draws_every_part_and_leads_to_its_turn(page: Any, ledger: Path) -> None:
    go(page, "session", id=VOUCHERS)
    parts = agentdyno.open(ledger).table("parts").filter(trajectory_id=VOUCHERS)
    # Thinner than a thousandth of the context is not seen.
    entered = parts.filter(parts["enters"].is_not_null() & (parts["tokens"] >= 50))
    drawn = run(
        page, "return [...document.querySelectorAll('.river path')].map(e => e.dataset.part)"
    )
    assert set(drawn) >= {str(part) for part in entered["part"]}
    largest = entered.sort("tokens").row(-1, named=True)
    click = (
        "document.querySelector(arguments[0]).dispatchEvent(new Event('click', {bubbles: true}))"
    )
    run(page, click, f".river path[data-part='{largest['part']}']")
    wait(page, "return document.querySelector('.target')?.id",
         f"turn-{largest['turn']}-call-{largest['call']}")  # fmt: skip


def test_the_cache_lane_names_the_pause_that_lost_it_and_its_price(page: Any) -> None:
    go(page, "session", id=VOUCHERS)
    [mark] = run(page, "return [...document.querySelectorAll('.loss')].map(e => e.title)")
    assert mark.startswith("Turn 6: pause longer than the cache lives, ")
    assert "19.1k tokens, $0.119" in mark
    press(page, ".loss")
    wait(page, "return document.querySelector('.turn.target')?.id", "turn-5")
    assert "pause longer than the cache lives" in text_of(page, "#turn-5 .lost")


def test_the_conversation_has_the_texts_of_the_trace(page: Any) -> None:
    go(page, "session", id=VOUCHERS, turn=0)
    wait(page, "return (document.querySelector('#turn-0 blockquote')?.textContent || '')"
               ".startsWith('Add vouchers')")  # fmt: skip


def test_files_open_the_turns_behind_them(page: Any) -> None:
    go(page, "spent")
    assert text_of(page, "tbody th a") == "/home/ada/shop/checkout.py"
    press(page, "tbody th a")
    wait(page, "return document.querySelector('h1').textContent", "/home/ada/shop/checkout.py")
    press(page, "tbody th a")
    wait(page, "return document.querySelector('.call.target .subject')?.textContent",
         "/home/ada/shop/checkout.py")  # fmt: skip


def test_a_week_without_levers_says_so(page: Any) -> None:
    go(page, "levers")
    assert "No change would surely save 1 %." in text_of(page, "main")


def test_two_sessions_are_aligned_turn_by_turn(page: Any) -> None:
    go(page, "session", id=VOUCHERS)
    press(page, ".actions a[href*='compare=']")
    wait(page, f"{TITLES}.length", 5)
    press(page, ".title[href*='import']")
    wait(page, "return document.querySelector('.pairs') !== null")
    name = "c => c.querySelector('a')?.textContent"
    rows = "return [...document.querySelectorAll('.pairs tbody tr')]"
    pairs = run(page, f"{rows}.map(r => [...r.cells].slice(0, 2).map({name}))")
    assert [a for a, _ in pairs if a] == [f"Turn {n}" for n in range(1, 11)]
    assert [b for _, b in pairs if b] == [f"Turn {n}" for n in range(1, 7)]
    assert "cache lost: pause longer than the cache lives" in text_of(page, ".pairs")


def test_two_ledgers_are_paired_session_by_session(page: Any) -> None:
    go(page, "difference")
    assert text_of(page, "h1") == "Difference of two ledgers"
    listed = "return [...document.querySelectorAll('#main > .scroll:last-of-type tbody tr')]"
    rows = run(page, f"{listed}.map(r => r.textContent)")
    assert rows[0].startswith("Write the release notes.in A alone$0.138")
    assert len(rows) == 5
    press(page, "#main > .scroll:last-of-type tbody a[href*='vouchers']")
    wait(page, "return document.querySelectorAll('.pairs tbody tr').length", 10)
    press(page, ".pairs tbody tr td:nth-child(2) a")
    wait(page, "return document.querySelector('.turn.target')?.id", "turn-0")
    assert "ledger=b" in run(page, "return document.querySelector('.turn.target a').href")


def test_keys_search_move_and_open(page: Any) -> None:
    go(page, "sessions", sort="cost")
    wait(page, f"{TITLES}.length", 5)
    run(page, "document.activeElement.blur()")
    key(page, "/")
    assert run(page, "return document.activeElement.id") == "search"
    key(page, ESCAPE)
    key(page, "j")
    key(page, "j")
    assert (
        run(page, "return document.activeElement.textContent") == "Why is the nightly import slow?"
    )
    key(page, "k")
    key(page, ENTER)
    wait(page, "return document.querySelector('h1')?.textContent", "Add vouchers to the checkout.")
    run(page, "document.activeElement.blur()")
    key(page, "?")
    assert run(page, "return document.getElementById('keys').open") is True
    key(page, ESCAPE)
    key(page, "6")
    wait(page, "return document.querySelector('h1')?.textContent", "Findings")


def test_the_report_is_a_press_away_and_runs_under_its_own_policy(page: Any) -> None:
    go(page, "sessions")
    press(page, "nav a[href='/report']")
    wait(page, "return document.querySelectorAll('#trajectory-list .row').length", 5)
    assert run(page, "return window.__csp") == []
    page.back()
    wait(page, f"{TITLES}.length", 5)


def test_every_view_has_an_address_and_fits_a_phone(page: Any) -> None:
    for width in (390, 1280):
        resize(page, width)
        for view, asked in (
            ("first", {}), ("first", {"day": "2026-03-02", "by": "model"}),
            ("sessions", {"group": "model"}), ("session", {"id": VOUCHERS, "turn": 4}),
            ("spent", {}), ("spent", {"kind": "command", "name": "pytest"}), ("levers", {}),
            ("difference", {"one": VOUCHERS, "other": IMPORT}), ("findings", {"unproven": 1}),
        ):  # fmt: skip
            go(page, view, **asked)
            assert (
                run(
                    page, "return document.querySelectorAll('.problem:not([hidden],:empty)').length"
                )
                == 0
            )
            assert run(page, "return document.documentElement.scrollWidth") <= width, view


def test_a_session_that_is_measured_meanwhile_appears(
    page: Any, traces: Path, ledger: Path
) -> None:
    go(page, "sessions")
    wait(page, f"{TITLES}.length", 5)
    added = (traces / "5e552001-basket.jsonl").read_text().replace("5e552001", "5e552009")
    (traces / "5e552009-later.jsonl").write_text(added.replace("ten times too much", "nothing"))
    agentdyno.measure(traces, ledger)
    wait(page, f"{TITLES}.length", 6)
    assert page.get_log("browser") == []


def test_hostile_words_in_every_field_do_nothing(browser: Any, tmp_path: Path) -> None:
    ledger = hostile_ledger(tmp_path / "ledger")
    with serving(ledger) as address:
        browser.get(address)
        wait(browser, "return document.querySelectorAll('#main > *').length > 1")
        assert_nothing_ran(browser)
        go(browser, "sessions")
        wait(browser, f"{TITLES}.length", len(ATTACKS))
        assert ATTACKS[0] in run(browser, TITLES)
        views: list[tuple[str, dict[str, Any]]] = [
            ("first", {"by": "project", "days": 0}), ("first", {"model": ATTACKS[1], "days": 0}),
            ("sessions", {"group": "project"}), ("sessions", {"q": "<script>"}), ("levers", {}),
            ("findings", {"unproven": 1}), ("spent", {}),
            ("spent", {"kind": "file", "name": ATTACKS[2]}),
            ("difference", {"one": f"{ATTACKS[0]}#0", "other": f"{ATTACKS[3]}#0"}),
        ]  # fmt: skip
        views += [("session", {"id": f"{attack}#0", "turn": 1}) for attack in ATTACKS]
        for view, asked in views:
            go(browser, view, **asked)
            run(browser, "for (const d of document.querySelectorAll('details')) d.open = true")
            assert_nothing_ran(browser)
        wait(browser, "return document.querySelectorAll('.nested .turn').length", 6)
        assert_nothing_ran(browser)
        # The policy is the second wall: markup would not even be parsed.
        run(browser, "const b = document.createElement('b'); document.body.append(b);"
                     "try { b.innerHTML = '<i>x</i>' } catch {}")  # fmt: skip
        assert run(browser, "return document.querySelector('body > b').children.length") == 0


def test_texts_are_redacted_and_a_trace_that_is_gone_is_named(browser: Any, tmp_path: Path) -> None:
    written, secret = FAKES["github-token"]
    messages = [
        {"role": "user", "content": f"log in with {written} now"},
        {"role": "assistant", "content": "done"},
    ]
    trace = tmp_path / "traces" / "a.jsonl"
    trace.parent.mkdir()
    trace.write_text(json.dumps({"model": "m", "messages": messages}))
    agentdyno.measure(trace.parent, tmp_path / "ledger")
    [name] = agentdyno.open(tmp_path / "ledger").table("trajectories")["trajectory_id"]
    conversation = "return document.querySelector('.conversation')?.textContent.includes('{}')"
    with serving(tmp_path / "ledger") as address:
        browser.get(address)
        go(browser, "session", id=name)
        wait(browser, conversation.format("log in with"))
        go(browser, "sessions", q="log in")
        wait(browser, "return document.querySelectorAll('.hit').length", 1)
        assert secret not in run(browser, "return document.documentElement.outerHTML")
    trace.unlink()
    with serving(tmp_path / "ledger") as address:
        browser.get(address)
        go(browser, "session", id=name)
        wait(browser, conversation.format("No texts: "))
        assert "the file is gone" in text_of(browser, ".conversation .problem")


def test_levers_come_with_evidence_their_interval_and_the_change_to_make(
    browser: Any, tmp_path: Path
) -> None:
    rows = LedgerRows()
    for number in range(5):
        name = f"s{number}"
        rows.trajectory(name, usd=1.0, format="claude_code").turn(name, 0, usd=1.0)
        rows.part(name, "schema", 1.0, name="mcp__linear__get_issue", usd=0.1, enters=0)
    with serving(rows.write(tmp_path / "ledger", "usd")) as address:
        browser.get(address)
        go(browser, "levers")
        first = text_of(browser, ".levers li")
    assert "Disable the MCP server linear" in first
    assert "$0.500" in first
    assert "10 %, $0.500 to $0.500" in first
    assert "f 5 sessions" in first  # Evidence is shortened in its middle.
    assert 'add ["linear"] to disabledMcpjsonServers' in first


def test_findings_are_listed_and_nothing_is_written(browser: Any, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    agentdyno.measure(sample_traces() / "gpt-4o-retail.tau.json", ledger)

    def contents() -> dict[Path, bytes]:
        return {
            p: p.read_bytes() for p in ledger.rglob("*") if p.is_file() and ".sums" not in p.parts
        }  # Sums of the first page may be kept meanwhile.

    with serving(ledger) as address:
        browser.get(address)
        go(browser, "sessions")
        before = contents()
        go(browser, "findings", unproven=1)
        assert run(browser, "return document.querySelector('.findings li').dataset.finding")
        assert contents() == before
