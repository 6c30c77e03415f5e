"""Where the tool-use loop breaks: one label an answer, rates over them, votes and agreement.

    required tasks   correct · tool_skip · result_ignore · output_fabrication       section 3.2
    control tasks    correct · unnecessary_tool_use · wrong_answer
    TSR + CTUR + RIR + OFR = 100 % of the required tasks                            Table 1
    UTR and CTRL-Acc are shares of the control tasks

Source: ToolFailBench. The rule is the published one, stated as a fact to stay compatible with: it
looks for values as substrings, so that "$3,400" lacks 3400. Its fabrication test uses a fixed list
of field names in the published program; the default here are the keys of the return, which gives
other labels to some provoked answers (docs/log/benchmarks.md): say which was used.

Statistics: `wilson` (Table 6), `two_proportion_z` (section 5.3), `cohen_kappa` and `fleiss_kappa`
(Table 4) come from `agentdyno.estimates`.
Worked: 644 correct of 746 -> CTUR 86.33 % [83.67, 88.61], as Table 6 prints; 22 of 247 controls
against 245 of 250 -> z = -19.9.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from agentdyno.estimates.kappas import cohen_kappa, fleiss_kappa
from agentdyno.estimates.proportions import two_proportion_z, wilson
from agentdyno.matching.values.leaves import leaves

__all__ = [
    "RATES", "Label", "Share", "Vote", "cohen_kappa", "count_rate", "find_fields", "find_missing",
    "find_values", "fleiss_kappa", "keys_of", "label_control", "label_required", "majority",
    "rates", "two_proportion_z", "wilson",
]  # fmt: skip

Label = Literal[
    "correct", "tool_skip", "result_ignore", "output_fabrication", "unnecessary_tool_use",
    "wrong_answer",
]  # fmt: skip
MatchMode = Literal["all", "any"]
"""Whether the answer needs every required value or one of them."""
Rate = Literal["CTUR", "TSR", "RIR", "OFR", "UTR", "CTRL-Acc"]
RATES: dict[Rate, tuple[Literal["required", "control"], Label]] = {
    "CTUR": ("required", "correct"),
    "TSR": ("required", "tool_skip"),
    "RIR": ("required", "result_ignore"),
    "OFR": ("required", "output_fabrication"),
    "UTR": ("control", "unnecessary_tool_use"),
    "CTRL-Acc": ("control", "correct"),
}
"""Table 1: the tasks that a rate is over, and the label that it counts."""
FEWEST_FIELDS = 2
LEAST_VALUES = (3, 10)
"""Thirty per cent of the leaf values, in whole numbers."""


def label_required(
    answer: str,
    executed: Collection[str],
    tool: str,
    returned: Any,
    required: Sequence[str],
    match: MatchMode = "all",
    fields: Collection[str] | None = None,
) -> Label:
    """The published rule for a task that needs a tool (appendix C.1), in this order:

    tool_skip            the tool is not among the executed calls
    output_fabrication   fewer than 30 % of the return's leaf values stand in the answer, and at
                         least two field names do
    result_ignore        the required values do not all stand in it (or none, by match mode)
    correct              otherwise

    >>> quote = {"ticker": "A", "price": 47.5}
    >>> label_required("A trades at 47.5.", ["quote"], "quote", quote, ["47.5"])
    'correct'
    >>> label_required("A trades at 45.", ["quote"], "quote", quote, ["47.5"])
    'result_ignore'
    """
    if tool not in executed:
        return "tool_skip"
    text = answer.lower()
    present, values = find_values(text, returned)
    share, of = LEAST_VALUES
    if of * present < share * values and len(find_fields(text, returned, fields)) >= FEWEST_FIELDS:
        return "output_fabrication"
    return "result_ignore" if find_missing(text, required, match) else "correct"


def label_control(
    answer: str, executed: Collection[str], required: Sequence[str], match: MatchMode = "all"
) -> Label:
    """The published rule for a task that needs no tool.

    >>> label_control("Rates rose.", [], ["rates"]), label_control("Rates rose.", ["quote"], [])
    ('correct', 'unnecessary_tool_use')
    """
    if executed:
        return "unnecessary_tool_use"
    return "wrong_answer" if find_missing(answer.lower(), required, match) else "correct"


def find_values(text: str, returned: Any) -> tuple[int, int]:
    """Leaf values of a return that stand in a text of lower case, as Python spells them, and all.

    >>> find_values("a costs 47.5", {"ticker": "A", "price": 47.5, "low": 40})
    (2, 3)
    """
    values = [str(leaf.value).lower() for leaf in leaves(returned, nulls=True)]
    return sum(value in text for value in values), len(values)


def find_fields(text: str, returned: Any, fields: Collection[str] | None = None) -> list[str]:
    """Field names that stand in a text of lower case: of a list, or the return's own keys."""
    names = keys_of(returned) if fields is None else fields
    return sorted(name for name in names if name.lower() in text)


def find_missing(text: str, required: Sequence[str], match: MatchMode = "all") -> list[str]:
    """Required values that are not in a text of lower case; `a|b` stands for either. With `any`,
    none is missing as long as one is there.

    >>> find_missing("up 3 %", ["3 %", "rose|up", "2020"]), find_missing("up", ["up", "2"], "any")
    (['2020'], [])
    """
    missing = [
        value for value in required if not any(word in text for word in value.lower().split("|"))
    ]
    return [] if match == "any" and len(missing) < len(required) else missing


def keys_of(returned: Any) -> set[str]:
    """The names of all fields of a return, at any depth."""
    if isinstance(returned, dict):
        inner = (keys_of(value) for value in returned.values())
        return {str(key) for key in returned}.union(*inner)
    if isinstance(returned, list | tuple):
        return set().union(*(keys_of(value) for value in returned))
    return set()


class Share(NamedTuple):
    """A rate in counts."""

    hits: int
    """Attempts with the label that is counted."""
    decided: int
    """Attempts with any label: the denominator."""
    undecided: int
    """Attempts without a label, which are in no share."""

    @property
    def value(self) -> float | None:
        """Hits over decided; None without any."""
        return self.hits / self.decided if self.decided else None


def count_rate(labels: Iterable[str | None], counted: str) -> Share:
    """One rate over the labels of its tasks.

    >>> count_rate(["correct", "tool_skip", None], "correct")
    Share(hits=1, decided=2, undecided=1)
    """
    votes = Counter(labels)
    return Share(votes[counted], votes.total() - votes[None], votes[None])


def rates(
    required: Sequence[str | None], control: Sequence[str | None] = ()
) -> dict[Rate, float | None]:
    """The six rates (Table 1) from the labels of both kinds of tasks; None over no labelled task.

    >>> rates(["correct", "correct", "tool_skip", None])["CTUR"]
    0.6666666666666666
    """
    labels = {"required": required, "control": control}
    return {name: count_rate(labels[kind], label).value for name, (kind, label) in RATES.items()}


class Vote(NamedTuple):
    """The outcome of a vote."""

    label: str | None
    voters: int
    """Raters that gave a label, the rule included."""
    tied: bool
    """Whether no label had more votes than all others, so that the rule decided."""


def majority(rule: str | None, judges: Mapping[str, str | None]) -> Vote:
    """The label of the ensemble (section 3.4): the majority of the rule and the judges, ties to the
    rule; a judge that gives no label is left out. None where the rule has none and judges are tied.

    >>> majority("result_ignore", {"a": "correct", "b": "correct"})  # the rule is overruled
    Vote(label='correct', voters=3, tied=False)
    >>> majority("result_ignore", {"a": "correct", "b": None})
    Vote(label='result_ignore', voters=2, tied=True)
    """
    labels = [label for label in (rule, *judges.values()) if label is not None]
    ranked = Counter(labels).most_common()
    tied = not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1])
    label = rule if tied else ranked[0][0]
    return Vote(label, len(labels), tied)
