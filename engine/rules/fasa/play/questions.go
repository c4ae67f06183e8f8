package play

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/tactical"
)

// mineSight is the distance in hexes from the locked ship within which a question finds mines.
// The rules leave it open; it is a ruling of this project.
const mineSight = 3

// answer fills in the answer to a question; it returns false for an unknown question.
func answer(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *ship.Answer) bool {
	switch sys := ship.Of(target); a.Question {
	case ship.AskPower:
		a.Power = sys.Power
	case ship.AskOrder:
		a.Order = ship.Allotted(sys)
	case ship.AskShields:
		a.Shields = make([]int, 6)
		for i, sh := range sys.Shields {
			a.Shields[i] = sh.Now
		}
	case ship.AskWeapons:
		a.Armed = ship.Charges(sys)
	case ship.AskStructure:
		a.Superstructure = max(0, sys.Superstructure)
	case ship.AskDamage:
		a.Damaged = outOfOrder(sys)
	case ship.AskPoints:
		a.Points = pointsLeft(sys, t.Phase.No)
	case ship.AskCasualties:
		a.Casualties = casualties(sys)
	case ship.AskSensors:
		trainedOn(t, s, target, a)
	case ship.AskMines:
		findMines(l, t, s, target, a)
	default:
		return false
	}
	return true
}

// OrNone joins words; "nothing" if there are none.
func OrNone(words []string, between string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, between)
}

// ChargeWords returns the charges of weapons in words.
func ChargeWords(charges []ship.Charge) []string {
	var out []string
	for _, c := range charges {
		text := fmt.Sprintf("%s (%s) with %s", c.Weapon, c.Type, tactical.JoinInts(c.Power))
		if len(c.Shots) > 0 {
			text += " for " + tactical.JoinInts(c.Shots) + " shots"
		}
		out = append(out, text)
	}
	return out
}

// outOfOrder returns the systems of a ship that are damaged or destroyed.
func outOfOrder(s *ship.State) []string {
	var out []string
	for i, sh := range s.Shields {
		if sh.Down {
			out = append(out, fmt.Sprintf("shield generator %d", i+1))
		}
	}
	for i := range s.Banks {
		for m, mount := range s.Banks[i].Mounts {
			if mount.Destroyed {
				out = append(out, ship.MountName(&s.Banks[i], m))
			}
		}
	}
	for _, e := range s.Engines() {
		if e.Now == 0 {
			out = append(out, rulebook.EngineTitle(e.Name))
		}
	}
	if s.Sensors().Down {
		out = append(out, "sensors")
	}
	for _, name := range s.Engineering() {
		if s.GridDown(name) {
			out = append(out, ship.GridTitle(name))
		}
	}
	return out
}

// casualties returns the losses of a crew in per cent; 0 where they are not counted.
func casualties(s *ship.State) int { return s.Crew().Lost / 10 }

// trainedOn fills in what the sensors of a ship are trained on. A ship that the asker does not
// know of stays unnamed.
func trainedOn(t *engine.Turn, s, target *engine.Ship, a *ship.Answer) {
	a.Cloak = ship.CloakState(ship.Of(target))
	k := ship.Of(target).Sensors()
	if k.Target == "" {
		return
	}
	other, ok := t.Game.Ship(k.Target)
	if !ok || !t.Rules.Knows(t.Game, t.Game.Viewer(s), other) {
		a.Unseen = true
		return
	}
	a.Sensors, a.Held = other.ID, rulebook.Locked(target, other.ID)
}

// TellTrained returns in words what the sensors of a ship are trained on.
func TellTrained(v *engine.View, a *ship.Answer) string {
	text := "its sensors are trained on nothing"
	switch {
	case a.Unseen:
		text = "its sensors are trained on something unseen"
	case a.Sensors != "" && a.Held:
		text = "its sensors are locked on " + v.Name(a.Sensors)
	case a.Sensors != "":
		text = "its sensors are trained on " + v.Name(a.Sensors) + ", without a lock"
	}
	if a.Cloak == ship.CloakNone {
		return text + "; it has no cloaking device"
	}
	return text + "; its cloaking device is " + a.Cloak
}

// findMines reveals the hidden mines near a ship to the captain who asked.
func findMines(l *rulebook.Rules, t *engine.Turn, s, target *engine.Ship, a *ship.Answer) {
	who := t.Game.Viewer(s)
	for i := range t.Game.Terrain {
		f := t.Game.Terrain[i]
		if f.Gone || f.Kind != board.Mine || f.KnownTo(who, []string{s.Side}) || hex.Distance(f.Hexes[0], target.Hex) > mineSight {
			continue
		}
		f.Found = append(slices.Clone(f.Found), s.ID)
		slices.Sort(f.Found)
		// Neither the mine's side nor others who have found it are told.
		t.Emit(&engine.Charted{Feature: f}, engine.See{}, l.Cite(cites.SensorQuestions, cites.HiddenMines)...)
		a.Mines = append(a.Mines, ship.MineSeen{Hex: f.Hexes[0], Dummy: f.Figure["dummy"] > 0})
	}
}

// TellMines returns in words which mines are near.
func TellMines(_ *engine.View, a *ship.Answer) string {
	if len(a.Mines) == 0 {
		return fmt.Sprintf("no mines within %d hexes of it but those you know of", mineSight)
	}
	var words []string
	for _, m := range a.Mines {
		word := m.Hex.Label()
		if m.Dummy {
			word += " (a dummy)"
		}
		words = append(words, word)
	}
	return "mines at " + strings.Join(words, ", ")
}

// inquire asks a ship's question of the phase: the first order with a condition that holds,
// otherwise the next of the standing questions (stcs 7.3).
func inquire(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) {
	sys := ship.Of(s)
	for _, o := range OrderedNow[rulebook.Asking](t, s) {
		target := l.Aimed(t.Game, s, board.AimLocked)
		if met, missing := Judge(l, t, s, target, nil, o.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostScience, o.Line, o.Text, missing)
			}
			continue
		}
		if target == "" {
			Skip(l, t, s, ship.PostScience, o.Line, o.Text, "no lock is held", cites.SensorQuestions)
			return
		}
		defer t.Following(t.Ordered(s.ID, o.Line, o.Text))()
		ask(l, t, s, target, o.Question, false)
		return
	}
	if list := sys.Standing.List("questions"); len(list) > 0 {
		if target := l.Aimed(t.Game, s, board.AimLocked); target != "" {
			defer t.Following(t.OrderedIn(s.ID, "standing", "questions"))()
			ask(l, t, s, target, list[sys.Sensors().Asked%len(list)], true)
		}
	}
}

// ask puts a question to the ship that a lock is on, which does not learn of it.
func ask(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, target engine.ShipID, question string, standing bool) {
	other, ok := t.Game.Ship(target)
	b := &ship.Answered{Ship: s.ID, Answer: ship.Answer{Target: target, Question: question, When: rulebook.Moment(t)}, Standing: standing}
	if !ok || !l.AskDie(l, t, s, question) || !answer(l, t, s, other, &b.Answer) {
		return // orders with unknown names are not compiled
	}
	t.Emit(b, engine.SeeOnly(s.ID), l.Cite(cites.SensorQuestions, cites.SensorUse)...)
}
