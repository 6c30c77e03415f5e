"""Writes a table as CSV that a spreadsheet can open and a terminal can print: no text in it is a
formula, and none commands a terminal.

Takes a frame of foreign texts, as a trace is where task names, tools and errors come from. A text
that begins with a character that starts a formula gets an apostrophe before it, as OWASP advises
(https://owasp.org/www-community/attacks/CSV_Injection). Ends of lines and tabs become blanks, other
control characters and those that turn the direction of writing a replacement character. Numbers are
no texts and stay as they are; Parquet keeps every text as it is.
"""

from pathlib import Path

import polars as pl
import polars.selectors as cs

_FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"
"""Ends of lines and the wide forms too: spreadsheets read both as the plain ones."""
_BLANK = r"[\t\n\x0b\x0c\r\x{85}\x{2028}\x{2029}]+"
_HARMFUL = r"[\p{Cc}\x{061c}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]"


def write_csv(rows: pl.DataFrame, file: Path) -> None:
    """Writes the rows with a header."""
    texts = cs.string()
    clean = texts.str.replace_all(_BLANK, " ").str.replace_all(
        _HARMFUL, "\N{REPLACEMENT CHARACTER}"
    )
    is_formula = texts.str.contains(_FORMULA) | clean.str.contains(_FORMULA)
    safe = pl.when(is_formula).then("'" + clean).otherwise(clean)
    rows.with_columns(safe.name.keep()).write_csv(file)
