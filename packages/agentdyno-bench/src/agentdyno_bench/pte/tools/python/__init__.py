"""Running model-written code: `PythonTool` and the sandboxes it may run in."""

from agentdyno_bench.pte.tools.python.choice import choose_backend
from agentdyno_bench.pte.tools.python.docker import docker_sandbox
from agentdyno_bench.pte.tools.python.execution import Execution, PythonBackend, describe
from agentdyno_bench.pte.tools.python.tool import PythonTool

__all__ = [
    "Execution",
    "PythonBackend",
    "PythonTool",
    "choose_backend",
    "describe",
    "docker_sandbox",
]
