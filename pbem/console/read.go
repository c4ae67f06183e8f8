package console

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/fault"
	"starpost/pbem/referee"
	"starpost/pbem/vault"
)

// Request is a parsed command. Parts that it does not have are empty.
type Request struct {
	Verb    *Verb
	Game    string
	Key     string
	Turn    int
	HasTurn bool
	Args    []string
	Texts   []referee.Amendment // order sets, or a filing, attached to it

	flags   map[string]bool
	values  map[string][]string
	checked bool
}

// Error is a malformed command, with a hint.
type Error struct{ fault.Fault }

func wrong(way, format string, args ...any) error { return &Error{*fault.New(way, format, args...)} }

func (v *Verb) refuse(format string, args ...any) error {
	return wrong("write: "+v.Usage(""), format, args...)
}

// flag reports whether an option is set, and value returns its last words.
func (r *Request) flag(name string) bool { return r.flags[name] }

func (r *Request) value(name string) string {
	if all := r.values[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Set sets an option, with its words if it takes any. The error is an *Error.
func (r *Request) Set(name string, words ...string) error {
	f, ok := r.Verb.option(name)
	if !ok {
		var all []string
		for _, f := range r.Verb.Options() {
			all = append(all, f.Name)
		}
		return wrong(orders.DidYouMean("--%s", name, all, "write: "+r.Verb.Usage("")), "%s has no option --%s", r.Verb.Name, name)
	}
	if r.flags == nil {
		r.flags, r.values = map[string]bool{}, map[string][]string{}
	}
	r.flags[name] = true
	for _, w := range words {
		if f.Choices != nil && !slices.Contains(f.Choices, w) {
			return wrong("one of: "+strings.Join(f.Choices, ", "), "--%s cannot be %q", name, w)
		}
		r.values[name] = append(r.values[name], strings.TrimSpace(w))
	}
	if name == "turn" && len(words) > 0 {
		return r.turn(words[0])
	}
	return nil
}

// Check checks a command against the table: its arguments, turn, reason and texts. It does not need
// the game. The error is an *Error.
func (r *Request) Check() error {
	if r.checked {
		return nil
	}
	v := r.Verb
	if v.turn == firstTurn && !r.HasTurn {
		if len(r.Args) == 0 {
			return v.refuse("%s needs the number of a turn", v.Name)
		}
		if err := r.turn(r.Args[0]); err != nil {
			return err
		}
		r.Args = r.Args[1:]
	}
	switch n := len(r.Args); {
	case n < len(v.wants):
		return v.refuse("%s needs %s", v.Name, strings.Join(v.wants[n:], " and "))
	case v.more >= 0 && n > len(v.wants)+v.more:
		return v.refuse("%s does not take %q", v.Name, r.Args[len(v.wants)+v.more])
	}
	if v.why != "" {
		switch why := r.value("why"); {
		case why == "" && v.must != nil && v.must(r):
			return wrong(`such as --why "the mail server was down"`, "%s needs --why: the captains are told the reason", v.Name)
		case len(why) > 300 || strings.ContainsFunc(why, unicode.IsControl):
			return wrong("one line, at most 300 characters", "--why is too long, or more than one line")
		}
	}
	switch n := len(r.Texts); {
	case v.Input != "" && !r.flag("blank") && n != 1:
		if n > 1 {
			return wrong("one alone", "%s needs %s, and %d came with the command", v.Name, v.Input, n)
		}
		way := "name its file, or in a mail put it below the command, to #end"
		if _, ok := v.option("blank"); ok {
			way += fmt.Sprintf("; %s %d --blank gives one to be filled in", v.Name, r.Turn)
		}
		return wrong(way, "%s needs %s", v.Name, v.Input)
	case r.flag("amend") && n == 0:
		return wrong("in a mail put the sets below it, each from #orders to #end", "no order set came with the command")
	}
	if v.read != nil {
		if err := v.read(r); err != nil {
			return err
		}
	}
	r.checked = true
	return nil
}

// about returns the turn that the command is about.
func (r *Request) about(g *vault.Game) int {
	switch {
	case r.HasTurn:
		return r.Turn
	case r.Verb.turn == dueTurn:
		return g.Turn() + 1
	}
	return g.Turn()
}

// Guard returns the turn that the command must name; a late command names another one.
func (v *Verb) Guard(g *vault.Game) int {
	if v.turn == lastTurn {
		return g.Turn()
	}
	return g.Turn() + 1
}

// late refuses a command that names a turn other than the expected one.
func (r *Request) late(g *vault.Game) error {
	is := r.Verb.Guard(g)
	switch {
	case !r.HasTurn || r.Turn == is:
	case r.Verb.turn == dueTurn:
		return wrong("nothing was changed", "turn %d is not due; turn %d is", r.Turn, is)
	case r.Verb.turn == lastTurn:
		return wrong(fmt.Sprintf("rerun %d --with %q", r.Turn, strings.Join(r.Args, " ")), "turn %d is not the last that was resolved, turn %d is", r.Turn, is)
	}
	return nil
}

// Reword applies f to every word of the command except its verb, game and key.
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

// String returns the command without its key, reasons and other words.
func (r *Request) String() string {
	parts := []string{r.Verb.Name}
	if r.Game != "" {
		parts = append(parts, r.Game)
	}
	parts = append(parts, r.Args...)
	if r.HasTurn {
		parts = append(parts, fmt.Sprintf("turn %d", r.Turn))
	}
	for _, f := range r.Verb.Flags {
		if r.flags[f.Name] && len(r.values[f.Name]) == 0 {
			parts = append(parts, "--"+f.Name)
		}
	}
	return strings.Join(parts, " ")
}

// Begins reports whether a line begins with a referee's command, without a mark.
func Begins(line string) bool {
	fields := strings.Fields(line)
	return len(fields) > 0 && verbOf(fields[0]) != nil
}

// Read parses a command, with all lines joined. Words in double quotes are one word; a reason may
// be unquoted. known reports whether a word names a game. The error is an *Error, returned with the
// part that was parsed.
func Read(line string, known func(string) bool) (*Request, error) {
	r := &Request{Verb: &Verb{}}
	words := orders.Splitting{Quotes: true}.Words(line, 1)
	if len(words) == 0 {
		return r, wrong("one of: "+strings.Join(names(), ", "), "there is no command")
	}
	v := verbOf(words[0].Text)
	if v == nil {
		way := orders.DidYouMean("%s", words[0].Text, names(), "one of: "+strings.Join(names(), ", "))
		return r, wrong(way, "there is no command %q", words[0].Text)
	}
	r.Verb = v
	words = r.takeKey(words[1:])
	if len(words) > 0 && !words[0].Quoted && known(words[0].Text) {
		r.Game, words = words[0].Text, words[1:]
	}
	for i := 0; i < len(words); i++ {
		name, isOption := option(words[i])
		f, _ := v.option(name)
		switch {
		case isOption && f.Value != "":
			n := i + 1
			for n < len(words) {
				if _, next := option(words[n]); next || n > i+1 && (words[i+1].Quoted || name == "turn") {
					break
				}
				n++
			}
			if n == i+1 {
				return r, v.refuse("--%s needs words after it", name)
			}
			if err := r.Set(name, orders.JoinWords(words[i+1:n], " ")); err != nil {
				return r, err
			}
			i = n - 1
		case isOption:
			if err := r.Set(name); err != nil {
				return r, err
			}
		case v.turn != noTurn && !words[i].Quoted && strings.EqualFold(words[i].Text, "turn") && i+1 < len(words) && isNumber(words[i+1].Text):
			i++
			if err := r.turn(words[i].Text); err != nil {
				return r, err
			}
		case v.rest > 0 && len(r.Args) == v.rest:
			r.Args[v.rest-1] += " " + words[i].Text
		default:
			r.Args = append(r.Args, words[i].Text)
		}
	}
	return r, nil
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

func (r *Request) turn(text string) error {
	n, ok := orders.TurnNumber(text)
	if !ok {
		return r.Verb.refuse("%q is not a turn", text)
	}
	r.Turn, r.HasTurn = n, true
	return nil
}

// takeKey removes the word key and the key after it, anywhere.
func (r *Request) takeKey(words []orders.Word) []orders.Word {
	for i := 0; i+1 < len(words); i++ {
		if words[i].Quoted || !strings.EqualFold(strings.TrimLeft(words[i].Text, "-"), "key") {
			continue
		}
		for n := 1; n <= 2 && i+n < len(words); n++ { // a key may be typed in two halves
			if key, ok := auth.Normalise(orders.JoinWords(words[i+1:i+1+n], "")); ok {
				r.Key = key
				return slices.Delete(slices.Clone(words), i, i+1+n)
			}
		}
	}
	return words
}

// option returns the name of an option: some programs turn two hyphens into a dash.
func option(w orders.Word) (string, bool) {
	if w.Quoted {
		return "", false
	}
	for _, mark := range []string{"--", "\u2014", "\u2013"} {
		if name, ok := strings.CutPrefix(w.Text, mark); ok && name != "" && unicode.IsLetter([]rune(name)[0]) {
			return strings.ToLower(name), true
		}
	}
	return "", false
}
