"""Sorts the spans of one trace into attempts: whose model call is this, whose tool.

- One model call may show as two or three nested spans. The innermost counts; the others only
  fill in what it lacks, and only when they hold no second call.
- A model call belongs to the nearest agent around it. An agent inside another agent's call or
  tool is a sub-agent: an attempt of its own with a parent. So is a tool that asks a model.
- Agents side by side are separate attempts, unless the later one takes the conversation up: its
  first request begins with all that the earlier one was sent or, where no content is recorded,
  both name the same conversation.
- Model calls outside every agent are one attempt, or one per conversation id.
- Calls made for an evaluator are nobody's.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agentdyno.intake.spans.content import Content, content_of
from agentdyno.intake.spans.span import Span
from agentdyno.intake.texts import text_of

SESSION = ""
"""The id of a span that stands for a session, which no exporter gives to one of its own."""
_OWNERS = ("agent", "tool", "guard", "evaluator")


class ModelCall(Struct, gc=False):
    """One model call: the innermost span, then those that tell of the same call."""

    spans: list[Span]
    content: Content | None = None
    """Its texts, where whoever made the call has read them already."""

    @property
    def leaf(self) -> Span:
        """The span that counts."""
        return self.spans[0]


class Attempt(Struct, gc=False):
    owner: Span | None
    calls: list[ModelCall]
    tools: list[Span]
    prompts: list[Span] = []
    """The user's prompts, where requests are not recorded."""
    steps: dict[str, Span] = {}
    """Runs of code that a model wrote, by the span that holds the model call too."""
    parent: "Attempt | None" = None
    locator: str = ""


class Tree:
    """The spans of one trace by id, with their owners."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans: dict[str, Span] = {}
        for span in spans:
            self.spans.setdefault(span.id, span)  # An export that was retried repeats spans.
        self._owners: dict[str, Span | None] = {}
        # The span around it may be written only when it ends: what it holds is the session's.
        self._session = self.spans.get(SESSION)

    def above(self, span: Span) -> Iterator[Span]:
        """Ancestors, the nearest first; damaged files may hold a circle."""
        seen = {span.id}
        while span.parent is not None and span.parent not in seen:
            seen.add(span.parent)
            parent = self.spans.get(span.parent) or self._session
            if parent is None or parent is span:
                return
            seen.add(parent.id)
            yield parent
            span = parent

    def owner(self, span: Span) -> Span | None:
        """The nearest agent (or tool) around a span."""
        if span.id not in self._owners:
            owners = (above for above in self.above(span) if above.kind in _OWNERS)
            self._owners[span.id] = next(owners, None)
        return self._owners[span.id]

    def is_evaluators(self, span: Span) -> bool:
        """True when this was done to judge the agent."""
        return any(above.kind == "evaluator" for above in self.above(span))

    def around(self, span: Span) -> Iterator[Span]:
        """Model spans around a model span that are not parted from it by an owner."""
        for above in self.above(span):
            if above.kind in _OWNERS:
                return
            if above.kind == "model":
                yield above

    def conversation(self, span: Span) -> str | None:
        """The conversation id, as near as it is told."""
        return span.conversation or next(
            (above.conversation for above in self.above(span) if above.conversation), None
        )


def attempts_of(tree: Tree) -> list[Attempt]:
    """The trace's attempts, in order of their first model call."""
    groups: dict[str, Attempt] = {}
    for call in _model_calls(tree):
        owner = tree.owner(call.leaf)
        key = _group_key(tree, owner, call.leaf)
        groups.setdefault(key, Attempt(owner, [], [])).calls.append(call)
    attempts = _take_up(tree, sorted(groups.values(), key=_start))
    _name(tree, attempts)
    _link(tree, attempts)
    _give_tools(tree, attempts)
    return attempts


def _model_calls(tree: Tree) -> list[ModelCall]:
    models = [s for s in tree.spans.values() if s.kind == "model" and not tree.is_evaluators(s)]
    wrapped: dict[str, int] = {}
    outer = {around.id for span in models for around in tree.around(span)}
    leaves = sorted((s for s in models if s.id not in outer), key=lambda s: s.start or 0.0)
    for leaf in leaves:
        for around in tree.around(leaf):
            wrapped[around.id] = wrapped.get(around.id, 0) + 1
    calls: list[ModelCall] = []
    answers: dict[str, ModelCall] = {}
    for leaf in leaves:
        # A wrapper of several calls holds sums and retries: nothing of it is one call's.
        spans = [leaf, *(span for span in tree.around(leaf) if wrapped[span.id] == 1)]
        response = text_of(leaf.attributes.get("gen_ai.response.id"))
        same = answers.get(response) if response else None
        if same is not None and _overlap(same.leaf, leaf):
            same.spans += spans
            continue
        calls.append(ModelCall(spans))
        if response:
            answers[response] = calls[-1]
    return calls


def _overlap(first: Span, second: Span) -> bool:
    """Two instrumentations side by side tell of one response; a replayed one comes later."""
    return first.end is not None and second.start is not None and second.start < first.end


def _group_key(tree: Tree, owner: Span | None, leaf: Span) -> str:
    return f"owner:{owner.id}" if owner is not None else f"talk:{tree.conversation(leaf)}"


def _start(attempt: Attempt) -> float:
    return attempt.calls[0].leaf.start or 0.0


def _take_up(tree: Tree, attempts: list[Attempt]) -> list[Attempt]:
    merged: list[Attempt] = []
    for attempt in attempts:
        earlier = next((e for e in reversed(merged) if _goes_on(tree, e, attempt)), None)
        if earlier is None:
            merged.append(attempt)
        else:
            earlier.calls += attempt.calls
    for attempt in merged:
        attempt.calls.sort(key=lambda call: call.leaf.start or 0.0)
    return merged


def _goes_on(tree: Tree, earlier: Attempt, later: Attempt) -> bool:
    """True when one agent was started twice within one conversation."""
    a, b = earlier.owner, later.owner
    if a is None or b is None or a.kind != "agent" or b.kind != "agent":
        return False
    if _agent_name(a) != _agent_name(b) or tree.owner(a) is not tree.owner(b):
        return False
    before = content_of(earlier.calls[-1].spans).sent
    after = content_of(later.calls[0].spans).sent
    if before is None or after is None:
        talk = tree.conversation(a)
        return talk is not None and talk == tree.conversation(b)
    keys = [statement.key for statement in after]
    return len(after) > len(before) and keys[: len(before)] == [
        statement.key for statement in before
    ]


def _agent_name(span: Span) -> object:
    return span.attributes.get("gen_ai.agent.name") or span.name


def _name(tree: Tree, attempts: list[Attempt]) -> None:
    outside = sum(a.owner is None or a.owner.id == SESSION for a in attempts)
    for attempt in attempts:
        if attempt.owner is not None:
            attempt.locator = attempt.owner.id
        elif outside > 1:
            attempt.locator = attempt.calls[0].leaf.id


def _link(tree: Tree, attempts: list[Attempt]) -> None:
    """The parent is the nearest owner around that has model calls itself."""
    by_owner = _by_owner(tree, attempts)
    for attempt in attempts:
        if attempt.owner is None:
            continue
        around = (by_owner.get(above.id) for above in tree.above(attempt.owner))
        attempt.parent = next((p for p in around if p is not None and p is not attempt), None)
        if attempt.parent is None and _inside_tool(tree, attempt.owner):
            attempt.parent = _outside(tree, attempts, attempt.owner)


def _inside_tool(tree: Tree, owner: Span) -> bool:
    return owner.kind == "tool" or any(above.kind == "tool" for above in tree.above(owner))


def _outside(tree: Tree, attempts: list[Attempt], span: Span) -> Attempt | None:
    """The attempt outside every agent that a span belongs to."""
    unowned = [attempt for attempt in attempts if attempt.owner is None]
    talk = tree.conversation(span)
    same = (a for a in unowned if tree.conversation(a.calls[0].leaf) == talk)
    return unowned[0] if len(unowned) == 1 else next(same, None)


def _by_owner(tree: Tree, attempts: list[Attempt]) -> dict[str, Attempt]:
    owned = {attempt.owner.id: attempt for attempt in attempts if attempt.owner is not None}
    for attempt in attempts:
        for call in attempt.calls:
            owner = tree.owner(call.leaf)
            if owner is not None:
                owned.setdefault(owner.id, attempt)
    return owned


def _give_tools(tree: Tree, attempts: list[Attempt]) -> None:
    by_owner = _by_owner(tree, attempts)
    mains = [attempt for attempt in attempts if attempt.parent is None]
    for span in tree.spans.values():
        if span.kind not in ("tool", "user", "step"):
            continue
        owner = tree.owner(span)
        if owner is not None:
            attempt = by_owner.get(owner.id)
        elif len(mains) == 1:
            # Some frameworks run tools beside the agent's span; with one agent there is no doubt.
            attempt = mains[0]
        else:
            attempt = _outside(tree, attempts, span)
        if attempt is not None and span.kind == "step":
            attempt.steps[span.id] = span
        elif attempt is not None:
            (attempt.tools if span.kind == "tool" else attempt.prompts).append(span)
