"""Policies of known truth through `agentdyno paper`, every cell that follows from them compared.

    python -m tests.zoo.papers OUT [PAPER …]     `make papers`; OUT is kept: run again, it goes on
    python -m tests.zoo.papers OUT --dealt       one model that plays another policy on each task

Each paper is run by its own command, at mini size, with some policies as its models. What a cell
should hold is worked out from how a policy was built and from what the service billed, never by
the code that made the page.
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from agentdyno.records.failures import ToolTask
from agentdyno_bench.papers.pte_page import TASKS as PTE_TASKS
from agentdyno_bench.papers.toolfail_page import TASKS as TOOLFAIL_TASKS
from agentdyno_bench.papers.tps_page import TASKS as TPS_TASKS
from agentdyno_bench.papers.utility_page import TASKS as UTILITY_TASKS
from agentdyno_bench.tir.benchmarks import BENCHMARKS
from agentdyno_bench.tir.loading import load_problems
from agentdyno_bench.toolfail.sampling import order_evenly
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import Level
from tests.zoo import tir, toolfail, tps
from tests.zoo.play import reach, run_command
from tests.zoo.server import Zoo, serve

DEALT = "dealt"
"""Of every benchmark's policies, one a task in turn."""
PORT, DEALT_PORT = 18_972, 18_973
"""Of the service: what was run before goes on only at the same address."""
POLICIES: dict[str, tuple[str, ...]] = {
    "pte": ("good", "sequential", "right_by_heart", "mixes_tools", "confirms", "prints_nothing",
            "unoffered_tool", "malformed_calls", "wrong"),
    "utility": ("good", "right_by_heart"),
    "tps": ("good", "sequential", "half", "lazy", "needless", "ignores", "refused_arguments"),
    "toolfail": ("good", "lazy", "refuses", "ignores", "invents_on_half", "guess_on_half",
                 "needless_without_arguments", "needless_malformed", "wrong_on_controls",
                 "mixes_tools", "malformed_calls"),
}  # fmt: skip

Truth = dict[tuple[str, str, str], float]
"""By exhibit, row and column."""


class Cell(NamedTuple):
    """One cell of a page beside what it should hold."""

    paper: str
    exhibit: str
    row: str
    column: str
    stated: float
    made: float | None

    @property
    def is_as_stated(self) -> bool:
        """Whether the two are the same."""
        return self.made is not None and abs(self.made - self.stated) < 1e-6 * max(1, self.stated)


def run_paper(zoo: Zoo, out: Path, paper: str, policies: Sequence[str]) -> dict[str, Any]:
    """The page of a paper as the command prints it for programs."""
    code, page = run_command(
        "paper", paper, *reach(zoo, *policies), "--size", "mini", "--concurrency", 8,
        "--out", out / f"{paper}.html", "--json",
    )  # fmt: skip
    assert code == 0, code
    return page


def compare(paper: str, page: Mapping[str, Any], truth: Truth) -> list[Cell]:
    """Every stated cell with what the page has there."""
    made = {
        (exhibit["name"], str(row[0]), column): _number(value)
        for exhibit in page["exhibits"]
        for row in exhibit["rows"]
        for column, value in zip(exhibit["columns"], row, strict=True)
    }
    return [Cell(paper, *key, value, made.get(key)) for key, value in sorted(truth.items())]


def _number(value: Any) -> float | None:
    value = value["value"] if isinstance(value, dict) and "value" in value else value
    return float(value) if isinstance(value, int | float) else None


def state(paper: str, zoo: Zoo, policies: Sequence[str]) -> Truth:
    """What the cells of a paper's page should hold."""
    stating: dict[str, Callable[[str, str], Truth]] = {
        "pte": _state_pte,
        "utility": _state_utility,
        "tps": _state_tps,
        "toolfail": _state_toolfail,
    }
    found: Truth = {}
    for policy in policies:
        found |= stating[paper](policy, zoo.model(policy))
    if paper == "toolfail":
        found |= _state_first_table(len(policies)) | _state_heats(policies[0], zoo)
    return found


# Each paper ---------------------------------------------------------------------------------------


def _tasks() -> list[ToolTask]:
    return order_evenly(load_suite().tasks)[: TOOLFAIL_TASKS["mini"]]


def _rates(policy: str) -> dict[str, float | None]:
    played = [toolfail.deal()[t.task_id] if policy == DEALT else policy for t in _tasks()]
    return toolfail.state_rates(played, _tasks())


def _state_toolfail(policy: str, model: str) -> Truth:
    rates = _rates(policy)
    tables = {
        "Table 2": {"Ens. CTUR": "CTUR", "Rule CTUR": "CTUR", "Ens. TSR": "TSR", "Ens. RIR": "RIR",
                    "Ens. OFR": "OFR", "Ens. UTR": "UTR", "Ens. CTRL-Acc": "CTRL-Acc"},
        "Figure 2": {"CTUR": "CTUR", "UTR": "UTR"},
        "Table 3": {name: name for name in ("CTUR", "RIR", "UTR", "CTRL-Acc")},
        "Table 6": {"CTUR": "CTUR"},
    }  # fmt: skip
    return {
        (table, model, column): rate
        for table, columns in tables.items()
        for column, name in columns.items()
        if (rate := rates[name]) is not None
    }


def _state_first_table(models: int) -> Truth:
    required = sum(bool(task.script) for task in _tasks())
    sizes = dict.fromkeys(("TSR", "CTUR", "RIR", "OFR"), required)
    sizes |= dict.fromkeys(("UTR", "CTRL-Acc"), len(_tasks()) - required)
    return {("Table 1", metric, "tasks"): models * size for metric, size in sizes.items()}


def _state_heats(policy: str, zoo: Zoo) -> Truth:
    """Policies do not mind the temperature."""
    ctur = _rates(policy)["CTUR"]
    assert ctur is not None
    row = f"{zoo.model(policy)}, temperature"
    return {("Section B.3", f"{row} {heat}", "Rule CTUR"): ctur for heat in ("0", "0.7")}


def _played(policy: str, task_id: str) -> str:
    return tps.deal(task_id) if policy == DEALT else policy


def _state_tps(policy: str, model: str) -> Truth:
    """Which tools are offered by rule is the product's choice, not the policy's; and what one call
    a turn makes of a policy that calls several does not follow from it."""
    found: Truth = {}
    levels: tuple[Level, ...] = ("easy", "hard")
    for level in levels:
        tasks = [task.task_id for task in load_bundled(level).tasks[: TPS_TASKS["mini"]]]
        figures = tps.state_figures([_played(policy, task) for task in tasks], tasks)
        completion, turns = figures["completion"], figures.get("turns")
        assert completion is not None
        for table in ("Table 1", "Table 3") if level == "hard" else ("Table 1",):
            row = f"{model}, {level.capitalize()}"
            found[table, row, "task completion"] = completion
            if turns is not None:
                found[table, row, "turns"] = turns
    for figure, way in (("Figure 5", "self"), ("Figure 5", "none"), ("Figure 6", "parallel")):
        found[figure, f"{model}, {way}", "task completion"] = completion
    return found


def _state_utility(policy: str, model: str) -> Truth:
    """Without servers nothing can be done, and only what ran earns."""
    tasks = [task.task_id for task in load_bundled("easy").tasks[: UTILITY_TASKS["mini"]]]
    solved = tps.state_figures([_played(policy, task) for task in tasks], tasks)["all_done"]
    assert solved is not None
    found: Truth = {}
    table = "Table 1" if policy in (POLICIES["utility"][0], DEALT) else "Table 2"
    for variant in ("default", "needed", "none"):
        passed = 0.0 if variant == "none" else solved * len(tasks)
        row = f"{model}, {variant}"
        found[table, row, "pass"] = passed
        found[table, row, "fail"] = len(tasks) - passed
        found[table, row, "accuracy"] = passed / len(tasks)
    return found


def _questions(name: str) -> list[tir.Question]:
    benchmark = BENCHMARKS[name]
    problems = load_problems(benchmark)[: PTE_TASKS["mini"]]
    return [tir.Question(problem, benchmark.tools) for problem in problems]


def _state_pte(policy: str, model: str) -> Truth:
    heads = {"math_500": "MATH500", "aime_2024": "AIME24", "aime_2025": "AIME25",
             "simpleqa": "SimpleQA", "webinstruct": "WebInstruct"}  # fmt: skip
    found: Truth = {}
    for name, head in heads.items():
        asked = _questions(name)
        figures = tir.state_figures([policy] * len(asked), asked)
        table = "Table 6" if name in ("simpleqa", "webinstruct") else "Table 5"
        if figures["accuracy"] is not None and figures["graded"] == len(asked):
            found[table, model, f"{head} acc"] = figures["accuracy"]
        found[table, model, f"{head} tool uses"] = figures["calls_mean"] or 0.0
    mixed = [_mix(policy, asked) for asked in _questions("webinstruct")]
    found["Figure 6", model, "mixed attempts"] = fmean(both for both, _, _ in mixed)
    found["Figure 6", model, "Python calls"] = fmean(code for _, code, _ in mixed)
    found["Figure 6", model, "search and visit calls"] = fmean(web for _, _, web in mixed)
    return found


def _mix(policy: str, asked: tir.Question) -> tuple[float, int, int]:
    """Whether code and web both ran, and how many calls name either."""
    act = tir.find_act(policy, asked)
    names = [call.tool for calls in act.turns for call in calls]
    code = names.count("python")
    ran = act.ran is None or act.ran > 0
    return float(ran and 0 < code < len(names)), code, len(names) - code


# All of them --------------------------------------------------------------------------------------


def main(out: Path, words: Sequence[str]) -> int:
    """Prints each cell that differs, and how long each paper took."""
    wrong = 0
    out.mkdir(parents=True, exist_ok=True)
    with serve(port=DEALT_PORT if "--dealt" in words else PORT) as zoo:
        for paper in [word for word in words if word in POLICIES] or POLICIES:
            began = time.perf_counter()
            policies = (DEALT,) if "--dealt" in words else POLICIES[paper]
            page = run_paper(zoo, out, paper, policies)
            cells = compare(paper, page, state(paper, zoo, policies))
            differing = [cell for cell in cells if not cell.is_as_stated]
            for cell in differing:
                print(f"DIFFERS {cell}")
            seconds = time.perf_counter() - began
            print(
                f"{paper}: {len(cells) - len(differing)} of {len(cells)} cells as stated, "
                f"{len(policies)} models, {seconds:.0f} s",
                flush=True,
            )
            wrong += len(differing)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
