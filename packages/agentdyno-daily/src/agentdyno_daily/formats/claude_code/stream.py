"""The output of `claude -p --output-format stream-json`, and the list that CI actions store of it.

Its lines hold the messages of a session file under other names, and stop while the output count
is still a placeholder. The last line has the totals of each model. Where a model's input there is
the sum of the responses that the stream shows, its output is theirs too: it is shared out over
those without a count of their own, by the text that they wrote.
"""

from collections.abc import Iterable
from typing import NamedTuple

from agentdyno.intake.session_totals import split_total, weigh_output
from agentdyno.intake.texts import whole
from agentdyno.records import TokenCount
from agentdyno_daily.formats.claude_code.chain import Chain
from agentdyno_daily.formats.claude_code.wire import Line, ModelUsage


def rename_fields(line: Line) -> None:
    """Gives a line of the stream the names that session files use.

    A sub-agent is known by the call that started it: its own id stands only in the result of that
    call.
    """
    line.sessionId = line.session_id
    if line.parent_tool_use_id:
        line.isSidechain = True
        line.agentId = line.parentToolUseID = line.parent_tool_use_id
    line.toolUseResult = line.tool_use_result


class _Turn(NamedTuple):
    """A response without a final count, and how much text it has."""

    chain: Chain
    number: int
    weight: float


def share_output(chains: Iterable[Chain], totals: dict[str, ModelUsage]) -> None:
    """Gives responses whose output count is unknown their share of their model's."""
    counted: dict[str, int] = dict.fromkeys(totals, 0)
    reported: dict[str, int] = dict.fromkeys(totals, 0)
    waiting: dict[str, list[_Turn]] = {}
    for chain in chains:
        weights = weigh_output(chain.builder)
        for index, turn in enumerate(chain.builder.turns):
            model = turn.model or ""
            if model not in totals:
                continue
            counted[model] += turn.prefill.tokens if turn.prefill else 0
            if turn.decode is not None and turn.decode.source == "reported":
                reported[model] += turn.decode.tokens
            else:
                waiting.setdefault(model, []).append(_Turn(chain, index, weights[index]))
    for model, turns in waiting.items():
        if counted[model] == _sum_input(totals[model]):
            _share(turns, (whole(totals[model].outputTokens) or 0) - reported[model])


def _sum_input(usage: ModelUsage) -> int:
    counts = (usage.inputTokens, usage.cacheReadInputTokens, usage.cacheCreationInputTokens)
    return sum(whole(count) or 0 for count in counts)


def _share(turns: list[_Turn], missing: int) -> None:
    shares = split_total(missing, [turn.weight for turn in turns]) if missing > 0 else None
    for turn, share in zip(turns, shares or (), strict=False):
        turn.chain.builder.amend_turn(turn.number, decode=TokenCount(share, "scaled"))
