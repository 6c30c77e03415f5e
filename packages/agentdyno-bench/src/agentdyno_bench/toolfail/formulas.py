"""Arithmetic over the leaves of a record: a formula and values in, a number out.

Only numbers, names, brackets and + - * / ** are understood, so a vocabulary can do nothing else.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any

_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def evaluate(formula: str, values: dict[str, Any]) -> float:
    """What the formula gives; KeyError when a name is not known yet."""
    return _value(ast.parse(formula, mode="eval").body, values)


def _value(node: ast.AST, values: dict[str, Any]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.Name):
        return float(values[node.id])
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, values)
    raise ValueError(f"expected arithmetic, found {ast.dump(node)}")
