"""`agentdyno quota`: what used the weekly limit of a subscription."""

from msgspec import Struct

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options


class Options(Struct, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    format: opt.TextFormat = opt.TextFormat.terminal
    """For the terminal, Markdown, an HTML page, or JSON."""
    json: opt.Json = False


@takes_options
def command(given: Options) -> int:
    """Show which sessions, files and causes used the weekly limit of a subscription, and what the
    plan charges for cached tokens."""
    from agentdyno.cli.output import print_answer
    from agentdyno.pipelines.quota import find_quota
    from agentdyno.reports.topics.quota import render_quota

    found = find_quota(given.ledger)
    form = opt.TextOptions(format=given.format, json=given.json)
    print_answer(form, "The weekly limit", render_quota(found), found)
    return 0
