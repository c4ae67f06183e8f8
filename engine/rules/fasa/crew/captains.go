package crew

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
)

// PeopleOptions returns the options of captains and crews, default first.
func PeopleOptions() map[string][]string {
	return map[string][]string{rulebook.OptionRatings: {rulebook.RatingsRolled, rulebook.RatingsFixed}, rulebook.OptionCrews: {rulebook.CrewsOn, rulebook.CrewsOff}}
}

// The averages of new captains and crews: three dice and 45, three dice and 25.
const (
	usualSkill      = 60
	usualEfficiency = 40
)

// Enlist gives a ship its captain and crew.
func Enlist(k *rulebook.Commissioning) {
	_, skill := k.State["skill"]
	_, crew := k.State["efficiency"]
	roll := k.Options[rulebook.OptionRatings] == rulebook.RatingsRolled
	p := &ship.People{
		Skill: k.Number("skill", 1, ship.MaxRating, usualSkill), Efficiency: k.Number("efficiency", 1, ship.MaxRating, usualEfficiency),
		SkillDue: roll && !skill, EfficiencyDue: roll && !crew,
	}
	if k.Options[rulebook.OptionCrews] != rulebook.CrewsOff {
		k.Sys.Put(p)
		return
	}
	for _, key := range []string{"skill", "efficiency"} {
		if _, given := k.State[key]; given {
			k.Bad(key, `leave it out, or set crews = "on"`, "%s belongs to captains and crews, which this game does not use", key)
		}
	}
}

// Rate rolls the ratings that are due at the beginning of the first turn, including those of
// ships that arrive later (stcs 12.1, 12.2, ruling D58). Only their own captains are told.
func Rate(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range t.Game.Ships {
		p := ship.Of(s).People()
		if !p.SkillDue && !p.EfficiencyDue {
			continue
		}
		b := &ship.Rated{Ship: s.ID, Skill: p.Skill, Efficiency: p.Efficiency}
		if p.SkillDue {
			b.Skill = rollRating(l, t, s, "skill", SkillBase, cites.CaptainSkill)
		}
		if p.EfficiencyDue {
			b.Efficiency = rollRating(l, t, s, "efficiency", EfficiencyBase, cites.CrewEfficiency)
		}
		t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.CaptainSkill, cites.CrewEfficiency, cites.RolledRatings)...)
	}
}

// rollRating rolls three dice and adds a base.
func rollRating(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, what string, base int, rule cites.Topic) int {
	rating := base
	for n := range 3 {
		rating += t.Roll(engine.NameRoll(what, s.ID).And(strconv.Itoa(n+1)), dice.D10, engine.SeeOnly(s.ID), l.Cite(rule, cites.RolledRatings)...)
	}
	return rating
}

// Outmanoeuvre decides the tactical advantage of the Advanced Course (stcs 6.2, ruling D14):
// most movement points, then the captain's skill, then a die.
func Outmanoeuvre(l *rulebook.Rules, t *engine.Turn) {
	ships := ship.Fighting(t.Game)
	order := orderBy(l, t, ships, 1, func(a, b *engine.Ship) int {
		return cmp.Or(cmp.Compare(ship.Of(a).Alloc.Points, ship.Of(b).Alloc.Points), cmp.Compare(ship.Skill(a), ship.Skill(b)))
	})
	play.Memo(t).Advantage = order
	announce(l, t, ship.Advantage{Order: order, How: "most movement points, then the captain's skill, then a die"}, cites.TacticalAdvantage)
}

// orderBy sorts ships by compare, the least first, and equal ones by a die; die says which of
// the turn's dice that is.
func orderBy(l *rulebook.Rules, t *engine.Turn, ships []*engine.Ship, die int, compare func(a, b *engine.Ship) int) []engine.ShipID {
	slices.SortStableFunc(ships, compare)
	var order []engine.ShipID
	for len(ships) > 0 {
		n := 1
		for n < len(ships) && compare(ships[0], ships[n]) == 0 {
			n++
		}
		ids := make([]engine.ShipID, n)
		for i, s := range ships[:n] {
			ids[i] = s.ID
		}
		if n > 1 {
			ids = play.DiceOff(l, t, ids, die, func(s *engine.Ship, about []*engine.Ship) engine.See { return rivals(l, t.Game, s, about) })
		}
		order = append(order, ids...)
		ships = ships[n:]
	}
	return order
}

// rivals returns who sees the die of one of some ships that roll for the advantage: a captain sees the die of a
// ship known to be there if they know of another ship that rolls with it, as they would then see
// it even without the rest.
func rivals(l *rulebook.Rules, g *engine.Game, s *engine.Ship, about []*engine.Ship) engine.See {
	if g.Blind != nil {
		return rulebook.TiesInTheDark(g)
	}
	if see := l.Show(g, about); see.Open() {
		return see
	}
	var whole []engine.ShipID
	for _, c := range g.Captains() {
		known := 0
		own, _ := g.Ship(c.Ships[0])
		for _, o := range about {
			known += play.BoolInt(l.Aware(g, own, o))
		}
		if known > 1 && l.Aware(g, own, s) {
			whole = append(whole, c.Ships...)
		}
	}
	slices.Sort(whole)
	return engine.SeeOnly(whole...)
}

// announce tells all captains the order of advantage. If there are hidden ships, each captain is
// told the order of the ships known to them, and only the referee the whole order.
func announce(l *rulebook.Rules, t *engine.Turn, a ship.Advantage, rule ...cites.Topic) {
	if t.Game.Blind != nil {
		l.AnnounceInTheDark(t, a, l.Cite(rule...)...)
		return
	}
	if len(a.Order) < 2 {
		return
	}
	see := l.Show(t.Game, ship.ShipsOf(t.Game, a.Order))
	if see.Open() {
		t.Emit(&a, see, l.Cite(rule...)...)
		return
	}
	whole := a
	all := t.Emit(&whole, engine.See{}, l.Cite(rule...)...)
	for _, c := range t.Game.Captains() {
		own := ship.ShipsOf(t.Game, c.Ships)
		part := ship.Advantage{How: a.How}
		for _, s := range ship.ShipsOf(t.Game, a.Order) {
			if slices.ContainsFunc(own, func(o *engine.Ship) bool { return l.Aware(t.Game, o, s) }) {
				part.Order = append(part.Order, s.ID)
			}
		}
		if len(part.Order) > 1 {
			t.Because(all).Emit(&part, engine.SeeOnly(c.Ships...), l.Cite(rule...)...)
		}
	}
}

// RatingWords returns a rating in words, or how it will be rolled.
func RatingWords(rating int, due bool, base int) string {
	if due {
		return fmt.Sprintf("rolled as the first turn begins (three dice and %d)", base)
	}
	return strconv.Itoa(rating)
}

// Ratings of new captains and crews (stcs 12.1, 12.2): three dice and a base. No
// rating goes above MaxRating.
const (
	SkillBase      = 45
	EfficiencyBase = 25
)
