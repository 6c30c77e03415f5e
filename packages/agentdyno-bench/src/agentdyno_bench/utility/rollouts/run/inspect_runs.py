"""Trajectories of our Inspect benchmarks, continued by a model: cuts in, outcomes out.

A continuation is an ordinary Inspect sample (see `benchmarks.running.continuing`), so it has what
every run has: it waits for its turn, is written to a log when it ends and is not run twice.

LEDGER/continuations/SETTINGS/logs/…    one folder for each way in which trajectories were made

A trajectory can be continued when its log still lies in the folder of the run that wrote it, whose
settings say how the task was made and with which model. That model goes on, unless another is
named. A task counts as solved when its mark is 1: part of a compound task is not.
"""

from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from agentdyno.ledger.file_names import refuse_links_under
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.records import Trajectory
from agentdyno.records.secrets import clean_name
from agentdyno_bench.shared.running.continuing import FACTORY, Continuation, write_plan
from agentdyno_bench.shared.running.history import Ended, read_ended
from agentdyno_bench.shared.running.options import ModelSpec, TaskRecipe
from agentdyno_bench.shared.running.settings import RunSettings, read_settings, settings_file
from agentdyno_bench.utility.rollouts.continuations import (
    Opened,
    Outcomes,
    Progress,
    Rollout,
)
from agentdyno_bench.utility.rollouts.cuts import Cut
from agentdyno_bench.utility.rollouts.money import Costs

FOLDER = "continuations"
"""Folder of a ledger that holds their logs."""
LOG_SAMPLES = 200
"""Continuations in one log: they are many and short, and a log is written anew with each."""


class Continuing(Struct, frozen=True):
    """What a user may choose."""

    model: ModelSpec | None = None
    """Who goes on; None for the model that made the trajectory."""
    concurrency: int = 16
    """Continuations in progress at once."""
    trusted: bool = False
    """Whether the settings of the run are the user's own, so that they may say how to reach a
    model and that code runs unprotected."""
    prices: Path | None = None
    """A price table that goes before the bundled one."""


class _Way(Struct, frozen=True):
    """One way in which trajectories were made."""

    settings: RunSettings
    """As their run's folder has it."""
    recipe: TaskRecipe
    """The task of the continuations."""
    model: ModelSpec
    """The model that continues the trajectories."""
    folder: Path
    """Where continuations are kept."""


class Restoring(Protocol):
    """Which tasks can be continued, and what is risky about doing so."""

    def restore(self, recipe: TaskRecipe) -> TaskRecipe | str:
        """The recipe of a task that goes on from a recorded state; or why there is none."""
        ...

    def doubts(self, settings: RunSettings, model_named: bool) -> list[str]:
        """What the run's settings could use to run code here or to reach somebody's server."""
        ...


class InspectRuns:
    """The benchmarks tir, toolfail and tps."""

    def __init__(
        self, ledger: Path, restoring: "Restoring", asked: Continuing | None = None
    ) -> None:
        self._asked = asked or Continuing()
        self._restoring = restoring
        self._ledger = ledger
        manifest = load(ledger)
        self._access = SourceAccess(ledger, manifest.volumes)
        known = manifest.inputs
        self._inputs = known | {clean_name(name): entry for name, entry in known.items()}
        self._costs = Costs(Ledger(ledger), self._asked.prices)
        self._ways: dict[Path, _Way | str] = {}
        self._opened: dict[str, tuple[_Way, str, str]] = {}
        self._ended: dict[Path, dict[str, Ended]] = {}
        self._begun: set[Path] = set()
        self._spent: list[float | None] = []

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """Told by the folder of its log."""
        place = self._access.find_place(self._inputs[trajectory.source])
        if place is None:
            return self._access.why_closed
        log = Path(place)
        file = settings_file(log) if trajectory.format == "inspect_ai" else None
        if file is None or trajectory.task_id is None:
            return None
        way = self._way(file, log)
        if isinstance(way, str):
            return way
        if trajectory.parent_id is not None:
            return "it was started by another trajectory"
        self._opened[trajectory.trajectory_id] = (way, str(log), trajectory.task_id)
        return Opened(way.model.name)

    def _way(self, file: Path, log: Path) -> _Way | str:
        if file not in self._ways:
            self._ways[file] = self._found(log)
        return self._ways[file]

    def _found(self, log: Path) -> _Way | str:
        settings = read_settings(log)
        if settings is None:
            return "the settings of its run cannot be read"
        recipe = self._restoring.restore(settings.task)
        if isinstance(recipe, str):
            return recipe
        doubtful = self._restoring.doubts(settings, self._asked.model is not None)
        if doubtful and not self._asked.trusted:
            doubts_text = " and ".join(doubtful)
            return f"its settings {doubts_text}; if the run is your own, say --trust-run"
        model = self._asked.model or settings.model
        decides = msgspec.json.encode([settings, recipe, model], order="deterministic")
        name = blake2b(decides, digest_size=6).hexdigest()
        refuse_links_under(self._ledger / FOLDER / name)
        return _Way(settings, recipe, model, self._ledger / FOLDER / name)

    def find_recorded(self, rollouts: Sequence[Rollout]) -> Outcomes:
        """From the logs; continuations that failed are run again."""
        found: Outcomes = {}
        for one in rollouts:
            ended = self._read_ended(self._opened[one.trajectory_id][0]).get(_name(one))
            if ended is not None and ended.error is None:
                found[one] = _is_solved(ended)
        return found

    def _read_ended(self, way: _Way) -> dict[str, Ended]:
        if way.folder not in self._ended:
            logs = way.folder.glob("logs/*/*")
            self._ended[way.folder] = {e.sample: e for log in logs for e in read_ended(log)}
        return self._ended[way.folder]

    def continue_from(self, rollouts: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """One way after the other, each as one run."""
        ways: dict[Path, list[Rollout]] = defaultdict(list)
        for one in rollouts:
            ways[self._opened[one.trajectory_id][0].folder].append(one)
        found: Outcomes = {}
        for group in ways.values():
            report = _further(progress, len(found), len(rollouts))
            found |= self._run(self._opened[group[0].trajectory_id][0], group, report)
        return found

    def _run(self, way: _Way, rollouts: list[Rollout], progress: Progress | None) -> Outcomes:
        from msgspec import structs

        from agentdyno_bench.shared.running.task_runs import run_task

        plan = way.folder.absolute() / "plan.json"
        write_plan(plan, [self._continuation(one) for one in rollouts])
        task = {"factory": way.recipe.factory, "arguments": way.recipe.arguments}
        options = way.settings.run_options(way.folder, self._asked.concurrency)
        # What failed before is tried again, but once in a run of this command.
        again = way.folder not in self._begun
        self._begun.add(way.folder)
        before = len(self._read_ended(way))
        run = run_task(
            TaskRecipe(FACTORY, {"task": task}, {"plan": str(plan)}),
            way.model,
            structs.replace(options, retry_failed=again, log_samples=LOG_SAMPLES),
            _further(progress, -before, len(rollouts)),
        )
        ended = {e.sample: e for e in read_ended(run.folder)}
        self._ended[way.folder] = ended
        self._spent += [self._count_paid(one, ended[_name(one)]) for one in rollouts]
        return {one: _is_solved(ended[_name(one)]) for one in rollouts}

    def _count_paid(self, one: Rollout, ended: Ended) -> float | None:
        """By its usage; as expected where a model beside the agent's has no known price."""
        paid = self._costs.count_paid(ended.usage)
        return self.estimate_usd(one) if paid is None else paid

    def _continuation(self, one: Rollout) -> Continuation:
        _, log, sample = self._opened[one.trajectory_id]
        cut: Cut = one.cut
        return Continuation(_name(one), log, sample, cut.answers, cut.calls, one.seed)

    def estimate_usd(self, one: Rollout) -> float | None:
        """As much as the recorded turns after the cut took."""
        model = self._opened[one.trajectory_id][0].model.name
        return self._costs.estimate(one.trajectory_id, one.cut.answers, model)

    def count_spent_usd(self) -> float | None:
        """By the usage that providers reported."""
        known = [usd for usd in self._spent if usd is not None]
        return sum(known) if len(known) == len(self._spent) else None


def _name(one: Rollout) -> str:
    """The continuation's id: short, and the same in every run."""
    whose = blake2b(one.trajectory_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{whose}-{one.cut.answers}.{one.cut.calls}-{one.number}"


def _is_solved(ended: Ended) -> bool | None:
    return None if ended.error is not None or ended.score is None else ended.score >= 1


def _further(progress: Progress | None, done: int, total: int) -> Progress | None:
    """The same bar, of which so much is done."""
    if progress is None:
        return None
    return lambda now, _: progress(max(0, done + now), total)
