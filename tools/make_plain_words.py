"""Makes `plain_words.txt`: words that right answers add to those of their sources.

    python tools/make_plain_words.py [FILE.jsonl ...] > …/findings/failures/plain_words.txt

Reads the answers labelled correct in `tests/data/answers` and in the files given, in the same
format. A word counts by its stem, when answers to two tasks use it and no source of theirs does.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path
from textwrap import fill

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.answer_sets import Case, load, names

from agentdyno.findings.failures.own_rule import collect_sources
from agentdyno.findings.failures.unsourced_words import stems_of
from agentdyno.matching.commitments import read_text

FEWEST = 2
"""Tasks whose answers use a word."""


def main(paths: list[Path]) -> None:
    cases = [case for name in names() for case in load(name)]
    cases += [case for path in paths for case in load(path.stem, path.parent)]
    print(fill(" ".join(collect(cases)), 100))


def collect(cases: list[Case]) -> list[str]:
    """Stems of plain words, in alphabetical order."""
    tasks: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for case in cases:
        reading = read_text(case.answer.answer)
        if case.label == "correct" and reading.language == "en":
            sourced = collect_sources(case.task).stems
            for word in re.findall(r"[^\W\d_]{3,}", reading.folded):
                if not (stems := stems_of([word])) & sourced:
                    tasks[min(stems, key=lambda each: each.endswith("-"))].add(
                        (case.name, case.task.task_id)
                    )
    return sorted(stem for stem, used in tasks.items() if len(used) >= FEWEST)


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
