"""What became of the work of sessions in one repository."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate


class Delivery(Struct, frozen=True, kw_only=True):
    """A commit, or all that came in one pull request or branch."""

    name: str
    """The commit's hash, the pull request or the branch."""
    subject: str | None
    """The first line of the commit's message; None for several commits."""
    on_main: bool
    """Whether the main branch holds it."""
    at: float
    """When it was committed, the last where they are several; in seconds since 1970."""
    commits: int
    """How many commits it is, those included of which nobody's lines are."""
    usd: float
    """What the lines cost that stand in it, each counted in the first commit of the main branch
    that has it, else in the first of any branch."""
    sessions: list[str]
    """Those whose lines these are, the dearest first."""
    added: int
    """Lines that it added, without blank ones and brackets."""
    written: int
    """How many of these stand in an edit of a session, counted in this commit alone."""
    survived: float | None
    """Share of the lines that sessions wrote that stand on the main branch 14 days later; None
    where those days are not over, or it is not on it."""


class Join(Struct, frozen=True, kw_only=True):
    """What of a session stands in a commit."""

    session: str
    commit: str | None
    """The commit's hash; None for what stands in none."""
    lines: int
    """Lines that it wrote, or took out where that is all that the edit did."""
    usd: float


class SessionWork(Struct, frozen=True, kw_only=True):
    """A session, and where its money went."""

    session: str
    title: str | None
    model: str | None
    agent: str
    usd: float | None
    """What it cost; None where no turn has a price."""
    on_main_usd: float
    """Of this, for lines that stand in a commit of the main branch."""
    on_branch_usd: float
    """Of this, for lines that stand in a commit of another branch alone."""
    lines: int
    """Lines that it wrote, without those that it replaced itself."""
    on_main: int
    """How many of them stand in a commit of the main branch."""
    on_branch: int
    """How many stand in a commit of another branch alone."""
    survived: int
    """How many of those on the main branch stand there 14 days after their commit…"""
    aged: int
    """…of how many whose 14 days are over."""


class Compared(Struct, frozen=True, kw_only=True):
    """The sessions of an agent or a model, to be held against others."""

    name: str
    sessions: int
    usd: float
    on_main: Estimate
    """Share of the money that is in lines on the main branch, by session."""
    usd_per_line: Estimate
    """Their cost over their lines on the main branch, by session; sessions without any cost too."""
    survived: Estimate
    """Share of their lines that stand 14 days later, by session."""


class Shipped(Struct, frozen=True, kw_only=True):
    """The whole."""

    repository: str
    main: str
    """The main branch."""
    usd: float
    """What sessions in this repository cost."""
    on_main_usd: float
    """Of this, for lines that stand in a commit of the main branch."""
    on_branch_usd: float
    """Of this, for lines that stand in a commit of another branch alone."""
    no_commit_usd: float
    """Of this, for lines that stand in no commit."""
    nothing_written_usd: float
    """What sessions cost that wrote no line into the repository by an edit."""
    unpriced_turns: int
    """Turns without a price, which are in no sum."""
    survived: Estimate
    """Share of lines on the main branch that stand there 14 days later, by session."""
    commits: list[Delivery]
    """Commits with a session's lines, the dearest first."""
    units: list[Delivery]
    """The same by pull request and branch."""
    sessions: list[SessionWork]
    """Sessions in this repository, the dearest first."""
    joins: list[Join]
    """Which session's work stands in which commit."""
    compared: dict[str, list[Compared]]
    """By `agent` and `model`, the dearest first."""
    all_commits: int
    """Commits that were looked at, merges not counted."""
    added: int
    """Lines that commits of the main branch added…"""
    written: int
    """…and how many of these stand in an edit of a session."""
    unread: int
    """Traces that could not be opened, whose edits are unknown."""
    skipped: int
    """Files of commits that were binary or too large to compare."""
