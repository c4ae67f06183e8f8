package orders_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"starpost/orders"
)

// freely returns a language with orders that a person reads.
func freely() *orders.Language {
	return &orders.Language{
		Rules: "table", Free: "do",
		Params: map[string]orders.Param{"LINE": {Class: orders.Text}, "TO": {Class: orders.Name}},
		Sections: []orders.Section{{Verbs: []orders.Verb{
			{Name: "do", Forms: []orders.Form{"do LINE"}, Examples: []string{"do wait for the enemy"}},
			{Name: "wait", Forms: []orders.Form{"wait"}, Once: true},
			{Name: "message", Forms: []orders.Form{"message TO"}, Body: true},
		}}},
	}
}

func TestFreeLines(t *testing.T) {
	if err := freely().Validate(); err != nil {
		t.Fatal(err)
	}
	src := `#orders wolf turn 2 ship Hood
; this is a remark
Helm: ahead 3; then hard to port, "easy"
  & and hold
do wait for the enemy
Do fire
do ; nothing
wait ; not a second longer
message Riskadh
#text
Yield.
#endtext
#end
`
	blocks, ds := orders.Parse([]byte(src), freely())
	if len(ds) > 0 || len(blocks) != 1 {
		t.Fatalf("%v", ds)
	}
	g, _ := blocks[0].Group("", 0)
	var got []string
	for _, s := range g.All("do") {
		a, _ := s.Arg("LINE")
		got = append(got, a.Text)
	}
	want := []string{`Helm: ahead 3; then hard to port, "easy" and hold`, "wait for the enemy", "fire", "; nothing"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("free lines %q", got)
	}
	if len(g.All("wait")) != 1 || len(g.All("message")) != 1 {
		t.Error("the shared orders are not read as such")
	}
	canonical := orders.Format(blocks[0])
	for _, line := range []string{"do wait for the enemy\n", "\nfire\n", "do ; nothing\n", "\nwait\n"} {
		if !strings.Contains(canonical, line) {
			t.Errorf("%q is not in\n%s", line, canonical)
		}
	}
}

// A line that begins with a shared order and continues differently may be either.
func TestPerhapsFree(t *testing.T) {
	for line, code := range map[string]string{"wait until they come": orders.CodeLeftOver, "do": orders.CodeIncomplete, "message": orders.CodeIncomplete} {
		_, ds := orders.Parse([]byte("#orders wolf turn 2 ship Hood\n"+line+"\n#end\n"), freely())
		if len(ds) != 1 || ds[0].Code != code {
			t.Errorf("%q: %v", line, ds)
			continue
		}
		if line != "do" && !strings.Contains(ds[0].Hint, "or put do before the line") {
			t.Errorf("%q: the hint is %q", line, ds[0].Hint)
		}
	}
}

func TestFreeTable(t *testing.T) {
	for name, change := range map[string]func(*orders.Language){
		"there is no verb":       func(l *orders.Language) { l.Free = "act" },
		"without sections":       func(l *orders.Language) { l.Sections = append(l.Sections, orders.Section{Name: "phase"}) },
		"has one form":           func(l *orders.Language) { l.Free = "message" },
		"any number of times":    func(l *orders.Language) { l.Sections[0].Verbs[0].Once = true },
		"its name and a text, a": func(l *orders.Language) { l.Params["LINE"] = orders.Param{Class: orders.Name} },
	} {
		l := freely()
		change(l)
		if err := l.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Formatted lines parse to the same statements, whatever they are.
func TestFreeFormat(t *testing.T) {
	words := []string{
		"do", "wait", "message", "Hood", ";", "#text", "#end", "&", "& on", ">", "turn 3", "a;b", ",", `"x"`, "(", "Wait:", "when", "DO", "d'o",
		"a-long-word-of-forty-eight-letters-no-more-no-less", "\u200b", "-", "ahead", "\t", "1204", "#foo", "\u00e9t\u00e9",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 4000 {
		var b strings.Builder
		b.WriteString("#orders wolf turn 2 ship Hood\n")
		for range 1 + rng.IntN(3) {
			for range 1 + rng.IntN(14) {
				b.WriteString(words[rng.IntN(len(words))] + " ")
			}
			b.WriteByte('\n')
		}
		b.WriteString("#end\n")
		blocks, ds := orders.Parse([]byte(b.String()), freely())
		if orders.HasErrors(ds) {
			continue
		}
		taken++
		once := orders.Format(blocks[0])
		again, ds := orders.Parse([]byte(once), freely())
		if orders.HasErrors(ds) {
			t.Fatalf("%s\nis written as\n%s\nwhich has errors: %v", b.String(), once, ds)
		}
		if twice := orders.Format(again[0]); twice != once {
			t.Fatalf("%s\nis written as\n%s\nand that as\n%s", b.String(), once, twice)
		}
	}
	if taken < 500 {
		t.Fatalf("only %d sets were without errors", taken)
	}
}
