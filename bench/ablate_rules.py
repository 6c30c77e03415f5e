"""Leaves out each rule of the reader in turn and says what it costs the labelled answers.

    python -m bench.ablate_rules [--sets 2026-11-17-k …] [--all]

A rule is a cue of a stance, a pattern, a pair of contrary words (`matching/commitments/cues.toml`)
or a function of the reader that may answer "no" or "nothing".
Left out, a pattern matches nothing and a function says no. Only answers in which a rule held can
change without it, so that only those are read again, and of those at most `MOST`. A rule whose
removal costs nothing can go. A cost is counted with the weights as they are: fitted again, the
model may do without more.
"""

import argparse
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from bench.fit_failure_rule import LOCKED, NEWEST
from tests.answer_sets import Case, load, names

from agentdyno.findings.failures import classify, own_rule
from agentdyno.matching import commitments, values
from agentdyno.matching.commitments import cues, stance
from agentdyno.matching.values import fold

NOTHING = re.compile(r"(?!)")
MOST = 200
"""Answers that are read again without a rule."""
RULE = (
    "features",
    "invented",
    "task_values",
    "new_words",
    "own_rule",
    "records",
    "swapped",
    "texts",
)
KEPT = {"lexicon", "cues", "number_words", "load_fitted", "begins_number"}
"""What is loaded once and stays."""


class Rule(NamedTuple):
    """A thing that can be left out: a place that holds it, and what stands there without it."""

    name: str
    table: Any
    key: Any
    without: Any


def main() -> None:
    """Prints a line for each rule, by default only where its removal costs nothing."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sets", nargs="*", default=NEWEST)
    asked.add_argument("--all", action="store_true", help="also rules that cost something")
    options = asked.parse_args()
    cases = [
        case
        for name in options.sets
        for case in (load(name) if name in names() else load(name, LOCKED))
    ]
    rules = find_rules()
    before, held = _baseline(cases, rules)
    print(
        f"{len(cases)} answers, {before.count(True)} right, {before.count(False)} wrong", flush=True
    )
    for rule in rules:
        places = held[rule.name]
        some = places[:: len(places) // MOST + 1]
        try:
            with left_out(rule):
                after = {place: is_right(cases[place]) for place in some}
        except (IndexError, TypeError, ValueError):
            continue  # The reader cannot do without it.
        lost = sum(before[place] is True and found is not True for place, found in after.items())
        wrong = sum(before[place] is not False and found is False for place, found in after.items())
        won = sum(before[place] is not True and found is True for place, found in after.items())
        if options.all or (not lost and not wrong):
            counts = f"held {len(places):5}  lost {lost:4}  wrong {wrong:4}  won {won:4}"
            print(f"{rule.name:55} {counts}", flush=True)


def is_right(case: Case) -> bool | None:
    """None for unclear."""
    label = classify("own", case.task, case.answer).label
    return None if label is None else label == case.label


def _modules() -> list[ModuleType]:
    folders = (commitments, values)
    found = [
        importlib.import_module(f"{folder.__name__}.{each.name}")
        for folder in folders
        for each in pkgutil.iter_modules(folder.__path__)
    ]
    base = own_rule.__name__.rpartition(".")[0]
    return found + [importlib.import_module(f"{base}.{name}") for name in RULE]


def find_rules() -> list[Rule]:
    """Every rule, in the order of the modules."""
    told = stance.CUES
    found = [
        Rule(f"cue {cue.name}", vars(stance), "CUES", (*told[:n], *told[n + 1 :]))
        for n, cue in enumerate(told)
    ]
    texts = cues.cues()
    found += [Rule(f"pattern {key}", texts["patterns"], key, "(?!)") for key in texts["patterns"]]
    for kind in ("poles", "opposites"):
        found += [
            Rule(f"{kind} {pair[0]}", texts[kind], n, ["", ""])
            for n, pair in enumerate(texts[kind])
        ]
    for module in _modules():
        short = ".".join(module.__name__.split(".")[-2:])
        for key, value in vars(module).items():
            if isinstance(value, dict) and any(isinstance(v, re.Pattern) for v in value.values()):
                found += [Rule(f"{short} {key} {each}", value, each, NOTHING) for each in value]
            elif isinstance(value, re.Pattern):
                found.append(Rule(f"{short} {key}", vars(module), key, NOTHING))
            elif getattr(value, "__module__", "") == module.__name__ and can_say_no(value):
                found.append(Rule(f"{short} {key}()", vars(module), key, silence(value)))
    return found


def can_say_no(value: object) -> bool:
    """Whether it is a function that may find nothing."""
    return isinstance(value, FunctionType) and _no_of(value) is not Ellipsis


def _no_of(function: FunctionType) -> object:
    """What a function answers that has found nothing; an ellipsis where it has to answer."""
    returned = str(function.__annotations__.get("return", ""))
    if returned == "<class 'bool'>":
        return False
    if returned.startswith("list["):
        return []
    if returned.startswith(("collections.abc.Iterator", "typing.Iterator")):
        return ()
    return None if "None" in returned and function.__name__ != "main" else ...


def silence(function: FunctionType) -> Callable[..., object]:
    """A function in its place that never finds anything."""
    nothing = _no_of(function)

    @wraps(function)
    def silent(*_: object, **__: object) -> object:
        return [] if nothing == [] else nothing

    return silent


@contextmanager
def left_out(rule: Rule) -> Iterator[None]:
    """The reader without a rule, wherever its modules hold it."""
    with replaced([(rule.table, rule.key, rule.without)]):
        yield


@contextmanager
def replaced(changes: Sequence[tuple[Any, Any, Any]]) -> Iterator[None]:
    """Tables with other entries for a while; what they remember is forgotten."""
    places = []
    for table, key, instead in changes:
        whole = table[key]
        held = [vars(m) for m in _modules() if callable(whole) and vars(m).get(key) is whole]
        places += [(each, key, whole, instead) for each in held or [table]]
    for table, key, _, instead in places:
        table[key] = instead
    forget()
    try:
        yield
    finally:
        for table, key, whole, _ in places:
            table[key] = whole
        forget()


def forget() -> None:
    """Empties what was remembered of texts and tasks."""
    for module in _modules():
        for key, value in vars(module).items():
            if key not in KEPT and hasattr(value, "cache_clear"):
                value.cache_clear()


class Recorder:
    """A pattern or a function that remembers that it found something."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole
        self.held = False

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._note(self.whole(*given, **named))

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.whole, name)
        return (lambda *given: self._note(method(*given))) if callable(method) else method

    def _note(self, found: Any) -> Any:
        if isinstance(found, Iterator):
            found = list(found)
        self.held = self.held or bool(found)
        return found


def _baseline(
    cases: Sequence[Case], rules: Sequence[Rule]
) -> tuple[list[bool | None], dict[str, list[int]]]:
    """What is right with all rules, and the answers in which each held."""
    before = [is_right(case) for case in cases]
    recorders = {
        rule.name: Recorder(rule.table[rule.key])
        for rule in rules
        if rule.without is NOTHING or callable(rule.without)
    }
    changes = [
        (rule.table, rule.key, recorders[rule.name]) for rule in rules if rule.name in recorders
    ]
    named = {key: Recorder(cues.pattern(key)) for key in cues.cues()["patterns"]}
    recorders |= {f"pattern {key}": each for key, each in named.items()}
    changes.append((vars(cues), "pattern", named.__getitem__))
    told = [Recorder(cue.pattern) for cue in stance.CUES]
    recorders |= {f"cue {cue.name}": each for cue, each in zip(stance.CUES, told, strict=True)}
    watched = zip(stance.CUES, told, strict=True)
    changes.append((vars(stance), "CUES", [cue._replace(pattern=w) for cue, w in watched]))  # type: ignore[arg-type]
    held = {rule.name: [] if rule.name in recorders else _with_word(cases, rule) for rule in rules}
    with replaced(changes):
        for place, case in enumerate(cases):
            forget()
            is_right(case)
            for name, recorder in recorders.items():
                if recorder.held and name in held:
                    held[name].append(place)
                recorder.held = False
    return before, held


def _with_word(cases: Sequence[Case], rule: Rule) -> list[int]:
    """Answers with the beginning of a word of a list: others cannot change without it."""
    value = rule.table[rule.key]
    words = " ".join(value).replace("-", " ")
    starts = re.compile("|".join(rf"\b{re.escape(word[:4])}" for word in words.split()))
    return [n for n, case in enumerate(cases) if starts.search(fold(case.answer.answer))]


if __name__ == "__main__":
    main()
