"""Secrets of many kinds in a trace: none, and no half of one, in anything that is written.

Recall is by kind: each is drawn anew from several seeds, and no eight characters in a row of its
random part may be left. What is no secret must stay, or the marks would say nothing.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.cli.report import ReportFormat, render_report
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.cleaning import clean_trajectory
from agentdyno.intake.format import load_formats
from agentdyno.intake.identity import identify
from agentdyno.intake.source import Source
from agentdyno.intake.texts import first_line
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.excerpts import begin_text
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.records import printable
from agentdyno.records.ledger import DERIVED, TABLES
from agentdyno.records.secrets import clean_text
from agentdyno.records.secrets.batch import find_changes
from agentdyno.records.secrets.excerpts import cut_text
from agentdyno.records.secrets.quick_look import _WORDS as WORDS_OF_LOOKS
from agentdyno.records.secrets.quick_look import LOOKS, look
from agentdyno.records.secrets.redaction import count_rules
from agentdyno.view.search import Hit, display_hit
from agentdyno.view.words import cut_excerpt
from tests.cli.run import Agentdyno
from tests.hostile.secret_kinds import ONLY_RANDOM, find_left, halves, kinds
from tests.labelled import mostly_slow, read_set
from tests.ledger.traces import chat

SEEDS = range(100, 105)
KINDS = kinds(SEEDS[0])


def is_left(secret: str, text: str) -> bool:
    return any(half in text for half in halves(secret))


def in_a_long_text(text: str) -> str:
    return "a line of words\n" * 40 + text + "\nand another line"


def clean_all_ways(texts: list[str]) -> Iterator[list[str]]:
    """Each text alone, inside a JSON string, and as a line of a long text."""
    long = [in_a_long_text(text) for text in texts]
    changed = find_changes([*texts, *long])
    for text, padded in zip(texts, long, strict=True):
        quoted = clean_text(json.dumps({"output": text}))
        yield [clean_text(text), quoted, *(changed.get(t, t) for t in (text, padded))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_draw_of_a_kind_is_found(kind: str) -> None:
    drawn = [kinds(seed)[kind] for seed in SEEDS]
    cleaned = zip(drawn, clean_all_ways([text for text, _ in drawn]), strict=True)
    found = [not any(is_left(secret, out) for out in ways) for (_, secret), ways in cleaned]
    recall = sum(found) / len(found)
    assert recall == 1.0, f"{kind}: recall {recall:.0%}, e.g. {drawn[found.index(False)][0]}"


@pytest.mark.parametrize("text", read_set("not_secret"))
def test_what_is_no_secret_stays(text: str) -> None:
    assert clean_text(text) == text
    assert find_changes([text, in_a_long_text(text)]) == {}


def shorten_title(text: str) -> str:
    builder = TrajectoryBuilder()
    builder.user(text)
    builder.turn(model="m")
    trajectory = builder.build("a.jsonl#1", "a.jsonl", "openai_chat")
    title = identify(trajectory, Source(Path(__file__), "a.jsonl")).title
    assert title
    return title


CUTS: dict[str, tuple[Callable[[str], str], int]] = {
    "an error": (lambda text: cut_text(text, 200), 200),
    "a first line": (first_line, 200),
    "a message": (lambda text: printable(text, 60), 60),
    "a long message": (lambda text: printable(text, 60), 120),
    "a title": (shorten_title, 80),
    "a long title": (shorten_title, 160),
    "an excerpt of the page": (lambda text: cut_excerpt(text)[0], 2000),
    "an excerpt of the report": (lambda text: begin_text(text) or "", 200),
    "a long excerpt of the report": (lambda text: begin_text(text) or "", 1000),
    "a hit of a search": (
        lambda text: display_hit(Hit("t", 0, None, "user", text[:2600]), "dolor")["text"],
        2000,
    ),
}
"""By what is shortened: how, and where a cut is."""
QUICK_CUTS = ("an error", "a title", "a hit of a search")
TELLING = (
    "github", "anthropic", "json", "bearer", "postgres address", "mysql", "sudo", "private key",
    "end of a key block", "csv column", "seed phrase", "discord token", "jwt", "cookie", "basic",
)  # fmt: skip
"""Kinds that rules of every sort find: by their beginning, by what goes before, by what follows."""


@pytest.mark.parametrize("cut", mostly_slow(CUTS, QUICK_CUTS))
def test_a_secret_at_any_place_around_a_cut_leaves_no_half(cut: str) -> None:
    shorten, limit = CUTS[cut]
    left = []
    for kind in TELLING if limit < 1000 else TELLING[::4]:  # Long texts take long.
        text, secret = KINDS[kind]
        for start in range(max(limit - len(text) - 3, 0), limit + 4):
            padding = ("lorem ipsum dolor sit\n" * (limit // 20 + 2))[: max(start - 1, 0)] + "\n"
            if is_left(secret, shorten(f"{padding}{text} amen " + "dolor sit " * 90)):
                left.append((kind, start))
    assert left == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_of_any_kind_leaves_no_half(kind: str) -> None:
    text, secret = KINDS[kind]
    padded = f"{'lorem ipsum dolor sit ' * 3}\n{text}"
    cuts = [cut_text(padded, limit) for limit in range(60, 60 + len(text) + 20, 5)]
    changed = find_changes(cuts, cut_at=40)
    assert [cut for cut in cuts if is_left(secret, changed.get(cut, cut))] == []


def attack(kind: str, number: int) -> list[dict[str, Any]]:
    """Conversations that hold the secret in a title, an argument, an error and names, whole and at
    places where texts are cut."""
    text, _ = KINDS[kind]
    pad = "could not reach it, see the log of the run for more about what went wrong there "
    made = []
    for variant, shift in enumerate((0, 64, 180)):
        before = f"{(pad * 3)[:shift]} " if shift else ""
        talk = chat(1000 * number + variant, calls=3)
        messages = talk["messages"]
        messages[1]["content"] = f"{before}{text} please"
        for index in (2, 4, 6):
            messages[index]["tool_calls"][0]["function"]["arguments"] = json.dumps({"q": text})
            messages[index + 1]["content"] = f"Error: {before}{text}"
        messages[-1]["content"] = f"It failed with {before}{text}"
        made.append({**talk, "variant": f"v {text}", "task_id": f"{number % 7} {text}"})
    return made


def write_attack(folder: Path) -> list[Path]:
    """One file for each kind, with the secret in its name too where a file may be so called."""
    folder.mkdir()
    paths = []
    for number, (kind, (text, _)) in enumerate(KINDS.items()):
        named = text.isprintable() and not set("/\\") & set(text) and kind not in ONLY_RANDOM
        name = text if named and len(text) < 160 else str(number)
        path = folder / f"{number} {name}.jsonl"
        path.write_text("".join(json.dumps(talk) + "\n" for talk in attack(kind, number)))
        paths.append(path)
    bad = "".join(f'{{"messages": [{{"role": {json.dumps(t)}}}]}}\n' for t, _ in KINDS.values())
    # A line alone does not say what the lines before it were.
    single = [text for text, _ in KINDS.values() if "\n" not in text]
    broken = "".join(f'{{"messages": "{text}\n' for text in single)
    (folder / "bad.jsonl").write_text(json.dumps(chat(1)) + "\n" + bad + broken)
    return [*paths, folder / "bad.jsonl"]


def table_texts(ledger: Path) -> Iterator[tuple[str, str]]:
    opened = Ledger(ledger)
    for table in TABLES | DERIVED:
        if table in TABLES or opened.has(table):
            rows = opened.read(table)
            texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
            for column in texts:
                yield f"{table}.{column}", "\n".join(rows[column].drop_nulls().unique().to_list())


def test_no_secret_and_no_half_of_one_reaches_any_output(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    traces = tmp_path / "traces"
    write_attack(traces)
    written: dict[str, str] = {}
    assert agentdyno.measure(traces) == 0
    written["measure"] = agentdyno.out + agentdyno.err
    assert f"Redacted by {count_rules()} rules" in agentdyno.err
    ledger = agentdyno.ledger
    assert agentdyno.run("compare", ledger, ledger, "--format", "md") in (0, 1), agentdyno.err
    written["compare"] = agentdyno.out + agentdyno.err
    report = build_report(ledger, excerpts=True)
    written |= {form: render_report(report, form) for form in ReportFormat}
    for table in ("trajectories", "calls", "patterns"):
        file = tmp_path / f"{table}.csv"
        assert agentdyno.run("export", ledger, "--table", table, "--to", file) == 0
        written[f"export {table}"] = file.read_text()
    written |= dict(table_texts(ledger))
    assert len(Ledger(ledger).read("calls")) > 3 * 2 * len(KINDS)
    assert find_left(written, KINDS) == set()


def test_a_shared_report_holds_no_word_of_the_traces(agentdyno: Agentdyno, tmp_path: Path) -> None:
    words = [f"canary{number}word" for number in range(9)]
    talk = chat(1, calls=3)
    messages = talk["messages"]
    messages[1]["content"] = words[0]
    function = messages[2]["tool_calls"][0]["function"]
    function |= {"name": words[1], "arguments": json.dumps({words[2]: words[2]})}
    messages[3]["content"] = f"Error: {words[3]}"
    talk |= {"model": f"gpt-4o-{words[4]}", "variant": words[5], "task_id": words[6]}
    talk |= {"benchmark": words[7]}
    traces = tmp_path / f"{words[8]}.jsonl"
    other = chat(2, benchmark="tau-bench", model="gpt-4.1-mini-2025-04-14")
    traces.write_text("".join(json.dumps(each) + "\n" for each in (talk, other)) + words[0] + "\n")
    agentdyno.ledger = tmp_path / f"{words[8]} ledger"
    assert agentdyno.measure(traces) == 0
    whole, without_texts = (
        build_report(agentdyno.ledger, share=share, excerpts=True) for share in (False, True)
    )
    for form in ReportFormat:
        assert any(word in render_report(whole, form) for word in words)
        shared = render_report(without_texts, form)
        assert not [word for word in words if word in shared]
        assert "gpt-4.1-mini-2025-04-14" in shared
        assert "variant 1" in shared
    assert agentdyno.run("report", agentdyno.ledger, "--share", "--format", "md") == 0
    assert agentdyno.out == render_report(without_texts, ReportFormat.md)


def test_names_that_are_only_random_stay_apart(tmp_path: Path) -> None:
    names = [kinds(seed)["no beginning at all"][1] for seed in range(60)]
    for name in names:
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(chat(1)) + "\n")
    measure(sorted(tmp_path.glob("*.jsonl")), tmp_path / "ledger", MeasureOptions(workers=1))
    rows = Ledger(tmp_path / "ledger").read("trajectories")
    assert rows["trajectory_id"].n_unique() == len(rows)
    assert {name.partition(".")[0] for name in rows["source"]} <= set(names)


SIGNS = [*" =:-_,;|\t\\\n'\"`>{(0!…İ", "\\n", "->", "A1b2C3d4E5f6", "x" * 16, "is ", "value="]
WORDS = [word for words in WORDS_OF_LOOKS.values() for word in words]
PIECES = st.sampled_from([*SIGNS, *WORDS, *map(str.upper, WORDS), *map(str.title, WORDS)])


@given(st.lists(PIECES, max_size=14).map("".join).map("{} 0".format))
def test_a_look_by_its_words_finds_what_the_whole_pattern_finds(text: str) -> None:
    assert look(text) == {name for name, pattern in LOOKS.items() if re.search(pattern, text)}


def test_a_clean_trajectory_is_the_same_object(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(chat(1)) + "\n")
    size = (tmp_path / "a.jsonl").stat().st_size
    source = Source(tmp_path / "a.jsonl", "a.jsonl", stop=size)
    (trajectory,) = load_formats()["openai_chat"].read(source)
    assert clean_trajectory(trajectory) is trajectory
