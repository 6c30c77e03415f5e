"""`agentdyno about formats`: what can be read, and how to add to it."""

from agentdyno.cli import options as opt

UNSEEN = "No real file was to be had: the reader follows the source or documentation alone."


def command(
    json: opt.Json = False,
) -> int:
    """List the trace formats that can be read, and what each of them lacks."""
    from rich.padding import Padding

    from agentdyno.cli.output import console, print_json, print_refused
    from agentdyno.intake.format import GROUP, Format
    from agentdyno.plugins import load_plugins

    formats, refused = load_plugins(GROUP, Format)
    if json:
        listed = [
            {
                "name": f.name,
                "title": f.title,
                "has_real_file": f.has_real_file,
                "description": f.description,
            }
            for f in formats.values()
        ]
        print_json({"formats": listed, "refused": refused})
        return 0
    out = console()
    for format in formats.values():
        out.print(f"{format.name:20} {format.title}")
        notes = [] if format.has_real_file else [UNSEEN]
        if text := " ".join([*notes, format.description]).strip():
            out.print(Padding(text, (0, 0, 0, 21)))
    out.print(f"\nAdd your own: a package with an entry point in the group {GROUP!r} that names")
    out.print("an agentdyno.intake.format.Format. See docs/guides/add-a-format.md.")
    print_refused(refused)
    return 0
