"""Topics as files: one HTML page, and every chart as PNG."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentdyno.reports.charts.drawing import Drawing
    from agentdyno.reports.topic import Topic

PNG_WIDTH = 760
HEAT_WIDTH = 1740
"""A heat map is as wide as its tokens need, up to this."""


def check_page(page: Path | None, option: str = "--report") -> None:
    """Before the work, not after it: whether the page's name is one of a page."""
    from agentdyno.records import InputError

    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{option} {page}: expected a file that ends in .html.")


def write_topics(
    title: str, topics: "Sequence[Topic]", page: Path | None, png: Path | None
) -> None:
    """What was asked for, each named on stderr with its size."""
    if page is not None:
        _write_page(title, topics, page)
    if png is not None:
        write_charts(topics, png)


def _write_page(title: str, topics: "Sequence[Topic]", page: Path) -> None:
    from agentdyno.reports.html import render_page

    write_file(page, render_page(title, topics))


def write_file(file: Path, text: str) -> None:
    """A file with its folder, named on stderr with its size."""
    import sys

    from agentdyno.records import shortened

    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(f"{shortened(str(file))}: {len(text.encode()) / 1e6:.2f} MB", file=sys.stderr)


def write_charts(topics: "Sequence[Topic]", folder: Path) -> None:
    """Every chart as PNG."""
    import sys

    from agentdyno.records import shortened
    from agentdyno.reports.charts.topic_charts import topic_pictures
    from agentdyno.reports.topic import HeatChart

    folder.mkdir(parents=True, exist_ok=True)
    heat = {c.name for topic in topics for c in topic.charts if isinstance(c, HeatChart)}
    drawn = topic_pictures(topics)
    for picture in drawn:
        width = HEAT_WIDTH if picture.name in heat else PNG_WIDTH
        (folder / f"{picture.name}.png").write_bytes(_as_png(picture.draw(width)))
    print(f"{shortened(str(folder))}: {len(drawn)} charts", file=sys.stderr)


def _as_png(drawing: "Drawing") -> bytes:
    """A picture in the light colours, which needs the extra `charts`; without a browser and without
    a network."""
    import vl_convert

    from agentdyno.reports.charts.palette import LIGHT

    paper = f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}" /><g'
    svg = drawing.svg().replace("<g", paper, 1)
    return bytes(vl_convert.svg_to_png(svg, scale=2.0))
