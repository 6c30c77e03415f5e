"""Any topic as a section of a page: figures, sentences, pictures, tables, trajectories."""

from msgspec.structs import replace

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural, printable
from agentdyno.reports.cells import LONGEST, place_text
from agentdyno.reports.html import behind
from agentdyno.reports.html.drilldown import controls
from agentdyno.reports.html.markup import (
    SENTENCE,
    Cell,
    Column,
    Html,
    details,
    foreign,
    interval,
    join,
    plain,
    sentence,
    table,
    tag,
)
from agentdyno.reports.numbers import figure
from agentdyno.reports.topic import CellKind, Figure, Place, Topic, TopicTable, Value

ROWS = 200
"""Of a table; the ledger has them all."""
PASSAGE = 20_000
"""Characters of a text that is shown whole."""
FEW_NOTES = 2
"""More notes are folded away, below the numbers that they are about."""

Places = dict[str, int]
"""Trajectories that the page can open, with their place in its data."""


def topic_section(topic: Topic, pictures: Html, places: Places) -> Html:
    """The whole section."""
    notes = [tag("p", sentence(text), class_="note") for text in topic.notes]
    kind = "note" if topic.figures else "lead"
    lead = [tag("p", sentence(topic.lead), class_=kind)] if topic.lead else []
    tables = [topic_table(table, places) for table in topic.tables]
    is_long = len(notes) > FEW_NOTES
    heading = tag("h2", foreign(topic.title, SENTENCE), id=f"{topic.anchor}-title")
    inside = [
        heading,
        *([_figures(topic.figures)] if topic.figures else []),
        *([] if topic.figures else lead),
        *([_terms(topic)] if topic.terms else []),
        *([] if is_long else notes),
        pictures,
        *(lead if topic.figures else []),
        *([tag("noscript", *tables), controls()] if topic.drilldown else tables),
        *([details(f"{len(notes)} notes on these numbers", join(*notes))] if is_long else []),
    ]
    return tag("section", *inside, id=topic.anchor, aria_labelledby=f"{topic.anchor}-title")


def _figures(figures: list[Figure]) -> Html:
    items = [tag("li", tag("strong", _figure(f)), tag("span", plain(f.name))) for f in figures]
    return tag("ul", *items, class_="figures-row")


def _figure(item: Figure) -> Html:
    if isinstance(item.value, str):
        return foreign(item.value)
    return plain(figure(item.value, item.kind))


def _terms(topic: Topic) -> Html:
    items = [
        tag("div", tag("dt", foreign(t.name, SENTENCE)), tag("dd", foreign(t.text, SENTENCE)))
        for t in topic.terms
    ]
    return tag("dl", *items, class_="told" if topic.figures else "method")


def topic_table(found: TopicTable, places: Places) -> Html:
    """A table, folded where the topic says so."""
    words = ("text", "passage")
    heads = [Column(column.title, number=column.kind not in words) for column in found.columns]
    kinds = [column.kind for column in found.columns]
    rows = [
        [_cell(v, k, places) for v, k in zip(row, kinds, strict=True)] for row in found.rows[:ROWS]
    ]
    if found.behind:
        for index, row in enumerate(rows):
            row[0] = replace(row[0], html=behind.opener(row[0].html, found.behind, index))
    displayed = table(found.title, heads, rows, sortable=len(rows) > 1, whole=found.whole)
    remaining = len(found.rows) - ROWS
    notes = [found.note] if found.note else []
    notes += [f"{plural(remaining, 'more row')} in the report as JSON."] if remaining > 0 else []
    if notes:
        displayed = join(displayed, tag("p", sentence("; ".join(notes)), class_="note"))
    return details(found.title, displayed) if found.folded else displayed


def _cell(value: Value, kind: CellKind, places: Places) -> Cell:
    if isinstance(value, Estimate):
        return interval(value, lambda number: figure(number, kind))
    if isinstance(value, Place):
        named = place_text(value) if value.text is not None else value.trajectory_id
        return Cell(opener(value, places), printable(named, LONGEST))
    if value is None:
        return Cell(plain(figure(None, kind)))
    if isinstance(value, str):
        longest = PASSAGE if kind == "passage" else LONGEST
        return Cell(foreign(value, longest), printable(value, LONGEST))
    return Cell(plain(figure(value, kind)), float(value))


def opener(location: Place, places: Places) -> Html:
    """A link that opens a trajectory at its turn, or its name where the page does not hold it."""
    inside = foreign(place_text(location, 32).replace("`", "'"), LONGEST)
    if location.trajectory_id not in places:
        return inside
    turn = "" if location.turn is None else f"-turn-{location.turn + 1}"
    address = f"#trajectory-{places[location.trajectory_id]}{turn}"
    return tag("a", inside, class_="open", href=address, title=_whole_name(location))


def _whole_name(location: Place) -> str:
    """What a pointer over the link says."""
    turn = "" if location.turn is None else f", turn {location.turn + 1}"
    return printable(f"{location.trajectory_id}{turn}", SENTENCE)
