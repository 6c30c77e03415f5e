"""The system calls that sandboxed programs do not get: a seccomp filter as bytes for bubblewrap.

Namespaces already hide the network, the files and the other processes. This closes what they
leave open: memory that no limit sees (memfd, System V segments), sockets that ignore network
namespaces (vsock), new namespaces and mounts, tracing, keys, and rarely audited parts of the
kernel. A denied call fails with EPERM, so that the program sees an ordinary error.
"""

import errno
import platform
import struct

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERRNO = 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
_NEW_NAMESPACES = 0x7E020000
_FAMILIES = (1, 2, 10)  # unix, inet, inet6: the last two lead nowhere in an empty namespace.

# name: (x86_64, aarch64); None where the architecture has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "personality": (135, 92),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_setup": (206, 0),
    "vmsplice": (278, 75),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
}
_CLONE3 = 435
# The audit architecture; clone, socket, socketpair; the column above.
_MACHINES = {
    "x86_64": (0xC000003E, 56, 41, 53, 0),
    "aarch64": (0xC00000B7, 220, 198, 199, 1),
}


def supported() -> bool:
    """Whether this machine's system calls are known here."""
    return platform.machine() in _MACHINES


def program(machine: str | None = None) -> bytes:
    """The filter for a machine, as an array of BPF instructions."""
    arch, clone, socket, socketpair, column = _MACHINES[machine or platform.machine()]
    steps = [
        *_unless(_EQUAL, _ARCH, arch, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        # The x32 calls of x86_64 are numbered from here and would pass by all others.
        (_AT_LEAST, 0, 1, 0x40000000),
        (_RETURN, 0, 0, _KILL),
    ]
    for numbers in _DENIED.values():
        if numbers[column] is not None:
            steps += _deny(numbers[column], errno.EPERM)
    # The C library falls back to clone, whose flags can be seen.
    steps += _deny(_CLONE3, errno.ENOSYS)
    steps += _clone(clone) + _sockets(socket) + _sockets(socketpair)
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


_Step = tuple[int, int, int, int]


def _unless(test: int, offset: int, value: int, verdict: int) -> list[_Step]:
    return [(_LOAD, 0, 0, offset), (test, 1, 0, value), (_RETURN, 0, 0, verdict)]


def _deny(number: int | None, code: int) -> list[_Step]:
    assert number is not None
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | code)]


def _clone(number: int) -> list[_Step]:
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _sockets(number: int) -> list[_Step]:
    count = len(_FAMILIES)
    checks = [(_EQUAL, count - i, 0, family) for i, family in enumerate(_FAMILIES)]
    return [
        (_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *checks,
        (_RETURN, 0, 0, _ERRNO | errno.EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
    ]
