/* The conversation: each turn with its cost, what entered before it, what its calls asked and got.
   Texts are read from the trace when their turns come into sight. Sub-agents open in their place. */
import { address, ask, bdi, h } from "./dom.js";
import { named } from "./findings.js";
import { cost, dollars, kindName, plural, reason, short, span } from "./format.js";

const STRETCH = 20, PAGE = 200;

/* Arguments as `name: value`, a line each; as they were written where they are no plain object. */
const plain = (text) => {
  if (text.kind !== "request" || text.more) return text.text;
  try {
    const given = Object.entries(JSON.parse(text.text));
    if (!given.length || given.some(([, value]) => value !== null && typeof value === "object")) return text.text;
    return given.map(([name, value]) => `${name}: ${value}`).join("\n");
  } catch { return text.text; }
};

const excerpt = (text) => h("div", { class: "excerpt k-" + text.kind },
  text.kind !== "text" && h("small", null, kindName(text.kind)), h("blockquote", { dir: "auto" }, plain(text) || "(empty)",
    text.more > 0 && h("small", null, ` … ${short(text.more)} more characters`)));

/* Long texts show how they begin, prose more of it than what tools send back; a button has the rest. */
const fold = (text) => {
  const many = text.text.split("\n").length, isProse = text.kind === "user" || text.kind === "text";
  const drawn = excerpt(text);
  if (many <= (isProse ? 24 : 6) && text.text.length <= (isProse ? 2400 : 500)) return drawn;
  drawn.classList.add("clamped");
  const more = h("button", { type: "button", class: "more-text", "aria-expanded": "false", onclick: () => {
    const isOpen = !drawn.classList.toggle("clamped");
    more.setAttribute("aria-expanded", String(isOpen));
    more.textContent = isOpen ? "less" : all;
  } });
  const all = many > 6 ? `all ${plural(many, "line")}` : "all of it";
  more.textContent = all;
  drawn.append(more);
  return drawn;
};

const drawCall = (call, data, key) => {
  const facts = [call.result_tokens !== null && `${short(call.result_tokens)} tokens back`, call.wait_seconds !== null && span(call.wait_seconds)].filter(Boolean).join(", ");
  return h("div", { class: "call" + (call.error ? " failed" : ""), id: `${key}-call-${call.call}`, tabindex: "-1" },
    h("p", null, h("a", { class: "tool", href: address("session", { id: data.session.id, turn: call.turn, call: call.call }) }, bdi(call.tool || "unnamed tool")), " ",
      call.subject && h("span", { class: "subject" }, bdi(call.subject)), h("span", { class: "facts" }, facts), h("b", { class: "cost" }, cost(call.cost, data.unit))),
    call.error && h("p", { class: "problem" }, bdi(call.error)),
    h("div", { class: "texts" }),
    call.started.map((id) => drawAgent(data.agents.find((agent) => agent.id === id), data.unit)));
};

const drawAgent = (agent, unit) => {
  const inside = h("div", { class: "nested" });
  const opened = h("details", { class: "agent" },
    h("summary", null, h("b", null, "Sub-agent "), bdi(agent.title || agent.agent_id || ""), ` ${plural(agent.turns, "turn")}, ${cost(agent.tree_cost, unit)}`, agent.sub_agents ? ` with ${plural(agent.sub_agents, "agent")} below` : ""),
    h("p", null, h("a", { href: address("session", { id: agent.id }) }, "Open it by itself")), inside);
  opened.addEventListener("toggle", async () => {
    if (!opened.open || inside.childNodes.length) return;
    inside.append(h("p", { class: "note" }, "Loading…"));
    try {
      inside.replaceChildren(drawConversation(await ask("session", { id: agent.id })));
    } catch (error) { inside.replaceChildren(h("p", { class: "problem" }, error.message)); }
  });
  return opened;
};

const drawTurn = (turn, data, calls, added, findings) => {
  const key = `turn-${turn.turn}`, id = data.session.id;
  const facts = [`${short(turn.context_tokens)} in context`, added > 0 && `${short(added)} new`, turn.known && `${short(turn.read)} read from cache`, `${short(turn.decode_tokens)} written`, turn.latency_seconds !== null && span(turn.latency_seconds), turn.finish].filter(Boolean).join(", ");
  const lost = turn.lost > 0 && turn.cause !== "first turn";
  return h("article", { class: "turn", id: key, "data-stop": true, tabindex: "-1" },
    h("h3", null, h("a", { href: address("session", { id, turn: turn.turn }) }, `Turn ${turn.turn + 1}`), h("span", { class: "facts" }, facts), h("b", { class: "cost" }, cost(turn.cost, data.unit))),
    lost && h("p", { class: "lost" }, `Cache lost: ${short(turn.lost)} tokens paid again, ${dollars(turn.lost_usd)}; ${reason(turn)}.`),
    turn.error && h("p", { class: "problem" }, bdi(turn.error)),
    findings.map((each) => h("p", { class: "finding-note" }, h("a", { href: address("findings", { kind: each.kind }) }, named(each.kind)), " ", bdi(each.detail || each.evidence))),
    h("div", { class: "texts" }), calls.map((call) => drawCall(call, data, key)));
};

const fillTexts = async (data, articles, first, stop) => {
  const texts = await ask("texts", { id: data.session.id, first, stop });
  if (texts.missing) return texts.missing;
  for (const article of articles) {
    const found = texts.turns[article.id.slice(5)];
    if (!found) continue;
    article.querySelector(":scope > .texts").replaceChildren(...[...found.before, ...found.written].map(fold));
    for (const call of article.querySelectorAll(":scope > .call"))
      call.querySelector(".texts").replaceChildren(...(found.calls[call.id.split("-call-")[1]] || []).map(fold));
  }
  articles[0]?.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
  return null;
};

export const drawConversation = (data, target = 0) => {
  const calls = Map.groupBy(data.calls, (call) => call.turn);
  const findings = Map.groupBy(data.findings, (each) => each.turn);
  const added = new Map();
  for (const band of data.river.bands) added.set(band.enters, (added.get(band.enters) || 0) + (band.tokens || 0));
  const from = Math.floor(target / PAGE) * PAGE, turns = data.turns.slice(from, from + PAGE);
  const problem = h("p", { class: "problem", hidden: true });
  const say = (text) => { problem.hidden = !text; problem.textContent = text ? "No texts: " + text : ""; };
  const root = h("div", { class: "conversation" }, problem);
  const page = (first, text) => h("p", null, h("a", { class: "more", href: address("session", { id: data.session.id, turn: first }) }, text));
  if (from > 0) root.append(page(from - 1, `Turns before ${from + 1}`));
  const draw = (turn) => drawTurn(turn, data, calls.get(turn.turn) || [], added.get(turn.turn) || 0, findings.get(turn.turn) || []);
  /* Turns are drawn when they come near, with room kept for them until then. */
  const build = (stretch) => {
    if (stretch.childNodes.length) return;
    const first = Number(stretch.dataset.first);
    stretch.append(...data.turns.slice(first, Math.min(first + STRETCH, from + PAGE)).map(draw));
    stretch.style.minHeight = "";
    fillTexts(data, [...stretch.children], first, first + STRETCH).then(say, (error) => say(error.message));
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      seen.unobserve(entry.target);
      build(entry.target);
    }
  }, { rootMargin: "800px" });
  for (let at = from; at < from + turns.length; at += STRETCH) {
    const size = Math.min(STRETCH, from + turns.length - at);
    const stretch = h("div", { class: "stretch", dataset: { first: at }, style: { minHeight: `${9 * size}rem` } });
    root.append(stretch);
    seen.observe(stretch);
  }
  root.addEventListener("aim", (event) => {
    const stretch = [...root.querySelectorAll(":scope > .stretch")].findLast((each) => Number(each.dataset.first) <= event.detail);
    if (stretch) build(stretch);
  });
  if (from + PAGE < data.turns.length) root.append(page(from + PAGE, `Turns from ${from + PAGE + 1}`));
  return root;
};
