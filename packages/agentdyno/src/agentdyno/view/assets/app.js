/* Which view stands in the address, the theme, keys, and whether the ledger has changed. */
import { ask, h, link } from "./dom.js";
import { openDifference } from "./difference.js";
import { openFirst } from "./first.js";
import { openFindings } from "./findings.js";
import { openLevers } from "./levers.js";
import { openSession } from "./session.js";
import { openSessions } from "./sessions.js";
import { openSpent } from "./spent.js";

const VIEWS = {
  first: ["Today", openFirst],
  sessions: ["Sessions", openSessions],
  session: [null, openSession],
  spent: ["Files and commands", openSpent],
  levers: ["What to change", openLevers],
  difference: ["Difference", openDifference],
  findings: ["Findings", openFindings],
};
const SECONDS_BETWEEN_LOOKS = 3;
const main = document.getElementById("main");
const live = document.getElementById("live");

/* The address ------------------------------------------------------------- */
const read = () => {
  const [path, words] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: VIEWS[path] ? path : "first", asked: Object.fromEntries(new URLSearchParams(words || "")) };
};
let current = { view: null, update: null, stop: null };

const show = async (isLive = false) => {
  const { view, asked } = read();
  for (const each of document.querySelectorAll("#views a"))
    each.toggleAttribute("aria-current", each.dataset.view === view);
  if (current.view === view && current.update) return current.update(asked, isLive);
  current.stop?.abort();
  const stop = new AbortController();
  current = { view, update: null, stop };
  main.replaceChildren(h("p", { class: "note" }, "Loading…"));
  window.scrollTo(0, 0);
  try {
    const update = await VIEWS[view][1](main, asked, stop.signal);
    if (!stop.signal.aborted) current.update = update;
  } catch (error) {
    if (!stop.signal.aborted) main.replaceChildren(h("p", { class: "problem", role: "alert" }, error.message));
  }
};

/* A page that is not open yet has nothing to lose: it is drawn anew. */
const showSafely = (isLive) => Promise.resolve(show(isLive)).catch((error) => {
  if (error.name !== "AbortError") main.prepend(h("p", { class: "problem", role: "alert" }, error.message));
});

/* The theme --------------------------------------------------------------- */
const dark = matchMedia("(prefers-color-scheme: dark)");
const themeButton = document.getElementById("theme");
const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => {
  themeButton.textContent = isDark() ? "Light" : "Dark";
  themeButton.setAttribute("aria-pressed", String(isDark()));
};
themeButton.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
  nameTheme();
});
dark.addEventListener("change", nameTheme);
const remembered = localStorage.getItem("theme");
if (remembered === "dark" || remembered === "light") document.documentElement.dataset.theme = remembered;

/* Keys -------------------------------------------------------------------- */
const KEYS = [
  ["/", "search"], ["j  k", "next, previous row or turn"], ["Enter", "open"], ["1 … 6", "the views"],
  ["Backspace", "back"], ["?", "these keys"],
];
const dialog = document.getElementById("keys");
dialog.append(
  h("h2", null, "Keys"),
  h("dl", null, KEYS.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)])),
  h("form", { method: "dialog" }, h("button", { class: "more" }, "Close")),
);
const move = (step) => {
  const stops = [...main.querySelectorAll("[data-stop]")].filter((each) => each.offsetParent);
  const place = stops.indexOf(document.activeElement?.closest("[data-stop]"));
  const top = stops.findIndex((each) => each.getBoundingClientRect().top >= 0);
  const next = place >= 0 ? place + step : Math.max(top, 0);
  stops[Math.min(Math.max(next, 0), stops.length - 1)]?.focus();
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input,select,textarea,dialog")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const named = Object.entries(VIEWS).filter(([, [title]]) => title);
  const search = document.getElementById("search");
  if (event.key === "/" && search) search.focus();
  else if (event.key === "/") location.hash = "#/sessions";
  else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "?") dialog.showModal();
  else if (event.key === "Backspace") history.back();
  else if (named[event.key - 1]) location.hash = "#/" + named[event.key - 1][0];
  else return;
  event.preventDefault();
});
document.getElementById("skip").addEventListener("click", () => main.focus());

/* Live -------------------------------------------------------------------- */
let generation = null;
const look = async () => {
  if (document.hidden) return;
  try {
    const state = await ask("state");
    if (generation !== null && state.generation !== generation) {
      live.textContent = "updated " + new Date().toTimeString().slice(0, 8);
      await showSafely(true);
    }
    generation = state.generation;
    live.classList.remove("problem");
  } catch {
    live.textContent = "the server has ended";
    live.classList.add("problem");
  }
};

document.getElementById("views").append(
  ...Object.entries(VIEWS).filter(([, [title]]) => title).map(([view, [title]]) => {
    const entry = link(view, {}, title);
    entry.dataset.view = view;
    return entry;
  }),
  h("a", { href: "/report" }, "Report"),
);
nameTheme();
addEventListener("hashchange", () => showSafely());
showSafely();
look();
setInterval(look, SECONDS_BETWEEN_LOOKS * 1000);
