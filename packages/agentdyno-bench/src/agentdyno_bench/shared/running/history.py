"""Reads the logs of a run: every finished sample once, and how it ended.

Inspect replaces a log on disk with every finished sample, so a log of a killed process is whole
but for what was in flight. Samples that are to be repeated are taken out of their log's
directory first; otherwise the ledger would count them twice.
"""

import math
import os
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.records import InputError, printable

if TYPE_CHECKING:
    from inspect_ai.log import EvalSampleSummary
    from inspect_ai.model import ModelUsage

CANCELLED = ("CancelledError", "Cancelled", "cancelled", "interrupted", "BudgetSpent")
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's marks: correct, partial, incorrect, no answer."""


class Usage(Struct, frozen=True):
    """Tokens of one model in one sample."""

    uncached_tokens: int
    """Of the prompts, neither read from a cache nor written to one."""
    cached_tokens: int
    """Of the prompts, read from a cache."""
    cache_write_tokens: int
    """Of the prompts, written to a cache."""
    decode_tokens: int
    """Number of generated tokens."""


class Ended(Struct, frozen=True):
    """One sample in one log."""

    sample: str
    log: Path
    """The log that holds the sample."""
    error: str | None
    """What it ended with; None when it was completed."""
    interrupted: bool
    """Whether it was stopped from outside, which says nothing of the sample."""
    score: float | None = None
    """The first scorer's mark, where it is a number."""
    usage: dict[str, Usage] = {}
    """Tokens that it took, by model."""
    graded_by: str | None = None
    """What the first scorer says decided the mark; None where it does not say."""


def read_ended(logs: Path) -> list[Ended]:
    """Every sample in the folder's logs."""
    return [ended for log in sorted(logs.glob("*.eval")) for ended in _read_log(log)]


def _read_log(log: Path) -> list[Ended]:
    from inspect_ai.log import read_eval_log_sample_summaries

    try:
        summaries = read_eval_log_sample_summaries(str(log))
    except Exception as error:
        raise InputError(
            f"{log}: expected an Inspect log of this run, found {printable(repr(error))}. "
            "Move the file away to run its samples again."
        ) from None
    with zipfile.ZipFile(log) as archive:
        names = set(archive.namelist())
    return [
        _summarize_end(s, log)
        for s in summaries
        # Summaries outlive samples that were taken out.
        if {f"{_stem(str(s.id))}.json", f"{_stem(str(s.id))}/sample.json"} & names
    ]


def _summarize_end(summary: "EvalSampleSummary", log: Path) -> Ended:
    error = summary.error and printable(summary.error, 300)
    first = next(iter((summary.scores or {}).values()), None)
    score: Any = None if first is None else first.value
    score = LETTERS.get(score, score) if isinstance(score, str) else score
    graded_by = ((first and first.metadata) or {}).get("graded_by")
    return Ended(
        str(summary.id),
        log,
        error,
        _is_interruption(summary.error),
        score if isinstance(score, int | float) and math.isfinite(score) else None,
        {name: _usage(usage) for name, usage in summary.model_usage.items()},
        graded_by if isinstance(graded_by, str) else None,
    )


def _usage(usage: "ModelUsage") -> Usage:
    return Usage(
        usage.input_tokens,
        usage.input_tokens_cache_read or 0,
        usage.input_tokens_cache_write or 0,
        usage.output_tokens,
    )


def _is_interruption(error: str | None) -> bool:
    return error is not None and error.strip("(' )\n").startswith(CANCELLED)


def take_out(ended: list[Ended]) -> None:
    """Removes the samples from their logs, and logs that hold none from the folder."""
    for log in {item.log for item in ended}:
        names = {item.sample for item in ended if item.log == log}
        _rewrite(log, tuple(f"{_stem(name)}{end}" for name in names for end in (".json", "/")))


def _rewrite(log: Path, beginnings: tuple[str, ...]) -> None:
    staging = log.with_suffix(".rewriting")
    shutil.copyfile(log, staging)
    with zipfile.ZipFile(staging, "a") as archive:
        # Only the directory at the end is written anew; members are not packed again.
        gone = [i for i in archive.filelist if i.filename.startswith(beginnings)]
        archive.filelist = [i for i in archive.filelist if i not in gone]
        for info in gone:
            archive.NameToInfo.pop(info.filename, None)
        archive.comment = archive.comment + b" "  # Makes zipfile write the directory.
        archive.comment = archive.comment[:-1]
        has_samples = any(i.filename.startswith("samples/") for i in archive.filelist)
    if has_samples:
        os.replace(staging, log)
    else:
        staging.unlink()
        log.unlink()


def _stem(sample: str) -> str:
    return f"samples/{sample}_epoch_1"


def drop_empty(logs: Path, ended: list[Ended]) -> None:
    """A process that was killed early leaves a log without samples."""
    holding = {item.log for item in ended}
    for log in logs.glob("*.eval"):
        if log not in holding:
            log.unlink()
