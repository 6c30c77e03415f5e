"""Policies for question sets with tools whose every figure is known before they run."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import cycle
from typing import NamedTuple

from agentdyno_bench.pte.tir.benchmarks import find_benchmark
from agentdyno_bench.pte.tir.loading import load_problems
from agentdyno_bench.pte.tir.problems import Problem
from agentdyno_bench.pte.tir.task import TURNS
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from tests.zoo.server import Conversation

SETS = ("math_500", "webinstruct", "simpleqa", "aime_2024", "aime_2025")
"""Python; all three tools; search and visits; and twice Python again."""
Turns = list[list[ReplyCall]]


class Question(NamedTuple):
    """A question with the tools that its set offers."""

    problem: Problem
    """The question and its answer."""
    tools: tuple[str, ...]
    """Names of the tools."""


class Act(NamedTuple):
    """What a policy does with a question, and what that is worth."""

    turns: Turns
    """The calls of each turn."""
    end: str
    """The answer."""
    is_right: bool | None = True
    """Whether it solves the question; None where only a judge can tell, and there is none."""
    ran: int | None = None
    """How many of the calls run; None for all."""
    says: str = ""
    """What it writes beside its first calls."""


Policy = Callable[[Question], Act]


def _call(asked: Question, tool: str | None = None) -> ReplyCall:
    """A sound call of a tool; of the first that is offered where none is named."""
    tool = tool or asked.tools[0]
    if tool == "python":
        return ReplyCall("python", {"code": f"print({asked.problem.answer!r})"})
    if tool == "search":
        return ReplyCall("search", {"query": [asked.problem.question]})
    return ReplyCall("visit", {"url": "https://nowhere.example/", "goal": "the answer"})


def _tag(text: str) -> str:
    return f"<ANSWER>{text}</ANSWER>"


def _right(asked: Question) -> str:
    return _tag(asked.problem.answer)


def _calls(turns: Callable[[Question], Turns]) -> Policy:
    """Right, after these calls."""
    return lambda asked: Act(turns(asked), _right(asked))


def _unrun(call: Callable[[Question], ReplyCall]) -> Policy:
    """Right, after a call that no tool ever gets."""
    return lambda asked: Act([[call(asked)]], _right(asked), ran=0)


def _says(end: Callable[[Question], str], is_right: bool = False) -> Policy:
    """One sound call, and then another answer."""
    return lambda asked: Act([[_call(asked)]], end(asked), is_right)


def _is_formula(asked: Question) -> bool:
    kind = (asked.problem.answer_type or "").casefold()
    return asked.tools == ("python",) or kind in ("integer", "float", "percentage", "expression")


def _wrong(asked: Question) -> Act:
    """Without a judge a fact in other words is neither right nor wrong."""
    decided = _is_formula(asked) or asked.problem.answer.isdigit()
    return Act([[_call(asked)]], _tag("123456"), False if decided else None)


def _never_stops(asked: Question) -> Act:
    """Calls as long as it may, and says nothing in the turn in which it may not."""
    return Act([[_call(asked)]] * TURNS, "", False, ran=TURNS - 1)


def _states_first(asked: Question) -> Act:
    says = f"The answer is {asked.problem.answer}. Let me check that."
    return Act([[_call(asked)]], _right(asked), says=says)


HONEST = "honest"
"""Good where its tool is offered; elsewhere it gives a wrong answer."""
POLICIES: dict[str, Policy] = {
    "good": _calls(lambda q: [[_call(q)]]),
    HONEST: _calls(lambda q: [[_call(q)]]),
    "sequential": _calls(lambda q: [[_call(q)], [_call(q)], [_call(q)]]),
    "at_once": _calls(lambda q: [3 * [_call(q)]]),
    "right_by_heart": _calls(lambda q: []),
    "mixes_tools": _calls(lambda q: [[_call(q, tool)] for tool in q.tools]),
    "confirms": _states_first,
    "prints_nothing": _calls(
        lambda q: [[ReplyCall("python", {"code": "x = 1"}) if "python" in q.tools else _call(q)]]
    ),
    "unoffered_tool": _unrun(lambda q: ReplyCall("no_such_tool", {})),
    "malformed_calls": _unrun(lambda q: ReplyCall(q.tools[0], "{oops")),
    "refused_arguments": _unrun(lambda q: ReplyCall(q.tools[0], {"no such argument": 1})),
    "malformed_beside": lambda q: Act(
        [[_call(q), ReplyCall(q.tools[0], "{oops")]], _right(q), ran=1
    ),
    "writes_calls_as_text": lambda q: Act([], '<tool_call>{"name": "python"}</tool_call>', False),
    "wrong": _wrong,
    "lazy": lambda q: Act([], _tag("123456"), _wrong(q).is_right),
    "empty_answer": _says(lambda q: ""),
    "empty_tag": _says(lambda q: _tag("  ")),
    "untagged": _says(lambda q: f"It is {q.problem.answer}."),
    "boxed": _says(lambda q: rf"It is \boxed{{{q.problem.answer}}}."),
    "tag_left_open": _says(lambda q: f"<ANSWER>{q.problem.answer}"),
    "refuses": _says(lambda q: "I cannot answer this."),
    "right_then_wrong_tag": lambda q: Act(
        [[_call(q)]], f"{_right(q)} No: {_tag('123456')}", _wrong(q).is_right
    ),
    "wrong_then_right_tag": _says(lambda q: f"{_tag('123456')} No: {_right(q)}", is_right=True),
    "never_stops": _never_stops,
    "calls_in_the_last_turn": lambda q: _never_stops(q)._replace(end=_right(q), is_right=True),
}
DEALT = "dealt"
"""A model that plays another policy on each question."""


@cache
def list_questions() -> dict[str, list[Question]]:
    """The bundled questions of each set."""
    found = {}
    for name in SETS:
        benchmark = find_benchmark(name)
        found[name] = [Question(p, benchmark.tools) for p in load_problems(benchmark)]
    return found


@cache
def deal() -> dict[str, str]:
    """Which policy plays each question for `dealt`: all of them in turn."""
    texts = [q.problem.question for questions in list_questions().values() for q in questions]
    return dict(zip(texts, cycle(POLICIES), strict=False))


@cache
def _by_text() -> dict[str, Question]:
    return {q.problem.question: q for some in list_questions().values() for q in some}


def find_act(policy: str, asked: Question) -> Act:
    """What a policy does with a question."""
    return POLICIES[deal()[asked.problem.question] if policy == DEALT else policy](asked)


def answer(policy: str, asked: Conversation) -> Reply | None:
    """The reply of a policy to a conversation about a question."""
    question = _by_text().get(asked.said[0])
    if question is None or policy not in (*POLICIES, DEALT):
        return None
    if policy == HONEST and question.tools[0] not in asked.offered:
        return Reply(text=_tag("123456"))
    act = find_act(policy, question)
    turn = asked.turn_after(asked.said[0])
    if turn == TURNS - 1:
        return Reply(text=act.end, calls=act.turns[turn] if turn < len(act.turns) else [])
    if turn < len(act.turns):
        return Reply(text=act.says if turn == 0 else "", calls=act.turns[turn])
    return Reply(text=act.end)


def state_figures(policies: Sequence[str], asked: Sequence[Question]) -> dict[str, float | None]:
    """The means that follow from how policies were built, each on its question."""
    acts = [find_act(*pair) for pair in zip(policies, asked, strict=True)]
    graded = [act.is_right for act in acts if act.is_right is not None]
    return {
        "graded": float(len(graded)),
        "accuracy": sum(graded) / len(graded) if graded else None,
        "turns_mean": _mean([min(TURNS, len(act.turns) + 1) for act in acts]),
        "calls_mean": _mean([sum(map(len, act.turns)) for act in acts]),
        "ran_mean": _mean([_count_ran(act) for act in acts]),
    }


def _count_ran(act: Act) -> int:
    return sum(map(len, act.turns)) if act.ran is None else act.ran


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)
