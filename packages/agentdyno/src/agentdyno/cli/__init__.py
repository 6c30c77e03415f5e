"""The command `agentdyno`. One file per verb: parse, call a pipeline, print.

Pipelines are imported inside the verbs, so that `--help` stays quick.
"""

import gc
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType


def main() -> int:
    """Runs a verb. Cycles are not looked for when it ends."""
    try:
        return _run()
    finally:
        gc.freeze()


def _run() -> int:
    """Hooks, and plain words of `measure` or of no verb, are answered before what parses all
    options is loaded: that takes longer than the answer."""
    if (code := _answer_quickly(sys.argv[1:])) is not None:
        return code
    match sys.argv[1:]:
        case words if set(words) <= {"--totals-only", "--json"}:
            _begin_measuring()
            from agentdyno.cli.companion import load_companion
            from agentdyno.cli.guard import run_program

            is_short, as_json = "--totals-only" in words, "--json" in words
            run_program(lambda **_: load_companion().measure_this_machine(is_short, as_json))
        case ["measure", *words]:
            _begin_measuring()
            from agentdyno.cli.guard import run_program
            from agentdyno.cli.measure import command
            from agentdyno.cli.plain_words import read_words

            if (arguments := read_words(command.kind, words)) is not None:
                run_program(lambda **_: command.run(arguments))
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


def _answer_quickly(words: list[str]) -> int | None:
    """The exit code of a verb in the group `agentdyno.quick_verbs`, whose entry points name
    functions from the words behind the verb to that; None leaves them to the parser."""
    from agentdyno.quick_entries import list_quick_entries

    if not words or (entry := list_quick_entries("agentdyno.quick_verbs").get(words[0])) is None:
        return None
    module, _, attribute = entry.partition(":")
    answer: Callable[[list[str]], int | None] = getattr(import_module(module), attribute)
    return answer(words[1:])


__all__ = ["main"]
