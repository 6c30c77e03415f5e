"""What a perfect and a clumsy player say to games of planning and failures."""

import json

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.needed import tools_of
from agentdyno_train.plans import conversation

CLUMSY = "\n".join(
    [
        '{"name": "no_such_tool", "arguments": {"a": 1}}',
        '{"name": "mail_find_contact", "arguments": {"name": "Nobody Known"}}',
        '{"name": "weather_air_quality"',
    ]
)
"""A turn with an unknown tool, a service that refuses, and a line that is no call."""


def planned(easy: int, hard: int, clumsy: int = 0) -> dict[str, list[str]]:
    """The turns of each task's plan by the task's prompt; the first ones begin clumsily."""
    found: dict[str, list[str]] = {}
    for level, count in (("easy", easy), ("hard", hard)):
        bundled = load_bundled(level)
        tasks = bundled.tasks[:count]
        for task in tasks:
            plan = conversation(task, tools_of(tasks), bundled.world_seed)
            turns = [m.text for m in plan.messages if m.role == "assistant"]
            found[task.prompt] = turns
    for prompt in list(found)[:clumsy]:
        tool = json.loads(found[prompt][0].splitlines()[0])["name"]
        bad = [json.dumps({"name": tool, "arguments": given}) for given in ({}, {"odd": [1]})]
        found[prompt] = ["\n".join([CLUMSY, *bad]), *found[prompt]]
    return found


def says_plans(turns: dict[str, list[str]]):  # type: ignore[no-untyped-def]
    """Follows the plans; elsewhere calls the first tool wrongly once, then answers."""

    def says(context: str, number: int) -> str:
        for prompt, texts in turns.items():
            if prompt in context:
                done = context.count("<tool_response>")
                return texts[min(done, len(texts) - 1)]
        if "<tool_response>" not in context and "When a question asks for a figure" in context:
            return json.dumps({"name": "actor_profile", "arguments": {"actor": "APT29"}})
        return "It is 35, with moderate confidence. <ANSWER>4</ANSWER>"

    return says
