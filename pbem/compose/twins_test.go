package compose_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/compose"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// hidden is what neither side finds in a blind battle of Hood and Riskadh: distant ships and terrain.
type hidden struct {
	ships   []string // as in a scenario, each with its table
	terrain string
	first   bool   // the ships come before those that fight
	orders  string // their orders in each turn; "" for none
}

// hiddenTwins differ in everything about ships: number, IDs, names, sides, classes, places, headings, speeds, values,
// titles, actions, and order; and in terrain.
func hiddenTwins(set string, classes [2]string, orders string, speed func(int) string) [2]hidden {
	ship := func(name, side, class, hex, heading, more string) string {
		return fmt.Sprintf("[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = %q\nheading = %q\n%s", name, side, class, hex, heading, more)
	}
	a := hidden{ships: []string{
		ship("Alpha", "blue", classes[0], "9910", "A", speed(0)+"title = \"one\"\nvalue = 3\n"),
		ship("Beta", "grey", classes[1], "9990", "C", speed(8)),
	}}
	b := hidden{first: true, orders: orders, ships: []string{
		ship("Zulu", "grey", classes[1], "8899", "D", speed(8)+"short = \"z\"\n"),
		ship("Fire", "grey", classes[0], "9999", "F", speed(0)+"title = \"another\"\nvalue = 9\n"),
		ship("Phaser", "blue", classes[0], "1199", "B", speed(8)),
	}}
	if set == "sfb-house" || strings.HasPrefix(set, "stcs") && set != "stcs-basic" {
		a.terrain = "[[terrain]]\nkind = \"planet\"\nhexes = [\"9020\"]\nname = \"Nowhere\"\n"
		b.terrain = "[[terrain]]\nkind = \"planet\"\nhexes = [\"9088\"]\n[[terrain]]\nkind = \"planet\"\nhexes = [\"7799\"]\n"
	}
	return [2]hidden{a, b}
}

// fought creates the game of one of the twins.
func fought(t *testing.T, set string, classes [2]string, speed string, h hidden) *vault.Game {
	t.Helper()
	ships := []string{
		fmt.Sprintf("[[ship]]\nname = \"Hood\"\nside = \"red\"\nclass = %q\nhex = \"3030\"\nheading = \"D\"\n%s", classes[0], speed),
		fmt.Sprintf("[[ship]]\nname = \"Riskadh\"\nside = \"green\"\nclass = %q\nhex = \"3036\"\nheading = \"A\"\n%s", classes[1], speed),
	}
	if h.first {
		ships = slices.Concat(h.ships, ships)
	} else {
		ships = slices.Concat(ships, h.ships)
	}
	chart := ""
	if h.terrain != "" {
		chart = "chart = \"unknown\"\n"
	}
	text := fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\nlast_turn = 30\n[blind]\n%s[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n[[side]]\nid = \"blue\"\n[[side]]\nid = \"grey\"\n%s%s", set, chart, strings.Join(ships, ""), h.terrain)
	catalogue, seed := vault.CatalogueOf(families()...), uint64(7)
	dir := filepath.Join(t.TempDir(), "game")
	if _, err := turn.Create(dir, catalogue, turn.Setup{
		Scenario: []byte(text), ID: "game", Mail: vault.DefaultMail(), Cadence: vault.CadenceTurn, Secret: dice.FromSeed(seed), Seed: &seed,
		Options: turn.Options{Now: noon(0), Keep: true},
	}); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	g, err := vault.Open(directory.At(dir), catalogue)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// told returns the view of Hood's captain, and all the page's answers for it, requested in two orders.
func told(t *testing.T, g *vault.Game) []byte {
	t.Helper()
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := p.State().Ship("hood")
	v, err := p.View(engine.Seat{Ship: s.ID})
	if err != nil {
		t.Fatal(err)
	}
	if !v.Dark {
		t.Fatal("the game is in the open")
	}
	view, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Template("Hood", false)
	if err != nil {
		t.Fatal(err)
	}
	if g.Rules().Robot != nil {
		text = robots(t, v, g.Rules())
	}
	// The choices determine what else can be requested.
	d := opened(t, view)
	o := choices(t, d, text, "hood", 0)
	requests := []map[string]any{
		{"do": "check", "text": text},
		{"do": "mail", "text": text},
		{"do": "check", "text": text + "\n#orders game ship Zulu\n#end\n#orders game ship Alpha\n#end\n"},
		{"do": "choices", "text": text, "ship": "zulu"},
		{"do": "choices", "text": text, "ship": "alpha"},
	}
	var open []string
	for _, l := range o.Lists {
		open = append(open, l.Name)
	}
	for step := range max(1, len(o.Steps)) {
		requests = append(requests, map[string]any{"do": "choices", "text": text, "ship": "hood", "step": step, "open": open})
	}
	for _, x := range o.Targets {
		requests = append(requests, map[string]any{"do": "choices", "text": text, "ship": "hood", "target": x.Ship})
	}
	for _, x := range o.Power {
		requests = append(requests, map[string]any{"do": "set", "text": text, "ship": "hood", "name": x.Name, "value": x.Max})
	}
	for _, name := range []string{"Riskadh", "c01", "Alpha", "Beta", "Zulu", "Fire", "Phaser"} {
		requests = append(requests, map[string]any{"do": "check", "text": strings.Replace(text, "#end", "phase 1\n  fire all at "+name+"\n#end", 1)})
	}
	answers := func(requests []map[string]any, d *compose.Desk) []string {
		out := make([]string, len(requests))
		for i, r := range requests {
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = fmt.Sprintf("%s\n%s", data, d.Answer(data))
		}
		return out
	}
	rehearsed := answers([]map[string]any{{"do": "rehearse", "text": text}}, d)
	if played := strings.Contains(rehearsed[0], `{"ok":true,"panels":[{`); played != (g.Rules().Robot != nil) {
		t.Errorf("rehearsed: %.300s", rehearsed[0])
	}
	all := answers(requests, d)
	slices.Reverse(requests)
	again := answers(requests, opened(t, view))
	slices.Reverse(again)
	if i := slices.IndexFunc(all, func(s string) bool { return !slices.Contains(again, s) }); i >= 0 {
		t.Errorf("asked in another order another desk says %s", enginetest.Difference([]byte(all[i]), []byte(again[i])))
	}
	return []byte(enginetest.WithoutHashes(string(view)) + "\n" + strings.Join(slices.Concat(rehearsed, all), "\n"))
}

// TestTwinsInTheDark checks that for two battles that differ only in what Hood's captain cannot know, the page shows
// and answers the same, byte for byte, before the first turn and after some.
func TestTwinsInTheDark(t *testing.T) {
	for _, f := range families() {
		for _, set := range f.Sets {
			t.Run(set.Name, func(t *testing.T) {
				classes, orders, speed := [2]string{"constitution-ii", "k-23f"}, "power\n move 9\nphase 1\n move F\n", func(int) string { return "" }
				switch {
				case set.Name == "sfb-house":
					classes = [2]string{"federation-ca", "klingon-d7"}
				case strings.HasPrefix(set.Name, "sfb"):
					classes = [2]string{"cadet-federation", "cadet-klingon"}
				}
				if strings.HasPrefix(set.Name, "sfb") {
					orders = "power\n speed " + map[bool]string{true: "2", false: "8"}[set.Name == "sfb-house"] + "\n"
					speed = func(n int) string { return fmt.Sprintf("state = { speed = %d, capacitors = 2 }\n", n) }
				}
				var games [2]*vault.Game
				twins := hiddenTwins(set.Name, classes, orders, speed)
				for i, h := range twins {
					games[i] = fought(t, set.Name, classes, speed(8), h)
				}
				for n := range 2 {
					a, b := told(t, games[0]), told(t, games[1])
					if !bytes.Equal(a, b) {
						t.Fatalf("after %d turns the page tells them apart: %s", n, enginetest.Difference(a, b))
					}
					if n == 0 && set.Name != manual.Name && !bytes.Contains(a, []byte(`"shots":[{`)) {
						t.Error("there is nothing to fire at, so that no chance is compared")
					}
					if set.Name == manual.Name {
						break // a referee plays its turns
					}
					for i, g := range games {
						ordersFor(t, g, twins[i].orders)
						if _, err := turn.Resolve(g, turn.Options{Missing: vault.PolicyStanding, Now: noon(n + 1), Keep: true}); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// ordersFor gives Hood and Riskadh robots' orders, and all others the same orders.
func ordersFor(t *testing.T, g *vault.Game, others string) {
	t.Helper()
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range p.State().InFight() {
		s, _ := p.State().Ship(id)
		text := fmt.Sprintf("#orders game turn %d ship %s\n%s#end\n", p.Due(), s.Name, others)
		switch {
		case id == "hood", id == "riskadh":
			if text, err = p.Robot(id); err != nil {
				t.Fatal(err)
			}
		case others == "":
			continue
		}
		if err := g.Orders.Put(vault.At(p.Due()), s.Name, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}
