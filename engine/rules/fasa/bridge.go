package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/ship"
	"starpost/orders"
)

// The averages of officers: three dice and 45, of ship.Dexterity three dice and 40 (stcs 19.2).
const (
	skillBase     = 45
	dexterityBase = 40
	averageDice   = 15
)

// bridgePart gives ships officers with posts (stcs 19 to 24).
func bridgePart() part {
	return part{
		verbs:      bridgeVerbs(),
		params:     bridgeParams(),
		keeps:      []ship.Share{&ship.Bridge{}},
		commission: appoint,
		settle:     fitTotals,
		orders:     []string{standingGate, standingFire, standingCuts, standingDisarm, standingSlow, standingLower},
		standing:   bridgeStanding,
		bodies: []func() engine.Body{
			func() engine.Body { return new(ship.Manned) }, func() engine.Body { return new(ship.Skilled) }, func() engine.Body { return new(ship.Turned) },
			func() engine.Body { return new(ship.Spared) }, func() engine.Body { return new(ship.Shaken) }, func() engine.Body { return new(ship.Blackout) },
			func() engine.Body { return new(ship.LeftOver) }, func() engine.Body { return new(ship.Cut) }, func() engine.Body { return new(ship.Briefed) },
		},
		tell:   bridgeTells(),
		panels: bridgePanels,
		robot:  useSkills,
		dice:   crewDice(),
	}
}

// bridgeStanding writes the standing orders of a ship's officers.
func bridgeStanding(s ship.Standing) []string {
	out := []string{"fire when " + s.Word(standingGate)}
	switch gate := s.Word(standingGate); gate {
	case "":
		out[0] = "fire " + gateFree
	case gateHold:
		out[0] = "fire " + gateHold
	}
	out = append(out, s.List(standingFire)...)
	for _, verb := range []string{standingDisarm, standingSlow, standingLower} {
		if list := s.List(verb); len(list) > 0 {
			out = append(out, verb+" "+strings.Join(list, " "))
		}
	}
	return out
}

// allSkills are the ratings of all officers, in order.
func allSkills() []string {
	var out []string
	for _, post := range append([]string{ship.PostCaptain}, posts()...) {
		out = append(out, ship.SkillsOf()[post]...)
	}
	return out
}

// appoint gives a ship its officers.
func appoint(k *commissioning) {
	b := &ship.Bridge{Ratings: map[string]int{}}
	for _, skill := range allSkills() {
		base := skillBase
		if strings.HasPrefix(skill, ship.Dexterity) {
			base = dexterityBase
		}
		b.Ratings[skill] = k.number(skill, 1, ship.MaxRating, base+averageDice)
		if _, given := k.state[skill]; !given && k.options[OptionRatings] == RatingsRolled {
			b.Due = append(b.Due, skill)
		}
	}
	k.sys.Put(b)
	for i, sh := range k.sys.Shields {
		if sh.Down { // for good
			f := ship.Generator(i + 1)
			k.sys.SetTrack(f.Name, ship.Track{Boxes: len(k.l.Repair[f.Track]) + 1})
		}
	}
}

// forGood lets hits on shield generators put them out for the rest of the game (stcs 19.4).
func forGood(in *damageResolver, f ship.Fault) int {
	if f.Shield > 0 && f.Name == ship.Generator(f.Shield).Name {
		in.cite(GeneratorsForGood)
		return len(in.l.Repair[f.Track]) + 1
	}
	return heavyDamage(in, f)
}

// manBridges begins a turn aboard: ratings are rolled, what was for the last turn is over,
// and the sets of a ship's posts become one (stcs 19.2, 22.1).
func (l *rulebook) manBridges(t *engine.Turn) {
	for _, s := range t.Game.Ships {
		b := ship.Of(s).Bridge()
		for _, post := range append([]string{ship.PostCaptain}, posts()...) {
			l.rollRatings(t, s, b, post)
		}
		if s.Status != engine.Active {
			continue
		}
		if len(s.Crew) > 0 {
			l.mergeSets(t, s)
		}
		order := t.Sheets[engine.Seat{Ship: s.ID}].Block
		l.relieve(t, s, order)
		if b.Aims > 0 || b.Eased || b.Reduce > 0 || b.Boost {
			t.Emit(&ship.Turned{Ship: s.ID}, engine.SeeSeats(engine.Seat{Ship: s.ID, Post: engine.AllPosts}), l.cite(SkillRatings)...)
		}
		for _, st := range engine.TurnLevelStatements(order, "brief") {
			t.Because(t.Ordered(s.ID, st.Pos.Line, "")).Emit(&ship.Briefed{Ship: s.ID, Text: strings.Join(st.Text, "\n")}, engine.SeeOnly(s.ID), l.cite(CaptainGates)...)
		}
	}
}

// rollRatings rolls those of an officer that are due, three dice and a base each.
func (l *rulebook) rollRatings(t *engine.Turn, s *engine.Ship, b *ship.Bridge, post string) {
	e := ship.Manned{Ship: s.ID, Post: post, Ratings: map[string]int{}}
	for _, skill := range ship.SkillsOf()[post] {
		if !slices.Contains(b.Due, skill) {
			continue
		}
		e.Ratings[skill] = skillBase
		if strings.HasPrefix(skill, ship.Dexterity) {
			e.Ratings[skill] = dexterityBase
		}
		for n := range 3 {
			e.Ratings[skill] += t.Roll(fmt.Sprintf("rating.%s.%s.%d", s.ID, skill, n+1), dice.D10, engine.SeeOnly(s.ID), l.cite(SkillRatings)...)
		}
	}
	if len(e.Ratings) > 0 {
		t.Emit(&e, engine.SeeOnly(s.ID), l.cite(SkillRatings)...)
	}
}

// relieve carries out a captain's orders to relieve officers of whom no orders came for two
// turns, or to put them back (stcs 22.4).
func (l *rulebook) relieve(t *engine.Turn, s *engine.Ship, set *orders.Block) {
	for _, st := range slices.Concat(engine.TurnLevelStatements(set, "relieve"), engine.TurnLevelStatements(set, "reinstate")) {
		back := st.Verb == "reinstate"
		for _, a := range st.All("POST") {
			why := ""
			switch relieved := slices.Contains(s.Relieved, a.Text); {
			case s.Crew[a.Text] == "":
				why = postTitle(a.Text) + " is you yourself: the post is vacant"
			case back && !relieved:
				why = postTitle(a.Text) + " is not relieved"
			case !back && (relieved || s.Silent[a.Text].Last != t.Number() || s.Silent[a.Text].Turns < 2):
				why = "only an officer of whom no orders came for two turns can be relieved"
			}
			if why != "" {
				l.skip(t, s, ship.PostCaptain, st.Pos.Line, orders.FormatStatement(st), why, MissingPosts)
				continue
			}
			t.Because(t.Ordered(s.ID, st.Pos.Line, "")).Emit(&engine.Relieved{Ship: s.ID, Post: a.Text, Back: back},
				engine.SeeSeats(engine.Seat{Ship: s.ID, Post: a.Text}), l.cite(MissingPosts)...)
		}
	}
}

// mergeSets makes one set of those of a ship's posts. Of each only what is his to order
// counts; for one that did not come, or whose officer is shaken, his settings of last turn
// stay (stcs 21.2, 22.4).
func (l *rulebook) mergeSets(t *engine.Turn, s *engine.Ship) {
	b := ship.Of(s).Bridge()
	absent, _ := orders.Parse([]byte(fmt.Sprintf("#orders %s turn %d ship %s\n%s\n#end\n", t.Game.ID, t.Number(), s.Name, l.absentText(t.Game, s))), t.Rules.Language)
	merged := &orders.Block{Head: orders.Head{Game: t.Game.ID, Turn: t.Number(), Kind: kindMerged, Name: s.Name}}
	later := 0
	came := false
	for _, seat := range t.Rules.Seats(s) {
		sheet := t.Sheets[seat]
		later = max(later, len(sheet.Later))
		block := sheet.Block
		if block != nil {
			came = true
			l.join(t, s, merged, seat.Post, block, b.Shaky(cmpPost(seat.Post)))
		}
		filled := seat.Post == ship.PostCaptain || s.Crew[seat.Post] != ""
		if !filled || slices.Contains(s.Relieved, seat.Post) {
			continue
		}
		if (block == nil || b.Shaky(cmpPost(seat.Post))) && len(absent) == 1 {
			l.standIn(s, merged, seat.Post, &absent[0], block == nil)
		}
	}
	whole := t.Sheets[engine.Seat{Ship: s.ID}]
	whole.Ship, whole.Block, whole.Later = s.ID, merged, make([]engine.Reply, later)
	for i := range whole.Later {
		reply := &orders.Block{Head: merged.Head}
		said := false
		for _, seat := range t.Rules.Seats(s) {
			if all := t.Sheets[seat].Later; i < len(all) {
				if all[i].Block != nil {
					said = true
					l.join(t, s, reply, seat.Post, all[i].Block, false)
				} else if all[i].Policy != "" {
					whole.Later[i].Policy = all[i].Policy
				}
			}
		}
		if said {
			whole.Later[i] = engine.Reply{Block: reply}
		}
	}
	if !came && whole.Policy != "" && len(ship.Of(s).Standing.Last) == 0 {
		merged.Groups = nil
	}
	t.Sheets[engine.Seat{Ship: s.ID}] = whole
}

// cmpPost is the officer of a post, as bridges name him.
func cmpPost(post string) string {
	if post == ship.PostCaptain {
		return "captain"
	}
	return post
}

// join adds a post's orders to those of the ship. Settings of a shaken officer are passed
// over: what is for the phases waits until he is fit.
func (l *rulebook) join(t *engine.Turn, s *engine.Ship, merged *orders.Block, post string, block *orders.Block, shaken bool) {
	for _, g := range block.Groups {
		for _, st := range g.Statements {
			who, ok := mayOrder(manned(s.Crew, s.Relieved), post, g.Name, st)
			why := ""
			switch {
			case !ok:
				why = "that is " + postTitle(who) + "'s to order"
			case shaken && (g.Name == "power" || g.Name == "" && (st.Verb == "totals" || st.Verb == "skill")):
				why = postTitle(post) + " is shaken: the settings of last turn stay"
			}
			if why != "" {
				t.Emit(&engine.Skip{Ship: s.ID, Post: post, Line: st.Pos.Line, Order: orders.FormatStatement(st), Reason: why}, engine.SeeOnly(s.ID), l.cite(SkippedOrders, PostOrders)...)
				continue
			}
			l.addTo(merged, g, st)
		}
	}
}

// standIn adds the settings that an officer's place has without him.
func (l *rulebook) standIn(s *engine.Ship, merged *orders.Block, post string, absent *orders.Block, phases bool) {
	for _, g := range absent.Groups {
		for _, st := range g.Statements {
			owner, all := postOf(g.Name, st)
			if all || station(manned(s.Crew, s.Relieved), owner) != post || g.Name == "phase" && !phases {
				continue
			}
			if g.Name == "power" && st.Verb == "move" {
				continue // it goes out as totals
			}
			l.addTo(merged, g, st)
		}
	}
	if post == ship.PostEngineer {
		p := l.compile(s.ID, s.Side, ship.Of(s), rosterOf([]*engine.Ship{s}), nil, absent, false)
		if st, diags := l.language.Statement("", totalsOf(&p.power)); len(diags) == 0 {
			l.addTo(merged, orders.Group{}, st)
		}
	}
}

// addTo adds a statement to the group of a set that it stands in.
func (l *rulebook) addTo(merged *orders.Block, g orders.Group, st orders.Statement) {
	i := slices.IndexFunc(merged.Groups, func(o orders.Group) bool { return o.Name == g.Name && o.N == g.N })
	if i < 0 {
		l.put(merged, orders.Group{Pos: g.Pos, Name: g.Name, N: g.N})
		i = slices.IndexFunc(merged.Groups, func(o orders.Group) bool { return o.Name == g.Name && o.N == g.N })
	}
	merged.Groups[i].Statements = append(merged.Groups[i].Statements, st)
}

// owedPosts are the seats that owe orders: on each ship in the fight her captain's, and
// those that are filled.
func (l *rulebook) owedPosts(g *engine.Game) []engine.Seat {
	var out []engine.Seat
	for _, s := range g.Ships {
		if s.Status != engine.Active || s.Small() {
			continue
		}
		out = append(out, engine.Seat{Ship: s.ID})
		for _, post := range posts() {
			if s.Crew[post] != "" && !slices.Contains(s.Relieved, post) {
				out = append(out, engine.Seat{Ship: s.ID, Post: post})
			}
		}
	}
	return out
}

// matchTactics decides the tactical advantage by one die and the captains' ratings; equal
// ones roll a die more (stcs 20.1).
func (l *rulebook) matchTactics(t *engine.Turn) {
	ships := ship.Fighting(t.Game)
	if len(ships) < 2 {
		for _, s := range ships {
			memo(t).advantage = append(memo(t).advantage, s.ID)
		}
		return
	}
	score := map[string]int{}
	for _, s := range ships {
		score[s.ID] = ship.Of(s).Bridge().Ratings[ship.SkillTactics] + t.Roll("advantage."+s.ID, dice.D10, l.rivals(t.Game, s, ships), l.cite(TacticalAdvantage)...)
	}
	order := l.orderBy(t, ships, 2, func(a, b *engine.Ship) int { return score[a.ID] - score[b.ID] })
	memo(t).advantage = order
	l.announce(t, ship.Advantage{Order: order, How: "one die and the captain's rating for tactics"}, TacticalAdvantage)
}
