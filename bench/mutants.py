"""How many random mistakes in the code that makes the papers' pages do the zoo's cells notice?

    python -m bench.mutants OUT [--mutants 200] [--seed 0] [--papers NAME …]

OUT is what `python -m tests.zoo.papers OUT --dealt` left: finished runs, from which each page is
made again without asking anybody. A first process makes every page, compares its cells with the
truth, and notes which functions of ours it entered. Each mutant then changes one place of one of
these functions, in a process of its own that is forked before anything ran, and makes the pages
whose making enters the function. It is killed where a cell that has a truth differs, is missing, or
the page is not made; what differs in cells without a stated truth is counted beside it.

A mutant is one of: a comparison turned around, `and` for `or`, a sum for a difference, a product
for a quotient, a whole number one larger, a condition negated, a returned value dropped.
"""

import argparse
import ast
import importlib
import json
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(str(ROOT / "packages" / name) for name in os.listdir(ROOT / "packages"))
SECONDS = 240
"""A page that takes longer is not made."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


class Place(NamedTuple):
    """One place that can be changed."""

    file: str
    """The module's file."""
    function: str
    """Qualified name of the function around it."""
    line: int
    """First line of that function, decorators left out."""
    number: int
    """Which of the function's places, in the order of the tree."""
    kind: str
    """What is changed."""


# What can be changed


def _changes(node: ast.AST) -> Iterator[tuple[str, Callable[[], None]]]:
    """The ways to change a node, and the change of each."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield "comparison", lambda: node.ops.__setitem__(0, COMPARED[type(node.ops[0])]())
    if isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or", lambda: setattr(node, "op", other)
    if isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield "operator", lambda: setattr(node, "op", COMPUTED[type(node.op)]())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield "number", lambda: setattr(node, "value", node.value + 1)
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        yield "condition", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.Return) and node.value is not None:
        yield "return", lambda: setattr(node, "value", ast.Constant(None))


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a body; functions in it are functions of their own, annotations are not run."""
    for field in ("body",):
        todo = list(getattr(function, field))
        while todo:
            node = todo.pop(0)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            yield node
            skipped = getattr(node, "annotation", None)
            todo[:0] = [child for child in ast.iter_child_nodes(node) if child is not skipped]


def _functions(tree: ast.Module) -> dict[int, ast.AST]:
    """Every function by its first line, as code objects have it."""
    found: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first] = node
    return found


def list_places(entered: set[tuple[str, str, int]]) -> list[Place]:
    """All places of the functions that were entered."""
    found = []
    for file in sorted({file for file, _, _ in entered}):
        functions = _functions(ast.parse(Path(file).read_text("utf-8")))
        for _, name, line in sorted(e for e in entered if e[0] == file):
            node = functions.get(line)
            kinds = [] if node is None else [k for n in _own_nodes(node) for k, _ in _changes(n)]
            found += [Place(file, name, line, number, kind) for number, kind in enumerate(kinds)]
    return found


def apply(place: Place) -> None:
    """Changes the function in this process, wherever it is already bound."""
    tree = ast.parse(Path(place.file).read_text("utf-8"))
    function = _functions(tree)[place.line]
    changes = [change for node in _own_nodes(function) for _, change in _changes(node)]
    changes[place.number]()
    module = compile(ast.fix_missing_locations(tree), place.file, "exec")
    code = _find_code(module, place)
    targets = [f for f in _live_functions() if f.__code__.co_filename == place.file
               and f.__code__.co_firstlineno == place.line
               and f.__code__.co_qualname == place.function]  # fmt: skip
    if not targets:
        raise LookupError(f"{place}: not in this process")
    for target in targets:
        target.__code__ = code


def _find_code(module: types.CodeType, place: Place) -> types.CodeType:
    todo = [module]
    while todo:
        code = todo.pop()
        if (code.co_qualname, code.co_firstlineno) == (place.function, place.line):
            return code
        todo += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    raise LookupError(f"{place}: no such code")


def _live_functions() -> list[types.FunctionType]:
    import gc

    return [each for each in gc.get_objects() if isinstance(each, types.FunctionType)]


# Making pages


def make(out: Path, paper: str) -> dict[str, Any]:
    """A paper's page for programs, made again in a copy of what was run."""
    from tests.zoo.papers import DEALT, DEALT_PORT

    from agentdyno.pipelines.papers import PaperRequest, find_paper
    from agentdyno.pipelines.papers import run_paper as run
    from agentdyno.reports.paper import run_fields

    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copied = Path(folder) / paper
        shutil.copytree(out / paper, copied, ignore=_ledgers)
        request = PaperRequest(
            out=copied,
            models=(f"openai-api/zoo/{DEALT}",),
            base_url=f"http://127.0.0.1:{DEALT_PORT}/v1",
            model_arguments=("api_key=zoo",),
            concurrency=8,
        )
        found = find_paper(paper)
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            done = run(found, request, lambda *_: None)
        return json.loads(json.dumps(run_fields(found.exhibits(), done), default=str))


def _ledgers(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name == "ledger"}


def judge(out: Path, papers: list[str]) -> dict[str, Any]:
    """Cells that differ from the truth, and the pages themselves."""
    from tests.zoo.papers import DEALT, compare, state
    from tests.zoo.server import Zoo

    pages = {paper: make(out, paper) for paper in papers}
    zoo = Zoo("", ())
    cells = [cell for p in papers for cell in compare(p, pages[p], state(p, zoo, [DEALT]))]
    return {
        "red": sum(not cell.is_as_stated for cell in cells),
        "cells": len(cells),
        "pages": {paper: page["exhibits"] for paper, page in pages.items()},
    }


def in_child(work: Callable[[], Any]) -> Any:
    """What a forked process finds; None where it ends otherwise or not in time."""
    with tempfile.NamedTemporaryFile() as file:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            _silence()
            try:
                Path(file.name).write_bytes(pickle.dumps(work()))
            except BaseException as error:
                Path(file.name).write_bytes(pickle.dumps({"error": repr(error)[:200]}))
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        written = Path(file.name).read_bytes()
    return pickle.loads(written) if written else None


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def trace(out: Path, paper: str) -> tuple[dict[str, Any], set[tuple[str, str, int]], list[str]]:
    """A page with the functions that it takes, and the modules that are loaded then."""
    import threading

    entered: set[tuple[str, str, int]] = set()

    def enter(frame: types.FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS):
            entered.add((code.co_filename, code.co_qualname, code.co_firstlineno))

    threading.setprofile(enter)
    sys.setprofile(enter)
    found = judge(out, [paper])
    sys.setprofile(None)
    ours = [name for name in sys.modules if not name.startswith("__mp")]
    return found, {e for e in entered if "<" not in e[1].rpartition(".")[2]}, ours


def main() -> int:
    """Prints the share, and each survivor."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--papers", nargs="*", default=["toolfail", "pte", "utility", "tps"])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    entered: dict[str, set[tuple[str, str, int]]] = {}
    pages: dict[str, Any] = {}
    for paper in given.papers:
        began = time.perf_counter()
        traced = in_child(lambda paper=paper: trace(given.out, paper))
        if traced is None or "error" in traced or traced[0]["red"]:
            print(traced)
            print(f"{paper}: the page is not as stated before anything is changed")
            return 1
        found, entered[paper], modules = traced
        pages |= found["pages"]
        for name in modules:
            with suppress(Exception):
                importlib.import_module(name)
        print(f"{paper}: {found['cells']} cells as stated, {len(entered[paper])} functions, "
              f"{time.perf_counter() - began:.0f} s", flush=True)  # fmt: skip
    places = list_places(set().union(*entered.values()))
    chosen = random.Random(given.seed).sample(places, min(given.mutants, len(places)))
    print(f"{len(places)} places in {len(set().union(*entered.values()))} functions", flush=True)
    ends: list[tuple[str, Place]] = []
    for place in chosen:
        asked = [p for p in given.papers if (place.file, place.function, place.line) in entered[p]]
        ends.append((_end_of(given.out, place, asked, pages), place))
        done = Counter(end for end, _ in ends)
        where = f"{Path(place.file).relative_to(ROOT)}:{place.line} {place.function}"
        print(f"{len(ends)}: {ends[-1][0]:<12} {place.kind:<10} {where}", flush=True)
        if given.json:
            given.json.write_text(json.dumps([(end, *p) for end, p in ends], indent=1))
    killed = done["red"] + done["no page"]
    applied = len(ends) - done["not applied"]
    print(f"{killed} of {applied} mutants turn a cell with a stated truth red ({dict(done)})")
    return 0


def _end_of(out: Path, place: Place, asked: list[str], pages: dict[str, Any]) -> str:
    """`red`, `no page`, `other cells` (none with a truth differs) or `survives`."""

    def work() -> dict[str, Any]:
        try:
            apply(place)
        except (LookupError, ValueError):
            return {"red": 0, "not applied": True}
        return judge(out, asked)

    found = in_child(work)
    if found is None or "error" in found:
        print("    ", "out of time" if found is None else found["error"])
        return "no page"
    if "not applied" in found:
        return "not applied"
    if found["red"]:
        return "red"
    same = all(found["pages"][paper] == pages[paper] for paper in asked)
    return "survives" if same else "other cells"


if __name__ == "__main__":
    sys.exit(main())
