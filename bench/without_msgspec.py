"""Stands in for msgspec where only torch and transformers are installed, as on a bare GPU machine.

`use_stand_in()` does nothing where msgspec is there. Otherwise `Struct` becomes a dataclass with
the same fields and options, which is all that the probes and their records ask of it; nothing that
reads or writes JSON works.
"""

import sys
from dataclasses import dataclass, fields
from importlib.util import find_spec
from types import ModuleType
from typing import Any, dataclass_transform


def use_stand_in() -> bool:
    """Whether the stand-in was needed."""
    if "msgspec" in sys.modules or find_spec("msgspec") is not None:
        return False
    module = ModuleType("msgspec")
    module.Struct = Struct  # type: ignore[attr-defined]
    sys.modules["msgspec"] = module
    return True


@dataclass_transform()
class Struct:
    """A value whose fields are its annotations."""

    __struct_fields__ = ()

    def __init_subclass__(
        cls, frozen: bool = False, order: bool = False, kw_only: bool = False, **rest: Any
    ) -> None:
        super().__init_subclass__()
        made = dataclass(frozen=frozen, order=order, kw_only=kw_only)(cls)
        made.__struct_fields__ = tuple(field.name for field in fields(made))
