"""Real small packages for tests: a module and its metadata in a folder that is put on the path."""

from pathlib import Path


def install(folder: Path, name: str, code: str, **entry_points: str) -> Path:
    """Writes a package with one module of its name; a keyword is a group without `agentdyno.`, its
    value `NAME = ATTRIBUTE`. The folder is then put on the path by whoever asks."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = []
    for group, named in entry_points.items():
        entry, attribute = (part.strip() for part in named.split("="))
        groups.append(f"[agentdyno.{group}]\n{entry} = {name}:{attribute}\n")
    (info / "entry_points.txt").write_text("\n".join(groups))
    (folder / f"{name}.py").write_text(code)
    return folder
