//go:build !js

package sfb

import (
	"starpost/engine"
	"starpost/engine/hex"
	"starpost/engine/rules/sfb/forecast"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/state"
	"starpost/orders"
)

// trick is a simple way to play that a cunning novice might try against robots: a speed, a side to strengthen with the
// energy left over, movement and fire, the same in each phase of each turn.
type trick struct {
	engine.Trick
	speed   int
	side    int  // 0 is ahead
	unarmed bool // only phasers are armed
	moves   func(v *engine.View, s *engine.ShipView) string
	fire    string // nearest is the nearest enemy; "" holds fire
	launch  bool   // drones and plasma
}

// corner returns an order to go to the nearest corner.
func corner(v *engine.View, s *engine.ShipView) string {
	cols, rows := 40, 40 // if the map is unbounded
	if v.Bounds != nil {
		cols, rows = v.Bounds.Cols, v.Bounds.Rows
	}
	col, row := s.Hex.ColRow()
	nearer := func(n, most int) int {
		if 2*n > most {
			return most - 1
		}
		return 2
	}
	return "course " + hex.At(nearer(col, cols), nearer(row, rows)).Label()
}

// say returns movement that is always the same.
func say(words string) func(*engine.View, *engine.ShipView) string {
	return func(*engine.View, *engine.ShipView) string { return words }
}

func tricks() []trick {
	const near, far = "fire all at nearest when range <= 4", "fire all at nearest when range <= 15"
	return []trick{
		{Trick: engine.Trick{Name: "stand", Doc: "stays put and holds armed weapons, the rest on shield 1"}, fire: near},
		{Trick: engine.Trick{Name: "circle", Doc: "flies in circles"}, speed: 8, moves: say("move R R R R"), fire: near},
		{Trick: engine.Trick{Name: "ram", Doc: "charges into the enemy's hex at full speed"}, speed: 31, moves: say("pursue nearest to 0"), fire: "fire all at nearest when range <= 2"},
		{Trick: engine.Trick{Name: "shields", Doc: "arms phasers only, everything else on shield 1"}, speed: 6, unarmed: true, moves: say("pursue nearest to 1"), fire: "fire phasers at nearest when range <= 3"},
		{Trick: engine.Trick{Name: "flee", Doc: "flees with all weapons armed, and fires at anyone who comes near"}, speed: 12, side: 3, moves: say("flee nearest"), fire: "fire all at nearest when range <= 5"},
		{Trick: engine.Trick{Name: "edge", Doc: "goes to the nearest corner of the map and waits there"}, speed: 8, moves: corner, fire: near},
		{Trick: engine.Trick{Name: "snipe", Doc: "fires everything from as far away as it can, each turn"}, speed: 8, moves: say("pursue nearest to 12"), fire: far, launch: true},
		{Trick: engine.Trick{Name: "drones", Doc: "launches what it can, keeps away, and fires when cornered"}, speed: 8, side: 3, moves: say("flee nearest"), fire: "fire all at nearest when range <= 2", launch: true},
		{Trick: engine.Trick{Name: "close", Doc: "fires nothing until it is next to the enemy, overloaded if possible"}, speed: 12, moves: say("pursue nearest to 1"), fire: "fire all at nearest when range <= 2"},
		{Trick: engine.Trick{Name: "tail", Doc: "shows its stern, with all spare energy on that shield"}, speed: 4, side: 3, moves: say("face nearest with 4"), fire: near},
	}
}

// tricksOf returns the book's tricks, for [engine.Rules.Tricks].
func tricksOf(l *rulebook.Rules) []engine.Trick {
	var out []engine.Trick
	for _, t := range tricks() {
		t.Orders = func(v *engine.View, id engine.ShipID) orders.Set { return playTrick(l, &t, v, id) }
		out = append(out, t.Trick)
	}
	return out
}

// playTrick makes a trick's order set.
func playTrick(l *rulebook.Rules, t *trick, v *engine.View, id engine.ShipID) (set orders.Set) {
	s, sys, ok := forecast.Own(v, id)
	if !ok || s.Status != engine.Active {
		return nil
	}
	round, upto := max(1, v.DueRound()), l.Rounds
	if v.Rounds > 0 {
		upto = round
	}
	silent := sys.NoFire || !sys.Controlled()
	if round == 1 {
		spare := play.NoOverload
		if t.Name == "close" {
			spare = 0
		}
		set, _ = play.Allotting(l, sys, t.speed, t.side, !t.unarmed, false, spare)
		silent = silent || noFireControl(set)
	}
	for n := round; n <= upto; n++ {
		o := &houseOrders{sys: sys}
		if t.moves != nil {
			o.say(t.moves(v, s))
		}
		if racks := loaded(l, sys); t.launch && len(racks) > 0 && !silent {
			o.say("launch", racks, "at", rulebook.NearestEnemy)
		}
		if !silent {
			o.say(t.fire)
			if n == l.Rounds {
				o.say("fire all at", rulebook.NearestEnemy, "on", l.Impulses, "when range <= 12")
			}
		}
		o.into(&set, n)
	}
	if l.Reserve {
		set.Append(state.Standing{Reinforce: []state.Reinforcing{{Shield: t.side + 1, UpTo: 20}}, Choose: state.Strongest}.Set())
	}
	set.Say("", 0, "final")
	return set
}
