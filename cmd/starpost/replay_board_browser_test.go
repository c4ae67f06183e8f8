package main

import (
	"encoding/base64"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestRealBrowserTurnsTheBoard uses the map of a replay like a board: it follows a ship, turns the map round, goes to a
// turn, takes a picture, and checks each ship's side and shields.
func TestRealBrowserTurnsTheBoard(t *testing.T) {
	v := visit{t, browser(t, "blob:http://127.0.0.1:")}
	url := replayed(t, "convoy")
	v.media("", "prefers-reduced-motion", "reduce")
	v.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(url+"#t1.p2"))

	// Each ship in the list is drawn as on the map, and has her side, place and shields.
	if wrong := look[[]string](v, `[...document.querySelectorAll("#list li")].map(li => {
		const name = li.querySelector("b").textContent, told = li.querySelector("span").textContent;
		const on = [...document.querySelectorAll("#ships > g")].find(g => g.querySelector(".name").textContent === name);
		const drawn = on.querySelector("use"), sign = li.querySelector(".sign use");
		const same = ["href", "fill", "stroke"].every(a => drawn.getAttribute(a) === sign.getAttribute(a));
		const bars = li.querySelector(".bars"), shields = bars ? bars.getAttribute("aria-label") : "";
		const rings = on.querySelectorAll(".ring use").length, up = [...shields.matchAll(/: (\d+) of/g)].filter(m => m[1] !== "0").length;
		return same && /^(Convoy|Raiders), \d{4}/.test(told) && rings === up ? "" : [name, told, same, rings, shields].join(" / ");
	}).filter(s => s)`); len(wrong) > 0 {
		t.Errorf("the list says %q", wrong)
	}
	if shapes := look[int](v, `new Set([...document.querySelectorAll("#list .sign use")].map(e => e.getAttribute("href"))).size`); shapes != 2 {
		t.Errorf("two sides have %d hulls", shapes)
	}

	// By keys alone the map follows a ship, and stops following her.
	const window = `document.getElementById("map").getAttribute("viewBox")`
	all := look[string](v, window)
	const at = `(() => { const b = document.getElementById("map").getAttribute("viewBox").split(" ").map(Number),
		[, x, y] = document.querySelector(".followed").getAttribute("transform").match(/translate\(([-.\d]+) ([-.\d]+)/).map(Number);
		return [(x - b[0]) / b[2], (y - b[1]) / b[3]] })()`
	look[int](v, `document.querySelector("#list button").focus(); 0`)
	v.do(chromedp.KeyEvent(kb.Enter))
	if her := look[[2]float64](v, at); her != [2]float64{0.5, 0.5} {
		t.Errorf("a ship that is followed stands at %v of the map", her)
	}
	if pressed := look[string](v, `document.activeElement.getAttribute("aria-pressed")`); pressed != "true" {
		t.Errorf("the name of a ship that is followed is pressed: %q", pressed)
	}
	v.do(chromedp.KeyEvent(kb.Enter))
	if look[string](v, window) != all {
		t.Error("a ship is followed though it was asked for no more")
	}
	// A click on the map does the same.
	v.do(chromedp.Click("#ships .ship"))
	if her := look[[2]float64](v, at); her != [2]float64{0.5, 0.5} {
		t.Errorf("a ship that was clicked stands at %v of the map", her)
	}
	v.do(chromedp.Click("#ships .ship"))

	// On the turned board each ship is on the opposite side and faces the opposite way.
	const stand = `[...document.querySelectorAll("#ships > g")].map(g => {
		const [, x, y] = g.getAttribute("transform").match(/translate\(([-.\d]+) ([-.\d]+)/).map(Number), h = Number(g.firstChild.getAttribute("transform").match(/[-.\d]+/)[0]);
		return [x, y, (h % 360 + 360) % 360] })`
	was := look[[][3]float64](v, stand)
	v.do(chromedp.Click(chromedp.ID("flip")))
	for i, is := range look[[][3]float64](v, stand) {
		if turned := int(is[2]-was[i][2]+360) % 360; is[0] != -was[i][0] || is[1] != -was[i][1] || turned != 180 {
			t.Errorf("on the board turned round a ship of %v is at %v", was[i], is)
		}
	}
	v.shoot("replay-flipped")
	v.do(chromedp.Click(chromedp.ID("flip")))

	// Each turn has a mark, and Page Down goes from turn to turn.
	v.do(chromedp.Click(`#turns a[href="#t2"]`))
	if now := look[string](v, `location.hash + document.querySelector("#turns [aria-current]").textContent`); now != "#t22" {
		t.Errorf("the mark of turn 2 leads to %s", now)
	}
	v.do(chromedp.KeyEvent(kb.PageDown))
	if now := look[string](v, `location.hash`); now != "#t3" {
		t.Errorf("Page Down leads to %s", now)
	}

	// A picture is a PNG of the map and the text below it.
	picture := look[string](v, `new Promise(done => {
		URL.createObjectURL = (real => blob => {
			if (blob.type === "image/png") { const r = new FileReader(); r.onload = () => done(r.result); r.readAsDataURL(blob) }
			return real(blob);
		})(URL.createObjectURL.bind(URL));
		document.getElementById("share").click() })`, chromedp.EvalAwaitPromise)
	image, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(strings.TrimPrefix(picture, "data:image/png;base64,"))))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[any]bool{}
	for x := range image.Bounds().Dx() {
		for y := range image.Bounds().Dy() {
			colours[image.At(x, y)] = true
		}
	}
	if image.Bounds().Dx() < 1000 || len(colours) < 20 {
		t.Errorf("the picture is %v with %d colours", image.Bounds(), len(colours))
	}

	// On a phone the map and its buttons stay in view while the text scrolls.
	for _, width := range []int64{390, 320} {
		v.do(chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile), chromedp.Navigate("about:blank"), chromedp.Navigate(url+"#t1.p2"))
		if wide := look[int64](v, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("where there is room for %d the page is %d wide", width, wide)
		}
		look[int](v, `scrollTo(0, 1e6); 0`)
		if away := look[[]string](v, `["map", "play", "scrub"].filter(id => { const r = document.getElementById(id).getBoundingClientRect(); return r.top < 0 || r.bottom > innerHeight })`); len(away) > 0 {
			t.Errorf("at %d, below in the text, one does not see %q", width, away)
		}
		if room := look[float64](v, `innerHeight - document.getElementById("stage").getBoundingClientRect().bottom`); room < 240 {
			t.Errorf("at %d the text has only %.0f of the height", width, room)
		}
	}

	for _, scheme := range []string{"light", "dark"} {
		v.media("", "prefers-color-scheme", scheme)
		v.accessible("the replay, " + scheme)
	}
}

// TestRealBrowserReadsReports opens reports of battles with ship sheets, many ships, terrain and darkness, at phone
// widths and wider, in light and dark mode.
func TestRealBrowserReadsReports(t *testing.T) {
	v := visit{t, browser(t)}
	w := newSiteWorld(t)
	for ship, args := range map[string][]string{
		"Hood":     {"--scenario", "house-duel"},
		"Brenton":  {"--scenario", "fleet-action"},
		"Loknar":   {"--scenario", "needle"},
		"Chilkoot": {"--scenario", "three-on-three", "--blind"},
		"Valiant":  {"--scenario", "first-command"},
	} {
		w.play(ship, 2, args...)
		page := starpost(t, "report", w.game(ship), "--as", ship, "--html")
		if err := os.WriteFile(filepath.Join(w.dir, ship+".html"), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(w.dir, "favicon.ico"), nil, 0o600); err != nil { // browsers request it
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(w.dir)))
	t.Cleanup(s.Close)
	for _, ship := range []string{"Hood", "Brenton", "Loknar", "Chilkoot", "Valiant"} {
		v.do(chromedp.Navigate(s.URL + "/" + ship + ".html"))
		for _, width := range []int64{320, 390, 1280} {
			v.do(chromedp.EmulateViewport(width, 900))
			if wide := look[int64](v, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("the report of %s is %d wide where there is room for %d", ship, wide, width)
			}
			for _, scheme := range []string{"light", "dark"} {
				v.media("", "prefers-color-scheme", scheme)
				v.accessible(fmt.Sprintf("the report of %s, %s, %d wide", ship, scheme, width))
				v.shoot(fmt.Sprintf("report-%s-%s-%d", ship, scheme, width))
			}
		}
	}
}

// accessible checks the open page against the rules for all pages: headings in order below a single one, table
// headers with a scope, names for controls and for drawings that are not decorative, and text contrast as required by
// WCAG 2.
func (v visit) accessible(page string) {
	v.Helper()
	if wrong := look[[]string](v, `(() => {
		const out = [], seen = (e) => e.getClientRects().length > 0;
		let level = 0;
		for (const h of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
			const n = Number(h.tagName[1]);
			if (n > level + 1 || n === 1 && level > 0) out.push("heading " + h.textContent + " comes after one of level " + level);
			level = n;
		}
		if (level === 0) out.push("no heading");
		for (const th of document.querySelectorAll("th")) if (!th.scope || !th.textContent.trim()) out.push("a head of a table: " + th.outerHTML);
		for (const table of document.querySelectorAll("table:not([role=presentation])")) if (!table.querySelector("th")) out.push("a table without heads");
		for (const e of document.querySelectorAll("button, input, select, nav, a, svg")) {
			if (e.closest("[aria-hidden=true]") || e.parentElement.closest("svg")) continue;
			const name = e.getAttribute("aria-label") || e.getAttribute("aria-labelledby") || e.querySelector(":scope > title")?.textContent || e.tagName !== "svg" && e.textContent.trim() || e.closest("label");
			if (!name) out.push("no name: " + e.outerHTML.slice(0, 80));
		}
		const colour = (s) => (s.match(/[\d.]+/g) || []).map(Number);
		const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => { const x = c[i] / 255; return sum + w * (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4) }, 0);
		for (const e of document.querySelectorAll("body *")) {
			if (e.closest("svg") || !seen(e) || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
			let ground = e;
			while (ground && (c => c.length === 4 && c[3] === 0)(colour(getComputedStyle(ground).backgroundColor))) ground = ground.parentElement;
			const on = ground ? colour(getComputedStyle(ground).backgroundColor) : [255, 255, 255], [a, b] = [light(colour(getComputedStyle(e).color)), light(on)];
			const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (contrast < 4.5) out.push(contrast.toFixed(2) + " is the contrast of " + e.textContent.trim().slice(0, 40));
		}
		return out })()`); len(wrong) > 0 {
		v.Errorf("%s: %q", page, wrong)
	}
}
