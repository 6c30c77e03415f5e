"""How a hard task ends: something that needs the outcome of everything before."""

from collections.abc import Callable

from agentdyno_bench.tps.tasks.draft import Draft, Ref
from agentdyno_bench.tps.tasks.scenes import chance

Closing = Callable[[Draft, list[Ref]], None]


def report(d: Draft, outcomes: list[Ref]) -> None:
    who = chance.person(d)
    name = chance.title(d, "Week in brief", "All settled", "Handover", "Summary for later")
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    document = d.do(
        f"write '{name}'",
        "documents_create_document",
        {"title": name, "text": _join(outcomes)},
        leaves="files",
        same=("title",),
        holds={"text": outcomes},
    )
    email = contact.row("contacts", "email", "only")
    d.do(
        f"share '{name}' with {who}",
        "documents_share_file",
        {"file_id": document.at("file_id"), "email": email},
        leaves="files",
        same=("title",),
        holds={"shared_with": [email]},
    )
    d.do(
        f"tell {who} about it",
        "mail_send_mail",
        {
            "to": email,
            "subject": name,
            "text": {"$text": "It is in {0}.", "of": [document.at("file_id")]},
        },
        leaves="sent",
        same=("to",),
        holds={"text": [document.at("file_id")]},
    )
    d.say(
        f"When everything is settled, write it up in a document “{name}” ({{outcomes}}), let {who} "
        f"read it, and send {who} a message with the document's id.",
        f"Finally {who} should be able to read a document “{name}” that holds {{outcomes}}, and "
        "get a message from me that gives its id.",
    )


def letter(d: Draft, outcomes: list[Ref]) -> None:
    who = chance.person(d)
    contact = d.do(f"find {who}", "mail_find_contact", {"name": who})
    d.do(
        f"write to {who}",
        "mail_send_mail",
        {
            "to": contact.row("contacts", "email", "only"),
            "subject": "Summary",
            "text": _join(outcomes),
        },
        leaves="sent",
        same=("to",),
        holds={"text": outcomes},
    )
    d.say(
        f"Once that is done, send {who} a message with {{outcomes}}.",
        f"{who} wants to hear how it went: mail them {{outcomes}}.",
    )


def jotting(d: Draft, outcomes: list[Ref]) -> None:
    name = chance.title(d, "Done this week", "Figures to keep", "Loose ends", "Outcome")
    d.do(
        f"write the note '{name}'",
        "notes_create_note",
        {"title": name, "text": _join(outcomes)},
        leaves="notes",
        same=("title",),
        holds={"text": outcomes},
    )
    d.say(
        f"Keep {{outcomes}} in a note called “{name}”.",
        f"At the end I want a note “{name}” with {{outcomes}} in it.",
    )


def _join(outcomes: list[Ref]) -> Ref:
    places = "; ".join(f"{{{number}}}" for number in range(len(outcomes)))
    return {"$text": f"Outcome: {places}", "of": outcomes}


CLOSINGS: dict[str, Closing] = {"report": report, "letter": letter, "jotting": jotting}

OUTCOMES = {
    "trip": ("the cost of the stay in euros", "the cost of each stay in euros"),
    "dinner": ("the restaurant's name", "the name of each restaurant"),
    "shares": ("the headline", "each of the headlines"),
    "outing": ("the name of the place on my map", "the names of the places on my map"),
    "cinema": ("what the tickets cost", "what the tickets cost each evening"),
    "gift": ("what the present cost", "what each present cost"),
    "budget": ("the converted amount spent", "the converted amount spent of each sheet"),
    "invoice": ("the converted invoice amount", "the converted amount of each invoice"),
    "memo": ("the id of the document with the dates", "the ids of the documents with the dates"),
    "bills": ("the amount of the bill", "the amounts of the bills"),
    "playlist": ("the playlist's id", "the ids of the playlists"),
    "drop_in": ("my landing time", "each of my landing times"),
    "escape": ("the fare", "each of the fares"),
    "dry_day": ("the restaurant for the dry day", "the restaurants for the dry days"),
    "overspent": ("the id of the overspent sheet", "the ids of the overspent sheets"),
    "call_abroad": ("the local time of the call", "the local time of each call"),
}
"""Chain -> what its outcome is called in the last sentence, once or several times."""


def outcome_words(chains: list[str]) -> str:
    """What the last sentence calls the outcomes of these chains."""
    words = [OUTCOMES[c][chains.count(c) > 1] for c in dict.fromkeys(chains)]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
