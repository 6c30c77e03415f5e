"""Writes a table as CSV that a spreadsheet can open: no text in it is taken for a formula.

Takes a frame of foreign texts, as a trace is where task names, tools and errors come from. A text
that begins with a character that starts a formula gets an apostrophe before it, as OWASP advises
(https://owasp.org/www-community/attacks/CSV_Injection). Numbers are no texts and stay as they are;
Parquet keeps every text as it is.
"""

from pathlib import Path

import polars as pl
import polars.selectors as cs

_FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""Ends of lines and the wide forms too: spreadsheets read both as the plain ones."""


def write_csv(rows: pl.DataFrame, file: Path) -> None:
    """Writes the rows with a header."""
    texts = cs.string()
    safe = pl.when(texts.str.contains(_FORMULA)).then("'" + texts).otherwise(texts)
    rows.with_columns(safe.name.keep()).write_csv(file)
