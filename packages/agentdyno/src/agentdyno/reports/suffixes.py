"""Which form a report has by the name of its file.

Takes the file that is to be written, returns `html`, `md` or `json`. Knows nothing of renderers.
"""

from pathlib import Path
from typing import Literal

from agentdyno.records import InputError

Form = Literal["html", "md", "json"]

SUFFIXES: dict[str, Form] = {
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".json": "json",
}


def form_of(out: Path) -> Form:
    """The form that the file's suffix says."""
    form = SUFFIXES.get(out.suffix.lower())
    if form is None:
        raise InputError(
            f"{out}: expected a file that ends in {', '.join(SUFFIXES)}, found "
            f"{out.suffix or 'no suffix'!r}. Choose with --format html, md or json."
        )
    return form
