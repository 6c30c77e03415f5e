"""The command line: its verbs, and what happens to errors."""

import os
import sys
from collections.abc import Callable
from importlib import import_module

import typer

from agentdyno.records.problems import InputError, printable
from agentdyno.records.secrets import clean_text

app = typer.Typer(
    name="agentdyno",
    help="A dynamometer for LLM agents: what every tool call cost, and where the cost went.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # rich would double the time that --help takes
    context_settings={"help_option_names": ["-h", "--help"]},
)

INTERRUPTED = 130
"""The exit code that shells expect after Ctrl-C."""

VERBS = (
    "measure",
    "report",
    "compare",
    "whatif",
    "judge",
    "bench",
    "ablate",
    "classify",
    "depth",
    "think",
    "world",
    "ledger",
    "export",
    "reproduce",
    "arch",
    "hardware",
    "calibrate",
    "formats",
    "plugins",
    "tables",
)
"""In the order of the help text; each is a module of this package with a function `command`, or
with an `app` of verbs of its own."""

for _verb in VERBS:
    _module = import_module(f"agentdyno.cli.{_verb}")
    if hasattr(_module, "app"):
        app.add_typer(_module.app, name=_verb)
    else:
        app.command(_verb)(_module.command)


def main() -> None:
    """Runs a verb. Exit 0 done, 1 a gate or check failed, 2 the input or the usage is wrong."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # A dash that the code page lacks is no reason to stop.
    sys.exit(guarded(app))


def guarded(call: Callable[..., object]) -> int:
    """The exit code; errors are shown in one place, without a traceback."""
    try:
        code = call(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # typer turns Ctrl-C into this.
            return _interrupted()
        return code if isinstance(code, int) else 0
    except typer.Exit as stop:
        return stop.exit_code
    except InputError as error:
        return _say(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except BrokenPipeError:
        return _unheard()
    except OSError as error:
        return _say(f"{error.filename or 'a file'}: {error.strerror or error}")
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # typer exits 1 on a closed pipe.
            return _unheard()
        raise
    except BaseException as error:  # Panics inside polars are no `Exception`.
        if show := getattr(error, "show", None):  # click's own usage errors
            show()
            return int(getattr(error, "exit_code", 2))
        return _unexpected(error)


def _interrupted() -> int:
    print(
        "Interrupted. What was finished is kept; run the command again to go on.",
        file=sys.stderr,
    )
    return INTERRUPTED


def _unheard() -> int:
    """Whoever read our output has seen enough, which is no failure."""
    # What is left in the buffer would fail again when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _say(text: str) -> int:
    lines = [printable(clean_text(line), 500) for line in text.split("\n")]
    print("agentdyno: " + "\n".join(lines), file=sys.stderr)
    return 2


def _unexpected(error: BaseException) -> int:
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1]
    return _say(
        f"this should not have happened: {type(error).__name__}: {error} ({last.name}, line "
        f"{last.lineno} of {last.filename.rsplit('/', 1)[-1]}). Please report it with the command."
    )
