"""The page in a real Chromium: hostile words do nothing, and what can be pressed works."""

import re
from pathlib import Path
from typing import Any

import pytest

from agentdyno.pipelines.report import build_report
from agentdyno.reports.html import render_page
from agentdyno.reports.topic import RowsBehind, Topic, TopicTable, columns
from tests.browser import assert_nothing_ran, needs_browser, resize
from tests.browser import run as _run
from tests.browser import wait as _wait
from tests.labelled import mostly_slow
from tests.reports.hostile import ATTACKS, hostile_ledger, large_ledger

pytestmark = needs_browser


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    return _write(hostile_ledger(folder / "ledger"), folder / "report.html")


@pytest.fixture(scope="module")
def plain_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    return _write(large_ledger(folder / "ledger", 60), folder / "report.html")


def _write(ledger: Path, file: Path) -> Path:
    report = build_report(ledger, excerpts=True)
    file.write_text(render_page(report.title, report.topics))
    return file


def _open(browser: Any, file: Path, width: int = 1280, scheme: str = "light") -> None:
    resize(browser, width, scheme)
    browser.get(file.as_uri())


def test_hostile_words_do_nothing(browser: Any, hostile_file: Path) -> None:
    _open(browser, hostile_file)
    _run(browser, "for (const d of document.querySelectorAll('details')) d.open = true")
    # Everything that the page builds later is built: the whole list, and every panel in it.
    _run(browser, "while (!document.getElementById('more').hidden) "
                  "document.getElementById('more').click()")  # fmt: skip
    _run(browser, "for (const b of document.querySelectorAll('#trajectory-list .row')) b.click()")
    _run(browser, "for (const b of document.querySelectorAll('thead th button')) b.click()")
    panels = _run(browser, "return document.querySelectorAll('#trajectory-list .panel').length")
    assert panels == 3 * len(ATTACKS)
    assert_nothing_ran(browser)
    assert browser.get_log("browser") == []


def test_hostile_words_are_shown_as_they_are(browser: Any, hostile_file: Path) -> None:
    _open(browser, hostile_file)
    shown = _run(browser, "return document.querySelector('#tools tbody').textContent")
    assert "<script>window.__pwned=1</script>" in shown
    rows = _run(browser, "return document.getElementById('trajectory-list').textContent")
    assert 'onerror="window.__pwned=3">' in rows


def test_a_smuggled_script_would_not_run(browser: Any, hostile_file: Path) -> None:
    """The policy is the second wall: it holds even if the first one, escaping, had a hole."""
    _open(browser, hostile_file)
    _run(browser, "const s = document.createElement('script'); s.textContent = 'window.__x = 1';"
                  "document.body.append(s)")  # fmt: skip
    assert _run(browser, "return window.__x") is None
    assert _run(browser, "return window.__csp") == ["script-src-elem"]


def _first_cells(browser: Any, column: int) -> list[str]:
    return list(_run(browser, f"return [...document.querySelectorAll('#tools tbody tr')]"
                              f".map(r => r.cells[{column}].dataset.v)"))  # fmt: skip


def test_a_heading_sorts_its_column_both_ways(browser: Any, plain_file: Path) -> None:
    _open(browser, plain_file)
    head = "document.querySelectorAll('#tools thead th')[1]"
    _run(browser, f"{head}.querySelector('button').click()")
    values = [float(v) for v in _first_cells(browser, 1)]
    assert len(values) > 20
    assert values == sorted(values, reverse=True)
    assert _run(browser, f"return {head}.getAttribute('aria-sort')") == "descending"
    _run(browser, f"{head}.querySelector('button').click()")
    assert [float(v) for v in _first_cells(browser, 1)] == sorted(values)
    _run(browser, "document.querySelector('#tools thead th button').click()")
    names = _first_cells(browser, 0)
    assert names[0] == "tool_0"
    assert _run(browser, f"return {head}.getAttribute('aria-sort')") == "none"


def test_the_theme_follows_the_system_and_the_button(browser: Any, plain_file: Path) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    _open(browser, plain_file, scheme="light")
    light = _run(browser, paper)
    _open(browser, plain_file, scheme="dark")
    dark = _run(browser, paper)
    assert light != dark
    _run(browser, "document.getElementById('theme').click()")
    assert _run(browser, paper) == light
    assert _run(browser, "return document.getElementById('theme').textContent") == "Dark"
    fill = "return getComputedStyle(document.querySelector('figure .f-system')).fill"
    assert _run(browser, fill) == "rgb(43, 92, 138)"


def test_a_trajectory_opens_turn_by_turn(browser: Any, plain_file: Path) -> None:
    _open(browser, plain_file)
    row = "document.querySelector('#trajectory-list .row')"
    _run(browser, f"{row}.click()")
    assert _run(browser, f"return {row}.getAttribute('aria-expanded')") == "true"
    turns = _run(browser, "return document.querySelectorAll('.panel tbody tr').length")
    bars = _run(browser, "return document.querySelectorAll('.panel .bars rect').length")
    assert bars == 2 * turns > 2
    _run(browser, f"{row}.click()")
    assert _run(browser, "return document.querySelector('.panel')") is None


def test_the_list_can_be_filtered(browser: Any, plain_file: Path) -> None:
    _open(browser, plain_file)
    _run(browser, "const f = document.getElementById('filter'); f.value = 'model-3 suite-1';"
                  "f.dispatchEvent(new Event('input'))")  # fmt: skip
    shown = _run(browser, "return [...document.querySelectorAll('#trajectory-list .where')]"
                          ".map(e => e.textContent)")  # fmt: skip
    assert len(shown) == 4
    assert all("model-3" in text and "suite-1" in text for text in shown)
    assert "4 of 60 match" in _run(browser, "return document.getElementById('found').textContent")


def test_a_call_leads_to_its_turn_and_the_back_button_away(browser: Any, plain_file: Path) -> None:
    _open(browser, plain_file)
    panels = "return document.querySelectorAll('#trajectory-list .panel').length"
    _run(browser, "document.querySelector('#calls a.open').click()")
    _wait(browser, panels, 1)
    address = _run(browser, "return location.hash")
    assert re.fullmatch(r"#trajectory-\d+-turn-\d+", address)
    assert _run(browser, "return document.querySelector('tr.target').id") == address[1:]
    assert _run(browser, "return document.activeElement.className") == "row"
    browser.back()
    _wait(browser, panels, 0)
    assert _run(browser, "return location.hash") == ""
    browser.get(f"{plain_file.as_uri()}{address}")
    browser.refresh()
    assert _run(browser, panels) == 1


@pytest.mark.parametrize("width", mostly_slow([390, 768, 1280], [390]))
def test_the_page_never_scrolls_sideways(
    browser: Any, plain_file: Path, hostile_file: Path, width: int
) -> None:
    for file in (plain_file, hostile_file):
        _open(browser, file, width)
        _run(browser, "for (const d of document.querySelectorAll('details')) d.open = true;"
                      "document.querySelector('#trajectory-list .row').click()")  # fmt: skip
        assert _run(browser, "return document.documentElement.scrollWidth") <= width


def test_the_keyboard_reaches_the_report_first(browser: Any, plain_file: Path) -> None:
    _open(browser, plain_file)
    body = browser.find_element("css selector", "body")
    body.send_keys("\ue004")  # Tab
    assert _run(browser, "return document.activeElement.className") == "skip"
    outline = _run(browser, "return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_what_is_behind_a_row_is_drawn_as_text_when_it_is_opened(
    browser: Any, tmp_path: Path
) -> None:
    tasks = [*ATTACKS, *(f"t{place}" for place in range(300))]
    costs = [0.001 * place or None for place in range(len(tasks))]
    behind = RowsBehind("runs-of", "runs", columns("task", "dollars:money"), [
        [tasks, costs], [["other"], [2.0]],
    ])  # fmt: skip
    rows = [[ATTACKS[0], 1], ["second", 2]]
    table = TopicTable("Rows", columns("model", "n:count"), rows, folded=False, behind=behind)
    file = tmp_path / "behind.html"
    file.write_text(render_page("x", [Topic("t", "T", "", [], [], [table])]))
    _open(browser, file)
    assert _run(browser, "return document.querySelector('.beneath')") is None
    _run(browser, "document.querySelectorAll('button.behind')[0].click()")
    _wait(browser, "return document.querySelectorAll('.beneath tbody tr').length", 200)
    shown = _run(browser, "return document.querySelector('.beneath tbody').textContent")
    assert "<script>window.__pwned=1</script>" in shown
    _run(browser, "document.querySelector('.beneath .more').click()")
    assert _run(browser, "return document.querySelectorAll('.beneath tbody tr').length") == 312
    _run(browser, "document.querySelectorAll('button.behind')[1].click()")
    _wait(browser, "return document.querySelector('.beneath')?.textContent.includes('other')")
    assert "$2.00" in _run(browser, "return document.querySelector('.beneath').textContent")
    assert _run(browser, "return document.querySelectorAll('.beneath').length") == 1
    _run(browser, "document.querySelectorAll('button.behind')[1].click()")
    assert _run(browser, "return document.querySelector('.beneath')") is None
    assert_nothing_ran(browser)
