"""Scores told from either side: "Halden lost 3–2" is 2-3, where Halden is at home.

Takes a task, a text and an asked score; returns the places of the score the other way round where
the text says rightly who won, and why it is no answer where it says so wrongly. Who is who stands
in fields like `home` and `away`, or in the name of the match; where nobody knows, nothing is said.

Worked: 2-3, home Halden, away Moss: "Halden lost 3–2" and "Moss won 3–2" state it, "Halden beat
Moss 3–2" does not.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agentdyno.matching.legacy_values import Found, Slot, Stated, find_slot, words_of_field
from agentdyno.metrics.failures.roles import LOSES, VERSUS, WINS, called, does
from agentdyno.metrics.failures.slots import SCORE, as_wanted, wanted_fields
from agentdyno.metrics.failures.task_texts import given_texts, returned_leaves
from agentdyno.records.failures import ToolTask

_HOME = frozenset(["home", "host", "hosts"])
_AWAY = frozenset(["away", "visitor", "visitors", "guest", "guests", "opponent", "opponents"])
_NO_TEAM = frozenset(["ground", "city", "venue", "colours", "shirt", "score", "goals", "coach"])
_REST = r"[^.;!?\n]{0,40}"


class Sides(NamedTuple):
    """Who won and who lost, as patterns of their names."""

    winner: str
    loser: str


def turned_places(task: ToolTask, text: str, slot: Slot, stated: Stated) -> list[Found]:
    """Places of the score from the other side, of a text that says rightly who won."""
    score = SCORE.fullmatch(str(slot.value)) if slot.kind == "entity" else None
    sides = _sides(task, *score.groups()) if score else None
    if score is None or sides is None:
        return []
    if apart := _beside_names(text, sides, *sorted(map(int, score.groups()))):
        return apart
    if not _tells(text, sides):
        return []
    return find_slot(text, as_wanted(f"{score[2]}-{score[1]}"), stated)


def _beside_names(text: str, sides: Sides, fewer: int, more: int) -> list[Found]:
    """Each one's part beside the name: Halden 2, Moss 3."""
    won, lost = rf"{sides.winner}:? \**{more}\b", rf"{sides.loser}:? \**{fewer}\b"
    between = r"[^\w.;!?\n]{1,5}(?:and )?"
    found = re.finditer(f"{won}{between}{lost}|{lost}{between}{won}", text)
    return [Found(*each.span(), None) for each in found]


def why_won_by_loser(task: ToolTask, text: str) -> str | None:
    """Why the wrong one wins; None when nobody says so."""
    for value in task.must_contain:
        score = SCORE.fullmatch(value.strip())
        sides = _sides(task, *score.groups()) if score else None
        if sides and _tells(text, Sides(sides.loser, sides.winner)) and not _tells(text, sides):
            return f"gives {value} to the other side"
    return None


def _tells(text: str, sides: Sides) -> bool:
    """Whether the text says of these that one won, or the other lost."""
    said = rf"(?i:\b(?:win|victory) (?:for|by|of) )(?:the )?{sides.winner}"
    lost = rf"(?i:\b(?:defeat|loss) (?:for|of) )(?:the )?{sides.loser}"
    # They lost at home to Moss: of whom it is said may stand in the question only.
    to = rf"(?i:\b(?:lost|fell|went down|beaten|defeated)\b{_REST}\b(?:to|by|against) )(?:the )?"
    beat = rf"(?i:\b(?:beat|beating) )(?:the )?{sides.loser}"
    return bool(
        does(sides.winner, WINS).search(text)
        or does(sides.loser, LOSES).search(text)
        or re.search(f"{said}|{lost}|{to}{sides.winner}|{beat}", text)
    )


def _sides(task: ToolTask, first: str, second: str) -> Sides | None:
    """Who won and who lost by a score; None for a draw, or where nobody knows whose it is."""
    if int(first) == int(second) or _is_vote(task):
        return None
    home, away = next(_teams(task), ("", ""))
    shared = set(home.lower().split()) & set(away.lower().split())
    if not home or not away or home.lower() == away.lower():
        return None
    mine, its = (
        called([" ".join(w for w in team.split() if w.lower() not in shared) or team])
        for team in (home, away)
    )
    return Sides(mine, its) if int(first) > int(second) else Sides(its, mine)


def _is_vote(task: ToolTask) -> bool:
    """Whether it is no score of a match: votes, a record of many."""
    words = {word for field in wanted_fields(task) for word in words_of_field(field or "").split()}
    return bool(words & {"vote", "votes", "record"})


def _teams(task: ToolTask) -> Iterator[tuple[str, str]]:
    """The two sides, the first of the score first."""
    texts = [
        (set(words_of_field(leaf.name).split()), leaf.value)
        for leaf in returned_leaves(task)
        if isinstance(leaf.value, str)
    ]
    homes = [value for words, value in texts if words & _HOME and not words & _NO_TEAM]
    aways = [value for words, value in texts if words & _AWAY and not words & _NO_TEAM]
    if len(aways) == 1:
        yield (homes[0] if len(homes) == 1 else task.entity or ""), aways[0]
    for text in given_texts(task):
        pair = VERSUS.split(text)
        if len(pair) == 2:
            yield pair[0], pair[1]
