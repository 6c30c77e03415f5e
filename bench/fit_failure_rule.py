"""Fits the weights of the failure rule (`findings/failures/fitted.json`) on labelled answers.

    python -m bench.fit_failure_rule [--check]

Reads every set under `tests/data/answers` and `tests/data/locked_answers`, and scripted answers to
the bundled tasks. For each of the newest authors' sets the model is fitted on all the others, and
the chance that it gives is compared with what is right: the printed curve is what can be expected
of an author who is not among these. Then it is fitted on everything and written; with `--check`
only compared with what is stored.

Words are counted without the set that is read, in fitting as in testing: otherwise every word of a
right answer would be known. The old sets try the rule with traps and weigh little.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from tests.answer_sets import Case, load, names

import agentdyno.findings.failures as failures
from agentdyno.findings.failures.calls import describe_missing_call
from agentdyno.findings.failures.features import Evidence, describe
from agentdyno.findings.failures.fitted import LABELS
from agentdyno.findings.failures.new_words import SMALL, find_new_words, stems_of
from agentdyno.findings.failures.own_rule import classify_by_own, read_evidence
from agentdyno.findings.failures.task_values import know
from agentdyno.findings.failures.texts import why_broken, why_empty
from agentdyno_bench.toolfail.scripts import answer_as
from agentdyno_bench.toolfail.suite import load_suite

LOCKED = Path(__file__).parents[1] / "tests/data/locked_answers"
STORED = Path(failures.__file__).parent / "fitted.json"
NEWEST = tuple(f"2026-11-17-{letter}" for letter in "efghijkl")
"""Sets of authors whose answers nobody had read when most rules were written."""
OLD, SCRIPTED, NEW = 0.3, 0.3, 3.0
"""Weights of an answer of the old sets, of a scripted one and of one of the newest; else 1."""
RIDGE, WORDS_RIDGE = 10.0, 10.0
FEWEST_FEATURE, FEWEST_WORD = 8, 6
"""Answers that have a feature or a new word, below which it gets no weight."""
LEAST_WEIGHT = 0.06
"""Of a word, below which it moves no label."""
FLOOR = 0.15
"""Least scale of a feature, so that rare ones do not get large weights for nothing."""
THRESHOLD = 0.85
"""Chosen on the printed curve: more certainty costs answers and wins little."""
STATES_NOTHING = (
    "about above across after afterwards again against all almost alone along already also "
    "although altogether always among and another any anybody anyone anything anyway apart are "
    "around away back because been before behind being below beside besides between beyond both "
    "but came can cannot certainly clearly could currently definitely despite did does doing "
    "done down due during each either else elsewhere enough entirely especially even eventually "
    "ever every everybody everyone everything exactly except fairly far few finally first for "
    "former from fully further generally given goes going gone got had half has have having "
    "hence her here hers him his how however including indeed instead into its itself just keep "
    "kept largely last later latter least left less likely longer made mainly make makes many "
    "maybe meant meanwhile might more moreover most mostly much must namely near nearly need "
    "neither never nevertheless next nobody none nor normally not nothing now nowhere obviously "
    "off often once one only onto other others otherwise our out outside over overall own "
    "partly past per perhaps plus possible possibly precisely previously probably put quite "
    "rather really recently regarding respectively roughly same seem seems several shall she "
    "should since slightly some somebody someone something sometimes somewhat soon still such "
    "sure surely take taken than that the their them themselves then there thereby therefore "
    "these they this those though through throughout thus till together too toward towards "
    "under unfortunately unless unlike until upon usually various very via was way well went "
    "were what whatever when whenever where whereas wherever whether which while who whole whom "
    "whose why will with within without would yes yesterday yet you your hundred thousand "
    "million dozen twice third quarter double whatsoever therein digit figure number value "
    "amount total sum difference equal equals correspond corresponds convert converted "
    "conversion rounded exact approximate metre meter mile pound ounce gallon litre liter foot "
    "feet inch knot degree celsius fahrenheit percent percentage dear sir madam point hour "
    "minute second day week month year "
)
"""Words that state nothing, whether or not an answer of ours uses them."""
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Row(NamedTuple):
    """An answer that the model has to label."""

    case: Case
    evidence: Evidence
    stems: frozenset[str]
    """Of its sources."""


class Model(NamedTuple):
    """Weights of features for each label, and of words for an invention."""

    features: Floats
    words: Floats


class Table(NamedTuple):
    """Features and words of answers as matrices."""

    names: list[str]
    stems: list[str]
    features: Floats
    words: csr_matrix
    labels: Floats
    weights: Floats


def main(check: bool) -> None:
    """Prints the curve of held-out authors, and writes or compares the weights."""
    small = dict.fromkeys((s for s in stems_of(STATES_NOTHING.split()) if s[-1] != "-"), SMALL)
    cases = [*_load_sets(), *_script()]
    rows = [row for case in cases if (row := _read(case, small))]
    counts = _count(rows)
    table = _tabulate(rows, counts, small)
    sets = np.array([row.case.name for row in rows])
    _print_curve(cases, rows, table, sets)
    model = fit(table, np.ones(len(rows), bool))
    stored = _store(table, model, {**_sum(counts.values()), **small})
    if check:
        same = STORED.read_text("utf-8") == stored
        print("as stored" if same else "not as stored")
        sys.exit(not same)
    STORED.write_text(stored, "utf-8")


def _load_sets() -> Iterable[Case]:
    yield from (case for name in names() for case in load(name))
    for path in sorted(LOCKED.glob("*.jsonl")):
        yield from load(path.stem, LOCKED)


def _script() -> Iterable[Case]:
    """What the scripted models answer."""
    built = {"faithful": "correct", "ignorer": "result_ignore", "fabricator": "output_fabrication"}
    suite = load_suite()
    for task in suite.tasks:
        if task.script:
            for behaviour, label in built.items():
                answer = answer_as(behaviour, task, suite.tools[task.domain][0].name)  # type: ignore[arg-type]
                yield Case("scripted", task, answer, label, "")


def _read(case: Case, small: dict[str, int]) -> Row | None:
    """None for what needs no model: controls, missing calls, texts that are no answer."""
    text = case.answer.answer
    if (
        not case.task.script
        or describe_missing_call(case.task, case.answer)
        or why_broken(text)
        or why_empty(text)
        or case.label not in LABELS
    ):
        return None
    return Row(case, read_evidence(case.task, text, small), know(case.task).sources.stems)


def _count(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """By set, in how many tasks right answers add a stem."""
    used: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        words = row.evidence.words
        if words and row.case.label == "correct" and row.case.name != "scripted":
            for stem in words.weights:
                used[row.case.name][stem].add(row.case.task.task_id)
    return {
        name: Counter({stem: len(tasks) for stem, tasks in stems.items()})
        for name, stems in used.items()
    }


def _sum(counts: Iterable[Counter[str]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def _tabulate(rows: Sequence[Row], counts: dict[str, Counter[str]], small: dict[str, int]) -> Table:
    every = Counter(_sum(counts.values()))
    features, words = [], []
    others: dict[str, dict[str, int]] = {}
    for row in rows:
        name = row.case.name
        if name not in others:
            others[name] = {**(every - counts.get(name, Counter())), **small}
        found = find_new_words(row.evidence.reading, row.stems, others[name])
        features.append(describe(row.evidence._replace(words=found)))
        words.append({s: v for s, v in found.weights.items() if v} if found else {})
    names = _frequent(features, FEWEST_FEATURE)
    stems = _frequent(words, FEWEST_WORD)
    return Table(
        names,
        stems,
        _matrix(features, names).toarray(),
        _matrix(words, stems),
        np.array([LABELS.index(row.case.label) for row in rows]),  # type: ignore[arg-type]
        np.array([_weight(row.case.name) for row in rows]),
    )


def _weight(name: str) -> float:
    if name == "scripted":
        return SCRIPTED
    return NEW if name in NEWEST else 1.0 if name.startswith("2026") else OLD


def _frequent(rows: Sequence[dict[str, float]], fewest: int) -> list[str]:
    counted = Counter(chain.from_iterable(rows))
    return sorted(name for name, count in counted.items() if count >= fewest)


def _matrix(rows: Sequence[dict[str, float]], names: Sequence[str]) -> csr_matrix:
    place = {name: number for number, name in enumerate(names)}
    cells = [
        (value, number, place[name])
        for number, row in enumerate(rows)
        for name, value in row.items()
        if name in place
    ]
    values, lines, columns = zip(*cells, strict=True)
    return csr_matrix((values, (lines, columns)), shape=(len(rows), len(names)))


def fit(table: Table, chosen: Floats) -> Model:
    """A softmax over the labels with a ridge; words speak for an invention only."""
    plain, words = table.features[chosen], table.words[chosen]
    labels, weights = table.labels[chosen], table.weights[chosen]
    scale = np.maximum(np.sqrt((plain**2).mean(0)), FLOOR)
    scaled, across = plain / scale, words.T.tocsr()
    lines, kinds = np.arange(len(labels)), len(LABELS)
    aims = np.eye(kinds)[labels]
    size = scaled.shape[1] * kinds

    def loss(point: Floats) -> tuple[float, Floats]:
        mine, theirs = point[:size].reshape(-1, kinds), point[size:]
        sums = scaled @ mine
        sums[:, -1] += words @ theirs
        chances = _softmax(sums)
        error = weights[:, None] * (chances - aims)
        slope = [(scaled.T @ error + RIDGE * mine).ravel(), across @ error[:, -1]]
        slope[1] = slope[1] + WORDS_RIDGE * theirs
        missed = -(weights * np.log(chances[lines, labels] + 1e-12)).sum()
        ridge = RIDGE * (mine**2).sum() + WORDS_RIDGE * (theirs**2).sum()
        return missed + 0.5 * ridge, np.concatenate(slope)

    found = minimize(
        loss, np.zeros(size + words.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    ).x
    return Model(found[:size].reshape(-1, kinds) / scale[:, None], found[size:])


def predict(table: Table, model: Model, chosen: Floats) -> Floats:
    """Chances of the labels."""
    sums = table.features[chosen] @ model.features
    sums[:, -1] += table.words[chosen] @ model.words
    return _softmax(sums)


def _softmax(sums: Floats) -> Floats:
    powers = np.exp(sums - sums.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _print_curve(cases: Sequence[Case], rows: Sequence[Row], table: Table, sets: Floats) -> None:
    """Right of decided, and coverage, by threshold, for authors who were left out."""
    modelled = {id(row.case) for row in rows}
    curve = (0.7, 0.75, 0.8, 0.85, 0.9, 0.93)
    total = np.zeros((len(curve), 3))
    for name in NEWEST:
        chances = predict(table, fit(table, sets != name), sets == name)
        is_right = chances.argmax(1) == table.labels[sets == name]
        rest = [case for case in cases if case.name == name and id(case) not in modelled]
        simple = sum(classify_by_own(c.task, c.answer).label == c.label for c in rest)
        found = []
        for threshold in curve:
            decided = chances.max(1) >= threshold
            found.append(
                (
                    is_right[decided].sum() + simple,
                    decided.sum() + len(rest),
                    len(is_right) + len(rest),
                )
            )
        total += found
        print(f"{name:22}", _line(curve, found), flush=True)
    print(f"{'together':22}", _line(curve, total))


def _line(curve: Sequence[float], found: Iterable[Sequence[float]]) -> str:
    return "  ".join(
        f"{at:.2f}: {right / decided:.3f} at {decided / every:.3f}"
        for at, (right, decided, every) in zip(curve, found, strict=True)
    )


def _store(table: Table, model: Model, counts: dict[str, int]) -> str:
    features = dict(zip(table.names, model.features.round(3).tolist(), strict=True))
    words = dict(zip(table.stems, model.words.round(3).tolist(), strict=True))
    stored = {
        "threshold": THRESHOLD,
        "features": features,
        "words": {stem: weight for stem, weight in words.items() if abs(weight) >= LEAST_WEIGHT},
        "counts": dict(sorted(counts.items())),
    }
    lines = (f"{json.dumps(key)}: {_wrap(value)}" for key, value in stored.items())
    return "{" + ",\n".join(lines) + "}\n"


def _wrap(value: object) -> str:
    """JSON with an entry a line for weights."""
    return json.dumps(value, ensure_ascii=False).replace("], ", "],\n")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
