"""An order of tasks in which every beginning is like the whole: tasks in, the same tasks out.

A run that takes the first so many keeps domains, controls, invited failures and traps in
proportion, and a longer run begins with the tasks of a shorter one. Worked: of 1,000 tasks, 150
required and 50 controls in each of five domains, the first 20 are 3 required and 1 control of each.
"""

from collections import Counter
from collections.abc import Sequence

from agentdyno_bench.toolfail.records import ToolTask


def order_evenly(tasks: Sequence[ToolTask]) -> list[ToolTask]:
    """The tasks in that order; tasks of one kind and domain stay in theirs."""
    cells: dict[tuple[str, ...], list[ToolTask]] = {}
    for task in tasks:
        cells.setdefault(_traits(task)[-1], []).append(task)
    traits = {cell: _traits(some[0]) for cell, some in cells.items()}
    total = Counter(trait for task in tasks for trait in _traits(task))
    drawn: Counter[tuple[str, ...]] = Counter()
    ordered: list[ToolTask] = []

    def shortfall(cell: tuple[str, ...]) -> float:
        """How far the traits of a cell will be behind their shares when one task more is taken."""
        share = (len(ordered) + 1) / len(tasks)
        return sum(total[trait] * share - drawn[trait] for trait in traits[cell])

    while len(ordered) < len(tasks):
        open_cells = [cell for cell in cells if drawn[cell] < total[cell]]
        next_cell = max(open_cells, key=shortfall)
        ordered.append(cells[next_cell][drawn[next_cell]])
        drawn.update(traits[next_cell])
    return ordered


def _traits(task: ToolTask) -> tuple[tuple[str, ...], ...]:
    """Traits to balance, each with its kind; the last one tells cells apart."""
    target = task.trap or task.target or ""
    return (
        ("kind", task.kind),
        ("domain", task.domain),
        ("target", task.kind, target),
        ("cell", task.kind, target, task.domain),
    )
