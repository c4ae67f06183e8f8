package command

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/effect"
	"starpost/pbem/vault"
)

// audience is whom one name of a message stands for.
type audience struct {
	name     string // as anyone writes it who may: "all", "Klingon", "Riskadh"
	words    string // "all captains", "side Klingon", "Kor"
	captains []vault.Captain
	one      bool // a captain, or a ship's
	aboard   bool // some of the captain's own ship: they always hear him
}

// toAll names all captains.
const toAll = "all"

// maxNames is how many names one message may be for; side and all count as one.
const maxNames = 20

// addressed is whom a message is for, by each name; why and way say what is wrong with them. One's own
// name among others is passed over, as one who answers to all writes it.
func (d *Result) addressed(to string) (out []audience, why, way string) {
	one, why, way := d.audience(to)
	names := d.split(to)
	if why == "" || len(names) < 2 {
		return []audience{one}, why, way
	}
	if len(names) > maxNames {
		return nil, fmt.Sprintf("a message goes to at most %d names, and these are %d", maxNames, len(names)), "write side or all, or send it in two messages"
	}
	for _, name := range names {
		part, why, way := d.audience(name)
		switch {
		case why == ownName:
		case why != "":
			return nil, why, way
		case !slices.ContainsFunc(out, func(o audience) bool { return o.words == part.words }):
			out = append(out, part)
		}
	}
	if len(out) == 0 {
		return nil, ownName, ""
	}
	return out, "", ""
}

// split cuts a list into names: "Hood, Bismarck and Kor". A name may have the word and in it.
func (d *Result) split(to string) (names []string) {
	for part := range strings.SplitSeq(to, ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "and "); part == "" {
			continue
		}
		if _, why, _ := d.audience(part); why != "" && strings.Contains(part, " and ") {
			names = append(names, strings.Split(part, " and ")...)
			continue
		}
		names = append(names, part)
	}
	return names
}

// allAboard tells whether a message goes to the captain's own ships alone, where everybody may always talk.
func (d *Result) allAboard() bool {
	return !slices.ContainsFunc(d.split(d.Cmd.To), func(name string) bool { _, ok := d.aboard(name); return !ok })
}

// ownSide tells whether nobody is written to who is of another side.
func (d *Result) ownSide(to []audience) bool {
	for _, part := range to {
		if !part.aboard && slices.ContainsFunc(part.captains, func(o vault.Captain) bool { return d.sideOf(o) != d.side() }) {
			return false
		}
	}
	return true
}

// reached are those written to of whom that holds, each once and without the captain himself.
func (d *Result) reached(to []audience, holds func(vault.Captain) bool) (out []vault.Captain) {
	for _, part := range to {
		for _, o := range part.captains {
			if o.Name != d.Captain.Name && holds(o) && !slices.ContainsFunc(out, func(p vault.Captain) bool { return p.Name == o.Name }) {
				out = append(out, o)
			}
		}
	}
	return out
}

// published tells whether a message is published when the game is over, by the setting of the game.
func published(press string, to []audience) bool {
	return press == vault.PressAll || press == vault.PressOpen && slices.ContainsFunc(to, func(part audience) bool { return part.name == toAll })
}

// toWords says whom a message is for.
func toWords(to []audience) string {
	words := make([]string, len(to))
	for i, part := range to {
		words[i] = part.words
	}
	return effect.Enumerated(words)
}

// toFor says to one of them whom a message is for, without those of whom he may not know.
func (d *Result) toFor(o vault.Captain, to []audience) string {
	if len(to) == 1 && len(d.reached(to, func(vault.Captain) bool { return true })) == 1 {
		return "you"
	}
	shown := d.shownTo(o, to)
	i := slices.IndexFunc(shown, func(part audience) bool { return part.one && part.captains[0].Name == o.Name })
	if i >= 0 {
		shown = slices.Insert(slices.Delete(shown, i, i+1), 0, audience{words: "you"})
	}
	return toWords(shown)
}

// backTo is how one who gets a message writes back: first to its captain alone, then to all others too whom it was for.
func (d *Result) backTo(o vault.Captain, to []audience) []string {
	out := []string{d.Back()}
	for _, part := range d.shownTo(o, to) {
		only := d.reached([]audience{part}, func(c vault.Captain) bool { return c.Name != o.Name })
		if len(only) > 0 {
			out = append(out, part.name)
		}
	}
	return out
}

// shownTo are those audiences of which one who gets the message may know.
func (d *Result) shownTo(o vault.Captain, to []audience) []audience {
	known := d.as(o.Name).acquainted()
	return slices.DeleteFunc(slices.Clone(to), func(part audience) bool {
		return part.one && !part.aboard && !slices.ContainsFunc(known, func(s *engine.Ship) bool { return len(s.MannedBy(part.captains[0].Name)) > 0 })
	})
}

// as is another captain of the same game.
func (d *Result) as(name engine.CaptainName) *Result {
	c, ok := d.Game.Settings().Captain(name)
	if !ok {
		c.Name = name
	}
	return &Result{Cmd: d.Cmd, Game: d.Game, Pos: d.Pos, Captain: c}
}

// crewWord names all who are aboard the writer's ships.
const crewWord = "crew"

// aboard is whom a name stands for that is a post on a ship of the captain's, her captain, or all aboard, who may
// always talk; ok is false for any other.
func (d *Result) aboard(name string) (to audience, ok bool) {
	post, ok := d.Game.Rules().PostOf(name)
	all := len(d.Game.Rules().Posts()) > 0 && strings.EqualFold(name, crewWord)
	if !ok && !all {
		return to, false
	}
	to = audience{name: strings.ToLower(name), words: "the " + strings.ToLower(name), one: !all, aboard: true}
	for _, s := range d.Pos.State().Ships {
		if len(s.MannedBy(d.Captain.Name)) == 0 {
			continue
		}
		for _, seat := range d.Game.Rules().Seats(s) {
			c, found := d.Game.Settings().Captain(s.Officer(seat.Post))
			if found && (all || seat.Post == post) && !slices.ContainsFunc(to.captains, func(o vault.Captain) bool { return o.Name == c.Name }) {
				to.captains = append(to.captains, c)
			}
		}
	}
	return to, true
}

// hearers are those of some captains who hear, by the rule set, what the captain says
// to an audience.
func (d *Result) hearers(to audience, captains []vault.Captain) []vault.Captain {
	hears, state := d.Game.Rules().Hears, d.Pos.State()
	if hears == nil || to.aboard {
		return captains
	}
	ships := map[engine.CaptainName][]engine.ShipID{}
	for _, c := range state.Captains() {
		ships[c.Name] = c.Ships
	}
	i := slices.IndexFunc(ships[d.Captain.Name], func(id engine.ShipID) bool {
		s, ok := state.Ship(id)
		return ok && s.OnMap() && s.Status != engine.Destroyed
	})
	if i < 0 {
		return nil // he has no ship to speak from
	}
	from, _ := state.Ship(ships[d.Captain.Name][i])
	name := to.name
	if to.one {
		name = to.captains[0].Ship()
	}
	see := hears(state, from, name, false)
	return slices.DeleteFunc(captains, func(c vault.Captain) bool { return !engine.Reads(see, ships[c.Name]) })
}

// side is the captain's own, "" for one whose ships are on several.
func (d *Result) side() string { return d.sideOf(d.Captain) }

func (d *Result) sideOf(c vault.Captain) string {
	side := ""
	for _, s := range d.Pos.State().Ships {
		if len(s.MannedBy(c.Name)) == 0 {
			continue
		}
		if side != "" && side != s.Side {
			return ""
		}
		side = s.Side
	}
	return side
}

// acquainted are the ships that the captain may name.
func (d *Result) acquainted() []*engine.Ship {
	side := d.side()
	return slices.DeleteFunc(slices.Clone(d.Pos.State().Ships), func(s *engine.Ship) bool {
		return s.Small() || s.Status == engine.Waiting && s.Side != side
	})
}

// ownName refuses a message to its own writer.
const ownName = "the message is for yourself"

// audience finds out whom a name stands for; why and way say what is wrong with it.
func (d *Result) audience(to string) (found audience, why, way string) {
	if crew, ok := d.aboard(to); ok {
		return crew, "", ""
	}
	state, all := d.Pos.State(), d.Game.Settings().Captains
	if strings.EqualFold(to, toAll) {
		return audience{name: toAll, words: "all captains", captains: slices.Clone(all)}, "", ""
	}
	if strings.EqualFold(to, "side") {
		if to = d.side(); to == "" {
			return found, "your ships are on several sides", "name the side: " + strings.Join(sideNames(state), ", ")
		}
	}
	for _, sd := range state.Sides {
		if !strings.EqualFold(sd.ID, to) && !strings.EqualFold(sd.Name, to) {
			continue
		}
		a := audience{name: sd.Name, words: "side " + sd.Name}
		for _, c := range all {
			if slices.ContainsFunc(state.Ships, func(s *engine.Ship) bool { return s.Side == sd.ID && len(s.MannedBy(c.Name)) > 0 }) {
				a.captains = append(a.captains, c)
			}
		}
		return a, "", ""
	}
	known := d.acquainted()
	who := captainCalled(known, to, d.Game.Rules().Posts())
	for _, c := range all {
		if who == "" || c.Name != who {
			continue
		}
		if c.Name == d.Captain.Name {
			return found, ownName, ""
		}
		return audience{name: d.as(c.Name).Back(), words: string(c.Name), captains: []vault.Captain{c}, one: true}, "", ""
	}
	names := append(sideNames(state), toAll, "side")
	for _, s := range known {
		names = append(names, s.Name, string(s.Captain))
	}
	return found, fmt.Sprintf("there is no one called %q", shorten(to)), orders.DidYouMean("%s", to, names, "write the name of a ship or captain, a side, side or all")
}

// captainCalled is the captain whom the name of a ship, of a captain, or of a post on a ship stands for; "" for no one.
func captainCalled(known []*engine.Ship, to string, posts []string) (who engine.CaptainName) {
	if s, post, ok := engine.FindSeat(known, strings.NewReplacer("/", ".", " ", ".").Replace(to)); ok && post != "" && slices.Contains(posts, post) {
		who = s.Officer(post)
	}
	for _, s := range known {
		for _, other := range s.Crew {
			if other.Fits(to) {
				who = other
			}
		}
		if s.Captain.Fits(to) {
			who = s.Captain
		}
	}
	if who == "" {
		if s, _, ok := engine.FindShip(known, to); ok {
			who = s.Captain
		}
	}
	return who
}

func sideNames(g *engine.Game) []string {
	out := make([]string, len(g.Sides))
	for i, s := range g.Sides {
		out[i] = s.Name
	}
	return out
}
