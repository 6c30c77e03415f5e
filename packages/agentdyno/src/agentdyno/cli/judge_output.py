"""What `judge` needs besides its options: the kind that was asked for, judges, and what is said."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentdyno.pipelines.judge import Judged, JudgeOptions
    from agentdyno.studies.verdicts.kinds import Kind
    from agentdyno_bench.judges.inspect_ask import InspectAsk


def kind_of(
    name: str, options: "JudgeOptions", tasks: str | None, references: Path | None
) -> "Kind":
    """The kind, with the truth that it can use."""
    from agentdyno.pipelines.judge.kinds.choosing import Truth, chosen_kind

    truth = Truth(tasks, references, lambda line: print(line, file=sys.stderr))
    return chosen_kind(name, truth).build(options, truth)


def opened(name: str, base_url: str | None, arguments: list[str]) -> "InspectAsk":
    """A judge's model; nothing is loaded before it is asked."""
    from agentdyno.records import InputError, printable
    from agentdyno_bench.cli.bench_output import model_spec
    from agentdyno_bench.judges.inspect_ask import InspectAsk

    if "/" not in name:
        raise InputError(
            f"{printable(name, 60)}: expected PROVIDER/MODEL, as in openai/gpt-4.1 or "
            "agentdyno/smollm2."
        )
    if name.startswith("agentdyno/"):
        # Found by its entry point once installed; a checkout on the path has none.
        from agentdyno_bench import registry  # noqa: F401
    spec = model_spec(name, base_url, arguments)
    return InspectAsk(spec.name, base_url=spec.base_url, **spec.arguments)


def judge(
    ledger: Path, kind: "Kind", models: "list[InspectAsk]", options: "JudgeOptions"
) -> "Judged":
    """Judges with a bar, and says on stderr what is to be known about it."""
    from agentdyno.pipelines.judge import judge_ledger
    from agentdyno.reports.topics.judging_remarks import remarks
    from agentdyno_bench.cli.bench_output import sample_progress

    def announce(estimated: Any) -> None:
        print(f"{estimated}", file=sys.stderr)

    with sample_progress() as bar:
        judged = judge_ledger(
            ledger, kind, list(models), options,
            lambda done, total: bar("judging", done, total), announce,
        )  # fmt: skip
    for line in remarks(judged, kind.about):
        print(line, file=sys.stderr)
    return judged
