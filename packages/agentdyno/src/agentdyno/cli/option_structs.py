"""The options of a verb as one Struct: its fields are what is typed, their docstrings the help.

    class Options(Struct, frozen=True, kw_only=True):
        ledger: opt.LedgerFolder
        epochs: Annotated[int, typer.Option(min=1)] = 1
        \"\"\"Attempts at each question, each with its own seed.\"\"\"

    @takes_options
    def command(given: Options) -> int: ...

A type that several verbs share has its help itself. A bool that is off by default has no `--no-`.
"""

import ast
import inspect
import sys
from collections.abc import Callable
from copy import copy
from enum import Enum
from functools import cache, wraps
from itertools import pairwise
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields
from typer import Context, Option
from typer.models import ParameterInfo

Kind = TypeVar("Kind", bound=Struct)


def takes_options(command: Callable[[Any], int]) -> Callable[..., int]:
    """The function with a parameter for every field of its Struct, as typer reads them."""
    (kind,) = (each.annotation for each in inspect.signature(command).parameters.values())
    types, helps = get_type_hints(kind, include_extras=True), read_field_docs(kind)
    parameters = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is NODEFAULT else field.default,
            annotation=_annotate(field, types[field.name], helps.get(field.name)),
        )
        for field in fields(kind)
    ]

    @wraps(command)
    def run(**typed: Any) -> int:
        return command(kind(**typed))

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def copy_options(given: Struct, kind: type[Kind], **other: Any) -> Kind:
    """The options of a pipeline: `other`, and those of the same names that were typed; the rest
    stays as it is there."""
    same = {name: getattr(given, name, None) for name in kind.__struct_fields__}
    typed = {name: each for name, each in same.items() if each is not None}
    plain = {k: each.value if isinstance(each, Enum) else each for k, each in typed.items()}
    return kind(**plain | other)


def _annotate(field: FieldInfo, type_: Any, text: str | None) -> Any:
    """The field's type with the option that it is."""
    if type_ is Context:
        return type_
    if get_origin(type_) is Annotated:
        type_, info = get_args(type_)
        if text is None:
            return Annotated[type_, info]
    else:
        flag = [f"--{field.name.replace('_', '-')}"] if field.default is False else []
        info = Option(*flag)
    assert isinstance(info, ParameterInfo), field.name
    info = copy(info)
    info.help = text
    return Annotated[type_, info]


def read_field_docs(kind: type[Struct]) -> dict[str, str]:
    """The sentence under each field of a Struct, line breaks as blanks; none where a program is
    installed without its source, which costs the help its sentences and nothing else."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__[: kind.__mro__.index(Struct)]):
        lines = _read_classes(base.__module__).get(base.__name__, [])
        for field, below in pairwise(lines):
            match field, below:
                case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    found[name] = " ".join(text.split())
    return found


@cache
def _read_classes(module: str) -> dict[str, list[ast.stmt]]:
    """What is written in each class of a module; a verb waits for it, so files are parsed once."""
    try:
        source = inspect.getsource(sys.modules[module])
    except (KeyError, OSError, TypeError):
        return {}
    written = (each for each in ast.parse(source).body if isinstance(each, ast.ClassDef))
    return {each.name: each.body for each in written}
