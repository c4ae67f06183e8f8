package main

import (
	"flag"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

var clicks = flag.Int("clicks", 0, "clicks on the composer's map that are measured; make bench-clicks")

// TestRealBrowserClickTimes logs how long it takes from a click on the map until the order is checked and drawn, and
// until the next choices appear, as measured by the page. It enforces no limit.
func TestRealBrowserClickTimes(t *testing.T) {
	if *clicks == 0 {
		t.Skip("-clicks=20 measures 20 clicks in each of three battles")
	}
	v := offline(t)
	for _, d := range drafts {
		if d.scenario != "big-bad-wolf" && d.scenario != "house-duel" && d.scenario != "fleet-action" {
			continue
		}
		file, _ := d.made(t)
		v.open("file://" + file)
		var first, least [2]float64
		for n := range *clicks {
			took := look[[2]float64](v.visit, fmt.Sprintf(`(async () => {
				performance.clearMeasures();
				const hexes = [...document.querySelectorAll("#map .reach:not(.cursor)")], began = performance.now();
				hexes[%d %% hexes.length].dispatchEvent(new MouseEvent("click", { bubbles: true }));
				for (let i = 0; i < 2000; i++) {
					await new Promise(r => setTimeout(r, 1));
					const checked = performance.getEntriesByName("checked").at(-1);
					if (checked && document.getElementById("desk").getAttribute("aria-busy") === "false") return [checked.duration, performance.now() - began];
				}
				return [0, 0];
			})()`, n+1), chromedp.EvalAwaitPromise)
			if took[0] == 0 {
				continue // she is going to that hex already
			}
			if first[0] == 0 {
				first, least = took, took
			}
			least = [2]float64{min(least[0], took[0]), min(least[1], took[1])}
		}
		if first[0] == 0 {
			t.Errorf("%s: no click changed anything", d.scenario)
		}
		t.Logf("%s, %s: checked after %.0f ms at first, %.0f at least; with all that can be clicked next %.0f, %.0f", d.scenario, d.rules, first[0], least[0], first[1], least[1])
	}
}
