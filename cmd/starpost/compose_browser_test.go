package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"starpost/cmd/about"
	"starpost/cmd/rulesets"
	"starpost/templates/composer"
)

// draft is a captain's position at the start of a battle.
type draft struct{ scenario, rules, as, ship string }

// drafts has one for each rule set, and others that look different.
var drafts = []draft{
	{"big-bad-wolf", "stcs-basic", "Hood", "Hood"},
	{"romulan-gambit", "stcs-graduate", "Talisman", "Talisman"},
	{"lamplight", "stcs-advanced", "Hood", "Hood"},
	{"kobayashi-maru", "stcs-command", "Meridian/engineer", "Meridian"},
	{"first-command", "book-one", "Valiant", "Valiant"},
	{"encounter", "sfb-cadet", "Constellation", "Constellation"},
	{"house-duel", "sfb-house", "Hood", "Hood"},
	{"two-rooms", "manual", "Teal", "Teal"},
	{"fleet-action", "stcs-basic", "Potemkin", "Potemkin"},
}

// seen makes the game of a draft, and returns the view as text and the file with it.
func (d draft) seen(t *testing.T) (view, file string) {
	t.Helper()
	dir := t.TempDir()
	game := filepath.Join(dir, d.scenario)
	starpost(t, "new", game, "--scenario", d.scenario, "--rules", d.rules)
	view = starpost(t, "report", game, "--as", d.as, "--json")
	file = filepath.Join(dir, "view.json")
	if err := os.WriteFile(file, []byte(view), 0o600); err != nil {
		t.Fatal(err)
	}
	return view, file
}

// made makes a page that holds the view of a draft, and returns both.
func (d draft) made(t *testing.T) (file, view string) {
	t.Helper()
	view, seen := d.seen(t)
	file = filepath.Join(filepath.Dir(seen), "orders.html")
	starpost(t, "compose", "--view", seen, "--to", "battles@example.org", "--out", file)
	return file, view
}

// sheet is the composer page in a browser without network access.
type sheet struct{ visit }

func offline(t *testing.T) sheet {
	t.Helper()
	v := sheet{visit{t, browser(t, "file:///", "blob:")}}
	v.do(chromedp.EmulateViewport(1280, 900))
	v.unplug()
	return v
}

// unplug switches the network off.
func (v sheet) unplug() {
	v.Helper()
	off := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{Offline: true}}}
	if _, err := chromedp.Call(v.ctx, network.EmulateNetworkConditionsByRule, off); err != nil {
		v.Fatal(err)
	}
}

// sees waits until a script's condition is true. It does not use polling functions, as the page's policy forbids
// turning text into scripts.
func (v sheet) sees(what, script string) {
	v.Helper()
	if !look[bool](v.visit, `(async () => { for (let i = 0; i < 600; i++) { if (`+script+`) return true; await new Promise(r => setTimeout(r, 25)); } return false })()`, chromedp.EvalAwaitPromise) {
		v.Fatalf("%s: the page does not show it: %q", what, look[string](v.visit, `document.body.innerText`))
	}
}

// open opens a page and waits until the orders in it were checked.
func (v sheet) open(address string) {
	v.Helper()
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	v.sees("an answer", `document.getElementById("desk").getAttribute("aria-busy") === "false" || document.getElementById("trouble").textContent`)
	if trouble := v.text("trouble"); trouble != "" {
		v.Fatalf("opened: %s", trouble)
	}
}

// settled waits until all requests to the rules are answered.
func (v sheet) settled() {
	v.Helper()
	v.sees("an answer", `document.getElementById("desk").getAttribute("aria-busy") === "false"`)
}

func (v sheet) text(id string) string {
	v.Helper()
	return look[string](v.visit, `(e => e.value ?? e.textContent)(document.getElementById(`+quoted(id)+`))`)
}

func (v sheet) key(keys string, o ...chromedp.KeyOption) {
	v.Helper()
	v.do(chromedp.KeyEvent(keys, o...))
}

func quoted(s string) string {
	out, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// write places the caret before the last line of the orders and types a line.
func (v sheet) write(line string) {
	v.Helper()
	look[int](v.visit, `{ const e = document.getElementById("text"); e.focus(); const at = e.value.lastIndexOf("#end"); e.setSelectionRange(at, at) } 0`)
	v.key(line + "\r")
	v.sees("what is typed", `document.getElementById("text").value.includes(`+quoted(line)+`)`)
	v.settled()
}

// controls returns the controls that can be pressed or edited: those with a name for screen readers, and those without.
func (v sheet) controls() (named, bare []string) {
	v.Helper()
	tree, err := chromedp.Call(v.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		v.Fatal(err)
	}
	value := func(x *accessibility.Value) (s string) {
		if x == nil || len(x.Value) == 0 {
			return ""
		}
		if err := json.Unmarshal(x.Value, &s); err != nil {
			return string(x.Value)
		}
		return s
	}
	for _, n := range tree.Nodes {
		role, name := value(n.Role), strings.TrimSpace(value(n.Name))
		switch {
		case n.Ignored || !slices.Contains([]string{"button", "textbox", "combobox", "slider", "link", "application", "DisclosureTriangle", "group", "region", "table"}, role):
		case name == "" && role != "group":
			bare = append(bare, role)
		default:
			named = append(named, role+" "+name)
		}
	}
	return named, bare
}

// wide reports an error if the page is too wide for a phone.
func (v sheet) wide(pixels int64) {
	v.Helper()
	v.do(chromedp.EmulateViewport(pixels, 720, chromedp.EmulateMobile))
	if got := look[int64](v.visit, `document.documentElement.scrollWidth`); got > pixels {
		v.Errorf("where there is room for %d the page is %d wide", pixels, got)
	}
}

// point clicks the centre of the element that a script returns.
func (v sheet) point(element string) {
	v.Helper()
	at := look[[2]float64](v.visit, `(e => { e.scrollIntoView({ block: "center" }); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })(`+element+`)`)
	v.do(chromedp.MouseClickXY(at[0], at[1]))
	v.settled()
}

// unfold opens the list of orders of that name, if there is one.
func (v sheet) unfold(list string) {
	v.Helper()
	if summary := `document.querySelector('#choices details:not([open]) > [data-name="open ` + list + `"]')`; look[bool](v.visit, `!!`+summary) {
		v.point(summary)
		v.sees("the list "+list, `document.querySelector('#choices [data-name="list `+list+`"] li')`)
	}
}

// clickThrough clicks a hex, a weapon and a list entry, as far as the rules have them. Each click must change the text,
// which stays accepted, and redraw the map; then each is undone.
func (v sheet) clickThrough(d draft) {
	v.Helper()
	v.unfold("standing")
	state, text := v.text("state"), v.text("text")
	for what, element := range map[string]string{
		"a hex":     `[...document.querySelectorAll("#map .reach")].findLast(e => e.dataset.hex !== document.querySelector("#map circle.ship")?.dataset.hex)`,
		"a weapon":  `document.querySelector('#choices [data-name^="fire "][aria-pressed=false]')`,
		"of a list": `document.querySelector('#choices [data-name^="item standing"][aria-pressed=false]')`,
	} {
		if !look[bool](v.visit, `!!(`+element+`)`) {
			if what != "a weapon" && !strings.Contains(d.as, "/") && d.rules != "manual" { // officers do not steer
				v.Errorf("%s: there is no %s to click", d.rules, what)
			}
			continue
		}
		v.point(element)
		if v.text("text") == text || strings.Contains(v.text("state"), "mistake") && what != "a weapon" {
			v.Errorf("%s: a click on %s gives\n%s\n%s", d.rules, what, v.text("text"), v.text("remarks"))
		}
		v.point(`document.getElementById("undo")`)
		if v.text("text") != text || v.text("state") != state {
			v.Errorf("%s: undone, %s gives\n%s\n%s", d.rules, what, v.text("text"), v.text("state"))
		}
	}
}

// TestRealBrowserComposesByEveryRuleSet checks that the page of each rule set, opened from a file without a network,
// shows its map, checks what is typed into the orders, and fits on a small phone.
func TestRealBrowserComposesByEveryRuleSet(t *testing.T) {
	v := offline(t)
	for _, f := range rulesets.Families() {
		for _, set := range f.Sets {
			if !slices.ContainsFunc(drafts, func(d draft) bool { return d.rules == set.Name }) {
				t.Errorf("%s is not looked at", set.Name)
			}
		}
	}
	for i, d := range drafts {
		v.Log(d.rules)
		v.do(chromedp.EmulateViewport(1280, 900))
		if i == 0 {
			file, _ := d.made(t)
			v.open("file://" + file)
		} else { // into the same page, as a report's attachment
			_, file := d.seen(t)
			v.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{file}))
			v.sees("the view of "+d.scenario, `document.getElementById("text").value.startsWith(`+quoted("#orders "+d.scenario+" ")+`)`)
			v.settled()
		}
		text := v.text("text")
		if !strings.HasPrefix(text, "#orders "+d.scenario+" turn 1 ") {
			t.Errorf("%s: the page begins with\n%s", d.rules, text)
		}
		if hexes := look[int](v.visit, `document.querySelectorAll("#map [data-hex]").length`); hexes < 50 || !strings.Contains(v.text("who"), d.ship) || !strings.Contains(v.text("forecast"), d.ship) {
			t.Errorf("%s: the map has %d hexes; in words: %s", d.rules, hexes, v.text("who"))
		}
		if accepted := strings.HasPrefix(v.text("state"), "Accepted"); accepted == (d.rules == "manual") { // the template's orders are still empty there
			t.Errorf("%s: the template is: %s", d.rules, v.text("state"))
		}
		if named, bare := v.controls(); len(bare) > 0 || len(named) < 10 {
			t.Errorf("%s: controls without names: %q; with names: %q", d.rules, bare, named)
		}
		v.shoot("compose-" + d.scenario + "-1280")
		v.clickThrough(d)

		// Typed text is checked; clicking the remark selects the word, and the edit is undone.
		before := v.text("state")
		v.write("mvoe F")
		marked := look[int](v.visit, `document.querySelectorAll("#lines .error").length`)
		if d.rules == "manual" { // the referee reads the orders
			if marked > 0 || v.text("state") != "Accepted" {
				t.Errorf("%s: some orders are: %s", d.rules, v.text("state"))
			}
		} else {
			v.do(chromedp.Click(chromedp.ID("show")), chromedp.KeyEvent(kb.Enter)) // the link to the remark has the focus
			got := look[string](v.visit, `(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.activeElement)`)
			if got != "mvoe" || marked != 1 || v.text("state") == before {
				t.Errorf("%s: %d lines are marked, and a click on the remark marks %q; it is: %s", d.rules, marked, got, v.text("state"))
			}
		}
		v.key("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
		v.settled()
		if got := v.text("state"); got != before || v.text("text") != text {
			t.Errorf("%s: undone, it is: %s, and\n%s", d.rules, got, v.text("text"))
		}
		v.wide(320)
		v.shoot("compose-" + d.scenario + "-320")
	}
}

// TestRealBrowserRefusesWhatIsNoView checks that for any invalid link or file the page says what is wrong and keeps
// working.
func TestRealBrowserRefusesWhatIsNoView(t *testing.T) {
	v := offline(t)
	_, view := drafts[0].made(t)
	dir := t.TempDir()
	blank := "file://" + filepath.Join(dir, "compose.html")
	starpost(t, "compose", "--out", filepath.Join(dir, "compose.html"))
	way := composer.WayTo(blank, "battles@example.org", "view.json", []byte(view))
	if way.File != "" {
		t.Fatal(way)
	}
	evil := composer.WayTo(blank, `"><script>a</script>@x`, "view.json", []byte(strings.ReplaceAll(view, `"Hood"`, `"<img src=x onerror=alert(1)>"`)))
	old := composer.WayTo(blank, "", "view.json", []byte(strings.Replace(view, `"version":"`, `"version":"old-`, 1)))
	for i, test := range []struct{ what, address, want string }{
		{"a link cut off", way.Address[:len(way.Address)-300], "cut off"},
		{"a link with other letters", strings.Replace(way.Address, "#1.", "#1.!", 1), "cut off"},
		{"a form to come", strings.Replace(way.Address, "#1.", "#2.", 1), "another version"},
		{"no form", blank + "#turn-3", "no view"},
		{"a megabyte", blank + "#1.." + strings.Repeat("A", 1_000_000), "too long"},
		{"what unpacks to nothing", blank + "#1..AAAA", "cut off"},
		{"another version of the rules", old.Address, "version"},
	} {
		if _, hash, _ := strings.Cut(test.address, "#"); i == 0 {
			v.do(chromedp.Navigate(test.address))
		} else { // into the page that is open
			look[int](v.visit, `document.getElementById("trouble").replaceChildren(); location.hash = `+quoted(hash)+`; 0`)
		}
		v.sees(test.what, `document.getElementById("trouble").textContent`)
		if got := v.text("trouble"); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s", test.what, got)
		}
		if look[bool](v.visit, `document.getElementById("welcome").hidden`) {
			t.Errorf("%s: no file can be chosen", test.what)
		}
	}
	v.wide(320)
	v.do(chromedp.EmulateViewport(1280, 900))

	// Files: an invalid one is reported, and the next one opens.
	good, bad, big := filepath.Join(dir, "good.json"), filepath.Join(dir, "bad.json"), filepath.Join(dir, "big.json")
	for file, data := range map[string]string{good: view, bad: `{"format":`, big: strings.Repeat(" ", 5<<20)} {
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	choose := func(file string) { v.do(chromedp.SetUploadFiles(chromedp.ID("file"), []string{file})) }
	choose(bad)
	v.sees("a file cut off", `document.getElementById("trouble").textContent.includes("not the data of a report")`)
	choose(big)
	v.sees("a large file", `document.getElementById("trouble").textContent.includes("too large for a view")`)
	choose(good)
	v.sees("a good file", `document.getElementById("state").textContent.startsWith("Accepted") && document.getElementById("trouble").textContent === ""`)
	look[int](v.visit, `{ const d = new DataTransfer(); d.items.add(new File(['{"format":1,"rules":"chess"}'], "x.json")); document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true })) } 0`)
	v.sees("a dropped file", `document.getElementById("trouble").textContent !== ""`)
	v.write("mvoe F")
	if !strings.Contains(v.text("remarks"), "mvoe") {
		t.Error("after a file that was refused the orders are not checked any more")
	}

	// Names are shown as text, whatever they contain.
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate(evil.Address))
	v.sees("a view with script in names", `document.getElementById("state").textContent !== "" || document.getElementById("trouble").textContent !== ""`)
	v.settled()
	if n := look[int](v.visit, `document.querySelectorAll("img, #map script, #title *, [onerror]").length`); n > 0 {
		t.Errorf("%d elements were made of names", n)
	}
}

// TestRealBrowserComposesFromALink checks that a link opens the page of a site, which requests nothing but the program
// from its server. Copied or written, the mail holds the orders, and the key is nowhere else.
func TestRealBrowserComposesFromALink(t *testing.T) {
	v := sheet{visit{t, browser(t, "blob:")}}
	w := newSiteWorld(t)
	w.play("wolf", 1, people...)
	w.write()
	asked := make(chan string, 100)
	files := http.FileServer(http.Dir(w.config.Site.Dir))
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		asked <- r.URL.String()
		files.ServeHTTP(out, r)
	}))
	t.Cleanup(s.Close)
	view := starpost(t, "report", w.game("wolf"), "--as", "Hood", "--json")
	way := composer.WayTo(s.URL+"/"+composer.Folder(about.Version()), "battles@example.org", "view.json", []byte(view))
	v.open(way.Address)
	for range len(asked) {
		if address := <-asked; strings.Contains(address, "?") || strings.Contains(address, "1.") && !strings.Contains(address, "compose/") {
			t.Errorf("the server is asked for %s", address)
		}
	}
	v.unplug()
	for _, permission := range []string{"clipboard-read", "clipboard-write"} {
		p := cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: permission}, Setting: cdpbrowser.PermissionSettingGranted, Origin: s.URL}
		if _, err := chromedp.CallBrowser(v.ctx, cdpbrowser.SetPermission, p); err != nil {
			t.Fatal(err)
		}
	}
	// The host accepts what was clicked.
	v.point(`[...document.querySelectorAll("#map .reach")].at(-1)`)
	v.point(`document.querySelector('#choices [data-name^="fire "][aria-pressed=false]')`)
	clicked := filepath.Join(t.TempDir(), "hood.txt")
	if err := os.WriteFile(clicked, []byte(v.text("text")), 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := starpost(t, "check", w.game("wolf"), clicked); strings.Contains(answer, "error") {
		t.Errorf("the host says of what was clicked\n%s", answer)
	}
	const key = "7K4Q-92FM"
	look[int](v.visit, `document.getElementById("key").focus(); 0`)
	v.key(key + kb.Tab)
	v.settled()
	if text := v.text("text"); !strings.Contains(text, " key "+key+"\n") {
		t.Errorf("with the key the orders are\n%s", text)
	}
	v.do(chromedp.Click(chromedp.ID("copy")))
	v.sees("that it is copied", `document.getElementById("sent").textContent.includes("Copied")`)
	text := strings.TrimSpace(v.text("text"))
	if got := look[string](v.visit, `navigator.clipboard.readText()`, chromedp.EvalAwaitPromise); strings.TrimSpace(got) != text {
		t.Errorf("copied is\n%s\nwant\n%s", got, text)
	}
	mailed := func() (to, body string) {
		t.Helper()
		href := look[string](v.visit, `document.getElementById("mailto").href`)
		link, err := url.Parse(href)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(href, key[:4]) || len(href) >= 1600 {
			t.Errorf("the link to the mail is %s", href)
		}
		return link.Opaque, strings.TrimSpace(strings.ReplaceAll(link.Query().Get("body"), "\r\n", "\n"))
	}
	if to, body := mailed(); to != "battles@example.org" || body != "" {
		t.Errorf("with a key in the orders, a mail to %s with\n%s", to, body)
	}
	look[int](v.visit, `{ const e = document.getElementById("key"); e.value = ""; e.dispatchEvent(new Event("change")) } 0`)
	v.settled()
	v.sees("the link", `document.getElementById("mailto").href.includes("body")`)
	if to, body := mailed(); to != "battles@example.org" || body != strings.Replace(text, " key "+key, "", 1) {
		t.Errorf("without a key, a mail to %s with\n%s", to, body)
	}
	look[int](v.visit, `document.getElementById("undo").click(); 0`)
	v.settled()
	if kept := look[string](v.visit, `location.href + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie + history.length`); strings.Contains(kept, key) {
		t.Errorf("the key is kept in %s", kept)
	}
	if len(asked) > 0 {
		t.Errorf("the server is asked for %s", <-asked)
	}
}

// TestRealBrowserWithoutWhatThePageNeeds checks that the page says what the browser lacks, and still shows its text.
func TestRealBrowserWithoutWhatThePageNeeds(t *testing.T) {
	v := offline(t)
	file, _ := drafts[0].made(t)
	v.open("file://" + file)
	text := v.text("text")
	for _, test := range []struct{ without, want string }{
		{"WebAssembly", "cannot run WebAssembly"}, {"DecompressionStream", "too old"}, {"Worker", ""}, {"localStorage", ""},
	} {
		added, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete globalThis." + test.without})
		if err != nil {
			t.Fatal(err)
		}
		v.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file))
		v.sees(test.without, `document.getElementById("trouble").textContent !== "" || document.getElementById("state").textContent !== ""`)
		if got := v.text("trouble"); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("without %s: %q", test.without, got)
		}
		if v.text("text") != text || look[int](v.visit, `document.querySelectorAll("#map > svg").length`) != 1 {
			t.Errorf("without %s the orders or the map are missing", test.without)
		}
		if _, err := chromedp.Call(v.ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(added)); err != nil {
			t.Fatal(err)
		}
	}
	// A page with a truncated or altered program says so, and its text can still be copied by hand.
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mark = `id="wasm">`
	begin := strings.Index(string(whole), mark) + len(mark)
	end := begin + strings.Index(string(whole[begin:]), "<")
	for what, program := range map[string]string{
		"cut off": string(whole[begin : begin+(end-begin)/2]), "changed": strings.Replace(string(whole[begin:end]), string(whole[begin+5000:begin+5100]), strings.Repeat("A", 100), 1), "empty": "",
		"no base64": "!" + string(whole[begin:end]),
	} {
		damaged := filepath.Join(filepath.Dir(file), "damaged.html")
		if err := os.WriteFile(damaged, []byte(string(whole[:begin])+program+string(whole[end:])), 0o600); err != nil {
			t.Fatal(err)
		}
		v.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+damaged))
		v.sees("a program that is "+what, `document.getElementById("trouble").textContent !== ""`)
		if got := v.text("trouble"); !strings.Contains(got, "The rules of this page failed to start") || !strings.Contains(got, "Reply to your report") || v.text("text") != text {
			t.Errorf("with a program that is %s the page says %q", what, got)
		}
	}
	if _, err := chromedp.Call(v.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	v.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+file))
	named, _ := v.controls()
	if !slices.ContainsFunc(named, func(s string) bool { return strings.HasPrefix(s, "textbox") }) || slices.ContainsFunc(named, func(s string) bool { return strings.HasPrefix(s, "button") }) {
		t.Errorf("without scripts there are %q", named)
	}
	layout, err := chromedp.Call(v.ctx, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if high := layout.CSSContentSize.Height; high < 900 {
		t.Errorf("without scripts the page is only %.0f high", high)
	}
	v.shoot("compose-without-scripts")
}
