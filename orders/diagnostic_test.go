package orders

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each source must give exactly these diagnostics. A case has "LINE:COL CODE" and fragments of that diagnostic's
// message or hint. Every code of the table must occur at least once.
var diagnosed = []struct {
	name string
	src  string
	want []string
}{
	{"binary", "\x00\x01\x02", []string{"1:1 E001 plain text"}},
	{"utf-16", "\xff\xfe#\x00o\x00r\x00", []string{"1:1 E001 UTF-8"}},
	{"control", strings.Repeat("\x1b\x02", 30), []string{"1:1 E001"}},
	{"too large", strings.Repeat("a", MaxBytes+1), []string{"1:1 E002 1048577"}},
	{"too many blocks", strings.Repeat(one("final"), MaxBlocks+2), []string{"61:1 E003 20"}},
	{"too many lines", one("final\n" + strings.Repeat("\n", MaxLines)), []string{"5002:1 E004 5000"}},
	{"long line", one("phase 1\n" + strings.Repeat("f ", 251)), []string{"3:501 E005 &"}},
	{"long line before its comment", one("phase 1\n" + strings.Repeat("f ", 251) + "; slowly"), []string{"3:501 E005 &"}},
	{"long comment", one("phase 1 ; " + strings.Repeat("slowly ", 251) + "\n; " + strings.Repeat("; ", 251)), nil},
	{"long comment of a head", "#orders wolf turn 1 ship Hood ; " + strings.Repeat("slowly ", 251) + "\nfinal\n#end", nil},
	{"long line of a text", one("message Riskadh\n#text\nwell; " + strings.Repeat("f ", 251) + "\n#endtext"), []string{"4:501 E005 two"}},
	{
		"long head", "#orders wolf turn 1 ship X" + strings.Repeat(" ", 500) + "\nfinal\n#end",
		[]string{"1:501 E005", "1:8 E010 the game, the turn and the ship are missing"},
	},
	{"quoted", "hello\n > > #orders wolf turn 3 ship Hood\n> final\n> #end", []string{"2:2 E006 remove"}},
	{"no end", "\n  #orders wolf turn 3 ship Hood\nfinal", []string{"2:3 E007 #end"}},
	{"nested", "#orders wolf turn 3 ship Hood\nfinal\n" + one("wait"), []string{"3:1 E008 line 1"}},
	{"long word", one("phase 1\npursue " + strings.Repeat("x", 49)), []string{"3:8 E009 48"}},
	{"long text word", one("luck a:" + strings.Repeat("b", 47)), []string{"2:6 E009"}},
	{"long names in head", "#orders " + strings.Repeat("g", 49) + " turn 1 ship Hood\nfinal\n#end", []string{"1:9 E009"}},
	{"long word in condition", one("standing\nevade port when leader = " + strings.Repeat("x", 49)), []string{"3:26 E009"}},

	{"head empty", "#orders\nfinal\n#end", []string{"1:8 E010 the game, the turn and the ship are missing"}},
	{"head without game", "#orders turn 3 ship Hood\nfinal\n#end", []string{"1:9 E010"}},
	{"game of signs", "#orders ( turn 3 ship Hood\nfinal\n#end", []string{"1:9 E010 letters"}},
	{"head without turn", "#orders wolf ship Hood\nfinal\n#end", []string{"1:23 E011"}},
	{"turn of letters", "#orders wolf turn three ship Hood\nfinal\n#end", []string{"1:19 E011 number"}},
	{"turn of nothing", "#orders wolf ship Hood turn\nfinal\n#end", []string{"1:28 E011"}},
	{"turn too large", "#orders wolf turn 1000000 ship Hood\nfinal\n#end", []string{"1:19 E011"}},
	{"turn huge", "#orders wolf turn 99999999999999999999 ship Hood\nfinal\n#end", []string{"1:19 E011"}},
	{"phase of letters", "#orders wolf turn 3 phase two ship Hood\nfinal\n#end", []string{"1:27 E016 number"}},
	{"phase nought", "#orders wolf turn 3 phase 0 ship Hood\nfinal\n#end", []string{"1:27 E016"}},
	{"two phases", "#orders wolf turn 3 phase 1 phase 2 ship Hood\nfinal\n#end", []string{"1:29 E014 twice"}},
	{"head without ship", "#orders wolf turn 3 key ABCD-EFGH\nfinal\n#end", []string{"1:34 E012"}},
	{"ship without name", "#orders wolf ship turn 3\nfinal\n#end", []string{"1:25 E012 name"}},
	{"ship of signs", "#orders wolf turn 3 ship >\nfinal\n#end", []string{"1:26 E012"}},
	{"key of signs", "#orders wolf turn 3 ship Hood key a_b\nfinal\n#end", []string{"1:35 E013 7K4Q-92FM"}},
	{"key missing", "#orders wolf turn 3 ship Hood key\nfinal\n#end", []string{"1:34 E013"}},
	{"turn word left out", "#orders wolf 3 ship Hood\nfinal\n#end", []string{"1:14 E014 write turn 3"}},
	{"head slip", "#orders wolf trun 3 ship Hood\nfinal\n#end", []string{"1:14 E014 turn?"}},
	{"signs in head", "#orders game=wolf turn=3 ship=Hood key=7K4Q-92FM\npower\nmovve 4\n#end", []string{"1:13 E014 write: #orders wolf turn 3 ship Hood key KEY", "3:1 E020 move?"}},
	{"colons in head", "#orders: wolf, phase : 2, turn: 3, helm: Hood\nfinal\n#end", []string{"1:8 E014 write: #orders wolf turn 3 phase 2 helm Hood"}},
	{"game behind other words", "#orders turn == 3 ship=Hood game=wolf\nfinal\n#end", []string{"1:14 E014 write: #orders wolf turn 3 ship Hood"}},
	{"game called game", "#orders game = turn = 3 ship = Hood\nfinal\n#end", []string{"1:14 E014 write: #orders game turn 3 ship Hood"}},
	{"signs in head that lacks a part", "#orders game=wolf ship=Hood\nfinal\n#end", []string{"1:13 E014 write: #orders GAME", "1:28 E011 the turn is missing"}},
	{"signs alone in head", "#orders = game=\nfinal\n#end", []string{"1:9 E014", "1:16 E011 the turn and the ship are missing"}},
	{"two turns", "#orders wolf turn 3 turn 4 ship Hood\nfinal\n#end", []string{"1:21 E014 twice"}},
	{"two ships", "#orders wolf turn 3 ship Hood ship Essex\nfinal\n#end", []string{"1:31 E014 twice"}},
	{"name of two words", "#orders wolf turn 3 ship USS Hood key ABCD\nfinal\n#end", []string{"1:30 E014 did you mean ship Hood?"}},
	{"endless head", "#orders wolf turn 3 ship Hood key ABCD" + strings.Repeat(" turn 3", 20) + "\nfinal\n#end", nil},
	{"unknown post", "#orders wolf turn 3 enginer Hood\nfinal\n#end", []string{"1:21 E015 engineer?"}},
	{"quite unknown post", "#orders wolf turn 3 cook Hood\nfinal\n#end", []string{"1:21 E015 expected ship, captain, helm, engineer"}},

	{"slip", one("phase 1\nfrie a at X"), []string{"3:1 E020 fire?"}},
	{"slip of another section", one("power\nevaed port"), []string{"3:1 E020 evade? It goes under standing"}},
	{"no verb", one("power\nbank a 5\nbank-a 5\nphase 1\na at X\na-1 at X"), []string{"3:1 E020 did you mean arm bank-a 5?", "4:1 E020 did you mean arm bank-a 5?", "6:1 E020", "7:1 E020 did you mean fire a-1 at X?"}},
	{"no verb under no heading", one("bank a 5"), []string{"2:1 E020 did you mean arm bank-a 5? It goes under power"}},
	{"signature", one("final\nRegards"), []string{"3:1 E020 known here: final"}},
	{"heading slip", one("phaes 2\nmove F\npowr\nmove 3"), []string{"2:1 E020 phase?", "4:1 E020 power?"}},
	{"before any heading", one("fire a at X"), []string{"2:1 E021 put it under phase 1 to 3"}},
	{"wrong heading", one("power\nmove 4\nfire a at X\nshed shields"), []string{"4:1 E021 under power", "5:1 E021 standing"}},
	{"newcomers' orders", one("phase 1\nchase X\nattack X\nmovement F\nleft\nglide 1912\nback"), []string{
		"3:1 E020 did you mean pursue?", "4:1 E020 did you mean fire?", "5:1 E020 did you mean move or phase 1?", "6:1 E020 did you mean move L?",
		"7:1 E022 sample; did you mean course?", "8:1 E020 that would be B, a word of the rules cadet",
	}},
	{"newcomers' orders elsewhere", one("power\nattack X"), []string{"3:1 E020 did you mean fire? It goes under phase 1 to 3"}},
	{"slips in newcomers' orders", one("power\nmovment 10\natack X\nshilds 10\nphase 1\nmovementt F\nchas X\nfrie 5 at X"), []string{
		"3:1 E020 did you mean move or phase 1?", "4:1 E020 did you mean fire? It goes under phase 1 to 3", "5:1 E020 did you mean shields?",
		"7:1 E020 did you mean move or phase 1?", "8:1 E020 did you mean pursue?", "9:1 E020 did you mean fire?",
	}},
	{"slips in newcomers' words", one("phase 1\nmove F when distence < 5\nmove F when rnage < 5"), []string{"3:13 E041 did you mean range?", "4:13 E041 did you mean range?"}},
	{"newcomers' words", one("phase 1\nmove turn left back\nmove B\nfire all on X\npursue X if range < 5\nfire all at X unless hurt"), []string{
		"3:6 E031 did you mean L or R?", "3:11 E031 did you mean L?", "3:16 E031 that would be B, a word of the rules cadet", "4:6 E031 it is B, a word of the rules cadet",
		"5:10 E036 did you mean at? write: fire WEAPON... at SHIP [when CONDITION]; such as: fire all", "6:10 E036 did you mean when?", "7:15 E036 did you mean when not?",
	}},
	{"newcomers' conditions", one("phase 1\nif range < 5 fire all at X\nmove F when distance < 5\nmove F when hide"), []string{
		"3:1 E020 write: fire all at Riskadh when", "4:13 E041 did you mean range?", "5:13 E041 it is hide, a word of the rules cadet",
	}},
	{"no when", one("phase 1\nfire all at X range < 5"), []string{"3:15 E037 did you mean when range?"}},
	{"no colon", one("power\nshields 2 14"), []string{"3:11 E036 with a colon: 2:14"}},
	{"name of two parts", one("power\narm bank a 5"), []string{"3:10 E032 did you mean bank-a?"}},
	{"form of another heading", one("power\nmove FL\nphase 2\nmove 16"), []string{"3:1 E021 phase", "5:1 E021 power"}},
	{"foreign", one("Allocate 4"), []string{"2:1 E022 cadet"}},
	{"twice", one("power\nmove 3\nmove 4\nfinal\nfinal"), []string{"4:1 E023 on the line above", "6:1 E023 on the line above"}},
	{"same verb in two phases", one("phase 1\nmove F\nmove F\nphase 2\nmove F"), nil},
	{"no number", one("phase\nmove F"), []string{"2:6 E024 1 to 3"}},
	{"number out of range", one("phase 4\nmove F\nphase 0\nphase x"), []string{"2:7 E024", "4:7 E024", "5:7 E024", "5:1 E025"}},
	{"section twice", one("phase 1\nmove F\nphase 2\nphase 1\nmove F"), []string{"5:1 E025 3 lines above"}},
	{"words after heading", one("phase 1 move F\npower 3"), []string{"2:9 E026", "3:7 E026"}},
	{"continuation of nothing", one("#foo\n& a\nfinal\n#text\nx\n#endtext\n& b"), []string{"2:1 E028", "3:1 E027", "5:1 E053", "8:1 E027"}},
	{"unknown mark", one("#ende\n#foo"), []string{"2:1 E028 #end?", "3:1 E028 ;"}},
	{"too many orders", one("phase 1\n" + strings.Repeat("move F\n", MaxItems)), []string{"502:1 E029"}},
	{"too many words", one("phase 1\n" + strings.Repeat("move"+strings.Repeat(" F", 99)+"\n", 31)), []string{"32:1 E029"}},

	{"lacking value", one("phase 1\nmove ; nothing\npursue X to"), []string{"3:5 E030 expected a movement word (F, FL", "4:12 E030 expected a distance"}},
	{"lacking word", one("phase 1\nfire a b when missile"), []string{"3:10 E030 \"at\""}},
	{"lacking value before when", one("standing\nevade when missile"), []string{"3:7 E030 port"}},
	{"lacking half a pair", one("power\nshields 1: 2:3"), []string{"3:13 E036"}},
	{"bad choices", one("phase 1\nmove FL FX Q2 SL RS"), []string{"3:9 E031 a movement word (F, FL", "3:12 E031 does not fit either", "3:18 E031 SR?"}},
	{"bad signed choice", one("warp +2"), []string{"2:6 E031 +1, -1"}},
	{"bad number", one("power\nshields 1:x y:3"), []string{"3:11 E032 expected shield points", "3:13 E032"}},
	{"bad name", one("phase 1\npursue Ho*d to 5"), []string{"3:8 E033"}},
	{"control characters", one("phase 1\npursue Ho\x1bd"), []string{"3:8 E033"}},
	{"bad hex", one("phase 1\ncourse 12\ncourse a.b\ncourse 1.2.3\ncourse 12345.1"), []string{"3:8 E034 1912", "4:8 E034", "5:8 E034", "6:8 E034"}},
	{"bad signed", one("warp 1"), []string{"2:6 E035 +1"}},
	{"bad small word", one("phase 1\npursue X too 5\nfire a ta X"), []string{"3:10 E036 to?", "4:8 E036 at?"}},
	{"literal for a name", one("phase 1\nfire at X"), []string{"3:6 E036 expected a weapon"}},
	{"left over", one("final now\npower\nmove 4 5"), []string{"2:7 E037 one word too many", "4:8 E037"}},
	{"huge number", one("power\nmove 99999999999999999999"), []string{"3:6 E038"}},

	{
		"when nothing", one("standing\nevade port when\nevade port when missile and ; so\nevade port when and missile"),
		[]string{"3:16 E040 after when", "4:28 E040 after and", "5:17 E040"},
	},
	{"empty parentheses", one("standing\nevade port when ()"), []string{"3:18 E040"}},
	{
		"unknown subject", one("standing\nevade port when rnage < 3 and misile or zzz = 4"),
		[]string{"3:17 E041 range?", "3:31 E041 missile?", "3:41 E041 conditions test: range <= 5,"},
	},
	{
		"half a subject", one("standing\nevade port when shield 2 X > 3\nevade port when shield"),
		[]string{"3:26 E041 shield SHIELD of SHIP", "4:23 E041 end of the line"},
	},
	{
		"no comparison", one("standing\nevade port when range\nevade port when range 5\nevade port when alert != red\nevade port when alert < red"),
		[]string{"3:22 E042 range <= 5", "4:23 E042", "5:23 E042 not alert", "6:23 E042 only with ="},
	},
	{
		"bad value", one("standing\nevade port when range < \nevade port when range < x and chance > y\nevade port when range < 5%\nevade port when alert = blue\nevade port when range < < 5"),
		[]string{"3:24 E043", "4:25 E043", "4:40 E043 60%", "5:25 E043 percentage", "6:25 E043 red, yellow", "7:25 E043"},
	},
	{
		"parentheses", one("standing\nevade port when (missile\nevade port when missile)\nevade port when (missile cloaked) and range"),
		[]string{"3:17 E044 not closed", "4:24 E044", "5:26 E049", "5:44 E042"},
	},
	{
		"deep", one("standing\nevade port when " + strings.Repeat("not ", 17) + "missile\nevade port when " + strings.Repeat("(", 40) + "x"),
		[]string{"3:81 E045 16", "4:33 E045"},
	},
	{"flag compared", one("standing\nevade port when missile = 1 and range"), []string{"3:25 E046 takes no comparison", "3:38 E042"}},
	{"per cent", one("standing\nevade port when chance > 101%"), []string{"3:26 E047"}},
	{"no condition here", one("power\nmove x when missile"), []string{"3:6 E032", "3:8 E048 takes no condition"}},
	{"after condition", one("standing\nevade port when missile cloaked"), []string{"3:25 E049 and or or"}},

	{"text missing", one("message X\nmessage Y\n#text\n\n \n#endtext\nmessage Z"), []string{"2:1 E050", "4:1 E050 empty", "8:1 E050"}},
	{"text open", one("message X\n#text\nfinal"), []string{"3:1 E051"}},
	{"text too long", one("message X\n#text\n" + strings.Repeat("a\n", MaxTextLines+1) + "#endtext"), []string{"3:1 E052"}},
	{"text of nothing", one("final\n#text\nx\n#endtext\n#endtext"), []string{"3:1 E053", "6:1 E053"}},
	{"text of a bad order", one("message\n#text\nx\n#endtext\nmesage X\n#text\nx\n#endtext"), []string{"2:8 E030", "6:1 E020 message?"}},

	{"more errors", one(strings.Repeat("zzz\n", 70)), nil},
	{"more warnings", "", nil},
	{"quoted lines", one("final\n> a\n > b"), []string{"3:1 W001 2 lines"}},
	{"near orders", "#order wolf turn 3 ship Hood\n#order\n" + one("final"), []string{"1:1 W002 #orders"}},
	{"after end", strings.TrimSpace(one("final")) + " thanks", []string{"3:6 W003"}},
	{"after endtext", one("message X\n#text\nx\n#endtext bye"), []string{"5:10 W003"}},
	{"empty", one("; nothing"), []string{"1:1 W004 no order"}},
}

func TestDiagnostics(t *testing.T) {
	for _, tt := range diagnosed {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == nil {
				return
			}
			_, ds := Parse([]byte(tt.src), sample())
			if !slices.IsSortedFunc(ds, func(a, b Diagnostic) int { return a.Pos.Compare(b.Pos) }) {
				t.Errorf("not sorted: %v", ds)
			}
			left := slices.Clone(ds)
			for _, w := range tt.want {
				parts := strings.SplitN(w, " ", 3)
				i := slices.IndexFunc(left, func(d Diagnostic) bool {
					return d.Pos.String() == parts[0] && d.Code == parts[1]
				})
				if i < 0 {
					t.Errorf("no %s", w)
					continue
				}
				if all := left[i].Message + " | " + left[i].Hint; len(parts) == 3 && !strings.Contains(all, parts[2]) {
					t.Errorf("%s says %s", w, all)
				}
				left = slices.Delete(left, i, i+1)
			}
			if len(left) > 0 {
				t.Errorf("unwanted %v", left)
			}
			if t.Failed() {
				for _, d := range ds {
					t.Logf("%s (%s)", d, d.Hint)
				}
			}
		})
	}
}

func TestEveryCodeIsTested(t *testing.T) {
	wanted := map[string]bool{
		CodeMoreErrors: true, CodeMoreWarnings: true, // TestBound
		CodeOtherPost: true, // reported by rule sets
	}
	for _, tt := range diagnosed {
		for _, w := range tt.want {
			wanted[strings.Fields(w)[1]] = true
		}
	}
	for _, c := range Codes() {
		if !wanted[c.Code] {
			t.Errorf("%s (%s) is never wanted", c.Code, c.Title)
		}
	}
}

func TestCodesAreInOrder(t *testing.T) {
	all := Codes()
	for i, c := range all {
		if i > 0 && all[i-1].Code >= c.Code {
			t.Errorf("%s after %s", c.Code, all[i-1].Code)
		}
		var letter byte
		var n int
		if _, err := fmt.Sscanf(c.Code, "%c%03d", &letter, &n); err != nil || len(c.Code) != 4 || n >= 100 {
			t.Errorf("%s is not of this package", c.Code)
		}
		if (letter == 'W') != (c.Severity == Warning) || c.Title == "" {
			t.Errorf("%+v", c)
		}
	}
}

func TestEveryDiagnosticIsInTheTable(t *testing.T) {
	known := map[string]Severity{}
	for _, c := range Codes() {
		known[c.Code] = c.Severity
	}
	for _, tt := range diagnosed {
		_, ds := Parse([]byte(tt.src), sample())
		for _, d := range ds {
			if sev, ok := known[d.Code]; !ok || sev != d.Severity || d.Message == "" {
				t.Errorf("%s: %+v", tt.name, d)
			}
		}
	}
}

func TestBound(t *testing.T) {
	_, ds := Parse([]byte(one(strings.Repeat("zzz\n", 70))), sample())
	if last := ds[len(ds)-1]; len(ds) != MaxDiagnostics+1 || last.Code != CodeMoreErrors ||
		!strings.HasPrefix(last.Message, "10 more mistakes are") {
		t.Errorf("%d, last %v", len(ds), last)
	}
	var many []Diagnostic
	for i := range 100 {
		many = append(many, Diagnostic{Pos: Pos{i + 1, 1}, Severity: Warning, Code: CodeAfterEnd})
	}
	many = append(many, Diagnostic{Pos: Pos{200, 1}, Code: CodeNoEnd})
	got := bound(many)
	if last := got[len(got)-1]; len(got) != MaxDiagnostics+1 || last.Code != CodeMoreWarnings || !HasErrors(got) {
		t.Errorf("%d, last %v", len(got), last)
	}
}

func TestEndlessHeadIsCut(t *testing.T) {
	_, ds := Parse([]byte("#orders wolf turn 3 ship Hood\n"+strings.Repeat("& turn 3 turn 3\n", 4000)+"final\n#end"), sample())
	if len(ds) > maxHeadWords {
		t.Errorf("%d diagnostics", len(ds))
	}
}

func TestDiagnosticString(t *testing.T) {
	d := Diagnostic{Pos: Pos{3, 5}, Severity: Warning, Code: "W042", Message: "message", Hint: "hint"}
	if d.String() != "3:5: W042 message" {
		t.Error(d.String())
	}
	data, err := json.Marshal(d)
	want := `{"pos":{"line":3,"col":5},"severity":"warning","code":"W042","message":"message","hint":"hint"}`
	if err != nil || string(data) != want {
		t.Errorf("%s %v", data, err)
	}
	var back Diagnostic
	if err := json.Unmarshal(data, &back); err != nil || back != d {
		t.Errorf("%+v %v", back, err)
	}
	if json.Unmarshal([]byte(`{"severity":"grave"}`), &back) == nil {
		t.Error("a severity out of nothing")
	}
}
