"""What every layer of a model would choose as the next token, token by token."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class LayerChoices(Struct, frozen=True):
    """What every layer's prediction says, layers x tokens."""

    tokens: Ints
    """The likeliest token."""
    probability: Floats
    """Its probability."""
    margin: Floats
    """Its probability less that of the second."""

    @property
    def layers(self) -> int:
        """Layers of the model."""
        return len(self.tokens)
