"""Tasks and notes: to-do lists with due dates, and short notes."""

from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Day, Query, note
from agentdyno_bench.tps.world.kit.chance import reference
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY, day
from agentdyno_bench.tps.world.kit.errors import conflict, not_found
from agentdyno_bench.tps.world.kit.letters import Amounts, Dates, Ids, Names, join_facts
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

TaskId = Annotated[str, note("Id of a task, for example 'T-7K2M9P'.")]
NoteId = Annotated[str, note("Id of a note, for example 'N-7K2M9P'.")]
ListName = Annotated[str, note("personal, work, home or one of your own.")]


class Notes(Server):
    """The notebook."""

    name = "notes"
    title = "Jotter"
    version = "0.7.9"
    about = "To-do lists, reminders without a time, and notes."

    @tool(latency=0.3)
    def list_tasks(self, list_name: ListName) -> Row:
        """Open tasks of a list, soonest due first."""
        rows = [t for t in self._open() if t["list_name"] == list_name]
        if not rows:
            raise not_found("list with open tasks", list_name)
        return {"list_name": list_name, "tasks": rows}

    @tool(latency=0.3)
    def tasks_due(self, until: Day) -> Row:
        """Open tasks of all lists that are due by a date, overdue ones included."""
        last = day(until, None).isoformat()
        return {"until": last, "tasks": [t for t in self._open() if t["due"] and t["due"] <= last]}

    @tool(latency=0.4, writes=True)
    def add_task(
        self,
        title: Annotated[str, note("What is to be done.")],
        due: Annotated[str | None, note("Date as YYYY-MM-DD.")] = None,
        list_name: ListName = "personal",
    ) -> Row:
        """Put a new task on a list."""
        when = None if due is None else day(due).isoformat()
        task_id = self.new_id("T", title, when, list_name)
        if self.state["tasks"].get(task_id, {}).get("status") == "open":
            raise conflict(f"The same task is already on the list ({task_id}).")
        row = {"task_id": task_id, "title": title, "due": when, "list_name": list_name,
               "status": "open"}  # fmt: skip
        return self.keep("tasks", task_id, row)

    @tool(latency=0.3, writes=True)
    def complete_task(self, task_id: TaskId) -> Row:
        """Tick a task off."""
        row = self.row("tasks", task_id, "task")
        if row["status"] != "open":
            raise conflict(f"{task_id} is already done.")
        return self.keep("tasks", task_id, {**row, "status": "done"})

    @tool(latency=0.3, writes=True)
    def postpone_task(self, task_id: TaskId, due: Day) -> Row:
        """Give a task another due date."""
        row = self.row("tasks", task_id, "task")
        return self.keep("tasks", task_id, {**row, "due": day(due).isoformat()})

    @tool(latency=0.3, writes=True, destructive=True)
    def delete_task(self, task_id: TaskId) -> Row:
        """Take a task off its list for good."""
        row = self.row("tasks", task_id, "task")
        del self.state["tasks"][task_id]
        return {"deleted": task_id, "title": row["title"]}

    @tool(latency=0.3)
    def find_tasks(self, title: Annotated[str, note("Part of the title.")]) -> Row:
        """Open tasks of any list whose title contains some words."""
        rows = [t for t in self._open() if title.casefold() in t["title"].casefold()]
        return {"title": title, "tasks": rows}

    @tool(latency=0.2)
    def overdue_tasks(self) -> Row:
        """Open tasks whose date has passed."""
        today = TODAY.isoformat()
        return {"tasks": [t for t in self._open() if t["due"] and t["due"] < today]}

    @tool(latency=0.4)
    def search_notes(self, query: Query) -> Row:
        """Notes whose title or text holds all the words; titles only, without text."""
        words = query.casefold().split()
        rows = [
            {"note_id": n["note_id"], "title": n["title"]}
            for n in self.state["notes"].values()
            if all(w in f"{n['title']} {n['text']}".casefold() for w in words)
        ]
        return {"query": query, "notes": rows}

    @tool(latency=0.2)
    def read_note(self, note_id: NoteId) -> Row:
        """A note in full."""
        return self.row("notes", note_id, "note")

    @tool(latency=0.4, writes=True)
    def create_note(
        self,
        title: Annotated[str, note("Title of the note.")],
        text: Annotated[str, note("What to remember.")],
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Write a short note. What it is to keep goes into the fields as well as into the text."""
        if any(n["title"] == title for n in self.state["notes"].values()):
            raise conflict(f"A note called '{title}' exists already.")
        note_id = self.new_id("N", title)
        row = {"note_id": note_id, "title": title, "text": text,
               "facts": join_facts(amounts, dates, names, ids)}  # fmt: skip
        return self.keep("notes", note_id, row)

    @tool(latency=0.4, writes=True)
    def append_note(
        self,
        note_id: NoteId,
        text: Annotated[str, note("What to add.")],
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Add a line to a note. What it is to keep goes into the fields as well as into the
        text."""
        row = self.row("notes", note_id, "note")
        facts = join_facts(amounts, dates, names, ids, row.get("facts"))
        return self.keep(
            "notes", note_id, {**row, "text": f"{row['text']}\n{text}", "facts": facts}
        )

    @tool(latency=0.2)
    def list_notes(self) -> Row:
        """Titles of all notes."""
        rows = self.state["notes"].values()
        return {"notes": [{"note_id": n["note_id"], "title": n["title"]} for n in rows]}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """The tasks and notes of the bundled data."""
        data, tasks, notes = load("notes"), {}, {}
        for title, name, due in data["tasks"]:
            task_id = reference("T", self.seed, title)
            tasks[task_id] = {"task_id": task_id, "title": title, "due": due, "list_name": name,
                              "status": "open"}  # fmt: skip
        for title, text in data["notes"]:
            note_id = reference("N", self.seed, title)
            notes[note_id] = {"note_id": note_id, "title": title, "text": text}
        return {"tasks": tasks, "notes": notes}

    def _open(self) -> list[Row]:
        rows = [t for t in self.state["tasks"].values() if t["status"] == "open"]
        return sorted(rows, key=lambda t: (t["due"] or "9999", t["task_id"]))
