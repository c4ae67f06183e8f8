package fasa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// What is given up when the engines lose power in the middle of a turn: the engineer says
// which systems lose how much; helm and science say what of theirs it is (stcs 21.5).

// shedAll stands in place of an amount for all that a system has.
const shedAll = "all"

func shedVerbs() []verb {
	return []verb{
		{section: "standing", compile: compileShed, Verb: orders.Verb{
			Name: "shed", Forms: []orders.Form{"shed CUT..."}, Once: true,
			Doc:      "The engineer's: where power is cut when the engines lose it in the middle of a turn, and how many units of it at first. Where the amounts are not enough the systems lose more in the same order (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"shed shields 4 movement all", "shed weapons movement shields"},
		}},
		{section: "standing", compile: func(c *compiler, _ int, st orders.Statement) {
			var known []string
			for i := range c.sys.Banks {
				known = append(known, c.sys.Banks[i].ID)
			}
			c.p.standing.SetList(standingDisarm, c.named(st.All("BANK"), known, "bank")...)
		}, Verb: orders.Verb{
			Name: "disarm", Forms: []orders.Form{"disarm BANK..."}, Once: true,
			Doc:      "The helm's: the banks that lose their power first when the engineer cuts that of the weapons; those you do not name come after, the last first (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"disarm bank-c torpedo-1"},
		}},
		{section: "standing", compile: func(c *compiler, _ int, st orders.Statement) {
			c.numbered(standingSlow, st.All("PHASE"), c.l.Split.Phases(), "E126", "phase")
		}, Verb: orders.Verb{
			Name: "slow", Forms: []orders.Form{"slow PHASE..."}, Once: true,
			Doc:      "The helm's: the phases that lose their movement points first when the engineer cuts that power; those you do not name come after, the last first (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"slow 2 3"},
		}},
		{section: "standing", compile: func(c *compiler, _ int, st orders.Statement) {
			c.numbered(standingLower, st.All("SHIELD"), 6, "E112", "shield")
		}, Verb: orders.Verb{
			Name: "lower", Forms: []orders.Form{"lower SHIELD..."}, Once: true,
			Doc:      "Science's: the shields that lose points first when the engineer cuts their power; after them the strongest does (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"lower 4 3 5"},
		}},
	}
}

// numbered keeps a list of numbers from 1 to a most, each of them once.
func (c *compiler) numbered(key string, named []orders.Arg, most int, code, what string) {
	var out []string
	for _, a := range named {
		switch n := strconv.Itoa(a.Num); {
		case a.Num < 1 || a.Num > most:
			c.fail(a.Pos, code, fmt.Sprintf("%ss are 1 to %d", what, most), "there is no %s %d", what, a.Num)
		case slices.Contains(out, n):
			c.fail(a.Pos, "E126", "", "%s is named twice", n)
		default:
			out = append(out, n)
		}
	}
	c.p.standing.SetList(key, out...)
}

// compileShed reads systems, each with an amount after it or none.
func compileShed(c *compiler, _ int, st orders.Statement) {
	var systems []orders.Arg
	var amounts []string
	words := st.All("CUT")
	for i := 0; i < len(words); i++ {
		a := words[i]
		a.Text = strings.ToLower(a.Text)
		if !slices.Contains(append(ship.Shedable(), ship.NameCloak), a.Text) {
			c.fail(a.Pos, "E101", "systems: "+strings.Join(c.sys.Shedable(), ", ")+"; after each an amount or "+shedAll, "there is no system %q to cut power from", words[i].Text)
			return
		}
		systems = append(systems, a)
		if i+1 == len(words) {
			break
		}
		next := words[i+1].Text
		if strings.EqualFold(next, shedAll) {
			i++
			continue
		}
		n, err := strconv.Atoi(next)
		if err != nil {
			continue
		}
		i++
		switch {
		case n < 1 || n > c.sys.Design.Power:
			c.fail(words[i].Pos, "E101", fmt.Sprintf("1 to %d, or %s", c.sys.Design.Power, shedAll), "%s cannot give up %s power", a.Text, next)
		case a.Text == ship.NameCloak:
			c.fail(words[i].Pos, "E101", "write cloak "+shedAll, "a cloak works with all of its power or not at all")
		default:
			amounts = append(amounts, a.Text+" "+strconv.Itoa(n))
		}
	}
	c.p.standing.Shed = c.shedOrder(systems)
	c.p.standing.SetList(standingCuts, amounts...)
}
