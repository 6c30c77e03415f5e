"""The game of every place of a sheet: options in, games out. Plays nothing."""

from agentdyno_bench.tir.benchmarks import named_benchmark
from agentdyno_bench.tir.loading import load_problems
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import bundled
from agentdyno_bench.tps.tasks.needed import tools_of
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from agentdyno_train.lessons import Lesson
from agentdyno_train.models.recorded import chat_key
from agentdyno_train.play.games import FailureGame, Game, PlanningGame, ProblemGame, first_calls
from agentdyno_train.play.places import Cut, Place
from agentdyno_train.play.plays import PlayOptions


class Dealer:
    """Makes the games that some options ask for."""

    def __init__(self, asked: PlayOptions) -> None:
        self._asked, self._lessons, self._suite = asked, _lessons(asked), load_suite()
        self._openings: dict[tuple[str, str], str] = {}
        self._questions = {task.task_id: task for task in self._suite.tasks}
        self._problems = {p.id: p for p in load_problems(named_benchmark(asked.benchmark))}

    def game(self, place: Place) -> Game:
        """A game from its beginning."""
        if place.bench == "tps":
            return PlanningGame(self._lessons[place.task_id], self._asked.turns)
        if place.bench == "toolfail":
            return FailureGame(self._suite, self._questions[place.task_id])
        return ProblemGame(self._problems[place.task_id], self._asked.benchmark)

    def resumed(self, cut: Cut) -> Game:
        """A planning game as it stood at a cut."""
        game = PlanningGame(self._lessons[cut.play.task_id], self._asked.turns)
        for number, turn in enumerate(cut.play.turns[: cut.answers]):
            last = number == cut.answers - 1
            game.take(first_calls(turn.text, cut.calls) if last else turn.text, True)
        return game

    def opening(self, place: Place) -> str:
        """The digest of the chat that a game begins with, the same for every attempt at a task."""
        task = place.bench, place.task_id
        if task not in self._openings:
            self._openings[task] = chat_key(self.game(place).messages)
        return self._openings[task]


def _lessons(options: PlayOptions) -> dict[str, Lesson]:
    found: dict[str, Lesson] = {}
    for level, count in options.planning.items():
        tasks = bundled(level).tasks[:count]
        tools = tools_of(tasks)
        found |= {task.task_id: Lesson(task, DEFAULT_SEED, tools) for task in tasks}
    return found
