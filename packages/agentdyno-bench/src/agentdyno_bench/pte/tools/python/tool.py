"""The tool `python`: runs a program and tells what it printed. Usable without Inspect."""

import anyio

from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.failure import ToolFailedError
from agentdyno_bench.pte.tools.python.choice import choose_backend
from agentdyno_bench.pte.tools.python.execution import PythonBackend, describe


class PythonTool:
    """Runs programs, a limited number at once."""

    def __init__(self, config: PythonConfig, backend: PythonBackend | None = None) -> None:
        self._config = config
        self._backend = backend or choose_backend(config)
        self._turns: anyio.CapacityLimiter | None = None

    @property
    def backend(self) -> str:
        """The name of the place where programs run."""
        return self._backend.name

    async def run(self, code: str) -> str:
        """Run a program and return its output; `ToolFailedError` with the output when it failed."""
        size = len(code.encode("utf-8", "replace"))
        if size > self._config.code_bytes:
            limit = self._config.code_bytes
            raise ToolFailedError(f"The program has {size} bytes; the limit is {limit}.")
        # Made here: it belongs to the event loop in which it is used.
        self._turns = self._turns or anyio.CapacityLimiter(self._config.concurrent)
        async with self._turns:
            execution = await self._backend.execute(code)
        if execution.failed:
            raise ToolFailedError(describe(execution))
        return describe(execution)
