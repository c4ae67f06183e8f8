package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"starpost/cmd/about"
	"starpost/engine/scenario"
	"starpost/templates/composer"
)

// TestDesignInABrowser makes a scenario on a site's page: it places a ship by clicking, turns it, and adds a third one.
// Mistakes are shown, and the text can be played.
func TestDesignInABrowser(t *testing.T) {
	v := sheet{visit{t, browser(t, "blob:")}}
	v.do(chromedp.EmulateViewport(1280, 900))
	w := newSiteWorld(t)
	w.write()
	s := httptest.NewServer(http.FileServer(http.Dir(w.config.Site.Dir)))
	t.Cleanup(s.Close)
	v.do(chromedp.Navigate(s.URL + "/" + composer.Folder(about.Version()) + composer.DesignFile))
	v.sees("a scenario to begin with", `document.querySelectorAll("#ships li").length === 2 && document.querySelector("#map svg") !== null`)
	v.sees("nothing wrong", `document.querySelector("#remarks").textContent.startsWith("No problems")`)
	v.point(`document.querySelector('#map [data-hex="0507"]')`)
	v.sees("the first ship where one clicked", `document.getElementById("text").value.includes('hex = "0507"')`)
	look[bool](v.visit, `(() => { const h = document.getElementById("heading"); h.value = "C"; h.dispatchEvent(new Event("change")); return true })()`)
	v.sees("her heading", `document.getElementById("text").value.includes('heading = "C"')`)
	look[bool](v.visit, `(() => { document.getElementById("hex").value = "0507"; document.getElementById("add").click(); return true })()`)
	v.sees("what is wrong", `document.querySelector("#remarks").textContent.includes("same hex")`)
	look[bool](v.visit, `(() => { const s = document.getElementById("ship"); s.value = "Ship-1"; document.getElementById("remove").click(); return true })()`)
	v.sees("that it is right again", `document.querySelector("#remarks").textContent.startsWith("No problems")`)
	// Settings that are not on the map have forms; a custom class starts as a copy of a built-in one.
	fill := func(file, key, value string) {
		t.Helper()
		look[bool](v.visit, fmt.Sprintf(`(() => { const f = [...document.querySelectorAll("#forms label")].find((l) => l.textContent === %q && l.querySelector("input").id.startsWith("field-%s")); const i = f.querySelector("input"); i.value = %q; i.dispatchEvent(new Event("change")); return true })()`, key, file, value))
	}
	fill("scenario", "last_turn", "21")
	v.sees("what was filled in", `document.getElementById("text").value.includes("last_turn = 21")`)
	look[bool](v.visit, `(() => { document.getElementById("own").click(); return true })()`)
	v.sees("a class of one's own", `document.getElementById("tables").value.startsWith("[designs.my-") && [...document.querySelectorAll("#class option")].some((o) => o.value.startsWith("my-"))`)
	fill("classes", "superstructure", "none")
	v.sees("what is wrong with it", `!document.querySelector("#remarks").textContent.startsWith("No problems")`)
	fill("classes", "superstructure", "33")
	v.sees("that it is right", `document.querySelector("#remarks").textContent.startsWith("No problems") && document.getElementById("tables").value.includes("superstructure = 33")`)
	look[bool](v.visit, `(() => { for (const d of document.querySelectorAll("#forms details")) d.open = true; return true })()`)
	v.accessible("the page to design scenarios")
	v.shoot("design")
	if sc, diags := scenario.Parse([]byte(v.text("text"))); sc == nil || len(sc.Ships) != 2 || strings.Join(sc.Ships[0].Hex, "") != "0507" {
		t.Errorf("%v\n%s", diags, v.text("text"))
	}
}
