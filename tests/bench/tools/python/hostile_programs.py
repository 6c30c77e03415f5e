"""Programs that try to get out, to take too much or to stay. Each says ESCAPED where it succeeds.

`expect` is what the model must be told; a program that does not even try would not match it.
`{secret}`, `{port}`, `{pid}` and so on stand for things of the host that the test has set up.
"""

from dataclasses import dataclass

PRELUDE = """\
import ctypes, os, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(f, *args):
    try:
        print("ESCAPED", repr(f(*args))[:200])
    except BaseException as error:
        print("held", type(error).__name__, str(error)[:200])
def syscall(*args):
    ctypes.set_errno(0)
    result = libc.syscall(*args)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""


@dataclass(frozen=True)
class Program:
    """One program."""

    name: str
    kind: str
    code: str
    expect: str
    """A pattern that the result for the model matches."""
    seconds: float = 15.0
    """Time limit; short for those that must run into it."""
    cpu_seconds: int = 30
    slow: bool = False
    """Whether it takes long even when it is held."""
    packages: bool = False
    """Whether it may import what is installed beside AgentDyno."""


PATIENT = 120.0
"""For those that must use up their CPU time first: a busy machine gives them little of it."""
TIME = r"stopped by a timeout"
TIME_OR_MEMORY = f"{TIME}|out of memory"
"""Which limit many processes meet first depends on the machine."""
DENIED = r"held PermissionError"

NETWORK = [
    Program(
        "connects to a server of the host",
        "network",
        "attempt(socket.create_connection, ('127.0.0.1', {port}), 2)",
        r"held ConnectionRefusedError",
    ),
    Program(
        "connects to the internet",
        "network",
        "attempt(socket.create_connection, ('192.0.2.1', 80), 2)",
        r"held OSError .*unreachable",
    ),
    Program(
        "connects over IPv6",
        "network",
        "attempt(socket.create_connection, ('2001:db8::1', 80), 2)",
        r"held OSError .*(unreachable|assign)",
    ),
    Program(
        "sends a datagram",
        "network",
        "attempt(socket.socket(2, 2).sendto, b'secret', ('192.0.2.1', 53))",
        r"held OSError .*unreachable",
    ),
    Program(
        "looks up a name",
        "network",
        "attempt(socket.getaddrinfo, 'host.invalid', 80)",
        r"held gaierror",
    ),
    Program(
        "opens a raw socket",
        "network",
        "attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)",
        DENIED,
    ),
    Program(
        "opens a packet socket",
        "network",
        "attempt(socket.socket, 17, 3, 0)",
        r"held OSError .*Address family",
    ),
    Program(
        "opens a netlink socket",
        "network",
        "attempt(socket.socket, 16, 3, 0)",
        r"held OSError .*Address family",
    ),
    Program(
        "opens a vsock to the hypervisor",
        "network",
        "attempt(socket.socket, 40, 1, 0)",
        r"held OSError .*Address family",
    ),
    Program(
        "opens a socket that loads a module of the kernel",
        "network",
        "attempt(socket.socket, 2, 5, 132)\nattempt(socket.socket, 2, 6, 33)\n"
        "attempt(socket.socket, 2, 1, 262)",
        r"(held OSError .*Protocol not supported.*\n){3}",
    ),
    Program(
        "connects to a socket file of the host",
        "network",
        "attempt(socket.socket(1).connect, '{socket}')",
        r"held FileNotFoundError",
    ),
    Program(
        "connects to an abstract socket of the host",
        "network",
        "attempt(socket.socket(1).connect, chr(0) + '{abstract}')",
        r"held ConnectionRefusedError",
    ),
    Program(
        "finds a network card",
        "network",
        "import array, fcntl, struct\nroom = array.array('B', bytes(4096))\n"
        "ask = struct.pack('iL', 4096, room.buffer_info()[0])\n"
        "size = struct.unpack('iL', fcntl.ioctl(socket.socket(), 0x8912, ask))[0]\n"
        "names = [bytes(room[i:i + 16]).strip(b'\\0') for i in range(0, size, 40)]\n"
        "names = [name.split(b'\\0')[0] for name in names]\n"
        "print('held' if set(names) <= {b'lo'} else 'ESCAPED', len(names))",
        r"held [01]$|held [01]\n",
    ),
]

PROCESSES = [
    Program(
        "fork bomb",
        "processes",
        "while True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        TIME_OR_MEMORY,
        seconds=1.5,
    ),
    Program(
        "fork bomb that is not answered",
        "processes",
        "while True:\n    os.fork()",
        r"BlockingIOError|" + TIME_OR_MEMORY,
        seconds=3,
    ),
    Program(
        "fork bomb in new sessions",
        "processes",
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n    try:\n"
        "        if os.fork() == 0:\n            os.setsid()\n    except OSError:\n        pass",
        TIME_OR_MEMORY,
        seconds=1.5,
    ),
    Program(
        "thread bomb",
        "processes",
        "for number in range(10_000):\n"
        "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "print('ESCAPED', number)",
        r"can't start new thread",
    ),
    Program(
        "starts interpreters",
        "processes",
        "for number in range(200):\n    subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(60)'])\nprint('ESCAPED', number)",
        r"BlockingIOError|Resource temporarily unavailable",
    ),
    Program(
        "a chain of processes that each live for a moment",
        "processes",
        "while True:\n    if os.fork():\n        os._exit(0)",
        r"stderr:$|stopped by a timeout",
        seconds=2,
    ),
    Program(
        "raises its own limits",
        "processes",
        "import resource\nfor name in ('NPROC', 'AS', 'CPU', 'FSIZE', 'NOFILE'):\n"
        "    which = getattr(resource, 'RLIMIT_' + name)\n"
        "    attempt(resource.setrlimit, which, (2**40, 2**40))",
        r"(held ValueError.*\n){5}",
    ),
]

MEMORY = [
    Program(
        "shared anonymous mappings filled by children that leave",
        "memory",
        "import mmap\nheld = []\nfor _ in range(40):\n    m = mmap.mmap(-1, 50_000_000)\n"
        "    held.append(m)\n    if os.fork() == 0:\n        m.write(b'x' * 50_000_000)\n"
        "        os._exit(0)\n    os.wait()\nprint('ESCAPED', len(held))",
        r"memory|Memory|Cannot allocate",
    ),
    Program(
        "data parked in socket buffers",
        "memory",
        "held = []\ntry:\n    while True:\n        a, b = socket.socketpair()\n"
        "        a.setblocking(False)\n        b.setblocking(False)\n        held += [a, b]\n"
        "        for end in (a, b):\n            try:\n"
        "                while end.send(b'x' * 65536):\n                    pass\n"
        "            except BlockingIOError:\n                pass\n"
        "        if len(held) > 3000:\n            print('ESCAPED')\n            break\n"
        "except OSError as error:\n    print('held', error)",
        r"held|memory",
    ),
    Program(
        "children that each take a part",
        "memory",
        "for _ in range(9):\n    if os.fork() == 0:\n        x = bytearray(90_000_000)\n"
        "        for k in range(0, len(x), 4096):\n            x[k] = 1\n        time.sleep(9)\n"
        "        os._exit(0)\ntime.sleep(6)\nprint('ESCAPED')",
        r"memory",
    ),
    Program(
        "pipes that are made larger",
        "memory",
        "import fcntl\nfor _ in range(40):\n    a, b = os.pipe()\n"
        "    attempt(fcntl.fcntl, a, 1031, 2**20)",
        r"(held PermissionError.*\n){40}",
    ),
    Program(
        "data on its way through TCP to itself",
        "memory",
        "held, sent = [], 0\ndoor = socket.create_server(('127.0.0.1', 0))\nblock = bytes(2**20)\n"
        "try:\n    for _ in range(58):\n"
        "        a = socket.create_connection(door.getsockname())\n        b, _ = door.accept()\n"
        "        held += [a, b]\n        for end in (a, b):\n            end.setblocking(False)\n"
        "            try:\n                while True:\n"
        "                    sent += end.send(block)\n"
        "            except BlockingIOError:\n                pass\n"
        "    print('held' if sent < 330_000_000 else 'ESCAPED', sent)\n"
        "except OSError as error:\n    print('held', error)",
        r"held|memory",
    ),
    Program(
        "sockets sent through sockets and let go",
        "memory",
        "import array\nsent, block, keep = 0, bytes(65536), []\ntry:\n    while sent < 4000:\n"
        "        a, b = socket.socketpair()\n        c, d = socket.socketpair()\n"
        "        c.setblocking(False)\n        try:\n            while c.send(block):\n"
        "                pass\n        except BlockingIOError:\n            pass\n"
        "        rights = array.array('i', [c.fileno(), d.fileno()])\n"
        "        a.sendmsg([b'x'], [(1, 1, rights)])\n        c.close(); d.close()\n"
        "        keep += [a, b]\n        sent += 1\n    print('ESCAPED', sent)\n"
        "except OSError as error:\n    print('held', error)",
        r"held|memory",
    ),
    Program(
        "attributes of files as storage",
        "memory",
        "path = '/tmp/x'\nopen(path, 'w').close()\n"
        "attempt(lambda: [os.setxattr(path, f'user.a{n}', bytes(60_000)) for n in range(9000)])",
        DENIED,
    ),
    Program(
        "mappings of one page each in every child",
        "memory",
        "import mmap\nfor _ in range(9):\n    if os.fork() == 0:\n        held = []\n"
        "        try:\n            while True:\n"
        "                held.append(mmap.mmap(-1, 4096, prot=1 + 2 * (len(held) % 2)))\n"
        "        except (OSError, MemoryError):\n            time.sleep(3)\n        os._exit(0)\n"
        "for _ in range(9):\n    os.wait()\nprint('held')",
        r"held|memory",
    ),
    Program(
        "children that fill one mapping each and leave it to others",
        "memory",
        "import mmap\nkept = []\nfor _ in range(10):\n    m = mmap.mmap(-1, 25_000_000)\n"
        "    kept.append(m)\n    if os.fork() == 0:\n        m[:] = b'y' * len(m)\n"
        "        own = bytearray(60_000_000)\n        for k in range(0, len(own), 4096):\n"
        "            own[k] = 1\n        time.sleep(3)\n        os._exit(0)\n"
        "time.sleep(2)\nprint('ESCAPED')",
        r"memory|Memory|Cannot allocate",
    ),
    Program("one huge string", "memory", "attempt(lambda: len('x' * 10**11))", r"held MemoryError"),
    Program(
        "a list that grows",
        "memory",
        "held = []\nwhile True:\n    held.append(bytearray(10_000_000))",
        r"MemoryError|out of memory",
    ),
    Program(
        "a huge mapping",
        "memory",
        "import mmap\nattempt(mmap.mmap, -1, 2**35)",
        r"held (OSError|MemoryError)",
    ),
    Program(
        "many children that each take a little",
        "memory",
        "for _ in range(8):\n    if os.fork() == 0:\n        held = bytearray(os.urandom(1)) * "
        "100_000_000\n        time.sleep(60)\ntime.sleep(60)",
        r"killed: out of memory",
    ),
    Program("a file in memory", "memory", "attempt(os.memfd_create, 'x')", DENIED),
    Program(
        "a System V segment",
        "memory",
        "def segment():\n    found = libc.shmget(0, 2**30, 0o1666)\n    if found == -1:\n"
        "        raise PermissionError\n    return found\nattempt(segment)",
        DENIED,
    ),
    Program(
        "fills /dev/shm",
        "memory",
        "def fill():\n    with open('/dev/shm/x', 'wb') as a, open('/dev/shm/y', 'wb') as b, "
        "open('/dev/shm/z', 'wb') as c:\n        for _ in range(100):\n            for f in "
        "(a, b, c):\n                f.write(bytes(10**6)); f.flush()\nattempt(fill)",
        r"held OSError .*(space|large)",
    ),
    Program(
        "recursion without end",
        "memory",
        "sys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1) + sum([n])\nf(0)",
        r"exit code: (139|134|1)\b|stopped by a timeout|out of memory",
        seconds=4,
        slow=True,
    ),
    Program("crashes the interpreter", "memory", "ctypes.string_at(0)", r"exit code: 139 .*fault"),
]

DISK = [
    Program(
        "fills /tmp with one file",
        "disk",
        "def fill():\n    with open('/tmp/x', 'wb') as f:\n        for _ in range(10_000):\n"
        "            f.write(bytes(10**6))\nattempt(fill)",
        r"held OSError .*(space|large)",
    ),
    Program(
        "fills /tmp with many files",
        "disk",
        "def fill():\n    for n in range(100):\n        with open(f'/tmp/{n}', 'wb') as f:\n"
        "            f.write(bytes(10**6))\nattempt(fill)",
        r"held OSError .*space",
    ),
    Program(
        "makes empty files without end",
        "disk",
        "n = 0\nwhile True:\n    n += 1\n    open(f'/tmp/{n}', 'w').close()",
        r"too many files",
    ),
    Program(
        "makes a sparse terabyte",
        "disk",
        "attempt(lambda: os.truncate(os.open('/tmp/x', os.O_CREAT | os.O_RDWR), 2**40))",
        r"held OSError .*large",
    ),
    Program(
        "writes everywhere",
        "disk",
        "places = ['/', '/usr', '/usr/lib', '/etc', '/dev', '/code', '/python', '/python/lib',\n"
        "    *sys.path]\nfor place in places:\n    if place and os.path.isdir(place):\n"
        "        attempt(open, place + '/evil.py', 'w')",
        r"(held OSError .*Read-only.*\n){9,}",
    ),
    Program(
        "replaces its own program",
        "disk",
        "attempt(open, '/code/main.py', 'w')\nattempt(os.unlink, '/code/main.py')\n"
        "attempt(os.chmod, '/python/bin/python3', 0o777)",
        r"(held (OSError|PermissionError).*\n){3}",
    ),
    Program(
        "writes to the host's folder",
        "disk",
        "attempt(open, '{folder}/evil', 'w')",
        r"held FileNotFoundError",
    ),
]

FILES = [
    Program("reads a secret", "files", "attempt(open, '{secret}')", r"held FileNotFoundError"),
    Program(
        "reads what systems have",
        "files",
        "for path in ('/etc/passwd', '/etc/shadow', '/etc/hostname', '/root', '/home', '/var',\n"
        "        '/proc/1/environ', '/sys/kernel', '/run', '/boot', '/opt', '/mnt'):\n"
        "    attempt(os.stat, path)",
        r"(held FileNotFoundError.*\n){12}",
    ),
    Program(
        "reads the environment",
        "files",
        "print('ESCAPED' if '{value}' in str(os.environ) else 'held', sorted(os.environ))",
        r"held \['HOME', 'LANG'",
    ),
    Program(
        "snoops in /proc",
        "files",
        "attempt(os.listdir, '/proc')\nattempt(open, '/proc/self/mountinfo')\n"
        "attempt(os.readlink, '/proc/1/root')\nattempt(open, '/proc/kcore')",
        r"(held FileNotFoundError.*\n){4}",
    ),
    Program(
        "asks the kernel for its mounts",
        "files",
        "room = ctypes.create_string_buffer(65536)\n"
        "ask = (ctypes.c_uint64 * 4)(24, 2**64 - 1, 0, 0)\n"
        "attempt(syscall, 458, ask, room, 1000, 0)\nattempt(syscall, 457, ask, room, 65536, 0)",
        r"(held (PermissionError|OSError).*(permitted|not implemented).*\n){2}",
    ),
    Program(
        "looks for paths of the host",
        "files",
        "found = [p for p in (*sys.path, sys.executable, sys.prefix, sys.base_prefix, __file__,\n"
        "    *os.environ.values(), *sys.orig_argv, sys._base_executable) if '{tree}' in p]\n"
        "for place in filter(os.path.isdir, sys.path[1:]):\n    for name in os.listdir(place):\n"
        "        for path in (place + '/' + name, place + '/' + name + '/direct_url.json'):\n"
        "            notes = path.endswith(('.pth', '.json', '.py', '.egg-link'))\n"
        "            if notes and os.path.isfile(path):\n"
        "                found += [path] if '{tree}' in open(path).read() else []\n"
        "print('ESCAPED' if found else 'held', found)",
        r"held \[\]",
        packages=True,
    ),
    Program(
        "links to a secret",
        "files",
        "os.symlink('{secret}', '/tmp/link')\nattempt(open, '/tmp/link')\n"
        "os.symlink('/', '/tmp/root')\nattempt(open, '/tmp/root' + '{secret}')",
        r"(held FileNotFoundError.*\n){2}",
    ),
    Program(
        "climbs out by dots",
        "files",
        "attempt(open, '/tmp/' + '../' * 40 + '{secret}'.lstrip('/'))\n"
        "fd = os.open('/', os.O_RDONLY)\nattempt(lambda: os.open('..{secret}', 0, dir_fd=fd))",
        r"(held FileNotFoundError.*\n){2}",
    ),
    Program(
        "looks for open descriptors",
        "files",
        "found = []\nfor fd in range(3, 1024):\n    try:\n        os.fstat(fd)\n"
        "        found.append(fd)\n    except OSError:\n        pass\n"
        "print('ESCAPED' if found else 'held', found)",
        r"held \[\]",
    ),
    Program(
        "walks through every file",
        "files",
        "bad = [f for p, d, fs in os.walk('/') for f in fs if '{name}' in f]\n"
        "print('ESCAPED' if bad else 'held', bad)",
        r"held \[\]",
        seconds=40,
        slow=True,
    ),
    Program(
        "reads the benchmark's answers",
        "files",
        "def answers():\n    import agentdyno\n    from agentdyno import benchmarks\n"
        "    return benchmarks.__file__\nattempt(answers)",
        r"held (ModuleNotFoundError|ImportError)",
    ),
    Program(
        "makes and opens devices",
        "files",
        "import stat\nattempt(os.mknod, '/tmp/sda', 0o660 | stat.S_IFBLK, os.makedev(8, 0))\n"
        "for path in ('/dev/mem', '/dev/sda', '/dev/vda', '/dev/kmsg', '/dev/tty', '/dev/fuse'):\n"
        "    attempt(open, path)",
        r"(held (PermissionError|FileNotFoundError).*\n){7}",
    ),
]

SIGNALS = [
    Program(
        "kills a process of the host",
        "signals",
        "for number in ({pid}, {parent}):\n    attempt(os.kill, number, 9)",
        r"(held ProcessLookupError.*\n){2}",
    ),
    Program(
        "kills everybody it can see",
        "signals",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "try:\n    os.kill(-1, signal.SIGTERM)\nexcept OSError as error:\n    print(error)\n"
        "print('alone')",
        r"alone",
    ),
    Program(
        "kills its own parents",
        "signals",
        "for name in ('SIGKILL', 'SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGSEGV'):\n    try:\n"
        "        os.kill(os.getppid(), getattr(signal, name))\n    except OSError as error:\n"
        "        print(error)\ntime.sleep(0.3)\nprint('still here', os.getppid())",
        r"still here 1\b",
    ),
    Program(
        "kills its own group",
        "signals",
        "os.killpg(0, signal.SIGKILL)\nprint('ESCAPED')",
        r"exit code: 137",
    ),
    Program(
        "traces the first process",
        "signals",
        "attempt(syscall, {ptrace}, 16, 1, 0, 0)\nattempt(syscall, {ptrace}, 0, 0, 0, 0)",
        rf"({DENIED}.*\n){{2}}",
    ),
    Program(
        "reads another process's memory",
        "signals",
        "attempt(syscall, {process_vm_readv}, 1, 0, 0, 0, 0, 0)",
        DENIED,
    ),
    Program(
        "becomes root",
        "signals",
        "attempt(os.setuid, 0)\nattempt(os.setresuid, 0, 0, 0)\nattempt(os.setgroups, [0])",
        r"(held (PermissionError|OSError).*\n){3}",
    ),
    Program(
        "types into the terminal",
        "signals",
        "import fcntl, termios\nfor fd in (0, 1, 2):\n"
        "    attempt(fcntl.ioctl, fd, termios.TIOCSTI, b'x')",
        r"(held (OSError|PermissionError).*\n){3}",
    ),
]

TIMES = [
    Program(
        "ignores every signal",
        "time",
        "for number in range(1, 65):\n    try:\n        signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n        pass\nprint('deaf')\nwhile True:\n    pass",
        rf"deaf[^$]*{TIME}",
        seconds=1.5,
    ),
    Program(
        "a daemon that outlives it",
        "time",
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n"
        "    os._exit(0)\nprint('parent done')",
        r"parent done\s+stderr:$",
    ),
    Program(
        "a daemon that closes its streams",
        "time",
        "if os.fork() == 0:\n    os.setsid()\n    os.closerange(0, 64)\n    while True: pass\n"
        "print('parent done')",
        r"parent done\s+stderr:$",
    ),
    Program(
        "sleeping children that hold the output",
        "time",
        "for _ in range(5):\n    subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600)'])\nprint('parent done')",
        r"parent done\s+stderr:$",
    ),
    Program(
        "a busy loop in C",
        "time",
        "import re\nprint('begin')\nre.match('(a+)+$', 'a' * 64 + 'b')",
        rf"begin[^$]*{TIME}",
        seconds=1.5,
    ),
    Program(
        "stops itself",
        "time",
        "print('begin')\nos.kill(os.getpid(), signal.SIGSTOP)",
        rf"begin[^$]*{TIME}",
        seconds=1.5,
    ),
    Program("waits for input", "time", "input('name? ')", r"EOFError"),
    Program(
        "uses up its CPU time",
        "time",
        "while True:\n    pass",
        r"exit code: 152 .*CPU time",
        seconds=PATIENT,
        cpu_seconds=1,
    ),
    Program(
        "uses up its CPU time and does not listen",
        "time",
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass",
        r"exit code: 137 .*killed",
        seconds=PATIENT,
        cpu_seconds=1,
        slow=True,
    ),
]

OUTPUT = [
    Program(
        "ten gigabytes",
        "output",
        "block = b'x' * 65536\nfor _ in range(160_000):\n    os.write(1, block)\nprint('ESCAPED')",
        r"x{1000}[^$]*more than the output limit",
    ),
    Program(
        "ten gigabytes of complaints",
        "output",
        "block = b'y' * 65536\nfor _ in range(160_000):\n    os.write(2, block)\nprint('ESCAPED')",
        r"y{1000}[^$]*more than the output limit",
    ),
    Program(
        "ten gigabytes from an orphan",
        "output",
        "if os.fork() == 0:\n    while True:\n        os.write(1, b'z' * 65536)\n"
        "time.sleep(30)\nprint('ESCAPED')",
        r"z{1000}[^$]*more than the output limit",
    ),
    Program(
        "bytes that are no text",
        "output",
        "os.write(1, bytes(range(256)) * 4 + b'\\xff\\xfe end')",
        r"\ufffd+ end",
    ),
]

KERNEL = [
    Program(
        "mounts and unmounts",
        "kernel",
        "attempt(syscall, {mount}, b'tmpfs', b'/tmp', b'tmpfs', 0, 0)\n"
        "attempt(syscall, {umount2}, b'/tmp', 2)\nattempt(os.chroot, '/tmp')\n"
        "attempt(syscall, {pivot_root}, b'/', b'/tmp')",
        rf"({DENIED}.*\n){{4}}",
    ),
    Program(
        "makes namespaces",
        "kernel",
        "for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):\n"
        "    attempt(syscall, {unshare}, flag)\n"
        "    attempt(syscall, {clone}, flag | 17, 0, 0, 0, 0)",
        rf"({DENIED}.*\n){{8}}",
    ),
    Program(
        "calls rare parts of the kernel",
        "kernel",
        "for number in ({keyctl}, {bpf}, {perf_event_open}, {userfaultfd}, {io_uring_setup}):\n"
        "    attempt(syscall, number, 0, 0, 0, 0, 0)",
        rf"({DENIED}.*\n){{5}}",
    ),
    Program(
        "uses the numbers of another architecture",
        "kernel",
        "import platform\nif platform.machine() == 'x86_64':\n    libc.syscall(0x40000000 + 39)\n"
        "else:\n    os.kill(os.getpid(), 31)\nprint('ESCAPED')",
        r"exit code: 159 .*denied",
    ),
    Program(
        "runs machine code for 32 bits",
        "kernel",
        "import mmap, platform\nif platform.machine() == 'x86_64':\n"
        "    area = mmap.mmap(-1, 4096, prot=7)\n"
        "    area.write(bytes.fromhex('b814000000cd80c3'))\n"
        "    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(area)))()\n"
        "else:\n    os.kill(os.getpid(), 31)\nprint('ESCAPED')",
        r"exit code: 159 .*denied",
    ),
    Program(
        "asks for a shell",
        "kernel",
        "for path in ('/bin/sh', '/usr/bin/su', '/usr/bin/sudo', '/usr/bin/bwrap', "
        "'/usr/bin/mount'):\n    attempt(subprocess.run, [path])\n"
        "print('held' if os.system('touch {folder}/evil') else 'ESCAPED')",
        r"(held FileNotFoundError.*\n){5}held",
    ),
    Program(
        "unpickles a command",
        "kernel",
        "import pickle\nclass Evil:\n    def __reduce__(self):\n"
        "        return os.system, ('touch {folder}/evil',)\n"
        "print('held' if pickle.loads(pickle.dumps(Evil())) else 'ESCAPED')",
        r"held",
    ),
    Program(
        "calls the C library behind Python's back",
        "kernel",
        "libc.system(b'touch {folder}/evil')\nfd = libc.open(b'{secret}', 0)\n"
        "print('held' if fd == -1 else 'ESCAPED')",
        r"held",
    ),
    Program("is no program", "kernel", "\ud800 = 1 (", r"SyntaxError\D+exit code: 1\b"),
]

PROGRAMS = [
    *NETWORK,
    *PROCESSES,
    *MEMORY,
    *DISK,
    *FILES,
    *SIGNALS,
    *TIMES,
    *OUTPUT,
    *KERNEL,
]
