"""The command `agentdyno`. One file per verb: parse, call a pipeline, print.

Pipelines are imported inside the verbs, so that `--help` stays quick.
"""


def main() -> int:
    """Runs a verb. The status hook is answered before anything else is loaded: to load what parses
    options takes longer than the answer."""
    import sys

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
