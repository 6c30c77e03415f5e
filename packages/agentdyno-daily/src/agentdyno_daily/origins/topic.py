"""Where the money went, by where the tokens come from, as a topic."""

from agentdyno.reports.numbers import dollars, label, percent
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno.studies.origins import Origins, ask_origins


def render_origins(found: Origins) -> Topic:
    unknown = percent(found.unexplained_share)
    return Topic(
        anchor="origins",
        title="Where it went",
        lead=f"Of {dollars(found.usd)}, {unknown} is explained by nothing in the trace.",
        notes=[
            "Logged: the text or the count is in the trace. File: an instruction file as it is on "
            "this disk now. Estimated: by the text, calibrated to bills. Difference: billed beyond "
            "what is known. Text is charged again on every turn it stays in context."
        ],
        charts=[],
        tables=[_table(found)],
    )


def _table(found: Origins) -> TopicTable:
    heads = columns("origin", "known by", "cost:money", "share:share")
    rows: list[list[Value]] = [
        [f"{each.origin}: {label(each.name)}" if each.name else each.origin,
         each.known_by, each.usd, each.share]
        for each in found.rows
    ]  # fmt: skip
    return TopicTable("By origin", heads, rows, False)


ORIGINS = Section("origins", ask_origins, render_origins, Origins, after="spending")
