"""The shape of the code: lines per folder, floors inside `pipelines`, circles of files.

    python bench/structure.py [REV]

Takes the working tree, and git revisions to compare with. Floors are the longest chain of imports
inside `pipelines`, between its folders (a file that lies directly in it is one of its own) and,
finer, between its files. A circle is a set of files each of which imports the next, directly or
not, when it is itself imported; what is imported inside a function, or for types only, closes no
circle, makes no floor and is counted apart. Reads the sources, runs nothing of them.
"""

import ast
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

PACKAGES = ("agentdyno", "agentdyno_bench", "agentdyno_depth", "agentdyno_train")
PIPELINES = "agentdyno.pipelines"
ROOT = Path(__file__).resolve().parents[1]
Sources = dict[str, str]
"""Text by path below `src`."""
Graph = dict[str, set[str]]


def main(revisions: list[str]) -> None:
    versions = {rev: describe(sources_of(rev)) for rev in revisions}
    versions["working tree"] = describe(working_tree())
    rows = list(dict.fromkeys(row for shape in versions.values() for row in shape))
    rows.sort(key=lambda row: (not row.startswith("lines "), row == "lines in all"))
    names = list(versions)
    print(f"{'':34}" + "".join(f"{name:>16}" for name in names))
    for row in rows:
        print(f"{row:34}" + "".join(f"{versions[n].get(row, 0):>16,}" for n in names))
    tree = working_tree()
    chain = longest_chain(by_folder(imports(tree), tree))
    print(f"floors of the working tree: {' > '.join(c.removeprefix(PIPELINES) for c in chain)}")
    for circle in circles(imports(tree, lazy=True)):
        print(f"circle in the working tree: {', '.join(sorted(circle))}")


def working_tree() -> Sources:
    """The packages as they stand: text by path below `src`."""
    return {
        file.relative_to(source).as_posix(): file.read_text("utf-8")
        for source in sorted(ROOT.glob("packages/*/src"))
        for file in sorted(source.rglob("*.py"))
    }


def sources_of(revision: str) -> Sources:
    """The packages as a revision has them; older ones have only one."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-tree", "--name-only", revision, "src", "packages"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    command = ["git", "-C", str(ROOT), "archive", revision, *listed.stdout.split()]
    packed = subprocess.run(command, capture_output=True, check=True).stdout
    found: Sources = {}
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            file = archive.extractfile(member) if path.suffix == ".py" else None
            if file is not None:
                below = path.parts[path.parts.index("src") + 1 :]
                found["/".join(below)] = file.read().decode("utf-8")
    return found


def describe(sources: Sources) -> dict[str, int]:
    """Every figure by its name."""
    lines = {path: text.count("\n") for path, text in sources.items()}
    folders: dict[str, int] = {}
    for path, count in sorted(lines.items()):
        folder = "/".join(path.split("/")[:2][: path.count("/")])
        folders[folder] = folders.get(folder, 0) + count
    graph, lazy = imports(sources), imports(sources, lazy=True)
    return {
        **{f"lines {folder}": count for folder, count in sorted(folders.items())},
        "lines in all": sum(lines.values()),
        "files": len(sources),
        "longest file, lines": max(lines.values()),
        "floors in pipelines, by folder": len(longest_chain(by_folder(graph, sources))),
        "floors in pipelines, by file": len(longest_chain(_inside(graph))),
        "circles of files": len(circles(graph)),
        "circles, lazy imports counted": len(circles(lazy)),
    }


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
    parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(part for part in parts if part != "__init__")


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
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _statements(node, lazy)


def _known(name: str, modules: Sources) -> str | None:
    parts = name.split(".")
    for length in (len(parts), len(parts) - 1):
        if (shorter := ".".join(parts[:length])) in modules and shorter not in PACKAGES:
            return shorter
    return None


def by_folder(graph: Graph, sources: Sources) -> Graph:
    """The folders of pipelines and what they import of each other."""
    packages = {_module(path) for path in sources if path.endswith("__init__.py")}

    def folder(module: str) -> str:
        above = module.rpartition(".")[0]
        return module if module in packages or above == PIPELINES else above

    folders: Graph = {}
    for module, targets in _inside(graph).items():
        own = folder(module)
        folders.setdefault(own, set()).update({folder(target) for target in targets} - {own})
    return folders


def _inside(graph: Graph) -> Graph:
    own = {module for module in graph if module.startswith(f"{PIPELINES}.")}
    return {module: graph[module] & own for module in own}


def longest_chain(graph: Graph) -> list[str]:
    """The longest chain from top to bottom; of a circle, one."""
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


def circles(graph: Graph) -> list[set[str]]:
    """Groups of more than one."""
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
    taken = set[str]()
    found = [_after(backwards, module, taken) for module in reversed(order)]
    return [set(group) for group in found if group]


def _after(graph: Graph, start: str, seen: set[str]) -> list[str]:
    """What is reached from the start and was not seen, each after what it reaches."""
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
