package fasa

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"starpost/engine"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
	"starpost/engine/testkit/enginetest"
)

// TestLawsOfTheHelm plays random battles of the Advanced and the Graduate Course in which captains
// try everything that the helm may and may not do, and checks every turn.
func TestLawsOfTheHelm(t *testing.T) {
	enginetest.FewChecks(t, 10)
	for _, r := range []*engine.Rules{foggy(t), rulesOf(t, Graduate)} {
		t.Run(r.Name, func(t *testing.T) { rapid.Check(t, lawsOfTheHelm(r)) })
	}
}

// FuzzLawsOfTheHelm searches for battles that break them.
func FuzzLawsOfTheHelm(f *testing.F) { f.Fuzz(rapid.MakeFuzz(lawsOfTheHelm(foggy(f)))) }

func lawsOfTheHelm(r *engine.Rules) func(*rapid.T) {
	return func(t *rapid.T) {
		g := drawHelmGame(t, r)
		playLaws(t, r, g, 3, func(g *engine.Game, id engine.ShipID) engine.Sheet { return drawHelmSheet(t, r, g, id) }, func(before, after *engine.Game, events []engine.Event) error {
			return errors.Join(helmLaws(r, before, events), enginetest.CheckSecrets(r, after, events, blurHelm))
		})
	}
}

func drawHelmGame(t *rapid.T, r *engine.Rules) *engine.Game {
	g := drawFoggyGameOf(t, r, r.Name == "stcs-advanced")
	for _, s := range g.Ships {
		sys := ship.Of(s)
		sys.Helm().Warp = rapid.IntRange(0, sys.Helm().Top).Draw(t, "warp")
		sys.Superstructure = rapid.SampledFrom([]int{1, 2, 5, sys.Superstructure}).Draw(t, "superstructure")
	}
	return g
}

func drawHelmSheet(t *rapid.T, r *engine.Rules, g *engine.Game, id engine.ShipID) engine.Sheet {
	one := func(words ...string) string { return rapid.SampledFrom(words).Draw(t, "word") }
	whom := func() string { return one("Hood", "Kongo", "Wolf", "Fox", "nearest", "locked") }
	when := func() string {
		return one("", "", " when missile", " when targeted", " when shield 2 < 3", " when not damaged", " when range < 9 and missile")
	}
	word := func() string { return one("H", "H", "H", "B", "B", "F", "L", "R", "EL", "ER", "FF", "SL") }
	var b strings.Builder
	b.WriteString(one("", "", "warp +1\n", "warp -1\n"))
	fmt.Fprintf(&b, "power\n move %s\n shields 2:9\n arm torpedo-1\n arm bank-b %s\n", one("12", "20", "24"), one("2 2", "3 3"))
	for n := 1; n <= coursePhases; n++ {
		fmt.Fprintf(&b, "phase %d\n", n)
		if one("plain", "plain", "plain", "pursue") == "plain" {
			held := one("all", "some", "some") == "all"
			for range 2 {
				w := word()
				if held {
					w = "H"
				}
				fmt.Fprintf(&b, " move %s\n", w)
			}
		} else {
			fmt.Fprintf(&b, " pursue %s\n", whom())
		}
		fmt.Fprintf(&b, " tactical %s%s\n", one("left", "right"), one(" when shield 2 < 3", " when damaged", " when moved or damaged", ""))
		fmt.Fprintf(&b, " tactical showing %s to %s%s\n", one("1", "2", "5"), whom(), when())
		if one("phase", "standing") == "phase" {
			fmt.Fprintf(&b, " evade %s%s\n", one("port", "starboard", "starboard against "+whom(), "never"), when())
		}
		fmt.Fprintf(&b, " fire %s at %s%s\n", one("all", "torpedo-1", "bank-b"), whom(), when())
	}
	fmt.Fprintf(&b, "standing\n sensors nearest\n follow %s\n", one("all", "none", "Wolf", "Hood"))
	for range rapid.IntRange(0, 2).Draw(t, "evasions") {
		fmt.Fprintf(&b, " evade %s%s\n", one("port", "starboard against "+whom(), "never"), when())
	}
	return drawnSheet(t, r, g, id, b.String())
}

// voyage is how a ship has moved so far, for the laws of the helm.
type voyage struct {
	ahead, astern, turned, busy, swung, tactical bool // in this phase
	phase                                        int
	wasAhead, wasAstern                          bool // in this turn
	still, reverse                               bool // still through the phase before; engines set astern
}

func (v *voyage) next(phase int) {
	for ; v.phase < phase; v.phase++ {
		*v = voyage{phase: v.phase, wasAhead: v.wasAhead, wasAstern: v.wasAstern, reverse: v.reverse, still: v.phase > 0 && !v.busy || v.phase == 0 && v.still}
	}
}

// moves follows one movement word, and returns an error if it is not allowed.
func (v *voyage) moves(b *engine.Move) error {
	turned := b.From.Heading != b.To.Heading
	switch w := b.Word; {
	case w == "H":
		return nil
	case w == board.WordTacticalL || w == board.WordTacticalR:
		if v.tactical || v.astern || b.Cost != 0 || b.From.Hex != b.To.Hex {
			return fmt.Errorf("a tactical heading change: %+v after %+v", b, v)
		}
		v.tactical = true
		return nil
	case w == board.WordAstern:
		if v.ahead || v.wasAhead || v.turned || !v.reverse && !v.still {
			return fmt.Errorf("astern: %+v after %+v", b, v)
		}
		v.astern, v.wasAstern, v.reverse = true, true, true
	case b.From.Hex == b.To.Hex:
		if v.astern {
			return fmt.Errorf("a turn: %+v after %+v", b, v)
		}
		v.turned = true
	default:
		if v.astern || v.wasAstern || v.reverse && !v.still || rulebook.Emergency(w) && v.swung {
			return fmt.Errorf("ahead: %+v after %+v", b, v)
		}
		v.ahead, v.wasAhead, v.reverse, v.swung = true, true, false, v.swung || rulebook.Emergency(w)
		v.turned = v.turned || turned
	}
	v.busy = true
	return nil
}

// helmLaws checks what holds of the helm in every turn.
func helmLaws(r *engine.Rules, before *engine.Game, events []engine.Event) error {
	ships := map[engine.ShipID]*voyage{}
	for _, s := range before.Ships {
		h := ship.Of(s).Helm()
		ships[s.ID] = &voyage{still: h.Still, reverse: h.Astern}
	}
	g := before.Clone()
	evaded := map[engine.ShipID]int{} // phase by ship
	swung := map[string]bool{}
	for _, e := range events {
		if e.Phase > 0 {
			for _, v := range ships {
				v.next(e.Phase)
			}
		}
		switch b := e.Body.(type) {
		case *engine.Move:
			if err := ships[b.Ship].moves(b); err != nil {
				return fmt.Errorf("event %d: %w", e.Seq, err)
			}
			if rulebook.Emergency(b.Word) {
				swung[fmt.Sprint(b.Ship, e.Phase)] = true
			}
		case *ship.Evade:
			if evaded[b.Ship] == e.Phase || b.Success != (b.Roll <= 3) || b.Heading != b.From.Turn(1) && b.Heading != b.From.Turn(-1) {
				return fmt.Errorf("event %d: %+v", e.Seq, b)
			}
			evaded[b.Ship] = e.Phase
		case *ship.Fire:
			want := 0
			if swung[fmt.Sprint(b.Ship, e.Phase)] {
				want -= 2
			}
			if evaded[b.Ship] == e.Phase {
				want -= 4
				if r.Name == "stcs-advanced" {
					return fmt.Errorf("event %d: %s fires and evades", e.Seq, b.Ship)
				}
			}
			for _, m := range b.Modifiers {
				if m.Name == "emergency heading change" || m.Name == "evasive action" {
					want -= m.Value
				}
			}
			if want != 0 {
				return fmt.Errorf("event %d: %s fires with %v", e.Seq, b.Ship, b.Modifiers)
			}
			if b.Evaded && (evaded[b.Target] != e.Phase || b.Damage != (b.Base+b.Bonus+1)/2 || b.Family == "phaser" || b.Family == "disruptor") {
				return fmt.Errorf("event %d: evaded: %+v", e.Seq, b)
			}
		case *ship.Strain:
			if b.Superstructure != nil && b.Superstructure.After < 1 {
				return fmt.Errorf("event %d: %s breaks up by itself", e.Seq, b.Ship)
			}
		case *ship.WarpSet:
			s, _ := g.Ship(b.Ship)
			if ship.Of(s).Sensors().Down || b.Follows != "" && !rulebook.Locked(s, b.Follows) || tactical.Abs(b.To-b.From) != 1 {
				return fmt.Errorf("event %d: %+v", e.Seq, b)
			}
		}
		if err := engine.Apply(g, e); err != nil {
			return err
		}
	}
	return nil
}

// blurHelm changes also what others may not know of a ship's helm.
func blurHelm(s *engine.Ship) {
	blurSensors(s)
	h := ship.Of(s).Helm()
	*h = ship.Helm{Warp: 1, Top: 3, Astern: !h.Astern, Still: !h.Still, Swung: 9}
	ship.Of(s).Standing.SetList("evade", "evade port")
	ship.Of(s).Standing.SetList("follow", "all")
}
