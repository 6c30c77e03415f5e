"""Remarks after judging: a run's result in, sentences out; none when all went well.

Sums and labels are not told here: they are in the verdicts.
"""

from agentdyno.records import printable
from agentdyno_bench.shared.verdicts.options import Check, Judged


def remarks(judged: Judged, about: str) -> list[str]:
    """Remarks on skipped, unanswered or unread questions, and on unstable judges."""
    lines = [f"{judged.unread:,} answers could not be read."] if judged.unread else []
    lines += [
        f"{many:,} {about} were not asked about: {why}." for why, many in judged.unasked.items()
    ]
    if judged.missing:
        first, why = next(iter(judged.missing.items()))
        lines.append(f"{len(judged.missing):,} files were not judged, the first {first}: {why}.")
    if judged.unanswered:
        why = f" (the last one: {judged.last_error})" if judged.last_error else ""
        lines.append(
            f"{judged.unanswered:,} questions were not answered{why}; run the command again."
        )
    if judged.unfounded:
        odd = judged.unfounded[0]
        cited = printable("; ".join(odd.spans), 120)
        lines.append(
            f"{len(judged.unfounded):,} verdicts cite what their judge was not shown, the first "
            f"({odd.model}): {cited}."
        )
    return lines + [_describe_move(c) for c in judged.checks if c.calls or c.unanswered]


def _describe_move(check: Check) -> str:
    without = f"; {check.unanswered:,} without a label" if check.unanswered else ""
    moved = f"{check.name} moved {check.moved:,} of {check.calls:,} labels{without}"
    return f"{check.model}, {check.judge}: {moved}"
