package play

import (
	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa/cites"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/verbs"
)

// mark marks a hit on a system's repair track: one box, or more for heavy damage where the
// course has that (stcs 16.3), up to the last.
func mark(in *rulebook.DamageResolver, f ship.Fault) {
	before := in.Sys.Track(f.Name).Boxes
	after := min(before+in.Rules.Heavy(in, f), in.Rules.OutAt(f.Track))
	in.Damage.Tracks = append(in.Damage.Tracks, ship.Marked{
		System: f.Name, Change: ship.Change{Before: before, After: after}, Hurt: in.Rules.FirePhase(in.Turn.Number(), in.Turn.Phase.No),
	})
	in.Cite(cites.RepairTracks, cites.RepairNumbers)
}

// HitTrackedGenerator damages a generator, which can be repaired (stcs 4.8, 11.1).
func HitTrackedGenerator(in *rulebook.DamageResolver) {
	hitGenerator(in)
	if in.Damage.Shield != nil {
		mark(in, ship.Generator(in.Shield))
	}
}

// Idle returns why a system cannot be repaired in the repairs of a fire phase; "" if an attempt
// is possible (stcs 11.3).
func Idle(l *rulebook.Rules, sys *ship.State, f ship.Fault, phase int) string {
	if !sys.Down(f) {
		return f.Title() + " needs no repair"
	}
	if _, _, out := sys.Need(l.Library, f); out {
		return f.Title() + " is beyond repair"
	}
	if sys.Track(f.Name).Hurt >= phase {
		return f.Title() + " was hit in this phase: work on it begins in the next"
	}
	return ""
}

// Mend carries out the repairs of a phase: one attempt for each ship (stcs 6.6, 11.2).
func Mend(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		if f, by, ok := worksOn(l, t, s); ok {
			tryRepair(l, t, s, f, by)
		}
	}
}

// worksOn returns the system that a ship's repair parties work on, and the order: the first
// order of the phase with a condition that holds and a system that can be attempted,
// otherwise the first such system of the standing orders.
func worksOn(l *rulebook.Rules, t *engine.Turn, s *engine.Ship) (what ship.Fault, by engine.Ref, ok bool) {
	sys, now := ship.Of(s), l.FirePhase(t.Number(), t.Phase.No)
	for _, o := range OrderedNow[verbs.RepairOrder](t, s) {
		if met, missing := Judge(l, t, s, "", nil, o.When); !met {
			if len(missing) > 0 {
				Unknown(l, t, s, ship.PostScience, o.Line, o.Text, missing)
			}
			continue
		}
		f, ok := sys.Fault(o.System)
		why := "there is no such system"
		if ok {
			why = Idle(l, sys, f, now)
		}
		if why == "" {
			return f, t.Ordered(s.ID, o.Line, o.Text), true
		}
		Skip(l, t, s, ship.PostScience, o.Line, o.Text, why, cites.RepairAttempts)
	}
	for _, f := range ship.SortedRepairs(sys) {
		if Idle(l, sys, f, now) == "" {
			return f, t.OrderedIn(s.ID, "standing", "repair"), true
		}
	}
	return ship.Fault{}, engine.Ref{}, false
}

// tryRepair rolls for the repair of a system (stcs 11.2). If it succeeds, the system has the
// power allotted to it at once.
func tryRepair(l *rulebook.Rules, t *engine.Turn, s *engine.Ship, f ship.Fault, by engine.Ref) {
	sys := ship.Of(s)
	need, mods, _ := sys.Need(l.Library, f)
	b := &ship.Mend{Ship: s.ID, System: f.Name, Boxes: sys.Track(f.Name).Boxes, Need: need, Modifiers: mods}
	rules := []cites.Topic{cites.RepairPhase, cites.RepairAttempts, cites.RepairNumbers}
	if f.Track == tables.TrackBeam || f.Track == tables.TrackMissile {
		rules = append(rules, cites.WeaponRepairs)
	}
	for _, m := range mods {
		rules = append(rules, map[bool]cites.Topic{true: cites.IntensifiedRepair, false: cites.CasualtyModifier}[m.Value > 0])
	}
	named, see := engine.NameRoll("repair", s.ID).And(f.Name), engine.SeeOnly(s.ID)
	b.Roll = t.Roll(named, dice.D10, see, l.Cite(cites.RepairAttempts, cites.RepairNumbers)...)
	done, again := l.Attempt(need, b.Roll, func() int { return t.Roll(named.And("slim"), dice.D10, see, l.Cite(cites.SlimChance)...) })
	b.Done, b.Slim, b.Second = done, again.Slim, again.Second
	rules = append(rules, rulebook.SlimTopics(need)...)
	if b.Done {
		poweredAgain(sys, f, b)
	}
	t.Because(by).Emit(b, engine.SeeOnly(s.ID), l.Cite(rules...)...)
}

// poweredAgain records what comes up with a repaired system: shields with power allotted, or a
// beam, limited to the power that it can now hold.
func poweredAgain(sys *ship.State, f ship.Fault, b *ship.Mend) {
	then, ok := sys.Clone().(*ship.State)
	if !ok {
		return // a system's clone is one
	}
	then.SetDown(f, false)
	switch f.Track {
	case tables.TrackGenerator, tables.TrackEngineering:
		for i, sh := range sys.Shields {
			if up := then.Raised(i); (f.Shield == i+1 || f.Name == ship.NameShieldGrid) && up > sh.Now {
				b.Shields = append(b.Shields, ship.ShieldUp{Shield: i + 1, Change: ship.Change{Before: sh.Now, After: up}})
			}
		}
	case tables.TrackBeam:
		if armed, most := sys.Banks[f.Bank].Mounts[f.Mount].Armed, then.Banks[f.Bank].Bearable(f.Mount); armed > most {
			b.Armed = &ship.Change{Before: armed, After: most}
		}
	}
}
