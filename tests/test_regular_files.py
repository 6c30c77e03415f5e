"""What is not a regular file of a limited size is not opened, and the error says what it is."""

import os
from pathlib import Path

import pytest

from agentdyno.cost.toml_files import read_toml
from agentdyno.records import InputError
from agentdyno.regular_files import read_end, read_regular

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def test_a_file_is_read_up_to_the_limit_and_through_a_link(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"a = 1\n")
    (tmp_path / "link").symlink_to(path)
    assert read_regular(tmp_path / "link", 6) == b"a = 1\n"
    with pytest.raises(OSError, match="expected at most 5 bytes, found 6"):
        read_regular(path, 5)
    with pytest.raises(OSError, match="expected a regular file, found a link"):
        read_regular(tmp_path / "link", follow_link=False)
    assert read_end(path, 2) == (b"1\n", False)
    assert read_end(path, 6) == (b"a = 1\n", True)


@needs_pipes
def test_a_pipe_and_a_device_are_named_and_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="expected a regular file, found a pipe"):
        read_regular(tmp_path / "pipe")
    with pytest.raises(OSError, match="found a device"):
        read_regular("/dev/zero")
    with pytest.raises(OSError, match="found a folder"):
        read_end(tmp_path, 1)
    with pytest.raises(InputError, match=r"cannot be read \(expected a regular file, found a pipe"):
        read_toml(tmp_path / "pipe")
