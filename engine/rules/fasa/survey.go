package fasa

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

// What a lock on something that is no ship tells, in the order of the rule (stcs 7.2).
func factNames() []string { return []string{"mass", "composition", "state", "life"} }

// bodyFacts is what sensors tell of a planet or moon of which the scenario says no more.
func bodyFacts() map[string]string {
	return map[string]string{"mass": "that of a whole world", "composition": "unknown", "state": "solid", "life": "unknown"}
}

// objectAt finds what a ship's captain knows to lie in a hex and is no ship: of several
// things the first by id.
func (l *rulebook) objectAt(g *engine.Game, s *engine.Ship, h hex.Hex) (engine.Feature, bool) {
	for _, f := range g.TerrainAt(h) {
		if f.Kind != fieldKind && (f.Shown || f.KnownTo(g.Viewer(s), []string{s.Side})) {
			return *f, true
		}
	}
	return engine.Feature{}, false
}

// trainOnObject tries for a lock on something that is no ship, and says why that cannot be. It
// gives up locks on ships, and is done when the phase is (stcs 7.2).
func (l *rulebook) trainOnObject(t *engine.Turn, s *engine.Ship, h hex.Hex) (why string) {
	f, ok := l.objectAt(t.Game, s, h)
	if !ok {
		return "nothing that sensors could be trained on is known to be there"
	}
	opaque := l.opaqueAt(t.Game)
	if !engine.Clear(s.Hex, h, func(o hex.Hex) bool { return opaque(o) && !slices.Contains(f.Hexes, o) }) {
		return "something lies between"
	}
	for _, lock := range slices.Clone(of(s).Sensors().Locks) {
		l.release(t, s, lock.Target, "the sensors turn to something else", LostLocks)
	}
	busySensors(t, s)
	b := &Surveyed{Ship: s.ID, Kind: f.Kind, Name: f.Name, Hex: h, Need: lockNeed}
	b.Roll = t.Roll("survey."+s.ID, dice.D10, engine.SeeOnly(s.ID), l.cite(SensorLocks, AutomaticInformation, SensorUse)...)
	if b.Held = b.Roll <= b.Need; b.Held {
		b.Facts = map[string]string{}
		for _, name := range factNames() {
			if b.Facts[name] = f.Facts[name]; b.Facts[name] == "" {
				b.Facts[name] = l.ground[f.Kind].Facts[name]
			}
		}
	}
	t.Emit(b, engine.SeeOnly(s.ID), l.cite(SensorLocks, AutomaticInformation, SensorUse)...)
	return ""
}

// compileSurvey reads an order to train the sensors on what lies in a hex.
func (c *compiler) compileSurvey(n int, st orders.Statement) {
	a, _ := st.Arg("HEX")
	h, err := hex.ParseLabel(a.Text)
	if err != nil {
		c.fail(a.Pos, "E122", "column and row, such as 0714", "%v", err)
		return
	}
	if !c.condition(st.When, false, false) {
		return
	}
	c.useSensors(n, st, sensing{object: &h})
	c.effect(st.Pos.Line, "tries for a lock on what lies at %s: %d or less on a die; locks on ships are given up", h.Label(), lockNeed)
}

// Surveyed is a try for a lock on something that is no ship, and what it told: mass,
// composition, state and life (stcs 7.2).
type Surveyed struct {
	Ship  string            `json:"ship"`
	Kind  string            `json:"kind"`
	Name  string            `json:"name,omitempty"`
	Hex   hex.Hex           `json:"hex"`
	Need  int               `json:"need"`
	Roll  int               `json:"roll"`
	Held  bool              `json:"held"`
	Facts map[string]string `json:"facts,omitempty"`
}

// Type implements engine.Body.
func (*Surveyed) Type() string { return "survey" }

// Apply implements engine.Body: the sensors are trained on no ship then.
func (b *Surveyed) Apply(g *engine.Game) error {
	k, err := sensors(g, b.Ship)
	if err != nil {
		return err
	}
	k.Target = ""
	return nil
}

func tellSurvey(n *narrator, body engine.Body, cite string) {
	b, ok := body.(*Surveyed)
	if !ok {
		return
	}
	what := "the " + b.Kind
	if b.Name != "" {
		what = b.Name
	}
	verdict := "no lock"
	if b.Held {
		verdict = "a lock"
	}
	n.line(0, cite, fmt.Sprintf("%s trains her sensors on %s at %s: needs %d, rolled %d: %s", n.v.Name(b.Ship), what, b.Hex.Label(), b.Need, b.Roll, verdict))
	if !b.Held {
		return
	}
	var told []string
	for _, name := range factNames() {
		told = append(told, name+": "+b.Facts[name])
	}
	n.line(1, "", strings.Join(told, "; "))
}
