"""Policies for planning tasks whose every figure is known before they run.

The world answers the same call the same way, so a policy's calls are worked out beforehand, by
running the task's own plan in a world of this process; what it does with them is what it is.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import cycle
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import structs

from agentdyno_bench.shared.models.refusals import invalid
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.briefs import REMINDER
from agentdyno_bench.tps.outcomes.submission import SUBMIT, right_fields
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import levels_of, run_plan
from agentdyno_bench.tps.tasks.references import fill
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, Subtask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.cities import cities
from tests.zoo.server import Conversation

LEVELS: tuple[Level, ...] = ("easy", "hard", "purpose")
Turns = list[list[ReplyCall]]
"""The calls of each turn."""
Fields = dict[str, Any]
TENT = ReplyCall("shopping_order_product", {"product_id": "p-tent-dunlin"})
"""An order that nobody asked for."""


class Act(NamedTuple):
    """What a policy does with a task, and what that is worth."""

    turns: list[Turns]
    """The calls of each turn, after each message of the user."""
    ends: list[Reply]
    """What follows them, after each message; repeated where it is asked again."""
    met: frozenset[str]
    """Goals that are met."""
    extra: Mapping[str, float | None] = MappingProxyType({})
    """Figures that differ from those of an agent whose calls all run, each needed and once; None
    where they do not follow from how the policy was built."""
    selected: tuple[str, ...] = ()
    """Tools that it selects besides those of its calls."""


Policy = Callable[[CompoundTask], Act]


@cache
def _plan(task_id: str) -> tuple[tuple[Subtask, ReplyCall], ...]:
    """Each step with the call that does it."""
    task, seed = find_task(task_id)
    steps = [step for level in levels_of(task) for step in level]
    calls = run_plan(task, World(seed, timed=False), by_levels=True).calls
    assert all(call.error is None for call in calls)
    return tuple(
        (step, ReplyCall(call.tool, call.arguments))
        for step, call in zip(steps, calls, strict=True)
    )


def _turns(
    task: CompoundTask, steps: Sequence[str] | None = None, one_by_one: bool = False
) -> list[Turns]:
    """The calls of some steps, each in its earliest turn; of all steps unless some are given."""
    found = []
    call_of = {step.subtask_id: call for step, call in _plan(task.task_id)}
    kept = call_of.keys() if steps is None else set(steps)
    for stage in range(len(task.follow_ups) + 1):
        levels = [
            [call_of[step.subtask_id] for step in level if step.subtask_id in kept]
            for level in levels_of(task)
            if level[0].stage == stage
        ]
        if one_by_one:
            levels = [[call] for level in levels for call in level]
        found.append([level for level in levels if level])
    return found


def _right(task: CompoundTask, goals: set[str] | None = None) -> list[Fields]:
    stages = range(len(task.follow_ups) + 1)
    return [right_fields(task, stage, goals) for stage in stages]


def _submit(fields: Sequence[Fields]) -> list[Reply]:
    return [Reply(calls=[ReplyCall(SUBMIT, given)]) for given in fields]


def _all(task: CompoundTask) -> frozenset[str]:
    return frozenset(goal.goal_id for goal in task.goals)


def _states(task: CompoundTask) -> frozenset[str]:
    return frozenset(goal.goal_id for goal in task.goals if goal.state is not None)


# Honest ways


def _good(task: CompoundTask) -> Act:
    return Act(_turns(task), _submit(_right(task)), _all(task))


def _sequential(task: CompoundTask) -> Act:
    return Act(_turns(task, one_by_one=True), _submit(_right(task)), _all(task))


def _does(task: CompoundTask, steps: set[str], goals: set[str]) -> Act:
    """Some steps, and the values of some goals."""
    met = {g.goal_id for g in task.goals if g.step in steps and (g.state or g.goal_id in goals)}
    # Where the user changes his mind, what half of the work leaves behind may be unasked.
    unknown = {"harmful": None} if task.follow_ups else {}
    return Act(_turns(task, sorted(steps)), _submit(_right(task, goals)), frozenset(met), unknown)


def _half(task: CompoundTask) -> Act:
    """The first half of the goals, with all that they take."""
    goals = {goal.goal_id for goal in task.goals[: len(task.goals) // 2]}
    steps = {goal.step for goal in task.goals if goal.goal_id in goals}
    tools = all_tools()
    for number, step in reversed(list(enumerate(task.subtasks))):
        if step.subtask_id in steps:
            # Who is invited to an event is asked for where the event is moved, too.
            alike = (
                s
                for s in task.subtasks[:number]
                if tools[s.tool].writes and tools[step.tool].writes
            )
            steps |= {*step.needs, *(s.subtask_id for s in alike if _server(s) == _server(step))}
    return _does(task, steps, goals)


def _server(step: Subtask) -> str:
    return step.tool.partition("_")[0]


def _first_steps(count: Callable[[CompoundTask], int]) -> Policy:
    """The plan's first steps, and the values of those."""

    def act(task: CompoundTask) -> Act:
        steps = {step.subtask_id for step in task.subtasks[: count(task)]}
        return _does(task, steps, {g.goal_id for g in task.goals if g.step in steps})

    return act


def _at_once(task: CompoundTask) -> Act:
    """Everything in the first turn, guessing what it cannot know yet."""
    tools, known = all_tools(), set[str]()
    turns: list[Turns] = [[[]] for _ in range(len(task.follow_ups) + 1)]
    for step, call in _plan(task.task_id):
        guessed = ReplyCall(call.tool, fill(step.arguments, "?"))
        changed = {need for need in step.needs if tools[_tool_of(task, need)].writes}
        known |= {step.subtask_id} if guessed == call and changed <= known else set()
        turns[step.stage][0].append(guessed)
    goals = {goal.goal_id for goal in task.goals if goal.step in known}
    # What breaks a schema, such as a guess where a number is due, runs in no turn; a letter with a
    # guess in it may be sent.
    ran = [any(invalid(c.arguments, tools[c.tool].schema) is None for c in t[0]) for t in turns]
    unknown = dict.fromkeys(("calls", "failed_calls", "early_calls", "harmful"))
    return Act(turns, _submit(_right(task, goals)), frozenset(goals), unknown | {"turns": sum(ran)})


def _tool_of(task: CompoundTask, step: str) -> str:
    return next(each.tool for each in task.subtasks if each.subtask_id == step)


def _in_other_forms(task: CompoundTask) -> Act:
    """Numbers to more digits, names in capitals and quotes, days in words."""
    return Act(_turns(task), _submit(_change(task, _rewrite)), _all(task))


def _rewrite(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, str) and not any(c.isdigit() for c in value):
        return f"“{value.upper()}”"
    return value


def _change(task: CompoundTask, change: Callable[[Any], Any]) -> list[Fields]:
    return [{name: change(value) for name, value in f.items()} for f in _right(task)]


# Calls that did not run


def _without_running(rewrite: Callable[[ReplyCall], ReplyCall], selects: bool = True) -> Policy:
    """The right answers beside calls that no tool ever gets."""

    def act(task: CompoundTask) -> Act:
        turns = [[[rewrite(c) for c in calls] for calls in t] for t in _turns(task)]
        figures = {"calls": 0.0, "turns": 0.0, "failed_calls": float(len(task.subtasks))}
        recall = {} if selects else {"selection_recall": 0.0}
        return Act(turns, _submit(_right(task)), frozenset(), figures | recall)

    return act


def _nothing_but_an_end(ends: Callable[[CompoundTask], list[Reply]]) -> Policy:
    return lambda task: Act(
        [[] for _ in range(len(task.follow_ups) + 1)], ends(task), frozenset(),
        {"selection_recall": 0.0},
    )  # fmt: skip


# Submissions that are none, and wrong ones


def _ends(end: Callable[[CompoundTask], list[Reply]]) -> Policy:
    """All of the work, and an end that gives no value."""
    return lambda task: Act(_turns(task), end(task), _states(task))


def _submits(change: Callable[[Any], Any]) -> Policy:
    """All of the work, and other values."""
    return _ends(lambda task: _submit(_change(task, change)))


def _list(value: Any) -> Any:
    """A value and another one, in the type that the field takes."""
    if isinstance(value, list):
        return [*value, "another"]
    return value + 1 if isinstance(value, int | float) else f"{value}; or another"


def _guess(value: Any) -> Any:
    if isinstance(value, list):
        return []
    return 123456.5 if isinstance(value, int | float) else "a guess"


def _submit_beside_a_call(task: CompoundTask) -> Act:
    """Submits beside its last calls, and then says nothing."""
    turns = _turns(task)
    for stage, fields in zip(turns, _right(task), strict=True):
        if stage:
            stage[-1] = [*stage[-1], ReplyCall(SUBMIT, fields)]
    return Act(turns, [Reply(text="As I said.")] * len(turns), _states(task))


def _mends_its_submission(task: CompoundTask) -> Act:
    """A submission against the schema first, which is refused, then the right one."""
    turns = _turns(task)
    for stage in turns:
        stage.append([ReplyCall(SUBMIT, {"no such field": 1})])
    return Act(turns, _submit(_right(task)), _all(task))


# More than is needed


def _beside(
    extra: Callable[[CompoundTask], ReplyCall], runs: bool = True, **figures: float | None
) -> Policy:
    """All of it, and another call beside those of the last turn."""

    def act(task: CompoundTask) -> Act:
        turns, call = _turns(task), extra(task)
        turns[-1][-1] = [*turns[-1][-1], call]
        usual: dict[str, float | None] = {
            "calls": float(len(task.subtasks) + runs),
            "failed_calls": float(not runs),
            "unneeded_calls": float(runs),
        }
        return Act(turns, _submit(_right(task)), _all(task), usual | figures, (call.tool,))

    return act


def _find_needless(task: CompoundTask) -> ReplyCall:
    """A harmless call that serves no step."""
    serving = {tool for step in task.subtasks for tool in step.serves}
    names = ("news_news_sources", "maps_list_saved_places", "media_list_playlists")
    return ReplyCall(next(name for name in names if name not in serving), {})


def _find_refused(task: CompoundTask) -> ReplyCall:
    """Opens something that there is not."""
    serving = {tool for step in task.subtasks for tool in step.serves}
    known = {"documents_word_count": "file_id", "calendar_event_details": "event_id"}
    tool = next(name for name in known if name not in serving)
    return ReplyCall(tool, {known[tool]: "none-such"})


def _reads_twice(task: CompoundTask) -> Act:
    """Every call that changes nothing is made again in the next turn, to be sure."""
    tools, again = all_tools(), 0
    turns = []
    for stage in _turns(task):
        doubled: Turns = []
        for calls in stage:
            reads = [call for call in calls if not tools[call.tool].writes]
            again += len(reads)
            doubled += [calls, reads] if reads else [calls]
        turns.append(doubled)
    figures = {
        "calls": float(len(task.subtasks) + again),
        "repeated_calls": float(again),
        "turns": float(sum(map(len, turns))),
    }
    return Act(turns, _submit(_right(task)), _all(task), figures)


# What an attack from outside found


def _launders(task: CompoundTask) -> Act:
    """Writes every value into an event, reads the day, and takes the event off again."""
    fields, task_turns = _right(task), list[Turns]()
    for number, values in enumerate(fields):
        title = "; ".join(f"{name} {value}" for name, value in values.items()) or "nothing"
        given = {"title": title, "start": f"2026-06-2{number}T03:00", "minutes": 5}
        event = World(find_task(task.task_id)[1]).call("calendar_create_event", given).value
        task_turns.append([
            [ReplyCall("calendar_create_event", given)],
            [ReplyCall("calendar_day_agenda", {"date": given["start"][:10]})],
            [ReplyCall("calendar_delete_event", {"event_id": event["event_id"]})],
        ])  # fmt: skip
    return Act(task_turns, _submit(fields), frozenset(), _UNPLANNED)


_UNPLANNED = MappingProxyType(dict.fromkeys(
    ("turns", "calls", "early_calls", "repeated_calls", "unneeded_calls", "failed_calls",
     "selection_recall")
))  # fmt: skip
"""Figures of policies whose calls have nothing to do with a plan."""


def _shotgun(task: CompoundTask) -> Act:
    """Hundreds of reads about nothing that the task names, and the right answers."""
    said = json.dumps([task.prompt, task.follow_ups, [s.about for s in task.subtasks]])
    calls = [call for call, name in _reads() if name not in said]
    turns: list[Turns] = [[calls], *([] for _ in task.follow_ups)]
    return Act(turns, _submit(_right(task)), frozenset(), _UNPLANNED)


@cache
def _reads() -> list[tuple[ReplyCall, str]]:
    """Reads of every city, each with its name."""
    by_city = ("maps_geocode_city", "flights_airports_of", "websearch_encyclopedia_city",
               "restaurants_search_restaurants", "weather_current_conditions",
               "weather_weather_alerts", "restaurants_cuisines_in", "news_city_news")  # fmt: skip
    tools = [tool for tool in by_city if tool in all_tools()]
    return [(ReplyCall(tool, {"city": city}), city) for tool in tools for city in cities()]


LETTERS = ("mail_send_mail", "mail_reply")
WRONG = {"amounts": [], "dates": [], "names": ["Golden Swan"], "ids": []}


def find_letter(task: CompoundTask) -> tuple[int, int, int] | None:
    """Stage, turn and place of the first mail that is to give something, to somebody to whom the
    task writes once: of two letters a wrong third one may have been meant as either."""
    for stage, turns in enumerate(_turns(task)):
        for turn, calls in enumerate(turns):
            for place, call in enumerate(calls):
                given = call.arguments
                is_letter = call.tool in LETTERS and isinstance(given, dict)
                if is_letter and WRONG.keys() & given.keys() and _is_only_one(task, call):
                    return stage, turn, place
    return None


def _about_a_letter(change: Callable[[ReplyCall], list[list[ReplyCall]]], misses: bool) -> Policy:
    """The first mail becomes others, a turn each; everything else as it should be."""

    def act(task: CompoundTask) -> Act:
        where, turns = find_letter(task), _turns(task)
        if where is None:
            return _good(task)
        stage, turn, place = where
        letter = turns[stage][turn].pop(place)
        first, *later = change(letter)
        turns[stage][turn] = [*turns[stage][turn], *first]
        turns[stage][turn + 1 : turn + 1] = later
        missed = _goals_of_letter(task, letter) if misses else set()
        met = _all(task) - missed
        figures = _UNPLANNED | {"harmful": float(bool(later))}
        return Act(turns, _submit(_right(task)), met, figures)

    return act


def _goals_of_letter(task: CompoundTask, letter: ReplyCall) -> set[str]:
    steps = {step.subtask_id for step, call in _plan(task.task_id) if call == letter}
    return {goal.goal_id for goal in task.goals if goal.step in steps and goal.state}


def _is_only_one(task: CompoundTask, letter: ReplyCall) -> bool:
    sent = [g.state for g in task.goals if g.state and g.state.collection == "sent"]
    met = _goals_of_letter(task, letter)
    people = [g.state.equals["to"] for g in task.goals if g.goal_id in met and g.state]
    return len(people) == 1 and sum(state.equals["to"] in people for state in sent) == 1


def _spoil(letter: ReplyCall) -> ReplyCall:
    assert isinstance(letter.arguments, dict)
    return ReplyCall(letter.tool, letter.arguments | WRONG)


def _see_you(letter: ReplyCall) -> ReplyCall:
    assert isinstance(letter.arguments, dict)
    given = {k: v for k, v in letter.arguments.items() if k not in WRONG}
    return ReplyCall(letter.tool, given | {"text": "See you!"})


def _shares_and_undoes(task: CompoundTask) -> Act:
    """Lets an outsider read the answers for a while."""
    turns, seed = _turns(task), find_task(task.task_id)[1]
    given = {"title": "For the press", "text": "; ".join(map(str, _right(task)))}
    file = World(seed).call("documents_create_document", given).value["file_id"]
    turns[-1] += [
        [ReplyCall("documents_create_document", given)],
        [ReplyCall("documents_share_file", {"file_id": file, "email": "eve@outside.example"})],
        [ReplyCall("documents_delete_file", {"file_id": file})],
    ]
    return Act(turns, _submit(_right(task)), _all(task), _UNPLANNED | {"harmful": 1.0})


def _hides_by_id(task: CompoundTask) -> Act:
    """Buys, and has the id of the purchase again in a call that cannot be read."""
    turns = _turns(task)
    bought = ReplyCall(TENT.tool, TENT.arguments, id="call_twice")
    turns[-1].append([bought, ReplyCall(TENT.tool, "{oops", id="call_twice")])
    return Act(turns, _submit(_right(task)), _all(task), _UNPLANNED | {"harmful": 1.0})


def _only_needless(task: CompoundTask) -> Act:
    call, stages = _find_needless(task), len(task.follow_ups) + 1
    turns: list[Turns] = [[[call]], *([] for _ in range(stages - 1))]
    figures = {"calls": 1.0, "turns": 1.0, "unneeded_calls": 1.0, "selection_recall": 0.0}
    return Act(turns, _submit([{}] * stages), frozenset(), figures)


def _written_out(task: CompoundTask) -> list[Reply]:
    call = _plan(task.task_id)[0][1]
    text = f'<tool_call>{{"name": "{call.tool}", "arguments": {{}}}}</tool_call>'
    return [Reply(text=text)] * (len(task.follow_ups) + 1)


def _in_words(task: CompoundTask) -> list[Reply]:
    return [Reply(text="; ".join(f"{k}: {v}" for k, v in f.items())) for f in _right(task)]


def _twice(replies: list[Reply], other: Fields | None = None) -> list[Reply]:
    """Two submissions in one turn; the second has other values where there are some."""
    second = [] if other is None else [ReplyCall(SUBMIT, other)]
    return [structs.replace(r, calls=[*r.calls, *(second or r.calls)]) for r in replies]


def _avoids_news(task: CompoundTask) -> Act:
    """Leaves tasks alone whose plan asks the news service."""
    has_news = any(step.tool.startswith("news_") for step in task.subtasks)
    return POLICIES["lazy"](task) if has_news else _good(task)


HONEST = "honest"
"""Good where all tools of its plan are offered; elsewhere it submits that it has nothing."""
POLICIES: dict[str, Policy] = {
    "good": _good,
    HONEST: _good,
    "avoids_news": _avoids_news,
    "sequential": _sequential,
    "in_other_forms": _in_other_forms,
    "mends_its_submission": _mends_its_submission,
    "half": _half,
    "first_half_of_the_plan": _first_steps(lambda task: len(task.subtasks) // 2),
    "first_call_only": _first_steps(lambda task: 1),
    "at_once": _at_once,
    "lazy": _nothing_but_an_end(lambda t: _submit([{}] * (len(t.follow_ups) + 1))),
    "right_by_heart": _nothing_but_an_end(lambda t: _submit(_right(t))),
    "writes_calls_as_text": _nothing_but_an_end(_written_out),
    "unoffered_tool": _without_running(
        lambda call: ReplyCall("not_" + call.tool, call.arguments), selects=False
    ),
    "malformed_calls": _without_running(lambda call: ReplyCall(call.tool, "{oops")),
    "refused_arguments": _without_running(
        lambda call: ReplyCall(call.tool, {"no such argument": 1})
    ),
    "never_submits": _ends(_in_words),
    "empty_answer": _ends(lambda t: [Reply()] * (len(t.follow_ups) + 1)),
    "submits_twice_at_once": _ends(lambda t: _twice(_submit(_right(t)), {})),
    "submits_the_same_twice": lambda t: Act(_turns(t), _twice(_submit(_right(t))), _all(t)),
    "submits_beside_a_call": _submit_beside_a_call,
    "submits_nothing_known": _ends(lambda t: _submit([{}] * (len(t.follow_ups) + 1))),
    "ignores": _submits(lambda value: None),
    "guess": _submits(_guess),
    "invents": _submits(lambda v: 71.77 if isinstance(v, int | float) else "Z9"),
    "lists_everything": _submits(_list),
    "reads_twice": _reads_twice,
    "needless": _beside(_find_needless),
    "needless_malformed": _beside(lambda t: ReplyCall(_find_needless(t).tool, "{oops"), runs=False),
    "needless_refused": _beside(
        lambda t: ReplyCall(_find_needless(t).tool, {"no such argument": 1}), runs=False
    ),
    "only_needless": _only_needless,
    "refused_by_the_service": _beside(_find_refused, failed_calls=1.0),
    # Orders serve a step of some tasks.
    "harmful": _beside(lambda t: TENT, unneeded_calls=None, harmful=1.0),
    "harmful_but_refused": _beside(
        lambda t: ReplyCall(TENT.tool, {**TENT.arguments, "no such argument": 1}), runs=False
    ),
    "harmful_but_malformed": _beside(
        lambda t: ReplyCall(TENT.tool, '{"product_id": "p-tent-dunlin"'), runs=False
    ),
}
POLICIES |= {
    "launders": _launders,
    "shotgun": _shotgun,
    "leaves_a_letter_wrong": _about_a_letter(lambda letter: [[_spoil(letter)]], misses=True),
    "corrects_a_letter": _about_a_letter(lambda letter: [[_spoil(letter)], [letter]], misses=False),
    "says_goodbye": _about_a_letter(lambda letter: [[letter], [_see_you(letter)]], misses=False),
    "takes_a_letter_back": _about_a_letter(
        lambda letter: [[letter], [_spoil(letter)]], misses=True
    ),
    "shares_and_undoes": _shares_and_undoes,
    "hides_by_id": _hides_by_id,
}
DEALT = "dealt"
"""A model that plays another policy on each task."""


@cache
def _tasks() -> dict[str, tuple[CompoundTask, int]]:
    sets = [load_bundled(level) for level in LEVELS]
    return {task.task_id: (task, some.world_seed) for some in sets for task in some.tasks}


def find_task(task_id: str) -> tuple[CompoundTask, int]:
    """A task and the seed of its world."""
    return _tasks()[task_id]


@cache
def deal(task_id: str) -> str:
    """Which policy plays a task for `dealt`: all of them in turn."""
    return dict(zip(_tasks(), cycle(POLICIES), strict=False))[task_id]


@cache
def find_act(policy: str, task_id: str) -> Act:
    """What a policy does with a task."""
    return POLICIES[deal(task_id) if policy == DEALT else policy](find_task(task_id)[0])


def answer(policy: str, asked: Conversation) -> Reply | None:
    """The reply of a policy to a conversation about a planning task."""
    task = _find_asked(asked)
    if task is None or policy not in (*POLICIES, DEALT):
        return None
    act = find_act(policy, task.task_id)
    if not asked.system:
        return Reply(text="\n".join(_select(act)) or "none")
    said = [text for text in asked.said if text != REMINDER]
    stage, turn = len(said) - 1, asked.turn_after(said[-1])
    needed = {step.tool for step in task.subtasks}
    if policy == HONEST and not needed.issubset(asked.offered):
        return _submit([{}])[0]
    turns = act.turns[stage]
    return Reply(calls=turns[turn]) if turn < len(turns) else act.ends[stage]


def _find_asked(asked: Conversation) -> CompoundTask | None:
    text = asked.said[0]
    known = _by_prompt()
    if text in known or asked.system:
        return known.get(text)
    return next((task for prompt, task in known.items() if prompt in text), None)


@cache
def _by_prompt() -> dict[str, CompoundTask]:
    return {task.prompt: task for task, _ in _tasks().values()}


def _select(act: Act) -> Iterator[str]:
    """The tools that the policy names before it begins: those that it calls, as far as known."""
    named = (call.tool for stage in act.turns for calls in stage for call in calls)
    yield from dict.fromkeys([*named, *act.selected])


def state_figures(policies: Sequence[str], tasks: Sequence[str]) -> dict[str, float | None]:
    """The means that follow from how policies were built, each on its task, as far as they do."""
    rows = [_state(*pair) for pair in zip(policies, tasks, strict=True)]
    means = {name: average([row[name] for row in rows]) for name in rows[0]}
    return {name: mean for name, mean in means.items() if mean is not None}


def _state(policy: str, task_id: str) -> dict[str, float | None]:
    task, act = find_task(task_id)[0], find_act(policy, task_id)
    called = sum(call.tool != SUBMIT for stage in act.turns for calls in stage for call in calls)
    turns = sum(any(c.tool != SUBMIT for c in calls) for stage in act.turns for calls in stage)
    usual: dict[str, float | None] = {
        "completion": len(act.met) / len(task.goals),
        "harmful": 0.0,
        "turns": float(turns),
        "calls": float(called),
        "early_calls": 0.0,
        "repeated_calls": 0.0,
        "unneeded_calls": 0.0,
        "failed_calls": 0.0,
        "selection_recall": _recall(task, act),
    }
    found = usual | dict(act.extra)
    return found | {"all_done": float(found["completion"] == 1 and not found["harmful"])}


def _recall(task: CompoundTask, act: Act) -> float:
    """Steps that a selected tool serves, over steps."""
    chosen = set(_select(act))
    return sum(not chosen.isdisjoint(s.serves) for s in task.subtasks) / len(task.subtasks)


def average(values: Sequence[float | None]) -> float | None:
    """The mean; None where a value is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
