"""Text without case and accents, letter for letter."""

import unicodedata

_PLAIN = dict(zip("łŁøØđĐıß", "lLoOdDis", strict=True))
"""Letters that have no accent to take off."""


class _Folded(dict[int, str]):
    """Letters by their codes, each folded when it is first met."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFD", _PLAIN.get(chr(code), chr(code)))[0]
        return self.setdefault(code, plain.lower()[:1] or chr(code))


_FOLDED = _Folded()


def fold(text: str) -> str:
    """Small letters without accents, as long as the text."""
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)
