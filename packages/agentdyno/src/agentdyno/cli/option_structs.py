"""The options of a verb as one Struct: its fields are what is typed, their docstrings the help.

    class Options(Struct, frozen=True, kw_only=True):
        ledger: opt.LedgerFolder
        epochs: Annotated[int, typer.Option(min=1)] = 1
        \"\"\"Attempts at each question, each with its own seed.\"\"\"

    @takes_options
    def command(given: Options) -> int: ...

A type that several verbs share has its help itself. A bool that is off by default has no `--no-`.
What is to be read without typer names its limits by `msgspec.Meta`.
"""

import sys
from collections.abc import Callable
from copy import copy
from enum import Enum
from functools import cache, cached_property
from itertools import pairwise
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo, fields

if TYPE_CHECKING:
    import ast
    import inspect

POSITIONAL = "positional"
"""Marks the field of words that belong to no option."""
Kind = TypeVar("Kind", bound=Struct)


def takes_options(command: Callable[[Any], int]) -> "OptionsCommand":
    """The function as a verb whose options are the fields of its Struct."""
    return OptionsCommand(command)


class OptionsCommand:
    """A function with a parameter for every field of its Struct, as typer reads them: worked out
    when typer asks, since plain words are read without it (`plain_words`)."""

    def __init__(self, command: Callable[[Any], int]) -> None:
        self.run = command
        """The function itself, which takes the Struct."""
        self.kind = next(iter(command.__annotations__.values()))
        self.__name__, self.__doc__ = command.__name__, command.__doc__
        self.__module__ = command.__module__

    def __call__(self, **typed: Any) -> int:
        return self.run(self.kind(**typed))

    @cached_property
    def __signature__(self) -> "inspect.Signature":
        import inspect

        types, helps = get_type_hints(self.kind, include_extras=True), read_field_docs(self.kind)
        return inspect.Signature([
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if field.default is NODEFAULT else field.default,
                annotation=_annotate(field, types[field.name], helps.get(field.name)),
            )
            for field in fields(self.kind)
        ])  # fmt: skip

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]
        return {
            parameter.name: parameter.annotation
            for parameter in self.__signature__.parameters.values()
        }


def copy_options(source: Struct, kind: type[Kind], **other: Any) -> Kind:
    """The options of a pipeline: `other`, and those of the same names that were typed; the rest
    stays as it is there."""
    same = {name: getattr(source, name, None) for name in kind.__struct_fields__}
    typed = {name: value for name, value in same.items() if value is not None}
    plain = {k: value.value if isinstance(value, Enum) else value for k, value in typed.items()}
    return kind(**plain | other)


def _annotate(field: FieldInfo, type_: Any, text: str | None) -> Any:
    """The field's type with the option that it is."""
    from typer import Argument, Context, Option
    from typer.models import ParameterInfo

    if type_ is Context:
        return type_
    if (members := get_args(type_))[1:] == (NoneType,) and get_origin(members[0]) is Annotated:
        inner, info = get_args(members[0])  # msgspec takes the limits of a number alone.
        type_ = Annotated[inner | None, info]
    if get_origin(type_) is Annotated:
        type_, info = get_args(type_)
        if info == POSITIONAL:
            info = Argument()
        elif isinstance(info, Meta):
            info = Option(min=info.ge, help=info.description)
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
    import ast

    docs: dict[str, str] = {}
    for base in reversed(kind.__mro__[: kind.__mro__.index(Struct)]):
        lines = _read_classes(base.__module__).get(base.__name__, [])
        for field, below in pairwise(lines):
            match field, below:
                case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    docs[name] = " ".join(text.split())
    return docs


@cache
def _read_classes(module: str) -> "dict[str, list[ast.stmt]]":
    """What is written in each class of a module; a verb waits for it, so files are parsed once."""
    import ast
    import inspect

    try:
        source = inspect.getsource(sys.modules[module])
    except (KeyError, OSError, TypeError):
        return {}
    written = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return {node.name: node.body for node in written}
