package crew

import (
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/orders"
)

// The averages of officers' ratings: three dice and 45, for dexterity three dice and 40 (stcs 19.2).
const (
	skillBase     = 45
	DexterityBase = 40
	averageDice   = 15
)

// BridgeStanding returns the standing orders of a ship's officers in words.
func BridgeStanding(s ship.Standing) []string {
	out := []string{"fire when " + s.Word(rulebook.StandingGate)}
	switch gate := s.Word(rulebook.StandingGate); gate {
	case "":
		out[0] = "fire " + verbs.GateFree
	case verbs.GateHold:
		out[0] = "fire " + verbs.GateHold
	}
	out = append(out, s.List(rulebook.StandingFire)...)
	for _, verb := range []string{rulebook.StandingDisarm, rulebook.StandingSlow, rulebook.StandingLower} {
		if list := s.List(verb); len(list) > 0 {
			out = append(out, verb+" "+strings.Join(list, " "))
		}
	}
	for _, skill := range s.List(rulebook.StandingLearn) {
		out = append(out, rulebook.StandingLearn+" "+rulebook.SkillWord(skill))
	}
	return out
}

// allSkills returns the ratings of all officers, in order.
func allSkills() []string {
	var out []string
	for _, post := range append([]string{ship.PostCaptain}, rulebook.Posts()...) {
		out = append(out, ship.SkillsOf()[post]...)
	}
	return out
}

// Appoint gives a ship its officers.
func Appoint(k *rulebook.Commissioning) {
	b := &ship.Bridge{Ratings: map[string]int{}}
	for _, skill := range allSkills() {
		base := skillBase
		if strings.HasPrefix(skill, ship.Dexterity) {
			base = DexterityBase
		}
		b.Ratings[skill] = k.Number(skill, 1, ship.MaxRating, base+averageDice)
		if _, given := k.State[skill]; !given && k.Options[rulebook.OptionRatings] == rulebook.RatingsRolled {
			b.Due = append(b.Due, skill)
		}
	}
	k.Sys.Put(b)
	for i, sh := range k.Sys.Shields {
		if sh.Down { // for the whole game
			f := ship.Generator(i + 1)
			k.Sys.SetTrack(f.Name, ship.Track{Boxes: k.Rules.OutAt(f.Track)})
		}
	}
}

// ForGood puts shield generators that are hit out of order for the rest of the game (stcs 19.4).
func ForGood(in *rulebook.DamageResolver, f ship.Fault) int {
	if f.Shield > 0 && f.Name == ship.Generator(f.Shield).Name {
		in.Cite(cites.GeneratorsForGood)
		return in.Rules.OutAt(f.Track)
	}
	return play.HeavyDamage(in, f)
}

// ManBridges begins a turn aboard: it rolls ratings, ends what was for the last turn, and merges
// the sets of a ship's posts (stcs 19.2, 22.1).
func ManBridges(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range t.Game.Ships {
		b := ship.Of(s).Bridge()
		for _, post := range append([]string{ship.PostCaptain}, rulebook.Posts()...) {
			rollRatings(l, t, s, b, post)
		}
		if (len(s.Crew) > 0 || len(b.Out) > 0) && t.Rules.Commands(s) {
			mergeSets(l, t, s)
		}
		if s.Status != engine.Active {
			continue
		}
		order := t.Sheets[engine.Seat{Ship: s.ID}].Block
		if b.Aims > 0 || b.Eased || b.Reduce > 0 || b.Boost {
			t.Emit(&ship.Turned{Ship: s.ID}, engine.SeeSeats(engine.Seat{Ship: s.ID, Post: engine.AllPosts}), l.Cite(cites.SkillRatings)...)
		}
		for _, st := range engine.TurnLevelStatements(order, "brief") {
			t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&ship.Briefed{Ship: s.ID, Text: strings.Join(st.Text, "\n")}, engine.SeeOnly(s.ID), l.Cite(cites.CaptainGates)...)
		}
	}
}

// rollRatings rolls an officer's ratings that are due: three dice and a base each.
func rollRatings(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, b *ship.Bridge, post string) {
	e := ship.Manned{Ship: s.ID, Post: post, Ratings: map[string]int{}}
	for _, skill := range ship.SkillsOf()[post] {
		if !slices.Contains(b.Due, skill) {
			continue
		}
		e.Ratings[skill] = skillBase
		if strings.HasPrefix(skill, ship.Dexterity) {
			e.Ratings[skill] = DexterityBase
		}
		for n := range 3 {
			e.Ratings[skill] += t.Roll(engine.NameRoll("rating", s.ID).And(skill, strconv.Itoa(n+1)), dice.D10, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings)...)
		}
	}
	if len(e.Ratings) > 0 {
		t.Emit(&e, engine.SeeOnly(s.ID), l.Cite(cites.SkillRatings)...)
	}
}

// RelieveOfficers carries out captains' orders to relieve officers at the end of the turn: during
// the turn, its orders stay with those who gave them.
func RelieveOfficers(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range t.Game.Ships {
		if s.Status == engine.Active {
			relieve(l, t, s, t.Sheets[engine.Seat{Ship: s.ID}].Block)
		}
	}
}

// relieve carries out a captain's orders to relieve officers who sent no orders for two turns,
// or to reinstate them (stcs 22.4).
func relieve(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, set *orders.Block) {
	for _, st := range slices.Concat(engine.TurnLevelStatements(set, "relieve"), engine.TurnLevelStatements(set, "reinstate")) {
		back := st.Verb == "reinstate"
		for _, a := range st.All("POST") {
			why := ""
			switch relieved := slices.Contains(s.Relieved, a.Text); {
			case s.Crew[a.Text] == "":
				why = rulebook.PostTitle(a.Text) + " is you yourself: the post is vacant"
			case back && !relieved:
				why = rulebook.PostTitle(a.Text) + " is not relieved"
			case !back && (relieved || s.Silent[a.Text].Last != t.Number() || s.Silent[a.Text].Turns < 2):
				why = "only an officer of whom no orders came for two turns can be relieved"
			}
			if why != "" {
				play.Skip(l, t, s, ship.PostCaptain, st.Pos.Line, orders.FormatStatement(st), why, cites.MissingPosts)
				continue
			}
			t.Because(t.Ordered(s.ID, st.Pos.Line, orders.FormatStatement(st))).Emit(&engine.Relieved{Ship: s.ID, Post: a.Text, Back: back},
				engine.SeeSeats(engine.Seat{Ship: s.ID, Post: a.Text}), l.Cite(cites.MissingPosts)...)
		}
	}
}

// mergeSets merges the sets of a ship's posts. Of each set only what the post may order counts.
// If a set did not come, or its officer is shaken, last turn's settings stay (stcs 21.2, 22.4).
func mergeSets(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	merged := &orders.Block{Head: orders.Head{Game: t.Game.ID, Turn: t.Number(), Kind: rulebook.KindMerged, Name: s.Name}}
	later, came := 0, map[string]bool{}
	for _, seat := range t.Rules.Seats(s) {
		sheet := t.Sheets[seat]
		later = max(later, len(sheet.Later))
		if sheet.Block != nil {
			came[seat.Post] = true
			join(l, t, s, merged, seat.Post, sheet.Block)
		}
	}
	switch {
	case s.Status == engine.Active:
		crew := rulebook.Manned(s.Crew, s.Relieved)
		standIn(l, t, s, merged, func(owner string) bool { return !came[rulebook.Station(crew, owner)] })
	case len(came) == 0:
		return // a crippled ship owes nothing
	}
	seat := engine.Seat{Ship: s.ID}
	whole := t.Sheets[seat]
	whole.Ship, whole.Block = s.ID, merged
	whole.Later = append(slices.Clone(whole.Later), make([]engine.Reply, later-len(whole.Later))...)
	t.Sheets[seat] = whole
}

// officerOf returns the officer who carries out a post's orders, as bridges name the officers:
// the one at the weapons is shaken together with the helm.
func officerOf(owner string) string {
	switch owner {
	case ship.PostCaptain:
		return "captain"
	case ship.PostWeapons:
		return ship.PostHelm
	}
	return owner
}

// isSetting reports whether an order is a setting that stays unchanged while its officer is shaken.
func isSetting(section string, st orders.Statement) bool {
	switch section {
	case "":
		return slices.Contains([]string{"totals", "skill", "warp"}, st.Verb)
	case "standing":
		return st.Verb == "fire" && st.Form < rulebook.GateForms
	}
	return section == "power"
}

// join adds a post's orders to those of the ship. It skips settings of a shaken officer; orders
// for the phases wait until the officer is fit.
func join(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, merged *orders.Block, post string, block *orders.Block) {
	b := ship.Of(s).Bridge()
	for _, g := range block.Groups {
		for _, st := range g.Statements {
			who, ok := l.MayOrder(rulebook.Manned(s.Crew, s.Relieved), post, g.Name, st)
			owner, all := l.PostOf(g.Name, st)
			why := ""
			switch {
			case !ok:
				why = "that is " + rulebook.PostTitle(who) + "'s to order"
			case !all && b.Shaky(officerOf(owner)) && isSetting(g.Name, st) && t.Phase.No == 0:
				if owner == ship.PostWeapons {
					owner = gunner(s)
				}
				why = rulebook.PostTitle(owner) + OfficerShaken + ": the settings of last turn stay"
			}
			if why != "" {
				t.Emit(&engine.Skip{Ship: s.ID, Post: post, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: why}, engine.SeeOnly(s.ID), l.Cite(cites.SkippedOrders, cites.PostOrders)...)
				continue
			}
			AddTo(l, merged, g, st)
		}
	}
}

// standIn adds what continues without orders of silent officers, and the settings of shaken ones:
// the engineer's shares and the settings of weapons and shields as they were, the course, and
// standing orders to fire; or the helm's orders of last turn, if the standing orders say to
// repeat them.
func standIn(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, merged *orders.Block, silent func(owner string) bool) {
	sys := ship.Of(s)
	again := sys.Standing.Missing == "repeat" && sys.Standing.Last != ""
	repeated := func(owner string) bool {
		return again && silent(owner) && (len(s.Crew) == 0 || officerOf(owner) == ship.PostHelm)
	}
	stays := func(owner string) bool {
		return !repeated(owner) && (silent(owner) || sys.Bridge().Shaky(officerOf(owner)))
	}
	absent := func(owner string) bool { return !repeated(owner) && silent(owner) }
	if slices.ContainsFunc(append([]string{ship.PostCaptain}, rulebook.Posts()...), repeated) {
		addOwned(l, merged, verbs.Read(l, sys.Standing.Last), repeated)
	}
	if slices.ContainsFunc([]string{ship.PostEngineer, ship.PostWeapons, ship.PostScience}, stays) {
		settings := verbs.Plain(l, ship.PowerOrders(sys, l.Scaled(sys)))
		g, _ := settings.Group("power", 0)
		g.Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return st.Verb == "move" }) // movement goes out as totals
		addOwned(l, merged, &orders.Block{Groups: []orders.Group{g}}, stays)
		if stays(ship.PostEngineer) {
			p := l.Compile(s.ID, s.Side, sys, rulebook.RosterOf([]*engine.Ship{s}), nil, settings, false)
			totals, given := lastTotals(l, sys)
			if !given {
				totals = verbs.TotalsOf(&p.Power)
			}
			if st, diags := totals.Statement(l.Language, ""); len(diags) == 0 {
				AddTo(l, merged, orders.Group{}, st)
			}
		}
	}
	if absent(ship.PostHelm) || absent(ship.PostWeapons) {
		p := l.Compile(s.ID, s.Side, sys, l.Known(t, s), t.Game.Sides, merged, false)
		addOwned(l, merged, verbs.Plain(l, play.KeptCourse(t.Game, s, 1, p.Power.Split)), absent)
	}
}

// lastTotals returns the engineer's last totals, scaled to the power that is left; false if
// there are none.
func lastTotals(l *rulebook.Rules, sys *ship.State) (totals orders.Order, given bool) {
	st, diags := orders.Say("totals", verbs.SharesOf(sys.Standing.Last)).Statement(l.Language, "")
	if len(diags) > 0 {
		return totals, false
	}
	o := verbs.ReadTotals(st)
	if sum, left := verbs.Sum(o)-o.Cloak, sys.Power-o.Cloak; sum > left {
		for _, share := range []*int{&o.Move, &o.Weapons, &o.Shields} {
			*share = *share * max(0, left) / sum
		}
	}
	return verbs.TotalsOf(&ship.PowerSet{Movement: o.Move, Weapons: o.Weapons, Shields: o.Shields, Cloak: o.Cloak}), true
}

// addOwned adds the statements of a set that belong to some posts to another set.
func addOwned(l *rulebook.Rules, merged, from *orders.Block, of func(owner string) bool) {
	for _, g := range from.Groups {
		for _, st := range g.Statements {
			if owner, all := l.PostOf(g.Name, st); !all && of(owner) {
				AddTo(l, merged, g, st)
			}
		}
	}
}

// CrewReply returns the set of a ship for a round after the first, merged from what her officers
// sent for it and what still holds of earlier sets. sent reports whether any of them sent
// something, ok whether anything was due.
func CrewReply(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, held *rulebook.InForce) (block *orders.Block, sent, ok bool) {
	if len(s.Crew) == 0 {
		block, sent, ok = play.CaptainsReply(l, t, s, held)
		if block != nil { // a merged set has no headings without orders
			b := *block
			b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(g orders.Group) bool {
				_, had := held.Block.Group(g.Name, g.N)
				return len(g.Statements) == 0 && !had
			})
			block = &b
		}
		return block, sent, ok
	}
	crew, round := rulebook.Manned(s.Crew, s.Relieved), t.Phase.No
	block = &orders.Block{Head: held.Block.Head}
	said := map[string]*orders.Block{}
	silent := map[string]bool{}
	for _, seat := range t.Rules.Seats(s) {
		reply, answered := t.Reply(seat)
		ok = ok || answered
		if reply.Block != nil {
			said[seat.Post] = reply.Block
			join(l, t, s, block, seat.Post, reply.Block)
		}
		silent[seat.Post] = answered && reply.Block == nil
	}
	covered := map[string]bool{}
	for _, g := range held.Block.Groups {
		for _, st := range g.Statements {
			owner, _ := l.PostOf(g.Name, st)
			who := rulebook.Station(crew, owner)
			holds := g.Name == "phase" && g.N >= round && (said[who] == nil || !family.Covers(*said[who], g.N))
			if holds || g.Name == "" && said[who] == nil && verbs.Ends(st, round) {
				AddTo(l, block, g, st)
				covered[owner] = covered[owner] || g.N == round
			}
		}
	}
	absent := func(owner string) bool { return silent[rulebook.Station(crew, owner)] && !covered[owner] }
	if absent(ship.PostHelm) || absent(ship.PostWeapons) {
		if b := play.AbsentRound(l, t, s, held); b != nil {
			addOwned(l, block, b, func(owner string) bool { return absent(owner) && officerOf(owner) == ship.PostHelm })
		}
	}
	return block, len(said) > 0, ok
}

// AddTo adds a statement of group g to the same group of another set.
func AddTo(l *rulebook.Rules, merged *orders.Block, g orders.Group, st orders.Statement) {
	i := slices.IndexFunc(merged.Groups, func(o orders.Group) bool { return o.Name == g.Name && o.N == g.N })
	if i < 0 {
		family.Put(l.Language, merged, orders.Group{Pos: g.Pos, Name: g.Name, N: g.N})
		i = slices.IndexFunc(merged.Groups, func(o orders.Group) bool { return o.Name == g.Name && o.N == g.N })
	}
	merged.Groups[i].Statements = append(merged.Groups[i].Statements, st)
}

// OwedPosts returns the seats that owe orders: on each ship in the fight the captain's and all
// filled posts that are not relieved.
func OwedPosts(g *engine.Game) []engine.Seat {
	var out []engine.Seat
	for _, s := range g.Ships {
		if s.Status != engine.Active || s.Small() {
			continue
		}
		out = append(out, engine.Seat{Ship: s.ID})
		for _, post := range rulebook.Posts() {
			if s.Crew[post] != "" && !slices.Contains(s.Relieved, post) {
				out = append(out, engine.Seat{Ship: s.ID, Post: post})
			}
		}
	}
	return out
}

// MatchTactics decides the tactical advantage by one die plus the captain's rating; equals roll
// another die (stcs 20.1).
func MatchTactics(l *rulebook.Rules, t *engine.Turn) {
	ships := ship.Fighting(t.Game)
	if len(ships) < 2 {
		for _, s := range ships {
			play.Memo(t).Advantage = append(play.Memo(t).Advantage, s.ID)
		}
		return
	}
	score := map[engine.ShipID]int{}
	for _, s := range ships {
		score[s.ID] = ship.Of(s).Bridge().Ratings[ship.SkillTactics] + t.Roll(engine.NameRoll("advantage", s.ID), dice.D10, rivals(l, t.Game, s, ships), l.Cite(cites.TacticalAdvantage)...)
	}
	order := orderBy(l, t, ships, 2, func(a, b *engine.Ship) int { return score[a.ID] - score[b.ID] })
	play.Memo(t).Advantage = order
	announce(l, t, ship.Advantage{Order: order, How: "one die and the captain's rating for tactics"}, cites.TacticalAdvantage)
}
