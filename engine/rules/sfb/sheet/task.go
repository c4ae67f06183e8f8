package sheet

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/orders"
)

// Codes of mistakes in a request for the damage allocation procedure.
const (
	codeTaskLine = "E381" // a line is not understood
	codeNoVolley = "E382" // there is no volley, or an impossible one
	codeTaskDice = "E383" // dice too few, too many, or invalid
	codeTaskLose = "E384" // a box that the owner would lose first is not on the sheet
)

// Limits of a task.
const (
	maxVolleys = 200
	maxPoints  = 100_000 // of a volley
	maxDice    = 10_000
	maxTask    = 64 << 10
)

// task is one request being processed.
type task struct {
	family.AllocateTask
	class   *Class
	volleys []Volley
	dice    []int
	thrown  orders.Pos // where the dice are given; line 0 if nowhere
	seeded  orders.Pos
	wishes  []Wish
	more    bool // the previous line has dice
	diags   []orders.Diagnostic
}

// AllocateTask processes a request as a [family.Allocator]. It uses the ship's own sheet, the sheet in a file, or a
// built-in one; without a sheet it returns nil. The lines of a task are volleys such as "1:21", several to a line if
// desired; "dice 2 6 5" with faces for all points inside, in order, or "seed 7"; and "lose hull fore aft" as in
// orders. A semicolon begins a comment.
func AllocateTask(asked family.AllocateTask, own *Sheet) (*family.Allocated, []orders.Diagnostic, error) {
	t := &task{AllocateTask: asked}
	if err := t.sheet(own); err != nil || t.class == nil {
		return nil, nil, err
	}
	t.read()
	if len(t.diags) > 0 {
		return nil, t.diags, nil
	}
	done := t.run()
	return done, t.diags, nil
}

func (t *task) fail(at orders.Pos, code, hint, format string, args ...any) {
	t.diags = append(t.diags, orders.Diagnostic{Pos: at, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// sheet finds the sheet. It leaves class nil if this family has none.
func (t *task) sheet(own *Sheet) (err error) {
	if t.Ship != nil {
		if own != nil && len(own.Banks) > 0 {
			t.class = &Class{Sheet: own.Clone(), Title: cmp.Or(t.Ship.Title, t.Ship.Name)}
		}
		return nil
	}
	if t.File != "" {
		t.class, err = Read(t.File, t.Sheet)
		return err
	}
	all, err := Classes(nil)
	t.class = all[strings.ToLower(t.Class)]
	return err
}

// read reads the lines.
func (t *task) read() {
	if len(t.Text) > maxTask {
		t.fail(orders.Pos{Line: t.Line, Col: 1}, codeTaskLine, "ask for less at a time", "the text is longer than %d bytes", maxTask)
		return
	}
	number := t.Line
	for line := range strings.SplitSeq(strings.TrimSuffix(t.Text, "\n"), "\n") {
		line, _, _ = strings.Cut(line, ";")
		t.line(orders.Splitting{Commas: true}.Words(line, number))
		number++
		if len(t.diags) >= maxMistakes {
			return
		}
	}
	if len(t.volleys) == 0 && len(t.diags) == 0 {
		t.fail(orders.Pos{Line: t.Line, Col: 1}, codeNoVolley, "write shield and points, such as 1:21", "no volley is given")
	}
	if t.thrown.Line > 0 && t.seeded.Line > 0 {
		t.fail(t.seeded, codeTaskDice, "leave one of the two out", "both dice and a seed are given")
	}
}

func (t *task) line(line []orders.Word) {
	if len(line) == 0 {
		return
	}
	verb, rest := strings.ToLower(line[0].Text), line[1:]
	defer func() { t.more = verb == "dice" || t.more && strings.Trim(verb, "0123456789") == "" }()
	switch {
	case verb == "dice":
		if t.thrown = line[0].Pos; len(rest) == 0 {
			t.fail(line[0].Pos, codeTaskDice, "such as: dice 2 6 5", "no numbers follow dice")
		}
		t.faces(rest)
	case verb == "seed":
		t.seeded = line[0].Pos
		var err error
		if len(rest) == 1 {
			t.Seed, err = strconv.ParseUint(rest[0].Text, 10, 64)
		}
		if len(rest) != 1 || err != nil {
			t.fail(line[0].Pos, codeTaskDice, "such as: seed 7", "a seed is one whole number")
		}
	case verb == "lose":
		names := make([]string, len(rest))
		for i, w := range rest {
			names[i] = w.Text
		}
		if len(rest) == 0 {
			t.fail(line[0].Pos, codeTaskLose, "such as: lose hull fore aft", "no boxes follow lose")
		}
		t.wishes = append(t.wishes, ParseLose(&t.class.Sheet, names, func(word int, hint, format string, args ...any) {
			t.fail(rest[word].Pos, codeTaskLose, hint, format, args...)
		})...)
	case strings.Contains(verb, ":"):
		for _, w := range line {
			t.volley(w)
		}
	case t.more && strings.Trim(verb, "0123456789") == "": // mail programs break long lines
		t.faces(line)
	default:
		t.fail(line[0].Pos, codeTaskLine, orders.DidYouMean("%s", verb, []string{"dice", "lose", "seed"}, "write volleys such as 1:21, or dice, lose or seed"), "%s is not understood here", clip(line[0].Text))
	}
}

// faces reads dice.
func (t *task) faces(line []orders.Word) {
	for _, w := range line {
		n, err := Number(w.Text, 1, 6)
		switch {
		case err != nil:
			t.fail(w.Pos, codeTaskDice, "a die shows 1 to 6", "%s is not a die", clip(w.Text))
		case len(t.dice) >= maxDice:
			t.fail(w.Pos, codeTaskDice, "ask for less at a time", "more than %d dice", maxDice)
			return
		default:
			t.dice = append(t.dice, n)
		}
		if len(t.diags) >= maxMistakes {
			return
		}
	}
}

func (t *task) volley(w orders.Word) {
	shield, points, ok := strings.Cut(w.Text, ":")
	s, err1 := Number(shield, 1, 6)
	p, err2 := Number(points, 1, maxPoints)
	switch {
	case !ok || err1 != nil:
		t.fail(w.Pos, codeNoVolley, "write shield and points, such as 1:21", "%s does not name a shield from 1 to 6", clip(w.Text))
	case err2 != nil:
		t.fail(w.Pos, codeNoVolley, "such as 1:21", "%s has no number of points from 1 to %d", clip(w.Text), maxPoints)
	case len(t.volleys) >= maxVolleys:
		t.fail(w.Pos, codeNoVolley, "ask for less at a time", "more than %d volleys", maxVolleys)
	default:
		t.volleys = append(t.volleys, Volley{s, p})
	}
}

// worked is the result of a task as JSON.
type worked struct {
	Sheet   string       `json:"sheet"`
	Volleys []workedLine `json:"volleys"`
	Seed    *uint64      `json:"seed,omitempty"` // of the dice, if they were rolled here
	After   Sheet        `json:"after"`
}

type workedLine struct {
	Allocation
	Before int `json:"before"` // boxes left of the shield
}

// run rolls the dice or uses the given ones, and applies the volleys.
func (t *task) run() *family.Allocated {
	w := worked{Sheet: t.class.Class, After: t.class.Sheet, Volleys: []workedLine{}}
	out := &family.Allocated{}
	source := dice.ForGame(dice.FromSeed(t.Seed), "allocate", 0, "")
	used, void, gone := 0, 0, false
	for i, v := range t.volleys {
		line := workedLine{Before: w.After.Shields[v.Shield-1].Left}
		if gone {
			line.Allocation = Allocation{Volley: v, Void: v.Points}
			void += v.Points
		} else {
			line.Allocation = Allocate(w.After, v, func(point int) int {
				used++
				switch {
				case t.thrown.Line == 0:
					return source.Roll("v"+strconv.Itoa(i+1)+".p"+strconv.Itoa(point), dice.D6)
				case used <= len(t.dice):
					return t.dice[used-1]
				default:
					return 1 // the mistake is reported below; how many dice are needed does not depend on the faces
				}
			}, Choice{Wishes: t.wishes})
			w.After, gone, void = line.Sheet, line.Destroyed, void+line.Void
		}
		w.Volleys = append(w.Volleys, line)
		out.Panels = append(out.Panels, t.panel(i, line))
	}
	if n := len(t.dice); t.thrown.Line > 0 && (n < used || n > used+void) {
		more, hint := "too many", "take "+strconv.Itoa(n-used)+" away"
		if n < used {
			more, hint = "too few", "give "+strconv.Itoa(used-n)+" more"
		}
		t.fail(t.thrown, codeTaskDice, hint, "dice given: %d, %s; points inside that need a die: %d", n, more, used)
		return nil
	}
	after := *t.class
	after.Sheet = w.After
	sheet := engine.Panel{Key: "sheet", Title: "The sheet afterwards: " + after.Title, Boxes: w.After.Rows()}
	sheet.Notes = []string{w.After.Life() + "."}
	if gone {
		sheet.Notes = []string{"The ship is destroyed."}
	}
	if t.thrown.Line == 0 && used > 0 {
		w.Seed = &t.Seed
		sheet.Notes = append(sheet.Notes, fmt.Sprintf("The dice come from seed %d; the same seed gives the same dice.", t.Seed))
	}
	out.Panels, out.Sheet, out.Data = append(out.Panels, sheet), []byte(after.toml()), w
	return out
}

// panel describes one volley: each point with its die, the columns skipped, and the box destroyed.
func (t *task) panel(i int, a workedLine) engine.Panel {
	p := engine.Panel{
		Key: fmt.Sprintf("volley-%d", i+1), Title: fmt.Sprintf("Volley %d: %d on shield %d", i+1, a.Points, a.Shield),
		Notes: []string{fmt.Sprintf("The shield has %d and stops %d; %d go inside.", a.Before, a.Stopped, a.Points-a.Stopped)},
	}
	if len(a.Hits) == 0 && a.Void == a.Points {
		p.Notes = []string{"The ship is gone; nothing is hit."}
		return p
	}
	if a.Void > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("She is destroyed; %d points are void.", a.Void))
	}
	if len(a.Hits) > 0 {
		p.Columns = []engine.Column{{Name: "point", Right: true}, {Name: "die", Right: true}, {Name: "columns passed"}, {Name: "box"}}
		p.Rows = make([][]string, 0, len(a.Hits))
	}
	cells := make([]string, 0, 4*len(a.Hits)) // of all rows
	var passed [7][5]string                   // by die and number of columns
	for n, h := range a.Hits {
		text := &passed[h.Die][len(h.Passed)]
		if *text == "" {
			*text = h.passedText()
		}
		cells = append(cells, strconv.Itoa(n+1), strconv.Itoa(h.Die), *text, h.Text(&t.class.Sheet))
		p.Rows = append(p.Rows, cells[4*n:4*n+4:4*n+4])
	}
	return p
}

// passedText names the skipped columns and their categories, such as "A hull".
func (h Hit) passedText() string {
	if len(h.Passed) == 0 {
		return ""
	}
	parts := make([]string, len(h.Passed))
	for i, c := range h.Passed {
		parts[i] = "ABCDE"[i:i+1] + " " + string(c)
	}
	return strings.Join(parts, ", ")
}

// Text says which column decided and which box was destroyed.
func (h Hit) Text(s *Sheet) string {
	switch {
	case h.Bank < 0:
		return h.column() + " excess: destroyed"
	case h.Category == ExcessBoxes:
		return h.column() + " excess damage"
	}
	return h.column() + " " + string(h.Category) + ": " + s.Banks[h.Bank].Name
}
