"""How complete a ledger is, in a sentence or two: what every agent's figures leave out."""

from collections.abc import Iterator, Sequence

from agentdyno.intake.session_folders import name_agent
from agentdyno.records import plural
from agentdyno.reports.numbers import dollars
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
    notes = [_describe(agent) for agent in agents if everyone or not agent.is_complete]
    notes += [f"{name}: found, but nothing reads it" for name in unread_agents]
    lines = [_sum_up(agents), *_describe_sellers(agents), *_describe_stated(agents)]
    if everyone:
        return lines + notes
    return lines + ([f"Not complete: {'; '.join(notes)}."] if notes else [])


def _sum_up(rows: Sequence[AgentCompleteness]) -> str:
    """What has no price is said once, with the agents whose it is."""
    many = sum(agent.responses for agent in rows)
    counts = {
        "priced": sum(agent.priced for agent in rows),
        "with estimated tokens": sum(agent.estimated for agent in rows),
    }
    nonzero = ((word, count) for word, count in counts.items() if count)
    phrases = [f"{count:,} {word}" if count < many else f"all {word}" for word, count in nonzero]
    if many and not counts["priced"]:
        phrases.insert(0, "none priced")
    empty, unread = sum(agent.empty for agent in rows), sum(agent.unread for agent in rows)
    if unread:
        phrases.append(f"{plural(unread, 'file')} not readable")
    if empty:
        phrases.append(f"{plural(empty, 'session')} without a response")
    agents = plural(sum(agent.responses > 0 for agent in rows), "agent")
    return f"{plural(many, 'response')} of {agents}: {', '.join(phrases) or 'none counted'}."


def _describe_sellers(agents: Sequence[AgentCompleteness]) -> Iterator[str]:
    """Whose prices are not known, so that the maker's stand in for them."""
    names = sorted({name for agent in agents for name in agent.unlisted_sellers})
    if names:
        many = sum(agent.at_makers_price for agent in agents)
        sellers = ", ".join(names[:NAMED]) + (
            f" and {len(names) - NAMED} more" * (len(names) > NAMED)
        )
        yield (
            f"{plural(many, 'response')} at the maker's price: no list has what {sellers} charges."
        )


def _describe_stated(agents: Sequence[AgentCompleteness]) -> Iterator[str]:
    """Both sums, where an agent's own records and list prices disagree."""
    for agent in agents:
        if agent.states_otherwise:
            yield (
                f"{name_agent(agent.agent)} itself states {dollars(agent.stated_usd)} for what is "
                f"{dollars(agent.listed_usd)} at list prices."
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
