package tell

import (
	"fmt"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/board"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/verbs"
	"starpost/engine/rules/fasa/words"
	"starpost/engine/tactical"
)

// SensorEvents returns the events of sensors.
func SensorEvents() []Event {
	science := []string{ship.PostScience}
	return []Event{
		family.Own("lock", Told[ship.Locking]{Tell: (*Narrator).locking, Hers: true, Posts: science}),
		family.Own("survey", Told[ship.Surveyed]{Tell: tellSurvey, Posts: science}),
		family.Own("unlock", Told[ship.Unlock]{Unknown: rulebook.UnlockInTheDark, Posts: science, Tell: func(n *Narrator, b *ship.Unlock, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), "'s lock on ", n.View.Name(b.Target), " is gone: ", b.Why)
		}}),
		family.Own("answer", Told[ship.Answered]{Hers: true, Posts: science, Tell: func(n *Narrator, b *ship.Answered, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), "'s sensors report on ", n.View.Name(b.Target), ": ", answerWords(n.View, &b.Answer))
		}}),
		family.Own("lost", Told[ship.LostSight]{Posts: rulebook.Posts(), Tell: func(n *Narrator, b *ship.LostSight, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), " loses sight of ", n.View.Name(b.Target), ", last seen at ", verbs.PlaceWords(b.At))
		}}),
		family.Own("sighted", Told[ship.Sighted]{Posts: rulebook.Posts(), Tell: func(n *Narrator, b *ship.Sighted, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), " sights ", n.View.Name(b.Target), " at ", verbs.PlaceWords(b.At))
		}}),
		family.Own("gone", Told[ship.Departed]{Tell: func(n *Narrator, b *ship.Departed, cite string) {
			n.Line(0, cite, n.View.Name(b.Ship), " leaves in sight of ", play.OrNone(n.names(b.By), ", "))
		}}),
	}
}

// names returns the names of some ships.
func (n *Narrator) names(ids []engine.ShipID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, n.View.Name(id))
	}
	return out
}

func (n *Narrator) locking(b *ship.Locking, cite string) {
	verdict := "no lock"
	if b.Held {
		verdict = "a lock"
	}
	if b.Cloaked {
		n.foundCloaked(b, cite)
		return
	}
	n.Line(0, cite, fmt.Sprintf("%s tries for a sensor lock on %s: needs %d, rolled %d: %s", n.View.Name(b.Ship), n.View.Name(b.Target), b.Need, b.Roll, verdict))
	if b.Auto != nil {
		n.Line(1, n.citation(n.l.Cite(cites.AutomaticInformation)), autoWords(b.Auto))
	}
}

// className returns the class that a lock revealed, with the race if known.
func className(a *ship.Automatic) string {
	if a.Race == "" {
		return a.Class
	}
	return a.Class + " (" + a.Race + ")"
}

// autoWords returns what a lock reveals by itself, in words.
func autoWords(a *ship.Automatic) string {
	parts := []string{className(a)}
	switch {
	case a.Shielded:
		parts = append(parts, "its shields hide the life aboard")
	case a.Aboard > 0:
		parts = append(parts, fmt.Sprintf("its shields are down: about %d aboard", a.Aboard))
	default:
		parts = append(parts, "its shields are down")
	}
	if a.Back {
		return strings.Join(append(parts, "its sensors are trained on you"), "; ")
	}
	return strings.Join(append(parts, "its sensors are not trained on you"), "; ")
}

// answerWords returns an answer in words.
func answerWords(v *engine.View, a *ship.Answer) string {
	if a.Question == ship.AtLock && a.Auto != nil {
		return autoWords(a.Auto)
	}
	if words, ok := answers()[a.Question]; ok {
		return words(v, a)
	}
	return "nothing"
}

// momentWords returns a moment in words.
func momentWords(m engine.Moment) string {
	if m.Phase == 0 {
		return fmt.Sprintf("turn %d", m.Turn)
	}
	return fmt.Sprintf("turn %d, phase %d", m.Turn, m.Phase)
}

// ageWords returns a moment in words, with its age as of the turn played last.
func ageWords(v *engine.View, m engine.Moment) string {
	switch ago := v.Turn - m.Turn; {
	case ago <= 0:
		return momentWords(m)
	case ago == 1:
		return momentWords(m) + " (a turn old)"
	default:
		return fmt.Sprintf("%s (%d turns old)", momentWords(m), ago)
	}
}

// SensorPanels returns the state of a ship's sensors, and what they have told of other ships.
func SensorPanels(_ *rulebook.Rules, v *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
	k := sys.Sensors()
	state := engine.Panel{Key: "sensors-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": sensors"}
	if k.Down {
		state.Notes = append(state.Notes, "DAMAGED: no fire, no lock and no warping out until repaired")
	} else {
		state.Notes = append(state.Notes, "they work")
	}
	for _, lock := range k.Locks {
		state.Notes = append(state.Notes, fmt.Sprintf("lock on %s since %s", v.Name(lock.Target), momentWords(lock.Since)))
	}
	if len(k.Locks) == 0 {
		state.Notes = append(state.Notes, "no lock on any ship")
	}
	switch want := sys.Standing.Word("sensors"); want {
	case "":
	case rulebook.NoTarget, board.AimNearest:
		state.Notes = append(state.Notes, "standing target: "+want)
	default:
		state.Notes = append(state.Notes, "standing target: "+v.Name(engine.ShipID(want)))
	}
	if q := sys.Standing.List("questions"); len(q) > 0 {
		state.Notes = append(state.Notes, "standing questions: "+strings.Join(q, " "))
	}
	out := []engine.Panel{state}
	if len(k.Learnt) > 0 {
		told := engine.Panel{
			Key: "learnt-" + string(s.ID), Posts: []string{ship.PostScience}, Title: s.Name + ": what its sensors reported, and when",
			Columns: []engine.Column{{Name: "of"}, {Name: "what"}, {Name: "as of"}},
		}
		for i := range k.Learnt {
			a := &k.Learnt[i]
			told.Rows = append(told.Rows, []string{v.Name(a.Target), answerWords(v, a), ageWords(v, a.When)})
		}
		out = append(out, told)
	}
	return out
}

// answers returns functions that put answers into words, by question.
func answers() map[string]func(v *engine.View, a *ship.Answer) string {
	return map[string]func(v *engine.View, a *ship.Answer) string{
		ship.AskPower:   func(_ *engine.View, a *ship.Answer) string { return fmt.Sprintf("%d power", a.Power) },
		ship.AskOrder:   func(_ *engine.View, a *ship.Answer) string { return "most power to " + play.OrNone(a.Order, ", then ") },
		ship.AskShields: func(_ *engine.View, a *ship.Answer) string { return "shields 1 to 6: " + tactical.JoinInts(a.Shields) },
		ship.AskWeapons: func(_ *engine.View, a *ship.Answer) string {
			return "armed: " + play.OrNone(play.ChargeWords(a.Armed), ", ")
		},
		ship.AskStructure: func(_ *engine.View, a *ship.Answer) string { return fmt.Sprintf("superstructure %d", a.Superstructure) },
		ship.AskDamage: func(_ *engine.View, a *ship.Answer) string {
			if len(a.Damaged) == 0 {
				return "no damage"
			}
			return "damaged: " + strings.Join(a.Damaged, ", ")
		},
		ship.AskPoints: func(_ *engine.View, a *ship.Answer) string {
			return words.MovementPoints(a.Points) + " left in that turn"
		},
		ship.AskCasualties: func(_ *engine.View, a *ship.Answer) string { return fmt.Sprintf("%d%% of the crew lost", a.Casualties) },
		ship.AskSensors:    play.TellTrained,
		ship.AskMines:      play.TellMines,
	}
}
