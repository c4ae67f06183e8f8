package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until an element has the focus.
func (v sheet) tabTo(what string, o ...chromedp.KeyOption) {
	v.Helper()
	for range 150 {
		v.key(kb.Tab, o...)
		if look[bool](v.visit, `document.activeElement.matches(`+quoted(what)+`)`) {
			if look[bool](v.visit, `getComputedStyle(document.activeElement).outlineStyle === "none" && !document.activeElement.matches("textarea")`) {
				v.Errorf("one cannot see that keys are at %s", what)
			}
			return
		}
	}
	v.Fatalf("keys do not reach %s", what)
}

// TestRealBrowserComposesByKeysAlone writes a turn without a mouse: course, fire, power, a standing order, a line, and
// the copy.
func TestRealBrowserComposesByKeysAlone(t *testing.T) {
	v := offline(t)
	file, _ := drafts[0].made(t)
	v.open("file://" + file)
	last := v.text("text")
	changes := func(what string) {
		t.Helper()
		v.sees(what, `document.getElementById("text").value !== `+quoted(last))
		v.settled()
		last = v.text("text")
	}
	back := chromedp.KeyModifiers(chromedp.ModifierShift)
	v.tabTo("#map")
	v.key(kb.PageDown)
	if where := v.text("where"); !strings.Contains(where, "reachable") || v.text("live") != where {
		t.Errorf("Page Down says %q, and a screen reader hears %q", where, v.text("live"))
	}
	v.key(kb.Home)
	if where := v.text("where"); !strings.Contains(where, "starting hex") {
		t.Errorf("Home says %q", where)
	}
	v.key(kb.ArrowUp)
	v.key(kb.PageUp)
	v.key(kb.Enter)
	changes("a course")
	v.tabTo(`[data-name="step 1"]`, back)
	v.key(" ")
	v.settled()
	if !look[bool](v.visit, `document.activeElement.matches('[data-name="step 1"][aria-pressed=true]')`) {
		t.Error("the second phase is not chosen by a key, or the focus is lost")
	}
	v.tabTo("#map")
	v.key(kb.End) // nothing happens
	v.key(kb.PageDown)
	v.key(kb.PageDown)
	v.key(kb.Enter)
	changes("a course in phase 2")
	v.tabTo(`[data-name^="fire "][aria-pressed=false]`)
	v.key(" ")
	changes("fire")
	v.tabTo(`input[type=range]`)
	v.key(kb.ArrowRight)
	changes("power")
	if !look[bool](v.visit, `document.activeElement.matches("input[type=range]")`) {
		t.Error("a slider loses the focus")
	}
	v.tabTo(`[data-name="open standing"]`)
	v.key(" ")
	v.tabTo(`[data-name^="item standing"][aria-pressed=false]`)
	v.key(kb.Enter)
	changes("a standing order")
	v.tabTo("#text")
	v.key(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	v.key("; that is all")
	v.settled()
	v.tabTo("#copy")
	v.key(kb.Enter)
	v.sees("the copy", `document.activeElement.id === "sent"`)
	if text := v.text("text"); !strings.Contains(text, "; that is all") || strings.Contains(text, "\t") {
		t.Errorf("by keys alone one writes\n%s", text)
	}
}

// TestRealBrowserKeepsHastyClicks checks that clicks made before the choices are up to date are not lost, that a double
// click counts once, and that a click that would end the battle asks for confirmation.
func TestRealBrowserKeepsHastyClicks(t *testing.T) {
	v := offline(t)
	file, _ := drafts[0].made(t)
	v.open("file://" + file)
	look[int](v.visit, `{
		const weapons = [...document.querySelectorAll('#choices [data-name^="fire "][aria-pressed=false]:not([data-name$=" all"])')].slice(0, 2);
		for (const e of [weapons[0], weapons[1], weapons[1]]) { e.focus(); e.click() }
	} 0`)
	v.sees("both weapons", `(document.getElementById("text").value.match(/fire (?!all)/g) || []).length === 2 || /fire bank-\S+ bank-/.test(document.getElementById("text").value)`)
	v.settled()
	if state := v.text("state"); !strings.HasPrefix(state, "Accepted") {
		t.Errorf("%s\n%s", state, v.text("text"))
	}
	v.unfold("other")
	v.point(`document.querySelector('[data-name="item other warp +1"]')`)
	if text := v.text("text"); strings.Contains(text, "warp") {
		t.Errorf("one click has her leave the battle:\n%s", text)
	}
	v.point(`document.querySelector('[data-name="sure warp +1"]')`)
	v.sees("that she leaves", `document.getElementById("text").value.includes("\nwarp +1\n")`)
}
