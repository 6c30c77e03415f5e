"""The page as text: one file, nothing from outside, foreign words only as words, small enough."""

import base64
import hashlib
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.reports.html import render_page
from agentdyno.reports.html.drilldown import as_data
from agentdyno.reports.html.markup import foreign, plain
from agentdyno.studies.cost.drilldown import Drilldown
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.hostile import hostile_ledger, large_ledger

VOID = {"meta", "link", "input", "br", "hr", "img"}
OURS = {
    "html", "head", "meta", "link", "title", "style", "body", "a", "header", "p", "svg", "path",
    "h1", "bdi", "button", "div", "nav", "details", "summary", "ol", "ul", "li", "main", "dl", "dt",
    "dd", "strong", "span", "aside", "h2", "h3", "section", "figure", "figcaption", "g", "text",
    "line", "rect", "table", "caption", "thead", "tbody", "tr", "th", "td", "small", "noscript",
    "label", "input", "select", "option", "script", "blockquote", "circle",
}  # fmt: skip


class _Seen(HTMLParser):
    """Elements and attributes as a browser would find them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"unexpected </{tag}> at {self.getpos()}")


def _page(ledger: Path) -> str:
    report = build_report(ledger)
    return render_page(report.title, report.topics)


@cache
def _seen(page: str) -> _Seen:
    seen = _Seen()
    seen.feed(page)
    return seen


@pytest.fixture(scope="module")
def samples_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return _page(folder)


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _page(hostile_ledger(tmp_path_factory.mktemp("hostile") / "ledger"))


def test_every_element_is_closed_where_it_belongs(samples_page: str) -> None:
    seen = _seen(samples_page)
    assert (seen.problems, seen.open) == ([], [])


def test_the_policy_allows_exactly_our_style_and_script(samples_page: str) -> None:
    policy = next(
        attributes["content"] or ""
        for name, attributes in _seen(samples_page).elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    style = re.search(r"<style>(.*?)</style>", samples_page, re.S)
    script = re.search(r"<script>(.*?)</script>", samples_page, re.S)
    assert f"style-src '{_digest(style[1])}'" in policy
    assert f"script-src '{_digest(script[1])}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_nothing_is_fetched_from_outside(samples_page: str) -> None:
    for _, attributes in _seen(samples_page).elements:
        for key in ("src", "href", "srcset", "action", "data", "poster", "xlink:href"):
            value = attributes.get(key) or "#"
            assert value.startswith(("#", "data:image/svg+xml")), (key, value)
    assert "url(" not in samples_page
    assert "@import" not in samples_page


def test_no_element_carries_a_style_or_a_handler(hostile_page: str) -> None:
    for name, attributes in _seen(hostile_page).elements:
        assert "style" not in attributes, name
        assert not [key for key in attributes if key.startswith("on")], (name, attributes)


def test_hostile_words_make_no_element(hostile_page: str) -> None:
    seen = _seen(hostile_page)
    assert seen.problems == []
    assert {name for name, _ in seen.elements} <= OURS
    assert len([name for name, _ in seen.elements if name == "script"]) == 2
    assert len([name for name, _ in seen.elements if name == "style"]) == 1
    assert not [a for _, a in seen.elements if a.get("id") == "injected"]


def test_hostile_data_stays_inside_its_element(hostile_page: str) -> None:
    held = re.search(r'id="trajectories-data">([^<]*)</script>', hostile_page)
    data = json.loads(held[1])
    assert len(data["rows"]) == 36
    assert any("<script>" in word for word in data["words"])
    assert not [word for word in data["words"] if "\u202e" in word or "\x00" in word]


@pytest.mark.daily
def test_money_comes_first_then_sentences_the_picture_and_the_sections(samples_page: str) -> None:
    body = samples_page.index("<main")
    order = [
        "where priced", "What it costs", "Where it goes", "What to change",
        "Token counts not reported", 'id="chart-bill"', "What stands out", 'id="cache"',
        'id="spending"', 'id="sessions"', 'id="levers"', 'id="fuel"',
    ]  # fmt: skip
    places = [samples_page.index(text, body) for text in order]
    assert places == sorted(places)


def test_every_section_with_a_chart_has_its_numbers_as_a_table(samples_page: str) -> None:
    sections = re.findall(r"<section.*?</section>", samples_page, re.S)
    charted = [text for text in sections if "<figure" in text]
    assert len(charted) == 4  # The glance, the fuel, the patterns, the benchmarks.
    for text in charted:
        assert "<details" in text
        assert 'scope="col"' in text


def test_every_chart_has_a_wide_and_a_narrow_drawing(samples_page: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", samples_page, re.S)
    assert all(text.count('role="img"') == 2 for text in figures)


@pytest.mark.parametrize(
    ("trajectories", "at_least"), [(200, 200), pytest.param(1000, 501, marks=pytest.mark.slow)]
)
def test_many_trajectories_stay_under_three_megabytes(
    tmp_path: Path, trajectories: int, at_least: int
) -> None:
    page = _page(large_ledger(tmp_path / "l", trajectories))
    assert len(page.encode()) < 3_000_000
    held = re.search(r'id="trajectories-data">([^<]*)</script>', page)
    assert len(json.loads(held[1])["rows"]) >= at_least


def test_what_does_not_fit_is_left_out_from_the_cheap_end(tmp_path: Path) -> None:
    drilldown = build_report(large_ledger(tmp_path / "l", 40)).results["trajectories"]
    data, ids = as_data(drilldown, room=20_000)
    assert 0 < len(ids) < 40
    assert ids == [t.trajectory_id for t in drilldown.trajectories[: len(ids)]]
    costs = [t.cost or 0.0 for t in drilldown.trajectories]
    assert costs == sorted(costs, reverse=True)
    assert len(data) < 25_000


def test_an_empty_drilldown_is_still_data() -> None:
    data, ids = as_data(Drilldown([], 0))
    assert ids == []
    assert '"rows":[]' in data


def _odd_ledgers() -> dict[str, LedgerRows]:
    half = LedgerRows()
    for i in range(12):
        half.trajectory(str(i), None if i % 2 else 10.0, correct=i % 3 == 0, benchmark="b")
    return {
        "empty": LedgerRows(),
        "no turns": LedgerRows().trajectory("a"),
        "no cost": LedgerRows().trajectory("a", None, pte_kept=None).turn("a", 0, None),  # type: ignore[arg-type]
        "free": LedgerRows().trajectory("a", 0.0, correct=True).trajectory("b", 0.0, correct=False),
        "half unknown": half,
        "huge": LedgerRows().trajectory("a", 1e15).trajectory("b", 1e-9).part("a", "user", 1e15),
    }


@pytest.mark.parametrize("name", _odd_ledgers())
def test_a_ledger_with_little_to_say_still_makes_a_page(name: str, tmp_path: Path) -> None:
    page = _page(_odd_ledgers()[name].write(tmp_path / "l"))
    assert _seen(page).problems == []
    assert "nan" not in page.lower().replace("nant", "")


def test_foreign_words_are_isolated_and_clean() -> None:
    assert foreign("<b>\u202ex\n y</b>") == "<bdi>&lt;b&gt;\ufffdx y&lt;/b&gt;</bdi>"
    assert foreign(None) == "–"
    assert plain("12 % of") == "12\u00a0% of"
