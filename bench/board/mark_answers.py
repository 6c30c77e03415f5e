"""Marks DataAgentBench's answers, whose publication has no outcomes, by its own ground truths.

    python bench/board/mark_answers.py WORK/files/dataagentbench > marks.csv

A run is solved where its last answer holds every value of `ground_truth.csv`: words whatever their
case, numbers to two digits. The benchmark's validators are programs and are not run; they ask for
the same, and in some queries for less or for an order, so these marks are ours and on no board.
Printed besides: the share solved by model, to be held against what the leaderboard states.
"""

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
HEAD = re.compile(r"[A-Za-z]+[_A-Z0-9]\w*")
"""How columns are named: `repo_name`, `titleFull`, `Chi2`."""


def read_truth(path: Path) -> list[str]:
    """Every value that an answer must hold."""
    text = path.read_text(encoding="utf-8")
    rows = [row for row in csv.reader(text.removeprefix("\ufeff").splitlines()) if row]
    if len(rows) > 1 and (text.startswith("\ufeff") or any(HEAD.fullmatch(c) for c in rows[0])):
        rows = rows[1:]
    # A cell that is a list is written in as many ways as there are models.
    return [cell.strip() for row in rows for cell in row if cell.strip() and cell[0] != "["]


def is_solved(answer: str, truth: list[str]) -> bool:
    """Whether the answer holds all of it."""
    lower = " ".join(answer.lower().split())
    numbers = {round(float(each.replace(",", "")), 2) for each in NUMBER.findall(answer)}

    def holds(value: str) -> bool:
        if NUMBER.fullmatch(value):
            return round(float(value.replace(",", "")), 2) in numbers
        return " ".join(value.lower().split()) in lower

    return all(holds(value) for value in truth)


def last_answer(path: Path) -> str:
    """What the run answered last: an argument of `return_answer`, or a text."""
    *_, line = (line for line in path.read_bytes().splitlines() if line.strip())
    try:
        return " ".join(_answers(msgspec.json.decode(line).get("response")))
    except msgspec.DecodeError:
        return ""


def _answers(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("name") == "return_answer" and isinstance(value.get("arguments"), str):
            yield str(msgspec.json.decode(value["arguments"]).get("answer"))
        elif isinstance(value.get("content"), str):
            yield value["content"]
        for inner in value.values():
            yield from _answers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _answers(inner)


def main() -> None:
    folder, solved, runs = Path(sys.argv[1]), Counter[str](), Counter[str]()
    print("source,correct")
    for path in sorted(folder.glob("results-*/*/*/**/llm_calls.jsonl")):
        results, query, number = path.relative_to(folder).parts[:3]
        truth = read_truth(folder / query / number / "ground_truth.csv")
        mark = is_solved(last_answer(path), truth)
        print(f"{folder.name}/{path.relative_to(folder)},{str(mark).lower()}")
        runs[results] += 1
        solved[results] += mark
    for results, many in runs.items():
        print(f"{results}: {solved[results] / many:.3f} of {many:,}", file=sys.stderr)


if __name__ == "__main__":
    main()
