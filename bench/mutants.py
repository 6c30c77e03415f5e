"""How many random mistakes in the code that makes the papers' pages do the zoo's cells notice?

    python -m bench.mutants OUT [--mutants 200] [--seed 0] [--papers NAME …]

OUT is what `python -m tests.zoo.papers OUT --dealt` left: finished runs, from which each page is
made again without asking anybody. A first process makes every page, compares its cells with the
truth, and notes which lines of ours it ran below the functions of `WAY` and not in `OFF_THE_WAY`.
Each mutant changes one place of such a line, in a process of its own that is forked before anything
ran, and makes the pages whose making runs the line. It is *red* where a cell that has a truth
differs or is missing, a table has a row too many, or the page is not made. The page on utility is
left out: it continues attempts, which asks the service again.

A cell is what a table of a page shows: a value and the ends of its interval. Points of pictures,
p values and the words of notes are none.

A function counts where a change in what it returns can reach a cell. Of a mutant that changes no
cell, that is tried: everything that its function returns is disturbed (numbers one larger, truths
turned around, a mark after words; inside of sequences, tables and records too). Where that leaves
every cell of every page as it was, the function's figures stand in no cell of these runs; the
mutant is *apart*, and its function is printed. Where nothing that it returns can be disturbed, it
counts. Printed are the share of red ones among all that count, and among those that change a cell.

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
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, structs

ROOT = Path(__file__).resolve().parents[1]
OURS = tuple(str(ROOT / "packages" / name) for name in os.listdir(ROOT / "packages"))
SECONDS = 240
"""A page that takes longer is not made."""

WAY = frozenset({
    ("intake/formats/inspect_ai/read.py", "read"), ("pipelines/jobs.py", "_measure"),
    ("studies/failures/labels.py", "label_trajectories"),
    ("studies/failures/report.py", "report_failures"),
    ("findings/scheduling/table.py", "measure_parallelism"),
    ("papers/pte_page.py", "make_exhibits"), ("papers/tps_page.py", "make_exhibits"),
    ("papers/toolfail_page.py", "make_exhibits"),
})  # fmt: skip
"""From a log to attempts, from attempts to costs, labels and schedules, and from these to cells."""
OFF_THE_WAY = re.compile(
    "/(pipelines|ledger|engines|reports|cli|secrets)/|/plugins.py|/intake/formats/(?!inspect_ai/)"
    "|/intake/(discover|format|opening|head|cleaning|identity|mirror|packing)|/detect.py"
    "|/cost/(steps|served|servings|memory|physical"
    "|neighbours|replay|batching|block_memory|evicting_engine)"
    "|/scheduling/(inference|value_sources|joining|at_hand|missed|collisions|conflicts|retries"
    "|turn_costs)|/matching/(effects|subjects)"
)
"""What finds, keeps and draws; and what no exhibit has a column for: what a turn takes on a server,
and which calls seem to depend on each other where a task says it."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip


Ran = dict[tuple[str, str, int], set[int]]
"""Lines by file, function and its first line."""


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
    at: int
    """Its own line."""


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


def list_places(ran: Ran) -> list[Place]:
    """All places of the lines that ran."""
    found = []
    for file in sorted({file for file, _, _ in ran if not OFF_THE_WAY.search(file)}):
        functions = _functions(ast.parse(Path(file).read_text("utf-8")))
        for _, name, line in sorted(each for each in ran if each[0] == file):
            node = functions.get(line)
            changes = (
                [] if node is None else [(n, k) for n in _own_nodes(node) for k, _ in _changes(n)]
            )
            found += [
                Place(file, name, line, number, kind, node.lineno)
                for number, (node, kind) in enumerate(changes)
                if not ran[file, name, line].isdisjoint(range(node.lineno, node.end_lineno + 1))
            ]
    return found


def apply(place: Place, is_disturbed: bool = False) -> None:
    """Changes the function in this process, wherever it is already bound; or all that it returns.
    A function within another one is changed by changing that."""
    tree = ast.parse(Path(place.file).read_text("utf-8"))
    functions = _functions(tree)
    function = functions[place.line]
    if is_disturbed:
        _disturb_returned(function)
    else:
        changes = [change for node in _own_nodes(function) for _, change in _changes(node)]
        changes[place.number]()
    outer = place.function.partition(".<locals>")[0]
    line = max(n for n in functions if n <= place.line and outer.endswith(functions[n].name))
    module = compile(ast.fix_missing_locations(tree), place.file, "exec")
    code = _find_code(module, place._replace(function=outer, line=line))
    targets = [
        f for f in _live_functions()
        if (f.__code__.co_filename, f.__code__.co_firstlineno, f.__code__.co_qualname)
        == (place.file, line, outer)
    ]  # fmt: skip
    if not targets:
        raise LookupError(f"{place}: not in this process")
    for target in targets:
        target.__globals__["__disturb"] = disturb
        target.__code__ = code


def _disturb_returned(function: ast.AST) -> None:
    for node in _own_nodes(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            node.value = ast.Call(ast.Name("__disturb", ast.Load()), [node.value], [])


disturbed = 0
"""Values that were."""


def disturb(value: Any) -> Any:
    """Another value of the same kind; the same one where there is no telling."""
    global disturbed
    import numpy as np
    import polars as pl
    from polars import selectors

    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return value
    if isinstance(value, list | tuple | dict | Struct):
        return _disturb_inside(value)
    disturbed += isinstance(value, bool | int | float | str | np.ndarray | pl.Series | pl.DataFrame)
    if isinstance(value, bool):
        return not value
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return ~value
    if isinstance(value, int | float | np.ndarray):
        return value + 1
    if isinstance(value, str):
        return f"{value}?"
    if isinstance(value, pl.Series):
        return disturb(value.to_frame()).to_series()
    if isinstance(value, pl.DataFrame):
        return value.with_columns(
            selectors.numeric() + 1, ~selectors.boolean(), selectors.string() + "?"
        )
    return value


def _disturb_inside(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: disturb(inner) for name, inner in value.items()}
    if isinstance(value, Struct):
        return structs.replace(value, **disturb(structs.asdict(value)))
    inner = [disturb(each) for each in value]
    return type(value)(*inner) if hasattr(value, "_fields") else type(value)(inner)


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


def make(
    out: Path, paper: str, recorded: list[Any] | None = None
) -> tuple[dict[str, Any], list[Any]]:
    """A paper's page for programs, made again from what was run, and the runs; with `recorded` the
    logs are not looked through for what is finished."""
    from tests.zoo.papers import DEALT, DEALT_PORT, DEALT_TASKS

    from agentdyno.pipelines.papers import PaperRequest, find_paper
    from agentdyno.pipelines.papers import run_paper as run
    from agentdyno.reports.paper import run_fields
    from agentdyno_bench.pipelines import bench_run, toolfail

    for ledger in (out / paper).rglob("ledger"):
        shutil.rmtree(ledger)
    request = PaperRequest(
        out=out / paper,
        models=(f"openai-api/zoo/{DEALT}",),
        base_url=f"http://127.0.0.1:{DEALT_PORT}/v1",
        model_arguments=("api_key=zoo",),
        limit=DEALT_TASKS[paper],
        prices=out / "prices.toml",
        concurrency=8,
    )
    found, runs = find_paper(paper), []
    for module in (bench_run, toolfail):
        _record(module, out / paper, runs, recorded and list(recorded))
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        done = run(found, request, lambda *_: None)
    return json.loads(json.dumps(run_fields(found.exhibits(), done), default=str)), runs


def _record(module: Any, out: Path, runs: list[Any], recorded: list[Any] | None) -> None:
    real = module.run_plans

    def run_plans(plans: Any, progress: Any) -> Any:
        runs.append(recorded.pop(0) if recorded else real(plans, progress))
        return [structs.replace(run, folder=_move(run.folder, out)) for run in runs[-1]]

    module.run_plans = run_plans


def _move(folder: Path, out: Path) -> Path:
    """The folder of a run's logs in another copy of the paper's folder."""
    parts = folder.parts
    return out.parent.joinpath(*parts[parts.index(out.parent.name) + 1 :])


class Known(NamedTuple):
    """What the unchanged code makes of a paper."""

    page: dict[str, Any]
    """Its page."""
    truth: dict[Any, Any]
    """What its cells should hold."""
    runs: list[Any]
    """What was run, in the order asked for."""
    ran: Ran
    """Lines on the way to a cell, by function."""
    modules: list[str]
    """What is loaded for it."""


def count_red(paper: str, page: dict[str, Any], truth: dict[Any, Any]) -> int:
    """Cells that are not as stated."""
    from tests.zoo.papers import compare

    return sum(not cell.is_as_stated for cell in compare(paper, page, truth))


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


def trace(out: Path, paper: str) -> Known:
    """A page with its truth, and the lines that it takes."""
    from tests.zoo.cells import state
    from tests.zoo.papers import DEALT_PORT, DEALT_TASKS
    from tests.zoo.server import serve
    from tests.zoo.truth import DEALT

    with serve(port=DEALT_PORT):
        page, runs = make(out, paper)
    truth = state(paper, (DEALT,), out / paper, DEALT_TASKS[paper])
    watch = _Watch()
    threading.settrace(watch.enter)
    sys.settrace(watch.enter)
    make(out, paper, runs)
    sys.settrace(None)
    ours = [name for name in sys.modules if not name.startswith("__mp")]
    return Known(page, truth, runs, watch.ran, ours)


class _Watch:
    """Notes the lines that run below the functions of `WAY`."""

    def __init__(self) -> None:
        self.ran: Ran = {}
        self._codes: dict[types.CodeType, bool] = {}
        self._inside: set[types.FrameType] = set()

    def enter(self, frame: types.FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in self._codes:
            file = code.co_filename.partition("/src/")[2].partition("/")[2]
            self._codes[code] = (file, code.co_qualname) in WAY
        above = frame.f_back
        if not self._codes[code] and above not in self._inside:
            return None
        self._inside.add(frame)
        if not code.co_filename.startswith(OURS) or "<" in code.co_qualname.rpartition(".")[2]:
            return self._leave
        if OFF_THE_WAY.search(code.co_filename.partition("/src/")[2]):
            return self._leave
        lines = self.ran.setdefault(
            (code.co_filename, code.co_qualname, code.co_firstlineno), set()
        )

        def note(frame: types.FrameType, event: str, _: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            elif event == "return":
                self._inside.discard(frame)
            return note

        return note

    def _leave(self, frame: types.FrameType, event: str, _: Any) -> Any:
        if event == "return":
            self._inside.discard(frame)
        return self._leave


def main() -> int:
    """Prints each mutant's end, and the shares."""
    from tests.zoo.logged import wilson

    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--papers",
        nargs="*",
        default=["pte", "toolfail", "tps"],
        choices=["pte", "toolfail", "tps"],
    )
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    known: dict[str, Known] = {}
    for paper in given.papers:
        began = time.perf_counter()
        known[paper] = traced = in_child(partial(trace, given.out, paper))
        if not isinstance(traced, Known) or count_red(paper, traced.page, traced.truth):
            print(f"{paper}: the page is not as stated before anything is changed: {traced!s:.300}")
            return 1
        for name in traced.modules:
            with suppress(Exception):
                importlib.import_module(name)
        print(f"{paper}: {len(traced.truth)} cells as stated, {len(traced.ran)} functions, "
              f"{time.perf_counter() - began:.0f} s", flush=True)  # fmt: skip
    ran: Ran = {}
    for each in known.values():
        for function, lines in each.ran.items():
            ran[function] = ran.get(function, set()) | lines
    places = list_places(ran)
    chosen = random.Random(given.seed).sample(places, min(given.mutants, len(places)))
    print(f"{len(places)} places on lines that ran, in {len(ran)} functions", flush=True)
    workers = [
        _start(given.out, chosen, known, number, given.workers) for number in range(given.workers)
    ]
    ends = [end for worker in workers for end in worker()]
    done = Counter(end for end, _ in ends)
    killed = done["red"] + done["no page"]
    changing = killed + done["other cells"]
    print(dict(done))
    for name, of in (("count", changing + done["survives"]), ("change a cell", changing)):
        low, high = wilson(killed, of)
        share = f"{killed / of:.3f} [{low:.3f}, {high:.3f}]"
        print(f"of {of} mutants that {name}, {killed} are red: {share}")
    return 0


def _start(
    out: Path, chosen: list[Place], known: dict[str, Known], number: int, workers: int
) -> Callable[[], list[tuple[str, Place]]]:
    """A process for its share of the mutants, in a copy of the runs; what waits for its ends."""
    ours = Path(shutil.copytree(out, Path(tempfile.mkdtemp(prefix="mutants-")) / out.name))
    ends_file = ours.parent / "ends.json"
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        ends = []
        for place in chosen[number::workers]:
            ends.append((_end_of(ours, place, known), place))
            where = f"{Path(place.file).relative_to(ROOT)}:{place.at} {place.function}"
            print(f"{ends[-1][0]:<12} {place.kind:<10} {where}", flush=True)
            ends_file.write_text(json.dumps(ends))
        os._exit(0)

    def wait() -> list[tuple[str, Place]]:
        os.waitpid(child, 0)
        ends = [(end, Place(*place)) for end, place in json.loads(ends_file.read_text())]
        shutil.rmtree(ours.parent)
        return ends

    return wait


def _end_of(out: Path, place: Place, known: dict[str, Known]) -> str:
    """`red`, `no page`, `other cells` (none with a truth differs), `survives` (no cell does) or
    `apart` (nor if all that the function returns is disturbed)."""
    ends = [_try(out, place, known, paper) for paper in known]
    if "survives" in ends and not set(ends) - {"survives", "not run"}:
        reached = [_try(out, place, known, paper, is_disturbed=True) for paper in known]
        return "apart" if not set(reached) - {"survives", "not run"} else "survives"
    order = ("no page", "red", "other cells", "not applied", "survives")
    return next(end for end in order if end in ends)


def _try(
    out: Path, place: Place, known: dict[str, Known], paper: str, is_disturbed: bool = False
) -> str:
    made = known[paper]
    lines = made.ran.get((place.file, place.function, place.line), ())
    if not lines or not (is_disturbed or place.at in lines):
        return "not run"

    def work() -> str:
        from tests.zoo.papers import flatten

        try:
            apply(place, is_disturbed)
        except (LookupError, ValueError):
            return "not applied"
        page, _ = make(out, paper, made.runs)
        if is_disturbed and not disturbed:
            return "undisturbed"
        if count_red(paper, page, made.truth):
            return "red"
        return "survives" if flatten(page) == flatten(made.page) else "other cells"

    found = in_child(work)
    return found if isinstance(found, str) else "no page"


if __name__ == "__main__":
    sys.exit(main())
