/* The timeline: the model, what lies between its turns, and the calls that have times, with the
   longest chain of calls that rest on each other. Long waits are drawn short, so that work is seen. */
import { address, h, svg } from "./dom.js";
import { keys } from "./river.js";
import { plural, span } from "./format.js";

const LONG_WAIT = 30;
const nameBetween = (each) => (each && !each.has_calls ? "until the next prompt" : "tools and waiting");

const readSpans = (data) => {
  const turns = data.turns
    .map((turn) => ({ turn, from: turn.started_at ?? (turn.ended_at !== null && turn.latency_seconds !== null ? turn.ended_at - turn.latency_seconds : null), until: turn.ended_at ?? (turn.started_at !== null && turn.latency_seconds !== null ? turn.started_at + turn.latency_seconds : null) }))
    .filter((each) => each.from !== null && each.until !== null);
  const calls = data.calls
    .map((call) => ({ call, from: call.started_at ?? (call.ended_at !== null && call.wait_seconds !== null ? call.ended_at - call.wait_seconds : null), until: call.ended_at ?? (call.started_at !== null && call.wait_seconds !== null ? call.started_at + call.wait_seconds : null) }))
    .filter((each) => each.from !== null && each.until !== null);
  return { turns, calls };
};

/* From a time to a place: waits longer than `LONG_WAIT` take a fiftieth of the work. */
const buildScale = (spans) => {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const work = [];
  for (const each of sorted) {
    const last = work.at(-1);
    if (last && each.from - last.until <= LONG_WAIT) last.until = Math.max(last.until, each.until);
    else work.push({ from: each.from, until: each.until });
  }
  const busy = work.reduce((sum, each) => sum + each.until - each.from, 0);
  const wait = Math.max(busy / 50, 1);
  let at = 0;
  const waits = [];
  for (const [place, each] of work.entries()) {
    each.at = at;
    at += each.until - each.from;
    if (place + 1 < work.length) {
      waits.push({ at, size: wait, from: each.until, seconds: work[place + 1].from - each.until });
      at += wait;
    }
  }
  const place = (time) => {
    const inside = work.findLast((each) => each.from <= time) || work[0];
    return inside.at + Math.min(Math.max(time - inside.from, 0), inside.until - inside.from);
  };
  return { place, waits, size: Math.max(at, 0.001) };
};

const layLanes = (calls) => {
  const ends = [];
  for (const each of [...calls].sort((a, b) => a.from - b.from)) {
    let lane = ends.findIndex((end) => end <= each.from + 0.001);
    if (lane < 0) lane = ends.length;
    ends[lane] = each.until;
    each.lane = lane;
  }
  return Math.min(ends.length, 8);
};

/* What is known, each figure by its own name: time between turns is no tool's time. */
const sayTimes = (times, chain, links) => {
  const counted = times.timed_calls === times.calls ? `all ${plural(times.calls, "call")}` : `${times.timed_calls} of ${plural(times.calls, "call")}`;
  const known = times.timed_calls ? `${counted} ${times.calls === 1 ? "has" : "have"} times: ${span(times.timed)}` : "no call has a time of its own";
  return [times.model !== null && `Model ${span(times.model)}`,
    times.tools_and_waiting !== null && `tools and waiting ${span(times.tools_and_waiting)}`,
    times.calls > 0 && known,
    times.pauses !== null && `between an answer and the next prompt ${span(times.pauses)}`,
    chain && `longest chain of dependent calls ${span(chain)} in ${plural(links, "call")}`].filter(Boolean).join("; ") + ".";
};

export const drawTimeline = (data, id) => {
  const head = h("h2", null, "Timeline");
  const { turns, calls } = readSpans(data);
  if (turns.length < 2) return h("section", { id: "timeline" }, head, h("p", { class: "note" }, "The trace has no times of its turns."));
  const scale = buildScale([...turns, ...calls]), lanes = layLanes(calls);
  const between = data.times.between;
  const critical = new Set((data.critical?.calls || []).map(([turn, call]) => `${turn}/${call}`));
  const bar = (each, top, colour, title, target) => {
    const from = scale.place(each.from), width = Math.max(scale.place(each.until) - from, scale.size / 1500);
    return svg("a", { href: address("session", target), "aria-label": title },
      svg("rect", { x: from, y: top, width, height: 0.8, class: colour }, svg("title", null, title)));
  };
  const drawn = svg("svg", { viewBox: `0 0 ${scale.size} ${lanes + 1}`, preserveAspectRatio: "none", height: 24 * (lanes + 1), role: "group", "aria-label": "Model and tools over time" },
    between.map((each) => !scale.waits.some((wait) => Math.abs(wait.from - each.from) < 0.001) && svg("rect", { x: scale.place(each.from), y: 0.3, width: Math.max(scale.place(each.until) - scale.place(each.from), 0), height: 0.4, class: "wait" }, svg("title", null, `Turn ${each.turn + 1}: ${nameBetween(each)}, ${span(each.until - each.from)}`))),
    scale.waits.map((wait) => svg("rect", { x: wait.at, y: 0, width: wait.size, height: lanes + 1, class: "wait" }, svg("title", null, `${nameBetween(between.findLast((each) => each.from <= wait.from + 0.001))}, ${span(wait.seconds)}`))),
    turns.map((each) => bar(each, 0.1, "f-text", `Turn ${each.turn.turn + 1}: model, ${span(each.until - each.from)}`, { id, turn: each.turn.turn })),
    calls.filter((each) => each.lane < 8).map((each) => {
      const isCritical = critical.has(`${each.call.turn}/${each.call.call}`) && critical.size > 1;
      return bar(each, each.lane + 1.1, isCritical ? "f-accent" : "f-result",
        `Turn ${each.call.turn + 1}: ${each.call.tool}, ${span(each.until - each.from)}${isCritical ? ", on the critical path" : ""}`,
        { id, turn: each.call.turn, call: each.call.call });
    }));
  const sum = (all) => all.reduce((total, each) => total + each.until - each.from, 0);
  const chain = data.critical && critical.size > 1 ? sum(calls.filter((each) => critical.has(`${each.call.turn}/${each.call.call}`))) : null;
  const used = [["text", "model"], calls.length && ["result", "call with a time of its own"], chain && ["accent", "call on the critical path"], between.length && ["wait", `tools and waiting${scale.waits.length ? `, drawn short from ${LONG_WAIT} s on` : ""}`]].filter(Boolean);
  return h("section", { id: "timeline" }, head, h("p", { class: "note" }, sayTimes(data.times, chain, critical.size)),
    h("div", { class: "drawn spans" }, drawn), keys(used),
    data.joins.length > 0 && h("p", { class: "note" }, `${plural(data.joins.length, "turn")} could have been part of an earlier one: `,
      data.joins.slice(0, 12).map((join, place) => [place ? ", " : "", h("a", { href: address("session", { id, turn: join.turn }), title: join.reason }, `turn ${join.turn + 1}`)]), data.joins.length > 12 ? ", …" : "."));
};
