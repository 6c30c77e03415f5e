"""The words of a command line where they are plain: `--name value`, `--flag` and places.

Takes the Struct of a verb's options and words, returns the options. What asks for help, is
misspelt, abbreviated or out of range is left to typer, which says so: to load it takes longer than
many an answer.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields

from agentdyno.cli.option_structs import POSITIONAL, Kind


def read_words(kind: type[Kind], words: Sequence[str]) -> Kind | None:
    """The options; None where the words are not plain."""
    options = {f"--{field.name.replace('_', '-')}": field for field in fields(kind)}
    typed: dict[str, Any] = {}
    places: list[str] = []
    remaining = iter(words)
    for word in remaining:
        field = options.get(word)
        if not word.startswith("-"):
            places.append(word)
        elif field is None or field.name in typed:
            return None
        elif field.default is False:
            typed[field.name] = True
        elif (value := next(remaining, "-")).startswith("-"):
            return None
        else:
            typed[field.name] = value
    types = get_type_hints(kind, include_extras=True)
    if places:
        [name] = (n for n, type_ in types.items() if POSITIONAL in _find_marks(type_))
        typed[name] = places
    try:
        return msgspec.convert(typed, kind, strict=False, dec_hook=_read_path)
    except msgspec.ValidationError:
        return None


def _find_marks(type_: Any) -> tuple[Any, ...]:
    return get_args(type_)[1:] if get_origin(type_) is Annotated else ()


def _read_path(kind: type, word: Any) -> Path:
    if kind is not Path or not isinstance(word, str):
        raise NotImplementedError
    return Path(word)
