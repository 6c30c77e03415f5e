"""Where the money went, by where the tokens come from, as a topic."""

from agentdyno.reports.numbers import dollars, label, percent
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic, TopicTable, table_of
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
    return table_of(
        "By origin",
        found.rows,
        {
            "origin": lambda row: f"{row.origin}: {label(row.name)}" if row.name else row.origin,
            "known by": "known_by",
            "cost:money": "usd",
            "share:share": "share",
        },
        folded=False,
    )


ORIGINS = Section("origins", ask_origins, render_origins, Origins, after="spending")
