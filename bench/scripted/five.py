"""Two agents for every benchmark of `examples/five`: careful does what a task needs, hasty less.

`-m agentdyno/scripted/hasty -M script=bench.scripted.five:hasty`. The task is recognised by the
user's first message. Hasty makes another mistake on every question, so that each of the papers'
rates has something to count.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from bench.scripted import failures, planning
from bench.scripted.ways import Way

from agentdyno_bench.pte.tir.benchmarks import find_benchmark
from agentdyno_bench.pte.tir.loading import load_problems
from agentdyno_bench.pte.tir.problems import Problem
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.tasks.dataset import load_bundled

QUESTIONS = "math_500"
HASTY_PLANS: tuple[Way, ...] = ("sequential", "half_work", "at_once", "optimal", "gives_up")
"""How hasty plans one task after the other."""


def careful(messages: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Plans as well as possible, uses what tools return, computes once and answers."""
    if _problem(messages) is not None:
        return _solve(messages, _compute_once)
    if _task_number(messages) is not None:
        return planning.optimal(messages, tools, choice, config)
    return failures.faithful(messages, tools, choice, config)


def hasty(messages: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Skips, guesses, checks what it knows and mixes tools: another habit for every task."""
    problem, task = _problem(messages), _task_number(messages)
    if problem is not None:
        return _solve(messages, HASTY_SOLUTIONS[_question_number(problem) % len(HASTY_SOLUTIONS)])
    if task is not None:
        way = HASTY_PLANS[task % len(HASTY_PLANS)]
        return getattr(planning, way)(messages, tools, choice, config)
    return failures.medley(messages, tools, choice, config)


# Mathematics --------------------------------------------------------------------------------------

Solution = Callable[[Problem], list[Reply]]
"""The replies to a question, one a turn."""


def _solve(messages: list[Any], solution: Solution) -> Reply:
    problem = _problem(messages)
    assert problem is not None
    replies = solution(problem)
    turn = sum(message.role == "assistant" for message in messages)
    return replies[min(turn, len(replies) - 1)]


def _compute_once(problem: Problem) -> list[Reply]:
    return [Reply(calls=[_print(problem)]), _answer(problem.answer)]


def _confirm(problem: Problem) -> list[Reply]:
    says = f"The answer is {problem.answer}. Let me check that with Python."
    return [Reply(text=says, calls=[_print(problem)]), _answer(problem.answer)]


def _mix_tools(problem: Problem) -> list[Reply]:
    search = ReplyCall("search", {"query": [problem.question]})
    return [Reply(calls=[search]), Reply(calls=[_print(problem)]), _answer(problem.answer)]


def _forget_to_print(problem: Problem) -> list[Reply]:
    silent = ReplyCall("python", {"code": f"value = {problem.answer!r}"})
    return [Reply(calls=[silent]), Reply(calls=[_print(problem)]), _answer(problem.answer)]


def _break_format(problem: Problem) -> list[Reply]:
    broken = ReplyCall("python", f'{{"code": "print({problem.answer})"')
    return [Reply(calls=[broken]), Reply(calls=[_print(problem)]), _answer(problem.answer)]


def _guess(problem: Problem) -> list[Reply]:
    return [_answer("0" if problem.answer != "0" else "1")]


HASTY_SOLUTIONS: tuple[Solution, ...] = (
    _confirm,
    _mix_tools,
    _forget_to_print,
    _break_format,
    _compute_once,
    _guess,
)


def _print(problem: Problem) -> ReplyCall:
    return ReplyCall("python", {"code": f"print({problem.answer!r})"})


def _answer(text: str) -> Reply:
    return Reply(text=f"<ANSWER>{text}</ANSWER>")


# Which task it is ---------------------------------------------------------------------------------


def _problem(messages: list[Any]) -> Problem | None:
    return _problems().get(_first_message(messages))


def _question_number(problem: Problem) -> int:
    return list(_problems()).index(problem.question)


def _task_number(messages: list[Any]) -> int | None:
    """The place of a planning task among the easy ones."""
    first = _first_message(messages)
    prompts = _prompts()
    return next((n for n, prompt in enumerate(prompts) if prompt in first), None)


def _first_message(messages: list[Any]) -> str:
    return next(str(message.text) for message in messages if message.role == "user")


@cache
def _problems() -> dict[str, Problem]:
    return {problem.question: problem for problem in load_problems(find_benchmark(QUESTIONS))}


@cache
def _prompts() -> list[str]:
    return [task.prompt for task in load_bundled("easy").tasks]
