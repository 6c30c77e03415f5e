"""Which tools there are and how they work: values, read from a TOML file or built in code.

    [python]
    backend = "bubblewrap"
    time_seconds = 20

    [search]
    backend = "serper"        # the key is in the environment, by default in SERPER_API_KEY

    [visit]
    backend = "http"
    summary_model = "openai/gpt-5-mini"

Keys themselves are never in a configuration: only the name of the variable that holds them.
"""

import os
import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable

MIB = 2**20


class PythonConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The tool `python`: where model-written code runs, and how much of everything it may take."""

    backend: Literal["auto", "bubblewrap", "docker", "fusion", "unsafe"] = "auto"
    """`auto` takes a SandboxFusion server when one is named, then bubblewrap, then docker, and
    refuses when there is none."""
    unsafe_python: bool = False
    """Lets `auto` run the code on the host without any protection when there is no sandbox."""
    fusion_url: str | None = None
    """Address of a SandboxFusion server, such as `http://localhost:8080`."""
    docker_image: str = "python:3.11-slim"
    """The image for the docker backend; it needs `python3`."""
    packages: bool = True
    """Whether code under bubblewrap may import the packages installed beside AgentDyno (numpy,
    scipy, sympy, …); AgentDyno itself, with its benchmarks' answers, never."""
    time_seconds: float = 30.0
    """Wall time of one program."""
    cpu_seconds: int = 30
    """CPU time of each of its processes."""
    memory_bytes: int = 1024 * MIB
    """Address space of each process, and memory of all of them together."""
    disk_bytes: int = 64 * MIB
    """What the program may write to its own /tmp; the largest file as well."""
    files: int = 10_000
    """Files and folders the program may make."""
    processes: int = 32
    """Processes and threads at once."""
    output_bytes: int = 64 * 1024
    """The program is stopped when it has printed more than this; it also bounds the result."""
    code_bytes: int = MIB
    concurrent: int = 16
    """Programs at once in one AgentDyno process; further calls wait."""


class SearchConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The tool `search`."""

    backend: Literal["offline", "serper"] = "offline"
    """A BM25 index over a folder of documents, or Google through serper.dev."""
    folder: str | None = None
    """Documents (*.txt, *.md) for the offline index; None for the small corpus that is included."""
    url: str = "https://google.serper.dev/search"
    """Address of the Serper service."""
    key_variable: str = "SERPER_API_KEY"
    """The environment variable with Serper's key."""
    results: int = 10
    queries: int = 10
    """Queries in one call; more are refused."""
    time_seconds: float = 20.0
    """One query may take this long, repetitions included."""


class VisitConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The tool `visit`."""

    backend: Literal["offline", "http", "jina"] = "offline"
    """Pages of the offline corpus, any public page by plain HTTP, or through Jina's reader."""
    folder: str | None = None
    """The offline corpus; the same as the search's. None for the one that is included."""
    url: str = "https://r.jina.ai/"
    """Address of the Jina reader."""
    key_variable: str = "JINA_API_KEY"
    """The environment variable with Jina's key."""
    time_seconds: float = 20.0
    """One visit may take this long, redirects included, summary not."""
    body_bytes: int = 4 * MIB
    """A page is read up to here, after decompression."""
    redirects: int = 5
    ports: tuple[int, ...] = (80, 443)
    """Ports that may be connected to."""
    result_chars: int = 20_000
    """A result is cut after this."""
    summary_model: str | None = None
    """An Inspect model that extracts what serves the goal; None returns the page's text."""
    summary_chars: int = 60_000
    """What the summarizing model is given of a page."""


class ToolConfig(Struct, frozen=True, forbid_unknown_fields=True):
    python: PythonConfig = PythonConfig()
    search: SearchConfig = SearchConfig()
    visit: VisitConfig = VisitConfig()


def load_tool_config(path: Path) -> ToolConfig:
    """The configuration in a TOML file."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), ToolConfig)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = printable(str(error))
        raise InputError(f"{path}: expected a TOML file with tools, found {problem}") from None
    except msgspec.ValidationError as error:
        raise InputError(
            f"{path}: {error}. The tables are [python], [search] and [visit]; docs/guides/tools.md "
            "lists their settings."
        ) from None


def key_from_environment(variable: str, service: str) -> str:
    """The key of a service; an error that names the variable when it is not set."""
    key = os.environ.get(variable, "").strip()
    if key:
        return key
    raise InputError(
        f"expected {service}'s key in the environment variable {variable}, found none. Set it, or "
        'choose backend = "offline".'
    )
