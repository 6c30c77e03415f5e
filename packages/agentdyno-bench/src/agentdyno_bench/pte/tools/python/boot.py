"""The first program inside the sandbox: it starts the code as nobody and with limits.

bubblewrap cannot set limits, and they must be set inside: a count of processes binds only a user
that is not root, and is the sandbox's own only within its user namespace. `BOOT` is the program's
text; it runs with the standard library alone, before any code of the model.

It stays as the first process, waits for the code and ends as the code did, which ends everything
else that is left. bubblewrap's own first process would be left to the host to collect. Only the
code's process changes its user: the kernel would forget that the first one dies with its parent.
"""

from agentdyno_bench.pte.tools.config import PythonConfig

DESCRIPTORS = 128
NICENESS = 15

BOOT = """\
import os, resource, signal, sys

def become_nobody(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    if 0 in os.getresuid() + os.getresgid():
        sys.exit("the sandbox could not give up its privileges")

def set_limits(cpu, memory, disk, processes, descriptors):
    limits = {
        "CPU": (cpu, cpu + 1), "AS": (memory, memory), "FSIZE": (disk, disk),
        "NPROC": (processes, processes), "NOFILE": (descriptors, descriptors),
        "CORE": (0, 0), "MEMLOCK": (0, 0), "SIGPENDING": (256, 256),
    }
    for name, limit in limits.items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), limit)

# With this the first process cannot be interrupted from inside.
signal.signal(signal.SIGINT, signal.SIG_DFL)
code = os.fork()
if code == 0:
    user, niceness, *limits = (int(value) for value in sys.argv[1:8])
    if user:
        become_nobody(user)
    os.nice(niceness)
    set_limits(*limits)
    os.execv(sys.argv[8], sys.argv[8:])
while True:
    ended, status = os.wait()
    if ended == code:
        status = os.waitstatus_to_exitcode(status)
        os._exit(status if status >= 0 else 128 - status)
"""


def boot_arguments(config: PythonConfig, user: int, counted: bool) -> list[str]:
    """Arguments of the boot program; user 0 stays who it is. A program whose
    memory is counted comes after everybody else: the count must be quicker. The first process does
    not, so that it ends all others at once when it is ended."""
    limits = (
        user,
        NICENESS if counted else 0,
        config.cpu_seconds,
        config.memory_bytes,
        config.disk_bytes,
        config.processes + 1,
        DESCRIPTORS,
    )
    return [str(limit) for limit in limits]
