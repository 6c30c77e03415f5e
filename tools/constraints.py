"""The versions that development and CI are checked with: `constraints.txt`, as pip reads it.

python tools/constraints.py > constraints.txt        (make constraints)

Takes the environment that runs it, prints a pin for each package in it but our own. A build of a
version (`torch==2.13.0+cpu`) is the machine's business, and so is where a package came from.
"""

from importlib.metadata import distributions

HEAD = "# What make setup and CI install. Written by: make constraints"
INSTALLERS = {"pip", "setuptools", "wheel"}


def list_pins() -> list[str]:
    """A pin for each package, by name."""
    versions = {
        each.metadata["Name"].lower().replace("_", "-"): each.version for each in distributions()
    }
    return [
        f"{name}=={version.partition('+')[0]}"
        for name, version in sorted(versions.items())
        if name not in INSTALLERS and not name.startswith("agentdyno")
    ]


if __name__ == "__main__":
    print("\n".join([HEAD, *list_pins()]))
