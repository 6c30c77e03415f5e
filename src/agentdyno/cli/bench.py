"""`agentdyno bench`: runs a benchmark, then measures it. One module `bench_*` for each."""

from importlib import import_module
from importlib.util import find_spec

import typer

app = typer.Typer(
    help="Run a benchmark with one or more models, then measure it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

BENCHMARKS = ("tir", "toolfail", "tps")
"""In the order of the help text; each is a module `bench_NAME` with a function `command`."""

for _name in BENCHMARKS:
    if find_spec(f"agentdyno.cli.bench_{_name}"):
        app.command(_name)(import_module(f"agentdyno.cli.bench_{_name}").command)
