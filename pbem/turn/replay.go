package turn

import (
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Replay is the battle so far, to be watched: as the holder of a seat may know it, or for none as
// everybody may. Once the battle is over it holds everything.
func Replay(g *vault.Game, seat engine.Seat) (templates.Replay, error) {
	p, err := Load(g)
	if err != nil {
		return templates.Replay{}, err
	}
	return p.replay(seat)
}

// SeatOfCaptain is the seat of a captain that he is called as, else his first; none for who is no
// captain of the game.
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

// Public is a battle as everybody may know it, from its newest stage and as a replay.
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

// turnsTo are the turns up to one.
func (p *Position) turnsTo(last int) (made []vault.Stage) {
	for n := range last + 1 {
		made = append(made, vault.At(n))
	}
	return made
}

// replayOf is these stages to be watched.
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

// maxReplay bounds the page of a battle that comes with the last report, in bytes.
const maxReplay = 1 << 20

// wholeBattle is a battle that ended with a stage, all of it, as a page to watch; nil if that
// is too large for a mail.
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

// Observed is a battle as those may know it who watch it, by what the game says of observers; ok
// tells whether there is anything yet that they may.
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
		for i := range r.Turns { // what captains wrote to each other is no one else's before the end
			r.Turns[i].Messages = slices.DeleteFunc(r.Turns[i].Messages, func(n templates.Note) bool { return n.Title != ToAll })
		}
	default:
		return templates.Replay{}, false, nil
	}
	return r, err == nil, err
}

// ToAll is how the messages of a replay are titled that everybody may read.
const ToAll = "to all"

// everything is who may see all.
func (p *Position) everything() func(*engine.Game) (engine.Viewer, error) {
	all := engine.Viewer{All: true}
	for _, s := range engine.Captained(p.state.Ships) {
		all.Ships = append(all.Ships, s.ID)
	}
	return func(*engine.Game) (engine.Viewer, error) { return all, nil }
}

// watcher is who watches, in words, and what he is to each state of the game: the holder of a seat,
// or for none everybody.
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
	if officer == name { // captains without names are called as their ships
		whose = fmt.Sprintf("what %s may know", name)
	}
	return whose, func(g *engine.Game) (engine.Viewer, error) { return p.rules.SeatViewer(g, seat) }
}
