package orders

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSampleIsValid(t *testing.T) {
	if err := sample().Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestHood(t *testing.T) {
	b := parsed(t, hood)
	h := b.Head
	if h.Game != "wolf" || h.Turn != 3 || h.Kind != "ship" || h.Name != "Hood" || h.Key != "7K4Q-92FM" {
		t.Errorf("head %+v", h)
	}
	if h.KeyPos != (Pos{1, 35}) || h.TurnPos != (Pos{1, 19}) || h.NamePos != (Pos{1, 26}) {
		t.Errorf("head places %+v", h)
	}
	power, ok := b.Group("power", 0)
	if !ok || len(power.Statements) != 4 {
		t.Fatalf("power %+v", power)
	}
	sh := power.All("shields")[0]
	if got := sh.All("POINTS"); len(got) != 3 || got[1].Num != 14 || got[1].Pos != (Pos{4, 18}) {
		t.Errorf("shield points %+v", got)
	}
	if sh.Pos != (Pos{4, 3}) {
		t.Errorf("shields at %v", sh.Pos)
	}
	two, _ := b.Group("phase", 2)
	pursue := two.Statements[0]
	if a, ok := pursue.Arg("SHIELD"); !ok || a.Num != 2 {
		t.Errorf("pursue %+v", pursue)
	}
	one, _ := b.Group("phase", 1)
	or := one.Statements[2].When
	if or.Op != Or || len(or.Kids) != 2 || or.Kids[1].Subject != "chance" || or.Kids[1].Num != 60 || !or.Kids[1].Percent {
		t.Errorf("condition %+v", or)
	}
	turn, ok := b.Group("", 0)
	if !ok || len(turn.Statements) != 1 || turn.Statements[0].Verb != "final" {
		t.Errorf("turn level %+v", turn)
	}
	if _, ok := b.Group("phase", 4); ok {
		t.Error("a phase 4 out of nothing")
	}
	if b.Start != (Pos{1, 1}) || b.End != (Pos{23, 1}) {
		t.Errorf("block from %v to %v", b.Start, b.End)
	}
}

func TestHoodCanonical(t *testing.T) {
	var want strings.Builder
	for line := range strings.Lines(hood) {
		line, _, _ = strings.Cut(line, ";")
		want.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	if d := cmp.Diff(want.String(), Format(parsed(t, hood))); d != "" {
		t.Error(d)
	}
}

// Each source must parse to the given canonical text without diagnostics.
func TestCanonical(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"nothing matters": {
			"\u00a0 PHASE 1 : \r\n\tMove  fl,Fr ,  h ; and so on\r\n\r\n  ; alone\r\nFINAL  ",
			"phase 1\n  move FL FR H\nfinal",
		},
		"phase2":        {"Phase2\nmove f", "phase 2\n  move F"},
		"sections sort": {"wait\nstanding\nshed shields\nphase 2\nphase 1\npower\nmove 4", "power\n  move 4\nphase 1\nphase 2\nstanding\n  shed shields\nwait"},
		"turn level anywhere": {
			"power\nfinal\nmove 4", "power\n  move 4\nfinal",
		},
		"smart marks": {
			"phase 1\nfire \u201cbank\u2013b\u201d at K\u2019Tanga when chance \u2265 60 %",
			"phase 1\n  fire bank-b at K'Tanga when chance >= 60%",
		},
		"quoted name":  {"phase 1\npursue 'Hood'", "phase 1\n  pursue Hood"},
		"zero width":   {"\ufeffphase 1\n\u200bpursue Ho\u200bod", "phase 1\n  pursue Hood"},
		"continuation": {"phase 1\nfire a\n  & b\n\n& c at X ; yes\n & when range<=5", "phase 1\n  fire a b c at X when range <= 5"},
		"pairs":        {"power\nshields 1 : 010 2: 3 4 :5", "power\n  shields 1:10 2:3 4:5"},
		"signs":        {"warp \u22121", "warp -1"},
		"hexes":        {"phase 1\ncourse 0405\nphase 2\ncourse -02.015", "phase 1\n  course 0405\nphase 2\n  course -2.15"},
		"second form":  {"phase 1\ndrift along 0101\nphase 2\ndrift -3 QUIETLY", "phase 1\n  drift along 0101\nphase 2\n  drift -3 quietly"},
		"text":         {"luck  Fortune: \"favours\"  us, when (bold) > 1", "luck Fortune: \"favours\" us, when (bold) > 1"},
		"no text":      {"protest 12", "protest 12"},
		"precedence": {
			"standing\nevade port when not (missile and (targeted)) or missile and (cloaked or (range < 3 or not targeted))",
			"standing\n  evade port when not (missile and targeted) or missile and (cloaked or\n    & range < 3 or not targeted)",
		},
		"flat": {"standing\nevade port when (missile and cloaked) and (targeted)", "standing\n  evade port when missile and cloaked and targeted"},
		"subjects": {
			"standing\nevade port when Range TO x=<3 and SHIELD 2 of Hood==9 and alert = RED and leader = Kirk",
			"standing\n  evade port when range to x <= 3 and shield 2 of Hood = 9 and alert =\n    & red and leader = Kirk",
		},
		"names like words":       {"phase 1\nfire at at at", "phase 1\n  fire at at at"},
		"subject of such a name": {"standing\nevade port when shield 2 of of < 3", "standing\n  evade port when shield 2 of of < 3"},
		"message": {
			"message Riskadh\n#TEXT\n  Hail; and\twell met.\n\n& more\n#endtext\nfinal",
			"message Riskadh\n#text\n  Hail; and\twell met.\n\n& more\n#endtext\nfinal",
		},
		"message in one line": {"message X #text Come out. #endtext", "message X\n#text\nCome out.\n#endtext"},
		"message half inline": {"message X ; to\n#text Come\nout.\n#endtext.", "message X\n#text\nCome\nout.\n#endtext"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Format(parsed(t, one(tt.in)))
			if d := cmp.Diff(one(tt.want), got); d != "" {
				t.Fatal(d)
			}
			if again := Format(parsed(t, got)); again != got {
				t.Errorf("not a fixpoint:\n%s", again)
			}
		})
	}
}

func TestHeads(t *testing.T) {
	tests := map[string]string{
		"#ORDERS Wolf KEY 7k4q-92fm Turn 12 SHIP Hood":       "#orders Wolf turn 12 ship Hood key 7K4Q-92FM",
		"#orders wolf PHASE 02 ship Hood turn 3":             "#orders wolf turn 3 phase 2 ship Hood",
		"  #orders wolf captain Spock turn 1 ; me":           "#orders wolf turn 1 captain Spock",
		"#orders wolf\n & turn 4\n\n&ship Hood":              "#orders wolf turn 4 ship Hood",
		"#orders wolf turn 3 Helm \u201cHood\u201d":          "#orders wolf turn 3 helm Hood",
		"#orders wolf turn 003, ship K\u2019Tanga, key AB12": "#orders wolf turn 3 ship K'Tanga key AB12",
	}
	for in, want := range tests {
		got := Format(parsed(t, "Dear robot,\n"+in+"\nfinal\n#end\n-- \nA signature"))
		if want += "\nfinal\n#end\n"; got != want {
			t.Errorf("%q gives\n%s, want\n%s", in, got, want)
		}
	}
}

// A head with signs between its words is reported, and parsed.
func TestHeadWithSigns(t *testing.T) {
	want := Head{Pos: Pos{1, 1}, Game: "wolf", GamePos: Pos{1, 14}, Turn: 3, TurnPos: Pos{1, 24}, Kind: "ship", KindPos: Pos{1, 26}, Name: "Hood", NamePos: Pos{1, 31}, Key: "7K4Q-92FM", KeyPos: Pos{1, 40}}
	raws, ds := Scan([]byte("#orders game=wolf turn=3 ship=Hood key=7K4Q-92FM\nfinal\n#end"))
	if len(raws) != 1 || len(ds) != 1 || strings.Contains(ds[0].Hint, "7K4Q") {
		t.Fatalf("%v %v", raws, ds)
	}
	if d := cmp.Diff(want, raws[0].Head); d != "" {
		t.Error(d)
	}
}

func TestSeveralBlocks(t *testing.T) {
	src := "> old\n#orders wolf turn 1 ship Hood\nfinal\n#end\nand\r#orders wolf turn 1 ship Lexington\rwait\r#end."
	blocks, ds := Parse([]byte(src), sample())
	if len(ds) > 0 || len(blocks) != 2 || blocks[1].Head.Name != "Lexington" || blocks[1].Start != (Pos{6, 1}) {
		t.Fatalf("%v %+v", ds, blocks)
	}
}

func TestQuotedTemplateBelowIsSilent(t *testing.T) {
	quoted := "> " + strings.ReplaceAll(strings.TrimSpace(hood), "\n", "\n> ") + "\n"
	parsed(t, hood+"\nOn Monday the robot wrote:\n"+quoted)
	blocks, ds := Parse([]byte(quoted+quoted), sample())
	if len(blocks) != 0 || len(ds) != 1 || ds[0].Code != CodeQuoted || ds[0].Pos != (Pos{1, 1}) {
		t.Errorf("%d blocks, %v", len(blocks), ds)
	}
}

func TestNothing(t *testing.T) {
	for _, src := range []string{"", "\n\n", "Thank you!", "#end", "#endtext\n> hello\n# heading"} {
		if blocks, ds := Parse([]byte(src), sample()); len(blocks)+len(ds) > 0 {
			t.Errorf("%q: %v %v", src, blocks, ds)
		}
	}
}

func TestWordsOfMessageKeepQuotedLinesOut(t *testing.T) {
	blocks, ds := Parse([]byte(one("message X\n#text\na\n> b\n >c\nd\n#endtext")), sample())
	if len(ds) != 1 || ds[0].Code != CodeQuotedLines || ds[0].Pos != (Pos{5, 1}) {
		t.Fatalf("%v", ds)
	}
	s := blocks[0].Groups[0].Statements[0]
	if d := cmp.Diff([]string{"a", "d"}, s.Text); d != "" || s.TextPos != (Pos{4, 1}) {
		t.Errorf("%v %s", s.TextPos, d)
	}
}

func TestNilLanguage(t *testing.T) {
	_, ds := Parse([]byte(hood), nil)
	if !HasErrors(ds) {
		t.Error("no language, no errors")
	}
}

func TestBrokenLanguageDoesNotPanic(t *testing.T) {
	l := sample()
	l.Sections[1].Verbs[3].Forms = []Form{"fire [", "fire NOSUCH"}
	l.Subjects[0].Form = "range ]"
	if l.Validate() == nil {
		t.Error("valid")
	}
	if _, ds := Parse([]byte(hood), l); !HasErrors(ds) {
		t.Error("no errors")
	}
}

func TestStatementOfText(t *testing.T) {
	s, ds := sample().Statement("phase", "pursue Riskadh  showing 2 when range > 4")
	if len(ds) > 0 || FormatStatement(s) != "pursue Riskadh showing 2 when range > 4" {
		t.Errorf("%v %q", ds, FormatStatement(s))
	}
	s, ds = sample().Statement("", "message X\n#text\nhi\n#endtext")
	if len(ds) > 0 || FormatStatement(s) != "message X\n#text\nhi\n#endtext" {
		t.Errorf("%v %q", ds, FormatStatement(s))
	}
	for _, bad := range []string{"", "; no", "final\nfinal", "final\nwait", "power", "fire", "move F\nphase 2", "&"} {
		if _, ds := sample().Statement("phase", bad); !HasErrors(ds) {
			t.Errorf("%q is one order", bad)
		}
	}
	if _, ds := sample().Statement("nowhere", "move F"); !HasErrors(ds) {
		t.Error("a section out of nothing")
	}
}

func TestBuiltByHand(t *testing.T) {
	b := Block{
		Head: Head{Game: "wolf", Turn: 2, Kind: "ship", Name: "Hood"},
		Groups: []Group{
			{Statements: []Statement{{Verb: "final"}}},
			{Name: "phase", N: 1, Statements: []Statement{{
				Verb: "move", Args: []Arg{{Name: "MOVE", Text: "F"}, {Name: "MOVE", Text: "FL"}},
				When: &Cond{Op: Not, Kids: []*Cond{{Op: Or, Kids: []*Cond{
					{Subject: "shield SHIELD of SHIP", Args: []Arg{{Text: "2"}, {Text: "X"}}, Compare: "<", Num: 4},
					{Subject: "missile"},
				}}}},
			}}},
		},
	}
	want := "#orders wolf turn 2 ship Hood\nphase 1\n  move F FL when not (shield 2 of X < 4 or missile)\nfinal\n#end\n"
	if got := Format(b); got != want {
		t.Fatalf("%s", got)
	}
	if got := Format(parsed(t, want)); got != want {
		t.Errorf("%s", got)
	}
}

func TestEval(t *testing.T) {
	s, ds := sample().Statement("standing", "evade port when missile and not cloaked or range >= 4")
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	for _, tt := range []struct {
		flags string
		dist  int
		want  bool
	}{{"missile", 1, true}, {"missile cloaked", 1, false}, {"", 4, true}, {"", 3, false}} {
		got := s.When.Eval(func(c *Cond) bool {
			if c.Subject == "range" {
				return c.Holds(tt.dist)
			}
			return strings.Contains(tt.flags, c.Subject)
		})
		if got != tt.want {
			t.Errorf("%+v gives %v", tt, got)
		}
	}
	if !(*Cond)(nil).Eval(nil) || (*Cond)(nil).String() != "" {
		t.Error("no condition holds always")
	}
	for compare, want := range map[string]string{"<": "100", "<=": "110", "=": "010", ">=": "011", ">": "001", "": "000"} {
		got := ""
		for v := 4; v <= 6; v++ {
			if (&Cond{Compare: compare, Num: 5}).Holds(v) {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", compare, got, want)
		}
	}
}

func TestJSONKeepsABlock(t *testing.T) {
	b := parsed(t, strings.Replace(hood, "final", "final\nmessage X\n#text\nhi\n#endtext", 1))
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var back Block
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b, back); d != "" {
		t.Error(d)
	}
}
