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
let sense = 1; // -1 when the board is turned round
const x = (col) => sense * 60 * (col - 1);
const y = (col, row) => sense * (70 * (row - 1) + (col % 2 === 0 ? 35 : 0));
const hex = (at) => [at[0], at[1]].map((n) => String(n).padStart(2, "0")).join(at[0] > 99 || at[1] > 99 || at[0] < 0 || at[1] < 0 ? "/" : "");

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
// What a link names is shown by the map at the top: the browser is not to go where its text stands.
const sections = moments.map((m) => $(m.id));
for (const s of sections) s.removeAttribute("id");
let followed = -1; // the number of the ship that the map stays with

// hull is how a ship is drawn: her side's shape and colours, as on all maps of the game, and what has become of her.
function hull(s, tone, state) {
  const paint = {fill: tone.fill, stroke: tone.line};
  const states = {dead: {fill: "#ccc", stroke: "#777"}, ghost: {...paint, fill: "#fff", "fill-opacity": 0.6, "stroke-dasharray": "3 2"}, cloaked: {...paint, "fill-opacity": 0.35, "stroke-dasharray": "5 2"}};
  const g = make("g", {class: "hull", "stroke-width": 1.4, ...(s.k === "small" ? {transform: "scale(.55)"} : {})});
  g.append(make("use", {href: "#" + (s.k === "fixed" ? "st" : tone.shape), ...(states[state] || paint)}));
  if (state === "dead") g.append(make("path", {d: "M-15-15L15 15M15-15L-15 15", stroke: "#777", "stroke-width": 2}));
  return g;
}
const letter = (tone, state) => state === "dead" || state === "ghost" ? "#000" : tone.letter;

const ships = battle.ships.map((s) => {
  const tone = battle.sides[s.s] || battle.sides[0];
  const g = make("g", {});
  const body = make("g", {});
  const rings = make("g", {class: "ring"});
  body.append(hull(s, tone, ""), rings);
  g.append(body, make("text", {y: 5, fill: tone.letter}, s.k === "small" ? "" : s.g), make("text", {class: "name", y: s.k === "small" ? 24 : 46}, s.n));
  g.append(make("title", {}, `${s.n}, ${tone.name}`));
  return {g, body, rings, tone, data: s, state: null, shields: ""};
});

let frame; // of all that is met on a field without an edge
function ground() {
  if (battle.bounds) {
    const [cols, rows] = battle.bounds, w = 60 * (cols - 1) + 100, h = 70 * rows + 35 + 20;
    frame = sense > 0 ? {x: -50, y: -45, w, h} : {x: 50 - w, y: 45 - h, w, h};
  } else {
    frame = around(shown.flatMap((all) => [...all.values()]), 4);
  }
  const wide = battle.bounds ? 0 : 6000; // a field without an edge goes on beyond what was met
  $("ground").replaceChildren(make("rect", {class: battle.bounds ? "field" : "", x: frame.x - wide, y: frame.y - wide, width: frame.w + 2 * wide, height: frame.h + 2 * wide, fill: "url(#hexes)"}));
}
ground();

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
  const pad = 65 * room, w = Math.max(r - l, 200) + 2 * pad, h = Math.max(b - t, 200) + 2 * pad;
  return {x: (l + r - w) / 2, y: (t + b - h) / 2, w, h};
}

// view is what a moment's map shows: the ship that is followed, where the ships in the fight are, or the whole field.
function view(i) {
  if ($("whole").checked) return frame;
  const her = shown[i].get(followed);
  if (her) return around([{a: her.a}], 4);
  const living = (k) => places(Math.max(k, 0)).filter((p) => !p.o || p.o === "cloaked");
  const near = [...living(i - 1), ...living(i)];
  const some = near.length ? near : places(i);
  return some.length || !battle.bounds ? around(some, 3) : frame;
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
  if (ship.data.k !== "fixed") ship.body.setAttribute("transform", `rotate(${(60 * (from[2] + turn * g + (sense < 0 ? 3 : 0))).toFixed(1)})`);
}

function dress(ship, p) {
  const state = p.o || "";
  const now = ["ship", state, p.i === followed ? "followed" : ""].join(" ");
  if (ship.state !== now) {
    ship.state = now;
    ship.g.setAttribute("class", now);
    ship.body.firstChild.replaceWith(hull(ship.data, ship.tone, state));
    ship.g.querySelector("text").setAttribute("fill", letter(ship.tone, state));
  }
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
    make("polyline", {class: "way", stroke: ships[p.i].tone.line, "stroke-dasharray": ships[p.i].tone.dash || "none", points: [...p.w, p.a].map((a) => `${x(a[0])},${y(a[0], a[1])}`).join(" ")})));
}

// Shots between the same hexes lie side by side, and cross no letter of a ship. What is written at them stands where
// nothing else is written, if there is such a place.
function shots(i) {
  const seen = {}, written = places(i).map((p) => [x(p.a[0]), y(p.a[0], p.a[1]) + 42 * unit, 4.2 * unit * battle.ships[p.i].n.length]);
  const free = (text, spots) => {
    const w = 4.2 * unit * text.length, h = 8 * unit;
    const spot = spots.find(([sx, sy]) => written.every(([ox, oy, ow]) => Math.abs(sx - ox) > w + ow || Math.abs(sy - oy) > 2 * h)) || spots[0];
    written.push([...spot, w]);
    return {x: spot[0], y: spot[1]};
  };
  $("shots").replaceChildren(...(moments[i].x || []).map((s) => {
    const key = s.a + ">" + s.b, n = seen[key] = (seen[key] || 0) + 1;
    const ax = x(s.a[0]), ay = y(...s.a), bx = x(s.b[0]), by = y(...s.b), d = Math.hypot(bx - ax, by - ay) || 1;
    const cut = Math.min(24 * unit, d / 4), cx = (bx - ax) / d * cut, cy = (by - ay) / d * cut;
    const off = (n % 2 ? 1 : -1) * Math.floor(n / 2) * 9, ox = -(by - ay) / d * off, oy = (bx - ax) / d * off;
    const g = make("g", {});
    g.append(make("line", {class: s.h ? "shot" : "shot missed", x1: ax + cx + ox, y1: ay + cy + oy, x2: bx - cx + ox, y2: by - cy + oy, "marker-end": s.h ? "url(#hit)" : "url(#miss)"}));
    if (s.l) {
      const text = s.r ? `${s.l}: ${s.r}` : s.l, down = (n % 2 ? -8 : 18) * unit;
      const spots = [0.3, 0.42, 0.54, 0.66, 0.2].flatMap((f) => [0, 16, -16].map((more) => [between(ax, bx, f), between(ay, by, f) + down + more * unit]));
      g.append(make("text", {class: "shotname", ...free(text, spots)}, text));
    }
    return g;
  }));
}

// bars show the shields of a ship, each by its number and as high as what is left of it.
function bars(shields) {
  const b = make("svg", {class: "bars", viewBox: `0 0 ${Math.max(13 * shields.length, 40)} 41`, width: Math.max(13 * shields.length, 40), height: 41, role: "img",
    "aria-label": "shields " + shields.map((h) => `${h[3]}: ${h[1]} of ${h[2]}`).join(", ")});
  for (const [k, [, now, most, no]] of shields.entries()) {
    const high = most > 0 ? 18 * now / most : 0;
    b.append(make("rect", {class: "room", x: 13 * k + 1, y: 0.5, width: 10, height: 18}), make("rect", {class: "left", x: 13 * k + 1, y: 18.5 - high, width: 10, height: high}));
    b.append(make("text", {x: 13 * k + 6, y: 29}, no), make("title", {}, b.getAttribute("aria-label")));
  }
  b.append(make("text", {x: Math.max(6.5 * shields.length, 20), y: 40}, "shields"));
  return b;
}

// list says who is where; a press on a name has the map follow her.
function list(i) {
  const focused = document.activeElement?.getAttribute("data-ship");
  $("list").replaceChildren(...places(i).filter((p) => battle.ships[p.i].k !== "small").map((p) => {
    const s = battle.ships[p.i], tone = ships[p.i].tone, li = document.createElement("li"), press = document.createElement("button"), name = document.createElement("b"), about = document.createElement("span");
    const sign = make("svg", {class: "sign", viewBox: "-21 -21 42 42", width: 30, height: 30, "aria-hidden": "true"});
    sign.append(hull(s, tone, p.o), make("text", {y: 5, fill: letter(tone, p.o)}, s.g));
    press.type = "button";
    press.setAttribute("data-ship", String(p.i));
    press.setAttribute("aria-pressed", String(p.i === followed));
    press.title = "Follow on the map";
    name.textContent = s.n;
    if (p.o === "dead") name.className = "out";
    press.onclick = () => follow(p.i);
    const states = {ghost: "last seen here", dead: "out of the fight"};
    about.textContent = [tone.name, hex(p.a) + (s.k === "fixed" || p.a[2] < 0 || p.a[2] > 5 ? "" : " heading " + "ABCDEF"[p.a[2]]), p.o ? states[p.o] || p.o : ""].filter((t) => t).join(", ");
    press.append(name, about);
    li.append(sign, press);
    if (p.h?.length) li.append(bars(p.h));
    return li;
  }));
  if (focused) $("list").querySelector(`[data-ship="${focused}"]`)?.focus();
}

// follow has the map stay with a ship, or no more with her.
function follow(n) {
  followed = followed === n ? -1 : n;
  $("whole").checked = false;
  if (playing) play(false); else go(index, false);
}

function tell(i) {
  for (const s of document.querySelectorAll("section.now")) s.classList.remove("now");
  const s = sections[i];
  s.classList.add("now");
  $("text").scrollTop = 0;
  $("now").textContent = s.querySelector("h2").firstChild.textContent.trim();
  $("scrub").value = i;
  $("scrub").setAttribute("aria-valuetext", $("now").textContent);
  for (const a of $("turns").children) a.toggleAttribute("aria-current", a === turnOf(i));
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
    const began = performance.now(), rest = ((moments[i].x ? 1400 : 500) + Math.min(2500, 12 * sections[i].textContent.length)) / Number($("speed").value);
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
// turns are the moments at which turns begin, with their marks below the bar.
const turns = [];
for (const [i, m] of moments.entries()) {
  const no = m.id.split(".")[0];
  if (i > 0 && moments[i - 1].id.split(".")[0] === no) continue;
  const a = document.createElement("a");
  a.href = "#" + m.id;
  a.textContent = no.slice(1);
  a.setAttribute("aria-label", i === 0 ? "Before the battle" : "Turn " + no.slice(1));
  a.style.setProperty("--at", (moments.length > 1 ? i / (moments.length - 1) : 0).toFixed(4));
  a.onclick = (e) => { e.preventDefault(); step(i); };
  turns.push({i, a});
  $("turns").append(a);
}
function turnOf(i) { return turns.findLast((t) => t.i <= i)?.a; }
// thin leaves out the numbers of marks that would run into each other.
function thin() {
  let end = -Infinity;
  for (const {a} of turns) {
    a.classList.remove("bare");
    const r = a.getBoundingClientRect();
    if (r.left < end) a.classList.add("bare"); else end = r.right;
  }
}

// picture is the map as it stands, as a file: what the style sheet says of its parts is written into them.
function picture() {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true)), from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
  for (const [k, e] of from.entries()) {
    const style = getComputedStyle(e);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "paint-order"]) to[k].setAttribute(name, style.getPropertyValue(name));
    to[k].removeAttribute("class");
  }
  const scale = 2, width = svg.clientWidth * scale, height = svg.clientHeight * scale, foot = 28 * scale;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("style");
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml"}));
  const image = new Image(), canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  const said = (text) => { $("said").textContent = text; };
  image.onerror = () => { URL.revokeObjectURL(url); said("This browser cannot save a picture of the map."); };
  image.onload = () => {
    URL.revokeObjectURL(url);
    canvas.width = width; canvas.height = height + foot;
    const paper = getComputedStyle(document.body);
    pen.fillStyle = paper.backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, width, height);
    pen.fillStyle = paper.color;
    pen.font = `${15 * scale}px Helvetica,Arial,sans-serif`;
    pen.fillText(`${document.querySelector("h1").textContent}: ${$("now").textContent}`, 10 * scale, height + 19 * scale, width - 20 * scale);
    canvas.toBlob((blob) => {
      if (!blob) return said("This browser cannot save a picture of the map.");
      const a = document.createElement("a");
      a.href = URL.createObjectURL(blob);
      a.download = `${document.body.dataset.game}-${moments[index].id}.png`;
      a.click();
      setTimeout(() => URL.revokeObjectURL(a.href), 60000);
      said("Saved as " + a.download);
    });
  };
  image.src = url;
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
$("flip").onclick = () => {
  sense = -sense;
  $("flip").setAttribute("aria-pressed", String(sense < 0));
  field = -1;
  ground();
  go(index, false);
};
$("share").onclick = picture;
if (navigator.clipboard) {
  $("copy").hidden = false;
  $("copy").onclick = () => navigator.clipboard.writeText(location.href).then(() => { $("said").textContent = "Link copied."; }, () => { $("said").textContent = "Copy the address of this page: it leads to this moment."; });
}
svg.onclick = (e) => {
  const n = ships.findIndex((s) => s.g.contains(e.target));
  if (n >= 0) follow(n); else if (followed >= 0) follow(followed);
};
addEventListener("resize", thin);
addEventListener("hashchange", () => { if (at() >= 0 && at() !== index) step(at()); $("stage").scrollIntoView(); });
scrollTo(0, 0);
addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.target.matches("select")) return;
  const keys = {ArrowLeft: () => step(index - 1), ArrowRight: () => step(index + 1), PageUp: () => step(turns.findLast((t) => t.i < index)?.i ?? 0), PageDown: () => step(turns.find((t) => t.i > index)?.i ?? moments.length - 1), Home: () => step(0), End: () => step(moments.length - 1), " ": () => play(!playing)};
  if (!keys[e.key] || e.key === " " && e.target.matches("button, a, input[type=checkbox]")) return;
  e.preventDefault();
  keys[e.key]();
});
go(Math.max(0, at()), false);
thin();
})();
