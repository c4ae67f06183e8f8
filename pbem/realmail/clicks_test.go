//go:build integration

package realmail_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"starpost/engine"
	"starpost/pbem/demo"
)

// wayToOrders matches the line of a report with the link to the page for composing orders.
var wayToOrders = regexp.MustCompile(`(?m)^Compose your orders: (\S+)$`)

// mostTurns is the number of turns after which the captain surrenders, by clicks too.
const mostTurns = 30

// TestRealClicks plays a practice battle to its end using only a mail program and clicks on the page that each report links
// to. In each phase it clicks a course and all the fire that is offered, then pastes the copied orders into a reply. A turn
// takes two mails: a report and the reply. Turns alternate between the screen size of a desktop and a phone.
func TestRealClicks(t *testing.T) {
	program := os.Getenv("STARPOST_TEST_BROWSER")
	if program == "" {
		t.Skip("STARPOST_TEST_BROWSER names no browser; .ci/servers does")
	}
	s := realServers(t).world(t, "clicks")
	bin, dir := build(t), t.TempDir()
	for _, folder := range []string{"games", "site"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	site := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "site"))))
	t.Cleanup(site.Close)
	file := configure(t, s, dir, "answers_per_hour = 100")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, string(text)+"[lobby]\ncreate = \"anyone\"\npractice = 1\ngames = 5\n[site]\ndir = \"site\"\nurl = \""+site.URL+"/\"\n")
	d := newDaemon(t, bin, file)
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := lasting(t)
	defer cancel()
	d.awaitMailbox(ctx)
	fay := person(t, s, "fay")
	fay.mail(ctx, t, s.address("starpost"), "practice big-bad-wolf")
	fay.confirms(ctx, t, "request")
	fay.await(ctx, t, "Your game is made")

	p := newPage(ctx, t, program, site.URL)
	turns := 0
	for {
		l, err := fay.next(ctx, "begins: Hood", "report for Hood", "The battle is over", "over after")
		if err != nil {
			t.Fatal(err)
		}
		r, err := demo.ReadReport(l.raw, catalogue())
		if err != nil || r.View == nil {
			t.Fatalf("%q is no report: %v", l.Subject, err)
		}
		if r.View.Result != nil {
			t.Logf("%d exchanges of mails, %d clicks: %s", turns, p.clicks, l.Subject)
			break
		}
		if turns++; turns > mostTurns+1 {
			t.Fatalf("after %d turns it is not over", turns)
		}
		p.phone(turns%2 == 0)
		p.opens(l, r.View, fay.home)
		p.shoot(fmt.Sprintf("clicks-%d-opened", turns))
		before := p.clicks
		if p.composes(turns > mostTurns); p.clicks == before {
			t.Errorf("turn %d: there was nothing to click", turns)
		}
		p.shoot(fmt.Sprintf("clicks-%d-composed", turns))
		sent := fay.sent
		fay.reply(ctx, t, l, p.copies())
		p.shoot(fmt.Sprintf("clicks-%d-copied", turns))
		if ack, err := fay.next(ctx, "accepted"); err != nil || strings.Contains(ack.Subject, "not accepted") || fay.sent != sent+1 {
			t.Fatalf("%d mails of orders are answered %v %q\n%s", fay.sent-sent, err, ack.Subject, ack.Text)
		}
	}
	if turns < 2 || p.clicks < 4*turns {
		t.Errorf("the battle had %d exchanges of mails and took %d clicks", turns, p.clicks)
	}
	if err := d.stop(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	nothingSecret(t, s, dir)
}

// page is the page for composing orders, in a browser.
type page struct {
	*testing.T
	ctx    context.Context
	clicks int
}

// newPage starts the browser. Exceptions and log entries of a page fail the test.
func newPage(ctx context.Context, t *testing.T, program, site string) *page {
	t.Helper()
	ctx, stop := chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(chromedp.ExecPath(program), chromedp.NoSandbox),
		chromedp.WithListener(func(e any) {
			switch e := e.(type) {
			case *runtime.EventExceptionThrown:
				t.Errorf("the page fails: %v", e.ExceptionDetails)
			case *log.EventEntryAdded:
				if !strings.HasSuffix(e.Entry.URL, "/favicon.ico") {
					t.Errorf("the browser says: %s (%s)", e.Entry.Text, e.Entry.URL)
				}
			}
		}))
	t.Cleanup(stop)
	p := &page{T: t, ctx: ctx}
	p.do(chromedp.Navigate("about:blank"))
	for _, permission := range []string{"clipboard-read", "clipboard-write"} {
		set := cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: permission}, Setting: cdpbrowser.PermissionSettingGranted, Origin: site}
		if _, err := chromedp.CallBrowser(p.ctx, cdpbrowser.SetPermission, set); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// looks returns the result of a script on the page.
func looks[R any](p *page, script string, o ...chromedp.EvaluateOption) R {
	p.Helper()
	out, err := chromedp.Run(p.ctx, chromedp.Evaluate[R](script, o...))
	if err != nil {
		p.Fatalf("%s: %v", script, err)
	}
	return out
}

// phone sets the window to the size of a phone, or of a desktop.
func (p *page) phone(is bool) {
	p.Helper()
	if is {
		p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		return
	}
	p.do(chromedp.EmulateViewport(1280, 900))
}

// sees waits until a JavaScript condition holds. It fails if the page shows trouble first.
func (p *page) sees(what string) {
	p.Helper()
	if trouble := looks[string](p, `new Promise(async (done) => {
		const trouble = () => document.getElementById("trouble")?.textContent || "";
		while (!trouble() && !(`+what+`)) await new Promise((r) => setTimeout(r, 25));
		done(trouble()) })`, chromedp.EvalAwaitPromise); trouble != "" {
		p.Fatalf("the page complains: %s", trouble)
	}
}

// settled waits until the page has computed everything.
func (p *page) settled() {
	p.Helper()
	p.sees(`document.getElementById("desk")?.getAttribute("aria-busy") === "false"`)
}

// opens follows the link of a report. If the link has no view in it, it uploads the view that is attached to the report.
func (p *page) opens(l letter, view *engine.View, home string) {
	p.Helper()
	way := wayToOrders.FindStringSubmatch(l.Text)
	if way == nil {
		p.Fatalf("there is no link in\n%s", l.Text)
	}
	p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(way[1]))
	if !strings.Contains(way[1], "#") {
		data, err := json.Marshal(view)
		if err != nil {
			p.Fatal(err)
		}
		file := filepath.Join(home, "view.json")
		write(p.T, file, string(data))
		p.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{file}))
		p.sees(`!document.getElementById("desk").hidden`)
	}
	p.settled()
}

// has reports whether the page has an element.
func (p *page) has(element string) bool { return looks[bool](p, `!!(`+element+`)`) }

// clicked clicks the centre of an element, and reports whether the element exists.
func (p *page) clicked(element string) bool {
	p.Helper()
	if !p.has(element) {
		return false
	}
	at := looks[[2]float64](p, `(e => { e.scrollIntoView({ block: "center", inline: "center" }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })(`+element+`)`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.clicks++
	p.settled()
	return true
}

// nearest finds the reachable hex that is nearest to the enemy ship.
const nearest = `(() => {
	const at = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] };
	const foe = document.querySelector('#map [data-ship="riskadh"]');
	if (!foe) return document.querySelector("#map .reach");
	const [x, y] = at(foe), far = (e) => { const [a, b] = at(e); return Math.hypot(a - x, b - y) };
	return [...document.querySelectorAll("#map .reach")].sort((a, b) => far(a) - far(b))[0] })()`

// turned finds another heading to choose if the ship stays in its hex.
const turned = `document.querySelector("#map .begin.cursor") && document.querySelectorAll('#choices [data-name^="way "]')[1]`

// composes clicks the orders of a turn: in each phase it moves as near to the enemy as possible and fires all that bears. If
// up, it clicks the order to surrender instead. It fails unless the page accepts each choice.
func (p *page) composes(up bool) {
	p.Helper()
	accepted := func(what string) {
		p.Helper()
		if state := looks[string](p, `document.getElementById("state").textContent`); !strings.HasPrefix(state, "Accepted") {
			p.Fatalf("%s: %s\n%s", what, state, looks[string](p, `document.getElementById("text").value + document.getElementById("remarks").innerText`))
		}
	}
	if up {
		p.clicked(`document.querySelector('#choices [data-name="open other"]')`)
		if !p.clicked(`document.querySelector('#choices [data-name="item other surrender"]')`) {
			p.Error("one cannot give up by clicks")
		}
		p.clicked(`document.querySelector('#choices [data-name="sure surrender"]')`)
		accepted("surrender")
		return
	}
	steps := looks[int](p, `document.querySelectorAll("#steps button").length`)
	for n := range max(1, steps) {
		p.clicked(fmt.Sprintf(`document.querySelectorAll("#steps button")[%d]`, n))
		if p.clicked(nearest) {
			p.clicked(turned)
		}
		accepted("a course")
		p.clicked(`document.querySelector('#choices [data-name^="fire "][data-name$=" all"][aria-pressed=false]')`)
		accepted("fire")
	}
}

// copies clicks on Copy mail, and returns the text on the clipboard.
func (p *page) copies() string {
	p.Helper()
	p.clicked(`document.getElementById("copy")`)
	p.sees(`!document.getElementById("sent").hidden`)
	if said := looks[string](p, `document.getElementById("sent").textContent`); !strings.HasPrefix(said, "Copied.") {
		p.Fatalf("after a click on Copy mail the page says %q", said)
	}
	return looks[string](p, `navigator.clipboard.readText()`, chromedp.EvalAwaitPromise)
}

// shoot saves a screenshot in the folder STARPOST_TEST_SHOTS, if that is set.
func (p *page) shoot(name string) {
	p.Helper()
	folder := os.Getenv("STARPOST_TEST_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600); err != nil {
		p.Fatal(err)
	}
}
