"use strict";
/* Theme, sorting, what is behind rows, and the list of trajectories. Text of traces is only ever set as textContent. */
(() => {
  const root = document.documentElement;
  const $ = (id) => document.getElementById(id);

  /* Theme ----------------------------------------------------------------- */
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themeButton = $("theme");
  const isDark = () => (root.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
  const showTheme = () => {
    themeButton.textContent = isDark() ? "Light" : "Dark";
    themeButton.setAttribute("aria-pressed", String(isDark()));
  };
  themeButton.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  dark.addEventListener("change", showTheme);
  showTheme();

  /* The contents are open beside the text, closed above it. */
  const contents = document.querySelector("nav details");
  if (!matchMedia("(min-width: 72rem)").matches) contents.open = false;

  /* Sorting --------------------------------------------------------------- */
  const keyOf = (row, column) => row.cells[column].dataset.v;
  const sortBy = (table, column, down) => {
    const body = table.tBodies[0];
    const number = table.tHead.rows[0].cells[column].classList.contains("n");
    const rows = [...body.rows].sort((a, b) => {
      const x = keyOf(a, column), y = keyOf(b, column);
      if (x === undefined || y === undefined) return (x === undefined) - (y === undefined);
      const order = number ? x - y : x.localeCompare(y);
      return down ? -order : order;
    });
    body.append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const down = was === "none" ? head.classList.contains("n") : was === "ascending";
      for (const other of heads) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortBy(table, column, down);
    }));
  }

  /* Small builders -------------------------------------------------------- */
  const make = (name, cls, text) => {
    const made = document.createElement(name);
    if (cls) made.className = cls;
    if (text !== undefined && text !== null) made.textContent = text;
    return made;
  };
  const bdi = (text) => make("bdi", "", text);
  const short = (v) => {
    if (v === null || v === undefined) return "–";
    for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]])
      if (Math.abs(v) >= limit) return Number((v / (unit === "k" ? 1e3 : limit)).toPrecision(3)) + unit;
    return Math.abs(v) >= 100 ? Math.round(v).toLocaleString("en") : String(Number(v.toPrecision(3)));
  };
  const percent = (v) => (100 * v).toFixed(v < 0.1 ? 1 : 0) + " %";
  const tail = (name) => name.slice(name.lastIndexOf("/") + 1);

  /* What a row sums up ---------------------------------------------------- */
  const DRAWN = 200;
  let unpacked = null;
  const unpack = async () => {
    const bytes = Uint8Array.from(atob($("behind-data").textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const shows = {
    text: (v, words) => words[v],
    count: (v) => v.toLocaleString("en"),
    money: (v) => "$" + (v >= 1 ? v.toFixed(2) : String(Number(v.toPrecision(3)))),
    share: percent,
  };
  const drawBehind = (data, button) => {
    const { table: name, row } = button.dataset;
    const { what, heads, kinds, rows } = data.tables[name], columns = rows[row];
    const count = columns[0].length, panel = make("div", "scroll tall beneath");
    const named = [...button.closest("tr").cells].slice(0, 2).filter((c) => !c.classList.contains("n"));
    const whose = named.map((cell) => cell.textContent).join(", ");
    const title = `${count.toLocaleString("en")} ${data.words[what]} of ${whose}`;
    const table = make("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    table.createCaption().append(bdi(title));
    heads.forEach((at, k) => {
      const cell = make("th", kinds[k] === "text" ? "" : "n", data.words[at]);
      cell.scope = "col";
      head.append(cell);
    });
    const more = make("button", "more", "Show more");
    more.type = "button";
    const draw = () => {
      const from = body.rows.length, to = Math.min(from + DRAWN, count);
      for (let i = from; i < to; i++) {
        const line = body.insertRow();
        columns.forEach((values, k) => {
          const value = values[i], show = shows[kinds[k]] || short;
          const cell = make("td", kinds[k] === "text" ? "" : "n");
          cell.append(bdi(value === null ? "–" : show(value, data.words)));
          line.append(cell);
        });
      }
      more.hidden = to >= count;
    };
    more.addEventListener("click", draw);
    draw();
    panel.tabIndex = 0;
    panel.setAttribute("role", "region");
    panel.setAttribute("aria-label", title);
    panel.append(table, more);
    return panel;
  };
  /* One row of a table is open at a time; its panel stands below the table, whatever the order. */
  for (const button of document.querySelectorAll("button.behind")) button.addEventListener("click", async () => {
    const frame = button.closest(".scroll"), open = button.getAttribute("aria-expanded") === "true";
    for (const other of frame.querySelectorAll("button.behind")) other.setAttribute("aria-expanded", "false");
    if (frame.nextElementSibling?.classList.contains("beneath")) frame.nextElementSibling.remove();
    if (open) return;
    button.setAttribute("aria-expanded", "true");
    const data = await (unpacked ??= unpack().catch(() => null));
    if (button.getAttribute("aria-expanded") === "false" || frame.nextElementSibling?.classList.contains("beneath")) return;
    frame.after(data ? drawBehind(data, button) : make("p", "note beneath", "This browser cannot unpack the rows."));
    frame.nextElementSibling.scrollIntoView({ block: "nearest" });
  });

  /* Trajectories ---------------------------------------------------------- */
  const held = $("trajectories-data");
  if (!held) return;
  const data = JSON.parse(held.textContent);
  const unit = data.unit || "PTE", inTokens = unit === "PTE";
  const amount = (v) => unit !== "money" ? short(v) : v === null ? "no price" : "$" + v.toFixed(v >= 1 ? 2 : 4);
  const word = (place) => (place === null ? null : data.words[place]);
  const rows = data.rows.map((r, index) => {
    const turns = r[11].map((t) => ({
      prefill: t[0], context: t[1], decode: t[2], cached: t[3], cost: t[4], seconds: t[5],
      source: word(t[6]), finish: word(t[7]), error: word(t[8]),
      calls: t[9].map((c) => ({ tool: word(c[0]), request: c[1], result: c[2], wait: c[3], cost: c[4], error: word(c[5]), about: word(c[6]), asked: word(c[7]), got: word(c[8]) })),
    }));
    const patterns = r[12].map((p) => ({ name: word(p[0]), turn: p[1], evidence: word(p[3]), detail: word(p[4]), cost: p[5] }));
    const setting = r[1].map(word).filter(Boolean).join(" · ");
    const tools = turns.flatMap((t) => t.calls.map((c) => c.tool || ""));
    const subjects = turns.flatMap((t) => t.calls.map((c) => c.about || ""));
    return {
      index, id: word(r[0]), title: word(r[13]), setting, task: word(r[2]), attempt: r[3], level: word(r[4]), source: word(r[5]),
      correct: r[6], cost: r[7], usd: r[8], gamma: word(r[9]), kinds: r[10], turns, patterns, calls: tools.length,
      failed: turns.some((t) => t.error || t.calls.some((c) => c.error)),
      text: [word(r[0]), word(r[13]), setting, word(r[2]), word(r[4]), ...new Set(tools), ...new Set(subjects), ...patterns.map((p) => p.name)].join(" ").toLowerCase(),
    };
  });

  const list = $("trajectory-list"), found = $("found"), more = $("more");
  const filter = $("filter"), outcome = $("outcome"), order = $("order");
  const PAGE = 30;
  let shown = [], upTo = 0, opened = null;

  const keeps = {
    "": () => true,
    solved: (r) => r.correct === true,
    unsolved: (r) => r.correct === false,
    ungraded: (r) => r.correct === null,
    pattern: (r) => r.patterns.length > 0,
    error: (r) => r.failed,
  };
  const orders = {
    cost: (a, b) => a.index - b.index,
    turns: (a, b) => b.turns.length - a.turns.length || a.index - b.index,
    calls: (a, b) => b.calls - a.calls || a.index - b.index,
    name: (a, b) => a.id.localeCompare(b.id),
  };

  const refresh = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((r) => keeps[outcome.value](r) && wanted.every((w) => r.text.includes(w)));
    shown.sort(orders[order.value]);
    list.replaceChildren();
    upTo = 0;
    found.textContent = shown.length === rows.length ? "" : `${shown.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} match`;
    showMore();
  };
  const showMore = () => {
    const next = shown.slice(upTo, upTo + PAGE);
    list.append(...next.map(item));
    upTo += next.length;
    more.hidden = upTo >= shown.length;
  };

  const item = (r) => {
    const entry = make("li");
    entry.id = "trajectory-" + r.index;
    const button = make("button", "row");
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    const what = make("span", "what");
    what.append(bdi(r.title || tail(r.id)));
    const where = make("span", "where");
    where.append(bdi(r.setting));
    if (r.task !== null) where.append(", task ", bdi(r.task));
    what.append(where);
    const cost = make("span", "n");
    cost.append(amount(r.cost) + " ", make("small", "", unit === "money" ? "" : unit));
    const turns = make("span", "n hide");
    turns.append(String(r.turns.length) + " ", make("small", "", r.turns.length === 1 ? "turn" : "turns"));
    const mark = r.correct === null ? make("span", "n hide") : make("span", "n hide " + (r.correct ? "solved" : "unsolved"), r.correct ? "solved" : "unsolved");
    button.append(what, cost, turns, mark);
    /* The address says what was opened last: it can be passed on, and the back button closes it. */
    button.addEventListener("click", () => {
      const open = !isOpen(button);
      setOpen(entry, r, open);
      if (open) opened = r;
      history.pushState(null, "", open ? "#trajectory-" + r.index : "#trajectories");
    });
    entry.append(button);
    return entry;
  };
  const isOpen = (button) => button.getAttribute("aria-expanded") === "true";
  const setOpen = (entry, r, open) => {
    const button = entry.firstElementChild;
    if (isOpen(button) === open) return;
    if (open) entry.append(panel(r));
    else entry.lastElementChild.remove();
    button.setAttribute("aria-expanded", String(open));
  };

  /* One trajectory -------------------------------------------------------- */
  const panel = (r) => {
    const made = make("div", "panel");
    made.append(facts(r), strip(r), keys(r), bars(r), axis(r), turnTable(r));
    if (r.patterns.length) made.append(evidence(r));
    return made;
  };
  const facts = (r) => {
    const made = make("p", "facts");
    const put = (name, value) => {
      if (value === null || value === undefined || value === "") return;
      const pair = make("span", "", name + " ");
      const strong = make("b");
      strong.append(bdi(String(value)));
      pair.append(strong);
      made.append(pair);
    };
    put("outcome", r.correct === null ? "not graded" : r.correct ? "solved" : "unsolved");
    put(unit, amount(r.cost));
    put("money", r.usd === null ? null : "$" + r.usd);
    put("turns", r.turns.length);
    put("calls", r.calls);
    put("attempt", r.attempt);
    put("level", r.level);
    put("gamma", r.gamma);
    put("from", r.source);
    put("id", r.id);
    return made;
  };
  const strip = (r) => {
    const made = make("div", "strip");
    made.setAttribute("aria-hidden", "true");
    r.kinds.forEach((cost, k) => {
      if (!cost) return;
      const piece = make("span");
      piece.style.flexGrow = String(cost);
      piece.style.background = `var(--${data.kinds[k]})`;
      made.append(piece);
    });
    return made;
  };
  const keys = (r) => {
    const made = make("ul", "keys");
    const total = r.kinds.reduce((a, b) => a + b, 0);
    r.kinds.forEach((cost, k) => {
      if (!cost || cost / total < 0.005) return;
      const key = make("li");
      const dot = make("i");
      dot.style.background = `var(--${data.kinds[k]})`;
      key.append(dot, `${data.kinds[k]} ${percent(cost / total)}`);
      made.append(key);
    });
    return made;
  };
  const SVG = "http://www.w3.org/2000/svg";
  const rect = (cls, x, y, width, height) => {
    const made = document.createElementNS(SVG, "rect");
    made.setAttribute("class", cls);
    for (const [key, value] of Object.entries({ x, y, width, height })) made.setAttribute(key, value.toFixed(2));
    return made;
  };
  const bars = (r) => {
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("class", "bars");
    made.setAttribute("viewBox", "0 0 800 90");
    made.setAttribute("preserveAspectRatio", "none");
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", inTokens ? "PTE by turn, prefilling below, generating above; the table has the numbers" : `${unit} by turn; the table has the numbers`);
    const most = Math.max(...r.turns.map((t) => t.cost || 0), 0) || 1;
    const step = 800 / Math.max(r.turns.length, 1), width = Math.max(step - Math.min(step * 0.2, 6), 0.5);
    r.turns.forEach((t, i) => {
      const all = 88 * (t.cost || 0) / most;
      /* Only PTE are counted as prefilled tokens are. */
      const fill = inTokens ? Math.min(88 * (t.prefill || 0) / most, all) : all;
      made.append(rect("f-schema", i * step, 90 - fill, width, fill), rect("f-request", i * step, 90 - all, width, all - fill));
    });
    return made;
  };
  const axis = (r) => {
    const made = make("p", "axis");
    made.append(make("span", "", "turn 1"), make("span", "", inTokens ? "PTE by turn: blue prefilling, orange generating" : `${unit} by turn`), make("span", "", "turn " + r.turns.length));
    return made;
  };
  const HEADS = ["turn", unit, "calls", "prefilled", "context", "generated", "cached", "seconds"];
  const turnTable = (r) => {
    const frame = make("div", "scroll");
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", "Turn by turn");
    const table = make("table"), head = make("thead"), body = make("tbody"), line = make("tr");
    HEADS.forEach((title) => {
      const cell = make("th", title === "calls" ? "" : "n", title);
      cell.scope = "col";
      line.append(cell);
    });
    head.append(line);
    body.append(...r.turns.map((t, i) => turnRow(r, t, i)));
    table.append(head, body);
    frame.append(table);
    return frame;
  };
  const turnRow = (r, t, i) => {
    const line = make("tr"), first = make("th", "n"), link = make("a", "", String(i + 1));
    line.id = link.hash = `trajectory-${r.index}-turn-${i + 1}`;
    first.scope = "row";
    first.append(link);
    line.append(first);
    line.append(make("td", "n", amount(t.cost)));
    const calls = make("td", "calls");
    for (const c of t.calls) {
      const one = make("span");
      one.append(bdi(c.tool || "unnamed tool"), " ", make("b"), ` ${short(c.request)} → ${short(c.result)} tokens, ${amount(c.cost)}${unit === "money" ? "" : " " + unit}`);
      if (c.about) one.querySelector("b").append(bdi(c.about));
      calls.append(one);
      if (c.asked || c.got) calls.append(excerpts(c));
      if (c.error) { const bad = make("span", "bad"); bad.append(bdi(c.error)); calls.append(bad); }
    }
    if (t.error) { const bad = make("span", "bad"); bad.append(bdi(t.error)); calls.append(bad); }
    if (t.finish && !t.calls.length) { const why = make("span", "ci"); why.append(bdi(t.finish)); calls.append(why); }
    line.append(calls);
    for (const value of [t.prefill, t.context, t.decode, t.cached]) line.append(make("td", "n", short(value)));
    line.append(make("td", "n", t.seconds === null ? "–" : t.seconds.toFixed(1)));
    return line;
  };
  const excerpts = (c) => {
    const made = make("details", "excerpts");
    made.append(make("summary", "", "asked and returned"));
    for (const [name, text] of [["asked", c.asked], ["returned", c.got]]) {
      if (!text) continue;
      const quote = make("blockquote");
      quote.append(make("small", "", name + " "), bdi(text));
      made.append(quote);
    }
    return made;
  };
  const evidence = (r) => {
    const made = make("ol", "evidence");
    for (const p of r.patterns) {
      const entry = make("li"), told = make("p");
      told.append(bdi(p.name.replaceAll("_", " ")), p.turn === null ? "" : ` in turn ${p.turn + 1}`, p.detail ? ": " : "", bdi(p.detail || ""));
      entry.append(told);
      if (p.evidence) { const quote = make("blockquote"); quote.append(bdi(p.evidence)); entry.append(quote); }
      made.append(entry);
    }
    return made;
  };

  /* Opening what the address names; the one that was open closes. */
  const close = () => {
    const entry = opened && $("trajectory-" + opened.index);
    if (entry) setOpen(entry, opened, false);
    opened = null;
  };
  const follow = () => {
    const named = /^#trajectory-(\d+)(?:-turn-(\d+))?$/.exec(location.hash);
    const r = named && rows[Number(named[1])];
    if (opened && opened !== r) close();
    if (!r) return;
    if (!$("trajectory-" + r.index)) {
      filter.value = ""; outcome.value = ""; order.value = "cost";
      refresh();
      while (upTo <= r.index && !more.hidden) showMore();
    }
    const entry = $("trajectory-" + r.index);
    setOpen(entry, r, true);
    opened = r;
    const turn = named[2] && $(`trajectory-${r.index}-turn-${named[2]}`);
    for (const was of document.querySelectorAll("tr.target")) was.classList.remove("target");
    if (turn) turn.classList.add("target");
    entry.firstElementChild.focus({ preventScroll: true });
    (turn || entry).scrollIntoView({ block: turn ? "center" : "start", behavior: "instant" });
  };

  filter.addEventListener("input", refresh);
  outcome.addEventListener("change", refresh);
  order.addEventListener("change", refresh);
  more.addEventListener("click", showMore);
  addEventListener("hashchange", follow);
  refresh();
  follow();
})();
