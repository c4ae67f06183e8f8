package turn

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Replay returns the battle so far, to be watched: as the holder of a seat may know it or, without
// a seat, as everyone may. Once the battle is over it contains everything.
func Replay(g *vault.Game, seat engine.Seat) (templates.Replay, error) {
	p, err := Load(g)
	if err != nil {
		return templates.Replay{}, err
	}
	return p.replay(seat)
}

// SeatOfCaptain returns the seat that a captain is named after, or their first one; the zero seat
// if there is no such captain.
func SeatOfCaptain(p *Position, captain engine.CaptainName) engine.Seat {
	c, _, ok := captainNamed(p.state, captain)
	if !ok {
		return engine.Seat{}
	}
	if seat, err := p.FindSeat(string(captain)); err == nil && slices.Contains(c.Seats, seat) {
		return seat
	}
	return c.Seats[0]
}

// Public returns a battle as everyone may know it: the view of its newest stage, and a replay.
func Public(g *vault.Game) (*engine.View, templates.Replay, error) {
	p, err := Load(g)
	if err != nil {
		return nil, templates.Replay{}, err
	}
	events, err := g.Stages.Events(p.at)
	if err != nil {
		return nil, templates.Replay{}, err
	}
	v, err := engine.BuildView(p.rules, p.state, events, engine.Viewer{})
	if err != nil {
		return nil, templates.Replay{}, err
	}
	r, err := p.replay(engine.Seat{})
	return v, r, err
}

func (p *Position) replay(seat engine.Seat) (templates.Replay, error) {
	whose, viewer := p.watcher(seat)
	return p.replayOf(append(p.turnsTo(p.at.Turn-1), p.at), whose, viewer)
}

// turnsTo returns the turns up to last.
func (p *Position) turnsTo(last int) (made []vault.Stage) {
	for n := range last + 1 {
		made = append(made, vault.At(n))
	}
	return made
}

// replayOf returns a replay of these stages.
func (p *Position) replayOf(made []vault.Stage, whose string, viewer func(*engine.Game) (engine.Viewer, error)) (templates.Replay, error) {
	var turns []report.Played
	var before *engine.Game
	for _, at := range made {
		one := report.Played{Before: before}
		var err error
		if one.After, err = p.vault.Stages.State(at); err != nil {
			return templates.Replay{}, err
		}
		if one.Events, err = p.vault.Stages.Events(at); err != nil {
			return templates.Replay{}, err
		}
		turns = append(turns, one)
		before = one.After
	}
	r, err := report.BuildReplay(p.rules, turns, whose, viewer)
	for i, at := range made {
		if err == nil && p.settings.PublicDice() {
			var in inputs
			in, err = storedInputs(p.vault, at)
			r.Turns[i].Dice = in.beacons.Words(&p.settings, at.Turn)
		}
	}
	return r, err
}

// maxReplay limits the page of a battle that is attached to the last report, in bytes.
const maxReplay = 1 << 20

// wholeBattle returns a battle that ended with a stage as a page to watch; nil if it is too large
// for a mail.
func wholeBattle(g *vault.Game, at vault.Stage) ([]byte, error) {
	made, err := g.Stages.Lineage(at)
	if err != nil {
		return nil, err
	}
	p, err := loadAt(g, at)
	if err != nil {
		return nil, err
	}
	whose, viewer := p.watcher(engine.Seat{})
	r, err := p.replayOf(made, whose, viewer)
	if err != nil {
		return nil, err
	}
	page, err := templates.ReplayHTML(r)
	if err != nil || len(page) > maxReplay {
		return nil, err
	}
	return page, nil
}

// Observed returns a battle as its observers may know it, by the game's rule on observers. ok
// reports whether there is anything yet that they may see.
func Observed(g *vault.Game) (r templates.Replay, ok bool, err error) {
	p, err := Load(g)
	if err != nil {
		return templates.Replay{}, false, err
	}
	switch rule := g.SharedSettings().Watched(); {
	case p.state.Result != nil || rule.May && rule.Delay == 0 && !InTheDark(p.state):
		r, err = p.replay(engine.Seat{})
	case rule.May && rule.Delay > 0 && g.Turn() >= rule.Delay:
		r, err = p.replayOf(p.turnsTo(g.Turn()-rule.Delay), fmt.Sprintf("everything, %s late", report.Count(rule.Delay, "turn")), p.everything())
		for i := range r.Turns { // captains' messages to each other are private until the end
			r.Turns[i].Messages = slices.DeleteFunc(r.Turns[i].Messages, func(n templates.Note) bool { return n.Title != ToAll })
		}
	default:
		return templates.Replay{}, false, nil
	}
	return r, err == nil, err
}

// ToAll is the title of messages in a replay that everyone may read.
const ToAll = "to all"

// everything returns a viewer who may see everything.
func (p *Position) everything() func(*engine.Game) (engine.Viewer, error) {
	all := engine.Viewer{All: true}
	for _, s := range engine.Captained(p.state.Ships) {
		all.Ships = append(all.Ships, s.ID)
	}
	return func(*engine.Game) (engine.Viewer, error) { return all, nil }
}

// watcher returns a description of the viewer, and a function for the viewer in each state of the
// game: the holder of a seat or, without one, everyone.
func (p *Position) watcher(seat engine.Seat) (string, func(*engine.Game) (engine.Viewer, error)) {
	switch {
	case p.state.Result != nil:
		return "everything, because the battle is over", p.everything()
	case seat.Ship == "":
		return "what everyone may know", func(*engine.Game) (engine.Viewer, error) { return engine.Viewer{}, nil }
	}
	ship, _ := p.state.Ship(seat.Ship)
	officer, name := string(ship.Officer(seat.Post)), engine.OrderSetName(ship.Name, seat.Post)
	whose := fmt.Sprintf("what %s of %s may know", officer, name)
	if officer == name { // captains without names are named after their ships
		whose = fmt.Sprintf("what %s may know", name)
	}
	return whose, func(g *engine.Game) (engine.Viewer, error) { return p.rules.SeatViewer(g, seat) }
}
