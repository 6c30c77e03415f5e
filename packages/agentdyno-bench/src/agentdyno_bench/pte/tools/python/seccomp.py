"""Which system calls a sandboxed program may make: a seccomp filter as bytes for bubblewrap.

Namespaces already hide the network, the files and the other processes. The filter leaves only the
calls in `ALLOWED` and closes, within them, what a number does not show: new namespaces in
`clone`, sockets that ignore network namespaces (vsock) or load modules of the kernel (SCTP), pipes
and sockets that grow, and typing into a terminal. A denied call fails with EPERM, so that the
program sees an ordinary error; one that is newer than this table, and `clone3`, whose flags cannot
be seen, with ENOSYS, on which C libraries fall back to an older one. Numbers of another
architecture end it.

Allowed is what Python, its standard library and the usual packages for mathematics use, and nothing
else: files, pipes, memory of one's own, processes, threads, signals, clocks, and sockets that lead
nowhere. Missing on purpose: memory that no limit sees (memfd, System V segments, message queues,
extended attributes), mounts and what tells of them (statmount, listmount), new namespaces, tracing,
keys, io_uring, bpf, timers without a bound. A test compares every number with the kernel's own
headers and with libseccomp, where the machine has them.
"""

import errno
import platform
import struct
from collections.abc import Iterable

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
_TABLE = """
read 0 63; write 1 64; pread64 17 67; pwrite64 18 68; readv 19 65; writev 20 66; preadv 295 69;
pwritev 296 70; preadv2 327 286; pwritev2 328 287; lseek 8 62; open 2 -; openat 257 56;
openat2 437 437; creat 85 -; close 3 57; close_range 436 436; dup 32 23; dup2 33 -;
dup3 292 24; fcntl 72 25; flock 73 32; ioctl 16 29; stat 4 -; fstat 5 80; lstat 6 -;
newfstatat 262 79; statx 332 291; access 21 -; faccessat 269 48; faccessat2 439 439;
readlink 89 -; readlinkat 267 78; getdents 78 -; getdents64 217 61; getcwd 79 17; chdir 80 49;
fchdir 81 50; mkdir 83 -; mkdirat 258 34; rmdir 84 -; unlink 87 -; unlinkat 263 35;
rename 82 -; renameat 264 38; renameat2 316 276; link 86 -; linkat 265 37; symlink 88 -;
symlinkat 266 36; mknod 133 -; mknodat 259 33; truncate 76 45; ftruncate 77 46;
fallocate 285 47; fsync 74 82; fdatasync 75 83; chmod 90 -; fchmod 91 52; fchmodat 268 53;
fchmodat2 452 452; chown 92 -; fchown 93 55; lchown 94 -; fchownat 260 54; umask 95 166;
utime 132 -; utimes 235 -; utimensat 280 88; futimesat 261 -; statfs 137 43; fstatfs 138 44;
getxattr 191 8; lgetxattr 192 9; fgetxattr 193 10; listxattr 194 11; llistxattr 195 12;
flistxattr 196 13; sendfile 40 71; splice 275 76; tee 276 77; copy_file_range 326 285;
readahead 187 213; fadvise64 221 223; sync_file_range 277 84; pipe 22 -; pipe2 293 59;
select 23 -; pselect6 270 72; poll 7 -; ppoll 271 73; epoll_create 213 -; epoll_create1 291 20;
epoll_ctl 233 21; epoll_wait 232 -; epoll_pwait 281 22; epoll_pwait2 441 441; eventfd 284 -;
eventfd2 290 19; signalfd 282 -; signalfd4 289 74; timerfd_create 283 85;
timerfd_settime 286 86; timerfd_gettime 287 87; inotify_init 253 -; inotify_init1 294 26;
inotify_add_watch 254 27; inotify_rm_watch 255 28; mmap 9 222; munmap 11 215; mremap 25 216;
mprotect 10 226; madvise 28 233; brk 12 214; msync 26 227; mincore 27 232; membarrier 324 283;
get_mempolicy 239 236; getcpu 309 168; fork 57 -; vfork 58 -; clone 56 220; execve 59 221;
execveat 322 281; exit 60 93; exit_group 231 94; wait4 61 260; waitid 247 95;
pidfd_open 434 434; pidfd_send_signal 424 424; kill 62 129; tkill 200 130; tgkill 234 131;
getpid 39 172; getppid 110 173; gettid 186 178; getpgid 121 155; getpgrp 111 -;
setpgid 109 154; getsid 124 156; setsid 112 157; getuid 102 174; geteuid 107 175;
getgid 104 176; getegid 108 177; getresuid 118 148; getresgid 120 150; getgroups 115 158;
setuid 105 146; setgid 106 144; setreuid 113 145; setregid 114 143; setresuid 117 147;
setresgid 119 149; setgroups 116 159; setfsuid 122 151; setfsgid 123 152; capget 125 90;
capset 126 91; prctl 157 167; arch_prctl 158 -; set_tid_address 218 96; set_robust_list 273 99;
get_robust_list 274 100; rseq 334 293; prlimit64 302 261; getrlimit 97 163; setrlimit 160 164;
getrusage 98 165; times 100 153; sysinfo 99 179; uname 63 160; getpriority 140 141;
setpriority 141 140; sched_yield 24 124; sched_getaffinity 204 123;
sched_getparam 143 121; sched_getscheduler 145 120; sched_get_priority_max 146 125;
sched_get_priority_min 147 126; sched_rr_get_interval 148 127; ioprio_get 252 31;
rt_sigaction 13 134; rt_sigprocmask 14 135; rt_sigreturn 15 139; rt_sigpending 127 136;
rt_sigtimedwait 128 137; rt_sigqueueinfo 129 138; rt_sigsuspend 130 133;
rt_tgsigqueueinfo 297 240; sigaltstack 131 132; pause 34 -; restart_syscall 219 128;
alarm 37 -; getitimer 36 102; setitimer 38 103; nanosleep 35 101; clock_nanosleep 230 115;
clock_gettime 228 113; clock_getres 229 114; gettimeofday 96 169; time 201 -; futex 202 98;
futex_wait 455 455; futex_wake 454 454; futex_waitv 449 449; futex_requeue 456 456;
socket 41 198; socketpair 53 199; bind 49 200; listen 50 201; accept 43 202; accept4 288 242;
connect 42 203; shutdown 48 210; getsockname 51 204; getpeername 52 205; sendto 44 206;
recvfrom 45 207; sendmsg 46 211; recvmsg 47 212; sendmmsg 307 269; recvmmsg 299 243;
setsockopt 54 208; getsockopt 55 209; getrandom 318 278;
"""

# On what a filter can look at besides the number.
CLONE, SOCKET, SOCKETPAIR, SETSOCKOPT = "clone", "socket", "socketpair", "setsockopt"
FCNTL, IOCTL = "fcntl", "ioctl"


def is_supported() -> bool:
    """True where the system calls of this machine are listed."""
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


def _only(number: int, position: int, values: tuple[int, ...], code: int) -> list[_Step]:
    """Refuses the call unless an argument is one of these."""
    count = len(values)
    checks = [(_EQUAL, count - i, 0, value) for i, value in enumerate(values)]
    return [
        (_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _argument(position)),
        *checks,
        (_RETURN, 0, 0, ERRNO | code),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _never(number: int, position: int, values: tuple[int, ...]) -> list[_Step]:
    """Refuses the call when an argument is one of these."""
    count = len(values)
    checks = [(_EQUAL, count - 1 - i, 0, value) for i, value in enumerate(values[:-1])]
    return [
        (_EQUAL, 0, count + 3, number),
        (_LOAD, 0, 0, _argument(position)),
        *checks,
        (_EQUAL, 0, 1, values[-1]),
        (_RETURN, 0, 0, ERRNO | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
    ]


def _argument(position: int) -> int:
    """Where the lower half of an argument stands; both machines put it first."""
    return 16 + 8 * position


def _allow(numbers: Iterable[int]) -> list[_Step]:
    steps: list[_Step] = []
    for first, last in _ranges(sorted(set(numbers))):
        steps += [(_AT_LEAST, 0, 2, first), (_ABOVE, 1, 0, last), (_RETURN, 0, 0, ALLOW)]
    return steps


def _ranges(numbers: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _read() -> dict[str, tuple[int | None, int | None]]:
    calls: dict[str, tuple[int | None, int | None]] = {}
    for entry in filter(None, (part.strip() for part in _TABLE.replace("\n", " ").split(";"))):
        name, x86_64, aarch64 = entry.split()
        calls[name] = (_number(x86_64), _number(aarch64))
    return calls


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


ALLOWED = _read()
"""name: (x86_64, aarch64); None where the architecture has no such call."""
