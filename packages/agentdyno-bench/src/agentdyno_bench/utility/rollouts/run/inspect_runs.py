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
    """Options for continuing trajectories."""

    model: ModelSpec | None = None
    """Who goes on; None for the model that made the trajectory."""
    concurrency: int = 16
    """Continuations in progress at once."""
    trusted: bool = False
    """Whether the settings of the run are the user's own, so that they may say how to reach a
    model and that code runs unprotected."""
    prices: Path | None = None
    """A price table that goes before the bundled one."""


class _RunSetup(Struct, frozen=True):
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
        """List what the run's settings could use to run code here or to reach a server."""
        ...


class InspectRuns:
    """The benchmarks tir, toolfail and tps."""

    def __init__(
        self, ledger: Path, restoring: "Restoring", options: Continuing | None = None
    ) -> None:
        self._asked = options or Continuing()
        self._restoring = restoring
        self._ledger = ledger
        manifest = load(ledger)
        self._access = SourceAccess(ledger, manifest.volumes)
        inputs = manifest.inputs
        self._inputs = inputs | {clean_name(name): entry for name, entry in inputs.items()}
        self._costs = Costs(Ledger(ledger), self._asked.prices)
        self._setups: dict[Path, _RunSetup | str] = {}
        self._opened: dict[str, tuple[_RunSetup, str, str]] = {}
        self._ended: dict[Path, dict[str, Ended]] = {}
        self._begun: set[Path] = set()
        self._spent: list[float | None] = []

    def open(self, trajectory: Trajectory) -> Opened | str | None:
        """Told by the folder of its log."""
        location = self._access.find_place(self._inputs[trajectory.source])
        if location is None:
            return self._access.why_closed
        log = Path(location)
        file = settings_file(log) if trajectory.format == "inspect_ai" else None
        if file is None or trajectory.task_id is None:
            return None
        setup = self._setup(file, log)
        if isinstance(setup, str):
            return setup
        if trajectory.parent_id is not None:
            return "it was started by another trajectory"
        self._opened[trajectory.trajectory_id] = (setup, str(log), trajectory.task_id)
        return Opened(setup.model.name)

    def _setup(self, file: Path, log: Path) -> _RunSetup | str:
        if file not in self._setups:
            self._setups[file] = self._read_setup(log)
        return self._setups[file]

    def _read_setup(self, log: Path) -> _RunSetup | str:
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
        return _RunSetup(settings, recipe, model, self._ledger / FOLDER / name)

    def find_recorded(self, rollouts: Sequence[Rollout]) -> Outcomes:
        """From the logs; continuations that failed are run again."""
        outcomes: Outcomes = {}
        for rollout in rollouts:
            ended = self._read_ended(self._opened[rollout.trajectory_id][0]).get(_name(rollout))
            if ended is not None and ended.error is None:
                outcomes[rollout] = _is_solved(ended)
        return outcomes

    def _read_ended(self, setup: _RunSetup) -> dict[str, Ended]:
        if setup.folder not in self._ended:
            logs = setup.folder.glob("logs/*/*")
            self._ended[setup.folder] = {e.sample: e for log in logs for e in read_ended(log)}
        return self._ended[setup.folder]

    def continue_from(self, rollouts: Sequence[Rollout], progress: Progress | None) -> Outcomes:
        """One way after the other, each as one run."""
        groups: dict[Path, list[Rollout]] = defaultdict(list)
        for rollout in rollouts:
            groups[self._opened[rollout.trajectory_id][0].folder].append(rollout)
        outcomes: Outcomes = {}
        for group in groups.values():
            report = _further(progress, len(outcomes), len(rollouts))
            outcomes |= self._run(self._opened[group[0].trajectory_id][0], group, report)
        return outcomes

    def _run(
        self, setup: _RunSetup, rollouts: list[Rollout], progress: Progress | None
    ) -> Outcomes:
        from msgspec import structs

        from agentdyno_bench.shared.running.task_runs import run_task

        plan = setup.folder.absolute() / "plan.json"
        write_plan(plan, [self._continuation(rollout) for rollout in rollouts])
        task = {"factory": setup.recipe.factory, "arguments": setup.recipe.arguments}
        options = setup.settings.run_options(setup.folder, self._asked.concurrency)
        # What failed before is tried again, but once in a run of this command.
        again = setup.folder not in self._begun
        self._begun.add(setup.folder)
        before = len(self._read_ended(setup))
        run = run_task(
            TaskRecipe(FACTORY, {"task": task}, {"plan": str(plan)}),
            setup.model,
            structs.replace(options, retry_failed=again, log_samples=LOG_SAMPLES),
            _further(progress, -before, len(rollouts)),
        )
        ended = {e.sample: e for e in read_ended(run.folder)}
        self._ended[setup.folder] = ended
        self._spent += [self._count_paid(rollout, ended[_name(rollout)]) for rollout in rollouts]
        return {rollout: _is_solved(ended[_name(rollout)]) for rollout in rollouts}

    def _count_paid(self, rollout: Rollout, ended: Ended) -> float | None:
        """By its usage; as expected where a model beside the agent's has no known price."""
        paid = self._costs.count_paid(ended.usage)
        return self.estimate_usd(rollout) if paid is None else paid

    def _continuation(self, rollout: Rollout) -> Continuation:
        _, log, sample = self._opened[rollout.trajectory_id]
        cut: Cut = rollout.cut
        return Continuation(_name(rollout), log, sample, cut.answers, cut.calls, rollout.seed)

    def estimate_usd(self, rollout: Rollout) -> float | None:
        """As much as the recorded turns after the cut took."""
        model = self._opened[rollout.trajectory_id][0].model.name
        return self._costs.estimate(rollout.trajectory_id, rollout.cut.answers, model)

    def count_spent_usd(self) -> float | None:
        """By the usage that providers reported."""
        costs = [usd for usd in self._spent if usd is not None]
        return sum(costs) if len(costs) == len(self._spent) else None


def _name(item: Rollout) -> str:
    """The continuation's id: short, and the same in every run."""
    whose = blake2b(item.trajectory_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{whose}-{item.cut.answers}.{item.cut.calls}-{item.number}"


def _is_solved(ended: Ended) -> bool | None:
    return None if ended.error is not None or ended.score is None else ended.score >= 1


def _further(progress: Progress | None, finished: int, total: int) -> Progress | None:
    """The same bar, of which so much is done."""
    if progress is None:
        return None
    return lambda now, _: progress(max(0, finished + now), total)
