"""Tool-integrated reasoning: five question sets, the tools that go with each, and their grading."""
