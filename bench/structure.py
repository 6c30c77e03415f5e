"""The shape of the code: lines, files, single importers, names, import depth and cycles.

    python bench/structure.py [REV ...]

Compares the working tree with git revisions. Reads sources, runs none of them. A revision may have
the old layout (`packages/agentdyno/src/agentdyno`) or the packages (`packages/*/src/*`).

- single importer: a module that exactly one other module imports
- participle name: a function whose first word is a participle (`laid_out`, `_checked`); properties
  are values and do not count
- depth: the longest chain of imports inside a package; imports inside functions do not count
- cycle: modules that import each other, imports inside functions and for types included
"""

import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Sources = dict[str, str]
"""Text by path below a package's `src` folder: `agentdyno/cli/__init__.py`."""
Graph = dict[str, set[str]]
IRREGULAR = frozenset(
    "told said made laid kept given taken seen shown known held built sent spent drawn grown"
    " written chosen begun done gone brought thought caught bought sold paid met lost led hidden"
    " broken spoken frozen driven bound".split()
)
NOT_PARTICIPLES = frozenset(
    "need feed seed embed speed string thing ping nothing everything anything something".split()
)
_PACKAGE_FILE = re.compile(r"(?:^|/)src/(agentdyno\w*/.*\.py)$")


def main(revisions: list[str]) -> None:
    versions = {rev: describe(sources_of(rev)) for rev in revisions}
    versions["working tree"] = describe(working_tree())
    rows = list(dict.fromkeys(row for shape in versions.values() for row in shape))
    print(f"{'':36}" + "".join(f"{name:>16}" for name in versions))
    for row in rows:
        cells = (shape.get(row) for shape in versions.values())
        print(f"{row:36}" + "".join(f"{'–' if c is None else format(c, ','):>16}" for c in cells))
    for cycle in cycles(imports(working_tree(), lazy=True)):
        print(f"cycle in the working tree: {', '.join(sorted(cycle))}")


def working_tree() -> Sources:
    """Every package's files as they stand."""
    files = [*ROOT.glob("src/**/*.py"), *ROOT.glob("packages/*/src/**/*.py")]
    return _sources((f.relative_to(ROOT).as_posix(), f.read_text("utf-8")) for f in sorted(files))


def sources_of(revision: str) -> Sources:
    """Every package's files in a revision."""
    command = ["git", "-C", str(ROOT), "archive", revision]
    packed = subprocess.run(command, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return _sources(
            (member.name, file.read().decode("utf-8"))
            for member in archive
            if member.name.endswith(".py") and (file := archive.extractfile(member))
        )


def _sources(files: Iterator[tuple[str, str]]) -> Sources:
    return {found[1]: text for name, text in files if (found := _PACKAGE_FILE.search(name))}


def describe(sources: Sources) -> dict[str, float]:
    """Every figure by its name."""
    trees = {path: ast.parse(text) for path, text in sources.items()}
    lines = {path: text.count("\n") for path, text in sources.items()}
    per_package = Counter(dict.fromkeys(sorted({path.split("/")[0] for path in lines}), 0))
    for path, count in lines.items():
        per_package[path.split("/")[0]] += count
    graph = imports(sources)
    importers = Counter(target for targets in graph.values() for target in targets)
    functions = [name for tree in trees.values() for name in _functions(tree)]
    participles = sum(is_participle(name) for name in functions)
    return {
        "lines in all": sum(lines.values()),
        **{f"lines {package}": count for package, count in per_package.items()},
        "files": len(sources),
        "longest file": max(lines.values()),
        "modules with a single importer": sum(count == 1 for count in importers.values()),
        "functions": len(functions),
        "participle names": participles,
        "participle names, %": round(100 * participles / len(functions), 1),
        **{f"import depth {package}": _depth(graph, package) for package in per_package},
        "cycles": len(cycles(graph)),
        "cycles, lazy imports included": len(cycles(imports(sources, lazy=True))),
    }


def _functions(tree: ast.AST) -> Iterator[str]:
    """Names of functions and methods; properties and special methods are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_property = any("property" in ast.unparse(d) for d in node.decorator_list)
            if not is_property and not node.name.startswith("__"):
                yield node.name


def is_participle(name: str) -> bool:
    """Whether a function's name starts with a participle instead of a verb."""
    first = name.lstrip("_").split("_")[0]
    if first in NOT_PARTICIPLES:
        return False
    return first in IRREGULAR or (len(first) > 4 and first.endswith(("ed", "ing")))


def imports(sources: Sources, lazy: bool = False) -> Graph:
    """Module to the modules that it imports; `lazy` counts imports inside functions too."""
    modules = {_module(path): text for path, text in sources.items()}
    packages = {_module(path) for path in sources if path.endswith("__init__.py")}
    graph: Graph = {}
    for module, text in modules.items():
        named = _imported(ast.parse(text), module, module in packages, lazy)
        graph[module] = {found for name in named if (found := _known(name, modules))} - {module}
    return graph


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(tree: ast.AST, module: str, is_package: bool, lazy: bool) -> Iterator[str]:
    """Dotted names; `from a import b` is `a.b`, which `_known` shortens where b is no module."""
    for node in _statements(tree, lazy):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: len(module.split(".")) - node.level + is_package]
                base = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _statements(tree: ast.AST, lazy: bool) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not lazy:
            continue
        if not lazy and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _statements(node, lazy)


def _known(name: str, modules: Sources) -> str | None:
    parts = name.split(".")
    for length in (len(parts), len(parts) - 1):
        if (shorter := ".".join(parts[:length])) in modules and "." in shorter:
            return shorter
    return None


def _depth(graph: Graph, package: str) -> int:
    own = {module for module in graph if module.split(".")[0] == package}
    return len(longest_chain({module: graph[module] & own for module in own}))


def longest_chain(graph: Graph) -> list[str]:
    """The longest chain from top to bottom; a cycle counts as one link."""
    groups = components(graph)
    of = {module: number for number, group in enumerate(groups) for module in group}
    chains: dict[int, list[str]] = {}

    def below(number: int) -> list[str]:
        if number not in chains:
            targets = {of[t] for m in groups[number] for t in graph.get(m, ()) if t in of}
            deepest = max(map(below, sorted(targets - {number})), key=len, default=[])
            chains[number] = [min(groups[number]), *deepest]
        return chains[number]

    return max(map(below, range(len(groups))), key=len, default=[])


def cycles(graph: Graph) -> list[set[str]]:
    """Groups of modules that import each other."""
    return [group for group in components(graph) if len(group) > 1]


def components(graph: Graph) -> list[set[str]]:
    """Strongly connected groups: the modules that reach each other."""
    order, seen = [], set[str]()
    for start in graph:
        order += _after(graph, start, seen)
    backwards: Graph = {}
    for module, targets in graph.items():
        for target in targets:
            backwards.setdefault(target, set()).add(module)
    visited = set[str]()
    found = [_after(backwards, module, visited) for module in reversed(order)]
    return [set(group) for group in found if group]


def _after(graph: Graph, start: str, seen: set[str]) -> list[str]:
    """What is reached from the start for the first time, each module after what it reaches."""
    if start in seen:
        return []
    seen.add(start)
    order, path = [], [(start, iter(sorted(graph.get(start, ()))))]
    while path:
        module, targets = path[-1]
        step = next((target for target in targets if target not in seen), None)
        if step is None:
            order.append(module)
            path.pop()
        else:
            seen.add(step)
            path.append((step, iter(sorted(graph.get(step, ())))))
    return order


if __name__ == "__main__":
    main(sys.argv[1:])
