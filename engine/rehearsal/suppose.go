package rehearsal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
)

// unknownSide is the side of contacts of unknown sides.
const unknownSide = "unknown"

// supposed is the game that a view describes, with assumptions for the rest.
type supposed struct {
	rules   *engine.Rules // of that game
	view    *engine.View
	game    *engine.Game
	assumed []guess
	partly  bool // there are ships outside the game, as the viewer knows or must suspect
}

// guess is an assumption about some ships.
type guess struct {
	ships []string
	what  string
}

// assume records an assumption about a ship. Equal assumptions about several ships are merged.
func (g *supposed) assume(ship, what string) {
	i := slices.IndexFunc(g.assumed, func(o guess) bool { return o.what == what })
	if i < 0 {
		g.assumed = append(g.assumed, guess{what: what})
		i = len(g.assumed) - 1
	}
	if ship != "" {
		g.assumed[i].ships = append(g.assumed[i].ships, ship)
	}
}

// lines returns the assumptions in words.
func (g *supposed) lines() []string {
	out := make([]string, len(g.assumed))
	for i, a := range g.assumed {
		if out[i] = a.what; len(a.ships) > 0 {
			out[i] = strings.Join(a.ships, ", ") + ": " + a.what
		}
	}
	return out
}

// suppose makes the game of a view.
func suppose(r *engine.Rules, v *engine.View) (*supposed, error) {
	g := &supposed{rules: r, view: v, partly: v.Dark, game: &engine.Game{
		Format: engine.Format, ID: v.Game, Title: v.Title, Rules: r.Name, Version: r.Version, Turn: v.Turn, Round: v.Round, Options: v.Options, Bounds: v.Bounds,
		Sides: slices.Clone(v.Sides), Victory: engine.Victory{Goals: v.Aims},
	}}
	for _, f := range v.Terrain {
		g.game.Terrain = append(g.game.Terrain, f.Clone())
	}
	slices.SortFunc(g.game.Terrain, func(a, b engine.Feature) int { return cmp.Compare(a.ID, b.ID) })
	own := 0
	for _, s := range v.Ships {
		made, err := g.ship(s)
		if err != nil {
			return nil, err
		}
		if made != nil {
			g.game.Ships = append(g.game.Ships, made)
		}
		if s.Own && s.Status == engine.Active {
			own++
		}
	}
	if own == 0 {
		return nil, refuse("", "you have no ship in the fight")
	}
	slices.SortFunc(g.game.Ships, func(a, b *engine.Ship) int { return cmp.Compare(a.ID, b.ID) })
	if v.Dark {
		g.assume("", "nothing is there but the contacts you have")
	}
	if g.partly {
		g.rules = endless(r)
	}
	g.game = g.game.Clone() // views must not be changed
	return g, nil
}

// endless returns rules by which a turn does not end when the battle seems won: there may be unknown ships.
func endless(r *engine.Rules) *engine.Rules {
	with := *r
	with.Phases = slices.DeleteFunc(slices.Clone(r.Phases), func(p engine.Phase) bool { return p.Step == "goals" || p.Name == "end" && p.Step == "end" })
	return &with
}

// ship returns a ship of the game; nil for one that cannot be in it.
func (g *supposed) ship(s *engine.ShipView) (*engine.Ship, error) {
	switch {
	case s.Own:
	case s.Sight == engine.Lost || s.Hex == nil:
		if s.Status == engine.Active && !s.Kind.Small() {
			g.partly = true
			g.assume(s.Name, "out of sight, so assumed absent")
		}
		return nil, nil
	case !s.Status.OnMap() && s.Status != engine.Waiting:
		return nil, nil
	}
	if s.Hex == nil { // it has left the map
		return nil, nil
	}
	system, err := g.system(s)
	if err != nil || system == nil {
		return nil, err
	}
	made := s.Ship(system)
	made.Title = cmp.Or(made.Title, made.Name)
	if !s.Own && !s.Kind.Small() {
		made.Captain = engine.CaptainName("captain of " + s.ID) // every ship has a captain with a unique name
	}
	if s.Heading == nil {
		made.Heading = g.towards(*s.Hex)
		g.assume(s.Name, fmt.Sprintf("heading %s, towards you", made.Heading))
	}
	if made.Side == "" {
		made.Side = unknownSide
		g.assume(s.Name, "on another side")
	}
	if _, ok := g.game.Side(made.Side); !ok {
		g.game.Sides = append(g.game.Sides, engine.Side{ID: made.Side, Name: made.Side})
	}
	return &made, nil
}

// system returns a ship's system as far as the viewer can tell; nil for a small craft of which too little is known.
func (g *supposed) system(s *engine.ShipView) (engine.System, error) {
	known, ok := s.System.(engine.Knowledge)
	if !ok {
		if known, ok = g.rules.NewPublic().(engine.Knowledge); !ok {
			return nil, refuse("", "%s cannot say what to assume about a ship", g.rules.Name)
		}
	}
	var asNew engine.System
	switch own, whole := s.System.(engine.System); {
	case whole:
		asNew = own.Clone()
	case !s.Kind.Small():
		if asNew, ok = g.commission(s.Class); ok {
			break
		}
		class := g.match()
		if asNew, ok = g.commission(class); !ok {
			return nil, refuse("", "nothing is known about %s", s.Name)
		}
		g.assume(s.Name, "class unknown, assumed to be "+class)
	}
	system, assumed := known.Assume(g.view, s, asNew)
	for _, what := range assumed {
		g.assume(s.Name, what)
	}
	if system == nil {
		g.assume(s.Name, "assumed absent: too little is known about it")
	}
	return system, nil
}

// commission returns the system of a new ship of a class, given by its title.
func (g *supposed) commission(class string) (engine.System, bool) {
	made, problems := g.rules.Commission(engine.ShipEntry{Title: class, Options: g.view.Options})
	return made.System, class != "" && len(problems) == 0
}

// match returns the class of the viewer's own ship: an enemy of unknown class is assumed to match her.
func (g *supposed) match() (class string) {
	for _, s := range g.view.Ships {
		if s.Own && s.Kind == engine.KindShip && (class == "" || s.ID == g.view.Viewer.Focus) {
			class = s.Class
		}
	}
	return class
}

// towards returns the heading from a hex towards the viewer's nearest ship.
func (g *supposed) towards(at hex.Hex) hex.Heading {
	var best *engine.ShipView
	for _, s := range g.view.Ships {
		if s.Own && s.Hex != nil && (best == nil || hex.Distance(at, *s.Hex) < hex.Distance(at, *best.Hex)) {
			best = s
		}
	}
	if best == nil {
		return 0
	}
	const perHeading = 4 // points of a bearing
	p, _ := hex.Bearing(at, *best.Hex)
	return hex.Heading((int(p) + perHeading/2) / perHeading % 6)
}
