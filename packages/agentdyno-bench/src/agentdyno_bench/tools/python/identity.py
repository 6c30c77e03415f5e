"""Which user a program becomes when root starts it.

A user of its own, that owns nothing and runs nothing else: the kernel counts processes by user,
so that programs in different sandboxes do not use up each other's.
"""

import secrets
from pathlib import Path

_LOWEST, _HIGHEST = 2_000_000_000, 2_100_000_000


def find_unused_id(uid_map: Path = Path("/proc/self/uid_map")) -> int:
    """An unused user number, within those that exist here (few in some containers)."""
    count = _count_mapped(uid_map)
    if count > _HIGHEST:
        return _LOWEST + secrets.randbelow(_HIGHEST - _LOWEST)
    return max(1, count // 2) + secrets.randbelow(max(1, count // 2 - 1))


def _count_mapped(uid_map: Path) -> int:
    try:
        ranges = [line.split() for line in uid_map.read_text().splitlines()]
    except OSError:
        return 2**32
    return max((int(first) + int(count) for first, _, count in ranges), default=1)
