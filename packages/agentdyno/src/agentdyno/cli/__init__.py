"""The command `agentdyno`. One file per verb: parse, call a pipeline, print.

Pipelines are imported inside the verbs, so that `--help` stays quick.
"""

import gc
import sys


def main() -> int:
    """Runs a verb. Nearly all that is made by a command lives until its end, so cycles are rarely
    looked for, and not at the end: both took a sixth of a second."""
    gc.set_threshold(50_000, 20, 20)
    try:
        return _run()
    finally:
        gc.freeze()


def _run() -> int:
    """The status hook is answered before anything else is loaded: to load what parses
    options takes longer than the answer."""
    match sys.argv[1:]:
        case ["statusline"]:
            place = None
        case ["statusline", "--ledger", place]:
            pass
        case _:
            from agentdyno.cli.app import main as run

            run()
            return 0
    from pathlib import Path

    from agentdyno.cli.statusline import command

    return command(ledger=Path(place) if place else None)


__all__ = ["main"]
