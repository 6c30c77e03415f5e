"""Makes `plain_words.txt`: words that right answers add to those of their sources.

    python tools/make_plain_words.py [FILE.jsonl ...] > …/findings/failures/plain_words.txt

Reads the answers labelled correct in `tests/data/answers` and in the files given, in the same
format. A word counts by its stem, when answers to two tasks use it and no source of theirs does.
The list in the tree was made with those parts of `tests/data/locked_answers` that had been read:
2026-11-17-b, the first 31 tasks of 2026-11-17 and the first 60 of 2026-11-17-development.
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
SMALL = (
    "about above across after afterwards again against all almost alone along already also "
    "although altogether always among and another any anybody anyone anything anyway apart are "
    "around away back because been before behind being below beside besides between beyond both "
    "but came can cannot certainly clearly could currently definitely despite did does doing "
    "done down due during each either else elsewhere enough entirely especially even eventually "
    "ever every everybody everyone everything exactly except fairly far few finally first for "
    "former from fully further generally given goes going gone got had half has have having "
    "hence her here hers him his how however including indeed instead into its itself just keep "
    "kept largely last later latter least left less likely longer made mainly make makes many "
    "maybe meant meanwhile might more moreover most mostly much must namely near nearly need "
    "neither never nevertheless next nobody none nor normally not nothing now nowhere obviously "
    "off often once one only onto other others otherwise our out outside over overall own "
    "partly past per perhaps plus possible possibly precisely previously probably put quite "
    "rather really recently regarding respectively roughly same seem seems several shall she "
    "should since slightly some somebody someone something sometimes somewhat soon still such "
    "sure surely take taken than that the their them themselves then there thereby therefore "
    "these they this those though through throughout thus till together too toward towards "
    "under unfortunately unless unlike until upon usually various very via was way well went "
    "were what whatever when whenever where whereas wherever whether which while who whole whom "
    "whose why will with within without would yes yesterday yet you your hundred thousand "
    "million dozen twice third quarter double whatsoever therein digit figure number value "
    "amount total sum difference equal equals correspond corresponds convert converted "
    "conversion rounded exact approximate metre meter mile pound ounce gallon litre liter foot "
    "feet inch knot degree celsius fahrenheit percent percentage dear sir madam point hour "
    "minute second day week month year "
)
"""Words that state nothing, whether or not an answer of ours uses them."""


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
    small = {stem for stem in stems_of(SMALL.split()) if not stem.endswith("-")}
    return sorted(small | {stem for stem, used in tasks.items() if len(used) >= FEWEST})


if __name__ == "__main__":
    main([Path(path) for path in sys.argv[1:]])
