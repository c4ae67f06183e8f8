package dark

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/orders"
)

const (
	// VerbProbe is the verb of the order to launch a probe.
	VerbProbe = "probe"
	// WordCourier is to whom words are that a probe carries.
	WordCourier = "courier"
	// ProbeCarries is the form of that order by which a probe carries words, of [ProbeVerb].
	ProbeCarries = 2
	// CourierReach is in how many hexes from a probe ships read what it carries.
	CourierReach = 2
	// ProbePoints are what a probe gathers in a turn, without a die (house 14.1).
	ProbePoints = 20
	// LaunchesProbes is the paragraph by which probes are launched.
	LaunchesProbes = "house 14.1"
)

// Mission is what a probe was launched for: a ship of which it gathers data, a file that it takes in,
// or words for ships of its side, and those that have read them.
type Mission struct {
	Study engine.ShipID   `json:"study,omitempty"`
	File  string          `json:"file,omitempty"`
	Words string          `json:"words,omitempty"`
	Given []engine.ShipID `json:"given,omitempty"`
}

// Sent is the system of a probe: its mission, and when it was launched.
type Sent interface {
	Sent() (*Mission, engine.Moment)
}

// ProbeVerb is the order to launch a probe, with what may follow at the end of each form, and how it
// is launched and flies, in words.
func ProbeVerb(more, flies string) orders.Verb {
	v := orders.Verb{
		Name: VerbProbe, When: true, Examples: []string{"probe to 1412 study c03", "probe to 1412 receive charts", "probe to 1412 carry"},
		Doc: fmt.Sprintf("Launch a probe, %s, and stays there. As each turn ends it sends its ship %d points about a ship, or of a file that is sent, within %d hexes of it. Any damage destroys it. In the dark it finds for her what is within %d hexes, and may be sent for that alone, or to carry what you say by `message %s`: each ship of your side that is within %d hexes of it reads that.", flies, ProbePoints, labReach, labReach, WordCourier, CourierReach),
	}
	for _, form := range []string{"probe to HEX study SHIP", "probe to HEX receive FILE", "probe to HEX carry", "probe to HEX"} {
		v.Forms = append(v.Forms, orders.Form(form+more))
	}
	return v
}

// ForCourier tells whether a set has words for probes to carry.
func ForCourier(b *orders.Block) bool {
	return slices.ContainsFunc(engine.TurnLevelStatements(b, engine.VerbMessage), func(st orders.Statement) bool {
		return strings.EqualFold(engine.Addressed(st), WordCourier)
	})
}

// CourierWords are what a ship's captain has said for probes to carry in the turn so far, in order.
func (t *Turn) CourierWords(s *engine.Ship) (text []string) {
	sets := t.setsOf(s)
	for _, b := range sets[:min(len(sets), t.Round())] {
		for _, st := range engine.TalkStatements(b) {
			if strings.EqualFold(engine.Addressed(st), WordCourier) && t.Rules.Unheard(t.Game, s, st) == "" {
				text = append(text, st.Text...)
			}
		}
	}
	return text
}

// DeliverWords has probes give what they carry to ships of their side that are near enough, each captain once.
func (t *Turn) DeliverWords(rule ...string) {
	for _, p := range t.Game.Ships {
		parent, ok := t.Game.Ship(p.Parent)
		if p.Kind != engine.KindProbe || p.Status != engine.Active || !ok {
			continue
		}
		m, launched := missionOf(p)
		if m.Words == "" {
			continue
		}
		for _, s := range engine.Captained(t.Game.Ships) {
			has := slices.ContainsFunc(m.Given, func(id engine.ShipID) bool {
				o, there := t.Game.Ship(id)
				return there && o.Captain == s.Captain
			})
			if has || s.Status != engine.Active || s.Side != p.Side || s.Captain == parent.Captain || hex.Distance(s.Hex, p.Hex) > CourierReach {
				continue
			}
			t.Emit(&Given{p.ID, s.ID}, engine.See{}, rule...)
			see := engine.SeeOnly(append(slices.Clone(t.Game.Viewer(parent).Ships), t.Game.Viewer(s).Ships...)...)
			t.Record(&engine.Talk{Ship: parent.ID, To: s.Name, Text: strings.Split(string(m.Words), "\n"), Coded: true, By: p.ID, Said: &launched}, see, []string{"house 14.2"})
		}
	}
}

// mission is what a probe was launched for, and when.
func missionOf(s *engine.Ship) (*Mission, engine.Moment) {
	if sys, ok := s.System.(Sent); ok {
		return sys.Sent()
	}
	return new(Mission), engine.Moment{}
}

// Given is a ship that has what a probe carries. It is for the game alone: its captain reads the words.
type Given struct {
	Craft engine.ShipID `json:"craft"`
	Ship  engine.ShipID `json:"ship"`
}

// Type implements Body.
func (*Given) Type() string { return "given" }

// Apply implements Body.
func (b *Given) Apply(g *engine.Game) error {
	p, ok := g.Ship(b.Craft)
	if !ok {
		return engine.UnknownShip(b.Craft)
	}
	m, _ := missionOf(p)
	m.Given = append(slices.Clone(m.Given), b.Ship)
	return nil
}

// NameDie is the die of [Turn.CraftName].
func NameDie() engine.NamedDie {
	return engine.NamedDie{Name: "name.SHIP.N.TRY", Example: "t3.p8.name.hood.1.0", Die: dice.D100, What: "in a game in the dark, how the N-th craft that a ship launches is called, by two dice and more if that name is taken: it tells no one who launched it"}
}

// IsCraftName tells whether [Turn.CraftName] could give a name, in small letters: a ship that had it would show in
// that another was drawn.
func IsCraftName(name string) bool {
	number := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	return len(name) == len(number)+1 && len(number) >= 3 && strings.Trim(number, "0123456789") == ""
}

// CraftName is the name, after a letter, of what a ship launches in a game in the dark: one that tells neither
// by whom it was launched nor how many there are.
func (t *Turn) CraftName(s *engine.Ship, letter string, rule ...string) (name, short string) {
	n := 1
	for _, d := range t.Game.Ships {
		if d.Parent == s.ID {
			n++
		}
	}
	die := engine.NameRoll("name", s.ID).And(strconv.Itoa(n))
	for try := 0; ; try++ {
		a := t.Roll(die.And(strconv.Itoa(2*try)), dice.D100, engine.See{}, rule...)
		b := t.Roll(die.And(strconv.Itoa(2*try+1)), dice.D100, engine.See{}, rule...)
		number := strconv.Itoa(100*a + b%100 + try) // other names in the end, whatever is thrown
		if _, taken := t.Game.Ship(engine.ShipID(letter + number)); !taken {
			return letter + number, letter + number[len(number)-1:]
		}
	}
}
