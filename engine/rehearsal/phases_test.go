package rehearsal_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rehearsal"
	"starpost/engine/robots"
)

// A turn that is played by phases can be rehearsed before each of them: the phase that is due, from the state at
// that time.
func TestPhaseByPhase(t *testing.T) {
	var phases, moved, fired, kept atomic.Int64
	games(t, func(t *testing.T, r *engine.Rules, g *engine.Game) {
		t.Helper()
		sheets, err := robots.Orders(r, g, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told []engine.Event
		for k := 1; k < r.Rounds(); k++ {
			state, events, err := engine.ResolveRounds(r, g, sheets, engine.RoundLimit{Upto: k, Told: told}, dice.FromSeed(3))
			if err != nil {
				t.Fatal(err)
			}
			builder := engine.NewViewBuilder(r, state, events[len(told):]).InRounds(r.Rounds())
			for _, c := range state.Captains()[:min(3, len(state.Captains()))] {
				who, err := r.SeatViewer(state, c.Seats[0])
				if err != nil {
					t.Fatal(err)
				}
				v, err := builder.View(who)
				if err != nil {
					t.Fatal(err)
				}
				focus, _ := v.Ship(who.Focus)
				if v.Due == 0 || focus.Status != engine.Active {
					continue
				}
				sets, err := own(r, v)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := run(t, rehearsal.Task{Rules: r, View: v, Sets: sets, Times: 2})
				if b.Phase != k+1 || b.Turn != 1 {
					t.Errorf("phase %d of turn %d was played, %d is due", b.Phase, b.Turn, k+1)
				}
				phases.Add(1)
				for _, s := range b.Ships {
					if s.Ship != who.Focus {
						continue
					}
					if len(s.Places) > 0 && s.Places[0].What != focus.Hex.Label()+" "+focus.Heading.String() {
						moved.Add(1)
					}
					if len(s.Figures) > 0 && s.Figures[0].Name == engine.CountShots {
						fired.Add(1)
					}
				}
				b, _ = run(t, rehearsal.Task{Rules: r, View: v, Times: 1}) // the earlier orders stay in force
				if strings.Contains(b.Ships[0].By, "no new orders") {
					kept.Add(1)
				}
			}
			for i := range sheets {
				sheets[i].Later = append(sheets[i].Later, engine.Reply{})
			}
			told = events
		}
	})
	t.Cleanup(func() {
		t.Logf("%d phases: ships moved in %d and fired in %d; %d without orders", phases.Load(), moved.Load(), fired.Load(), kept.Load())
		if phases.Load() < 10 || moved.Load()*3 < phases.Load() || fired.Load() == 0 || kept.Load() == 0 {
			t.Error("hardly anything was played")
		}
	})
}
