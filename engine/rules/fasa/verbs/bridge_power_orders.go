package verbs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// What is cut when the engines lose power in mid-turn: the engineer orders which systems lose
// how much; helm and science order what they lose of theirs (stcs 21.5).

// shedAll stands in place of an amount for all power of a system.
const shedAll = "all"

func shedVerbs() []rulebook.Verb {
	return []rulebook.Verb{
		{Section: "standing", Compile: compileShed, Verb: orders.Verb{
			Name: "shed", Forms: []orders.Form{"shed CUT..."}, Once: true, Post: ship.PostEngineer,
			Doc:      "For the engineer: where power is cut when the engines lose some in mid-turn, and how many units first. If that is not enough, the systems lose more in the same order (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"shed shields 4 movement all", "shed weapons movement shields"},
		}},
		{Section: "standing", Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) {
			var known []string
			for i := range c.Sys.Banks {
				known = append(known, c.Sys.Banks[i].ID)
			}
			c.Plan.Standing.SetList(rulebook.StandingDisarm, c.Named(st.All("BANK"), known, "bank")...)
		}, Verb: orders.Verb{
			Name: "disarm", Forms: []orders.Form{"disarm BANK..."}, Once: true, Post: ship.PostWeapons,
			Doc:      "For the helm: the banks that lose their power first when weapons power is cut; those you do not name follow, last first (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"disarm bank-c torpedo-1"},
		}},
		{Section: "standing", Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) {
			numbered(c, rulebook.StandingSlow, st.All("PHASE"), c.Rules.Split.Phases(), "E126", "phase")
		}, Verb: orders.Verb{
			Name: "slow", Forms: []orders.Form{"slow PHASE..."}, Once: true,
			Doc:      "For the helm: the phases that lose their movement points first when movement power is cut; those you do not name follow, last first (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"slow 2 3"},
		}},
		{Section: "standing", Compile: func(c *rulebook.Compiler, _ int, st orders.Statement) {
			numbered(c, rulebook.StandingLower, st.All("SHIELD"), 6, "E112", "shield")
		}, Verb: orders.Verb{
			Name: "lower", Forms: []orders.Form{"lower SHIELD..."}, Once: true, Post: ship.PostScience,
			Doc:      "For science: the shields that lose points first when shield power is cut; after them, the strongest (" + cites.PostCuts.Ref() + ").",
			Examples: []string{"lower 4 3 5"},
		}},
	}
}

// numbered sets a standing order to a list of distinct numbers from 1 to most.
func numbered(c *rulebook.Compiler, key string, named []orders.Arg, most int, code, what string) {
	var out []string
	for _, a := range named {
		switch n := strconv.Itoa(a.Num); {
		case a.Num < 1 || a.Num > most:
			c.Fail(a.Pos, code, fmt.Sprintf("%ss are 1 to %d", what, most), "there is no %s %d", what, a.Num)
		case slices.Contains(out, n):
			c.Fail(a.Pos, "E126", "", "%s is named twice", n)
		default:
			out = append(out, n)
		}
	}
	c.Plan.Standing.SetList(key, out...)
}

// compileShed reads systems, each with an optional amount after it.
func compileShed(c *rulebook.Compiler, _ int, st orders.Statement) {
	var systems []orders.Arg
	var amounts []string
	words := st.All("CUT")
	for i := 0; i < len(words); i++ {
		a := words[i]
		a.Text = strings.ToLower(a.Text)
		if !slices.Contains(append(ship.Shedable(), ship.NameCloak), a.Text) {
			c.Fail(a.Pos, "E101", "systems: "+strings.Join(c.Sys.Shedable(), ", ")+"; follow each with an amount or "+shedAll, "there is no system %q to cut power from", words[i].Text)
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
		case n < 1 || n > c.Sys.Design.Power:
			c.Fail(words[i].Pos, "E101", fmt.Sprintf("1 to %d, or %s", c.Sys.Design.Power, shedAll), "%s cannot give up %s power", a.Text, next)
		case a.Text == ship.NameCloak:
			c.Fail(words[i].Pos, "E101", "write cloak "+shedAll, "a cloak works with all of its power or not at all")
		default:
			amounts = append(amounts, a.Text+" "+strconv.Itoa(n))
		}
	}
	c.Plan.Standing.Shed = c.ShedOrder(systems)
	c.Plan.Standing.SetList(rulebook.StandingCuts, amounts...)
}
