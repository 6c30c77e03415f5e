"""Documents: folders with texts and tables, to be read, added up, written and shared."""

from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Limit, Query, note
from agentdyno_bench.tps.world.kit.chance import chance, reference
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.letters import Amounts, Dates, Ids, Names, join_facts
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

FileId = Annotated[str, note("Id of a file, for example 'D-7K2M9P'.")]
Column = Annotated[str, note("Name of a column.")]


class Documents(Server):
    """The document store."""

    name = "documents"
    title = "Folio"
    version = "1.14.0"
    about = "Stores, reads, adds up and shares documents and tables."

    @tool(latency=0.4)
    def list_folder(self, folder: Annotated[str, note("finance, projects, home, people")]) -> Row:
        """Files of a folder: title and kind, without content."""
        rows = [_head(f) for f in self.state["files"].values() if f["folder"] == folder]
        if not rows:
            raise not_found("folder", folder)
        return {"folder": folder, "files": rows}

    @tool(latency=0.6)
    def search_files(self, query: Query, limit: Limit = 10) -> Row:
        """Files whose title or text holds all the words."""
        words = query.casefold().split()
        rows = [
            _head(f)
            for f in self.state["files"].values()
            if all(w in f"{f['title']} {f.get('text', '')}".casefold() for w in words)
        ]
        return {"query": query, "files": rows[:limit]}

    @tool(latency=0.4)
    def read_file(self, file_id: FileId) -> Row:
        """A file in full: its text or all rows of its table."""
        return self.row("files", file_id, "file")

    @tool(latency=0.5)
    def column_total(self, file_id: FileId, column: Column) -> Row:
        """Sum, mean and largest entry of one column of a table."""
        rows = self._table(file_id, column)
        values = [float(r[column]) for r in rows]
        top = max(rows, key=lambda r: float(r[column]))
        return {
            "file_id": file_id,
            "column": column,
            "total": round(sum(values), 2),
            "mean": round(sum(values) / len(values), 2),
            "largest_item": top["item"],
        }

    @tool(latency=0.5)
    def filter_rows(
        self, file_id: FileId, column: Column, minimum: Annotated[float, note("At least this.")]
    ) -> Row:
        """Rows of a table whose value in a column is large enough."""
        rows = [r for r in self._table(file_id, column) if float(r[column]) >= minimum]
        return {"file_id": file_id, "column": column, "rows": rows}

    @tool(latency=0.3)
    def word_count(self, file_id: FileId) -> Row:
        """Words and characters of a text document."""
        text = self.row("files", file_id, "file").get("text")
        if text is None:
            raise ServiceError("invalid_argument", f"{file_id} is a table.")
        return {"file_id": file_id, "words": len(text.split()), "characters": len(text)}

    @tool(latency=0.8, writes=True)
    def create_document(
        self,
        title: Annotated[str, note("Title of the new document.")],
        text: Annotated[str, note("What stands in it.")],
        folder: Annotated[str, note("Where it goes.")] = "projects",
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Write a new text document. What it is to give its reader goes into the fields as well as
        into the text."""
        if any(f["title"] == title for f in self.state["files"].values()):
            raise conflict(f"A document called '{title}' exists already.")
        file_id = self.new_id("D", title.casefold())
        row = {"file_id": file_id, "title": title, "folder": folder, "kind": "text", "text": text,
               "facts": join_facts(amounts, dates, names, ids), "shared_with": []}  # fmt: skip
        return _head(self.keep("files", file_id, row))

    @tool(latency=0.6, writes=True)
    def append_text(
        self,
        file_id: FileId,
        text: Annotated[str, note("What to add.")],
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Add a paragraph to the end of a text document. What it is to give its reader goes into
        the fields as well as into the text."""
        row = self.row("files", file_id, "file")
        if "text" not in row:
            raise ServiceError("invalid_argument", f"{file_id} is a table.")
        facts = join_facts(amounts, dates, names, ids, row.get("facts"))
        longer = {**row, "text": f"{row['text']}\n{text}", "facts": facts}
        return _head(self.keep("files", file_id, longer))

    @tool(latency=0.6, writes=True)
    def share_file(
        self, file_id: FileId, email: Annotated[str, note("Address of the reader.")]
    ) -> Row:
        """Let somebody read a file."""
        row = self.row("files", file_id, "file")
        if "@" not in email:
            raise ServiceError("invalid_argument", f"'{email}' is no e-mail address.")
        if email in row["shared_with"]:
            raise conflict(f"{file_id} is already shared with {email}.")
        shared = {**row, "shared_with": [*row["shared_with"], email]}
        return _head(self.keep("files", file_id, shared))

    @tool(latency=0.4, writes=True, destructive=True)
    def delete_file(self, file_id: FileId) -> Row:
        """Delete a file for good."""
        row = self.row("files", file_id, "file")
        del self.state["files"][file_id]
        return {"deleted": file_id, "title": row["title"]}

    @tool(latency=0.5)
    def list_files(self) -> Row:
        """Every file of every folder: title and kind, without content."""
        return {"files": [_head(f) for f in self.state["files"].values()]}

    @tool(latency=0.5)
    def table_rows(self, file_id: FileId) -> Row:
        """All rows of a table, and the total of every column of figures."""
        rows = self.row("files", file_id, "file").get("rows")
        if rows is None:
            raise ServiceError("invalid_argument", f"{file_id} is a text.")
        columns = [c for c in rows[0] if c != "item"]
        totals = {c: round(sum(float(r[c]) for r in rows), 2) for c in columns}
        return {"file_id": file_id, "rows": rows, "totals": totals}

    @tool(latency=0.3, writes=True)
    def move_file(self, file_id: FileId, folder: Annotated[str, note("Where to.")]) -> Row:
        """Put a file into another folder."""
        row = self.row("files", file_id, "file")
        return _head(self.keep("files", file_id, {**row, "folder": folder}))

    def first_state(self) -> dict[str, dict[str, Row]]:
        """The texts and tables of the bundled data, tables with seeded figures."""
        rows: dict[str, Row] = {}
        for title, folder, text in load("documents")["texts"]:
            file_id = reference("D", self.seed, title)
            rows[file_id] = {"file_id": file_id, "title": title, "folder": folder, "kind": "text",
                             "text": text, "shared_with": []}  # fmt: skip
        for title, folder, columns, items in load("documents")["tables"]:
            file_id, rng = reference("D", self.seed, title), chance(self.seed, "table", title)
            table = []
            for item in items:
                planned = rng.randint(12, 240) * 10
                spent = round(planned * rng.uniform(0.4, 1.3), 2)
                table.append(dict(zip(columns, (item, planned, spent), strict=True)))
            rows[file_id] = {"file_id": file_id, "title": title, "folder": folder, "kind": "table",
                             "rows": table, "shared_with": []}  # fmt: skip
        return {"files": rows}

    def _table(self, file_id: str, column: str) -> list[Row]:
        rows: list[Row] = self.row("files", file_id, "file").get("rows", [])
        if not rows or column not in rows[0] or column == "item":
            raise not_found("column of figures", column)
        return rows


def _head(file: Row) -> Row:
    return {key: value for key, value in file.items() if key not in ("text", "rows")}
