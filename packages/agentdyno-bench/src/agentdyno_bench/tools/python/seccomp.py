"""Which system calls a sandboxed program may make: a seccomp filter as bytes for bubblewrap.

Namespaces already hide the network, the files and the other processes. The filter leaves only the
calls in `system_calls` and closes, within them, what a number does not show: new namespaces in
`clone`, sockets that ignore network namespaces (vsock) or load modules of the kernel (SCTP), pipes
and sockets that grow, and typing into a terminal. A denied call fails with EPERM, so that the
program sees an ordinary error; one that is newer than this table, and `clone3`, whose flags cannot
be seen, with ENOSYS, on which C libraries fall back to an older one. Numbers of another
architecture end it.
"""

import errno
import platform
import struct
from collections.abc import Iterable

from agentdyno_bench.tools.python.system_calls import (
    ALLOWED,
    CLONE,
    FCNTL,
    IOCTL,
    SETSOCKOPT,
    SOCKET,
    SOCKETPAIR,
)

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCH = 0, 4
_NEW_NAMESPACES = 0x7E020000
_FAMILIES = (1, 2, 10)  # unix, inet, inet6: the last two lead nowhere in an empty namespace.
_PROTOCOLS = (0, 1, 6, 17)  # any, ICMP (for which a program has no right), TCP, UDP.
_SET_PIPE_SIZE, _TYPE_INTO_TERMINAL, _TERMINAL_OF_LINUX = 1031, 0x5412, 0x541C
_BUFFER_SIZES = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF, and both by force.
_CLONE3 = 435
_NEWEST_KNOWN = 450
"""Later numbers are answered as by a kernel that does not have them."""
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The audit architecture, and the column of `ALLOWED`."""

_Step = tuple[int, int, int, int]


def is_supported() -> bool:
    """Whether this machine's system calls are known here."""
    return platform.machine() in MACHINES


def program(machine: str | None = None) -> bytes:
    """The filter for a machine, as an array of BPF instructions."""
    arch, column = MACHINES[machine or platform.machine()]
    numbers = {name: n for name, both in ALLOWED.items() if (n := both[column]) is not None}
    steps = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, arch),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        # The x32 calls of x86_64 are numbered from here and would pass by all others.
        (_AT_LEAST, 0, 1, 0x40000000),
        (_RETURN, 0, 0, KILL),
        *_inspect_arguments(numbers),
        *_allow(numbers.values()),
        (_EQUAL, 1, 0, _CLONE3),
        (_ABOVE, 0, 1, _NEWEST_KNOWN),
        (_RETURN, 0, 0, ERRNO | errno.ENOSYS),
        (_RETURN, 0, 0, ERRNO | errno.EPERM),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _inspect_arguments(numbers: dict[str, int]) -> list[_Step]:
    """Calls that depend on their arguments; those that pass go on to the list."""
    steps = _unless_bits(numbers[CLONE], _NEW_NAMESPACES)
    for name in (SOCKET, SOCKETPAIR):
        steps += _only(numbers[name], 0, _FAMILIES, errno.EAFNOSUPPORT)
        steps += _only(numbers[name], 2, _PROTOCOLS, errno.EPROTONOSUPPORT)
    steps += _never(numbers[FCNTL], 1, (_SET_PIPE_SIZE,))
    # Of whichever level: other levels' options of these numbers are of no use here.
    steps += _never(numbers[SETSOCKOPT], 2, _BUFFER_SIZES)
    return steps + _never(numbers[IOCTL], 1, (_TYPE_INTO_TERMINAL, _TERMINAL_OF_LINUX))


def _unless_bits(number: int, bits: int) -> list[_Step]:
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _argument(0)),
        (_ANY_BIT, 0, 1, bits),
        (_RETURN, 0, 0, ERRNO | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _only(number: int, place: int, values: tuple[int, ...], code: int) -> list[_Step]:
    """Refuses the call unless an argument is one of these."""
    count = len(values)
    checks = [(_EQUAL, count - i, 0, value) for i, value in enumerate(values)]
    return [
        (_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _argument(place)),
        *checks,
        (_RETURN, 0, 0, ERRNO | code),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _never(number: int, place: int, values: tuple[int, ...]) -> list[_Step]:
    """Refuses the call when an argument is one of these."""
    count = len(values)
    checks = [(_EQUAL, count - 1 - i, 0, value) for i, value in enumerate(values[:-1])]
    return [
        (_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _argument(place)),
        *checks,
        (_EQUAL, 0, 1, values[-1]),
        (_RETURN, 0, 0, ERRNO | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _argument(place: int) -> int:
    """Where the lower half of an argument stands; both machines put it first."""
    return 16 + 8 * place


def _allow(numbers: Iterable[int]) -> list[_Step]:
    steps: list[_Step] = []
    for first, last in _ranges(sorted(set(numbers))):
        steps += [(_AT_LEAST, 0, 2, first), (_ABOVE, 1, 0, last), (_RETURN, 0, 0, ALLOW)]
    return steps


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
