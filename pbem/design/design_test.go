package design_test

import (
	"slices"
	"strings"
	"testing"

	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/pbem/design"
)

var families = []family.Family{fasa.Family(), sfb.Family()}

func look(t *testing.T, r design.Request) design.Answer {
	t.Helper()
	a, err := design.Look(families, r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAScenarioFromNothing: ships are added, moved, turned and removed until the scenario can be played. Errors on
// the way are reported.
func TestAScenarioFromNothing(t *testing.T) {
	a := look(t, design.Request{})
	if len(a.Ships) != 2 || len(a.Classes) == 0 || len(a.Sides) != 2 {
		t.Fatalf("nothing is %+v", a)
	}
	classes := a.Classes
	do := func(r design.Request) {
		t.Helper()
		r.Text = a.Text
		a = look(t, r)
	}
	do(design.Request{Act: "add", Side: "red", Class: classes[0], Hex: "1010", Heading: "A"})
	do(design.Request{Act: "add", Ship: "Talon", Side: "blue", Class: classes[1], Hex: "1010", Heading: "D"})
	if len(a.Remarks) == 0 {
		t.Error("two ships in one hex are told nothing of")
	}
	do(design.Request{Act: "put", Ship: "Talon", Hex: "1005"})
	do(design.Request{Act: "add", Ship: "Third", Side: "blue", Class: "none", Hex: "1003", Heading: "D"})
	if !slices.ContainsFunc(a.Remarks, func(r string) bool { return strings.Contains(r, `"none"`) }) {
		t.Errorf("a class that is not there is told as %q", a.Remarks)
	}
	do(design.Request{Act: "turn", Ship: "Ship-1", Heading: "B"})
	do(design.Request{Act: "remove", Ship: "Third"})
	if len(a.Remarks) != 0 || len(a.Ships) != 4 || !strings.Contains(a.Map, `data-hex="1005"`) || len(a.Balance) == 0 {
		t.Fatalf("at the end it is %q\n%s", a.Remarks, a.Text)
	}
	sc, diags := scenario.Parse([]byte(a.Text))
	if sc == nil || sc.Ships[2].Heading[0] != "B" || sc.Ships[3].Hex[0] != "1005" {
		t.Errorf("%v\n%s", diags, a.Text)
	}
}

// TestOtherLinesStay: an edit of a ship changes only her line; comments and all other lines stay.
func TestOtherLinesStay(t *testing.T) {
	for _, f := range families {
		files, err := f.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			before := look(t, design.Request{Text: string(text)})
			if len(before.Ships) == 0 || len(before.Remarks) > 0 || before.Map == "" {
				t.Errorf("%s is looked at as %q, %d ships", name, before.Remarks, len(before.Ships))
				continue
			}
			after := look(t, design.Request{Text: string(text), Act: "put", Ship: before.Ships[0].Name, Hex: "0303"})
			changed := 0
			old := strings.Split(before.Text, "\n")
			for i, line := range strings.Split(after.Text, "\n") {
				if line != old[i] {
					changed++
				}
			}
			if changed > 1 {
				t.Errorf("%s: %d lines changed", name, changed)
			}
		}
	}
}

// TestClassesOfOnesOwn: a file of classes is checked like in the program, its classes can be used, and an error in it
// has its line.
func TestClassesOfOnesOwn(t *testing.T) {
	tables := "source = \"mine\"\nconfidence = \"low\"\n[designs.sparrow]\ntitle = \"Sparrow\"\nnavy = \"federation\"\nclass = \"VII\"\nsuperstructure = 11\nwarp = [9, 9]\nimpulse = 2\nmove = \"3/1\"\nshield = \"1/2\"\nmax_shield = 7\nd = \"44.7\"\nwdf = \"5.2\"\nbanks = [\"bank-a: 2 FH-2 f/p\"]\narcs = \"known\"\n"
	if a := look(t, design.Request{Tables: tables}); !slices.Contains(a.Classes, "sparrow") {
		t.Errorf("the class is not among %d; remarks %q", len(a.Classes), a.Remarks)
	}
	a := look(t, design.Request{Tables: strings.Replace(tables, "impulse = 2", "impulse = \"two\"", 1)})
	if !slices.ContainsFunc(a.Remarks, func(r string) bool { return strings.HasPrefix(r, "ships.toml:9") }) {
		t.Errorf("the mistake is told as %q", a.Remarks)
	}
	for _, bad := range []design.Request{{Act: "put", Ship: "none", Hex: "0101"}, {Act: "add", Ship: "a\"b"}, {Act: "sink", Ship: "x"}, {Text: strings.Repeat("x", 300_000)}} {
		if _, err := design.Look(families, bad); err == nil {
			t.Errorf("%.60v is done", bad)
		}
	}
}

// TestForms: a value is changed in place, with its comment kept. A side is copied under a new name and removed.
func TestForms(t *testing.T) {
	a := look(t, design.Request{})
	a.Text = strings.Replace(a.Text, "last_turn = 12", "last_turn = 12  # of \"short\" battles", 1)
	at := func(file, section, key string) (line, head int) {
		t.Helper()
		for _, s := range a.Forms {
			for _, f := range s.Fields {
				if s.File == file && s.Title == section && f.Key == key {
					return f.Line, s.Line
				}
			}
		}
		t.Fatalf("no form of the %s has %q in %q: %+v", file, key, section, a.Forms)
		return 0, 0
	}
	do := func(r design.Request) {
		t.Helper()
		r.Text, r.Tables = a.Text, a.Tables
		a = look(t, r)
	}
	do(design.Request{})
	line, _ := at("scenario", "scenario", "last_turn")
	do(design.Request{Act: "field", File: "scenario", Line: line, Value: "16"})
	line, _ = at("scenario", "scenario", "title")
	do(design.Request{Act: "field", File: "scenario", Line: line, Value: `The "Raid"`})
	if !strings.Contains(a.Text, "last_turn = 16  # of \"short\" battles\n") || !strings.Contains(a.Text, `title = "The \"Raid\""`) || len(a.Remarks) != 0 {
		t.Fatalf("%q\n%s", a.Remarks, a.Text)
	}
	_, head := at("scenario", "side blue", "name")
	do(design.Request{Act: "copy", File: "scenario", Line: head})
	if !slices.Equal(a.Sides, []string{"red", "blue", "blue-2"}) {
		t.Errorf("sides %q %q\n%s", a.Sides, a.Remarks, a.Text)
	}
	_, head = at("scenario", "side blue-2", "id")
	before := a.Text
	do(design.Request{Act: "drop", File: "scenario", Line: head})
	if !slices.Equal(a.Sides, []string{"red", "blue"}) || len(a.Text) >= len(before) {
		t.Errorf("sides %q\n%s", a.Sides, a.Text)
	}

	// An own class starts as a copy of one of the program's, and is changed.
	own := a.Classes[0]
	do(design.Request{Act: "own", Class: own})
	if !slices.Contains(a.Classes, "my-"+own) || len(a.Remarks) != 0 {
		t.Fatalf("%q\n%s", a.Remarks, a.Tables)
	}
	line, _ = at("classes", "designs my-"+own, "superstructure")
	do(design.Request{Act: "field", File: "classes", Line: line, Value: "none"})
	if len(a.Remarks) == 0 {
		t.Errorf("a superstructure that is no number:\n%s", a.Tables)
	}
	do(design.Request{Act: "field", File: "classes", Line: line, Value: "77"})
	if !strings.Contains(a.Tables, "superstructure = 77") || len(a.Remarks) != 0 {
		t.Errorf("%q\n%s", a.Remarks, a.Tables)
	}
	for _, bad := range []design.Request{
		{Act: "field", File: "scenario", Line: 0},
		{Act: "field", File: "scenario", Line: 1 << 40},
		{Act: "field", File: "classes", Line: 1, Value: "x"},
		{Act: "field", File: "scenario", Line: 1, Value: "1\n2"},
		{Act: "copy", File: "scenario", Line: 1},
		{Act: "own", Class: "none"},
	} {
		bad.Text, bad.Tables = a.Text, a.Tables
		if _, err := design.Look(families, bad); err == nil {
			t.Errorf("%+v was done", bad)
		}
	}
}

// TestEveryClassCanBegin: each class of each family can be copied, and the copy is valid under its new name.
func TestEveryClassCanBegin(t *testing.T) {
	for _, f := range families {
		list, err := f.Designs(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list.All {
			text, err := d.Text("my-" + d.Name)
			if err != nil {
				t.Fatal(err)
			}
			more, err := f.Designs(map[string][]byte{"ships/own.toml": []byte(text)})
			if err != nil {
				t.Errorf("%s: %v\n%s", d.Name, err, text)
				continue
			}
			if len(more.All) != len(list.All)+1 {
				t.Errorf("%s: %d classes become %d", d.Name, len(list.All), len(more.All))
			}
		}
	}
}
