package lobby

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Listing is a game's entry in the list of games, made when it was last looked at: with many games
// there is no time to read them for each list.
type Listing struct {
	Who    string // the sides; hidden in a blind game
	Stands string // progress and deadlines; for a finished game its result
	Phase  ListPhase
	// Free are the free seats, in the order of captains in the settings.
	Free []FreeSeat
}

// FreeSeat is a seat that anybody may join.
type FreeSeat struct {
	Captain engine.CaptainName
	Name    string // as its order set: "Hood", "Hood.engineer"
	Hull    int    // of its ship in a running battle, in percent; -1 if it is secret
}

// ListPhase is the part of the list that a game is in.
type ListPhase uint8

// The parts, in order.
const (
	PhaseWaits ListPhase = iota // it has not begun
	PhaseRuns
	PhaseOver
)

// Listed reports whether a game is public.
func Listed(s *vault.Settings) bool {
	return s.Mail.Open || s.Watched().May || slices.ContainsFunc(s.Captains, s.Joinable)
}

// List makes the listing of a game in its present state.
func List(g *vault.Game, pos *turn.Position) (*Listing, error) {
	s, state := g.SharedSettings(), pos.State()
	l := &Listing{Who: "in the dark", Phase: PhaseRuns}
	if !turn.InTheDark(state) {
		var sides []string
		for _, side := range state.Sides {
			sides = append(sides, side.Name)
		}
		l.Who = strings.Join(sides, " against ")
	}
	for _, c := range s.Captains {
		if !s.Joinable(c) || state.Result != nil {
			continue
		}
		for _, name := range ShownSeats(pos, c) {
			l.Free = append(l.Free, FreeSeat{c.Name, name, hullLeft(g, pos, name)})
		}
	}
	return l, l.stand(g, pos)
}

// stand fills in the progress of the game.
func (l *Listing) stand(g *vault.Game, pos *turn.Position) error {
	if r := pos.State().Result; r != nil {
		l.Phase, l.Stands = PhaseOver, fmt.Sprintf("ended with turn %d: %s", r.Turn, r.Describe(pos.State().SideName))
		return nil
	}
	s := g.SharedSettings()
	every := s.Pace()
	timing, err := g.Timing()
	switch {
	case err != nil:
		return err
	case timing.Waits != nil || timing.Paused != nil:
		l.Stands = fmt.Sprintf("%s is due, paused, %s", pos.DueStage(), every)
	case timing.Opening == nil:
		l.Stands = fmt.Sprintf("%s is due by %s, %s", pos.DueStage(), report.FormatTime(timing.Ends(), g.Zone()), every)
	case !timing.Opening.Cancelled.IsZero():
		l.Phase, l.Stands = PhaseOver, "called off before it began"
	case timing.Opening.Full:
		l.Phase, l.Stands = PhaseWaits, "it begins when all seats are taken, "+every
	default:
		l.Phase, l.Stands = PhaseWaits, fmt.Sprintf("it begins at %s, %s", report.FormatTime(timing.Opening.At, g.Zone()), every)
	}
	return nil
}

// hullLeft returns the remaining hull of a seat's ship in a running battle, in percent; -1 if it is
// secret.
func hullLeft(g *vault.Game, pos *turn.Position, name string) int {
	state, hull := pos.State(), g.Rules().Hull
	ship, _, ok := engine.FindShip(state.Ships, strings.SplitN(name, ".", 2)[0])
	if !ok || state.Turn == 0 || state.Blind != nil || hull == nil {
		return -1
	}
	if left, all := hull(ship); all > 0 {
		return 100 * left / all
	}
	return -1
}

// Describe returns a game in one line: its ID, title, rules, sides and progress.
func (l *Listing) Describe(s *vault.Settings) string {
	text := fmt.Sprintf("%s: %s, rules %s, %s, %s", s.ID, s.Title, s.Rules, l.Who, l.Stands)
	if s.Mail.Reliable > 0 && l.Phase != PhaseOver {
		text += fmt.Sprintf(", for captains with a reliability of %d%% or more", s.Mail.Reliable)
	}
	return text
}

// ShownSeats returns a captain's public seats, as the names of their order sets: not those on ships
// still to arrive, nor the posts on the captain's own ships.
func ShownSeats(pos *turn.Position, c vault.Captain) []string {
	var out []string
	for _, s := range pos.State().Ships {
		if s.Status == engine.Waiting {
			continue
		}
		for _, post := range s.MannedBy(c.Name) {
			out = append(out, engine.OrderSetName(s.Name, post))
			if post == "" {
				break
			}
		}
	}
	return out
}
