"""What the cells of the PTE paper's page should hold."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

import agentdyno.cost
from agentdyno_bench.pte.page import TASKS
from agentdyno_bench.pte.tir.benchmarks import BENCHMARKS
from agentdyno_bench.pte.tir.loading import load_problems
from tests.zoo import tir
from tests.zoo.intervals import Triple, correlation, mean, ratio
from tests.zoo.logged import GAMMA, Attempt, Range, Turn, over_gamma
from tests.zoo.truth import DEALT, Truth, model_name, row, share

HEADS = {
    "math_500": "MATH500", "aime_2024": "AIME24", "aime_2025": "AIME25", "simpleqa": "SimpleQA",
    "webinstruct": "WebInstruct",
}  # fmt: skip
OF_PYTHON = ("math_500", "aime_2024", "aime_2025")
MIDDLE = fmean(GAMMA)
H100 = 756.5
"""FLOPs a byte."""
SCHOOLS = ("Primary School", "High School", "Senior High School", "Undergraduate", "University",
           "PhD")  # fmt: skip


class Tried(NamedTuple):
    """One attempt beside what follows from the policy that made it."""

    attempt: Attempt
    is_right: bool | None
    level: str | None
    calls: int
    shows: frozenset[str]
    """Patterns."""
    code: int
    """Calls of Python."""


Setting = list[Tried]
"""Attempts of a policy at a question set, in the order of the tasks' names."""
Settings = dict[tuple[str, str], Setting]
"""By policy and question set."""
Cost = Callable[[Tried, float], float]
Ranges = tuple[Range | None, ...]


def state_pte(policies: Sequence[str], attempts: list[Attempt], limit: int | None) -> Truth:
    """The page over these policies."""
    settings: Settings = {}
    for policy in policies:
        mine = [each for each in attempts if each.model == model_name(policy)]
        for name in HEADS:
            settings[policy, name] = _list_tried(policy, name, mine, limit)
    found = _state_models() | _state_hardware(settings) | _state_sets(limit)
    found |= _state_seconds(policies, attempts) | _state_table_7(settings) | _state_levels(settings)
    for (policy, name), tried in settings.items():
        setting = f"{model_name(policy)}, {name}"
        found |= _state_figures(policy, name, tried) | _state_steps(setting, tried)
        found |= _state_outcomes("Figure 11", setting, tried)
    pooled, cost = _pool(settings, lambda each: each.is_right is not None)
    return found | _state_outcomes("Figure 7", "all models, all sets", pooled, cost)


def _list_tried(policy: str, name: str, mine: list[Attempt], limit: int | None) -> Setting:
    benchmark = BENCHMARKS[name]
    problems = load_problems(benchmark)[: limit or TASKS["mini"]]
    by_id = {e.task_id: e for e in mine if e.benchmark.removesuffix("_mini") == name}
    found = []
    for problem in sorted(problems, key=lambda each: each.id):
        asked = tir.Question(problem, benchmark.tools)
        played = tir.deal()[problem.question] if policy == DEALT else policy
        act = tir.find_act(played, asked)
        names = [call.tool for calls in act.turns for call in calls]
        found.append(
            Tried(by_id[problem.id], act.is_right, problem.level, len(names),
                  _find_patterns(played, act, names), names.count("python"))
        )  # fmt: skip
    return found


def _find_patterns(policy: str, act: tir.Act, names: list[str]) -> frozenset[str]:
    """Which of the paper's patterns an act shows."""
    ran = names if act.ran is None else names[: act.ran]
    found = {
        "Confirmatory": bool(act.says) and "python" in ran,
        "Tool-Mixing": "python" in ran and len(set(ran)) > 1,
        # No policy knows an address of the corpus.
        "Lack of Priors": "visit" in ran or (policy == "prints_nothing" and "python" in ran),
        "Format Collapse": policy in BREAKING,
    }
    return frozenset(name for name, is_shown in found.items() if is_shown)


BREAKING = ("unoffered_tool", "malformed_calls", "refused_arguments", "malformed_beside",
            "writes_calls_as_text")  # fmt: skip
DEFINITIONS = {
    "Confirmatory": "An answer stands before a call for code",
    "Tool-Mixing": "More than one type of tool",
    "Format Collapse": "Schema or JSON error, or a tool not offered",
    "Lack of Priors": "Empty or error return",
}


def _cost(tried: Tried, gamma: float) -> float:
    return tried.attempt.pte(gamma)


def _mean(tried: Sequence[Tried], cost: Cost = _cost) -> Ranges:
    return over_gamma(lambda gamma: mean([cost(each, gamma) for each in tried]))


def _ratio(above: Sequence[Tried], below: Sequence[Tried], cost: Cost = _cost) -> Ranges:
    sides = above, below
    return over_gamma(lambda g: ratio(*([cost(each, g) for each in side] for side in sides)))


def _state_figures(policy: str, name: str, tried: Setting) -> Truth:
    """Tables 5 and 6; of WebInstruct Figure 6 too."""
    model, head = model_name(policy), HEADS[name]
    wrong, right = _split(tried)
    cells = {"tokens": mean([each.attempt.tokens for each in tried]), "PTE": _mean(tried),
             "acc": share(len(right), len(right + wrong)),
             "tool uses": mean([each.calls for each in tried])}  # fmt: skip
    table = "Table 5" if name in OF_PYTHON else "Table 6"
    found = row(table, model, {f"{head} {column}": value for column, value in cells.items()})
    if name != "webinstruct":
        return found
    both = sum("Tool-Mixing" in each.shows for each in tried)
    return found | row("Figure 6", model, {
        "mixed attempts": share(both, len(tried)), "PTE": _mean(tried),
        "Python calls": mean([each.code for each in tried]),
        "search and visit calls": mean([each.calls - each.code for each in tried]),
    })  # fmt: skip


def _state_steps(name: str, tried: Setting) -> Truth:
    """Figures 5 and 8: a curve ends where it has fewer than 3 attempts, or a twentieth of all."""
    turns = [each.attempt.turns for each in tried]
    many = [sum(len(t) > step for t in turns) for step in range(max(map(len, turns)))]
    steps = sum(count >= min(len(turns), max(3, 0.05 * len(turns))) for count in many)
    longer = [[turn.written for turn in t] for t in turns if len(t) > 1]
    first = share(sum(t[0] > max(t[1:]) for t in longer), len(longer))
    found: Truth = {}
    for column, step in (("first step", 0), ("last step", steps - 1)):
        own = [t[step] for t in turns if len(t) > step]
        costs = over_gamma(lambda gamma, own=own: mean([turn.pte(gamma) for turn in own]))
        cells = {"steps": steps, "first step is the longest": first}
        found |= row("Figure 5", name, cells | {column: costs})
        found |= row("Figure 8", name, cells | {column: mean([turn.written for turn in own])})
    return found


def _split(tried: Sequence[Tried]) -> tuple[Setting, Setting]:
    """Those that are not right, and those that are."""
    return [e for e in tried if e.is_right is False], [e for e in tried if e.is_right]


def _state_outcomes(place: str, name: str, tried: Sequence[Tried], cost: Cost = _cost) -> Truth:
    wrong, right = _split(tried)
    if not wrong and not right:
        return {}
    return row(place, name, {
        "correct": len(right), "cost of correct": _mean(right, cost), "incorrect": len(wrong),
        "cost of incorrect": _mean(wrong, cost),
        "incorrect over correct": _ratio(wrong, right, cost),
    })  # fmt: skip


def _pool(settings: Settings, is_kept: Callable[[Tried], bool]) -> tuple[Setting, Cost]:
    """What is kept of all settings, and costs over the mean of that in their setting. Tasks are in
    the order of the settings' places, the dearest first, as words."""
    dearest = sorted(settings.values(), key=lambda tried: -sum(_cost(e, MIDDLE) for e in tried))
    places = sorted(range(len(dearest)), key=str)
    kept = [[each for each in dearest[place] if is_kept(each)] for place in places]
    of = {id(each): some for some in kept for each in some}

    def relative(tried: Tried, gamma: float) -> float:
        return _cost(tried, gamma) / fmean(_cost(other, gamma) for other in of[id(tried)])

    return [each for some in kept for each in some], relative


def _state_levels(settings: Settings) -> Truth:
    """Tables 8 and 9, Section F.3."""
    groups = {"all models, all sets": _pool(settings, _has_level)}
    for (policy, name), own in settings.items():
        groups[f"{model_name(policy)}, {name}"] = [e for e in own if _has_level(e)], _cost
    found: Truth = {}
    for name, (tried, cost) in groups.items():
        for level in {each.level for each in tried}:
            gap = _ratio(*_split([each for each in tried if each.level == level]), cost)
            if gap[0]:
                cells = {"incorrect over correct": gap}
                found |= row("Table 8", f"{name}, level {level}", cells)
    for name in HEADS:
        mine = [
            [e for e in own if _has_level(e)] for (_, of), own in settings.items() if of == name
        ]
        found |= _state_level_order(name, [some for some in mine if some])
    return found


def _has_level(tried: Tried) -> bool:
    return tried.level is not None and tried.is_right is not None


def _state_level_order(name: str, settings: list[Setting]) -> Truth:
    every = [each for own in settings for each in own]
    levels = sorted({str(each.level) for each in every}, key=_rank)
    if len(levels) < 2:
        return {}
    found: Truth = {}
    for easy in levels[:-1]:
        under = []
        for own in settings:
            failed = [_cost(e, MIDDLE) for e in own if e.level == easy and not e.is_right]
            solved = [_cost(e, MIDDLE) for e in own if e.level == levels[-1] and e.is_right]
            under += [cost < fmean(failed) for cost in solved] if failed else []
        overtaken = {"share": share(sum(under), len(under))}
        found |= row("Table 9", f"{name}, {levels[-1]} correct under {easy} wrong", overtaken)
    right = [float(bool(each.is_right)) for each in every]
    given = [[float(levels.index(str(each.level))) for each in every]]
    marks = [[float(each in own) for each in every] for own in settings[1:]]
    for without, controls in {"level": given, "level and setting": given + marks}.items():
        if without == "level" or marks:
            correlated = over_gamma(
                lambda g, by=controls: correlation([_cost(e, g) for e in every], right, by)
            )
            cells = {"partial correlation": correlated}
            found |= row("Section F.3", f"{name}, without {without}", cells)
    return found


def _rank(level: str) -> int:
    return SCHOOLS.index(level) if level in SCHOOLS else int(level)


# Table 7 -----------------------------------------------------------------------------------------


def _state_patterns(setting: str, tried: Setting) -> dict[str, dict[str, Any]]:
    """What Table 7 has of each pattern in a setting."""
    found = {}
    for pattern in {name for each in tried for name in each.shows}:
        having = [each for each in tried if pattern in each.shows]
        without = [each for each in tried if pattern not in each.shows]
        equal = over_gamma(lambda gamma, p=pattern: _compare_equals(tried, p, gamma))
        found[pattern] = {
            "setting": setting, "definition": DEFINITIONS[pattern],
            "frequency": share(len(having), len(tried)), "cost, raw": _ratio(having, without),
            "cost at equal level and length": equal,
        }  # fmt: skip
    return found


def _state_table_7(settings: Settings) -> Truth:
    """Every setting; and where a pattern is most frequent, only how often where settings share
    that."""
    found: Truth = {}
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for (policy, name), tried in settings.items():
        setting = f"{model_name(policy)}, {name}"
        for pattern, cells in _state_patterns(setting, tried).items():
            place = f"{pattern}, {setting}, {DEFINITIONS[pattern]}"
            found |= row("Table 7: In every setting", place, cells)
            rows[pattern].append(cells)
    for pattern, some in rows.items():
        most = max(cells["frequency"][0] for cells in some)
        where = [cells for cells in some if cells["frequency"][0] == most]
        cells = where[0] if len(where) == 1 else {"frequency": (most,)}
        found |= row("Table 7", pattern, cells)
    return found


def _compare_equals(tried: Setting, pattern: str, gamma: float) -> Triple:
    """Geometric mean cost with it over that without, at equal level and number of calls (by powers
    of two); of an attempt that shows it and one that does not there must be one of a kind."""
    kinds: dict[object, list[tuple[float, float]]] = defaultdict(list)
    for each in tried:
        kind = each.level, (each.calls + 1).bit_length()
        kinds[kind].append((float(pattern in each.shows), log(_cost(each, gamma))))
    both = [rows for rows in kinds.values() if len({has for has, _ in rows}) == 2]
    if not both:
        return None, None, None
    has, cost = np.concatenate([np.array(rows) - np.mean(rows, axis=0) for rows in both]).T
    effect, freedom = float(has @ cost / (has @ has)), len(has) - len(both) - 1
    if freedom < 6:
        return exp(effect), None, None
    spread = float(np.square(cost - effect * has).sum()) / freedom
    reach = float(stats.t.ppf(0.975, freedom)) * sqrt(spread / float(has @ has))
    return exp(effect), exp(effect - reach), exp(effect + reach)


# What does not depend on a policy ----------------------------------------------------------------


def _state_seconds(policies: Sequence[str], attempts: list[Attempt]) -> Truth:
    """Figure 3 and Table 10: over turns whose time is believed, of the models with eight."""
    turns: dict[str, list[Turn]] = {model_name(policy): [] for policy in policies}
    for each in attempts:
        turns[each.model] += [turn for turn in each.turns if turn.is_believed]
    every = [turn for own in turns.values() for turn in own]
    rows = {name: own for name, own in turns.items() if len(own) >= 8}
    rows = dict(sorted(rows.items(), key=lambda item: (-len(item[1]), item[0]))[:8])
    rows |= {"all models": every} if list(rows.values()) != [every] and every else {}
    found: Truth = {}
    for name, own in rows.items():
        seconds = [turn.seconds or 0.0 for turn in own]
        columns = {"Output tokens": [turn.written for turn in own]} | {
            measure: [turn.given + price * turn.written for turn in own]
            for measure, price in PRICES.items()
        }
        measures: dict[str, Any] = {m: correlation(each, seconds) for m, each in columns.items()}
        measures["PTE"] = over_gamma(
            lambda g, own=own, seconds=seconds: correlation([t.pte(g) for t in own], seconds)
        )
        for measure, correlated in measures.items():
            for place in ("Table 10", "Figure 3") if measure not in PRICES else ("Table 10",):
                found |= row(place, f"{measure}, {name}", {"Pearson r": correlated})
    return found


PRICES = {"tokens 1:1": 1.0, "price 1:1.5": 1.5, "price 1:3": 3.0, "price 1:4": 4.0,
          "price 1:8": 8.0}  # fmt: skip
PEAKS = {
    "H100 (Ref)": (1513, 2.0), "H200": (1617, 4.8), "A100": (624, 1.93), "RTX 4090": (330, 1.0),
    "V100": (125, 0.9),
}  # fmt: skip
"""TFLOPS and TB/s."""


def _state_hardware(settings: Settings) -> Truth:
    """Tables 2 and 4: the ranks of settings by their mean cost there and on the reference."""
    found: Truth = {}
    for name, (flops, bandwidth) in PEAKS.items():
        scale = flops / bandwidth / H100

        def ranks(gamma: float, scale: float = scale) -> Triple:
            here, there = (
                stats.rankdata([fmean(_cost(e, g) for e in own) for own in settings.values()])
                for g in (gamma, gamma * scale)
            )
            return correlation(here, there, is_ranked=True)

        cells = {"HOI": flops / bandwidth, "scaling factor": f"{scale:.2f}×",
                 "rank correlation": over_gamma(ranks)}  # fmt: skip
        found |= row("Table 2", name, cells) | row("Table 4", name, cells)
    return found


def _state_sets(limit: int | None) -> Truth:
    """Figure 4."""
    found: Truth = {}
    for name in HEADS:
        many = len(tir.list_questions()[name])
        found |= row("Figure 4: Question sets", BENCHMARKS[name].title, {
            "questions of this run": min(many, limit or TASKS["mini"]), "out of": many,
            "whose": "our own, of the same kind",
            "in the paper": "all" if name in OF_PYTHON else "500 drawn",
        })  # fmt: skip
    return found


def _state_models() -> Truth:
    """Tables 1 and 3, from what the models' configurations say."""
    file = Path(agentdyno.cost.__file__).parent / "data/architectures.toml"
    shapes, found = tomllib.loads(file.read_text("utf-8")), Truth()
    for own in shapes.values():
        shape = defaultdict(int, shapes.get(own.get("same_as"), {}) | own)
        heads, queries, wide = (shape[k] for k in ("kv_heads", "query_heads", "hidden_size"))
        published, layers = shape["published_active_params"], shape["layers"]
        active = published - shape["embeddings_counted"] * shape["vocabulary"] * wide
        latent = shape["latent_dim"] + shape["rope_dim"]
        for name in own.get("paper_rows", ()):
            paper = layers * (latent or 2 * wide * heads / queries) * H100 / published
            growing = shape["full_attention_layers"] or layers
            cache = growing * (latent or 2 * heads * shape["head_dim"]) * H100 / active
            both = {"active parameters, billions": active / 1e9}
            found |= row("Table 1", name, both | {"gamma": paper})
            found |= row("Table 3", name, both | {
                "layers": layers, "gamma, by the paper": paper, "gamma, by the cache": cache,
            })  # fmt: skip
    return found
