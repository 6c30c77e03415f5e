"""The command `agentdyno`. One file per verb: parse, call a pipeline, print.

Pipelines are imported inside the verbs, so that `--help` stays quick.
"""

import gc
import sys
from types import ModuleType


def main() -> int:
    """Runs a verb. Cycles are not looked for when it ends."""
    try:
        return _run()
    finally:
        gc.freeze()


def _run() -> int:
    """The status hook, and plain words of `measure` or of no verb, are answered before what parses
    all options is loaded: that takes longer than the answer."""
    match sys.argv[1:]:
        case ["statusline"]:
            return _answer_hook(None)
        case ["statusline", "--ledger", place]:
            return _answer_hook(place)
        case ["budget", "hook", *words]:
            from agentdyno.cli.statusline import answer_budget_hook

            ledger = words[words.index("--ledger") + 1 :][:1] if "--ledger" in words else []
            return answer_budget_hook(next(iter(ledger), None), "--block-unknown" in words)
        case words if set(words) <= {"--totals-only", "--json"}:
            _begin_measuring()
            from agentdyno.cli.guard import run_program
            from agentdyno.cli.home import measure_this_machine

            is_short, as_json = "--totals-only" in words, "--json" in words
            run_program(lambda **_: measure_this_machine(is_short, as_json))
        case ["measure", *words]:
            _begin_measuring()
            from agentdyno.cli.guard import run_program
            from agentdyno.cli.measure import command
            from agentdyno.cli.plain_words import read_words

            if (given := read_words(command.kind, words)) is not None:
                run_program(lambda **_: command.run(given))
    from agentdyno.cli.app import main as run

    run()
    return 0


def _begin_measuring() -> None:
    """Nearly all that a measurement makes lives until its end, so cycles are rarely looked for. Not
    so in verbs that run all day."""
    gc.set_threshold(500_000, 20, 20)
    # What msgspec takes from there stands in `typing` too, and takes half as long to load.
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    if modules.setdefault("typing_extensions", None) is None:
        import msgspec  # noqa: F401

        del modules["typing_extensions"]


def _answer_hook(place: str | None) -> int:
    from agentdyno.cli.statusline import answer_hook

    return answer_hook(place)


__all__ = ["main"]
