"""Texts ranked by how well they match a query: BM25 by `bm25s`, ties by place."""

import numpy as np


class Ranking:
    """An index over texts."""

    def __init__(self, texts: list[str]) -> None:
        # Here: only who searches pays for the import.
        import bm25s

        self._library = bm25s
        self._count = len(texts)
        self._index = bm25s.BM25()
        self._index.index(self._tokens(texts), show_progress=False)

    def best(self, query: str, limit: int) -> list[int]:
        """Places of the best texts, best first; texts that share no word are left out."""
        tokens = self._library.tokenize(
            [query], stopwords="en", return_ids=False, show_progress=False
        )[0]
        if not tokens:
            return []
        scores = np.asarray(self._index.get_scores(tokens))
        order = np.lexsort((np.arange(self._count), -scores))
        return [int(index) for index in order[:limit] if scores[index] > 0]

    def _tokens(self, texts: list[str]) -> object:
        return self._library.tokenize(texts, stopwords="en", show_progress=False)
