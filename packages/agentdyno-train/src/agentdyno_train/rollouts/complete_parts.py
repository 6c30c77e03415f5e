"""Which parts of a dyno sheet a folder of rollouts has complete.

    part       the greedy attempts of one level, the samples of one, continuations, timed attempts
    complete   every attempt is there that the options of the folder (`play.json`) ask for

Missing attempts are not generated while measuring, where that might take hours, and half of a part
is no fair sample of it: an incomplete part is left out and reported. So are greedy attempts that
answer another chat than their task begins with here, because measuring would not ask for them.
"""

import shlex
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from agentdyno.records import InputError, plural, printable
from agentdyno_train.rollouts.journal import (
    ATTEMPTS,
    CONTINUATIONS,
    DEPTHS,
    Continuation,
    Journal,
    RolloutOptions,
    RolloutRecord,
    TurnDepth,
    read_options,
)
from agentdyno_train.rollouts.scheduling import (
    EpisodeFactory,
    PlannedEpisode,
    plan_continuations,
    plan_greedy,
    plan_samples,
    plan_timed,
)
from agentdyno_train.sheet_plans import SheetTasks

Kind = Literal["greedy", "samples", "timed", "continuations"]
SCRIPT = "python bench/gpu_training/sheet.py"
NAMED = ("easy", "hard", "toolfail", "tir", "sampled", "samples", "continued", "continuations",
         "timed", "turns", "turn_tokens", "window", "seats")  # fmt: skip
"""Options of the script, by their names here; the same options continue the same rollouts."""
MOST_REPORTED = 5
"""Damaged lines that are named one by one."""


class Part(Struct, frozen=True):
    """How many attempts of one kind and level an agent has."""

    agent: str
    kind: Kind
    """Greedy attempts, samples, timed attempts or continuations."""
    level: str
    """easy, hard, toolfail, or the benchmark of tir."""
    found: int
    expected: int | None
    """Attempts that the options ask for; None for continuations while easy attempts are missing."""
    mismatched: int = 0
    """Further greedy attempts, which answer another chat than their task begins with here: by
    another version, or with other tools on offer."""

    @property
    def is_complete(self) -> bool:
        """Whether it can be measured."""
        return self.found == self.expected

    def __str__(self) -> str:
        name = {"greedy": self.level, "samples": f"samples of {self.level}"}
        many = "an unknown number" if self.expected is None else self.expected
        more = f" ({self.mismatched} more answer another chat)" if self.mismatched else ""
        return f"{name.get(self.kind, self.kind)} {self.found} of {many}{more}"


class CompleteParts:
    """What a folder has of some agents; returns complete parts and nothing else."""

    def __init__(
        self, folder: Path, agents: Iterable[str], leave_out: Collection[str] = ()
    ) -> None:
        self.folder, self.options = folder, read_options(folder)
        self._selected = structs.replace(self.options, **dict.fromkeys(leave_out, 0))
        self._places, self._factory = _plan_episodes(self._selected), EpisodeFactory(self._selected)
        self._journal, self._agents = Journal(folder), list(agents)
        refuse_unknown_agents(folder, self.options, self._agents)
        self._records = _index_records(self._journal.read(ATTEMPTS, RolloutRecord), self._agents)
        self._futures = _index_continuations(
            self._journal.read(CONTINUATIONS, Continuation), self._agents
        )
        self.parts = [part for agent in self._agents for part in self._parts(agent)]
        self._require_complete_level()

    def tasks(self, agent: str, in_process: bool, unsafe_python: bool) -> SheetTasks:
        """The tasks of an agent's complete parts, as many of each kind as the options say."""
        options, there = self._selected, self._complete_levels(agent, "greedy")
        return SheetTasks(
            [(level, many) for level, many in options.planning.items() if level in there],
            turns=options.turns,
            in_process=in_process,
            toolfail=options.toolfail if "toolfail" in there else 0,
            tir=options.tir if options.benchmark in there else 0,
            reasoning=options.benchmark,
            unsafe_python=unsafe_python,
        )

    def records(self) -> list[RolloutRecord]:
        """Attempts of complete parts."""
        return [
            self._records[agent][place]
            for agent in self._agents
            for kind, places in self._places.items()
            for place in places
            if place.level in self._complete_levels(agent, kind)
        ]

    def futures(self, agent: str) -> list[Continuation]:
        """Continuations of an agent, where all are there."""
        is_complete = "easy" in self._complete_levels(agent, "continuations")
        return list(self._futures[agent].values()) if is_complete else []

    def depths(self) -> list[TurnDepth]:
        """Depths of these attempts, one row a turn; the later of two counts."""
        there = {(p.agent, p.bench, p.task_id, p.attempt) for p in self.records()}
        found = {
            (*attempt, d.turn): d
            for d in self._journal.read(DEPTHS, TurnDepth)
            if (attempt := (d.agent, d.bench, d.task_id, d.attempt)) in there
        }
        return list(found.values())

    def left_out(self) -> list[str]:
        """A sentence for each agent with incomplete parts."""
        missing = {
            agent: [part for part in self.parts if part.agent == agent and not part.is_complete]
            for agent in self._agents
        }
        return [
            f"{agent}: left out because incomplete: {', '.join(map(str, parts))}."
            for agent, parts in missing.items()
            if parts
        ]

    def advice(self) -> list[str]:
        """The same, with damaged lines before it and what to do after it."""
        sentences = self.left_out()
        return [*self._report_damage(), *sentences, *(self._what_to_do() if sentences else [])]

    def _complete_levels(self, agent: str, kind: Kind) -> set[str]:
        return {p.level for p in self.parts if (p.agent, p.kind) == (agent, kind) and p.is_complete}

    def _parts(self, agent: str) -> list[Part]:
        mine, found = self._records[agent], list[Part]()
        for kind, places in self._places.items():
            for level in dict.fromkeys(place.level for place in places):
                here = [place for place in places if place.level == level]
                there = [place for place in here if place in mine]
                sound = sum(self._matches_task(place, mine[place]) for place in there)
                found.append(Part(agent, kind, level, sound, len(here), len(there) - sound))
        easy = [part for part in found if (part.kind, part.level) == ("greedy", "easy")]
        return [
            *found,
            *(self._count_continuations(agent, part) for part in easy if self._selected.continued),
        ]

    def _matches_task(self, place: PlannedEpisode, record: RolloutRecord) -> bool:
        """Only greedy attempts are looked up by their chat when a sheet is measured."""
        is_looked_up = place.attempt == 0 and record.turns
        return not is_looked_up or record.turns[0].key == self._factory.find_opening(place)

    def _count_continuations(self, agent: str, easy: Part) -> Part:
        cuts = plan_continuations(self._selected, self._records[agent].values())
        expected = {(cut.record.task_id, cut.answers, cut.calls, cut.number) for cut in cuts}
        there = sum(cut in self._futures[agent] for cut in expected)
        many = len(expected) if easy.is_complete else None
        return Part(agent, "continuations", "easy", there, many)

    def _report_damage(self) -> list[str]:
        damaged = [line for lines in self._journal.damaged.values() for line in lines]
        more = len(damaged) - MOST_REPORTED
        sentences = [f"{line}; skipped." for line in damaged[:MOST_REPORTED]]
        return [*sentences, f"{plural(more, 'more line')} skipped."] if more > 0 else sentences

    def _what_to_do(self) -> list[str]:
        if any(part.mismatched for part in self.parts):
            return [
                "Attempts that answer another chat than their task begins with here (by another "
                "version, or other tools on offer) would be generated anew. Measure them with the "
                "version that generated them, or roll out into another folder: "
                f"{write_command(self.options)}"
            ]
        command = write_command(self.options, self.folder)
        return [f"To generate the rest (what is there is not generated again): {command}"]

    def _require_complete_level(self) -> None:
        empty = [agent for agent in self._agents if not self._complete_levels(agent, "greedy")]
        if not empty:
            return
        found = "; ".join(
            f"{agent}: {', '.join(str(p) for p in self.parts if p.agent == agent) or 'not asked'}"
            for agent in empty
        )
        raise InputError(
            "\n".join([
                f"{self.folder}: expected at least one complete level of each agent, found none of "
                f"{', '.join(empty)} ({found}). Leave these agents out, or generate the rest.",
                *self._report_damage(),
                *self._what_to_do(),
            ])
        )  # fmt: skip


def refuse_unknown_agents(folder: Path, options: RolloutOptions, agents: Iterable[str]) -> None:
    """An error for agents that the folder has no rollouts of."""
    unknown = [agent for agent in agents if agent not in options.agents]
    if unknown:
        known = ", ".join(printable(agent, 40) for agent in options.agents) or "nobody"
        raise InputError(
            f"--agent {unknown[0]}=…: expected an agent of the rollouts in {folder} ({known}), "
            f"found {', '.join(unknown)}. Use the names that the rollouts were made with, or "
            "measure others in a sheet of their own, without --played."
        )


def _plan_episodes(options: RolloutOptions) -> dict[Kind, list[PlannedEpisode]]:
    return {
        "greedy": plan_greedy(options),
        "samples": plan_samples(options),
        "timed": plan_timed(options),
    }


def _index_records(
    records: Iterable[RolloutRecord], agents: Iterable[str]
) -> dict[str, dict[PlannedEpisode, RolloutRecord]]:
    """The later of two records of one attempt counts."""
    found: dict[str, dict[PlannedEpisode, RolloutRecord]] = {agent: {} for agent in agents}
    for p in records:
        if p.agent in found:
            found[p.agent][PlannedEpisode(p.bench, p.level, p.task_id, p.attempt)] = p
    return found


Moment = tuple[str, int, int, int]


def _index_continuations(
    futures: Iterable[Continuation], agents: Iterable[str]
) -> dict[str, dict[Moment, Continuation]]:
    found: dict[str, dict[Moment, Continuation]] = {agent: {} for agent in agents}
    for f in futures:
        if f.agent in found:
            found[f.agent][f.task_id, f.answers, f.calls, f.number] = f
    return found


def write_command(options: RolloutOptions, folder: Path | None = None) -> str:
    """The command that generates rollouts; it names every agent, or the folder would be refused."""
    out = "FOLDER" if folder is None else shlex.quote(str(folder))
    agents = [
        f"--agent {shlex.quote(printable(f'{n}={w}', 300))}" for n, w in options.agents.items()
    ]
    sizes = [f"--{name.replace('_', '-')} {getattr(options, name)}" for name in NAMED]
    return " ".join([SCRIPT, f"--out {out}", *agents, *sizes])
