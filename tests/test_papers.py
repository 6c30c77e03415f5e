"""The page of the five papers names what is there: every exhibit has a test, every test exists."""

import re
import tomllib

import pytest
from bench.papers import ORDER, SECTIONS

from agentdyno.pipelines.papers import find_paper
from tests.conftest import ROOT

WORDS = 3500
"""The page is to be read; a caption is one line of it."""


def _exists(test: str) -> bool:
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and bool(
        re.search(rf"^(async )?def {re.escape(name)}\b", path.read_text("utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize("paper", ORDER)
def test_every_exhibit_but_a_drawing_has_a_test_that_exists(paper: str) -> None:
    exhibits = find_paper(paper).exhibits()
    drawings = [e.name for e in exhibits if e.state == "cannot be made"]
    assert [e.name for e in exhibits if not e.tests] == drawings
    assert [test for e in exhibits for test in e.tests.split() if not _exists(test)] == []


@pytest.mark.parametrize("paper", ORDER)
def test_what_is_not_made_as_there_says_why(paper: str) -> None:
    exhibits = find_paper(paper).exhibits()
    assert [e.name for e in exhibits if e.state != "made" and not e.differs] == []


@pytest.mark.parametrize("paper", ORDER)
def test_every_section_is_an_exhibit_a_test_or_prose_and_every_exhibit_is_in_one(
    paper: str,
) -> None:
    sections = tomllib.loads(SECTIONS.read_text("utf-8"))[paper]
    exhibits = {exhibit.name: exhibit for exhibit in find_paper(paper).exhibits()}
    named: set[str] = set()
    for section, place in sections.items():
        if "::" in place:
            assert _exists(place), (section, place)
        elif place != "prose":
            names = place.split(", ")
            assert exhibits.keys() >= set(names), (section, place)
            named.update(names)
    left = [n for n, e in exhibits.items() if n not in named and e.state != "cannot be made"]
    assert left == []


def test_the_page_is_short_enough_to_be_read() -> None:
    words = (ROOT / "docs" / "papers.md").read_text("utf-8").split()
    assert len([word for word in words if word.strip("|:-")]) <= WORDS
