package rating

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// Conduct is a captain's reliability: the turns that waited for the captain's orders, and seats given up or lost in
// running battles.
type Conduct struct {
	Answered int `json:"answered"`
	Missed   int `json:"missed"`
	Resigned int `json:"resigned"`
}

// The weights for Percent.
const (
	newcomer   = 10 // turns: a captain's missing ones of these count as answered
	resignedAs = 5  // missed turns that a seat given up counts as
)

// Percent returns the reliability from 0 to 100, rounded down: the answered turns of all, with a seat given up counted
// as five missed. Of the first ten turns, those still to come count as answered, so that a new captain has 100.
func (c Conduct) Percent() int {
	all := c.Answered + c.Missed + resignedAs*c.Resigned
	return 100 * (c.Answered + max(0, newcomer-all)) / max(newcomer, all)
}

// Words describes the conduct.
func (c Conduct) Words() string {
	return fmt.Sprintf("reliable %d%%: turns answered %d, missed %d; seats given up %d", c.Percent(), c.Answered, c.Missed, c.Resigned)
}

func (c Conduct) plus(o Conduct) Conduct {
	return Conduct{c.Answered + o.Answered, c.Missed + o.Missed, c.Resigned + o.Resigned}
}

// Service is the conduct of one person in one game. It has the address, and is private.
type Service struct {
	Address string `json:"address"` // in lower case
	Conduct
}

// Services returns the conduct of all present and former holders of a game's seats. It returns none for games against
// robots, nor, while a game runs, if it hides who plays or which orders are missing: growing figures would reveal that.
func Services(g *vault.Game) ([]Service, error) {
	s := g.SharedSettings()
	state, err := g.Stages.State(g.Newest())
	if err != nil {
		return nil, err
	}
	hidden := s.Mail.Anonymous || turn.InTheDark(state) || !s.Mail.ShowMissing
	if s.Origin == vault.OriginPractice || hidden && state.Result == nil {
		return nil, nil
	}
	st, err := g.AdminState()
	if err != nil {
		return nil, err
	}
	entries, err := g.Journal.Entries()
	if err != nil {
		return nil, err
	}
	all := map[string]Conduct{}
	for _, c := range s.Captains {
		for _, t := range tenures(c, entries, g.Turn()) {
			one, err := t.conduct(g, st, c)
			if err != nil {
				return nil, err
			}
			all[t.address] = all[t.address].plus(one)
		}
	}
	var out []Service
	for address, c := range all {
		if address != "" && c != (Conduct{}) {
			out = append(out, Service{address, c})
		}
	}
	slices.SortFunc(out, func(a, b Service) int { return strings.Compare(a.Address, b.Address) })
	return out, nil
}

// tenure is the time for which one person held a seat: from the turn due at the start to the last that was resolved in
// that time.
type tenure struct {
	address     string // in lower case; "" for a robot
	first, last int
	joined      bool // took over a seat in a running battle
	resigned    bool
}

// tenures returns those of a seat, the last one first, according to the journal.
func tenures(c vault.Captain, entries []journal.Entry, played int) (out []tenure) {
	now := tenure{address: c.Address, last: played}
	begin := func(e journal.Entry, before string) {
		now.first, now.joined = max(1, e.Turn), e.Turn > 1
		out = append(out, now)
		now = tenure{address: before, last: e.Turn - 1}
	}
	for _, e := range slices.Backward(entries) {
		if !e.Captain.Is(c.Name) {
			continue
		}
		switch e.Kind {
		case journal.Join:
			begin(e, "")
		case journal.Replace:
			begin(e, journal.DataOf[journal.ReplaceData](e).Old)
		case journal.Resign, journal.Leave:
			begin(e, journal.DataOf[journal.ResignData](e).Address)
			now.resigned = e.Kind == journal.Resign
		}
	}
	now.first = 1
	out = append(out, now)
	for i := range out {
		out[i].address = strings.ToLower(out[i].address)
		for _, e := range entries { // a changed address is the same person
			if d := (journal.AddressData{}); e.Kind == journal.Address && e.Captain.Is(c.Name) {
				if d = journal.DataOf[journal.AddressData](e); strings.EqualFold(d.Old, out[i].address) {
					out[i].address = strings.ToLower(d.New)
				}
			}
		}
	}
	return out
}

// conduct counts the turns of a tenure.
func (t tenure) conduct(g *vault.Game, st vault.AdminState, c vault.Captain) (out Conduct, err error) {
	if t.address == "" {
		return out, nil
	}
	for n := t.first; n <= min(t.last, g.Turn()); n++ {
		a, err := turn.AnswerOf(g, st, c, n)
		switch {
		case err != nil:
			return out, err
		case a == turn.Answered:
			out.Answered++
		case a == turn.Missed && !(t.joined && n == t.first): // it may have been too late for that one
			out.Missed++
		}
	}
	if t.resigned {
		state, err := g.Stages.State(vault.At(max(0, min(t.last, g.Turn()))))
		if err != nil {
			return out, err
		}
		ship, ok := state.Ship(engine.ShipID(strings.ToLower(c.Ship())))
		if ok && (ship.Status == engine.Active || ship.Status == engine.Waiting) {
			out.Resigned = 1
		}
	}
	return out, nil
}

// tookOver reports whether the last holder of a seat took it over in a running battle.
func tookOver(c vault.Captain, entries []journal.Entry, played int) bool {
	return tenures(c, entries, played)[0].joined
}

// Reliability returns the reliability of an address, from 0 to 100, and its conduct.
func (b *Book) Reliability(address string) (percent int, c Conduct) {
	c = b.conduct[strings.ToLower(address)]
	return c.Percent(), c
}

// conductOf sums up the conduct of each person in all games.
func conductOf(services []Service) map[string]Conduct {
	out := map[string]Conduct{}
	for _, s := range services {
		out[s.Address] = out[s.Address].plus(s.Conduct)
	}
	return out
}
