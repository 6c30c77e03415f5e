"""How complete a ledger is, in a sentence or two: what every agent's figures leave out."""

from collections.abc import Iterator, Sequence

from agentdyno.intake.session_folders import name_agent
from agentdyno.records import plural
from agentdyno.studies.completeness import AgentCompleteness

NAMED = 3
"""Sellers that are named."""


def describe_completeness(
    agents: Sequence[AgentCompleteness],
    unread_agents: Sequence[str] = (),
    *,
    everyone: bool = False,
) -> list[str]:
    """How many responses there are, priced and estimated; then the agents that are not complete,
    or `everyone`; `unread_agents` have sessions on this machine that nothing reads."""
    stated = [_describe(each) for each in agents if everyone or not each.is_complete]
    stated += [f"{name}: found, but nothing reads it" for name in unread_agents]
    lines = [_sum_up(agents), *_describe_sellers(agents)]
    if everyone:
        return lines + stated
    return lines + ([f"Not complete: {'; '.join(stated)}."] if stated else [])


def _sum_up(found: Sequence[AgentCompleteness]) -> str:
    many = sum(each.responses for each in found)
    counts = {
        "priced": sum(each.priced for each in found),
        "with estimated tokens": sum(each.estimated for each in found),
        "without a price": sum(each.unpriced for each in found),
    }
    known = ((word, count) for word, count in counts.items() if count)
    stated = [f"{count:,} {word}" if count < many else f"all {word}" for word, count in known]
    empty, unread = sum(each.empty for each in found), sum(each.unread for each in found)
    if unread:
        stated.append(f"{plural(unread, 'file')} not readable")
    if empty:
        stated.append(f"{plural(empty, 'session')} without a response")
    agents = plural(sum(each.responses > 0 for each in found), "agent")
    return f"{plural(many, 'response')} of {agents}: {', '.join(stated) or 'none counted'}."


def _describe_sellers(agents: Sequence[AgentCompleteness]) -> Iterator[str]:
    """Whose prices are not known, so that the maker's stand in for them."""
    names = sorted({name for each in agents for name in each.unlisted_sellers})
    if names:
        many = sum(each.at_makers_price for each in agents)
        stated = ", ".join(names[:NAMED]) + (
            f" and {len(names) - NAMED} more" * (len(names) > NAMED)
        )
        yield (
            f"{plural(many, 'response')} at the maker's price: no list has what {stated} charges."
        )


def _describe(agent: AgentCompleteness) -> str:
    return f"{name_agent(agent.agent)}: {', '.join(_list_gaps(agent)) or 'complete'}"


def _list_gaps(agent: AgentCompleteness) -> Iterator[str]:
    if agent.has_no_counts:
        yield "no token counts in its files"
    if agent.unpriced:
        yield f"{agent.unpriced:,} of {plural(agent.responses, 'response')} without a price"
    if agent.unread:
        yield f"{plural(agent.unread, 'file')} not readable"
    if agent.in_part:
        yield f"{plural(agent.in_part, 'file')} read in part"
    if agent.bad_records:
        yield f"{plural(agent.bad_records, 'record')} not readable"
