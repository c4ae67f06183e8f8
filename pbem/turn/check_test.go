package turn_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/orders"
)

// codes lists the diagnostics as "line:col code".
func codes(ds []orders.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Pos.String()+" "+d.Code)
	}
	return strings.Join(out, ", ")
}

func TestCheckTellsWhatIsWrong(t *testing.T) {
	g := newPond(t, 1)
	p := load(t, g)
	body := "phase 1\n  move F\n#end\n"
	for name, tc := range map[string]struct {
		text    string
		captain engine.CaptainName
		want    string // diagnostics
		hint    string // part of one hint or message
		sets    int
	}{
		"all is well":         {"#orders pond turn 1 ship Ada\n" + body, "", "", "", 1},
		"in any case":         {"#ORDERS Pond TURN 1 SHIP aDA\n" + body, "", "", "", 1},
		"two ships":           {"#orders pond turn 1 ship Ada\n" + body + "and\n#orders pond turn 1 ship Bea\n" + body, "", "", "", 2},
		"another game":        {"#orders pint turn 1 ship Ada\n" + body, "", "1:9 E501", "pond", 1},
		"turn 0":              {"#orders pond turn 0 ship Ada\n" + body, "", "1:19 E502", "turn 1", 1},
		"a later turn":        {"#orders pond turn 2 ship Ada\n" + body, "", "1:19 W501", "turn 1 is due", 1},
		"a turn far away":     {"#orders pond turn 99 ship Ada\n" + body, "", "1:19 E503", "turn 1", 1},
		"unknown ship":        {"#orders pond turn 1 ship Adda\n" + body, "", "1:26 E504", `"Ada"`, 1},
		"nothing like it":     {"#orders pond turn 1 ship Zyxwvut\n" + body, "", "1:26 E504", "one of: Abe, Ada, Bea, Cyd", 1},
		"another's ship":      {"#orders pond turn 1 ship Bea\n" + body, "Ann Lee", "1:26 E504", "you have no ship", 1},
		"one's own ship":      {"#orders pond turn 1 ship Bea\n" + body, "bob", "", "", 1},
		"two for one":         {"#orders pond turn 1 ship Ada\n" + body + "#orders pond turn 1 ship ada\nphase 1\n move L\n#end", "", "1:1 E505, 5:1 E505", "neither was accepted", 2},
		"the same twice":      {"#orders pond turn 1 ship Ada\n" + body + "#orders pond turn 1 ship ada\nPHASE 1\n move f\n#end", "", "", "", 1},
		"two turns":           {"#orders pond turn 1 ship Ada\n" + body + "#orders pond turn 2 ship ada\nphase 1\n move L\n#end", "", "5:19 W501", "", 2},
		"not yet here":        {"#orders pond turn 1 ship Cyd\n" + body, "", "1:26 E506", "enters the map in turn 3", 1},
		"here by then":        {"#orders pond turn 3 ship Cyd\n" + body, "", "1:19 W501", "", 1},
		"no set":              {"hello", "", "1:1 E509", "#orders pond turn 1 ship NAME", 0},
		"nothing at all":      {"", "", "1:1 E509", "", 0},
		"unknown captain":     {"#orders pond turn 1 captain Bop\nfinal\n#end", "", "1:29 E507", `"Bob"`, 1},
		"another captain":     {"#orders pond turn 1 captain Bob\nfinal\n#end", "Ann Lee", "1:29 E507", "", 1},
		"captain":             {"#orders pond turn 1 captain Ann-Lee\nfinal\nluck of the sea\n#end", "Ann Lee", "", "", 1},
		"captain steers":      {"#orders pond turn 1 captain Bob\n" + body, "", "3:3 E508", "final", 1},
		"a rule's error":      {"#orders pond turn 1 ship Ada\nphase 1\n fire at Bae\n#end", "", "1:1 W101, 3:10 E101", "", 1},
		"and for a later one": {"#orders pond turn 2 ship Ada\nphase 1\n fire at Bae\n#end", "", "1:1 W101, 1:19 W501, 3:10 E101", "", 1},
		"no end":              {"#orders pond turn 1 ship Ada\nphase 1\n move F\n", "", "1:1 E007", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			read := p.CheckAs([]byte(tc.text), tc.captain)
			if got := codes(read.Diagnostics); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if len(read.Sets) != tc.sets {
				t.Errorf("%d sets", len(read.Sets))
			}
			var words strings.Builder
			for _, d := range read.Diagnostics {
				words.WriteString(d.Message + " " + d.Hint + "\n")
			}
			if !strings.Contains(words.String(), tc.hint) {
				t.Errorf("got %s", words.String())
			}
			for _, s := range read.Sets {
				if want := !orders.HasErrors(s.Diagnostics); s.OK() != want {
					t.Errorf("set of %s: OK %v, diagnostics %v", s.Name, s.OK(), s.Diagnostics)
				}
			}
		})
	}
}

func TestCheckGivesTheWholeSet(t *testing.T) {
	g := newPond(t, 1)
	read := load(t, g).Check([]byte("Dear robot,\n\n#orders POND turn 1 ship ada key 7k4q-92fm\n phase 1; go\n  MOVE f,l\n final\n#end\nbye\n"))
	if len(read.Sets) != 1 || len(read.Diagnostics) > 0 {
		t.Fatalf("%+v", read)
	}
	s := read.Sets[0]
	want := "#orders pond turn 1 ship Ada\nphase 1\n  move F L\nfinal\n#end\n"
	if s.Text != want || s.Name != "Ada" || s.Ship != "ada" || s.Captain != "Ann Lee" || s.Key != "7K4Q-92FM" || !s.Final() || s.Wait() {
		t.Errorf("%+v", s)
	}
	if len(s.Checked.Path) != 1 || len(s.Checked.Effects) != 1 || s.Checked.Effects[0].Line != 5 || s.View == nil {
		t.Errorf("%+v", s.Checked)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		"", "#orders", "#orders pond turn 1 ship Ada\nphase 1\n move F\nfire at Bea when range <= 3\n#end",
		"#orders pond turn 1 captain Bob\nfinal\n#end\n#orders pond turn 7 ship Cyd\n#end", "#orders pond turn 1 fleet x\n#end",
		"#orders pond turn 1 ship Ada\nmessage all\n#text\nhi\n#endtext\n#end",
	} {
		f.Add([]byte(s))
	}
	g := newPond(f, 1)
	p := load(f, g)
	f.Fuzz(func(t *testing.T, src []byte) {
		read := p.Check(src)
		if len(read.Sets) == 0 && !orders.HasErrors(read.Diagnostics) {
			t.Error("nothing was found and nothing said")
		}
		for _, s := range read.Sets {
			if !s.OK() {
				continue
			}
			// A stored set is read back unchanged.
			again := p.Check([]byte(s.Text))
			if len(again.Sets) != 1 || again.Sets[0].Text != s.Text || again.Sets[0].Name != s.Name || !again.Sets[0].OK() {
				t.Errorf("%q becomes %+v", s.Text, again)
			}
		}
	})
}
