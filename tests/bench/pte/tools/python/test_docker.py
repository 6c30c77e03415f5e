"""The docker backend where there is no docker: what it would ask for, and how it is refused.

No container is started here; what is checked is the file that Inspect hands to docker compose.
"""

from pathlib import Path
from typing import Any

import anyio
import pytest
import yaml
from inspect_ai.util._sandbox.docker.util import ComposeProject

from agentdyno.records import InputError
from agentdyno_bench.pte.tools import PythonConfig, ToolConfig, task_sandbox
from agentdyno_bench.pte.tools.python import docker
from agentdyno_bench.pte.tools.python.docker import docker_sandbox

MIB = 2**20


@pytest.fixture
def compose_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What docker compose would read, as Inspect writes it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    config = PythonConfig(memory_bytes=64 * MIB, disk_bytes=8 * MIB, processes=10)
    spec = docker_sandbox(config)
    project = anyio.run(ComposeProject.create, "agentdyno-test", spec.config)
    assert project.config is not None
    return yaml.safe_load(Path(project.config).read_text())


def test_the_file_bounds_everything(compose_file: Any) -> None:
    assert list(compose_file) == ["services"]  # No volumes, no networks.
    assert compose_file["services"] == {
        "default": {
            "image": "python:3.11-slim",
            "command": "tail -f /dev/null",
            "init": True,
            "network_mode": "none",
            "read_only": True,
            "tmpfs": ["/tmp:size=8388608,mode=1777"],
            "working_dir": "/tmp",
            "user": "65534:65534",
            "environment": {"HOME": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"},
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges:true"],
            "mem_limit": "67108864b",
            "memswap_limit": "67108864b",
            "pids_limit": 26,
            "cpus": 1.0,
        }
    }


@pytest.fixture
def no_docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PATH", str(tmp_path))
    docker.unavailable.cache_clear()
    yield
    docker.unavailable.cache_clear()


def test_without_docker_a_task_that_asks_for_it_is_refused(no_docker: None) -> None:
    with pytest.raises(InputError, match=r"docker is not installed\. Install docker") as caught:
        task_sandbox(ToolConfig(python=PythonConfig(backend="docker")))
    assert "bubblewrap" not in str(caught.value)  # Nobody asked for that.


@pytest.mark.parametrize(
    ("script", "said"), [("exit 1", "service does not run"), ("sleep 60", "does not answer")]
)
def test_a_docker_that_does_not_serve_is_refused_too(
    no_docker: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    program = tmp_path / "docker"
    program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(docker, "PATIENCE_SECONDS", 0.5)
    assert said in (docker.unavailable() or "")
