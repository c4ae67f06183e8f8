package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser starts the browser named by STARPOST_TEST_BROWSER, once per test. Console errors of a page are test errors,
// and so are requests to other machines, except to addresses with one of the given prefixes.
func browser(t *testing.T, also ...string) context.Context {
	t.Helper()
	program := os.Getenv("STARPOST_TEST_BROWSER")
	if program == "" {
		t.Skip("STARPOST_TEST_BROWSER names no browser; .ci/servers does")
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(program), chromedp.NoSandbox),
		chromedp.WithListener(func(e any) {
			switch e := e.(type) {
			case *runtime.EventExceptionThrown:
				t.Errorf("the page fails: %v", e.ExceptionDetails)
			case *log.EventEntryAdded:
				t.Errorf("the browser says: %s (%s)", e.Entry.Text, e.Entry.URL)
			case *network.EventRequestWillBeSent:
				own := func(begin string) bool { return strings.HasPrefix(e.Request.URL, begin) }
				if !slices.ContainsFunc(append(also, "http://127.0.0.1:"), own) {
					t.Errorf("the page asks for %s", e.Request.URL)
				}
			}
		}))
	t.Cleanup(stop)
	return ctx
}

// visit is a page in a browser; errors end its test.
type visit struct {
	*testing.T
	ctx context.Context
}

func (v visit) do(steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	if err := chromedp.Do(v.ctx, steps...); err != nil {
		v.Fatal(err)
	}
}

// look returns the result of a script on the page.
func look[R any](v visit, script string, o ...chromedp.EvaluateOption) R {
	v.Helper()
	out, err := chromedp.Run(v.ctx, chromedp.Evaluate[R](script, o...))
	if err != nil {
		v.Fatalf("%s: %v", script, err)
	}
	return out
}

// media emulates a medium and user preferences, as pairs of a feature and its value.
func (v visit) media(medium string, features ...string) {
	v.Helper()
	p := emulation.SetEmulatedMediaParams{Media: medium}
	for i := 0; i < len(features); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	if _, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia, p); err != nil {
		v.Fatal(err)
	}
}

// replayed serves the replay of a battle fought to the end by robots.
func replayed(t *testing.T, scenario string) string {
	t.Helper()
	dir := t.TempDir()
	starpost(t, "demo", "--scenario", scenario, "--keep", filepath.Join(dir, "kept"))
	games, err := filepath.Glob(filepath.Join(dir, "kept", "*", "game.toml"))
	if err != nil || len(games) != 1 {
		t.Fatalf("the demo kept the games %q, %v", games, err)
	}
	starpost(t, "replay", filepath.Dir(games[0]), "--out", filepath.Join(dir, "replay.html"))
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(s.Close)
	return s.URL + "/replay.html"
}

// TestRealBrowserWatchesAReplay goes through a replay as people do: by buttons, keys, the bar and links, on a phone,
// in dark mode, on paper and without scripts.
func TestRealBrowserWatchesAReplay(t *testing.T) {
	v := visit{t, browser(t)}
	url := replayed(t, "convoy")
	shows := func(what, title, hash string) {
		t.Helper()
		if got := look[[2]string](v, `[document.getElementById("now").textContent, location.hash]`); got != [2]string{title, hash} {
			t.Errorf("%s: shows %q, want %q at %q", what, got, title, hash)
		}
	}
	key := func(k string) { t.Helper(); v.do(chromedp.KeyEvent(k)) }
	click := func(id string) { t.Helper(); v.do(chromedp.Click(chromedp.ID(id))) }

	v.media("", "prefers-reduced-motion", "reduce")
	v.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(url))
	shows("opened", "Before the battle", "#t0")
	moments := look[int](v, `document.querySelectorAll("section").length`)
	if ships := look[int](v, `document.querySelectorAll("#ships > g").length`); moments < 8 || ships < 6 {
		t.Errorf("the page has %d moments and draws %d ships", moments, ships)
	}
	key(kb.ArrowRight)
	shows("right arrow", "Turn 1 begins", "#t1")
	click("on")
	shows("the button On", "Turn 1, phase 1", "#t1.p1")
	click("back")
	shows("the button Back", "Turn 1 begins", "#t1")
	key(kb.End)
	if at := look[int](v, `Number(document.getElementById("scrub").value)`); at != moments-1 {
		t.Errorf("End leads to moment %d of %d", at, moments)
	}
	key(kb.Home)
	shows("Home", "Before the battle", "#t0")
	look[int](v, `{ const s = document.getElementById("scrub"); s.value = 2; s.dispatchEvent(new Event("input")) } 0`)
	shows("the bar", "Turn 1, phase 1", "#t1.p1")
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(url+"#t1.p2"))
	shows("a link", "Turn 1, phase 2", "#t1.p2")
	if n := look[int](v, `document.querySelectorAll("#shots line").length`); n == 0 {
		t.Error("no shot is drawn in the phase in which some fell")
	}
	// Each is drawn with its weapon and roll, as in the text beside it.
	if untold := look[[]string](v, `[...document.querySelectorAll("#shots text")].map(e => e.textContent).filter(s => {
		const [, weapon, roll] = s.match(/^(\S+): (\d+)$/) || [];
		return !weapon || !document.querySelector("section.now").textContent.match(new RegExp("fires " + weapon + " .* rolled " + roll));
	})`); len(untold) > 0 {
		t.Errorf("shots are drawn as %q", untold)
	}
	const width = `Number(document.getElementById("map").getAttribute("viewBox").split(" ")[2])`
	fight := look[float64](v, width)
	click("whole")
	if whole := look[float64](v, width); whole <= fight {
		t.Errorf("the whole field is %.0f wide, the fight %.0f", whole, fight)
	}
	click("whole")
	v.shoot("replay-1280")
	v.do(chromedp.EmulateViewport(800, 900))
	if wide := look[int](v, `document.documentElement.scrollWidth`); wide > 800 {
		t.Errorf("where there is room for 800 the page is %d wide", wide)
	}
	v.shoot("replay-800")
	v.do(chromedp.EmulateViewport(1280, 900))

	// In play mode, the battle advances by itself, and ships glide.
	v.media("")
	look[int](v, `document.getElementById("speed").value = "4"; 0`)
	key(kb.Home)
	click("now") // so that the box no longer receives the space
	key(" ")
	if _, err := chromedp.Run(v.ctx, chromedp.Poll[bool](`location.hash === "#t1.p1"`)); err != nil {
		t.Fatalf("the battle does not play: %v", err)
	}
	worst := look[float64](v, `new Promise(done => {
		let n = 0, worst = 0, last = performance.now();
		const tick = () => { const t = performance.now(); worst = Math.max(worst, t - last); last = t; if (++n < 30) requestAnimationFrame(tick); else done(worst) };
		requestAnimationFrame(tick) })`, chromedp.EvalAwaitPromise)
	t.Logf("longest of 30 frames while it plays: %.1f ms", worst)
	key(" ")
	if got := look[string](v, `document.getElementById("play").textContent`); got != "Play" {
		t.Errorf("when it pauses the button says %q", got)
	}

	// On a phone nothing is wider than the page, and buttons are large enough.
	v.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile), chromedp.Navigate("about:blank"), chromedp.Navigate(url+"#t1.p2"))
	if wide := look[int](v, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("on a phone the page is %d wide", wide)
	}
	if small := look[int](v, `[...document.querySelectorAll("button, select")].filter(e => e.getBoundingClientRect().height < 40).length`); small > 0 {
		t.Errorf("on a phone %d buttons are small", small)
	}
	v.shoot("replay-390")

	v.media("", "prefers-color-scheme", "dark")
	if paper := look[string](v, `getComputedStyle(document.body).backgroundColor`); paper != "rgb(22, 27, 33)" {
		t.Errorf("in the dark the paper is %s", paper)
	}
	v.shoot("replay-dark")

	// On paper, and without scripts, the page shows the whole battle.
	v.media("print")
	if hidden := look[int](v, `[...document.querySelectorAll("section, pre")].filter(e => e.getClientRects().length === 0).length`); hidden > 0 {
		t.Errorf("%d parts of the battle are not printed", hidden)
	}
	v.media("")
	if _, err := chromedp.Call(v.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(url))
	layout, err := chromedp.Call(v.ctx, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if high := layout.CSSContentSize.Height; high < 10*844 {
		t.Errorf("without scripts the page is only %.0f high", high)
	}
}

// TestRealBrowserDrawsAFleetInTime checks that while twenty ships glide, each frame's work is short enough for 60
// frames a second. It measures only the page's own work.
func TestRealBrowserDrawsAFleetInTime(t *testing.T) {
	v := visit{t, browser(t)}
	v.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(replayed(t, "fleet-action")))
	middle := look[float64](v, `new Promise(done => {
		const real = window.requestAnimationFrame.bind(window), costs = [];
		window.requestAnimationFrame = (f) => real((now) => {
			const began = performance.now();
			f(now);
			costs.push(performance.now() - began);
			if (costs.length === 120) done(costs.sort((a, b) => a - b)[60]);
		});
		document.getElementById("play").click() })`, chromedp.EvalAwaitPromise)
	t.Logf("half of 120 frames took at most %.2f ms", middle)
	if middle >= 16 {
		t.Errorf("half of the frames take more than %.1f ms, want less than 16", middle)
	}
}

// TestRealBrowserWalksTheSite visits the pages of a host at three widths, by keys alone, in dark mode, on paper and
// without scripts.
func TestRealBrowserWalksTheSite(t *testing.T) {
	v := visit{t, browser(t)}
	w := newSiteWorld(t)
	w.play("wolf", 2, people...)
	w.play("night", 1, append(people, "--blind")...)
	w.play("fleet", 2, "--scenario", "fleet-action")
	w.play("free", 0, people[:2]...)
	w.edit("free", "open = false", "open = true")
	w.end("won", people...)
	w.write()
	s := httptest.NewServer(http.FileServer(http.Dir(w.config.Site.Dir)))
	t.Cleanup(s.Close)
	pages := []string{"index.html", "results.html", "games/wolf.html", "games/night.html", "games/fleet.html", "games/free.html", "games/won.html"}

	for _, width := range []int64{320, 390, 800, 1280} {
		v.do(chromedp.EmulateViewport(width, 900))
		for _, name := range pages {
			v.do(chromedp.Navigate(s.URL + "/" + name))
			if wide := look[int64](v, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s is %d wide where there is room for %d", name, wide, width)
			}
			v.accessible(name)
			v.shoot(fmt.Sprintf("%s-%d", strings.ReplaceAll(name, "/", "-"), width))
		}
	}

	// By keys alone: skip to the content, and reach every link in page order.
	v.do(chromedp.Navigate(s.URL+"/index.html"), chromedp.KeyEvent(kb.Tab))
	if first := look[string](v, `document.activeElement.textContent`); first != "Skip to content" {
		t.Errorf("the first thing that keys reach is %q", first)
	}
	links := look[int](v, `document.querySelectorAll("a").length`)
	reached := map[string]bool{}
	for range links {
		reached[look[string](v, `document.activeElement.outerHTML`)] = true
		if bare := look[bool](v, `getComputedStyle(document.activeElement).outlineStyle === "none"`); bare {
			t.Errorf("one cannot see that keys are at %s", look[string](v, `document.activeElement.outerHTML`))
		}
		v.do(chromedp.KeyEvent(kb.Tab))
	}
	if distinct := look[int](v, `new Set([...document.querySelectorAll("a")].map(a => a.outerHTML)).size`); len(reached) != distinct {
		t.Errorf("keys reach %d of %d links", len(reached), distinct)
	}
	look[int](v, `document.querySelector('a[href="games/wolf.html"]').focus(); 0`)
	v.do(chromedp.KeyEvent(kb.Enter))
	v.leads("Enter at a game", `location.pathname === "/games/wolf.html" && document.readyState === "complete"`)
	look[int](v, `document.querySelector('a[href="../replays/wolf.html#t1"]').focus(); 0`)
	v.do(chromedp.KeyEvent(kb.Enter))
	v.leads("Enter at a turn", `location.hash === "#t1" && document.getElementById("now")?.textContent === "Turn 1 begins"`)

	// Every link of every page leads somewhere.
	seen := map[string]bool{}
	for _, name := range pages {
		v.do(chromedp.Navigate(s.URL + "/" + name))
		for _, to := range look[[]string](v, `[...document.querySelectorAll("a[href], link[href]")].map(a => a.href).filter(h => !h.startsWith("mailto:"))`) {
			to, _, _ = strings.Cut(to, "#")
			if seen[to] {
				continue
			}
			seen[to] = true
			answer, err := http.Get(to)
			if err != nil {
				t.Fatal(err)
			}
			if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("%s links to %s: %s", name, to, answer.Status)
			}
		}
	}

	v.do(chromedp.EmulateViewport(800, 900))
	v.media("", "prefers-color-scheme", "dark")
	v.do(chromedp.Navigate(s.URL + "/games/won.html"))
	if paper := look[string](v, `getComputedStyle(document.body).backgroundColor`); paper != "rgb(22, 27, 33)" {
		t.Errorf("in the dark the paper is %s", paper)
	}
	v.shoot("dark")
	for _, name := range pages {
		v.do(chromedp.Navigate(s.URL + "/" + name))
		v.accessible(name + " in the dark")
	}
	v.media("print")
	if shown := look[int](v, `[...document.querySelectorAll("nav, .button")].filter(e => e.getClientRects().length > 0).length`); shown > 0 {
		t.Errorf("%d things to press are printed", shown)
	}
	if hidden := look[int](v, `[...document.querySelectorAll("h1, h2, table, .story li, svg")].filter(e => e.getClientRects().length === 0).length`); hidden > 0 {
		t.Errorf("%d parts of the page are not printed", hidden)
	}
	v.shoot("print")
	v.media("")
	if _, err := chromedp.Call(v.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.Navigate(s.URL + "/index.html"))
	layout, err := chromedp.Call(v.ctx, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if high := layout.CSSContentSize.Height; high < 900 {
		t.Errorf("without scripts the list is only %.0f high", high)
	}
}

// leads waits until a script's condition is true, even while another page loads.
func (v visit) leads(what, script string) {
	v.Helper()
	var err error
	for range 5 { // no script can run while a page loads
		if _, err = chromedp.Run(v.ctx, chromedp.Poll[bool](script)); err == nil {
			return
		}
	}
	v.Fatalf("%s does not lead where it should: %v", what, err)
}

// shoot saves a screenshot of the whole page in the folder named by STARPOST_TEST_SHOTS.
func (v visit) shoot(name string) {
	v.Helper()
	dir := os.Getenv("STARPOST_TEST_SHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(v.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		v.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600); err != nil {
		v.Fatal(err)
	}
}
