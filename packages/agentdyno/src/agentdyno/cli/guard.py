"""What happens to the errors of a command: each is one line and an exit code, never a traceback.

Loads no parser of options: to load one takes longer than some answers.
"""

import errno
import os
import re
import sys
from collections.abc import Callable

from agentdyno.records.problems import InputError, printable, shortened
from agentdyno.records.secrets import clean_text

INTERRUPTED = 130
"""The exit code that shells expect after Ctrl-C."""
LONGEST_WORD = 160
"""Characters of a path in an error; the rest is left out of its middle."""

EXTRAS = {
    "mcp": ("mcp", "mcp_types"),
    "bench": (
        "anyio", "bm25s", "httpcore", "inspect_ai", "math_verify", "openai",
        "scipy", "tenacity", "tzdata", "uvicorn",
    ),
    "charts": ("vl_convert",),
    "depth": ("gguf", "httpx", "torch", "transformers", "triton"),
    "receive": ("google", "h11", "opentelemetry"),
    "scale": ("fsspec", "ray"),
    "train": ("datasets", "peft", "trl"),
    "view": ("starlette",),
}  # fmt: skip
"""Modules by the extra that installs them, those included that come with another package."""


def run_program(call: Callable[..., object]) -> None:
    """Runs a verb and ends. Exit 0 done, 1 a gate or check failed, 2 the input or the usage is
    wrong, or the disk is full, 3 the data cannot decide a gate."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")  # A dash that the code page lacks is no reason to stop.
    sys.exit(run_guarded(call))


def run_guarded(call: Callable[..., object]) -> int:
    """The exit code; errors are shown in one place, without a traceback."""
    try:
        code = call(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # typer turns Ctrl-C into this.
            return _report_interrupt()
        return code if isinstance(code, int) else 0
    except InputError as error:
        return _say(str(error))
    except KeyboardInterrupt:
        return _report_interrupt()
    except BrokenPipeError:
        return _unheard()
    except ModuleNotFoundError as error:
        return _report_missing(error)
    except OSError as error:
        return _say(_describe_os_error(error))
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # typer exits 1 on a closed pipe.
            return _unheard()
        raise
    except BaseException as error:  # Panics inside polars are no `Exception`.
        typer = sys.modules.get("typer")  # Else it has raised nothing.
        if typer and isinstance(error, typer.Exit):
            return int(error.exit_code)
        if typer and isinstance(error, typer.Abort):
            return _report_interrupt()
        if show := getattr(error, "show", None):  # click's own usage errors
            show()
            return int(getattr(error, "exit_code", 2))
        return _report_unexpected(error)


def _describe_os_error(error: OSError) -> str:
    what = f"{error.filename or 'a file'}: {error.strerror or error}"
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return f"{what}. Free some space there and run the command again." if is_full else what


def _report_interrupt() -> int:
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
    cleaned = [clean_text(line) for line in text.split("\n")]
    lines = [printable(_LONG_WORD.sub(_shorter, line), 700) for line in cleaned]
    print("agentdyno: " + "\n".join(lines), file=sys.stderr)
    return 2


_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")


def _shorter(word: re.Match[str]) -> str:
    return shortened(word[0], LONGEST_WORD)


def _report_missing(error: ModuleNotFoundError) -> int:
    hint = _install_hint(error.name or "")
    return _report_unexpected(error) if hint is None else _say(hint)


def _install_hint(module: str) -> str | None:
    """What to install for a module that is missing; None when no extra has it."""
    top = module.partition(".")[0]
    extra = next((name for name, modules in EXTRAS.items() if top in modules), None)
    if extra is None:
        return None
    return (
        f"expected the package {top.replace('_', '-')}, which this needs, found none. "
        f"Install it: pip install 'agentdyno[{extra}]'"
    )


def _report_unexpected(error: BaseException) -> int:
    import traceback

    last = traceback.extract_tb(error.__traceback__)[-1]
    return _say(
        f"this should not have happened: {type(error).__name__}: {error} ({last.name}, line "
        f"{last.lineno} of {last.filename.rsplit('/', 1)[-1]}). Please report it with the command."
    )
