"""The one sampler: from logits and a number in [0, 1) for each row to a token.

Takes logits (rows x vocabulary), returns one token a row. The caller brings the random numbers, so
what a row gets depends on its logits and its number alone, whichever rows are beside it. Imports
torch when it is called.
"""

from typing import Any


def draw(logits: Any, temperature: float, top_p: float, uniform: Any) -> Any:
    """The token of each row at which the summed probabilities pass its number.

    Temperature 0 takes the likeliest. Worked: probabilities 0.5, 0.3, 0.2 and the number 0.6: the
    sums are 0.5, 0.8, 1, so the second token is drawn.
    """
    import torch

    if temperature <= 0:
        return logits.argmax(-1)
    probs = (logits.double() / temperature).softmax(-1)
    if top_p < 1:
        ordered, tokens = probs.sort(dim=-1, descending=True, stable=True)
        # A token stays when those before it have less than top_p together: at least one does.
        ordered[ordered.cumsum(-1) - ordered >= top_p] = 0
        probs = torch.zeros_like(probs).scatter_(-1, tokens, ordered)
    summed = probs.cumsum(-1)
    # The last sum may be short of 1 by rounding, or by what top_p cut off.
    aim = uniform[:, None].double() * summed[:, -1:]
    index = torch.searchsorted(summed, aim, right=True)
    return index[:, 0].clamp(max=summed.shape[-1] - 1)
