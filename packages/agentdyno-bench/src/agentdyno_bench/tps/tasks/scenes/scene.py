"""A scene: what people ask for, written down in TOML as draws, calls and sentences.

    [[scene]]
    name = "share_price"
    draw = ["name=company"]
    do = [
      "find the symbol of {name}: finance_find_symbol company={name} -> matches[only].symbol",
      "find the price of {name}: finance_stock_quote symbol={symbol} => price_usd",
    ]
    say = ["What is a share of {name} worth right now?"]

`draw` is read by `chance`. Each of `do` is a goal and a call. After `->` stand values of the result
that later calls take, by name; after `=>` those that the answer must state; paths are those of
`references.read_reference`. A call that writes names after `!` its collection and the fields by
which the row is known, or which list must hold what (`!events:title,attendees~email`; a letter is
given `facts`, by the fields that its tool has for them); with `-` before the collection, the row
must be gone. An argument `once={name}` is no argument: the call has to wait
for that value. `{ each = "film of films", do = [...] }` repeats calls; what they give is then a
list: `most(score, films)` is the film of the largest score. `{ if = "price < limit", do = [...],
else = [...] }` does one or the other, by `<`, `>`, `=` or `has`. Instead of a call:

    tell name, time                       values that the answer must state, after other calls
    draw another home=city than there     when the value there is the same
    need a positive change                otherwise this draw is given up
    need price < limit                    the same

`give` is the outcome for whatever comes after a chain, `outcome` what sentences call it, once and
several times. `then` has the calls and sentences of a second message, with which the user answers
back. In a scene with `rule`, the first `if` is a rule of the user's: where it does not hold, what
it guards is forbidden. Takes a draft, adds the scene's subtasks and one of its sentences.
"""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from agentdyno_bench.tps.tasks.draft import Draft, DraftError, Ref, Step
from agentdyno_bench.tps.tasks.references import is_true, read_reference
from agentdyno_bench.tps.tasks.scenes.chance import draw_names
from agentdyno_bench.tps.world.kit.letters import FACTS, letter_field

_CALL = re.compile(
    r"(?:(?P<goal>.+?): )?(?P<tool>[a-z]+_\w+)(?P<given>(?: \w+=.*?)?)"
    r"(?: !(?P<gone>-?)(?P<leaves>\w+):(?P<fields>\S+))?"
    r"(?: -> (?P<taken>.+?))?(?: => (?P<told>.+))?"
)
_SLOT = re.compile(r"\{([a-z]\w*)(?::(.))?\}")
_CONDITION = re.compile(r"(\w+) (<|>|=|has) (.+)")
_BEST = re.compile(r"(least|most)\((\w+), (\w+)\)")
Names = dict[str, Any]


class Block(Struct, frozen=True):
    """Calls that are made for each of several, or in one case only."""

    do: list[str]
    each: str | None = None
    """`film of films`: the name of one, and of all."""
    condition: str | None = field(default=None, name="if")
    """What must hold for the calls to be made."""
    otherwise: list[str] = field(default=[], name="else")
    """The calls that are made if it does not hold."""


class Reply(Struct, frozen=True):
    """The user's reply to the answer."""

    do: list[str | Block]
    say: list[str]


class Scene(Struct, frozen=True):
    """One thing that people ask for."""

    name: str
    do: list[str | Block]
    say: list[str]
    """Ways to ask for it."""
    then: Reply | None = None
    """How the user answers back; None where he does not."""
    rule: bool = False
    """Whether the first condition is a rule of the user's, which may forbid what he asks for."""
    draw: list[str] = []
    """What is drawn by chance."""
    give: str | None = None
    """Name of the value that later scenes may use."""
    outcome: tuple[str, str] | None = None
    """What that value is called, once and several times."""
    held_out: bool = False
    """Whether a chain or closing belongs to the tests; the others are for training."""
    once: bool = False
    """Whether one task can have it only once."""

    def __call__(self, draft: Draft, outcomes: Sequence[Ref] = ()) -> Any:
        """Adds the scene to a draft; returns a reference to its outcome."""
        if self.once and self.name in draft.used:
            raise DraftError(f"{self.name} comes once in a task")
        draft.used |= {self.name} if self.once else set()
        drawn = [draw_names(draft, entry) for entry in self.draw]
        about = ", ".join(str(next(iter(binding.values()))) for binding in drawn) or "mine"
        names: Names = {key: value for binding in drawn for key, value in binding.items()}
        names |= {"outcomes": list(outcomes)}
        writer = _Writer(draft, f"{self.name.replace('_', ' ')} ({about})", self.rule)
        writer.write(self.do, names)
        # What the outcomes are called is known when all scenes are chosen.
        names |= {"outcomes": "{outcomes}"}
        draft.say(*(phrase.format(**names) for phrase in self.say))
        if self.then is not None:
            draft.answer_back(*(phrase.format(**names) for phrase in self.then.say))
            writer.write(self.then.do, names)
        return names[self.give] if self.give else None


class _Writer:
    """Writes a scene's calls into a draft; what they give becomes names."""

    def __init__(self, draft: Draft, goal: str, rule: bool) -> None:
        self._draft = draft
        self._goal = goal
        self._rule = rule
        self._guards: list[Ref] = []
        """What has to be known before the calls of a case can be made."""

    def write(self, do: Sequence[str | Block], names: Names) -> None:
        for entry in do:
            if isinstance(entry, Block) and entry.each is not None:
                self._repeat(entry, entry.each, names)
            elif isinstance(entry, Block):
                self._choose(entry, names)
            elif call := _CALL.fullmatch(entry):
                self._call(call, names)
            else:
                self._instruct(entry, names)

    def _choose(self, block: Block, names: Names) -> None:
        left, test, right = _read_condition(str(block.condition), names)
        holds = self._holds(left, test, right)
        if self._rule:
            self._rule = False
            self._draft.decide(holds)
        self._guards = [left, right]
        self.write(block.do if holds else block.otherwise, names)
        self._guards = []

    def _holds(self, left: Any, test: str, right: Any) -> bool:
        self._draft.take([left, right])
        return is_true(self._draft.value(left), test, self._draft.value(right))

    def _repeat(self, block: Block, loop: str, names: Names) -> None:
        variable, _, several = loop.partition(" of ")
        rounds = [{**names, variable: value} for value in names[several]]
        for inner in rounds:
            self.write(block.do, inner)
        new = [key for key in rounds[0] if key not in names and key != variable]
        names |= {key: [inner[key] for inner in rounds] for key in new}

    def _call(self, call: re.Match[str], names: Names) -> None:
        pairs = (pair.split("=", 1) for pair in re.split(r" (?=\w+=)", call["given"])[1:])
        arguments = {name: _argument(text, names) for name, text in pairs}
        arguments |= self._facts(_state(call, names), arguments)
        goal = _fill(call["goal"], names) if call["goal"] else self._goal
        after = [arguments.pop("once", None), *self._guards]
        step = self._draft.do(goal, call["tool"], arguments, after=after, **_state(call, names))
        for path in call["taken"].split(", ") if call["taken"] else ():
            named = re.match(r"(\w+)=(.+)", path)
            name = named[1] if named else path.rpartition(".")[2]
            names[name] = _reference(step, named[2] if named else path, names)
        for path in call["told"].split(", ") if call["told"] else ():
            step.ask_for(_reference(step, path, names))

    def _facts(self, state: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        """The fields of a letter, by the kinds of the values that it is to give; none of a message
        that is only passed on."""
        fields: dict[str, Any] = {}
        for ref in state.get("holds", {}).get(FACTS, ()) if "text" in arguments else ():
            fields.setdefault(letter_field(self._draft.value(ref)), {"$list": []})["$list"] += [ref]
        return fields

    def _instruct(self, text: str, names: Names) -> None:
        if text.startswith("tell "):
            for name in text.removeprefix("tell ").split(", "):
                for ref in _listed(names[name]):
                    self._draft.steps[ref["$from"]].ask_for(ref)
        elif match := re.fullmatch(r"draw another (\w+)=(\w+) than (\w+)", text):
            if self._draft.value(names[match[3]]) == names[match[1]]:
                names |= draw_names(self._draft, f"{match[1]}={match[2]}")
        elif match := re.fullmatch(r"need a positive (\w+)", text):
            if max(self._draft.value(ref) for ref in names[match[1]]) <= 0:
                raise DraftError(f"no {match[1]} is positive")
        elif text.startswith("need "):
            if not self._holds(*_read_condition(text.removeprefix("need "), names)):
                raise DraftError(f"expected {text.removeprefix('need ')}")
        else:
            raise ValueError(f"expected a call like 'goal: tool a={{b}} -> c', found {text!r}")


def _read_condition(text: str, names: Names) -> tuple[Any, str, Any]:
    """Parse a condition: a name's value, the test, and another name's value or the text itself."""
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a condition like 'price < limit', found {text!r}")
    return names[match[1]], match[2], names.get(match[3], match[3])


def _state(call: re.Match[str], names: Names) -> dict[str, Any]:
    """The state a call leaves in the world, as `Draft.do` takes it."""
    if call["leaves"] is None:
        return {}
    fields = call["fields"].split(",")
    if call["gone"]:
        return {"leaves": call["leaves"], "removes": fields[0]}
    holds = (field.split("~") for field in fields if "~" in field)
    return {
        "leaves": call["leaves"],
        "same": tuple(field for field in fields if "~" not in field),
        "holds": {field: _listed(names[name]) for field, name in holds},
    }


def _argument(text: str, names: Names) -> Any:
    """A value, a reference, or a text around references."""
    if best := _BEST.fullmatch(text):
        choices = zip(names[best[2]], names[best[3]], strict=True)
        take = "min" if best[1] == "least" else "max"
        return {"$best": [{"value": v, "give": g} for v, g in choices], "take": take}
    if slot := _SLOT.fullmatch(text):
        value = names[slot[1]]
        if not isinstance(value, str):
            return {"$list": value} if isinstance(value, list) else value
    refs: list[Ref] = []
    text = _fill(text, names, refs)
    if refs:
        return {"$text": text, "of": refs}
    return (
        int(text)
        if re.fullmatch(r"-?\d+", text)
        else {"true": True, "false": False}.get(text, text)
    )


def _fill(text: str, names: Names, refs: list[Ref] | None = None) -> str:
    """A text with its names filled in; references become numbered places and are noted."""

    def put(slot: re.Match[str]) -> str:
        value = names[slot[1]]
        if refs is None or isinstance(value, str | int):
            return str(value)
        places = []
        for ref in _listed(value):
            places.append(f"{{{len(refs)}}}")
            refs.append(ref)
        return f"{slot[2] or ','} ".join(places)

    return _SLOT.sub(put, text)


def _reference(step: Step, path: str, names: Names) -> Ref:
    return {"$from": step.subtask_id, **read_reference(_fill(path, names))}


def _listed(value: Ref | list[Ref]) -> list[Ref]:
    return value if isinstance(value, list) else [value]
