"""`agentdyno capacity`: how many agents a machine of one's own serves at once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentdyno.cli import options as opt
from agentdyno.cli.option_structs import takes_options
from agentdyno.cli.views import AtLeastOne, SelectionOptions, ViewOptions, choose_view


class PolicyName(StrEnum):
    """How a memory forgets."""

    vllm = "vllm"
    sglang = "sglang"
    keep = "keep-while-tool-runs"
    none = "none"
    infinite = "infinite"


class Options(SelectionOptions, frozen=True, kw_only=True):
    """What is typed."""

    ledger: Annotated[
        Path, typer.Argument(help="Folder of a ledger, or a JSONL file of counts (see export).")
    ]
    arch: str = "auto"
    """Architecture: auto (the ledger's most used model), a name, or a config.json."""
    hardware: str = "h100-pcie"
    """The accelerator: a name, or a TOML file."""
    gpus: AtLeastOne | None = None
    """Cards that the model is spread over; by default the fewest that hold it."""
    policy: PolicyName = PolicyName.vllm
    """What is pushed out of a full memory: what was used longest ago (vllm; sglang token by token),
    nothing that waits for its tool (keep-while-tool-runs), everything at once (none), nothing
    (infinite)."""
    concurrency: str | None = None
    """Sessions at once, as in 4,8,16; by default around what the memory holds."""
    cache_tokens: AtLeastOne | None = None
    """Tokens that the memory holds, instead of what the card leaves for them."""
    out: Annotated[Path | None, typer.Option("--out", "-o")] = None
    """An HTML page to write."""
    json: opt.Json = False


@takes_options
def command(options: Options) -> int:
    """Say how many agents a machine of your own serves at once: seconds a task, hit rate and time
    to first token at each load, where the cliff begins and what would move it."""
    from agentdyno.cli.files import write_file
    from agentdyno.cli.output import print_json, print_text
    from agentdyno.cost.servings import Servings
    from agentdyno.pipelines.capacity import measure_capacity
    from agentdyno.reports.html import render_page
    from agentdyno.reports.topics.capacity import render_capacity

    servings = Servings(options.hardware, options.arch, gpus=options.gpus)
    capacity = measure_capacity(
        options.ledger,
        servings,
        options.policy.value,
        None if options.concurrency is None else _parse_loads(options.concurrency),
        options.cache_tokens,
        choose_view(ViewOptions(), options),
    )
    topic = render_capacity(capacity)
    if options.out is not None:
        write_file(options.out, render_page("Capacity", [topic]))
    if options.json:
        print_json(capacity)
    elif options.out is None:
        print_text("Capacity", [topic], "terminal")
    return 0


def _parse_loads(text: str) -> list[int]:
    from agentdyno.records import InputError, printable

    try:
        loads = [int(word) for word in text.split(",")]
    except ValueError:
        loads = [0]
    if not all(1 <= load <= 10_000 for load in loads):
        raise InputError(
            "--concurrency: expected whole numbers of sessions with commas between them, as in "
            f"4,8,16; found '{printable(text, 60)}'."
        )
    return loads
