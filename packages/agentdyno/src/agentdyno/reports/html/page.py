"""The page put together: head with its Content-Security-Policy, sections, style and script.

Takes topics, returns one file's text. The policy allows
exactly the style and the script below, by their hashes, and nothing else: markup that slipped
through could neither run nor fetch.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files

from agentdyno.records import printable
from agentdyno.reports.charts.topic_charts import topic_pictures
from agentdyno.reports.html.behind import pack_behind
from agentdyno.reports.html.drilldown import as_data
from agentdyno.reports.html.figures import colour_rules, figures
from agentdyno.reports.html.markup import Html, foreign, join, plain, tag
from agentdyno.reports.html.topic import topic_section
from agentdyno.reports.topic import Topic
from agentdyno.version import __version__


def render_page(title: str, topics: Sequence[Topic]) -> str:
    """The whole file."""
    header = join(brand(), tag("h1", foreign(title, 120)))
    listed = contents([(topic.anchor, foreign(topic.title)) for topic in topics])
    return assemble(f"AgentDyno: {title}", header, listed, _main(topics))


def _main(topics: Sequence[Topic]) -> Html:
    drawn = topic_pictures(topics)
    opened = next((topic.drilldown for topic in topics if topic.drilldown), None)
    data, ids = as_data(opened) if opened else (Html(""), [])
    places = {name: index for index, name in enumerate(ids)}
    sections = [topic_section(t, figures(drawn, t.anchor), places) for t in topics]
    data_html = join(data, pack_behind(topics))
    return tag("main", *sections, data_html, id="report", tabindex="-1")


def assemble(title: str, header: Html, listed: Html, main: Html) -> str:
    """A file from its title, its heading, its contents and its sections."""
    style, script = colour_rules() + _asset("style.css"), _asset("script.js")
    theme = tag("button", plain("Dark"), type="button", id="theme", aria_pressed="false")
    body = join(
        tag("a", plain("Skip to the report"), class_="skip", href="#report"),
        tag("header", header, theme),
        tag("div", listed, main, class_="layout"),
        tag("script", Html(script)),
    )
    head = _head(title, style, script)
    return f'<!doctype html>\n<html lang="en">{head}<body>{body}</body></html>\n'


def _head(title: str, style: str, script: str) -> Html:
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Html('<meta name="viewport" content="width=device-width,initial-scale=1">'),
        Html('<meta name="referrer" content="no-referrer">'),
        Html(f'<meta name="generator" content="agentdyno {__version__}">'),
        Html(f'<link rel="icon" href="{_ICON}">'),
        tag("title", plain(printable(title, 160))),
        tag("style", Html(style)),
    )


_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d="
    "'M2 11a6 6 0 1 1 12 0' fill='none' stroke='%23b4431f' stroke-width='2'/%3E%3Cpath d="
    "'M8 11l3-5' stroke='%231d1c1a' stroke-width='2'/%3E%3C/svg%3E"
)


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _asset(name: str) -> str:
    return files("agentdyno.reports.html").joinpath(name).read_text(encoding="utf-8")


def brand() -> Html:
    """The mark and the name."""
    mark = Html(
        '<svg class="mark" viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">'
        '<path class="s-accent" d="M2 12a6 6 0 1 1 12 0" fill="none" stroke-width="1.8"/>'
        '<path class="s-ink" d="M8 12l3-5" stroke-width="1.8"/></svg>'
    )
    return tag("p", mark, plain("AgentDyno"), class_="brand")


def contents(listed: Sequence[tuple[str, Html]]) -> Html:
    """Sections by their addresses and titles."""
    items = [tag("li", tag("a", title, href=f"#{anchor}")) for anchor, title in listed]
    return tag(
        "nav", tag("details", tag("summary", plain("Contents")), tag("ol", *items), open="open"),
        aria_label="Contents",
    )  # fmt: skip
