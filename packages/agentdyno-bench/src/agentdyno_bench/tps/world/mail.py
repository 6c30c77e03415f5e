"""Mail: an inbox with messages that hold figures and dates, contacts, and an outbox."""

from datetime import timedelta
from functools import cache
from typing import Annotated

from agentdyno_bench.tps.world.kit.arguments import Limit, Query, note
from agentdyno_bench.tps.world.kit.chance import chance, reference
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.letters import Amounts, Dates, Ids, Names, join_facts
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

MessageId = Annotated[str, note("Id of a message, for example 'M-7K2M9P'.")]
Address = Annotated[str, note("E-mail address.")]
OWN = "robin.vale@mail.example"


class Mail(Server):
    """The mailbox."""

    name = "mail"
    title = "Postbox"
    version = "2.6.3"
    about = "Reads, sends and files e-mail, and knows the contacts."

    @tool(latency=0.5)
    def list_inbox(self, limit: Limit = 20) -> Row:
        """Newest messages of the inbox: sender, subject, date, without text."""
        rows = [_head(m) for m in self._folder("inbox")]
        return {"folder": "inbox", "messages": rows[:limit]}

    @tool(latency=0.7)
    def search_mail(self, query: Query, limit: Limit = 10) -> Row:
        """Messages whose sender, subject or text holds all the words."""
        words = query.casefold().split()
        rows = [
            _head(m)
            for m in [*self._folder("inbox"), *self._folder("archive")]
            if all(w in f"{m['sender']} {m['subject']} {m['text']}".casefold() for w in words)
        ]
        return {"query": query, "messages": rows[:limit]}

    @tool(latency=0.3)
    def read_message(self, message_id: MessageId) -> Row:
        """A message in full."""
        return self.row("messages", message_id, "message")

    @tool(latency=0.9, writes=True, quota=(20, 40), destructive=True)
    def send_mail(
        self,
        to: Address,
        subject: Annotated[str, note("Subject line.")],
        text: Annotated[str, note("What to say.")],
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Write to somebody. Only addresses that exist are accepted. What the message is to give
        its reader goes into the fields as well as into the text."""
        return self._send(to, subject, text, join_facts(amounts, dates, names, ids))

    def _send(self, to: str, subject: str, text: str, facts: Row) -> Row:
        self._check_address(to)
        message_id = self.new_id("M", to, subject, text, len(self.state["sent"]))
        row = {"message_id": message_id, "to": to, "subject": subject, "text": text,
               "facts": facts, "sender": OWN, "folder": "sent"}  # fmt: skip
        return self.keep("sent", message_id, row)

    @tool(latency=0.8, writes=True, destructive=True)
    def reply(
        self,
        message_id: MessageId,
        text: Annotated[str, note("What to answer.")],
        amounts: Amounts = (),
        dates: Dates = (),
        names: Names = (),
        ids: Ids = (),
    ) -> Row:
        """Answer a message. What the answer is to give its reader goes into the fields as well as
        into the text."""
        first = self.row("messages", message_id, "message")
        facts = join_facts(amounts, dates, names, ids)
        return self._send(first["from_address"], f"Re: {first['subject']}", text, facts)

    @tool(latency=0.8, writes=True, destructive=True)
    def forward(self, message_id: MessageId, to: Address) -> Row:
        """Pass a message on to somebody else, with all that it gives."""
        first = self.row("messages", message_id, "message")
        facts = self.row("contents", message_id, "message")
        return self._send(to, f"Fwd: {first['subject']}", first["text"], facts)

    @tool(latency=0.3, writes=True)
    def archive_message(self, message_id: MessageId) -> Row:
        """Move a message out of the inbox into the archive."""
        row = self.row("messages", message_id, "message")
        if row["folder"] == "archive":
            raise conflict(f"{message_id} is already archived.")
        return _head(self.keep("messages", message_id, {**row, "folder": "archive"}))

    @tool(latency=0.3, writes=True)
    def label_message(self, message_id: MessageId, label: Annotated[str, note("One word.")]) -> Row:
        """Put a label on a message."""
        row = self.row("messages", message_id, "message")
        return _head(self.keep("messages", message_id, {**row, "label": label}))

    @tool(latency=0.3, writes=True, destructive=True)
    def delete_message(self, message_id: MessageId) -> Row:
        """Delete a message for good."""
        row = self.row("messages", message_id, "message")
        del self.state["messages"][message_id]
        return {"deleted": message_id, "subject": row["subject"]}

    @tool(latency=0.4)
    def messages_from(self, email: Address) -> Row:
        """Messages that one address sent, newest first, without text."""
        both = [*self._folder("inbox"), *self._folder("archive")]
        rows = [_head(m) for m in both if m["from_address"] == email]
        return {"email": email, "messages": rows}

    @tool(latency=0.3)
    def contacts_in(self, city: Annotated[str, note("City name in English.")]) -> Row:
        """People in the address book who live in a city."""
        matches = [p for p in _people() if p["city"].casefold() == city.casefold()]
        if not matches:
            raise not_found("contact in", city)
        return {"city": city, "contacts": matches}

    @tool(latency=0.5)
    def list_contacts(self) -> Row:
        """The whole address book: name, address, employer and city."""
        return {"contacts": _people()}

    @tool(latency=0.3)
    def find_contact(self, name: Annotated[str, note("Name or part of it.")]) -> Row:
        """Address, employer and city of a person in the address book."""
        matches = [p for p in _people() if name.casefold() in p["name"].casefold()]
        if not matches:
            raise not_found("contact", name)
        return {"contacts": matches}

    @tool(latency=0.4)
    def contacts_at(self, company: Annotated[str, note("Name of the company.")]) -> Row:
        """People in the address book who work at a company."""
        matches = [p for p in _people() if company.casefold() in p["company"].casefold()]
        if not matches:
            raise not_found("company among the contacts", company)
        return {"company": company, "contacts": matches}

    @tool(latency=0.2)
    def sent_messages(self) -> Row:
        """What was sent from this mailbox."""
        return {"messages": list(self.state["sent"].values())}

    def first_state(self) -> dict[str, dict[str, Row]]:
        """Two messages from most people, the newest of this morning, and what each gives."""
        rng, topics, rows = chance(self.seed, "inbox"), load("mail")["topics"], {}
        contents: dict[str, Row] = {}
        for person in _people():
            for subject, text in rng.sample(topics, 2):
                received = TODAY - timedelta(days=rng.randint(0, 20))
                message_id = reference("M", self.seed, person["email"], subject)
                due = TODAY + timedelta(days=rng.randint(9, 40))
                amount, date = rng.randint(80, 4800), due.isoformat()
                code = reference("X", self.seed, message_id)[2:]
                filled = text.format(amount=amount, date=date, code=code)
                contents[message_id] = join_facts(
                    [amount] * ("{amount}" in text),
                    [date] * ("{date}" in text),
                    [],
                    [code] * ("{code}" in text),
                )
                rows[message_id] = {
                    "message_id": message_id,
                    "sender": person["name"],
                    "from_address": person["email"],
                    "subject": f"{person['company']}: {subject}",
                    "received": received.isoformat(),
                    "text": f"Dear Robin,\n\n{filled}\n\nBest regards,\n{person['name']}",
                    "folder": "inbox",
                    "label": None,
                }
        return {"messages": rows, "sent": {}, "contents": contents}

    def _folder(self, folder: str) -> list[Row]:
        rows = [m for m in self.state["messages"].values() if m["folder"] == folder]
        return sorted(rows, key=lambda m: (m["received"], m["message_id"]), reverse=True)

    def _check_address(self, address: str) -> None:
        if address != OWN and address not in {p["email"] for p in _people()}:
            if "@" not in address:
                raise ServiceError("invalid_argument", f"'{address}' is no e-mail address.")
            raise not_found("mailbox", address, "The address book has the right ones.")


@cache
def _people() -> list[Row]:
    return [
        {"name": name, "email": f"{name.casefold().replace(' ', '.')}@{_domain(company)}",
         "company": company, "city": city}
        for name, company, city in load("mail")["people"]
    ]  # fmt: skip


def _domain(company: str) -> str:
    return f"{company.split()[0].casefold()}.example"


def _head(message: Row) -> Row:
    return {key: value for key, value in message.items() if key != "text"}
