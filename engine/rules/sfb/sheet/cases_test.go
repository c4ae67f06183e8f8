package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"starpost/engine/family"
)

// TestAllocationCases plays ../testdata/allocate: a case for each paragraph about damage. A line is a word and its
// arguments:
//
//	title, cite            what it shows, and the rule
//	class NAME             the sheet; or
//	shields, turn, bank    a sheet as in a file: "bank fore 1/2 hull"
//	ask                    a line of the request: "1:21", "dice 2 6", "lose hull aft"
//	row POINT DIE | PASSED | BOX   all rows, in order
//	left WHAT N            boxes left: shield-1, a category or a bank
//	destroyed, void N      whether she is destroyed, and points left over
//	mistake CODE WORDS     instead of rows
//	refused WORDS          the sheet is rejected
func TestAllocationCases(t *testing.T) {
	files, err := filepath.Glob("../testdata/allocate/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { playCase(t, string(text)) })
	}
}

func playCase(t *testing.T, text string) {
	t.Helper()
	task := family.AllocateTask{Line: 1}
	own := map[string]string{"shields": "0 0 0 0 0 0", "turn": "1 to 16"}
	var banks, rows, lefts, ask, mistakes []string
	destroyed, void, refused := false, "0", ""
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		switch word {
		case "", "title", "cite":
		case "class":
			task.Class = rest
		case "shields", "turn":
			own[word] = rest
		case "bank":
			name, boxes, _ := strings.Cut(rest, " ")
			banks = append(banks, fmt.Sprintf("%s = %q", name, strings.TrimSpace(boxes)))
		case "ask":
			ask = append(ask, rest)
		case "row":
			rows = append(rows, strings.Join(strings.Fields(rest), " "))
		case "left":
			lefts = append(lefts, rest)
		case "destroyed":
			destroyed = true
		case "void":
			void = rest
		case "refused":
			refused = rest
		case "mistake":
			mistakes = append(mistakes, rest)
		default:
			t.Fatalf("unknown word %q", word)
		}
	}
	if task.Class == "" {
		task.File = "case.toml"
		task.Sheet = fmt.Appendf(nil, "name = \"case\"\nshields = %q\nturn_mode = %q\n[banks]\n%s\n", own["shields"], own["turn"], strings.Join(banks, "\n"))
	}
	task.Text = strings.Join(ask, "\n")
	done, diags, err := AllocateTask(task, nil)
	if refused != "" && err != nil && strings.Contains(err.Error(), refused) {
		return
	}
	if err != nil || refused != "" {
		t.Fatalf("%v, want %q", err, refused)
	}
	var said []string
	for _, d := range diags {
		said = append(said, d.Code+" "+d.Message)
	}
	for i, want := range mistakes {
		if i >= len(said) || !strings.HasPrefix(said[i], want) {
			t.Fatalf("mistakes %q, want %q", said, mistakes)
		}
	}
	if len(said) != len(mistakes) {
		t.Fatalf("mistakes %q, want %q", said, mistakes)
	}
	if done == nil {
		return
	}
	var got []string
	points := 0
	for _, p := range done.Panels {
		for _, r := range p.Rows {
			got = append(got, strings.Join(strings.Fields(fmt.Sprintf("%s %s | %s | %s", r[0], r[1], r[2], r[3])), " "))
		}
	}
	if strings.Join(got, "\n") != strings.Join(rows, "\n") {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(rows, "\n  "))
	}
	w := done.Data.(worked)
	gone := false
	for _, v := range w.Volleys {
		gone, points = gone || v.Destroyed, points+v.Void
	}
	if gone != destroyed || fmt.Sprint(points) != void {
		t.Errorf("destroyed %t and %d void, want %t and %s", gone, points, destroyed, void)
	}
	for _, want := range lefts {
		what, _, _ := strings.Cut(want, " ")
		left := w.After.In(Category(what)).Left
		if i := w.After.Bank(what); i >= 0 {
			left = w.After.Banks[i].Left
		} else if n, ok := strings.CutPrefix(what, "shield-"); ok {
			left = w.After.Shields[n[0]-'1'].Left
		}
		if got := fmt.Sprintf("%s %d", what, left); got != want {
			t.Errorf("left %s, want %s", got, want)
		}
	}
}
