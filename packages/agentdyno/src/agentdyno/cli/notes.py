"""`agentdyno about notes`: how the figures of a ledger were made, and what to be wary of."""

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import SelectionOptions, ViewOptions, choose_view


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: opt.LedgerOrOwn
    json: opt.Json = False


@takes_options
def command(options: Options) -> int:
    """Say how the figures were made: what is estimated, what counts once, what is not known."""
    from agentdyno.cli.output import print_json
    from agentdyno.pipelines.report import build_overview
    from agentdyno.records import printable

    report = build_overview(options.ledger, choose_view(ViewOptions(), options), ("glance",))
    topic = report.topics[0]
    lines = [printable(line, 800) for line in (topic.lead, *topic.notes) if line]
    if options.json:
        print_json({"notes": lines})
        return 0
    print("\n".join(lines))
    return 0
