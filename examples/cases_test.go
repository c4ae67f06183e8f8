package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/conformance"
	"starpost/examples/cases"
)

// holdTo checks a program against the cases selected by words, on the command line.
func holdTo(t *testing.T, program string, words ...string) (out string, err error) {
	t.Helper()
	if err := binary(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(binDir, "starpost"), append([]string{"cases", "--run", program}, words...)...)
	cmd.Dir = ".." // the documents give paths relative to this folder
	cmd.Env = append(os.Environ(), "PATH="+binDir+string(os.PathListSeparator)+os.Getenv("PATH"))
	data, err := cmd.CombinedOutput()
	return string(data), err
}

// TestOurEngineAnswersCases: through standard input and output the program passes every case, and all of each.
func TestOurEngineAnswersCases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	out, err := holdTo(t, "starpost cases --answer")
	if err != nil || !regexp.MustCompile(`^[0-9]{3} passed, 0 passed in what was answered, 0 declined, 0 failed\n$`).MatchString(out) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestToyMovesByTheCases: an engine written from docs/cases.md passes the movement cases, as that page shows.
func TestToyMovesByTheCases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("python3 is not there, so toy.py is not run: %v", err)
	}
	if lines := bytes.Count(read(t, "cases", "toy", "toy.py"), []byte("\n")); lines > 200 {
		t.Errorf("the toy has %d lines, want at most 200", lines)
	}
	shown := regexp.MustCompile(`(?m)^ +starpost cases (.*) --run "(python3 examples/cases/toy/toy.py)"$`).FindSubmatch(read(t, "..", "docs", "cases.md"))
	if shown == nil {
		t.Fatal("docs/cases.md does not hold the toy to cases")
	}
	out, err := holdTo(t, string(shown[2]), strings.Split(strings.Trim(string(shown[1]), `"`), `" "`)...)
	if err != nil || !strings.Contains(out, "7 passed, 4 passed in what was answered, 3 declined, 0 failed\n") {
		t.Errorf("%v\n%s", err, out)
	}
	// It plays every case of movement words.
	if strings.Contains(out, "stcs-3.5") || strings.Contains(out, "stcs-3.6") {
		t.Errorf("the toy declines cases of movement words:\n%s", out)
	}
}

// TestOtherEnginesAreFound: an engine that moves ships wrongly fails the cases that show it, and errors distinguish
// engines that do not answer, exit, or answer something else from engines that play wrongly.
func TestOtherEnginesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("python3 is not there: %v", err)
	}
	toy := string(read(t, "cases", "toy", "toy.py"))
	for _, other := range []struct{ name, from, to, want string }{
		{"right is left", `{"L": -1, "R": 1}`, `{"L": 1, "R": -1}`, `stcs-3.5-movement-words.txt:23: no such event`},
		{"points are rounded up", `amount * self.gives // self.cost`, `-(-amount * self.gives // self.cost)`, `stcs-3.2-power-to-movement.txt`},
		{"the fewest points move first", `-s.points`, `s.points`, `stcs-2.3-points-before-advantage.txt:[0-9]+: `},
		{"a throw is not used", `dice.pop(name)`, `dice[name]`, `was never asked`},
		{"no answer", `print(json`, `str(json`, `the program ended without an answer`},
		{"another case", `{"case": question["case"],`, `{"case": "another",`, `the answer is about case "another"`},
		{"no JSON", `print(json.dumps(`, `print("oh", json.dumps(`, `the answer is not as docs/cases.md says`},
	} {
		t.Run(other.name, func(t *testing.T) {
			broken := strings.Replace(toy, other.from, other.to, 1)
			if broken == toy {
				t.Fatalf("the toy has no %q", other.from)
			}
			file := filepath.Join(t.TempDir(), "broken.py")
			write(t, file, broken)
			out, err := holdTo(t, "python3 "+file, "stcs 2.3", "stcs 3.2", "stcs 3.5")
			if err == nil || !regexp.MustCompile(other.want).MatchString(out) {
				t.Errorf("want %q, got %v\n%s", other.want, err, out)
			}
		})
	}
	if out, err := holdTo(t, "python3 -c input();input()", "stcs 3.5", "--within", "50ms"); err == nil || !strings.Contains(out, "no answer in time") {
		t.Errorf("a program that is silent: %v\n%s", err, out)
	}
	stays := filepath.Join(t.TempDir(), "stays.sh")
	write(t, stays, "(cat >/dev/null; true)\ntrue\n") // the inner shell keeps the output open until its input ends
	if out, err := holdTo(t, "sh "+stays, "stcs 3.5", "--within", "100ms"); err == nil || !strings.Contains(out, "no answer in time") {
		t.Errorf("a program that another one keeps: %v\n%s", err, out)
	}
	if out, err := holdTo(t, "no-such-engine"); err == nil || !strings.Contains(out, "start no-such-engine") {
		t.Errorf("a program that is not there: %v\n%s", err, out)
	}
	if out, err := holdTo(t, "starpost cases --answer", "stcs 99.9"); err == nil || !strings.Contains(out, `no case is about "stcs 99.9"`) {
		t.Errorf("a paragraph that is not there: %v\n%s", err, out)
	}
}

// TestMutatedAnswersFail: every case that expects an event notices when it is missing.
func TestMutatedAnswersFail(t *testing.T) {
	suite, err := conformance.Load(cases.Files)
	if err != nil {
		t.Fatal(err)
	}
	rules, made, played := catalogue(), map[string]*engine.Rules{}, 0
	for _, c := range suite.Cases {
		q, bad := c.Question(c.RuleSet())
		if len(bad) > 0 {
			t.Fatal(c.Name, bad)
		}
		whole, err := c.Whole(c.RuleSet())
		if err != nil {
			t.Fatal(err)
		}
		tables := map[string][]byte{}
		for name, text := range suite.Tables(q) {
			tables[name] = []byte(text)
		}
		r := made[q.Rules]
		if r == nil || len(tables) > 0 {
			if r, err = rules.Rules(q.Rules, tables); err != nil {
				t.Fatal(err)
			}
		}
		if len(tables) == 0 {
			made[q.Rules] = r
		}
		a := conformance.Play(r, q, nil)
		for i, turn := range whole.Turns {
			for _, x := range turn.Expect.Then {
				if x.None || x.Count != nil || len(x.Fields) == 0 {
					continue
				}
				played++
				other := a
				other.Turns = append(other.Turns[:0:0], a.Turns...)
				other.Turns[i].Events = without(other.Turns[i].Events.([]engine.Event), x.Of)
				if failures, _ := c.Compare(other); len(failures) == 0 {
					t.Errorf("%s:%d: nothing fails without events of type %s", c.Name, x.Line, x.Of)
				}
				break // one a turn is enough
			}
		}
	}
	if played < 400 {
		t.Errorf("only %d turns were looked at", played)
	}
}

func without(events []engine.Event, kind string) []engine.Event {
	var out []engine.Event
	for _, e := range events {
		if e.Type.Name != kind {
			out = append(out, e)
		}
	}
	return out
}
