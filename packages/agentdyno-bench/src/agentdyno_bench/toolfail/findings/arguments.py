"""Whether two calls ask for the same thing: arguments compared as a lenient service reads them.

Case, spaces and signs do not matter; points do, because they are part of versions and codes.
Worked: {"cve_id": "cve-2021-44228"} names what {"cve_id": "CVE 2021 44228"} names.
"""

import re
from typing import Any

_LOOSE = re.compile(r"[^\w.]+")


def same_argument(given: Any, expected: Any) -> bool:
    """Whether two arguments name the same thing."""
    return _plain(given) == _plain(expected)


def same_arguments(given: Any, expected: dict[str, Any]) -> bool:
    """Whether a call has all the wanted arguments; more than those do no harm."""
    return isinstance(given, dict) and all(
        name in given and same_argument(given[name], value) for name, value in expected.items()
    )


def _plain(value: Any) -> str:
    return _LOOSE.sub(" ", str(value).casefold()).strip()
