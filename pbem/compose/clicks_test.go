package compose_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/pbem/compose"
)

// pick returns one element at random, or the zero value if there is none.
func pick[E any](r *rand.Rand, all []E) (one E) {
	if len(all) > 0 {
		one = all[r.IntN(len(all))]
	}
	return one
}

// clicker clicks for a ship like a captain: each click builds on the result of the one before.
type clicker struct {
	*testing.T
	seat
	desk   *compose.Desk
	ship   engine.ShipID
	random *rand.Rand
	text   string
	clicks int
}

// asks requests from a desk what can be clicked, with a list open or a target aimed at.
func (c *clicker) asks(d *compose.Desk, step int, list string, target engine.ShipID) (o offered) {
	c.Helper()
	request, err := json.Marshal(map[string]any{"do": "choices", "text": c.text, "ship": c.ship, "step": step, "open": []string{list}, "target": target})
	if err != nil {
		c.Fatal(err)
	}
	if err := json.Unmarshal(d.Answer(request), &o); err != nil {
		c.Fatal(err)
	}
	return o
}

// click applies a clicked text; "" stands for none.
func (c *clicker) click(text string) {
	if text != "" {
		c.text = text
		c.clicks++
	}
}

// turn clicks a course and fire in some phase, moves a slider within the power, and takes something from a list.
func (c *clicker) turn() {
	c.Helper()
	first := c.asks(c.desk, 0, "", "")
	step := c.random.IntN(max(1, len(first.Steps)))
	c.click(pick(c.random, c.asks(c.desk, step, "", "").Reach).Text)
	if foe := pick(c.random, c.asks(c.desk, step, "", "").Targets); foe.Ship != "" {
		for _, t := range c.asks(c.desk, step, "", foe.Ship).Targets {
			if t.Ship == foe.Ship {
				c.click(pick(c.random, t.Shots).Text)
			}
		}
	}
	c.slide(pick(c.random, c.asks(c.desk, step, "", "").Power).Name)
	if list := pick(c.random, first.Lists).Name; list != "" {
		for _, l := range c.asks(c.desk, step, list, "").Lists {
			if l.Name == list {
				c.click(pick(c.random, l.Items).Text)
			}
		}
	}
}

// slide moves a slider, and back while the orders are not accepted. The final number is the same when the text is
// opened again, and does not depend on the desk.
func (c *clicker) slide(name string) {
	c.Helper()
	if name == "" {
		return
	}
	before, at := c.text, func(d *compose.Desk) (value, most int) {
		for _, p := range c.asks(d, 0, "", "").Power {
			if p.Name == name {
				return p.Value, p.Max
			}
		}
		c.Errorf("%s: the slider %q is gone in\n%s", c.ship, name, c.text)
		return 0, 0
	}
	_, most := at(c.desk)
	for value := c.random.IntN(most + 1); ; value /= 2 {
		a := ask(c.T, c.desk, map[string]any{"do": "set", "text": before, "ship": c.ship, "name": name, "value": value})
		if !a.OK {
			c.Fatalf("%s: %s to %d: %s", c.ship, name, value, a.Error)
		}
		c.text = a.Text
		if ask(c.T, c.desk, map[string]any{"do": "check", "text": c.text}).Accepted {
			if got, _ := at(opened(c.T, c.view)); got != value {
				c.Errorf("%s: %s was set to %d, and is %d in\n%s", c.ship, name, value, got, c.text)
			}
			c.clicks++
			return
		}
		if value == 0 {
			c.text = before
			return
		}
	}
}

// clicked returns the result of clicks for some ship of a seat, starting from accepted orders, and their number.
func clicked(t *testing.T, d *compose.Desk, s seat, text string, seed uint64) (string, int) {
	t.Helper()
	c := &clicker{T: t, seat: s, desk: d, random: rand.New(rand.NewPCG(seed, 5)), text: text}
	var own []string
	for _, ship := range ask(t, d, map[string]any{"do": "open", "view": string(s.view)}).Ships {
		if ship.Own && strings.Contains(strings.ToLower(text), "ship "+strings.ToLower(ship.Name)) {
			own = append(own, ship.ID)
		}
	}
	if c.ship = engine.ShipID(pick(c.random, own)); c.ship != "" {
		c.turn()
	}
	return c.text, c.clicks
}

// odd are lines that no page understands, each of a different kind.
var odd = []string{"    ; as we said in port", "mvoe F   F", "  \t @@@ \u00e9\u00e9 \"", "fire  everything   !!", "", ";"}

// strewn returns a text with odd lines above, below and between its own.
func strewn(text string, r *rand.Rand) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if r.IntN(3) == 0 {
			out = append(out, pick(r, odd))
		}
		out = append(out, line)
	}
	return "Dear robot,\r\n\r\n> quoted  \n" + strings.Join(out, "\n") + "\n-- \nHood  \n"
}

// kept returns the odd lines and those outside sets, in order.
func kept(text string) (out []string) {
	inside := false
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		inside = inside || strings.HasPrefix(line, "#orders")
		if !inside || slices.Contains(odd, line) {
			out = append(out, line)
		}
		inside = inside && line != "#end"
	}
	return out
}

// TestWhatIsNotUnderstoodIsKept checks that, whatever is clicked or set, lines that the page does not understand,
// comments, blank lines and everything outside the sets stay in the text unchanged, in their order.
func TestWhatIsNotUnderstoodIsKept(t *testing.T) {
	for _, f := range families() {
		for _, set := range f.Sets {
			t.Run(set.Name, func(t *testing.T) {
				n, texts := uint64(0), 0
				battles(t, f, set.Name, 4, func(t *testing.T, s seat) {
					t.Helper()
					n++
					d, text := opened(t, s.view), strewn(s.text, rand.New(rand.NewPCG(n, 3)))
					want := kept(text)
					same := func(what, changed string) {
						t.Helper()
						texts++
						if got := kept(changed); !slices.Equal(got, want) {
							t.Errorf("%s leaves %q, want %q", what, got, want)
						}
					}
					for _, ship := range ask(t, d, map[string]any{"do": "open", "view": string(s.view)}).Ships {
						if !ship.Own {
							continue
						}
						o := choices(t, d, text, engine.ShipID(ship.ID), 0)
						for what, changed := range o.texts() {
							same(what, changed)
						}
						for _, p := range o.Power {
							same(p.Name, ask(t, d, map[string]any{"do": "set", "text": text, "ship": ship.ID, "name": p.Name, "value": p.Max}).Text)
						}
						break
					}
				})
				if texts == 0 {
					t.Error("nothing was clicked")
				}
				t.Logf("%d texts", texts)
			})
		}
	}
}
