"""What the cells of the PTE paper's page should hold."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from scipy import stats

import agentdyno.cost
from agentdyno_bench.papers.pte_page import TASKS
from agentdyno_bench.tir.benchmarks import BENCHMARKS
from agentdyno_bench.tir.loading import load_problems
from tests.zoo import tir
from tests.zoo.intervals import Triple, correlation, mean, ratio
from tests.zoo.logged import GAMMA, Attempt, over_gamma
from tests.zoo.truth import DEALT, Truth, estimate, model_name, share

HEADS = {
    "math_500": "MATH500", "aime_2024": "AIME24", "aime_2025": "AIME25", "simpleqa": "SimpleQA",
    "webinstruct": "WebInstruct",
}  # fmt: skip
OF_PYTHON = ("math_500", "aime_2024", "aime_2025")
MIDDLE = fmean(GAMMA)
H100 = 756.5
"""FLOPs a byte."""
SCHOOLS = (
    "Primary School",
    "High School",
    "Senior High School",
    "Undergraduate",
    "University",
    "PhD",
)


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

    def pte(self, gamma: float) -> float:
        return self.attempt.pte(gamma)


Setting = list[Tried]
"""Attempts of a policy at a question set, in the order of the tasks' names."""
Cost = Callable[[Tried, float], float]


def state_pte(policies: Sequence[str], attempts: list[Attempt], limit: int | None) -> Truth:
    """The page over these policies."""
    settings: dict[tuple[str, str], Setting] = {}
    for policy in policies:
        mine = [each for each in attempts if each.model == model_name(policy)]
        for name in HEADS:
            settings[policy, name] = _list_tried(policy, name, mine, limit)
    found = _state_models() | _state_hardware(settings) | _state_sets(limit)
    found |= _state_seconds(policies, attempts)
    for (policy, name), tried in settings.items():
        row = f"{model_name(policy)}, {name}"
        found |= _state_figures(policy, name, tried) | _state_steps(row, tried)
        found |= _state_outcomes("Figure 11", row, tried, _cost) | _state_patterns(row, tried)
    return found | _state_dominant(settings) | _state_pooled(settings) | _state_levels(settings)


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
                  _find_patterns(played, act, names, benchmark.tools), names.count("python"))
        )  # fmt: skip
    return found


def _find_patterns(
    policy: str, act: tir.Act, names: list[str], tools: tuple[str, ...]
) -> frozenset[str]:
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
    return tried.pte(gamma)


def _mean_cost(tried: Sequence[Tried]) -> tuple:
    return over_gamma(lambda gamma: mean([each.pte(gamma) for each in tried]))


def _state_figures(policy: str, name: str, tried: Setting) -> Truth:
    """Tables 5 and 6; of WebInstruct Figure 6 too."""
    model, head = model_name(policy), HEADS[name]
    table = "Table 5" if name in OF_PYTHON else "Table 6"
    known = [each.is_right for each in tried if each.is_right is not None]
    found = share(table, model, f"{head} acc", sum(known), len(known)) if known else {}
    tokens = mean([each.attempt.tokens for each in tried])
    found |= estimate(table, model, f"{head} tokens", tokens)
    found |= estimate(table, model, f"{head} tool uses", mean([each.calls for each in tried]))
    found |= estimate(table, model, f"{head} PTE", _mean_cost(tried))
    if name != "webinstruct":
        return found
    both = sum("Tool-Mixing" in each.shows for each in tried)
    web = [each.calls - each.code for each in tried]
    return (
        found
        | share("Figure 6", model, "mixed attempts", both, len(tried))
        | estimate("Figure 6", model, "Python calls", mean([each.code for each in tried]))
        | estimate("Figure 6", model, "search and visit calls", mean(web))
        | estimate("Figure 6", model, "PTE", _mean_cost(tried))
    )


def _state_steps(row: str, tried: Setting) -> Truth:
    """Figures 5 and 8: a curve ends where it has fewer than 3 attempts, or a twentieth of all."""
    turns = [each.attempt.turns for each in tried]
    many = [sum(len(t) > step for t in turns) for step in range(max(map(len, turns)))]
    steps = sum(count >= min(len(turns), max(3, 0.05 * len(turns))) for count in many)
    longer = [t for t in turns if len(t) > 1]
    first = sum(t[0].written > max(turn.written for turn in t[1:]) for t in longer)
    found: Truth = {}
    for figure in ("Figure 5", "Figure 8"):
        found[figure, row, "steps"] = steps
        if longer:
            found |= share(figure, row, "first step is the longest", first, len(longer))
    for column, step in (("first step", 0), ("last step", steps - 1)):
        own = [t[step] for t in turns if len(t) > step]
        found |= estimate("Figure 8", row, column, mean([turn.written for turn in own]))
        costs = over_gamma(lambda gamma, own=own: mean([turn.pte(gamma) for turn in own]))
        found |= estimate("Figure 5", row, column, costs)
    return found


def _split(tried: Sequence[Tried]) -> tuple[Setting, Setting]:
    """Those that are not right, and those that are."""
    return [e for e in tried if e.is_right is False], [e for e in tried if e.is_right]


def _state_outcomes(place: str, row: str, tried: Sequence[Tried], cost: Cost) -> Truth:
    wrong, right = _split(tried)
    if not wrong and not right:
        return {}
    found: Truth = {(place, row, "correct"): len(right), (place, row, "incorrect"): len(wrong)}
    for column, some in (("cost of correct", right), ("cost of incorrect", wrong)):
        costs = over_gamma(lambda gamma, some=some: mean([cost(each, gamma) for each in some]))
        found |= estimate(place, row, column, costs)
    return found | estimate(place, row, "incorrect over correct", _ratio(wrong, right, cost))


def _ratio(above: Sequence[Tried], below: Sequence[Tried], cost: Cost = _cost) -> tuple:
    return over_gamma(
        lambda g: ratio([cost(each, g) for each in above], [cost(each, g) for each in below])
    )


def _state_pooled(settings: dict[tuple[str, str], Setting]) -> Truth:
    """Figure 7."""
    tried, cost = _pool(settings, lambda each: each.is_right is not None)
    return _state_outcomes("Figure 7", "all models, all sets", tried, cost)


def _pool(
    settings: dict[tuple[str, str], Setting], is_kept: Callable[[Tried], bool]
) -> tuple[Setting, Cost]:
    """What is kept of all settings, and costs over the mean of that in their setting. Tasks are in
    the order of the settings' places, the dearest first, as words."""
    dearest = sorted(settings.values(), key=lambda tried: -sum(e.pte(MIDDLE) for e in tried))
    places = sorted(range(len(dearest)), key=str)
    kept = [[each for each in dearest[place] if is_kept(each)] for place in places]
    of = {id(each): some for some in kept for each in some}
    return [
        each for some in kept for each in some
    ], lambda each, gamma: each.pte(gamma) / fmean(other.pte(gamma) for other in of[id(each)])


def _state_levels(settings: dict[tuple[str, str], Setting]) -> Truth:
    """Tables 8 and 9, Section F.3."""
    tried, cost = _pool(settings, _has_level)
    found: Truth = {}
    for level in {each.level for each in tried}:
        gap = _ratio(*_split([each for each in tried if each.level == level]), cost)
        row = f"all models, all sets, level {level}"
        found |= estimate("Table 8", row, "incorrect over correct", gap) if gap[0] else {}
    for (policy, name), own in settings.items():
        for level in {each.level for each in own if _has_level(each)}:
            gap = _ratio(*_split([each for each in own if each.level == level]))
            row = f"{model_name(policy)}, {name}, level {level}"
            found |= estimate("Table 8", row, "incorrect over correct", gap) if gap[0] else {}
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
            failed = [e.pte(MIDDLE) for e in own if e.level == easy and not e.is_right]
            solved = [e.pte(MIDDLE) for e in own if e.level == levels[-1] and e.is_right]
            under += [cost < fmean(failed) for cost in solved] if failed else []
        row = f"{name}, {levels[-1]} correct under {easy} wrong"
        found[("Table 9", row, "share")] = None
        found |= share("Table 9", row, "share", sum(under), len(under)) if under else {}
    right = [float(bool(each.is_right)) for each in every]
    given = [[float(levels.index(str(each.level))) for each in every]]
    marks = [[float(each in own) for each in every] for own in settings[1:]]
    for row, controls in (("level", given), ("level and setting", given + marks)):
        if row == "level" or marks:
            correlated = over_gamma(
                lambda g, controls=controls: correlation([e.pte(g) for e in every], right, controls)
            )
            found |= estimate(
                "Section F.3", f"{name}, without {row}", "partial correlation", correlated
            )
    return found


def _rank(level: str) -> int:
    return SCHOOLS.index(level) if level in SCHOOLS else int(level)


# Table 7 -----------------------------------------------------------------------------------------


def _describe_pattern(row: str, pattern: str, tried: Setting) -> dict[str, object]:
    """Its cells in a setting."""
    having = [each for each in tried if pattern in each.shows]
    without = [each for each in tried if pattern not in each.shows]
    found = share("", "", "frequency", len(having), len(tried))
    found |= estimate("", "", "cost, raw", _ratio(having, without))
    equal = over_gamma(lambda gamma: _compare_equals(tried, pattern, gamma))
    found |= estimate("", "", "cost at equal level and length", equal)
    texts = {"pattern": pattern, "setting": row, "definition": DEFINITIONS[pattern]}
    return texts | {column: value for (_, _, column), value in found.items()}


def _state_patterns(row: str, tried: Setting) -> Truth:
    """Table 7 in every setting."""
    return {
        ("Table 7: In every setting", f"{pattern}, {row}, {DEFINITIONS[pattern]}", column): value
        for pattern in {name for each in tried for name in each.shows}
        for column, value in _describe_pattern(row, pattern, tried).items()
    }


def _state_dominant(settings: dict[tuple[str, str], Setting]) -> Truth:
    """Table 7: where a pattern is most frequent; only how often where settings share that."""
    found: Truth = {}
    for pattern in DEFINITIONS:
        frequency = {
            key: (fmean(pattern in each.shows for each in tried), len(tried))
            for key, tried in settings.items()
        }
        most = max(frequency.values())
        where = [key for key, value in frequency.items() if value[0] == most[0]]
        if not most[0]:
            continue
        cells = _describe_pattern(
            f"{model_name(where[0][0])}, {where[0][1]}", pattern, settings[where[0]]
        )
        if len(where) > 1:
            cells = {"frequency": most[0], "definition": DEFINITIONS[pattern]}
        found |= {("Table 7", pattern, column): value for column, value in cells.items()}
    return found


def _compare_equals(tried: Setting, pattern: str, gamma: float) -> Triple:
    """Geometric mean cost with it over that without, at equal level and number of calls (by powers
    of two); of an attempt that shows it and one that does not there must be one of a kind."""
    kinds: dict[object, list[tuple[float, float]]] = defaultdict(list)
    for each in tried:
        kind = each.level, (each.calls + 1).bit_length()
        kinds[kind].append((float(pattern in each.shows), log(each.pte(gamma))))
    both = [rows for rows in kinds.values() if len({has for has, _ in rows}) == 2]
    if not both:
        return None, None, None
    columns = [
        [(r[side] - fmean(x[side] for x in rows)) for rows in both for r in rows] for side in (0, 1)
    ]
    weight = sum(has * has for has in columns[0])
    effect = sum(has * cost for has, cost in zip(*columns, strict=True)) / weight
    freedom = len(columns[0]) - len(both) - 1
    if freedom < 6:
        return exp(effect), None, None
    spread = sum((cost - effect * has) ** 2 for has, cost in zip(*columns, strict=True)) / freedom
    reach = float(stats.t.ppf(0.975, freedom)) * sqrt(spread / weight)
    return exp(effect), exp(effect - reach), exp(effect + reach)


# What does not depend on a policy ----------------------------------------------------------------


def _state_seconds(policies: Sequence[str], attempts: list[Attempt]) -> Truth:
    """Figure 3 and Table 10: over turns whose time is believed, of the models with eight."""
    turns = {
        model_name(policy): [t for e in attempts if e.model == model_name(policy)
                             for t in e.turns if t.is_believed]
        for policy in policies
    }  # fmt: skip
    every = [turn for own in turns.values() for turn in own]
    rows = {name: own for name, own in turns.items() if len(own) >= 8}
    rows = dict(sorted(rows.items(), key=lambda item: (-len(item[1]), item[0]))[:8])
    if len(rows) != 1 or len(every) != len(next(iter(rows.values()))):
        rows["all models"] = every
    found: Truth = {}
    for row, own in rows.items():
        if not own:
            continue
        seconds = [turn.seconds for turn in own]
        pte = over_gamma(
            lambda g, own=own, seconds=seconds: correlation([t.pte(g) for t in own], seconds)
        )
        written = correlation([turn.written for turn in own], seconds)
        for place in ("Figure 3", "Table 10"):
            found |= estimate(place, f"PTE, {row}", "Pearson r", pte)
            found |= estimate(place, f"Output tokens, {row}", "Pearson r", written)
        for name, price in PRICES.items():
            priced = correlation([turn.given + price * turn.written for turn in own], seconds)
            found |= estimate("Table 10", f"{name}, {row}", "Pearson r", priced)
    return found


PRICES = {"tokens 1:1": 1.0, "price 1:1.5": 1.5, "price 1:3": 3.0, "price 1:4": 4.0,
          "price 1:8": 8.0}  # fmt: skip
PEAKS = {
    "H100 (Ref)": (1513, 2.0), "H200": (1617, 4.8), "A100": (624, 1.93), "RTX 4090": (330, 1.0),
    "V100": (125, 0.9),
}  # fmt: skip
"""TFLOPS and TB/s."""
WHOSE = {
    name: ("our own, of the same kind", "all" if name in OF_PYTHON else "500 drawn")
    for name in HEADS
}


def _state_hardware(settings: dict[tuple[str, str], Setting]) -> Truth:
    """Tables 2 and 4: the ranks of settings by their mean cost there and on the reference."""
    found: Truth = {}
    for name, (flops, bandwidth) in PEAKS.items():
        hoi = flops / bandwidth

        def means(gamma: float, hoi=hoi) -> Triple:
            costs = [
                [fmean(e.pte(g) for e in own) for own in settings.values()]
                for g in (gamma, gamma * hoi / H100)
            ]
            return correlation(*map(stats.rankdata, costs), is_ranked=True)

        for table in ("Table 2", "Table 4"):
            found[table, name, "HOI"] = hoi
            found[table, name, "scaling factor"] = f"{hoi / H100:.2f}×"
            found |= estimate(table, name, "rank correlation", over_gamma(means))
    return found


def _state_sets(limit: int | None) -> Truth:
    """Figure 4."""
    found: Truth = {}
    for name in HEADS:
        row, many = BENCHMARKS[name].title, len(tir.list_questions()[name])
        cells = {
            "questions of this run": min(many, limit or TASKS["mini"]),
            "out of": many,
            "whose": WHOSE[name][0],
            "in the paper": WHOSE[name][1],
        }
        found |= {
            ("Figure 4: Question sets", row, column): value for column, value in cells.items()
        }
    return found


def _state_models() -> Truth:
    """Tables 1 and 3, from what the models' configurations say."""
    shapes = tomllib.loads(
        (Path(agentdyno.cost.__file__).parent / "data/architectures.toml").read_text("utf-8")
    )
    found: Truth = {}
    for own in shapes.values():
        shape = shapes.get(own.get("same_as"), {}) | own
        published, layers = shape.get("published_active_params"), shape.get("layers")
        for name in own.get("paper_rows", ()):
            active = (
                published - shape["embeddings_counted"] * shape["vocabulary"] * shape["hidden_size"]
            )
            latent = shape.get("latent_dim", 0) + shape.get("rope_dim", 0)
            width = latent or 2 * shape["kv_heads"] * shape["head_dim"]
            printed = latent or 2 * shape["hidden_size"] * shape["kv_heads"] / shape["query_heads"]
            paper = layers * printed * H100 / published
            cache = shape.get("full_attention_layers", layers) * width * H100 / active
            for place, cells in (
                ("Table 1", {"gamma": paper}),
                (
                    "Table 3",
                    {"layers": layers, "gamma, by the paper": paper, "gamma, by the cache": cache},
                ),
            ):
                found[place, name, "active parameters, billions"] = active / 1e9
                found |= {(place, name, column): value for column, value in cells.items()}
    return found
