"""Keys and values of many conversations in one room per layer, a row each, from column 0 on.

The model writes through `cache`, to the rows and columns that `aim` was told last; a row can be
moved, read out, or filled with what another conversation has read. The room never moves unless it
grows, so that a step that a GPU recorded stays right.
"""

import math
from collections.abc import Sequence
from typing import Any

Layers = list[tuple[Any, Any]]
"""Keys and values of every layer, each of heads, tokens and size."""


class RowCache:
    """What a model remembers of so many rows."""

    def __init__(self, model: Any, rows: int, capacity: int) -> None:
        from transformers import Cache

        self.rows, self.capacity = rows, capacity
        self._rows: Any = None
        self._columns: Any = None
        self._limit, self._leads = capacity, True
        self._layers = [_layer(self) for _ in range(model.config.num_hidden_layers)]
        self.cache = Cache(layers=self._layers)

    def aim(self, rows: Any, columns: Any, limit: int, leads: bool) -> None:
        """Where the next keys and values go: columns of each row. Only columns below the limit are
        seen; column `capacity` takes what nobody looks at. `leads`: these are the first rows."""
        self._rows, self._columns, self._limit, self._leads = rows, columns, limit, leads

    def write(self, room: Any, states: Any) -> Any:
        """Writes to one layer; what its rows see."""
        room[self._rows[:, None], :, self._columns] = states.transpose(1, 2).to(room.dtype)
        seen = room[:, :, : self._limit]
        # The first rows need no copy.
        return seen[: len(self._rows)] if self._leads else seen[self._rows]

    def read_row(self, row: int, start: int, end: int) -> Layers:
        """Keys and values of some columns of a row."""
        return [(x.keys[row, :, start:end], x.values[row, :, start:end]) for x in self._layers]

    def fill(self, row: int, start: int, layers: Any) -> None:
        """Puts keys and values of another conversation's beginning into a row."""
        for own, (keys, values) in zip(self._layers, layers, strict=True):
            end = start + keys.shape[1]
            own.keys[row, :, start:end], own.values[row, :, start:end] = keys, values

    def move(self, source: int, goal: int, length: int) -> None:
        """Gives a row another number."""
        self.fill(goal, 0, self.read_row(source, 0, length))

    def grow(self, capacity: int, lengths: Sequence[int]) -> None:
        """Makes room for longer rows; so much of each is kept."""
        self.capacity = capacity
        for layer in self._layers:
            if layer.is_initialized:
                old = layer.keys, layer.values
                layer.make_room(old[1])
                for row, length in enumerate(lengths):
                    layer.keys[row, :, :length] = old[0][row, :, :length]
                    layer.values[row, :, :length] = old[1][row, :, :length]


def _layer(owner: RowCache) -> Any:
    from transformers.cache_utils import DynamicLayer

    class RowLayer(DynamicLayer):  # type: ignore[no-untyped-call,unused-ignore]
        """Keys and values of one layer."""

        keys: Any
        values: Any

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> Any:
            if not self.is_initialized:
                self.make_room(value_states)
            return owner.write(self.keys, key_states), owner.write(self.values, value_states)

        def make_room(self, like: Any) -> None:
            # Keys come wider than values where rotations are computed in float32.
            shape = (owner.rows, like.shape[1], owner.capacity + 1, like.shape[3])
            self.keys, self.values = (_zeros(shape, like) for _ in range(2))
            self.dtype, self.device, self.is_initialized = like.dtype, like.device, True

    return RowLayer()  # type: ignore[no-untyped-call,unused-ignore]


def _zeros(shape: tuple[int, ...], like: Any) -> Any:
    """Zeros that take memory where they are written, as far as the system can."""
    import numpy as np
    import torch

    if like.device.type != "cpu":
        return like.new_zeros(shape)
    room = np.zeros(math.prod(shape) * like.element_size(), np.uint8)
    return torch.from_numpy(room).view(like.dtype).view(shape)
