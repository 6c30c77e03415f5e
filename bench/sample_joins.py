"""Joins of a ledger as items for readers, each complete in itself and without the rule's reasons.

    python bench/sample_joins.py LEDGER... --out joins.md [--most 60] [--each 8] [--seed 7]

Takes ledgers whose traces can still be read, writes a Markdown file: for each sampled pair of turns
what the model said and called in both, how the results began, and two questions to answer. At most
`--each` items come from one session.
"""

import argparse
import json
import random
from collections import Counter
from itertools import chain
from pathlib import Path

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import find_joins
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import Trajectory

HEAD = """# {many} pairs of turns

An agent made some calls in an earlier turn, saw what came back, and made more calls in a later
turn. For each pair, could the later turn's calls have been made together with the earlier ones,
before anything came back?

- **strict**: `yes` only if nothing that came back can have led to the later calls, or to how they
  are written, and running them at once would have had the same effect; else `no`.
- **lenient**: `yes` if the later calls would in all likelihood have been the same.

Answer with one line an item: `NUMBER strict lenient`, for example `12 no yes`.
"""
LONGEST = 1_200


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ledgers", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--each", type=int, default=8)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    found: dict[tuple[str, int, int], str] = {}
    readable = [ReadableLedger(ledger).trajectories() for ledger in given.ledgers]
    for trajectory in chain.from_iterable(readable):
        for join in find_joins(trajectory, infer_edges(trajectory)):
            place = (trajectory.trajectory_id, join.into, join.turn)
            found[place] = describe(trajectory, join.into, join.turn)
    chosen = choose(sorted(found), given.most, given.each, given.seed)
    items = [f"## {number}\n\n{found[place]}" for number, place in enumerate(chosen, 1)]
    given.out.write_text("\n".join([HEAD.format(many=len(items)), *items]))
    given.out.with_suffix(".json").write_text(json.dumps(chosen, indent=1))
    print(f"{len(found)} joins, {len(chosen)} of them in {given.out}")


def choose(
    places: list[tuple[str, int, int]], most: int, each: int, seed: int
) -> list[tuple[str, int, int]]:
    """A random sample, at most `each` of a session."""
    random.Random(seed).shuffle(places)
    taken: Counter[str] = Counter()
    chosen = []
    for place in places:
        taken[place[0]] += 1
        if taken[place[0]] <= each:
            chosen.append(place)
    return chosen[:most]


def describe(trajectory: Trajectory, earlier: int, later: int) -> str:
    """The turns from the earlier to the later one, as a reader sees them."""
    prompts = [p for p in trajectory.parts if p.kind == "user" and (p.enters or 0) <= earlier]
    lines = [f"The user had asked: {quote(prompts[-1].text, 400) if prompts else '(unknown)'}"]
    for turn in range(earlier, later + 1):
        name = {earlier: "The earlier turn", later: "**The later turn**"}.get(turn, "In between")
        lines.append(f"\n{name}")
        for part in trajectory.parts:
            if part.made == turn and part.kind in ("text", "reasoning"):
                words = quote(part.text, 600) if part.text else "(not written down)"
                lines.append(f"- {'says' if part.kind == 'text' else 'reasons'}: {words}")
        for call in trajectory.calls:
            if call.turn == turn:
                lines.append(f"- calls `{call.tool}` with {quote(call.arguments, LONGEST)}")
                if call.result is not None:
                    result = trajectory.parts[call.result].text
                    lines.append(f"    - came back: {quote(result, LONGEST // 2)}")
    return "\n".join(lines) + "\n"


def quote(text: str, limit: int) -> str:
    """A text on one line, cut, as code that no Markdown in it can end."""
    line = " ".join(text.split()).replace("`", "'")
    return f"`{line[:limit]}{' …' if len(line) > limit else ''}`"


if __name__ == "__main__":
    main()
