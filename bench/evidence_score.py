"""Precision and recall of every evidence check on the labelled real traces, with 95 % intervals.

    python bench/evidence_score.py ../shared/data [--half kept|tuned] [--wrong]

Takes the folder that the labelled traces lie in (they are not part of the project) and
`bench/evidence/labels.jsonl`; prints a line per check, domain and half. What the labels mean is in
`bench/evidence/DEFINITIONS.md`. The half `kept` was never tuned on.
"""

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evidence_chats import Messages, chats_of

from agentdyno.estimates.proportions import wilson
from agentdyno.findings.patterns import find_patterns
from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import find_joins
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.matching.appearances import Appearances
from agentdyno.matching.effects import effect_of, effect_of_command, shell_line
from agentdyno.matching.values.leaves import read_json
from agentdyno.records import Trajectory
from agentdyno_bench.findings.failures.uses import use_of

LABELS = Path(__file__).parent / "evidence" / "labels.jsonl"
FENCED = re.compile(r"```(?:bash|mswea_bash_command)\n(.*?)\n```", re.DOTALL)
OTHER_FORMATS = {"mini_swe_agent", "gemini_cli", "openhands", "swe_agent"}
"""Folders of sessions that intake does not read yet."""
Item = dict[str, Any]
Marks = dict[tuple[str, str, str], list[bool]]
"""(check and measure, domain, half) -> right or not, one per item."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", choices=["kept", "tuned"])
    parser.add_argument("--wrong", action="store_true", help="name the items that are wrong")
    options = parser.parse_args()
    items = [json.loads(line) for line in LABELS.read_text().splitlines()]
    items = [i for i in items if i["label"] is not None and options.half in (None, i["half"])]
    marks = score(items, options.data, options.wrong)
    for (what, domain, half), found in sorted(marks.items()):
        share = wilson(sum(found), len(found))
        print(f"{what:52} {domain:19} {half:6} {sum(found):4} of {len(found):4}  "
              f"{share.value:.3f}  [{share.low:.2f}, {share.high:.2f}]")  # fmt: skip


def score(items: list[Item], data: Path, wrong: bool = False) -> Marks:
    """Every item's mark, under what it counts for."""
    trajectories = dict(_trajectories(data, {i["trajectory"].partition("#")[0] for i in items}))
    marks: Marks = defaultdict(list)
    for source, group in _grouped(items).items():
        views = _Views(trajectories[source]) if source in trajectories else None
        for item in group:
            for what, right in _marked(item, views, data):
                kind = " ".join([item["domain"], *([item["set"]] if "set" in item else [])])
                marks[what, kind, item["half"]].append(right)
                if wrong and not right:
                    print("wrong:", what, json.dumps(item))
    return marks


class _Views:
    """What the checks say of one trajectory, worked out once."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.index = Appearances(trajectory)
        self.places = {(c.turn, c.call): n for n, c in enumerate(trajectory.calls)}
        edges = infer_edges(trajectory, self.index)
        self.sources: dict[int, set[int]] = defaultdict(set)
        for edge in edges:
            self.sources[edge.target].add(edge.source)
        self.joins = {join.turn for join in find_joins(trajectory, edges, index=self.index)}
        every = find_patterns(trajectory)
        self.patterns = {(f.pattern, f.turn, f.call) for f in every}


def _marked(item: Item, views: _Views | None, data: Path) -> Iterator[tuple[str, bool]]:
    if item["check"] == "effect":
        yield from _effect(item, views, data)
    elif views is not None:
        yield from {
            "dependency": _dependency, "join": _join, "use": _use, "pattern": _pattern,
            "edge": _edge, "joined": _joined,
        }[item["check"]](item, views)  # fmt: skip


def _dependency(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    said = views.sources[views.places[item["turn"], item["call"]]]
    first = {views.places[tuple(place)] for place in item["label"]}
    true = {views.places[tuple(place)] for place in item.get("second", item["label"])}
    yield from (("dependencies: edges said, first pass", source in first) for source in said)
    yield from (("dependencies: edges said, right", source in true) for source in said)
    if true:
        yield "dependencies: calls found of true", bool(said & true)


def _edge(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    """Edges that were said, read one by one, in trajectories that nothing was tuned on."""
    if (
        views.places[tuple(item["source"])]
        in views.sources[views.places[item["turn"], item["call"]]]
    ):
        sample = {1: "first sample", 2: "second sample", 3: "third sample"}.get(item.get("look", 1))
        how = f"read blind, {sample}" if item.get("blind") else "read after"
        yield f"dependencies: edges said, {how}", item["label"]
        if item.get("blind"):
            strict = item["label"] and not item.get("order")
            yield f"dependencies: edges said, {how}, more than order", strict


def _joined(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    if item["turn"] in views.joins:
        yield "joins: said, read after", item["label"]


def _join(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    if item["turn"] in views.joins:
        yield "joins: said, right", item["label"]
    if item["label"]:
        yield "joins: found of true", item["turn"] in views.joins


def _use(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    said = use_of(views.index, views.places[item["turn"], item["call"]]).used
    if said is not None:
        yield f"uses: said {'used' if said else 'unused'}, right", said == item["label"]
    if item["label"]:
        yield "uses: found of true", said is True


def _pattern(item: Item, views: _Views) -> Iterator[tuple[str, bool]]:
    if (item["pattern"], item["turn"], item["call"]) in views.patterns:
        yield f"pattern {item['pattern']}: right", item["label"]


def _effect(item: Item, views: _Views | None, data: Path) -> Iterator[tuple[str, bool]]:
    if views is not None and item["turn"] is not None:
        call = views.trajectory.calls[views.places[item["turn"], item["call"]]]
        found = effect_of(call.tool, read_json(call.arguments))
        if shell_line(read_json(call.arguments)) is None:
            return
    else:
        line = _line(data / item["trajectory"], item["digest"])
        if line is None:
            return
        found = effect_of_command(line)
    yield "effects: right", found.action == item["label"]
    if item["label"] in ("writes", "runs"):
        yield "effects: what may write, not called a read", found.may_write


def _line(path: Path, digest: str) -> str | None:
    """A shell line of a file whose format intake does not read, by its digest."""
    if not path.is_file():
        return None
    text = path.read_text(errors="replace")
    try:
        documents = [json.loads(text)]
    except ValueError:
        documents = [json.loads(line) for line in text.splitlines() if line.strip()[:1] == "{"]
    lines = (line.strip() for document in documents for line in _lines(document))
    return next((each for each in lines if _digest(each) == digest), None)


def _digest(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:12]


def _lines(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            if name in ("command", "cmd", "action") and isinstance(item, str):
                yield item
            elif name == "arguments" and isinstance(item, str) and item[:1] == "{":
                yield from _lines(read_json(item))
            else:
                yield from _lines(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item)
    elif isinstance(value, str) and key == "content":
        yield from FENCED.findall(value[:20_000])


def _grouped(items: list[Item]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item["trajectory"]].append(item)
    return groups


def _trajectories(data: Path, sources: set[str]) -> Iterator[tuple[str, Trajectory]]:
    for source in sorted(sources):
        path = data / source
        if path.is_file() and (chats := _other_chats(path)):
            for number, each in enumerate(_read_chats(chats)):
                yield f"{source}#{number}", each
        elif path.is_file():
            for each in _read(path):
                yield f"{source}#{each.trajectory_id.rpartition('#')[2]}", each


def _other_chats(path: Path) -> list[Messages]:
    """Sessions in a format that intake does not read; empty where intake does."""
    return chats_of(path) if set(path.parts) & OTHER_FORMATS else []


def _read_chats(chats: list[Messages]) -> list[Trajectory]:
    """Through the same door as any trace."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "chats.jsonl"
        file.write_text("".join(json.dumps({"messages": chat}) + "\n" for chat in chats))
        return list(_read(file))


def _read(path: Path) -> Iterator[Trajectory]:
    formats = load_formats()
    for found in discover([path], formats, None):
        if isinstance(found, Found):
            for piece in pieces_of(found):
                for each in formats[found.format].read(piece):
                    if isinstance(each, Trajectory):
                        yield each


if __name__ == "__main__":
    main()
