package console_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"starpost/pbem/console"
	"starpost/pbem/referee"
)

func wolf(word string) bool { return strings.EqualFold(word, "wolf") }

// TestRead parses commands as in mails.
func TestRead(t *testing.T) {
	for line, want := range map[string]struct {
		text, key string
		turn      int
		args      []string
	}{
		"show":                       {text: "show"},
		"SHOW wolf turn 3":           {text: "show wolf turn 3", turn: 3},
		"show --turn 3 key 7k4q92fm": {text: "show turn 3", turn: 3, key: "7K4Q-92FM"},
		"process 4 key 7K4Q 92FM":    {text: "process 4", key: "7K4Q-92FM", args: []string{"4"}},
		"process turn 4 --force":     {text: "process turn 4 --force", turn: 4},
		"ruling set Hood superstructure 12 --why the hit was counted twice --force": {text: "ruling set Hood superstructure 12 --force", args: []string{"set", "Hood", "superstructure", "12"}},
		"extend 2026-12-01 20:00 \u2014why \u201cturn 3 was long\u201d":             {text: "extend 2026-12-01 20:00", args: []string{"2026-12-01 20:00"}},
		`rerun 3 --with "set Hood shield-1 0" --with roll t3.x 4 --commit`:          {text: "rerun 3 --commit", args: []string{"3"}},
	} {
		r, err := console.Read(line, wolf)
		if err != nil || r.String() != want.text || r.Key != want.key || r.Turn != want.turn || !slices.Equal(r.Args, want.args) {
			t.Errorf("%s: %q key %q turn %d args %q, %v", line, r, r.Key, r.Turn, r.Args, err)
		}
	}
	for line, want := range map[string]string{
		"":                        "there is no command",
		"rolback 3":               "did you mean rollback?",
		"rollback 3 --keep-order": "did you mean --keep-orders?",
		"show --why x":            "show has no option --why",
		"pause --why":             "--why needs words after it",
		"show --turn x":           `"x" is not a turn`,
	} {
		_, err := console.Read(line, wolf)
		bad, ok := errors.AsType[*console.Error](err)
		if !ok || !strings.Contains(bad.Problem+" "+bad.Way, want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// FuzzRead checks that no line stalls or crashes the parser, and that a parsed command is parsed
// again unchanged.
func FuzzRead(f *testing.F) {
	for _, line := range []string{"show wolf turn 3", `ruling set "x y" --why z`, "rerun 1 --with a --with b key 7K4Q-92FM", "\u2014\u201c"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := console.Read(line, wolf)
		if err == nil && !console.Begins(line) {
			t.Errorf("%q is a command, and does not begin one: %s", line, r)
		}
	})
}

// TestExamplesAreTaken checks that each command is documented, and that all examples of its help
// are accepted unchanged, on the command line and by mail.
func TestExamplesAreTaken(t *testing.T) {
	for _, v := range console.Verbs() {
		if v.Short == "" || v.Long == "" || len(v.Examples) == 0 && !v.MailOnly {
			t.Errorf("%s tells too little of itself", v.Name)
		}
		for _, dir := range []string{"", "DIR"} {
			if !strings.HasPrefix(v.Usage(dir), v.Name) {
				t.Errorf("the usage of %s is %q", v.Name, v.Usage(dir))
			}
		}
		for _, example := range v.Examples {
			by := strings.NewReplacer(" --by Rita", "", " --json", "", " --config starpost.toml", "", "Hood=hood.txt", "") // options of the command line itself
			r, err := console.Read(by.Replace(example), wolf)
			if err != nil {
				t.Errorf("%s: %v", example, err)
				continue
			}
			if n := len(r.Args); n > 0 && strings.HasSuffix(r.Args[n-1], ".txt") {
				r.Args = r.Args[:n-1]
			}
			if strings.Contains(example, ".txt") {
				r.Texts = []referee.Amendment{{File: "a file"}}
			}
			if err := r.Check(); err != nil {
				t.Errorf("%s: %v", example, err)
			}
		}
	}
}
