package orders

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestReference(t *testing.T) {
	got := sample().Reference()
	path := filepath.Join("testdata", "reference.golden.md")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Error(d)
	}
}

func TestValidate(t *testing.T) {
	verb := func(l *Language, change func(*Verb)) { change(&l.Sections[1].Verbs[0]) } // phase move
	form := func(f Form) func(*Language) {
		return func(l *Language) {
			verb(l, func(v *Verb) { v.Forms, v.Examples = []Form{f}, nil })
		}
	}
	param := func(p Param) func(*Language) { return func(l *Language) { l.Params["NEW"] = p } }
	subject := func(s Subject) func(*Language) {
		return func(l *Language) { l.Subjects = append(l.Subjects, s) }
	}
	tests := map[string]struct {
		change func(*Language)
		want   string
	}{
		"no rules":              {func(l *Language) { l.Rules = "" }, "no name"},
		"empty form":            {form(""), "empty"},
		"unknown placeholder":   {form("move MOVES..."), "did you mean MOVE?"},
		"open bracket":          {form("move [MOVE"), "not closed"},
		"closed bracket":        {form("move MOVE]"), "closes nothing"},
		"empty bracket":         {form("move []"), "empty"},
		"repeated bracket":      {form("move [MOVE]..."), "dots inside"},
		"dots first":            {form("... move"), "nothing before"},
		"pair of words":         {form("move to:MOVE"), "placeholder on each side"},
		"half a pair":           {form("move MOVE:"), "placeholder on each side"},
		"mixed case":            {form("move To MOVE"), "neither"},
		"reserved word":         {form("move and MOVE"), "conditions"},
		"long word":             {form(Form("move " + strings.Repeat("x", 49))), "too long"},
		"long form":             {form(Form("move" + strings.Repeat(" x", 61))), "more than 60"},
		"another verb":          {form("mov MOVE"), "begin with the verb"},
		"text in the middle":    {form("move WORDS MOVE"), "last"},
		"text repeated":         {form("move WORDS..."), "last"},
		"text and when":         {form("move WORDS"), "condition or a body"},
		"no form":               {func(l *Language) { verb(l, func(v *Verb) { v.Forms = nil }) }, "no form"},
		"verb in capitals":      {func(l *Language) { verb(l, func(v *Verb) { v.Name = "Move" }) }, "keyword"},
		"verb of two words":     {func(l *Language) { verb(l, func(v *Verb) { v.Name = "m v" }) }, "keyword"},
		"verb twice":            {func(l *Language) { verb(l, func(v *Verb) { v.Name = "fire" }) }, "twice"},
		"verb like a section":   {func(l *Language) { verb(l, func(v *Verb) { v.Name = "power" }) }, "name of a section"},
		"verb at both levels":   {func(l *Language) { verb(l, func(v *Verb) { v.Name = "final" }) }, "turn level"},
		"bad example":           {func(l *Language) { verb(l, func(v *Verb) { v.Examples = []string{"move X"} }) }, "E031"},
		"example of another":    {func(l *Language) { verb(l, func(v *Verb) { v.Examples = []string{"fire a at X"} }) }, "is an order fire"},
		"section twice":         {func(l *Language) { l.Sections[0].Name = "phase" }, "listed twice"},
		"section in capitals":   {func(l *Language) { l.Sections[0].Name = "Power" }, "keyword"},
		"numbered without max":  {func(l *Language) { l.Sections[1].Max = 0 }, "Max"},
		"turn level numbered":   {func(l *Language) { l.Sections[3].Numbered = true }, "numbered"},
		"param in small":        {func(l *Language) { l.Params["new"] = Param{} }, "capital"},
		"unknown class":         {param(Param{Class: 99}), "class 99"},
		"choice of nothing":     {param(Param{Class: Choice}), "choices are empty"},
		"choices of a number":   {param(Param{Class: Number, Choices: []string{"1"}}), "only Choice"},
		"choice twice":          {param(Param{Class: Choice, Choices: []string{"a", "A"}}), "twice"},
		"choice of two words":   {param(Param{Class: Choice, Choices: []string{"a b"}}), "one word"},
		"choice of a sign":      {param(Param{Class: Choice, Choices: []string{"("}}), "one word"},
		"choice of a comment":   {param(Param{Class: Choice, Choices: []string{"a;b"}}), "one word"},
		"choice when":           {param(Param{Class: Choice, Choices: []string{"When"}}), "one word"},
		"long choice":           {param(Param{Class: Choice, Choices: []string{strings.Repeat("x", 49)}}), "too long"},
		"signed without sign":   {param(Param{Class: Signed, Choices: []string{"1"}}), "read as itself"},
		"subject twice":         {subject(Subject{Form: "range"}), "twice"},
		"subject unreadable":    {subject(Subject{Form: "a NOSUCH"}), "NOSUCH"},
		"subject of a name":     {subject(Subject{Form: "SHIP seen"}), "word of its own"},
		"subject of text":       {subject(Subject{Form: "say WORDS"}), "rest of the condition"},
		"subject of no kind":    {subject(Subject{Form: "x", Kind: 9}), "kind 9"},
		"choices of a flag":     {subject(Subject{Form: "x", Kind: FlagSubject, Choices: []string{"a"}}), "WordSubject"},
		"bad choices of a word": {subject(Subject{Form: "x", Kind: WordSubject, Choices: []string{"a", "a"}}), "twice"},
		"post of the head":      {func(l *Language) { l.Posts = []string{"ship"} }, "every head"},
		"post of two words":     {func(l *Language) { l.Posts = []string{"a b"} }, "keyword"},
		"foreign verb here":     {func(l *Language) { l.Foreign()["fire"] = "other" }, "section phase too"},
		"foreign in capitals":   {func(l *Language) { l.Foreign()["Fly"] = "other" }, "keyword"},
		"meant is nothing":      {func(l *Language) { l.Meant["fly"] = nil }, "means nothing"},
		"meant in capitals":     {func(l *Language) { l.Meant["Fly"] = []string{"move"} }, "beginner's word"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := sample()
			tt.change(l)
			if err := l.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	among := []string{"move", "fire", "pursue", "Riskadh", "FL", "FR", "starboard", "standing"}
	for word, want := range map[string]string{
		"frie": "fire", "fir": "fire", "MOVE": "move", "moev": "move", "persue": "pursue", "Riscad": "Riskadh",
		"LF": "FL", "FX": "", "F": "", "": "", "xyzzy": "", "sta": "", "stand": "standing", "starbord": "starboard",
		strings.Repeat("a", 1000): "",
	} {
		if got := Suggest(word, among); got != want {
			t.Errorf("%q suggests %q, want %q", word, got, want)
		}
	}
	if got := Suggest("abc", []string{strings.Repeat("abc", 100), "abd"}); got != "abd" {
		t.Error(got)
	}
	if got := Suggest("bat", []string{"cat", "hat"}); got != "cat" {
		t.Errorf("of two as near the first, not %q", got)
	}
}

func TestClassNames(t *testing.T) {
	for c := Number; c <= Text; c++ {
		if name := c.String(); name == "" || strings.Contains(name, "unknown") {
			t.Errorf("class %d is %q", c, name)
		}
	}
	if !strings.Contains(Class(77).String(), "unknown") {
		t.Error("a class out of nothing")
	}
}
