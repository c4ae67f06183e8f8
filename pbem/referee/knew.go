package referee

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dark"
	"starpost/engine/hex"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// Knowledge is what a captain knew of other ships at a point of a resolved turn, with the true
// facts.
type Knowledge struct {
	Game    string             `json:"game"`
	Turn    int                `json:"turn"`
	Phase   int                `json:"phase,omitempty"` // after it; 0 for the beginning (with Began) or the end of the turn
	Began   bool               `json:"began,omitempty"`
	Captain engine.CaptainName `json:"captain"`
	Known   []Known            `json:"known"`
	Terrain []Chart            `json:"terrain,omitempty"` // if captains have to discover it
}

// Chart is a feature of the map.
type Chart struct {
	Knew  string `json:"knew"`
	Truth string `json:"truth"`
}

// Known is one ship, or a false entry of a contact list.
type Known struct {
	Knew    string        `json:"knew"`
	Contact engine.ShipID `json:"contact,omitempty"` // its number, in a blind game
	Ship    string        `json:"ship,omitempty"`    // its name; "" for an echo
	Side    string        `json:"side,omitempty"`
	Class   string        `json:"class,omitempty"`
	Status  engine.Status `json:"status,omitempty"`
	At      string        `json:"at,omitempty"` // hex and heading
	Nearest string        `json:"nearest,omitempty"`
	Range   int           `json:"range,omitempty"` // from the nearest of the captain's ships
	// In a blind game: what the captain's sensors show of the ship at that point, and the reach of
	// the nearest ones.
	Shows string        `json:"shows,omitempty"`
	Reach *engine.Reach `json:"reach,omitempty"`
}

// Knew compares what the officer of a named seat knew after a phase of a turn with the truth; phase
// -1 is the end of the turn, 0 its beginning. The error is vault.ErrNoTurn for an unresolved turn,
// errNoEvent for a phase that the turn does not have.
func Knew(g *vault.Game, n, revision int, as string, phase int) (*Knowledge, error) {
	m, err := g.Stages.Manifest(vault.Stage{Turn: n, Revision: revision})
	if err != nil {
		return nil, err
	}
	v, err := turn.ViewAt(g, vault.At(n), as) // finds the seat and its holder
	if err != nil {
		return nil, err
	}
	state, err := stateAfter(g, m, phase)
	if err != nil {
		return nil, err
	}
	state.Result = nil // its end reveals everything to everyone
	who := v.Viewer
	if v, err = engine.BuildView(g.Rules(), state, nil, who); err != nil {
		return nil, err
	}
	k := &Knowledge{Game: g.ID(), Turn: n, Phase: max(phase, 0), Began: phase == 0, Captain: who.Captain, Known: []Known{}}
	var own []*engine.Ship
	for _, id := range who.Ships {
		if s, ok := state.Ship(id); ok && s.Status == engine.Active {
			own = append(own, s)
		}
	}
	var log *blind.Log
	if state.Blind != nil && len(own) > 0 {
		log = state.Blind.Log(own[0].Captain)
	}
	for _, s := range state.Ships {
		if slices.Contains(who.Ships, s.ID) {
			continue
		}
		k.Known = append(k.Known, known(g.Rules(), state, v, log, own, s))
	}
	if log != nil {
		for _, c := range log.Contacts {
			if sv, ok := v.Ship(c.Name()); ok && c.Echo > 0 {
				k.Known = append(k.Known, Known{Knew: knew(v, sv), Contact: c.Name()})
			}
		}
	}
	if v.Uncharted {
		k.Terrain = charted(state, v)
	}
	return k, nil
}

// charted compares the terrain of a view with that of its game.
func charted(g *engine.Game, v *engine.View) (out []Chart) {
	for i := range g.Terrain {
		f := &g.Terrain[i]
		one := Chart{Knew: "nothing", Truth: f.Where()}
		for _, had := range v.Terrain {
			if had.Kind == f.Kind && had.Name == f.Name && slices.Contains(f.Hexes, had.Hexes[0]) {
				one.Knew = had.Where()
			}
		}
		if !f.Gone || one.Knew != "nothing" {
			out = append(out, one)
		}
	}
	return out
}

// stateAfter returns the game after a phase of a turn.
func stateAfter(g *vault.Game, m vault.Manifest, phase int) (*engine.Game, error) {
	at := vault.Stage{Turn: m.Turn, Revision: max(m.Revision, 1)}
	if phase < 0 || m.Turn == 0 {
		if phase > 0 {
			return nil, &Error{Problem: "turn 0, the set-up, has no phases", Way: "leave --phase out", Err: errNoEvent}
		}
		return g.Stages.State(at)
	}
	before, err := stateBefore(g, m)
	if err != nil {
		return nil, err
	}
	events, err := g.Stages.Events(at)
	if err != nil {
		return nil, err
	}
	last := 0
	for _, e := range events {
		last = max(last, e.Phase)
	}
	if phase > last {
		return nil, &Error{Problem: fmt.Sprintf("turn %d has no phase %d", m.Turn, phase), Way: fmt.Sprintf("0 is its beginning, %d its last", last), Err: errNoEvent}
	}
	state, begun := before.Clone(), false
	state.Turn = m.Turn
	for _, e := range events {
		begun = begun || e.Phase > 0
		if e.Phase > phase || begun && e.Phase == 0 && phase < last {
			break
		}
		if err := engine.Apply(state, e); err != nil {
			return nil, fmt.Errorf("play turn %d of %s up to phase %d: %w", m.Turn, g.ID(), phase, err)
		}
	}
	return state, nil
}

// known compares a ship as a captain knew her with the truth.
func known(r *engine.Rules, g *engine.Game, v *engine.View, log *blind.Log, own []*engine.Ship, s *engine.Ship) Known {
	k := Known{Ship: s.Name, Side: g.SideName(s.Side), Class: s.Class, Status: s.Status}
	if s.Status.OnMap() {
		k.At = s.Hex.Label() + " " + s.Heading.String()
	}
	id := s.ID
	if log != nil {
		for i := range log.Contacts { // the captain's last contact of her
			if c := &log.Contacts[i]; c.Ship == s.ID && c.Kept(g.Turn, *g.Blind.Memory) {
				if k.Contact = c.Name(); !c.Named {
					id = c.Name()
				}
			}
		}
	}
	k.Knew = "nothing"
	if sv, ok := v.Ship(id); ok {
		k.Knew = knew(v, sv)
	}
	if k.At == "" {
		return k
	}
	best := blind.Nothing
	for _, o := range own {
		if d := hex.Distance(o.Hex, s.Hex); k.Nearest == "" || d < k.Range {
			k.Nearest, k.Range = o.Name, d
			if sv, ok := v.Ship(o.ID); ok {
				k.Reach = sv.Reach
			}
		}
		if g.Blind != nil {
			best = max(best, dark.Detects(r, g, o, s))
		}
	}
	if g.Blind != nil {
		k.Shows = best.String()
	}
	return k
}

// knew describes a ship as in a view.
func knew(v *engine.View, s *engine.ShipView) string {
	name, at := s.Name, ""
	if s.Sensed != nil && s.Side != "" {
		name += " (" + string(s.Sensed.No.Name()) + ")"
	}
	if s.Hex != nil {
		at = " at " + s.Hex.Label()
		if s.Heading != nil {
			at += " " + s.Heading.String()
		}
	}
	parts := []string{name + at}
	switch {
	case s.Sight == engine.Lost && s.Since != nil:
		parts = append(parts, fmt.Sprintf("last had in %d.%d", s.Since.Turn, s.Since.Phase))
	case s.Sight == engine.Lost:
		parts = append(parts, "not in sight")
	case s.Sensed != nil:
		parts = append(parts, s.Sensed.Level)
	case s.Sight == engine.Contact:
		parts = append(parts, "a contact")
	default:
		parts = append(parts, "in sight")
	}
	if s.Sensed != nil && s.Sensed.Size != "" {
		parts = append(parts, s.Sensed.Size)
		if s.Sensed.Speed != nil {
			parts = append(parts, "speed "+dark.SpeedWords(v, *s.Sensed.Speed))
		}
	}
	if s.Side != "" {
		parts = append(parts, s.Class, v.SideName(s.Side))
	}
	return strings.Join(parts, ", ")
}

// Truth describes the true facts.
func (k Known) Truth() string {
	if k.Ship == "" {
		return "an echo: no ship is there"
	}
	text := fmt.Sprintf("%s, %s, %s, %s", k.Ship, k.Class, k.Side, cmp.Or(k.Status, engine.Active))
	if k.At != "" {
		text += " at " + k.At
	}
	if k.Nearest != "" {
		text += fmt.Sprintf(", %d from %s", k.Range, k.Nearest)
	}
	switch {
	case k.Shows == "":
		return text
	case k.Reach != nil:
		return fmt.Sprintf("%s, whose sensors reach %d for a presence, %d rough, %d full, %d for a field; the captain's sensors show %s", text, k.Reach.Presence, k.Reach.Rough, k.Reach.Full, k.Reach.Field, k.Shows)
	}
	return text + "; the captain's sensors show " + k.Shows
}
