"""Compares the arguments of two calls as a lenient service reads them.

Case, spaces and signs do not matter; points do, because they are part of versions and codes.
Worked: {"cve_id": "cve-2021-44228"} names what {"cve_id": "CVE 2021 44228"} names.
"""

import re
from typing import Any

_LOOSE = re.compile(r"[^\w.]+")


def same_argument(actual: Any, expected: Any) -> bool:
    """Compare two arguments."""
    return _plain(actual) == _plain(expected)


def same_arguments(actual: Any, expected: dict[str, Any]) -> bool:
    """True when a call has all expected arguments; additional ones are allowed."""
    return isinstance(actual, dict) and all(
        name in actual and same_argument(actual[name], value) for name, value in expected.items()
    )


def _plain(value: Any) -> str:
    return _LOOSE.sub(" ", str(value).casefold()).strip()
