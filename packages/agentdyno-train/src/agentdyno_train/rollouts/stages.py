"""Rolls out everything that a dyno sheet needs of its agents, batch after batch, into a folder.

    greedy      every task once, greedily                                    plays.jsonl
    samples     some planning tasks several times, sampled                   plays.jsonl
    futures     planning attempts continued from every call, sampled         futures.jsonl
    timed       some planning tasks one at a time, for their seconds         plays.jsonl

Depths of greedy attempts and samples are measured at once (depths.jsonl). What is in the folder is
not generated again; with a limit in seconds the later stages are left out, which is reported.
"""

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agentdyno_train.rollouts.batch_decoder import Slot
from agentdyno_train.rollouts.depths import measure_turn_depths
from agentdyno_train.rollouts.episodes import Episode
from agentdyno_train.rollouts.journal import (
    ATTEMPTS,
    CONTINUATIONS,
    DEPTHS,
    MACHINE,
    Continuation,
    Journal,
    RolloutOptions,
    RolloutRecord,
    TurnDepth,
)
from agentdyno_train.rollouts.model_pool import ModelPool
from agentdyno_train.rollouts.scheduling import (
    Cut,
    EpisodeFactory,
    PlannedEpisode,
    plan_continuations,
    plan_greedy,
    plan_samples,
    plan_timed,
)

Progress = Callable[[str, int, int], None]
"""Called with a stage, how much of it is done and how much there is."""


class Stages:
    """The rollouts of one folder, stage by stage."""

    def __init__(
        self,
        options: RolloutOptions,
        folder: Path,
        seconds: float | None = None,
        progress: Progress | None = None,
        device: str | None = None,
        base: str | None = None,
    ) -> None:
        self._options, self._journal = options, Journal(folder)
        self._journal.begin(options)
        self._until = None if seconds is None else time.perf_counter() + seconds
        self._progress = progress or (lambda *_: None)
        known = {} if base is None else {"base": base}
        self._pool = ModelPool(device, options.window, options.turn_tokens, **known)
        (folder / MACHINE).write_text(self._pool.machine(), "utf-8")
        self._factory = EpisodeFactory(options)
        self.left_out: list[str] = []

    def run(self) -> None:
        """Everything, the most needed first."""
        # The last agent is what the sheet is about; the first may not even call.
        agents, options = list(reversed(self._options.agents)), self._options
        tasks = plan_greedy(options)
        for agent in agents:
            self._run(agent, "greedy", tasks, 0.0)
        for agent in agents:
            self._run(agent, "samples", plan_samples(options), options.temperature)
            self._continue(agent)
        for agent in agents:
            self._run(agent, "timed", plan_timed(options), 0.0, slots=1)

    def _late(self, what: str) -> bool:
        if self._until is None or time.perf_counter() < self._until:
            return False
        self.left_out += [what] if what not in self.left_out else []
        return True

    def _run(
        self,
        agent: str,
        stage: str,
        places: list[PlannedEpisode],
        heat: float,
        slots: int | None = None,
    ) -> None:
        done = {
            PlannedEpisode(p.bench, p.level, p.task_id, p.attempt)
            for p in self._journal.read(ATTEMPTS, RolloutRecord)
            if p.agent == agent
        }
        left = [place for place in places if place not in done]
        total, what = len(places), f"{agent}: {stage}"
        if not left or self._late(what):
            return
        opened = self._pool.switch_to(self._options.agents[agent])
        decoder = self._pool.decoder(slots or self._options.seats)
        if slots == 1:
            # What a GPU records at its first use is not timed.
            decoder.run([self._factory.start(left[0])])
            decoder.prepare()
        for some in _batches(left, decoder.slots):
            if self._late(what):
                return
            finished = decoder.run(
                [self._factory.start(place) for place in some], heat, self._seed(some)
            )
            records = [_record(agent, *pair) for pair in zip(some, finished, strict=True)]
            if slots != 1:
                self._journal.add(DEPTHS, self._depths(opened, records, finished))
            self._journal.add(ATTEMPTS, records)
            left = left[len(some) :]
            self._progress(what, total - len(left), total)

    def _seed(self, some: Sequence[PlannedEpisode]) -> int:
        return self._options.seed * 1000 + max(0, some[0].attempt)

    def _depths(
        self, opened: object, records: list[RolloutRecord], slots: list[Slot]
    ) -> list[TurnDepth]:
        try:
            return measure_turn_depths(opened, records, slots)  # type: ignore[arg-type]
        except Exception:  # An attempt that was paid for is worth more than its depth.
            traceback.print_exc()
            self.left_out.append(f"{records[0].agent}: depths of {len(records)} attempts")
            return []

    def _continue(self, agent: str) -> None:
        """Continuations from every cut of the first easy attempts that made calls."""
        records = [p for p in self._journal.read(ATTEMPTS, RolloutRecord) if p.agent == agent]
        done = {
            (f.task_id, f.answers, f.calls, f.number)
            for f in self._journal.read(CONTINUATIONS, Continuation)
            if f.agent == agent
        }
        missing = [
            cut
            for cut in plan_continuations(self._options, records)
            if (cut.record.task_id, cut.answers, cut.calls, cut.number) not in done
        ]
        what, total = f"{agent}: continuations", len(missing)
        if not missing or self._late(what):
            return
        self._pool.switch_to(self._options.agents[agent])
        decoder = self._pool.decoder(self._options.seats)
        for start in range(0, total, decoder.slots):
            if self._late(what):
                return
            some = missing[start : start + decoder.slots]
            episodes = [self._factory.resume(cut) for cut in some]
            decoder.run(episodes, self._options.temperature, self._options.seed * 7919 + start)
            self._journal.add(CONTINUATIONS, [
                _future(agent, cut, episode) for cut, episode in zip(some, episodes, strict=True)
            ])  # fmt: skip
            self._progress(what, min(total, start + len(some)), total)


def _batches(places: list[PlannedEpisode], slots: int) -> Iterator[list[PlannedEpisode]]:
    """As many as there are slots, of one level: a batch lasts as long as its longest episode."""
    start = 0
    while start < len(places):
        end = start + 1
        while (
            end < len(places)
            and end - start < slots
            and places[end].level == places[start].level
            and (slots > 1)
        ):
            end += 1
        yield places[start:end]
        start = end


def _record(agent: str, place: PlannedEpisode, slot: Slot) -> RolloutRecord:
    worth = slot.episode.outcome()
    return RolloutRecord(
        agent, place.bench, place.level, place.task_id, place.attempt, len(slot.prompt),
        slot.turns, slot.starts, worth.completion, worth.score, worth.solved,
    )  # fmt: skip


def _future(agent: str, cut: Cut, episode: Episode) -> Continuation:
    worth, task = episode.outcome(), cut.record.task_id
    return Continuation(
        agent, task, cut.answers, cut.calls, cut.number, bool(worth.solved),
        float(worth.score or 0.0),
    )  # fmt: skip
