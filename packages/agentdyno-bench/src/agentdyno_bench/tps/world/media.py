"""Media: films and showtimes, albums and playlists, podcasts, books."""

from datetime import timedelta
from typing import Annotated

from agentdyno_bench.tps.world.finance import bank
from agentdyno_bench.tps.world.kit.arguments import City, Day, Query, note
from agentdyno_bench.tps.world.kit.chance import chance, share
from agentdyno_bench.tps.world.kit.cities import city_facts
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.dates import TODAY, day
from agentdyno_bench.tps.world.kit.errors import ServiceError, conflict, not_found
from agentdyno_bench.tps.world.kit.server import Row, Server
from agentdyno_bench.tps.world.kit.tool import tool

Film = Annotated[str, note("Title of a film.")]
TIMES = ["15:30", "17:45", "19:20", "20:10", "21:40"]
Genre = Annotated[str, note("One genre.")]


class Media(Server):
    """The media guide."""

    name = "media"
    title = "Matinee"
    version = "2.2.2"
    about = "Films, cinema seats, music, playlists, podcasts and books."

    @tool(latency=0.6)
    def search_films(self, genre: Genre) -> Row:
        """Films of a genre with year, length and audience score."""
        films = [self._film(f[0]) for f in load("media")["films"] if f[1] == genre]
        if not films:
            raise not_found("genre of films", genre)
        return {"genre": genre, "films": films}

    @tool(latency=0.4)
    def film_details(self, film: Film) -> Row:
        """Director, cast size, length and scores of a film."""
        rng = chance(self.seed, "film details", film.casefold())
        return {
            **self._film(film),
            "director": rng.choice(["L. Haas", "M. Okoye", "R. Castell", "Y. Ito"]),
            "critics_percent": rng.randint(38, 98),
            "age_rating": rng.choice([0, 6, 12, 16]),
            "languages": rng.sample(["English", "French", "German", "Japanese", "Spanish"], 2),
        }

    @tool(latency=0.8)
    def showtimes(self, film: Film, city: City, date: Day) -> Row:
        """When and where a film is shown in a city on a day, with ticket price in euros."""
        info, facts, when = self._film(film), city_facts(city), day(date)
        rng = chance(self.seed, "showtimes", info["title"], facts.name, when)
        shows = [
            {"show_id": f"{_slug(info['title'])}-{_slug(facts.name)}-{when:%m%d}-{n + 1}",
             "cinema": rng.choice(load("media")["cinemas"]),
             "starts": f"{when.isoformat()}T{time}",
             "price_eur": round(rng.uniform(7, 16), 2),
             "seats_left": rng.choice([0, 6, 20, 41])}
            for n, time in enumerate(sorted(rng.sample(TIMES, 3)))
        ]  # fmt: skip
        for show in shows:
            show["seats_left"] -= self._count_sold(show["show_id"])
        return {"film": info["title"], "city": facts.name, "shows": shows}

    @tool(latency=1.1, writes=True, destructive=True)
    def buy_tickets(
        self,
        film: Film,
        city: City,
        date: Day,
        show_id: Annotated[str, note("Id of a showing.")],
        seats: Annotated[int, note("1 to 10.")] = 1,
    ) -> Row:
        """Buy cinema tickets for a showing."""
        shows = {s["show_id"]: s for s in self.showtimes(film, city, date)["shows"]}
        if show_id not in shows:
            raise not_found("showing", show_id, "Ids come with the showtimes.")
        if not 1 <= seats <= 10:
            raise ServiceError("invalid_argument", "seats must be 1 to 10.")
        if shows[show_id]["seats_left"] < seats:
            raise ServiceError("sold_out", f"{show_id} has {shows[show_id]['seats_left']} seats.")
        ticket_id = self.new_id("CT", show_id, seats)
        if ticket_id in self.state["tickets"]:
            raise conflict(f"These tickets were bought before ({ticket_id}).")
        price = round(seats * shows[show_id]["price_eur"], 2)
        bank(self).charge(f"{seats} tickets for {film}", price, ticket_id)
        row = {"ticket_id": ticket_id, "film": film, "show_id": show_id, "seats": seats,
               "starts": shows[show_id]["starts"], "cinema": shows[show_id]["cinema"],
               "total_eur": price}  # fmt: skip
        return self.keep("tickets", ticket_id, row)

    @tool(latency=0.5)
    def search_albums(self, artist_or_genre: Annotated[str, note("Artist or genre.")]) -> Row:
        """Albums by an artist or of a genre."""
        sought = artist_or_genre.casefold()
        rows = [
            {"album": a, "artist": b, "genre": g, "year": y}
            for a, b, g, y in load("media")["albums"]
            if sought in (b.casefold(), g.casefold())
        ]
        if not rows:
            raise not_found("artist or genre", artist_or_genre)
        return {"albums": rows}

    @tool(latency=0.4)
    def album_tracks(self, album: Annotated[str, note("Title of an album.")]) -> Row:
        """Tracks of an album with their length in seconds."""
        by_title = {a[0].casefold(): a for a in load("media")["albums"]}
        if album.casefold() not in by_title:
            raise not_found("album", album)
        title, artist = by_title[album.casefold()][:2]
        rng = chance(self.seed, "tracks", title)
        tracks = [
            {"track": name, "seconds": rng.randint(130, 410)}
            for name in rng.sample(load("media")["words"], 6)
        ]
        return {"album": title, "artist": artist, "tracks": tracks}

    @tool(latency=0.5, writes=True)
    def create_playlist(
        self,
        name: Annotated[str, note("Name of the playlist.")],
        tracks: Annotated[list[str], note("Titles of tracks.")],
    ) -> Row:
        """Make a playlist of some tracks."""
        if not tracks:
            raise ServiceError("invalid_argument", "Give at least one track.")
        unknown = [t for t in tracks if t not in load("media")["words"]]
        if unknown:
            raise not_found("track", unknown[0])
        playlist_id = self.new_id("PL", name.casefold())
        if playlist_id in self.state["playlists"]:
            raise conflict(f"A playlist called '{name}' exists already.")
        row = {"playlist_id": playlist_id, "name": name, "tracks": tracks}
        return self.keep("playlists", playlist_id, row)

    @tool(latency=0.3)
    def list_playlists(self) -> Row:
        """Playlists of this account."""
        return {"playlists": list(self.state["playlists"].values())}

    @tool(latency=0.6)
    def search_podcasts(self, topic: Query) -> Row:
        """Podcasts about a topic."""
        sought = topic.casefold()
        rows = [
            {"podcast": n, "about": a, "topic": t}
            for n, a, t in load("media")["podcasts"]
            if sought in f"{n} {a} {t}".casefold()
        ]
        if not rows:
            raise not_found("podcast about", topic)
        return {"podcasts": rows}

    @tool(latency=0.5)
    def podcast_episodes(self, podcast: Annotated[str, note("Title of a podcast.")]) -> Row:
        """Latest episodes of a podcast with date and minutes."""
        by_title = {p[0].casefold(): p for p in load("media")["podcasts"]}
        if podcast.casefold() not in by_title:
            raise not_found("podcast", podcast)
        name = by_title[podcast.casefold()][0]
        rng, words = chance(self.seed, "episodes", name), load("media")["words"]
        episodes = [
            {"episode": 80 - n, "title": f"{rng.choice(words)} and {rng.choice(words)}",
             "date": (TODAY - timedelta(days=7 * n + 2)).isoformat(),
             "minutes": rng.randint(18, 71)}
            for n in range(5)
        ]  # fmt: skip
        return {"podcast": name, "episodes": episodes}

    @tool(latency=0.5)
    def book_details(self, book: Annotated[str, note("Title of a book.")]) -> Row:
        """Author, year, pages and reader score of a book."""
        by_title = {b[0].casefold(): b for b in load("media")["books"]}
        if book.casefold() not in by_title:
            raise not_found("book", book)
        title, author, year, pages = by_title[book.casefold()]
        score = round(3 + 1.9 * share(self.seed, "book", title), 2)
        return {"book": title, "author": author, "year": year, "pages": pages, "score": score}

    @tool(latency=0.6)
    def books_by(self, author: Annotated[str, note("Name of an author.")]) -> Row:
        """Books of an author."""
        rows = [b for b in load("media")["books"] if author.casefold() in b[1].casefold()]
        if not rows:
            raise not_found("author", author)
        return {"author": author, "books": [self.book_details(b[0]) for b in rows]}

    @tool(latency=0.2)
    def my_tickets(self) -> Row:
        """Cinema tickets of this account."""
        return {"tickets": list(self.state["tickets"].values())}

    @tool(latency=0.6)
    def compare_films(self, films: Annotated[list[str], note("Two to five titles.")]) -> Row:
        """Several films side by side, best audience score first."""
        if not 2 <= len(films) <= 5:
            raise ServiceError("invalid_argument", "Give two to five films.")
        rows = [self.film_details(film) for film in films]
        return {"films": sorted(rows, key=lambda r: -float(r["score"]))}

    def _count_sold(self, show_id: str) -> int:
        return sum(t["seats"] for t in self.state["tickets"].values() if t["show_id"] == show_id)

    def first_state(self) -> dict[str, dict[str, Row]]:
        """No tickets, no playlists."""
        return {"tickets": {}, "playlists": {}}

    def _film(self, title: str) -> Row:
        by_title = {f[0].casefold(): f for f in load("media")["films"]}
        if title.casefold() not in by_title:
            raise not_found("film", title)
        name, genre, year, minutes = by_title[title.casefold()]
        score = round(4 + 5.9 * share(self.seed, "film", name), 2)
        return {"title": name, "genre": genre, "year": year, "minutes": minutes, "score": score}


def _slug(text: str) -> str:
    return text.casefold().replace(" ", "_")
