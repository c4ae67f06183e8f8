package fasa

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/orders"
)

// Movement words of the Advanced Course, besides those of the Basic one: a hex
// astern, and a hex ahead with an emergency turn of two sides.
const (
	wordAstern = "B"
	wordSwingL = "EL"
	wordSwingR = "ER"
)

// Ways in which a ship moves.
const (
	wayAhead  = "ahead"
	wayAstern = "astern"
)

// Helm is how a ship is steered (stcs 8): its warp speed, which is not its
// movement on the map, how its engines are set, and what its last movements were.
type Helm struct {
	Warp    int    `json:"warp"`               // warp factor; 0 is sublight
	Cruise  int    `json:"cruise"`             // highest safe one
	Top     int    `json:"top"`                // highest one
	Stress  string `json:"stress,omitempty"`   // letters of the stress charts: warp engines/superstructure
	Astern  bool   `json:"astern,omitempty"`   // the engines are set to go astern
	Still   bool   `json:"still,omitempty"`    // it held through the whole last movement phase
	Way     string `json:"way,omitempty"`      // ahead or astern: how it moved last
	WayTurn int    `json:"way_turn,omitempty"` // the turn in which that was
	Swung   int    `json:"swung,omitempty"`    // fire phase, counted through the game, in which its fire suffers from an emergency turn
}

// sysHelm is the helm's key.
const sysHelm = "helm"

// Helm is a ship's.
func (s *System) Helm() *Helm { return shareOf[Helm](s) }

func (*Helm) key() string { return sysHelm }

func (h *Helm) clone() Share {
	c := *h
	return &c
}

// The speeds of ships of which they are not known.
const (
	usualCruise = 6
	usualSprint = 2 // what an emergency adds
)

// helmPart lets ships go astern and make emergency heading changes (stcs 8.1, 8.2).
func helmPart(words []string) part {
	return part{
		params: map[string]orders.Param{"WORD": {
			Class: orders.Choice, Choices: words,
			Doc: "a movement word; besides those named B, one hex astern, in a phase without turns, when the ship has held through the phase before or goes astern already (and likewise for going ahead again); EL and ER, one hex ahead with an emergency turn of two sides, once a phase, at the cost of engine power and of -2 on the ship's own fire in the phase",
		}},
		keeps: []Share{&Helm{}},
		commission: func(k *commissioning) {
			h := &Helm{Cruise: k.design.Cruise, Top: k.design.Emergency, Stress: k.design.Stress}
			if h.Cruise == 0 && !k.design.Outpost {
				h.Cruise, h.Top = usualCruise, max(h.Top, usualCruise+usualSprint)
			}
			h.Top = max(h.Top, h.Cruise)
			h.Warp = k.number("warp", 0, h.Top, h.Cruise)
			k.sys.Put(h)
		},
		bodies: []func() engine.Body{func() engine.Body { return new(HelmSet) }},
		tell:   map[string]func(*narrator, engine.Body, string){"helm": tellHelm},
		panels: helmPanels,
	}
}

// maneuverState is the movement of a ship in a phase, as far as it has come, and what it has
// to go by.
type maneuverState struct {
	astern, still bool       // as the phase began; astern changes with the way
	ahead, back   bool       // moved so in this turn
	busy          bool       // something other than holding, in this phase
	forth, aft    bool       // moved ahead or astern in this phase
	turned, swung bool       // in this phase
	last          engine.Ref // the movement that came last in this phase
}

// gearOf is how the engines are set at the beginning of a movement phase.
func gearOf(h *Helm, turn int) maneuverState {
	moved := ""
	if h.WayTurn == turn {
		moved = h.Way
	}
	return maneuverState{astern: h.Astern, still: h.Still, ahead: moved == wayAhead, back: moved == wayAstern}
}

// forbids tells why a movement word cannot be carried out (stcs 8.1, 8.2, rulings
// D27, D28); blank when it can.
func (g *maneuverState) forbids(word string) (why string, rule []Topic) {
	astern := []Topic{ReverseMovement}
	switch word {
	case "H":
		return "", nil
	case wordEvadeL, wordEvadeR:
		return "", nil
	case "L", "R", wordTacticalL, wordTacticalR:
		if g.aft {
			return "there is no turn in a phase in which the ship goes astern", astern
		}
		return "", nil
	case wordAstern:
		switch {
		case g.forth || g.ahead:
			return "the ship has gone ahead in this turn", astern
		case g.turned:
			return "the ship has turned in this phase, and cannot go astern in it", astern
		case !g.astern && !g.still:
			return "the ship must hold through a whole phase before it goes astern", astern
		}
		return "", nil
	}
	switch {
	case g.aft || g.back:
		return "the ship has gone astern in this turn", astern
	case g.astern && !g.still:
		return "the ship must hold through a whole phase before it goes ahead again", astern
	case g.swung && emergency(word):
		return "there is one emergency heading change in a phase", []Topic{EmergencyHeadingChange}
	}
	return "", nil
}

// stuck tells whether the ship can do no more now than turn on the spot.
func (g *maneuverState) stuck() bool {
	why, _ := g.forbids("F")
	return why != ""
}

// use takes in a movement word that was carried out.
func (g *maneuverState) use(word string) {
	switch word {
	case "H":
		return
	case wordAstern:
		g.astern, g.aft, g.back = true, true, true
	case "L", "R":
		g.turned = true
	default:
		g.astern, g.forth, g.ahead = false, true, true
		g.turned = g.turned || word != "F" && word != "FF" && word != "SL" && word != "SR"
		g.swung = g.swung || emergency(word)
	}
	g.busy = true
}

// next goes on to the next phase of a turn.
func (g *maneuverState) next() {
	*g = maneuverState{astern: g.astern, still: !g.busy, ahead: g.ahead, back: g.back}
}

// emergency tells whether a movement word is an emergency heading change.
func emergency(word string) bool { return word == wordSwingL || word == wordSwingR }

// maneuver is that of a ship in the phase that is played.
func maneuver(t *engine.Turn, s *engine.Ship) *maneuverState {
	all := phaseNotes[*maneuverState](t)
	g, ok := all[s.ID]
	if !ok {
		now := gearOf(of(s).Helm(), t.Number())
		g = &now
		all[s.ID] = g
	}
	return g
}

// atHelm is the guard of movement astern and of emergency heading changes.
func atHelm(l *rulebook, t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic) {
	if why, rule = maneuver(t, s).forbids(word); why == "" && emergency(word) {
		return l.swingable(s)
	}
	return why, rule
}

// balks tells why a ship cannot make a turn that is no movement word of its captain's.
func (l *rulebook) balks(t *engine.Turn, s *engine.Ship, word string) (why string, rule []Topic) {
	if of(s).gridDown(sysConverter) {
		return "the manoeuvre power converter is out: the ship does not turn", []Topic{ChartEngineering}
	}
	return l.forbidden(t, s, word)
}

// steer is what a movement word does to the helm.
func steer(l *rulebook, t *engine.Turn, s *engine.Ship, word string, _ engine.Place) {
	g := maneuver(t, s)
	g.use(word)
	g.last = lastShift(t, s.ID)
	if emergency(word) {
		l.wear(t, s, "emergency heading change", l.stress(l, of(s)), lastShift(t, s.ID))
	}
}

// trim records, when all have moved, what the next phase must know of it.
func (l *rulebook) trim(t *engine.Turn) {
	for _, s := range fighting(t.Game) {
		h, steers := find[*Helm](of(s).parts)
		if !steers {
			continue
		}
		g := maneuver(t, s)
		b := HelmSet{Ship: s.ID, Still: !g.busy, Astern: g.astern, Swung: h.Swung, Way: h.Way, WayTurn: h.WayTurn, Shift: h.Astern != g.astern}
		if g.swung {
			b.Swung = l.firePhase(t.Number(), t.Phase.No)
		}
		switch {
		case g.aft:
			b.Way, b.WayTurn = wayAstern, t.Number()
		case g.forth:
			b.Way, b.WayTurn = wayAhead, t.Number()
		}
		if b.Still != h.Still || b.Astern != h.Astern || b.Swung != h.Swung || b.WayTurn != h.WayTurn || b.Way != h.Way {
			t.Because(g.last).Emit(&b, engine.SeeOnly(s.ID), l.cite(ReverseMovement)...)
		}
	}
}

// HelmSet is how a ship's engines are set after a movement phase, and what it did in it.
type HelmSet struct {
	Ship    string `json:"ship"`
	Still   bool   `json:"still,omitempty"`
	Astern  bool   `json:"astern,omitempty"`
	Way     string `json:"way,omitempty"`
	WayTurn int    `json:"way_turn,omitempty"`
	Swung   int    `json:"swung,omitempty"`
	Shift   bool   `json:"shift,omitempty"` // the engines were set the other way before
}

// Type implements engine.Body.
func (*HelmSet) Type() string { return "helm" }

// Apply implements engine.Body.
func (b *HelmSet) Apply(g *engine.Game) error {
	h, err := helm(g, b.Ship)
	if err != nil {
		return err
	}
	h.Still, h.Astern, h.Way, h.WayTurn, h.Swung = b.Still, b.Astern, b.Way, b.WayTurn, b.Swung
	return nil
}

// helm is that of a ship of a game.
func helm(g *engine.Game, id string) (*Helm, error) {
	s, err := system(g, id)
	if err != nil {
		return nil, err
	}
	if !s.Has(sysHelm) {
		return nil, fmt.Errorf("%s has no helm", id)
	}
	return s.Helm(), nil
}

func tellHelm(n *narrator, body engine.Body, cite string) {
	if b, ok := body.(*HelmSet); ok && b.Shift {
		way := wayAhead
		if b.Astern {
			way = wayAstern
		}
		n.line(0, cite, n.v.Name(b.Ship), " has set her engines to go ", way)
	}
}

func helmPanels(_ *rulebook, v *engine.View, s *engine.ShipView, sys *System) []engine.Panel {
	if !sys.Has(sysHelm) {
		return nil
	}
	h := sys.Helm()
	p := engine.Panel{Key: "helm-" + s.ID, Title: s.Name + ": helm", Notes: []string{
		fmt.Sprintf("%s, safe to %d, at most %d%s", warpWord(h.Warp), h.Cruise, h.Top, cmp.Or(sys.Design.doubt("cruise"), sys.Design.doubt("emergency"))),
	}}
	if h.Stress != "" {
		p.Notes = append(p.Notes, "stress charts "+h.Stress+sys.Design.doubt("stress"))
	}
	g := gearOf(h, v.Due)
	ways := []string{}
	if why, _ := g.forbids("F"); why == "" {
		ways = append(ways, wayAhead)
	}
	if why, _ := g.forbids(wordAstern); why == "" {
		ways = append(ways, wayAstern)
	}
	switch {
	case len(ways) == 2:
		p.Notes = append(p.Notes, "held through the last phase: may go ahead or astern in the next")
	case slices.Contains(ways, wayAstern):
		p.Notes = append(p.Notes, "engines set to go astern: hold through a whole phase to go ahead again")
	}
	return []engine.Panel{p}
}

// onward is the movement word that keeps a ship on its way.
func onward(sys *System) string {
	if sys.Helm().Astern {
		return wordAstern
	}
	return "F"
}
