"""Plays everything that a dyno sheet needs of its agents, batch after batch, into a folder.

    greedy      every task once, no dice                                     plays.jsonl
    samples     some planning tasks several times, with dice                 plays.jsonl
    futures     planning attempts continued from every call, with dice       futures.jsonl
    timed       some planning tasks one at a time, for their seconds         plays.jsonl

Depths of greedy attempts and samples are taken at once (depths.jsonl). Whatever is in the folder is
not played again; with a limit in seconds the later stages are left out, and said.
"""

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agentdyno_train.play.dealing import Dealer
from agentdyno_train.play.depths import turn_depths
from agentdyno_train.play.games import Game
from agentdyno_train.play.hands import Hands
from agentdyno_train.play.places import (
    Cut,
    Place,
    cuts_asked,
    greedy_places,
    sample_places,
    timed_places,
)
from agentdyno_train.play.plays import (
    DEPTHS,
    FUTURES,
    MACHINE,
    PLAYS,
    Future,
    Journal,
    Play,
    PlayOptions,
    TurnDepth,
)
from agentdyno_train.play.table import Seat

Progress = Callable[[str, int, int], None]
"""Called with a stage, how much of it is done and how much there is."""


class Stages:
    """The plays of a folder."""

    def __init__(
        self,
        options: PlayOptions,
        folder: Path,
        seconds: float | None = None,
        progress: Progress | None = None,
        device: str | None = None,
        base: str | None = None,
    ) -> None:
        self._asked, self._journal = options, Journal(folder)
        self._journal.begin(options)
        self._until = None if seconds is None else time.perf_counter() + seconds
        self._progress = progress or (lambda *_: None)
        known = {} if base is None else {"base": base}
        self._hands = Hands(device, options.window, options.turn_tokens, **known)
        (folder / MACHINE).write_text(self._hands.machine(), "utf-8")
        self._dealer = Dealer(options)
        self.left_out: list[str] = []

    def run(self) -> None:
        """Everything, the most needed first."""
        # The last agent is what the sheet is about; the first may not even call.
        agents, asked = list(reversed(self._asked.agents)), self._asked
        tasks = greedy_places(asked)
        for agent in agents:
            self._play(agent, "greedy", tasks, 0.0)
        for agent in agents:
            self._play(agent, "samples", sample_places(asked), asked.temperature)
            self._continue(agent)
        for agent in agents:
            self._play(agent, "timed", timed_places(asked), 0.0, seats=1)

    def _late(self, what: str) -> bool:
        if self._until is None or time.perf_counter() < self._until:
            return False
        self.left_out += [what] if what not in self.left_out else []
        return True

    def _play(
        self, agent: str, stage: str, places: list[Place], heat: float, seats: int | None = None
    ) -> None:
        done = {
            Place(p.bench, p.level, p.task_id, p.attempt)
            for p in self._journal.read(PLAYS, Play)
            if p.agent == agent
        }
        left = [place for place in places if place not in done]
        total, what = len(places), f"{agent}: {stage}"
        if not left or self._late(what):
            return
        opened = self._hands.take(self._asked.agents[agent])
        table = self._hands.table(seats or self._asked.seats)
        if seats == 1:
            table.play([self._dealer.game(left[0])])  # What a GPU records at first is not timed.
            table.prepare()
        for some in _batches(left, table.seats):
            if self._late(what):
                return
            taken = table.play([self._dealer.game(place) for place in some], heat, self._seed(some))
            plays = [_kept(agent, *pair) for pair in zip(some, taken, strict=True)]
            if seats != 1:
                self._journal.add(DEPTHS, self._depths(opened, plays, taken))
            self._journal.add(PLAYS, plays)
            left = left[len(some) :]
            self._progress(what, total - len(left), total)

    def _seed(self, some: Sequence[Place]) -> int:
        return self._asked.seed * 1000 + max(0, some[0].attempt)

    def _depths(self, opened: object, plays: list[Play], seats: list[Seat]) -> list[TurnDepth]:
        try:
            return turn_depths(opened, plays, seats)  # type: ignore[arg-type]
        except Exception:  # A play that was paid for is worth more than its depth.
            traceback.print_exc()
            self.left_out.append(f"{plays[0].agent}: depths of {len(plays)} plays")
            return []

    def _continue(self, agent: str) -> None:
        """Continuations from every cut of the first easy attempts that made calls."""
        plays = [p for p in self._journal.read(PLAYS, Play) if p.agent == agent]
        done = {
            (f.task_id, f.answers, f.calls, f.number)
            for f in self._journal.read(FUTURES, Future)
            if f.agent == agent
        }
        wanted = [
            cut
            for cut in cuts_asked(self._asked, plays)
            if (cut.play.task_id, cut.answers, cut.calls, cut.number) not in done
        ]
        what, total = f"{agent}: continuations", len(wanted)
        if not wanted or self._late(what):
            return
        self._hands.take(self._asked.agents[agent])
        table = self._hands.table(self._asked.seats)
        for start in range(0, total, table.seats):
            if self._late(what):
                return
            some = wanted[start : start + table.seats]
            games = [self._dealer.resumed(cut) for cut in some]
            table.play(games, self._asked.temperature, self._asked.seed * 7919 + start)
            self._journal.add(FUTURES, [
                _future(agent, cut, game) for cut, game in zip(some, games, strict=True)
            ])  # fmt: skip
            self._progress(what, min(total, start + len(some)), total)


def _batches(places: list[Place], seats: int) -> Iterator[list[Place]]:
    """As many as there are seats, of one level: batches last as long as their longest game."""
    start = 0
    while start < len(places):
        end = start + 1
        while (
            end < len(places)
            and end - start < seats
            and places[end].level == places[start].level
            and (seats > 1)
        ):
            end += 1
        yield places[start:end]
        start = end


def _kept(agent: str, place: Place, seat: Seat) -> Play:
    worth = seat.game.outcome()
    return Play(
        agent, place.bench, place.level, place.task_id, place.attempt, len(seat.prompt),
        seat.turns, seat.starts, worth.completion, worth.score, worth.solved,
    )  # fmt: skip


def _future(agent: str, cut: Cut, game: Game) -> Future:
    worth, task = game.outcome(), cut.play.task_id
    return Future(
        agent, task, cut.answers, cut.calls, cut.number, bool(worth.solved),
        float(worth.score or 0.0),
    )  # fmt: skip
