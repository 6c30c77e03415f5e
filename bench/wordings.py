"""What planning answers earn in the words of authors who had not seen the program.

    python -m bench.wordings [FOLDER] [--step 16]

Each file of a folder is by one author (those of `tests/data/cases/bench/tps/wordings` are in the
fit of `fit_commitment`): wordings that state the right value and do not commit to it, which should
earn nothing, and wordings that do, which should earn everything. Every call was right. Prints the
share of slots that both kinds earn, by author, over every so many of the test tasks. An author is
fresh until somebody reads his lines to change a rule.
"""

import argparse
import json
from pathlib import Path

from tests.bench.tps.outcomes.answers import each
from tests.bench.tps.outcomes.test_answers import TESTS, earned

FOLDER = Path("tests/data/cases/bench/tps/wordings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--step", type=int, default=16, help="every so many tasks")
    given = parser.parse_args()
    tasks = TESTS[:: given.step]
    print("author  do not commit, earn  commit, earn")
    for path in sorted(given.folder.glob("*.jsonl")):
        sums = {False: [0, 0], True: [0, 0]}
        for line in path.read_text("utf-8").splitlines():
            _, commits, words, head, tail = json.loads(line)
            form = each(words, head and head + "\n", tail and "\n" + tail)
            met, slots, _ = earned(form, tasks)
            sums[commits] = [sums[commits][0] + met, sums[commits][1] + slots]
        shares = [f"{met:5} of {slots:5} ({met / slots:.3f})" for met, slots in sums.values()]
        print(f"{path.stem:6}", *shares, sep="  ", flush=True)


if __name__ == "__main__":
    main()
