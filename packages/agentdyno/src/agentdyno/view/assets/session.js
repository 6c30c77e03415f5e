/* One session: what it cost, its river, its cache, its time, its conversation. */
import { address, ask, bdi, h, link, put } from "./dom.js";
import { cost, count, moment, percent, plural, short, span } from "./format.js";
import { drawConversation } from "./conversation.js";
import { drawFinding } from "./findings.js";
import { drawLane, drawRiver, drawTables, pointAt } from "./river.js";
import { drawTimeline } from "./timeline.js";

const PAGE = 200;

const drawHead = (data, ledger) => {
  const { session, unit, turns } = data;
  const read = turns.filter((turn) => turn.known).reduce((sum, turn) => sum + (turn.read ?? 0), 0);
  const context = turns.filter((turn) => turn.known).reduce((sum, turn) => sum + (turn.context_tokens ?? 0), 0);
  const parent = data.agents.find((agent) => agent.id === session.parent_id);
  const facts = [
    ["cost", cost(session.tree_cost, unit)], session.sub_agents && ["itself", cost(session.cost, unit)],
    ["turns", count(session.turns)], ["calls", count(session.calls)], ["largest context", short(Math.max(0, ...turns.map((turn) => turn.context_tokens ?? 0)))],
    ["cache read", context ? percent(read / context) : "–"],
    ["began", moment(session.started_at)], session.ended_at !== null && session.started_at !== null && ["took", span(session.ended_at - session.started_at)],
    session.correct !== null && ["outcome", session.correct ? "solved" : "unsolved"],
  ].filter(Boolean);
  const names = [session.format, session.model, session.project, session.branch, session.benchmark, session.variant].filter(Boolean);
  return h("div", { class: "head" },
    parent && h("p", { class: "note" }, "A sub-agent of ", link("session", { id: parent.id }, bdi(parent.title))),
    h("h1", null, bdi(session.title)),
    h("p", { class: "note wide-note" }, names.map((name, place) => [place ? " · " : "", bdi(name)])),
    h("ul", { class: "figures-row facts-row" }, facts.map(([name, value]) => h("li", null, h("strong", null, bdi(value ?? "–")), h("span", null, name)))),
    session.unpriced > 0 && session.tree_cost !== null && h("p", { class: "note" }, `${plural(session.unpriced, "agent run")} without a price not in the cost.`),
    session.coverage && h("p", { class: "note" }, "Some of its responses are in no trace: the figures are the least it cost."),
    h("p", { class: "actions" },
      ["river", "lane", "timeline", "conversation", data.findings.length && "findings"].filter(Boolean).map((part) => link("session", { id: session.id, part }, part === "lane" ? "cache" : part)),
      link("sessions", { compare: session.id, a: ledger, name: session.title }, "compare with another")));
};

export const openSession = async (main, asked, signal) => {
  let data, page = -1, id = null, ledger, held = null;
  const conversation = h("section", { id: "conversation" });

  const showTurn = (turn, call, part) => {
    if (turn !== null && Math.floor(turn / PAGE) !== page) {
      page = Math.floor(turn / PAGE);
      conversation.replaceChildren(h("h2", null, "Conversation"), drawConversation(data, turn));
    }
    if (turn !== null) conversation.querySelector(".conversation").dispatchEvent(new CustomEvent("aim", { detail: turn }));
    pointAt(main, turn, data.turns.length);
    for (const old of conversation.querySelectorAll(".target")) old.classList.remove("target");
    const name = turn === null ? part : call === null ? `turn-${turn}` : `turn-${turn}-call-${call}`;
    const found = name && document.getElementById(name);
    if (!found) return;
    if (turn !== null) found.classList.add("target");
    held = { found, block: turn === null ? "start" : "center" };
    hold();
    found.focus({ preventScroll: true });
  };
  /* Texts that come in above would push the turn away: it stays until the reader moves. */
  const hold = () => held?.found.scrollIntoView({ block: held.block, behavior: "instant" });
  main.addEventListener("filled", hold, { signal });
  for (const moved of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(moved, () => { held = null; }, { signal, passive: true });
  const draw = async (name) => {
    data = await ask("session", { id: name }, signal);
    id = name;
    page = 0;
    conversation.replaceChildren(h("h2", null, "Conversation"), drawConversation(data, 0));
    const goTo = (turn, call) => { location.hash = address("session", { id, turn, call }); };
    document.title = `${data.session.title} · AgentDyno`;
    put(main,
      drawHead(data, ledger), drawRiver(data, id, goTo), drawLane(data, id), drawTables(data, id), drawTimeline(data, id),
      data.findings.length > 0 && h("section", { id: "findings", tabindex: "-1" }, h("h2", null, plural(data.findings.length, "finding")), h("ol", { class: "findings" }, data.findings.map(drawFinding))),
      conversation);
  };
  const update = async (next, isLive = false) => {
    const at = scrollY;
    if (next.id !== id || next.ledger !== ledger || isLive) {
      ledger = next.ledger;
      await draw(next.id);
    }
    if (isLive) { window.scrollTo(0, at); return; }
    const number = (text) => (text === undefined || text === "" ? null : Number(text));
    const turn = number(next.turn);
    if (turn === null && !next.part) window.scrollTo(0, 0);
    showTurn(turn, number(next.call), next.part);
  };
  await update(asked);
  return update;
};
