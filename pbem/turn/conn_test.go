package turn_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/rules/manual"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// connGame returns the twins' battle by a rule set, in which Hood has a contact c01.
func connGame(t *testing.T, rules, cadence string) *turn.Position {
	t.Helper()
	p, err := turn.Load(darkBattle(t, rules, cadence, "", 1, false).game)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func connSet(p *turn.Position, orders string) orderset.Set {
	return p.Check([]byte("#orders game turn 1 ship Hood\n" + orders + "\n#end\n")).Sets[0]
}

// mends reports whether a rule set has rules for repairs in battle.
func mends(rules string) bool { return strings.HasPrefix(rules, "stcs-") && rules != "stcs-basic" }

// TestPlainCommandsBecomeOrders tries plain commands in every rule set with a navigator: they become valid orders,
// are reported at the line of the command, are stored, and mean the same when read again.
func TestPlainCommandsBecomeOrders(t *testing.T) {
	for _, rules := range slices.Sorted(maps.Keys(darkCatalogue())) {
		if rules == manual.Name {
			continue
		}
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			p := connGame(t, rules, vault.CadenceTurn)
			commands := []string{"conn ahead half", "conn come to C", "conn forward battery at c01", "conn shields ahead"}
			if mends(rules) {
				commands = append(commands, "conn damage control")
			}
			for _, steer := range []string{commands[1], "conn steer for c01 to 8"} {
				commands[1] = steer
				set := connSet(p, strings.Join(commands, "\n"))
				if orders.HasErrors(set.Diagnostics) {
					t.Fatalf("%s: %v", steer, set.Diagnostics)
				}
				for i, command := range commands {
					if !slices.ContainsFunc(set.Checked.Effects, func(e engine.Effect) bool { return e.Line == i+2 && strings.Contains(e.Text, ": ") }) {
						t.Errorf("%s becomes nothing: %v", command, set.Checked.Effects)
					}
				}
				for _, want := range []string{"power\n", "phase 1\n", " at c01 ", "choose shield"} {
					if !strings.Contains(set.Text, want) {
						t.Errorf("want %q in what is stored, got\n%s", want, set.Text)
					}
				}
				again := p.Check([]byte(set.Text)).Sets[0]
				if strings.Contains(set.Text, "conn") || again.Text != set.Text || orders.HasErrors(again.Diagnostics) {
					t.Errorf("read again, want\n%s\ngot\n%s%v", set.Text, again.Text, again.Diagnostics)
				}
			}
		})
	}
}

// TestPacesDiffer: each pace takes more power for movement than the next.
func TestPacesDiffer(t *testing.T) {
	for _, rules := range []string{"book-one", "sfb-cadet", "sfb-house", "stcs-graduate"} {
		p := connGame(t, rules, vault.CadenceTurn)
		before := 1 << 20
		for _, pace := range []string{"full", "half", "slow", "stop"} {
			set := connSet(p, "conn ahead "+pace)
			if orders.HasErrors(set.Diagnostics) {
				t.Fatalf("%s: %v", rules, set.Diagnostics)
			}
			if n := len(strings.Fields(strings.Join(moveLines(set), " "))) + len(set.Checked.Path); n > before {
				t.Errorf("%s: ahead %s goes farther than the pace above it:\n%s", rules, pace, set.Text)
			} else {
				before = n
			}
			first, last := set.Checked.Path[0].At.Hex, set.Checked.Path[len(set.Checked.Path)-1].At.Hex
			if (first == last) != (pace == "stop") {
				t.Errorf("%s: ahead %s leads from %s to %s", rules, pace, first.Label(), last.Label())
			}
		}
	}
}

func moveLines(set orderset.Set) (out []string) {
	for line := range strings.Lines(set.Text) {
		if strings.HasPrefix(line, "  move F") {
			out = append(out, line)
		}
	}
	return out
}

// TestOwnOrdersStandBeforePlainCommands: a captain's own orders take precedence.
func TestOwnOrdersStandBeforePlainCommands(t *testing.T) {
	p := connGame(t, "stcs-advanced", vault.CadenceTurn)
	set := connSet(p, "power\n  move 16\nphase 1\n  move L\nstanding\n  choose shield strongest\nconn ahead full\nconn steer for c01 to 8\nconn shields ahead")
	if orders.HasErrors(set.Diagnostics) {
		t.Fatal(set.Diagnostics)
	}
	for text, times := range map[string]int{"  move 16\n": 1, "  move L\n": 1, "choose shield strongest": 1, "choose shield": 1, "pursue c01 to 8": 2, "  shields ": 0} {
		if got := strings.Count(set.Text, text); got != times {
			t.Errorf("want %q %d times, got %d:\n%s", text, times, got, set.Text)
		}
	}
	if !slices.ContainsFunc(set.Checked.Effects, func(e engine.Effect) bool { return strings.Contains(e.Text, "your own orders under power apply") }) {
		t.Errorf("it is not told that the captain's power stands: %v", set.Checked.Effects)
	}
}

// TestBadPlainCommands: a bad command gets a diagnostic with its place and a hint, and the valid ones still count.
func TestBadPlainCommands(t *testing.T) {
	for _, c := range []struct{ rules, cadence, command, code, says string }{
		{"stcs-advanced", vault.CadenceTurn, "conn ahead fast", orders.CodeBadChoice, "fast"},
		{"stcs-advanced", vault.CadenceTurn, "conn make tea", orders.CodeBadWord, "make"},
		{"stcs-advanced", vault.CadenceTurn, "conn come to G", orders.CodeBadChoice, "G"},
		{"stcs-advanced", vault.CadenceTurn, "conn steer for c77", "E102", "c77"},
		{"stcs-advanced", vault.CadenceTurn, "conn ahead half\nconn ahead full", orderset.CodeConn, "line 2"},
		{"sfb-house", vault.CadenceTurn, "conn come to A\nconn steer for c01", orderset.CodeConn, "line 2"},
		{"stcs-basic", vault.CadenceTurn, "conn damage control", orderset.CodeConn, "nothing is repaired"},
		{"sfb-cadet", vault.CadenceTurn, "conn damage control", orderset.CodeConn, "no shield has damage"},
		{"stcs-basic", vault.CadenceTurn, "conn aft battery at c01", orderset.CodeConn, "aft"},
	} {
		set := connSet(connGame(t, c.rules, c.cadence), c.command+"\nconn shields ahead")
		last := 1 + len(strings.Split(c.command, "\n"))
		i := slices.IndexFunc(set.Diagnostics, func(d orders.Diagnostic) bool { return d.Severity == orders.Error })
		if i < 0 || len(slices.DeleteFunc(slices.Clone(set.Diagnostics), func(d orders.Diagnostic) bool { return d.Severity != orders.Error })) > 1 {
			t.Errorf("%s: %q: want one error, got %v", c.rules, c.command, set.Diagnostics)
			continue
		}
		d := set.Diagnostics[i]
		if d.Pos.Line != last || d.Code != c.code || !strings.Contains(d.Message, c.says) || d.Hint == "" {
			t.Errorf("%s: %q: want %s in line %d with %q and a way out, got %+v", c.rules, c.command, c.code, last, c.says, d)
		}
		if !slices.ContainsFunc(set.Checked.Effects, func(e engine.Effect) bool { return strings.Contains(e.Text, "choose shield") }) {
			t.Errorf("%s: %q: the other command is lost: %v", c.rules, c.command, set.Checked.Effects)
		}
	}
}

// TestPlainCommandsAreForWhatIsDue: plain commands become orders for what is due, a phase or the play to the next
// break, and not for sets sent ahead. A later phase has no power to allot.
func TestPlainCommandsAreForWhatIsDue(t *testing.T) {
	for _, rules := range []string{"sfb-house", "stcs-advanced"} {
		for _, cadence := range []string{vault.CadencePhase, vault.CadenceBreak} {
			w := darkBattle(t, rules, cadence, "", 1, false)
			p := load(t, w.game)
			set := connSet(p, "conn ahead half\nconn steer for c01")
			if orders.HasErrors(set.Diagnostics) || !strings.Contains(set.Text, "phase 1\n  pursue c01\n") || strings.Contains(set.Text, "phase 2") {
				t.Errorf("%s by the %s: want orders for the phase that is due alone, got %v\n%s", rules, cadence, set.Diagnostics, set.Text)
			}
			later := p.Check([]byte("#orders game turn 2 phase 1 ship Hood\nconn ahead half\n#end\n")).Sets[0]
			if !slices.ContainsFunc(later.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orderset.CodeConn && d.Pos.Line == 2 && d.Hint != "" }) {
				t.Errorf("%s by the %s: want %s for turn 2, got %v", rules, cadence, orderset.CodeConn, later.Diagnostics)
			}
			if err := w.game.Orders.Put(vault.At(1), "Hood", []byte(set.Text), time.Time{}); err != nil {
				t.Fatal(err)
			}
			if _, err := turn.Resolve(w.game, turn.Options{Missing: vault.PolicyStanding, Workers: 1, Now: noon(1)}); err != nil {
				t.Fatal(err)
			}
			at := w.game.Newest()
			if cadence == vault.CadenceBreak && at.Round != 1 { // this test is not about where play stops
				continue
			}
			p = load(t, w.game)
			second := func(commands string) orderset.Set {
				return p.Check([]byte("#orders game turn 1 phase 2 ship Hood\n" + commands + "\n#end\n")).Sets[0]
			}
			if set = second("conn come to C\nconn forward battery at c01\nconn shields ahead"); orders.HasErrors(set.Diagnostics) || !strings.Contains(set.Text, "phase 2\n") ||
				!strings.Contains(set.Text, "choose shield") || strings.Contains(set.Text, "power\n") || strings.Contains(set.Text, "phase 3") || strings.Contains(set.Text, "conn") {
				t.Errorf("%s by the %s: want orders for phase 2 alone, got %v\n%s", rules, cadence, set.Diagnostics, set.Text)
			}
			if set = second("conn ahead full"); !slices.ContainsFunc(set.Diagnostics, func(d orders.Diagnostic) bool {
				return d.Code == orderset.CodeConn && strings.Contains(d.Message, "this turn's power is already allotted")
			}) {
				t.Errorf("%s by the %s: power is given out in phase 2: %v", rules, cadence, set.Diagnostics)
			}
		}
	}
}
