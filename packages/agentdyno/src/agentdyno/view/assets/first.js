/* The first page: spending by day as bars, who spent it, the dearest sessions, what runs now and
   what to change. A day or a name that is pressed filters all of it. */
import { address, ask, bdi, h, link, put, svg } from "./dom.js";
import { amount, cost, count, NO_PRICE, percent, plural, UNITS, UNKNOWN } from "./format.js";
import { drawLevers } from "./levers.js";

const SPLITS = ["agent", "project", "model"];
const RANGES = [[30, "30 days"], [90, "90 days"], [365, "a year"], [0, "all"]];
const WIDE = 1000, HIGH = 190, MOST_LEVERS = 3, MOST_SPLIT = 8;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/* 2026-03-02 -> Mon 2 Mar 2026, without a clock that could move it. */
const date = (day) => new Date(day + "T00:00:00Z");
const longDay = (day) => date(day).toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const shortName = (by, label) => (label === null || label === undefined ? "not named" : by === "project" ? label.split(/[\\/]/).filter(Boolean).slice(-2).join("/") || label : label);

/* A round number at or above the largest bar, so that the axis reads well. */
const roundUp = (value) => {
  if (!(value > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * size).find((step) => step >= value);
};
const axisMoney = (value, unit) => (unit === "usd" ? "$" + (value >= 10 || Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(2)))) : amount(value, unit));

/* Where the axis says a date: the year where it changes, months or weeks between. */
const ticks = (days) => {
  const first = [0, ...days.keys()].slice(1), step = days.length > 400 ? 3 : 1;
  const months = first.filter((at) => days[at].day.endsWith("-01") && (Number(days[at].day.slice(5, 7)) - 1) % step === 0);
  const places = days.length > 62 ? months : first.filter((at) => date(days[at].day).getUTCDay() === 1);
  const kept = places.length > 1 ? places : [0, days.length - 1];
  let year = null;
  return kept.map((at) => {
    const [y, m, d] = days[at].day.split("-");
    const text = days.length > 62 ? MONTHS[m - 1] : `${Number(d)} ${MONTHS[m - 1]}`;
    const shown = y === year ? text : `${text} ${y}`;
    year = y;
    return { at, text: shown };
  });
};

const drawBars = (found, asked, choose) => {
  const { days, unit } = found, top = roundUp(Math.max(...days.map((each) => each.cost ?? 0)));
  const step = WIDE / days.length, gap = days.length > 120 ? 0 : Math.min(step * 0.25, 6);
  const y = (value) => HIGH - (value / top) * HIGH;
  const bars = days.map((each, at) => {
    let below = 0;
    const pieces = each.parts.map((value, place) => {
      if (!value) return null;
      const piece = svg("rect", { class: "split-" + (place < found.names.length ? place : "rest"), x: at * step + gap / 2, width: Math.max(step - gap, 0.5), y: y(below + value), height: (value / top) * HIGH });
      below += value;
      return piece;
    });
    const said = `${longDay(each.day)}: ${each.cost === null ? NO_PRICE : cost(each.cost, unit)}`;
    return svg("g", {
      class: "day" + (asked.day === each.day ? " chosen" : ""), role: "button", tabindex: "0", "aria-label": said, "aria-pressed": String(asked.day === each.day), dataset: { day: each.day },
      onclick: () => choose(each.day), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { choose(each.day); event.preventDefault(); event.stopPropagation(); } },
    }, svg("title", null, said), svg("rect", { class: "hold", x: at * step, width: step, y: 0, height: HIGH }), pieces);
  });
  const line = days.map((each, at) => `${at ? "L" : "M"}${((at + 0.5) * step).toFixed(1)} ${y(each.trend).toFixed(1)}`).join("");
  const marks = [top, top / 2].map((value) => h("span", { class: "tick", style: { top: `${(1 - value / top) * 100}%` } }, h("i", null, axisMoney(value, unit))));
  const below = ticks(days).map(({ at, text }) => h("span", { style: { left: `${((at + 0.5) / days.length) * 100}%` } }, text));
  return h("div", { class: "day-bars" },
    h("div", { class: "drawn" }, marks, svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "group", "aria-label": "Spending by day", class: asked.day ? "one-day" : null }, bars, svg("path", { class: "trend", d: line }))),
    h("div", { class: "dates" + (below.length > 3 ? " close" : "") }, below));
};

const drawSums = (found) => {
  const sums = found.sums;
  if (!sums) return null;
  const change = sums.week_before ? (sums.week - sums.week_before) / sums.week_before : null;
  const facts = [
    [sums.today, "today"],
    [sums.week, ["this week", change !== null && `, ${change >= 0 ? "+" : "−"}${Math.round(Math.abs(change) * 100)} % against the same days before`]],
    [sums.month, `in ${new Date(sums.day + "T00:00:00Z").toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })}`],
  ];
  return h("ul", { class: "figures-row sums" }, facts.map(([value, name]) => h("li", null, h("strong", null, cost(value, "usd")), h("span", null, name))));
};

const drawRunning = (found) => found.running.length > 0 && h("section", { class: "running", "aria-label": "Running now" },
  found.running.map((each) => h("p", null, h("span", { class: "pulse", "aria-hidden": "true" }), h("b", null, "Running now "), link("session", { id: each.id }, bdi(each.title || each.id)),
    h("span", { class: "where" }, `${cost(each.cost, found.unit)} so far, ${plural(each.turns, "turn")}, ${percent(each.hit_rate)} read from cache`))));

const drawSplit = (found, asked, change) => {
  const by = found.by, rows = found.splits[by], most = Math.max(...rows.map((row) => row.cost ?? 0), 0);
  const colour = (label) => { const at = found.names.indexOf(label); return "split-" + (at < 0 ? "rest" : at); };
  return h("section", { id: "split" }, h("h2", null, "Who spent it"),
    h("p", { class: "actions", role: "tablist" }, SPLITS.map((name) => h("a", { href: address("first", { ...asked, by: name }), role: "tab", "aria-selected": String(name === by), "aria-current": name === by || null }, name))),
    h("ol", { class: "split" }, rows.slice(0, MOST_SPLIT).map((row) => {
      const isChosen = asked[by] !== undefined && asked[by] === row.name;
      return h("li", { class: isChosen ? "chosen" : null }, h("button", { type: "button", "data-stop": true, title: row.label ?? "", "aria-pressed": String(isChosen), disabled: row.name === null, onclick: () => change({ [by]: isChosen ? null : row.name }) },
        h("span", { class: "swatch " + colour(row.label) }), bdi(shortName(by, row.label))),
      h("span", { class: "meter" }, h("i", { style: { width: `${most ? ((row.cost ?? 0) / most) * 100 : 0}%` } })), h("b", null, amount(row.cost, found.unit)), h("small", null, plural(row.sessions, "session")));
    })),
    rows.length > MOST_SPLIT && h("p", { class: "note" }, `${count(rows.length - MOST_SPLIT)} more: `, link("sessions", { group: by, sort: "cost" }, "all sessions by " + by)));
};

const drawDearest = (found, asked) => h("section", { id: "dearest" }, h("h2", null, "Dearest sessions"),
  h("ol", { class: "dearest" }, found.sessions.map((each) => h("li", null,
    h("a", { href: address("session", { id: each.id }), class: "title", "data-stop": true }, each.is_running && h("span", { class: "pulse", title: "running now" }), bdi(each.title || each.id)),
    h("b", null, amount(each.cost, found.unit)),
    h("small", null, bdi([shortName("project", each.project), each.model].filter(Boolean).join(" · ") || UNKNOWN), `, ${plural(each.turns, "turn")}`)))),
  found.sessions.length ? h("p", { class: "note" }, asked.day ? link("sessions", { day: asked.day, sort: "cost" }, "Sessions that began on this day") : link("sessions", { sort: "cost" }, "All sessions by cost")) : h("p", { class: "note" }, "No session in these days."));

export const openFirst = async (main, asked, signal) => {
  const advice = h("section", { id: "advice-first" }, h("h2", null, "What to change"), h("p", { class: "note" }, "Computing…"));
  const fillAdvice = async () => {
    try {
      const levers = await ask("levers", {}, signal);
      put(advice, h("h2", null, "What to change"), drawLevers({ ...levers, levers: levers.levers.slice(0, MOST_LEVERS) }), levers.levers.length > MOST_LEVERS && h("p", { class: "note" }, link("levers", {}, `${count(levers.levers.length - MOST_LEVERS)} more`)));
    } catch (error) {
      if (error.name !== "AbortError") put(advice, h("p", { class: "problem" }, error.message));
    }
  };
  const origins = h("section", { id: "origins" });
  const fillOrigins = async () => {
    const found = await ask("origins", {}, signal).catch(() => null);
    if (found?.rows.length) put(origins, h("h2", null, "Where it all went"), h("ol", { class: "split plain" }, found.rows.map((row) => h("li", null,
      row.kind ? link("spent", { kind: row.kind }, row.origin) : row.origin.startsWith("lost") ? link("sessions", { sort: "hit_rate", up: true }, row.origin) : h("span", null, row.origin), h("span", { class: "meter" }, h("i", { style: { width: `${(row.usd / found.rows[0].usd) * 100}%` } })), h("b", null, cost(row.usd, "usd")), h("small", null, percent(row.share))))));
  };
  const update = async (next) => {
    const found = await ask("first", next, signal);
    const change = (parts) => { location.hash = address("first", { ...next, ...parts }); };
    const held = document.activeElement?.dataset?.day;
    if (!found.days) {
      put(main, drawRunning(found), h("h1", null, "No dates"), h("p", { class: "lead" }, "These traces do not say when they were written. ", link("sessions", {}, "All sessions"), "."));
      return;
    }
    const filters = ["day", ...SPLITS].filter((name) => next[name] !== undefined);
    const whole = `${longDay(found.from)} to ${longDay(found.to)}`;
    put(main,
      drawRunning(found), drawSums(found),
      h("section", { id: "days" },
        h("h2", null, next.day ? longDay(next.day) : "Spending by day"),
        h("p", { class: "lead" }, h("b", null, cost(found.cost, found.unit)), ` ${next.day ? "on this day" : whole}`, filters.length > 0 && [" ", filters.filter((name) => name !== "day").map((name) => [bdi(shortName(name, next[name])), " "]), h("button", { type: "button", class: "more", id: "clear", onclick: () => change({ day: null, agent: null, project: null, model: null }) }, "Show all")],
          found.unpriced > 0 && found.cost !== null && h("span", { class: "where" }, `${plural(found.unpriced, "turn")} without a price not in it`),
          found.undated > 0 && h("span", { class: "where" }, `${cost(found.undated, found.unit)} without a date not in it`),
          found.unit !== "usd" && h("span", { class: "where" }, `Costs are in ${UNITS[found.unit]}.`)),
        h("p", { class: "actions", "aria-label": "Range" }, RANGES.map(([days, name]) => { const entry = h("a", { href: address("first", { ...next, days, day: null }) }, name); entry.toggleAttribute("aria-current", Number(next.days ?? 30) === days); return entry; }),
          h("span", { class: "legend" }, h("span", { class: "trend-mark" }), "mean of 7 days")),
        drawBars(found, next, (day) => change({ day: next.day === day ? null : day }))),
      h("div", { class: "beside" }, h("div", null, drawSplit(found, next, change), origins), drawDearest(found, next)),
      advice);
    if (held) main.querySelector(`[data-day="${CSS.escape(held)}"]`)?.focus();
  };
  await update(asked);
  fillAdvice();
  fillOrigins();
  return update;
};
