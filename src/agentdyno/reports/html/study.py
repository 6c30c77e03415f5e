"""A page of topics alone, for studies that have no ledger: a heading, contents, sections."""

from agentdyno.reports.charts.topics import topic_pictures
from agentdyno.reports.html.figures import figures
from agentdyno.reports.html.markup import foreign, join, plain, tag
from agentdyno.reports.html.page import assemble, brand, contents
from agentdyno.reports.html.sections.topic import topic_section
from agentdyno.reports.topic import Topic


def render_study(title: str, topics: list[Topic]) -> str:
    """The whole file."""
    drawn = topic_pictures(topics)
    main = tag(
        "main",
        *(topic_section(topic, figures(drawn, topic.anchor)) for topic in topics),
        id="report",
        tabindex="-1",
    )
    header = join(brand(), tag("h1", foreign(title, 120)))
    listed = contents([(topic.anchor, plain(topic.title)) for topic in topics])
    return assemble(f"AgentDyno: {title}", header, listed, main)
