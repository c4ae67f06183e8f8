package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"starpost/orders"
	"starpost/pbem/auth"
)

// Request is a command as it was read. What it does not say is empty.
type Request struct {
	Verb    Verb
	Game    string
	Key     string
	Turn    int
	HasTurn bool
	Args    []string
	Blocks  []string // order sets that came with it

	flags  map[string]bool
	values map[string][]string
}

// Error is a command that cannot be done as it stands, and the way out.
type Error struct{ Problem, Way string }

func (e *Error) Error() string { return e.Problem }

// Hint is the way out.
func (e *Error) Hint() string { return e.Way }

func (v Verb) refuse(format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), Way: "write: " + v.Usage}
}

// flag tells whether an option stands there, and value gives the last one's words.
func (r *Request) flag(name string) bool { return r.flags[name] }

func (r *Request) value(name string) string {
	if all := r.values[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Reword puts every word of the command through f but its verb, game and key.
func (r *Request) Reword(f func(string) string) {
	for i := range r.Args {
		r.Args[i] = f(r.Args[i])
	}
	for _, all := range r.values {
		for i := range all {
			all[i] = f(all[i])
		}
	}
}

// String is the command without its key, reasons and other words.
func (r *Request) String() string {
	parts := []string{r.Verb.Name}
	if r.Game != "" {
		parts = append(parts, r.Game)
	}
	parts = append(parts, r.Args...)
	if r.HasTurn {
		parts = append(parts, fmt.Sprintf("turn %d", r.Turn))
	}
	for _, f := range r.Verb.flags {
		if r.flags[f] {
			parts = append(parts, "--"+f)
		}
	}
	return strings.Join(parts, " ")
}

// Begins tells whether a line begins with a referee's command, without a mark.
func Begins(line string) bool {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return false
	}
	_, ok := VerbOf(fields[0])
	return ok
}

// Read reads a command, all lines of it as one. Words between double quotes are
// one word; a reason may do without. known tells whether a word names a game. The
// error is an *Error; what was read of the command is given with it.
func Read(line string, known func(string) bool) (*Request, error) {
	r := &Request{flags: map[string]bool{}, values: map[string][]string{}}
	words := split(line)
	if len(words) == 0 {
		return r, &Error{Problem: "there is no command", Way: "one of: " + strings.Join(names(), ", ")}
	}
	v, ok := VerbOf(words[0].text)
	if !ok {
		way := "one of: " + strings.Join(names(), ", ")
		if near := orders.Suggest(words[0].text, names()); near != "" {
			way = "did you mean " + near + "?"
		}
		return r, &Error{Problem: fmt.Sprintf("there is no command %q", words[0].text), Way: way}
	}
	r.Verb = v
	words = r.takeKey(words[1:])
	if len(words) > 0 && !words[0].quoted && known(words[0].text) {
		r.Game, words = words[0].text, words[1:]
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, isOption := option(w)
		switch {
		case isOption && name == "turn" && i+1 < len(words):
			i++
			if err := r.turn(words[i].text); err != nil {
				return r, err
			}
		case isOption && slices.Contains(v.flags, name):
			r.flags[name] = true
		case isOption && slices.Contains(v.words, name):
			n := i + 1
			for n < len(words) {
				if _, next := option(words[n]); next || n > i+1 && words[i+1].quoted {
					break
				}
				n++
			}
			if n == i+1 {
				return r, v.refuse("--%s wants words behind it", name)
			}
			var parts []string
			for _, p := range words[i+1 : n] {
				parts = append(parts, p.text)
			}
			r.values[name] = append(r.values[name], strings.Join(parts, " "))
			i = n - 1
		case isOption:
			all := append(slices.Clone(v.flags), v.words...)
			if near := orders.Suggest(name, all); near != "" {
				return r, &Error{Problem: fmt.Sprintf("%s has no option --%s", v.Name, name), Way: "did you mean --" + near + "?"}
			}
			return r, v.refuse("%s has no option --%s", v.Name, name)
		case !w.quoted && strings.EqualFold(w.text, "turn") && i+1 < len(words) && isNumber(words[i+1].text):
			i++
			if err := r.turn(words[i].text); err != nil {
				return r, err
			}
		default:
			r.Args = append(r.Args, w.text)
		}
	}
	return r, nil
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

func (r *Request) turn(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1_000_000 {
		return r.Verb.refuse("%q is no turn", text)
	}
	r.Turn, r.HasTurn = n, true
	return nil
}

// takeKey takes the word key and the key behind it out, wherever they stand.
func (r *Request) takeKey(words []word) []word {
	for i := 0; i+1 < len(words); i++ {
		if words[i].quoted || !strings.EqualFold(strings.TrimLeft(words[i].text, "-"), "key") {
			continue
		}
		for n := 1; n <= 2 && i+n < len(words); n++ { // a key may be typed in two halves
			var parts []string
			for _, w := range words[i+1 : i+1+n] {
				parts = append(parts, w.text)
			}
			if key, ok := auth.Normalise(strings.Join(parts, "")); ok {
				r.Key = key
				return slices.Delete(slices.Clone(words), i, i+1+n)
			}
		}
	}
	return words
}

// word is a word of a command line.
type word struct {
	text   string
	quoted bool
}

// option is the name of an option: programs make long dashes of two short ones.
func option(w word) (string, bool) {
	if w.quoted {
		return "", false
	}
	for _, mark := range []string{"--", "\u2014", "\u2013"} {
		if name, ok := strings.CutPrefix(w.text, mark); ok && name != "" && unicode.IsLetter([]rune(name)[0]) {
			return strings.ToLower(name), true
		}
	}
	return "", false
}

// split cuts a line into words. Quotes may be those of word processors; one that
// is not closed goes to the end.
func split(line string) []word {
	var out []word
	var b strings.Builder
	open, quoted := false, false
	flush := func() {
		if b.Len() > 0 || quoted {
			out = append(out, word{b.String(), quoted})
		}
		b.Reset()
		quoted = false
	}
	for _, c := range line {
		switch {
		case strings.ContainsRune("\"\u201c\u201d\u201e", c):
			if open {
				open = false
				flush()
				continue
			}
			if b.Len() > 0 {
				flush()
			}
			open, quoted = true, true
		case unicode.IsSpace(c) && !open:
			flush()
		case unicode.IsSpace(c):
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	flush()
	return out
}
