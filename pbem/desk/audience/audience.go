// Package audience determines the recipients of a captain's message: who it is addressed to,
// who of them gets it, and which other recipients each may see.
package audience

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/effect"
	"starpost/pbem/lobby"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Writer is a captain of a game who writes to others.
type Writer struct {
	Game    *vault.Game
	Pos     *turn.Position
	Captain vault.Captain
}

// Back returns the name that others use to write to the captain.
func (w Writer) Back() string {
	if ships := lobby.ShownSeats(w.Pos, w.Captain); len(ships) == 1 {
		return ships[0]
	}
	return string(w.Captain.Name)
}

// Title returns the captain's name as others see it: "Kirk (Hood)".
func (w Writer) Title() string {
	name := string(w.Captain.Name)
	if ships := lobby.ShownSeats(w.Pos, w.Captain); len(ships) > 0 && !slices.Equal(ships, []string{name}) {
		return fmt.Sprintf("%s (%s)", name, strings.Join(ships, ", "))
	}
	return name
}

// Audience is what one name in a message's address stands for.
type Audience struct {
	name     string // as a writer may give it: "all", "Klingon", "Riskadh"
	words    string // "all captains", "side Klingon", "Kor"
	captains []vault.Captain
	one      bool // a captain, or the captain of a ship
	aboard   bool // on the writer's own ship: they always hear the captain
}

// toAll names all captains.
const toAll = "all"

// maxNames limits the names that one message may be addressed to; side and all count as one.
const maxNames = 20

// Find returns the audience of each name in the address of a message; why and way say what is wrong with the names. The
// writer's own name among others is skipped, because a reply to all may contain it.
func (w Writer) Find(to string) (out []Audience, why, way string) {
	one, why, way := w.called(to)
	names := w.split(to)
	if why == "" || len(names) < 2 {
		return []Audience{one}, why, way
	}
	if len(names) > maxNames {
		return nil, fmt.Sprintf("a message can go to at most %d names; this has %d", maxNames, len(names)), "write side or all, or send it in two messages"
	}
	for _, name := range names {
		part, why, way := w.called(name)
		switch {
		case why == ownName:
		case why != "":
			return nil, why, way
		case !slices.ContainsFunc(out, func(o Audience) bool { return o.words == part.words }):
			out = append(out, part)
		}
	}
	if len(out) == 0 {
		return nil, ownName, ""
	}
	return out, "", ""
}

// split cuts a list such as "Hood, Bismarck and Kor" into names. A name may contain the word "and".
func (w Writer) split(to string) (names []string) {
	for part := range strings.SplitSeq(to, ",") {
		if part = strings.TrimPrefix(strings.TrimSpace(part), "and "); part == "" {
			continue
		}
		if _, why, _ := w.called(part); why != "" && strings.Contains(part, " and ") {
			names = append(names, strings.Split(part, " and ")...)
			continue
		}
		names = append(names, part)
	}
	return names
}

// AllAboard reports whether a message to these names goes only to the captain's own ships, where everyone may always
// talk.
func (w Writer) AllAboard(to string) bool {
	return !slices.ContainsFunc(w.split(to), func(name string) bool { _, ok := w.aboard(name); return !ok })
}

// OwnSide reports whether all recipients are on the writer's own side, or aboard the writer's ships.
func (w Writer) OwnSide(to []Audience) bool {
	for _, part := range to {
		if !part.aboard && slices.ContainsFunc(part.captains, func(o vault.Captain) bool { return w.sideOf(o) != w.side() }) {
			return false
		}
	}
	return true
}

// Reached returns the recipients for whom holds is true, each once and without the writer.
func (w Writer) Reached(to []Audience, holds func(vault.Captain) bool) (out []vault.Captain) {
	for _, part := range to {
		for _, o := range part.captains {
			if o.Name != w.Captain.Name && holds(o) && !slices.ContainsFunc(out, func(p vault.Captain) bool { return p.Name == o.Name }) {
				out = append(out, o)
			}
		}
	}
	return out
}

// Published reports whether a message is published when the game is over, by the game's press setting.
func Published(press string, to []Audience) bool {
	return press == vault.PressAll || press == vault.PressOpen && slices.ContainsFunc(to, func(part Audience) bool { return part.name == toAll })
}

// Words names the recipients of a message.
func Words(to []Audience) string {
	words := make([]string, len(to))
	for i, part := range to {
		words[i] = part.words
	}
	return effect.Enumerated(words)
}

// ToFor names the recipients of a message for one of them, without those that this captain may not know about.
func (w Writer) ToFor(o vault.Captain, to []Audience) string {
	if len(to) == 1 && len(w.Reached(to, func(vault.Captain) bool { return true })) == 1 {
		return "you"
	}
	shown := w.shownTo(o, to)
	i := slices.IndexFunc(shown, func(part Audience) bool { return part.one && part.captains[0].Name == o.Name })
	if i >= 0 {
		shown = slices.Insert(slices.Delete(shown, i, i+1), 0, Audience{words: "you"})
	}
	return Words(shown)
}

// BackTo returns the addresses with which a recipient can reply: first the writer alone, then also the other
// recipients.
func (w Writer) BackTo(o vault.Captain, to []Audience) []string {
	out := []string{w.Back()}
	for _, part := range w.shownTo(o, to) {
		only := w.Reached([]Audience{part}, func(c vault.Captain) bool { return c.Name != o.Name })
		if len(only) > 0 {
			out = append(out, part.name)
		}
	}
	return out
}

// shownTo returns the audiences that a recipient may know about.
func (w Writer) shownTo(o vault.Captain, to []Audience) []Audience {
	known := w.As(o.Name).acquainted()
	return slices.DeleteFunc(slices.Clone(to), func(part Audience) bool {
		return part.one && !part.aboard && !slices.ContainsFunc(known, func(s *engine.Ship) bool { return len(s.MannedBy(part.captains[0].Name)) > 0 })
	})
}

// As returns another captain of the same game as the writer.
func (w Writer) As(name engine.CaptainName) Writer {
	c, ok := w.Game.Settings().Captain(name)
	if !ok {
		c.Name = name
	}
	return Writer{Game: w.Game, Pos: w.Pos, Captain: c}
}

// crewWord means everyone aboard the writer's ships.
const crewWord = "crew"

// aboard returns the audience for a post on one of the captain's ships, her captain, or everyone aboard, who may always
// talk; ok is false for any other name.
func (w Writer) aboard(name string) (to Audience, ok bool) {
	post, ok := w.Game.Rules().PostOf(name)
	all := len(w.Game.Rules().Posts()) > 0 && strings.EqualFold(name, crewWord)
	if !ok && !all {
		return to, false
	}
	to = Audience{name: strings.ToLower(name), words: "the " + strings.ToLower(name), one: !all, aboard: true}
	for _, s := range w.Pos.State().Ships {
		if len(s.MannedBy(w.Captain.Name)) == 0 {
			continue
		}
		for _, seat := range w.Game.Rules().Seats(s) {
			c, found := w.Game.Settings().Captain(s.Officer(seat.Post))
			if found && (all || seat.Post == post) && !slices.ContainsFunc(to.captains, func(o vault.Captain) bool { return o.Name == c.Name }) {
				to.captains = append(to.captains, c)
			}
		}
	}
	return to, true
}

// Hearers returns the given captains who, by the rule set, hear what the writer says to an audience.
func (w Writer) Hearers(to Audience, captains []vault.Captain) []vault.Captain {
	hears, state := w.Game.Rules().Hears, w.Pos.State()
	if hears == nil || to.aboard {
		return captains
	}
	ships := map[engine.CaptainName][]engine.ShipID{}
	for _, c := range state.Captains() {
		ships[c.Name] = c.Ships
	}
	i := slices.IndexFunc(ships[w.Captain.Name], func(id engine.ShipID) bool {
		s, ok := state.Ship(id)
		return ok && s.OnMap() && s.Status != engine.Destroyed
	})
	if i < 0 {
		return nil // no ship to speak from
	}
	from, _ := state.Ship(ships[w.Captain.Name][i])
	name := to.name
	if to.one {
		name = to.captains[0].Ship()
	}
	see := hears(state, from, name, false)
	return slices.DeleteFunc(captains, func(c vault.Captain) bool { return !engine.Reads(see, ships[c.Name]) })
}

// side returns the writer's own side, or "" if the writer has ships on several.
func (w Writer) side() string { return w.sideOf(w.Captain) }

func (w Writer) sideOf(c vault.Captain) string {
	side := ""
	for _, s := range w.Pos.State().Ships {
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

// acquainted returns the ships that the captain may name.
func (w Writer) acquainted() []*engine.Ship {
	side := w.side()
	return slices.DeleteFunc(slices.Clone(w.Pos.State().Ships), func(s *engine.Ship) bool {
		return s.Small() || s.Status == engine.Waiting && s.Side != side
	})
}

// ownName is the reason for refusing a message to its own writer.
const ownName = "the message is for yourself"

// called returns the audience that a name stands for; why and way say what is wrong with the name.
func (w Writer) called(to string) (found Audience, why, way string) {
	if crew, ok := w.aboard(to); ok {
		return crew, "", ""
	}
	state, all := w.Pos.State(), w.Game.Settings().Captains
	if strings.EqualFold(to, toAll) {
		return Audience{name: toAll, words: "all captains", captains: slices.Clone(all)}, "", ""
	}
	if strings.EqualFold(to, "side") {
		if to = w.side(); to == "" {
			return found, "your ships are on several sides", "name the side: " + strings.Join(sideNames(state), ", ")
		}
	}
	for _, sd := range state.Sides {
		if !strings.EqualFold(sd.ID, to) && !strings.EqualFold(sd.Name, to) {
			continue
		}
		a := Audience{name: sd.Name, words: "side " + sd.Name}
		for _, c := range all {
			if slices.ContainsFunc(state.Ships, func(s *engine.Ship) bool { return s.Side == sd.ID && len(s.MannedBy(c.Name)) > 0 }) {
				a.captains = append(a.captains, c)
			}
		}
		return a, "", ""
	}
	known := w.acquainted()
	who := captainCalled(known, to, w.Game.Rules().Posts())
	for _, c := range all {
		if who == "" || c.Name != who {
			continue
		}
		if c.Name == w.Captain.Name {
			return found, ownName, ""
		}
		return Audience{name: w.As(c.Name).Back(), words: string(c.Name), captains: []vault.Captain{c}, one: true}, "", ""
	}
	names := append(sideNames(state), toAll, "side")
	for _, s := range known {
		names = append(names, s.Name, string(s.Captain))
	}
	return found, fmt.Sprintf("there is nobody called %q", effect.Shortened(to)), orders.DidYouMean("%s", to, names, "write the name of a ship or captain, a side, side or all")
}

// captainCalled returns the captain that the name of a ship, a captain or a post on a ship stands for; "" for none.
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
