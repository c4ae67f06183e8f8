package sheet

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
)

// Designs lists the ship classes, with a game's own sheets overriding the built-in ones.
func Designs(files map[string][]byte) (*family.Designs, error) {
	all, err := Classes(files)
	if err != nil {
		return nil, err
	}
	out := &family.Designs{Columns: []string{"CLASS", "NAVY", "POWER", "BOXES", "EXCESS", "SHIELDS", "TITLE"}}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		out.All = append(out.All, family.Design{
			Name: name, Navy: c.Navy, Data: c, Sheet: func() ([][]string, error) { return c.rows(), nil },
			Text: func(own string) (string, error) { return builtinText(name, own) },
			Row: []string{
				name, c.Navy, fmt.Sprint(c.Power()), fmt.Sprint(c.Inside().All), fmt.Sprint(c.In(ExcessBoxes).All), c.shieldText(), c.Title,
			},
		})
	}
	return out, nil
}

// builtinText returns the file of a built-in class with its name replaced.
func builtinText(class, name string) (string, error) {
	text, err := fs.ReadFile(data, "data/"+class+".toml")
	if err != nil {
		return "", fmt.Errorf("read the built-in sheet of %s: %w", class, err)
	}
	return strings.Replace(string(text), strconv.Quote(class), strconv.Quote(name), 1), nil
}

func (c *Class) shieldText() string {
	words := make([]string, len(c.Shields))
	for i, s := range c.Shields {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

func (c *Class) turnText() string {
	if c.Letter != "" {
		return c.Letter
	}
	steps := make([]string, len(c.TurnMode))
	for i, t := range c.TurnMode {
		steps[i] = fmt.Sprintf("%d to %d", t.Moves, t.Speed)
	}
	return strings.Join(steps, ", ")
}

// rows lists all figures of a class, with the marks of their sources, and the sources.
func (c *Class) rows() (rows [][]string) {
	say := func(what, text string) { rows = append(rows, []string{what, text}) }
	say(c.Class, strings.TrimSuffix(c.Title+" ("+c.Navy+")", " ()"))
	box := ""
	if c.Letter != "" {
		box = ", by modules of the Cadet handbook (confidence high)"
	}
	say("power", fmt.Sprintf("%d: a box of engines and reactors gives 1%s", c.Power(), box))
	say("shields", c.text("shields", c.shieldText()))
	say("turn mode", c.text("turn_mode", c.turnText()+" (moves straight before a turn, up to a speed)"))
	if c.MoveCost > 0 {
		say("move cost", c.text("move_cost", Fraction(c.MoveCost)+" energy a hex"))
	}
	for _, f := range c.figures() {
		if *f.of > 0 {
			say(f.key, c.text(f.key, fmt.Sprintf(f.words, *f.of)))
		}
	}
	for _, b := range c.Banks {
		text := b.String()
		switch of := b.Kind.Category(); {
		case of == NoCategory && c.Letter != "": // what hits it depends on the chart of its rules
		case string(of) != string(b.Kind):
			text += " (" + string(of) + ")"
		}
		say(b.Name, c.text("banks."+b.Name, text))
	}
	if c.Letter != "" {
		say("destroyed by", "the first point inside after the last excess damage box")
	} else {
		say("destroyed at", fmt.Sprintf("%d points inside: boxes, excess damage, and one", c.Inside().All+c.In(ExcessBoxes).All+1))
	}
	for _, s := range c.Sources {
		say("source ["+s.Mark+"]", fmt.Sprintf("%s (confidence %s)", s.Source, s.Confidence))
	}
	if c.Note != "" {
		say("note", c.Note)
	}
	return rows
}

// groups are the categories in the order of a printed sheet.
var groups = []struct {
	category Category
	title    string
}{
	{HullBoxes, "Hull"}, {EngineBoxes, "Engines"}, {WeaponBoxes, "Weapons"}, {OtherBoxes, "Other systems"}, {ExcessBoxes, "Excess damage"}, {NoCategory, "Not hit by this chart"},
}

// Rows returns the sheet as rows of boxes for reports: shields, then the banks by category.
func (s *Sheet) Rows() []engine.BoxRow { return s.RowsBy(Kind.Category) }

// RowsBy is Rows with a different assignment of kinds to categories.
func (s *Sheet) RowsBy(category func(Kind) Category) []engine.BoxRow {
	rows := make([]engine.BoxRow, 0, len(s.Shields)+len(s.Banks))
	for i, b := range s.Shields {
		name := strconv.Itoa(i + 1)
		switch i {
		case 0:
			name += " ahead"
		case 3:
			name += " astern"
		}
		rows = append(rows, engine.BoxRow{Group: "Shields", Name: name, All: b.All, Left: b.Left})
	}
	for _, g := range groups {
		in := slices.DeleteFunc(slices.Clone(s.Banks), func(b Bank) bool { return category(b.Kind) != g.category })
		var sum Boxes
		for _, b := range in {
			sum.All, sum.Left = sum.All+b.All, sum.Left+b.Left
		}
		title := fmt.Sprintf("%s, %d of %d left", g.title, sum.Left, sum.All)
		for _, b := range in {
			row := engine.BoxRow{Group: title, Name: b.Name, All: b.All, Left: b.Left}
			if g.category == WeaponBoxes {
				row.Note = strings.TrimSpace(b.Kind.Title() + " " + b.Arcs.String())
			} else if what := b.Kind.Title(); !slices.Contains(strings.Split(b.Name, "-"), string(b.Kind)) && g.category != HullBoxes {
				row.Note = what
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// SourceWords names the sources of a built-in sheet's figures, with their confidence.
func SourceWords(class string) []string {
	all, err := Classes(nil)
	if c, ok := all[class]; err == nil && ok && len(c.Sources) > 0 {
		parts := make([]string, len(c.Sources))
		for i, s := range c.Sources {
			parts[i] = fmt.Sprintf("%s (confidence %s)", s.Source, s.Confidence)
		}
		return []string{"her figures: " + strings.Join(parts, "; ")}
	}
	return nil
}

// WeaponWords lists the weapons of a sheet, grouped by kind and arcs. A row of boxes has no room for that.
func WeaponWords(s *Sheet) string {
	var groups, names []string
	what := func(b *Bank) string { return strings.TrimSpace(b.Kind.Title() + " " + b.Arcs.String()) }
	for i := range s.Banks {
		b := &s.Banks[i]
		if b.Kind.Category() != WeaponBoxes {
			continue
		}
		names = append(names, b.Name)
		if i+1 == len(s.Banks) || s.Banks[i+1].Kind != b.Kind || s.Banks[i+1].Arcs != b.Arcs {
			groups, names = append(groups, strings.Join(names, " ")+": "+what(b)), nil
		}
	}
	if len(groups) == 0 {
		return ""
	}
	return strings.Join(groups, "; ")
}

// ShieldNumbers returns the boxes left of each shield, as digits.
func ShieldNumbers(s *Sheet) []string {
	out := make([]string, len(s.Shields))
	for i, sh := range s.Shields {
		out[i] = strconv.Itoa(sh.Left)
	}
	return out
}
