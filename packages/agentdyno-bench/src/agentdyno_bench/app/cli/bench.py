"""`agentdyno bench`: runs a benchmark, then measures it. One module `bench_*` for each."""

from importlib import import_module

import typer

from agentdyno.cli.options import one_line

app = typer.Typer(
    help="Run a benchmark with one or more models, then measure the runs.",
    no_args_is_help=True,
)

BENCHMARKS = ("tir", "toolfail", "tps")
"""In the order of the help text; each is a module `bench_NAME` with a function `command`."""

for _name in BENCHMARKS:
    _command = import_module(f"agentdyno_bench.app.cli.bench_{_name}").command
    app.command(_name, help=one_line(_command))(_command)
