"""Topics of a run as files: one HTML page, and every chart as PNG."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentdyno.reports.topic import Topic

PNG_WIDTH = 760
HEAT_WIDTH = 1740
"""A heat map is as wide as its tokens need, up to this."""


def check_page(page: Path | None) -> None:
    """Before the work, not after it: whether the page's name is one of a page."""
    from agentdyno.records import InputError

    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--report {page}: expected a file that ends in .html.")


def write_study(title: str, topics: "list[Topic]", page: Path | None, png: Path | None) -> None:
    """What was asked for, each named on stderr with its size."""
    if page is not None:
        _write_page(title, topics, page)
    if png is not None:
        _write_charts(topics, png)


def _write_page(title: str, topics: "list[Topic]", page: Path) -> None:
    import sys

    from agentdyno.records import printable
    from agentdyno.reports.html.study import render_study

    text = render_study(title, topics)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
    print(f"{printable(str(page))}: {len(text.encode()) / 1e6:.2f} MB", file=sys.stderr)


def _write_charts(topics: "list[Topic]", folder: Path) -> None:
    import sys

    from agentdyno.records import printable
    from agentdyno.reports.charts.render import as_png
    from agentdyno.reports.charts.topics import topic_pictures
    from agentdyno.reports.topic import HeatChart

    folder.mkdir(parents=True, exist_ok=True)
    heat = {c.name for topic in topics for c in topic.charts if isinstance(c, HeatChart)}
    drawn = topic_pictures(topics)
    for picture in drawn:
        width = HEAT_WIDTH if picture.name in heat else PNG_WIDTH
        (folder / f"{picture.name}.png").write_bytes(as_png(picture.draw(width)))
    print(f"{printable(str(folder))}: {len(drawn)} charts", file=sys.stderr)
