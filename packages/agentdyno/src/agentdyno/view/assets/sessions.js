/* The list of sessions: search, filters, groups, sorting; more rows come as one scrolls. */
import { address, ask, bdi, h, link, put } from "./dom.js";
import { NO_PRICE, amount, cost, count, day, kindName, moment, percent, plural, UNITS, UNKNOWN } from "./format.js";

const COLUMNS = [
  ["title", "session", ""], ["started_at", "date", "s"], ["model", "agent", ""], ["turns", "turns", "n"],
  ["cost", "cost", "n"], ["hit_rate", "cache read", "n"], ["findings", "findings", "n"],
];
const SORTED = new Set(["title", "started_at", "turns", "cost", "hit_rate", "findings"]);
const GROUPS = [["", "none"], ["day", "day"], ["project", "project"], ["branch", "branch"], ["agent", "agent"], ["model", "model"]];
const FILTERS = ["project", "branch", "agent", "model", "day"];
const ROWS = 60;
const LOOK_AGAIN = 1500, RUNNING_SECONDS = 300;

export const openSessions = async (main, asked, signal) => {
  const names = await ask("names", {}, signal);
  let query = asked, loaded = 0, group, loading = false, again;
  const body = h("tbody");
  const found = h("p", { class: "note", id: "found", "aria-live": "polite" });
  const banner = h("p", { class: "lead" });
  const end = h("div", { class: "end" });
  const search = h("input", {
    id: "search", type: "search", autocomplete: "off", value: asked.q || "",
    placeholder: "title, prompt, file, command, result",
    oninput: () => later(() => change({ q: search.value || null }, true)),
  });
  const selects = {};
  const choose = (name, title, options) => {
    selects[name] = h("select", { id: name, onchange: (event) => change({ [name]: event.target.value === "*" ? null : event.target.value }) },
      options.map(([value, text]) => h("option", { value }, text)));
    return h("label", null, title, selects[name]);
  };
  const filterOf = (name) => choose(name, name, [["*", "all"], ...names[name].map(([value, size]) => [value ?? "", `${value ?? "unknown"} (${count(size)})`])]);
  const heads = COLUMNS.map(([name, title, kind]) =>
    h("th", { scope: "col", class: kind || null, dataset: { name } },
      SORTED.has(name) ? h("button", { type: "button", onclick: () => sortBy(name) }, title) : title));
  main.replaceChildren(
    banner,
    h("div", { class: "controls list", role: "search" },
      h("label", { class: "wide-control" }, "Search", search),
      choose("group", "Group by", GROUPS.map(([value, text]) => [value || "*", text])),
      FILTERS.filter((name) => name !== "day" && names[name].length > 1).map(filterOf)),
    found,
    h("table", { class: "many sessions" }, h("thead", null, h("tr", null, heads)), body),
    end,
  );

  let timer;
  const later = (act) => { clearTimeout(timer); timer = setTimeout(act, 120); };
  /* Typing replaces the address, a choice adds one: the back button undoes choices, not letters. */
  const change = (parts, isTyping = false) => {
    const next = address("sessions", { ...query, ...parts });
    if (!isTyping) { location.hash = next; return; }
    history.replaceState(null, "", next);
    update(Object.fromEntries(new URLSearchParams(next.split("?")[1] || "")));
  };
  const sortBy = (name) => {
    const was = (query.sort || "started_at") === name;
    change({ sort: name, up: was ? (query.up ? null : 1) : name === "title" ? 1 : null });
  };

  const load = async (from, isAgain = false) => {
    if (loading && !isAgain) return;
    loading = true;
    const mine = query;
    try {
      const size = isAgain ? Math.max(loaded, ROWS) : ROWS;
      const answer = await ask("sessions", { ...query, compare: null, a: null, offset: from, limit: Math.min(size, 200) }, signal);
      if (mine !== query) return;
      if (from === 0) { body.replaceChildren(); loaded = 0; group = undefined; }
      body.append(...answer.rows.flatMap((row) => draw(row, answer)));
      loaded += answer.rows.length;
      end.hidden = loaded >= answer.matching;
      describe(answer);
    } catch (error) {
      if (error.name !== "AbortError") throw error; /* Another view was opened meanwhile. */
    } finally { loading = false; }
  };
  const describe = (answer) => {
    const texts = answer.texts;
    /* PTE and GPU-seconds are on no bill: they are on top only where somebody asked for them. */
    const isUnasked = answer.unit !== "usd" && !answer.is_unit_chosen;
    const unit = answer.unit === "usd" ? "" : ` Costs are in ${UNITS[answer.unit]}.`;
    const left = answer.unit === "usd" && answer.unpriced && answer.cost !== null ? `, ${plural(answer.unpriced, "agent run")} without a price not in it` : "";
    put(found,
      answer.matching === answer.total ? plural(answer.total, "session") : `${count(answer.matching)} of ${plural(answer.total, "session")}`,
      `, ${isUnasked ? NO_PRICE : cost(answer.cost, answer.unit)}${left}.${unit}`,
      texts && ` Texts of ${plural(texts.read, "agent run")} searched${texts.is_complete ? "" : " so far"}` +
        (texts.missing ? `; ${plural(texts.missing, "trace")} gone or changed.` : "."));
    clearTimeout(again);
    if (texts && !texts.is_complete) again = setTimeout(() => { if (!signal.aborted) load(0, true); }, LOOK_AGAIN);
  };
  const draw = (row, answer) => {
    const drawn = [];
    if (query.group && row[query.group] !== group) {
      group = row[query.group];
      const sums = answer.groups.find((each) => each.name === group || each.name === row[query.group + "_is"]) || {};
      drawn.push(h("tr", { class: "group" }, h("th", { colspan: COLUMNS.length, scope: "rowgroup" },
        h("a", { href: address("sessions", { ...query, group: null, [query.group]: row[query.group + "_is"] ?? group ?? "" }) }, bdi(group ?? "unknown")),
        h("span", { class: "sum" }, `${plural(sums.sessions, "session")}, ${cost(sums.cost, answer.unit)}`))));
    }
    const target = query.compare ? ["difference", { one: query.compare, a: query.a, other: row.id }] : ["session", { id: row.id }];
    const where = [row.project, row.branch, row.benchmark, row.variant].filter(Boolean).join(" · ");
    const title = h("a", { href: address(...target), class: "title", "data-stop": true }, bdi(row.title || row.id));
    const isRunning = row.ended_at > Date.now() / 1000 - RUNNING_SECONDS;
    const outcome = row.correct === null ? null : h("span", { class: row.correct ? "solved" : "unsolved" }, row.correct ? " solved" : " unsolved");
    const cells = {
      title: [isRunning && h("span", { class: "pulse", title: "running now" }), title, outcome, where && h("span", { class: "where" }, bdi(where)), row.hits.map((hit) => drawHit(hit))],
      started_at: day(row.started_at ?? row.ended_at),
      model: [bdi(row.agent || UNKNOWN), h("span", { class: "where" }, bdi(row.model || "unknown model"))],
      turns: [count(row.turns), row.sub_agents ? h("span", { class: "where" }, plural(row.sub_agents, "sub-agent")) : null],
      cost: amount(row.cost, answer.unit),
      hit_rate: percent(row.hit_rate),
      findings: row.findings ? link("session", { id: row.id, part: "findings" }, count(row.findings)) : null,
    };
    drawn.push(h("tr", null, COLUMNS.map(([name, label, kind], place) =>
      h(place === 0 ? "th" : "td", { class: kind || null, scope: place === 0 ? "row" : null, "data-l": label,
        title: name === "started_at" ? moment(row.started_at) + " UTC" : null }, cells[name]))));
    return drawn;
  };
  const drawHit = (hit) => h("span", { class: "hit" },
    link("session", { id: hit.trajectory, turn: hit.turn, call: hit.call }, `turn ${(hit.turn ?? 0) + 1}, ${kindName(hit.kind)}`), " ", bdi(hit.text));

  const update = async (next) => {
    query = next;
    if (document.activeElement !== search) search.value = next.q || "";
    for (const [name, select] of Object.entries(selects)) select.value = next[name] ?? "*";
    for (const head of heads) {
      const isSorted = (next.sort || "started_at") === head.dataset.name;
      if (SORTED.has(head.dataset.name)) head.setAttribute("aria-sort", isSorted ? (next.up ? "ascending" : "descending") : "none");
    }
    banner.replaceChildren(...(next.compare ? ["Choose the session to compare with ", bdi(next.name || "the first"), "."] : next.day !== undefined ? [`Sessions of ${next.day || "an unknown day"}. `, h("a", { href: address("sessions", { ...next, day: null }) }, "All days")] : []));
    banner.hidden = !banner.childNodes.length;
    await load(0, true);
  };
  new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting) && loaded && !end.hidden) load(loaded); }, { rootMargin: "600px" }).observe(end);
  await update(asked);
  return update;
};
