"""What of a dyno sheet was played before, part by part: a folder of plays in, whole parts out.

    part    the greedy attempts of one level, the samples of one, continuations, timed attempts
    whole   everything is there that was asked of this agent (`play.json`)

What a hurried GPU left out is not made up for by whoever measures, where it might take hours, and
half of a part is no fair sample of it: the rest is left out, and said. So are greedy attempts that
answer another chat than their task begins with here, for the measuring would not ask for them.
"""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from agentdyno.records import InputError, counted, printable
from agentdyno_train.play.dealing import Dealer
from agentdyno_train.play.going_on import command_for, go_on
from agentdyno_train.play.places import (
    Place,
    cuts_asked,
    greedy_places,
    sample_places,
    timed_places,
)
from agentdyno_train.play.plays import (
    DEPTHS,
    FUTURES,
    PLAYS,
    Future,
    Journal,
    Play,
    PlayOptions,
    TurnDepth,
    read_asked,
)
from agentdyno_train.sheet_plans import SheetTasks

Kind = Literal["greedy", "samples", "timed", "continuations"]
MOST_TOLD = 5
"""Damaged lines that are named one by one."""


class Part(Struct, frozen=True):
    """How much there is of one thing that was asked of an agent."""

    agent: str
    """Who was to play."""
    kind: Kind
    """Which attempts."""
    level: str
    """easy, hard, toolfail, or the benchmark of tir."""
    played: int
    """Attempts that are there."""
    asked: int | None
    """Attempts that were asked for; None for continuations whose attempts are not all there."""
    strange: int = 0
    """Further greedy attempts, which answer another chat than their task begins with here: played
    by another version, or with other tools on offer."""

    @property
    def is_whole(self) -> bool:
        """Whether it can be measured."""
        return self.played == self.asked

    def __str__(self) -> str:
        name = {"greedy": self.level, "samples": f"samples of {self.level}"}
        many = "a number that all easy attempts decide" if self.asked is None else self.asked
        strange = f" ({self.strange} more answer another chat)" if self.strange else ""
        return f"{name.get(self.kind, self.kind)} {self.played} of {many}{strange}"


class PlayedParts:
    """What a folder has of some agents; gives out whole parts and nothing else."""

    def __init__(
        self, folder: Path, agents: Iterable[str], leave_out: Collection[str] = ()
    ) -> None:
        self.folder, self.asked = folder, read_asked(folder)
        self._chosen = structs.replace(self.asked, **dict.fromkeys(leave_out, 0))
        self._places, self._dealer = _asked_places(self._chosen), Dealer(self._chosen)
        self._journal, self._agents = Journal(folder), list(agents)
        refuse_strangers(folder, self.asked, self._agents)
        self._plays = _by_place(self._journal.read(PLAYS, Play), self._agents)
        self._futures = _by_cut(self._journal.read(FUTURES, Future), self._agents)
        self.parts = [part for agent in self._agents for part in self._parts(agent)]
        self._refuse_nothing()

    def tasks(self, agent: str, in_process: bool, unsafe_python: bool) -> SheetTasks:
        """The tasks that an agent played whole, as many of each kind as were asked for."""
        asked, there = self._chosen, self._whole(agent, "greedy")
        return SheetTasks(
            [(level, many) for level, many in asked.planning.items() if level in there],
            turns=asked.turns,
            in_process=in_process,
            toolfail=asked.toolfail if "toolfail" in there else 0,
            tir=asked.tir if asked.benchmark in there else 0,
            reasoning=asked.benchmark,
            unsafe_python=unsafe_python,
        )

    def plays(self) -> list[Play]:
        """Attempts of whole parts."""
        return [
            self._plays[agent][place]
            for agent in self._agents
            for kind, places in self._places.items()
            for place in places
            if place.level in self._whole(agent, kind)
        ]

    def futures(self, agent: str) -> list[Future]:
        """Continuations of an agent, where all are there."""
        is_whole = "easy" in self._whole(agent, "continuations")
        return list(self._futures[agent].values()) if is_whole else []

    def depths(self) -> list[TurnDepth]:
        """How deep these attempts were thought, a turn each; the later of two counts."""
        there = {(p.agent, p.bench, p.task_id, p.attempt) for p in self.plays()}
        found = {
            (*attempt, d.turn): d
            for d in self._journal.read(DEPTHS, TurnDepth)
            if (attempt := (d.agent, d.bench, d.task_id, d.attempt)) in there
        }
        return list(found.values())

    def left_out(self) -> list[str]:
        """A sentence for each agent that lacks something."""
        missing = {
            agent: [part for part in self.parts if part.agent == agent and not part.is_whole]
            for agent in self._agents
        }
        return [
            f"{agent}: left out, for they were not played whole: {', '.join(map(str, parts))}."
            for agent, parts in missing.items()
            if parts
        ]

    def advice(self) -> list[str]:
        """The same with damaged lines before and what to do after it."""
        told = self.left_out()
        return [*self._told_damage(), *told, *(self._what_to_do() if told else [])]

    def _whole(self, agent: str, kind: Kind) -> set[str]:
        return {p.level for p in self.parts if (p.agent, p.kind) == (agent, kind) and p.is_whole}

    def _parts(self, agent: str) -> list[Part]:
        mine, found = self._plays[agent], list[Part]()
        for kind, places in self._places.items():
            for level in dict.fromkeys(place.level for place in places):
                here = [place for place in places if place.level == level]
                played = [place for place in here if place in mine]
                sound = sum(self._answers_now(place, mine[place]) for place in played)
                found.append(
                    Part(agent, kind, level, sound, len(here), strange=len(played) - sound)
                )
        easy = [part for part in found if (part.kind, part.level) == ("greedy", "easy")]
        return [*found, *(self._continued(agent, part) for part in easy if self._chosen.continued)]

    def _answers_now(self, place: Place, play: Play) -> bool:
        """Samples and timed attempts are read as they are: nobody asks for them again."""
        asked_again = place.attempt == 0 and play.turns
        return not asked_again or play.turns[0].key == self._dealer.opening(place)

    def _continued(self, agent: str, easy: Part) -> Part:
        cuts = cuts_asked(self._chosen, self._plays[agent].values())
        wanted = {(cut.play.task_id, cut.answers, cut.calls, cut.number) for cut in cuts}
        there = sum(cut in self._futures[agent] for cut in wanted)
        many = len(wanted) if easy.is_whole else None
        return Part(agent, "continuations", "easy", there, many)

    def _told_damage(self) -> list[str]:
        damaged = [line for lines in self._journal.damaged.values() for line in lines]
        more = len(damaged) - MOST_TOLD
        told = [f"{line}; skipped." for line in damaged[:MOST_TOLD]]
        return [*told, f"{counted(more, 'more line')} skipped."] if more > 0 else told

    def _what_to_do(self) -> list[str]:
        if any(part.strange for part in self.parts):
            return [
                "Attempts that answer another chat than their task begins with here (by another "
                "version, or other tools on offer) would be generated anew. Measure them with the "
                f"version that played them, or play into another folder: {command_for(self.asked)}"
            ]
        return [go_on(self.folder, self.asked)]

    def _refuse_nothing(self) -> None:
        empty = [agent for agent in self._agents if not self._whole(agent, "greedy")]
        if not empty:
            return
        found = "; ".join(
            f"{agent}: {', '.join(str(p) for p in self.parts if p.agent == agent) or 'not asked'}"
            for agent in empty
        )
        raise InputError(
            "\n".join([
                f"{self.folder}: expected at least one level that each agent played whole, found "
                f"none of {', '.join(empty)} ({found}). Leave these agents out, or play the rest.",
                *self._told_damage(),
                *self._what_to_do(),
            ])
        )  # fmt: skip


def refuse_strangers(folder: Path, asked: PlayOptions, agents: Iterable[str]) -> None:
    """Agents that the plays are not of."""
    strangers = [agent for agent in agents if agent not in asked.agents]
    if strangers:
        known = ", ".join(printable(agent, 40) for agent in asked.agents) or "nobody"
        raise InputError(
            f"--agent {strangers[0]}=…: expected an agent of the plays in {folder} ({known}), "
            f"found {', '.join(strangers)}. Name agents as they were named when they played, or "
            "measure others in a sheet of their own, without --played."
        )


def _asked_places(asked: PlayOptions) -> dict[Kind, list[Place]]:
    return {
        "greedy": greedy_places(asked),
        "samples": sample_places(asked),
        "timed": timed_places(asked),
    }


def _by_place(plays: Iterable[Play], agents: Iterable[str]) -> dict[str, dict[Place, Play]]:
    """The later of two plays counts, as where answers are given again."""
    found: dict[str, dict[Place, Play]] = {agent: {} for agent in agents}
    for p in plays:
        if p.agent in found:
            found[p.agent][Place(p.bench, p.level, p.task_id, p.attempt)] = p
    return found


Moment = tuple[str, int, int, int]


def _by_cut(futures: Iterable[Future], agents: Iterable[str]) -> dict[str, dict[Moment, Future]]:
    found: dict[str, dict[Moment, Future]] = {agent: {} for agent in agents}
    for f in futures:
        if f.agent in found:
            found[f.agent][f.task_id, f.answers, f.calls, f.number] = f
    return found
