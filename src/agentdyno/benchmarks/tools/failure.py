"""How a tool says that a call failed. Nothing here imports Inspect."""


class ToolFailedError(Exception):
    """A call that did not do what was asked; its text is what the model reads as the result."""

    @property
    def text(self) -> str:
        """The result for the model."""
        return str(self.args[0])
