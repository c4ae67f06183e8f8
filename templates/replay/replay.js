"use strict";
(() => {
const $ = (id) => document.getElementById(id);
const battle = JSON.parse($("battle").textContent);
const moments = battle.moments;
if (moments.length === 0) return;
const svg = $("map");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Everything that is drawn is made by these two, so no text is ever read as markup.
const make = (name, attributes, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const k in attributes) e.setAttribute(k, attributes[k]);
  if (text !== undefined) e.textContent = text;
  return e;
};
const x = (col) => 60 * (col - 1);
const y = (col, row) => 70 * (row - 1) + (col % 2 === 0 ? 35 : 0);

// What a moment shows of a ship, by the ship's number: a moment names only what is new in it.
const shown = [];
for (const m of moments) {
  const all = new Map();
  for (const [i, p] of shown.at(-1) || []) all.set(i, {i, a: p.a, o: p.o, h: p.h});
  for (const p of m.s || []) all.set(p.i, p);
  for (const i of m.g || []) all.delete(i);
  shown.push(all);
}
const places = (i) => [...shown[i].values()];

const ships = battle.ships.map((s) => {
  const tone = battle.sides[s.s] || battle.sides[0];
  const g = make("g", {});
  const body = make("g", {});
  const rings = make("g", {class: "ring"});
  const hull = make("use", {href: "#" + (s.k === "fixed" ? "st" : tone.shape), fill: tone.fill, stroke: tone.line, "stroke-width": 1.4});
  if (s.k === "small") hull.setAttribute("transform", "scale(.55)");
  body.append(hull, rings);
  g.append(body, make("text", {y: 5, fill: tone.letter}, s.k === "small" ? "" : s.g), make("text", {class: "name", y: s.k === "small" ? 24 : 46}, s.n));
  g.append(make("title", {}, s.n));
  return {g, body, rings, tone, data: s, state: null, shields: ""};
});

const ground = $("ground");
let frame; // of all that is met on a field without an edge
if (battle.bounds) {
  const [cols, rows] = battle.bounds;
  frame = {x: -50, y: -45, w: 60 * (cols - 1) + 100, h: 70 * rows + 35 + 20};
} else {
  frame = around(shown.flatMap((all) => [...all.values()]), 4);
}
ground.append(make("rect", {class: battle.bounds ? "field" : "", x: frame.x, y: frame.y, width: frame.w, height: frame.h, fill: "url(#hexes)"}));

// around is the window over these places with so many hexes of room.
function around(places, room) {
  let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
  for (const p of places) {
    for (const at of [p.a, ...(p.w || [])]) {
      l = Math.min(l, x(at[0])); r = Math.max(r, x(at[0]));
      t = Math.min(t, y(at[0], at[1])); b = Math.max(b, y(at[0], at[1]));
    }
  }
  if (l > r) return {x: -300, y: -300, w: 600, h: 600};
  const pad = 65 * room;
  return {x: l - pad, y: t - pad, w: Math.max(r - l, 200) + 2 * pad, h: Math.max(b - t, 200) + 2 * pad};
}

// view is what a moment's map shows: where the ships in the fight are, or the whole field.
function view(i) {
  if ($("whole").checked) return frame;
  const living = (k) => places(Math.max(k, 0)).filter((p) => !p.o || p.o === "cloaked");
  const near = [...living(i - 1), ...living(i)];
  return around(near.length ? near : places(i), 3);
}
// unit is how large ships and letters are drawn, so that they stay readable on a wide field.
let unit = 1;
function look(v) {
  svg.setAttribute("viewBox", [v.x, v.y, v.w, v.h].map((n) => n.toFixed(1)).join(" "));
  unit = Math.max(1, Math.min(3, 0.8 * Math.max(v.w / svg.clientWidth, v.h / svg.clientHeight) || 1));
  svg.style.setProperty("--unit", unit.toFixed(2));
}
const between = (a, b, f) => a + (b - a) * f;

// place puts a ship on its way of a moment, f from 0 to 1.
function place(ship, p, f) {
  const way = [...(p.w || []), p.a];
  const at = f * (way.length - 1), k = Math.min(Math.floor(at), way.length - 1), n = Math.min(k + 1, way.length - 1), g = at - k;
  const [from, to] = [way[k], way[n]];
  const turn = ((to[2] - from[2] + 9) % 6) - 3; // the shorter way round
  ship.g.setAttribute("transform", `translate(${between(x(from[0]), x(to[0]), g).toFixed(1)} ${between(y(from[0], from[1]), y(to[0], to[1]), g).toFixed(1)}) scale(${unit.toFixed(2)})`);
  if (ship.data.k !== "fixed") ship.body.setAttribute("transform", `rotate(${(60 * (from[2] + turn * g)).toFixed(1)})`);
}

function dress(ship, p) {
  const state = p.o || "";
  if (ship.state !== state) { ship.state = state; ship.g.setAttribute("class", state); }
  const shields = JSON.stringify(p.h || []);
  if (ship.shields === shields) return;
  ship.shields = shields;
  ship.rings.replaceChildren(...(p.h || []).filter((s) => s[1] > 0 && s[2] > 0)
    .map((s) => make("use", {href: "#r" + s[0], "stroke-width": (1 + 4 * s[1] / s[2]).toFixed(1)})));
}

let index = 0, playing = false, motion = 0, field = -1;

// still draws a moment as it is when it is over; f less than 1 is on the way there.
function still(i, f) {
  for (const [n, ship] of ships.entries()) {
    const p = shown[i].get(n);
    if (!p) { ship.g.remove(); continue; }
    if (!ship.g.isConnected) $("ships").append(ship.g);
    dress(ship, f < 1 && i > 0 && shown[i - 1].get(n) || p);
    place(ship, p, f);
  }
}

function land(i) {
  if (moments[i].f === field) return;
  field = moments[i].f;
  const signs = {planet: "planet", moon: "moon", asteroid: "rocks", mine: "mine", minefield: "field", explosion: "blast"};
  $("land").replaceChildren(...battle.fields[field].map((m) => {
    const g = make("g", {transform: `translate(${x(m.c)} ${y(m.c, m.r)})`});
    g.append(signs[m.k] ? make("use", {href: "#" + signs[m.k]}) : make("text", {class: "name"}, "?"));
    if (m.n) g.append(make("text", {class: "name", y: 36}, m.n));
    return g;
  }));
}

function ways(i) {
  $("ways").replaceChildren(...places(i).filter((p) => p.w).map((p) =>
    make("polyline", {class: "way", points: [...p.w, p.a].map((a) => `${x(a[0])},${y(a[0], a[1])}`).join(" ")})));
}

// Shots between the same hexes lie side by side, and cross no letter of a ship.
function shots(i) {
  const seen = {};
  $("shots").replaceChildren(...(moments[i].x || []).map((s) => {
    const key = s.a + ">" + s.b, n = seen[key] = (seen[key] || 0) + 1;
    const ax = x(s.a[0]), ay = y(...s.a), bx = x(s.b[0]), by = y(...s.b), d = Math.hypot(bx - ax, by - ay) || 1;
    const cut = Math.min(24 * unit, d / 4), cx = (bx - ax) / d * cut, cy = (by - ay) / d * cut;
    const off = (n % 2 ? 1 : -1) * Math.floor(n / 2) * 9, ox = -(by - ay) / d * off, oy = (bx - ax) / d * off;
    const g = make("g", {});
    g.append(make("line", {class: s.h ? "shot" : "shot missed", x1: ax + cx + ox, y1: ay + cy + oy, x2: bx - cx + ox, y2: by - cy + oy, "marker-end": s.h ? "url(#hit)" : "url(#miss)"}));
    if (s.l) g.append(make("text", {class: "shotname", x: between(ax, bx, 0.3 + 0.06 * (n % 4)), y: between(ay, by, 0.3 + 0.06 * (n % 4)) + (n % 2 ? -8 : 18) * unit}, s.r ? `${s.l}: ${s.r}` : s.l));
    return g;
  }));
}

function list(i) {
  $("list").replaceChildren(...places(i).filter((p) => battle.ships[p.i].k !== "small").map((p) => {
    const s = battle.ships[p.i], tone = ships[p.i].tone, li = document.createElement("li"), b = document.createElement("b"), name = document.createElement("span");
    b.textContent = s.g; b.style.background = tone.fill; b.style.color = tone.letter;
    name.textContent = s.n; if (p.o === "dead") name.className = "out";
    const up = (p.h || []).map((h) => h[1]).join(" ");
    li.append(b, name, (p.o && p.o !== "dead" ? `, ${p.o === "ghost" ? "last seen here" : p.o}` : "") + (up ? `, shields ${up}` : ""));
    return li;
  }));
}

function tell(i) {
  for (const s of document.querySelectorAll("section.now")) s.classList.remove("now");
  const s = $(moments[i].id);
  s.classList.add("now");
  $("text").scrollTop = 0;
  $("now").textContent = s.querySelector("h2").firstChild.textContent.trim();
  $("scrub").value = i;
  $("scrub").setAttribute("aria-valuetext", $("now").textContent);
}

// go shows a moment; glide has the ships move to it.
function go(i, glide) {
  cancelAnimationFrame(motion);
  i = Math.max(0, Math.min(moments.length - 1, i));
  const from = view(index), to = view(i);
  index = i;
  tell(i); land(i);
  if (location.hash !== "#" + moments[i].id) history.replaceState(null, "", "#" + moments[i].id);
  const finish = () => {
    look(to); still(i, 1); ways(i); shots(i); list(i);
    if (!playing) return;
    if (i === moments.length - 1) return play(false);
    const began = performance.now(), rest = ((moments[i].x ? 1400 : 500) + Math.min(2500, 12 * $(moments[i].id).textContent.length)) / Number($("speed").value);
    const wait = (now) => { if (now - began < rest) motion = requestAnimationFrame(wait); else go(i + 1, true); };
    motion = requestAnimationFrame(wait);
  };
  if (!glide || calm.matches) return finish();
  $("shots").replaceChildren(); $("ways").replaceChildren();
  const long = (places(i).some((p) => p.w) ? 1100 : 250) / Number($("speed").value), began = performance.now();
  const step = (now) => {
    const f = Math.min(1, Math.max(0, (now - began) / long));
    look({x: between(from.x, to.x, f), y: between(from.y, to.y, f), w: between(from.w, to.w, f), h: between(from.h, to.h, f)});
    still(i, f);
    if (f < 1) motion = requestAnimationFrame(step); else finish();
  };
  motion = requestAnimationFrame(step);
}

function play(on) {
  playing = on;
  $("play").textContent = on ? "Pause" : "Play";
  $("play").setAttribute("aria-pressed", String(on));
  if (!on) go(index, false); else go(index === moments.length - 1 ? 0 : index + 1, true);
}
function step(i) { if (playing) play(false); go(i, i === index + 1); }

const at = () => moments.findIndex((m) => "#" + m.id === location.hash);
document.documentElement.classList.add("live");
$("stage").hidden = false;
$("scrub").max = moments.length - 1;
$("first").onclick = () => step(0);
$("back").onclick = () => step(index - 1);
$("on").onclick = () => step(index + 1);
$("last").onclick = () => step(moments.length - 1);
$("play").onclick = () => play(!playing);
$("scrub").oninput = () => step(Number($("scrub").value));
$("whole").onchange = () => go(index, false);
addEventListener("hashchange", () => { if (at() >= 0 && at() !== index) step(at()); $("stage").scrollIntoView(); });
addEventListener("load", () => requestAnimationFrame(() => scrollTo(0, 0))); // what a link names may stand far below
addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("select")) return;
  const keys = {ArrowLeft: () => step(index - 1), ArrowRight: () => step(index + 1), Home: () => step(0), End: () => step(moments.length - 1), " ": () => play(!playing)};
  if (!keys[e.key] || e.key === " " && e.target.matches("button, input[type=checkbox]")) return;
  e.preventDefault();
  keys[e.key]();
});
go(Math.max(0, at()), false);
})();
