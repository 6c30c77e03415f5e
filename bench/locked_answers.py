"""Scores the failure rules on a locked set: answers by somebody who had not seen the code.

    python -m bench.locked_answers tests/data/locked_answers/2026-11-16.jsonl

Prints, for our rule and the paper's, how many answers were decided and how many of those are right,
and the processor time of an answer when it is read first and again.
A locked set is scored when it is new. Nobody reads its errors to change a rule; who does, writes a
new set.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

from tests.answer_sets import load

from agentdyno.estimates.proportions import wilson
from agentdyno.findings.failures.own_rule import classify_by_own
from agentdyno.findings.failures.paper_rule import classify_by_paper
from agentdyno.records.failures import FailureLabel, ToolAnswer, ToolTask

Rule = Callable[[ToolTask, ToolAnswer], FailureLabel]


def main(path: Path) -> None:
    cases = load(path.stem, path.parent)
    for name, rule in (("own", classify_by_own), ("paper", classify_by_paper)):
        start = process_time()
        labels = [(case.label, rule(case.task, case.answer).label) for case in cases]
        first = process_time()
        for case in cases:
            rule(case.task, case.answer)
        again = process_time()
        decided = [(expected, found) for expected, found in labels if found is not None]
        right = sum(expected == found for expected, found in decided)
        interval = wilson(right, len(decided))
        print(
            f"{name}: {right} of {len(decided)} decided are right, {right / len(decided):.3f} "
            f"[{interval.low:.3f}, {interval.high:.3f}]; coverage {len(decided) / len(cases):.3f}; "
            f"{1e3 * (first - start) / len(cases):.1f} ms, {1e3 * (again - first) / len(cases):.1f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
