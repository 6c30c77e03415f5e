"""A judge for planning answers in prose, which no program reads.

Money, limits and the journal of answers are those of `judge`: what was answered once is never paid
for again. Without a judge, or where its answer cannot be read, a goal stays unclear.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.cost.prices import money
from agentdyno_bench.shared.judges.asking import Ask
from agentdyno_bench.shared.judges.clients import Reachable
from agentdyno_bench.shared.judges.journal import Journal
from agentdyno_bench.shared.judges.parsing import Parsed
from agentdyno_bench.shared.judges.questions import Asking, JudgeReply, Question, Take
from agentdyno_bench.shared.judging import JudgeOptions
from agentdyno_bench.shared.verdicts.expected_cost import judge_price, refuse_unpriced
from agentdyno_bench.tps.outcomes import AttemptMarks
from agentdyno_bench.tps.outcomes.prose import Attempt, apply_verdicts, open_goals


class GoalJudge(Struct, frozen=True):
    """Who judges, and within which limits."""

    model: Ask
    answers: Path
    options: JudgeOptions = JudgeOptions()
    """Limits on asking, and prices."""

    def refuse_unknown_prices(self) -> None:
        """`InputError` when money is limited and the judge has no price."""
        name = self.model.name
        has_price = judge_price(name, self.options.prices) is not None
        refuse_unpriced([] if has_price else [name], self.options.ask.max_usd)

    def decide(self, attempts: Sequence[Attempt]) -> list[AttemptMarks]:
        """The marks of each attempt, its unclear goals decided where the judge can tell."""
        queue = [
            Question(self.model, goal.prompt, about=(number, goal.goal_id))
            for number, attempt in enumerate(attempts)
            for goal in open_goals(attempt)
        ]
        verdicts: list[dict[str, Parsed]] = [{} for _ in attempts]

        def take(item: Question, answer: JudgeReply | None) -> None:
            number, goal_id = item.about
            if answer is not None:
                verdicts[number][goal_id] = answer.parsed

        if queue:
            with Journal(self.answers) as journal:
                if isinstance(self.model, Reachable) and not all(journal.get(q.key) for q in queue):
                    self.model.require_reachable()
                asyncio.run(self._ask(Asking(journal, self.options.ask, self._cost), queue, take))
        return [
            apply_verdicts(marked.marks, decided)
            for marked, decided in zip(attempts, verdicts, strict=True)
        ]

    async def _ask(self, asking: Asking, questions: list[Question], take: Take) -> None:
        try:
            await asking.run(questions, take)
        finally:
            await self.model.close()

    def _cost(self, model: str, tokens_in: int, tokens_out: int) -> float | None:
        return money(judge_price(model, self.options.prices), tokens_in, None, None, tokens_out)
