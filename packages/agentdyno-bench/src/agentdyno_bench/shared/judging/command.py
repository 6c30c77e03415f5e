"""Helpers of the command `judge`: the requested kind, the judges, and messages."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentdyno_bench.shared.judges.asking import Ask
    from agentdyno_bench.shared.judging import Judged, JudgeOptions
    from agentdyno_bench.shared.verdicts.kinds import Kind


def kind_of(
    name: str, options: "JudgeOptions", tasks: str | None, references: Path | None
) -> "Kind":
    """The kind, with the truth that it can use."""
    from agentdyno_bench.shared.judging.choosing import Truth, choose_kind

    truth = Truth(tasks, references, lambda line: print(line, file=sys.stderr))
    return choose_kind(name, truth).build(options, truth)


def open_client(name: str, base_url: str | None, arguments: list[str]) -> "Ask":
    """A judge's model; nothing is loaded before it is asked."""
    from agentdyno.cli.options import read_arguments
    from agentdyno_bench.shared.judges.clients import open_judge

    return open_judge(name, base_url, read_arguments(arguments))


def judge(ledger: Path, kind: "Kind", models: "list[Ask]", options: "JudgeOptions") -> "Judged":
    """Judges with a bar, and says on stderr what is to be known about it."""
    from agentdyno.cli.progress_bars import sample_progress
    from agentdyno_bench.shared.judging import judge_ledger
    from agentdyno_bench.shared.reports.judging_remarks import remarks

    def announce(estimated: Any) -> None:
        print(f"{estimated}", file=sys.stderr)

    with sample_progress() as bar:
        judged = judge_ledger(
            ledger, kind, models, options,
            lambda done, total: bar("judging", done, total), announce,
        )  # fmt: skip
    for line in remarks(judged, kind.about):
        print(line, file=sys.stderr)
    return judged
