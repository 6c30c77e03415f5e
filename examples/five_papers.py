"""Prints the measures of five papers for the records in `examples/five`: `make demo`.

    python examples/five_papers.py [FOLDER]

Nothing that is printed is stored: logs, verdicts and depths come in, `agentdyno.measures` does the
rest. How the records were made is in `examples/five/README.md`.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from five_records import Attempt, Sample, read_log, read_samples, read_suites

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_ratio
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.shares import clustered_share
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.findings.patterns.reading import Reading
from agentdyno.measures import depth, failures, patterns, planning, pte, utility
from agentdyno.records import Trajectory

FOLDER = Path(__file__).parent / "five"
AGENTS = ("smollm2-agent", "careful", "hasty")
ARCHITECTURE = "smollm2-135m"
"""Tokens of the scripted agents are priced as if the small model had read and written them."""
INPUT_PRICE, OUTPUT_PRICE = 0.042, 0.42
"""Dollars for a million tokens of Qwen3-1.7B in TPS-Bench's Table 4, as no list has our agents."""
LABEL, CELL, PAPER = 22, 15, 13
WIDTH = LABEL + 3 * CELL + PAPER
NO_RECORD = "no record"
"""Stands where nothing can be computed; the last line of the block says what would supply it."""


def main(folder: Path = FOLDER) -> None:
    print(
        f"Computed now from the records in examples/{folder.name}; * = scripted, [95 % interval]."
    )
    print(_columns("", (AGENTS[0], *(f"{agent}*" for agent in AGENTS[1:])), "the paper"))
    for block in (show_pte, show_utility, show_depth, show_planning, show_failures):
        if block is not show_pte:
            print()
        block(folder)


# PTE: Beyond Accuracy -----------------------------------------------------------------------------


def show_pte(folder: Path) -> None:
    _title("Beyond Accuracy: what do attempts cost the hardware, and why?", "Tables 5, 7")
    attempts = [list(read_log(folder / "mathematics", agent)) for agent in AGENTS]
    costs = [[find_pte(attempt.trajectory) for attempt in some] for some in attempts]
    _row("mean PTE, thousands", [_mean(some, _thousands) for some in costs], "0.7 to 28.2")
    ratios = []
    for detector in PUBLISHED:
        has = [[bool(detector.detect(Reading(a.trajectory))) for a in some] for some in attempts]
        shares = [_share(patterns.frequency(some)) for some in has]
        _row(detector.name.replace("_", " "), shares, PATTERNS[detector.name])
        ratios.append(patterns.multiplier(costs[-1], has[-1]))
    print("  hasty: PTE " + " ".join(f"x{_interval(ratio, _plain)}" for ratio in ratios))
    _command("agentdyno measure LOGS --out L")


def find_pte(trajectory: Trajectory) -> float:
    """The paper's PTE: every turn prefills its whole context."""
    turns = [
        (turn.prefill.tokens, turn.decode.tokens)
        for turn in trajectory.turns
        if turn.prefill is not None and turn.decode is not None
    ]
    cost = pte.trajectory(turns, architecture=ARCHITECTURE)
    assert cost is not None
    return cost


PATTERNS = {
    "confirmatory": "81%, x1.77",
    "tool_mixing": "59%, x2.42",
    "lack_of_tool_priors": "33%, x2.15",
    "format_collapse": "100%",
}
"""With the frequency and cost multiplier of the paper's Table 7."""


# Utility: Eta Given Delta -------------------------------------------------------------------------


def show_utility(folder: Path) -> None:
    _title("Eta Given Delta: which calls help (marginal tool utility > 0)?", "GPT-5.3-Codex")
    suites = read_suites(folder / "utility")
    cells = []
    for suite, trajectories in suites.items():
        signs = [[call.useful for call in calls] for calls in trajectories.values()]
        known = [value for value in map(utility.eta, signs) if value is not None]
        cells.append(f"{suite} suite {_interval(_estimate(known), _decimals)}")
    _wide("mean eta", "   ".join(cells), ".36 and .72")
    tools: dict[str, list[utility.Useful]] = defaultdict(list)
    for calls in suites["default"].values():
        for call in calls:
            tools[call.tool].append(call.useful)
    worth = {tool: utility.count(signs).utility for tool, signs in tools.items()}
    left = {call.tool for calls in suites["lean"].values() for call in calls}
    chosen = (max(worth, key=lambda tool: worth[tool]), *sorted(worth.keys() - left))
    _wide("by tool", ", ".join(f"{tool} {worth[tool]:+d}" for tool in chosen), "+25, -35, -30")
    _command("agentdyno judge L -m MODEL")


# Depth: Think Deep, Not Just Long -----------------------------------------------------------------


def show_depth(folder: Path) -> None:
    _title("Think Deep, Not Just Long: is deeper thinking more often right?", "GPT-OSS-120B")
    samples = list(read_samples(folder / "depth" / "smollm2.jsonl.xz"))
    sides = [[s for s in samples if s.correct is right] for right in (True, False)]
    right, wrong = (_interval(_by_problem(side), _decimals) for side in sides)
    _wide("DTR", f"SmolLM2, right {right}, wrong {wrong}", ".19 and .14")
    solved = [float(sample.correct) for sample in samples]
    r = depth.correlate_bins([sample.dtr for sample in samples], solved)
    by_length = depth.correlate_bins([float(len(sample.deep)) for sample in samples], solved)
    cells = f"DTR {_interval(r, _decimals)}  length {_interval(by_length, _decimals)}"
    _wide("r, 5 bins", cells, ".83 and -.54")
    _wide("Think@n", _compare_choices(samples) if samples else NO_RECORD, "95%, -49%; 93%")
    _command("agentdyno depth --ledger L; agentdyno think --problems FILE")


def _compare_choices(samples: Sequence[Sample]) -> str:
    think, cons = choose_answers(samples)
    cost = depth.change(think.tokens, cons.tokens)
    return f"{_share(think.accuracy)}, tokens {cost:+.0%}; Cons@n {_share(cons.accuracy)}"


class Chosen(NamedTuple):
    """What a way of choosing came to over all problems."""

    accuracy: Estimate
    tokens: int


def choose_answers(samples: Sequence[Sample]) -> tuple[Chosen, Chosen]:
    """Think@n and Cons@n with all samples of every problem."""
    by_problem: dict[str, list[Sample]] = defaultdict(list)
    for sample in samples:
        by_problem[sample.problem].append(sample)
    found = []
    for problem in by_problem.values():
        answers, lengths = [s.answer for s in problem], [len(s.deep) for s in problem]
        early = [s.early_dtr for s in problem]
        right = {s.answer for s in problem if s.correct}
        choices = (depth.think_at_n(answers, lengths, early), depth.cons_at_n(answers, lengths))
        found.append([(choice.answer in right, choice.cost_tokens) for choice in choices])
    think, cons = (
        Chosen(wilson(sum(right for right, _ in way), len(way)), sum(cost for _, cost in way))
        for way in zip(*found, strict=True)
    )
    return think, cons


def _by_problem(samples: Sequence[Sample]) -> Estimate:
    ratios: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        ratios[sample.problem].append(sample.dtr)
    return as_share(clustered_mean(ratios))


# Planning: TPS-Bench ------------------------------------------------------------------------------


def show_planning(folder: Path) -> None:
    _title("TPS-Bench: how much gets done, in how many turns, at what price?", "Qwen3-1.7B")
    attempts = [list(read_log(folder / "planning", agent)) for agent in AGENTS]
    done = [[find_completion(attempt) for attempt in some] for some in attempts]
    _row("completion rate", [_share(clustered_share(_tasks(some))) for some in done], "33%")
    turns = [[float(count_turns(attempt.trajectory)) for attempt in some] for some in attempts]
    _row("tool call turns", [_mean(some, _plain) for some in turns], "2.3")
    costs = [[1000 * find_cost(attempt.trajectory) for attempt in some] for some in attempts]
    cells = [_cost_of_pass(*pair) for pair in zip(costs, done, strict=True)]
    _row("cost-of-pass, 1e-3 $", cells, "2.4")
    _command("agentdyno judge L --kind completion -m MODEL")


def find_completion(attempt: Attempt) -> float:
    marks = attempt.marks
    return planning.completion_rate(len(marks["completed"]), marks["subtasks"])


def count_turns(trajectory: Trajectory) -> int:
    """Turns in which a tool ran."""
    return len({call.turn for call in trajectory.calls if call.executed})


def find_cost(trajectory: Trajectory) -> float:
    sent = sum(turn.prefill.tokens for turn in trajectory.turns if turn.prefill)
    written = sum(turn.decode.tokens for turn in trajectory.turns if turn.decode)
    return planning.cost(sent, written, INPUT_PRICE, OUTPUT_PRICE)


def _cost_of_pass(costs: list[float], done: list[float]) -> str:
    if not done:
        return NO_RECORD
    ratio = paired_ratio(_tasks(done), _tasks(costs))
    value = planning.cost_of_pass(fmean(costs), fmean(done))
    return "none completed" if value is None else _brackets(_plain(value), ratio, _plain)


# Failures: ToolFailBench --------------------------------------------------------------------------


def show_failures(folder: Path) -> None:
    _title("ToolFailBench: where does the use of tools break?", "Grok-4.3")
    labels = []
    for agent in AGENTS:
        by_kind: dict[str, list[str]] = {"required": [], "control": []}
        for attempt in read_log(folder / "failures", agent):
            by_kind[attempt.sample["metadata"]["kind"]].append(find_label(attempt))
        labels.append(by_kind)
    printed = {"CTUR": "86%", "TSR": "12%", "RIR": "1.7%", "OFR": "0.1%", "UTR": "0.8%"}
    for name, paper in printed.items():
        kind, counted = failures.RATES[name]  # type: ignore[index]
        shares = [failures.count_rate(some[kind], counted) for some in labels]
        cells = [_share(wilson(share.hits, share.decided)) for share in shares]
        _row(f"{name} ({MEANING[name]})", cells, paper)
    _command("agentdyno judge L --kind failure -m MODEL")


MEANING = {
    "CTUR": "clean use",
    "TSR": "skipped",
    "RIR": "ignored",
    "OFR": "made up",
    "UTR": "needless",
}


def find_label(attempt: Attempt) -> str:
    """The published rule: what the log's task expects against what ran and what was answered."""
    trajectory, expected = attempt.trajectory, attempt.sample["metadata"]["expected"]
    answer = next((p.text for p in reversed(trajectory.parts) if p.kind == "text"), "")
    if not expected["calls"]:
        called = [call.tool for call in trajectory.calls]
        return failures.label_control(answer, called, expected["values"], expected["match"])
    tool = expected["calls"][-1]["tool"]
    executed = [call for call in trajectory.calls if call.executed]
    parts = [call.result for call in executed if call.tool == tool]
    results = [None if part is None else trajectory.parts[part].text for part in parts]
    returned = decode_json(results[-1]) if results and results[-1] else None
    names = [call.tool for call in executed]
    return failures.label_required(
        answer, names, tool, returned, expected["values"], expected["match"]
    )


def decode_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


# Printing -----------------------------------------------------------------------------------------

Form = Callable[[float], str]


def _title(question: str, paper: str) -> None:
    print(f"{question:<{WIDTH - PAPER - 2}}{paper:>{PAPER + 2}}")


def _row(name: str, cells: Sequence[str], printed: str) -> None:
    print(_columns(f"  {name}", cells, printed))


def _columns(name: str, cells: Sequence[str], printed: str) -> str:
    middle = "".join(f"{cell:>{CELL}}" for cell in cells)
    return f"{name:<{LABEL}}{middle}{printed:>{PAPER}}"


def _wide(name: str, text: str, printed: str) -> None:
    line = f"  {name:<9} {text}"
    print(f"{line:<{WIDTH - len(printed) - 1}} {printed}".rstrip())


def _command(text: str) -> None:
    print(f"  your logs: {text}")


def _tasks(values: Sequence[float]) -> dict[str, list[float]]:
    return {str(place): [value] for place, value in enumerate(values)}


def _estimate(values: Sequence[float]) -> Estimate:
    return clustered_mean(_tasks(values))


def _mean(values: Sequence[float], form: Form) -> str:
    return _interval(_estimate(values), form)


def _share(share: Estimate) -> str:
    if share.value is None:
        return NO_RECORD
    return _brackets(f"{100 * share.value:.0f}%", share, lambda end: f"{100 * end:.0f}")


def _interval(found: Estimate, form: Form) -> str:
    return NO_RECORD if found.value is None else _brackets(form(found.value), found, form)


def _brackets(value: str, found: Estimate, form: Form) -> str:
    if found.low is None or found.high is None:
        return value
    return f"{value} [{form(found.low)}, {form(found.high)}]"


def _thousands(value: float) -> str:
    return f"{value / 1000:.1f}"


def _plain(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _decimals(value: float) -> str:
    return f"{value:.2f}".replace("0.", ".", 1)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
