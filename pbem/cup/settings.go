package cup

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"starpost/engine"
	"starpost/engine/bounded"
	"starpost/orders"
	"starpost/pbem/fault"
)

// Formats of cups.
const (
	swissCup      = "swiss"       // each round those meet who stand alike
	roundRobinCup = "round-robin" // everybody meets everybody
	knockOutCup   = "knock-out"   // who loses is out
	ladderCup     = "ladder"      // who beats one above takes his rung
)

// How often a pair plays.
const (
	SidesOnce = "once" // one game; over the rounds each entrant has both sides alike
	SidesBoth = "both" // two games with sides changed
)

// Tie-breaks between entrants with equal points.
const (
	buchholz        = "buchholz"         // points of all opponents
	sonnebornBerger = "sonneborn-berger" // points of those who were beaten, half of those with whom there was a draw
	headToHead      = "head-to-head"     // points from the matches among those who are equal, if all of them met
)

// Settings are what a referee says of a cup in its file, before it begins.
type Settings struct {
	Name     string   `toml:"name" json:"name"`                       // in commands, and the beginning of its games' names
	Title    string   `toml:"title" json:"title"`                     // for people
	Format   string   `toml:"format" json:"format"`                   // swiss, round-robin, knock-out or ladder
	Scenario string   `toml:"scenario" json:"scenario"`               // the name of a built-in one
	Rules    string   `toml:"rules" json:"rules,omitempty"`           // the rule set; "" for the scenario's own
	Options  []string `toml:"options" json:"options,omitempty"`       // settings of its games, such as "deadline=2d"
	Rounds   int      `toml:"rounds" json:"rounds,omitempty"`         // of a Swiss cup; 0 for as many as make one winner
	Sides    string   `toml:"sides" json:"sides"`                     // once or both; "" decides by the scenario's odds
	Boards   int      `toml:"boards" json:"boards,omitempty"`         // captains of a team; 0 is a cup of single captains
	Places   int      `toml:"places" json:"places,omitempty"`         // entrants at most
	Late     int      `toml:"late" json:"late,omitempty"`             // a Swiss cup may be entered until so many rounds were paired
	Rungs    int      `toml:"rungs" json:"rungs,omitempty"`           // how far above oneself a ladder may be challenged
	Secret   bool     `toml:"anonymous" json:"anonymous,omitempty"`   // names are told when it is over
	Breaks   []string `toml:"tie_breaks" json:"tie_breaks,omitempty"` // in this order
	Entry    string   `toml:"entry" json:"entry,omitempty"`           // by mail, or by the referee alone
	Pairs    string   `toml:"pairs" json:"pairs,omitempty"`           // who pairs the rounds after the first, the referee or the daemon
	Aliases  string   `toml:"-" json:"aliases,omitempty"`             // what aliases and the words of teams are made of
}

// Who puts entrants into a cup.
const (
	EntryMail    = "mail"    // they do it themselves
	EntryReferee = "referee" // the referee alone
)

// Who pairs the rounds after the first.
const (
	pairsReferee = "referee"
	pairsDaemon  = "daemon" // as soon as the one before is over
)

// Bounds of what a cup may be.
const (
	maxFile    = 64 << 10
	maxPlaces  = 2000
	maxBoards  = 20
	maxRounds  = 200
	maxName    = 40
	maxTitle   = 80
	maxOptions = 30
)

func (s *Settings) boards() int { return max(1, s.Boards) }

func (s *Settings) legs() int {
	if s.Sides == SidesBoth {
		return 2
	}
	return 1
}

func fail(way, format string, args ...any) error { return fault.New(way, format, args...) }

// ParseSettings reads the file of a cup. Errors give the line and a way out.
func ParseSettings(text string) (s Settings, err error) {
	md, err := bounded.Decode(text, maxFile, &s)
	if err != nil {
		line, _, message, hint := bounded.Place(err)
		return s, fail(hint, "line %d: %s", max(1, line), message)
	}
	places := bounded.FindPlaces(text)
	for key, names := range bounded.Unknown(&md, s) {
		return s, fail(orders.DidYouMean("%q", key[len(key)-1], names, ""), "line %d: unknown key %q", places.Of(key...).Line, key.String())
	}
	s.complete()
	if key, err := s.check(); err != nil {
		if at := places.Of(key); at.Line > 0 {
			return s, fail(fault.Hint(err), "line %d: %s", at.Line, err)
		}
		return s, err
	}
	return s, nil
}

// complete puts in what is usual where the file says nothing. Sides come from the odds, see [Settings.Balance].
func (s *Settings) complete() {
	if s.Places == 0 {
		s.Places = maxPlaces / 2
	}
	if s.Entry == "" {
		s.Entry = EntryMail
	}
	if s.Pairs == "" {
		s.Pairs = pairsReferee
	}
	if s.Format == ladderCup && s.Rungs == 0 {
		s.Rungs = 3
	}
	if s.Format == knockOutCup || s.Format == ladderCup {
		if s.Sides == "" {
			s.Sides = SidesBoth
		}
	}
	if s.Breaks == nil {
		s.Breaks = []string{buchholz, sonnebornBerger, headToHead}
		if s.Format == roundRobinCup {
			s.Breaks = []string{sonnebornBerger, headToHead}
		}
	}
}

// fair is how far from half of all points the score of a side between equals may be, in hundredths, for a cup in
// which each pair plays one game.
const fair = 5

// Balance decides how often a pair plays where the file leaves it open: twice where one side of the scenario is
// better, or where that is not known. Score is what the first side scores between equals, of 100; below 0: not known.
func (s *Settings) Balance(score float64) {
	switch {
	case s.Sides != "":
	case score >= 50-fair && score <= 50+fair:
		s.Sides = SidesOnce
	default:
		s.Sides = SidesBoth
	}
}

// check finds what cannot be, and the key that says it.
func (s *Settings) check() (key string, err error) {
	oneOf := func(key, value string, known ...string) error {
		if slices.Contains(known, value) {
			return nil
		}
		return fail(orders.DidYouMean("%q", value, known, "one of: "+strings.Join(known, ", ")), "%s is %q", key, value)
	}
	within := func(key string, value, most int) error {
		if value >= 0 && value <= most {
			return nil
		}
		return fail("", "%s is %d, expected 0 to %d", key, value, most)
	}
	for _, c := range []struct {
		key string
		err error
	}{
		{"name", checkName(s.Name)},
		{"title", checkTitle(s.Title)},
		{"format", oneOf("format", s.Format, swissCup, roundRobinCup, knockOutCup, ladderCup)},
		{"entry", oneOf("entry", s.Entry, EntryMail, EntryReferee)},
		{"pairs", oneOf("pairs", s.Pairs, pairsReferee, pairsDaemon)},
		{"sides", oneOf("sides", s.Sides, "", SidesOnce, SidesBoth)},
		{"rounds", within("rounds", s.Rounds, maxRounds)},
		{"boards", within("boards", s.Boards, maxBoards)},
		{"places", within("places", s.Places, maxPlaces)},
		{"late", within("late", s.Late, maxRounds)},
		{"rungs", within("rungs", s.Rungs, maxPlaces)},
		{"options", within("the number of options", len(s.Options), maxOptions)},
	} {
		if c.err != nil {
			return c.key, c.err
		}
	}
	for _, b := range s.Breaks {
		if err := oneOf("a tie-break", b, buchholz, sonnebornBerger, headToHead); err != nil {
			return "tie_breaks", err
		}
	}
	for _, o := range s.Options {
		if key, _, ok := strings.Cut(o, "="); !ok || key == "" || strings.ContainsAny(o, "\r\n") {
			return "options", fail(`such as options = ["deadline=2d"]`, "%q is not a game setting", o)
		}
	}
	switch {
	case s.Scenario == "":
		return "scenario", fail("the built-in ones: starpost scenarios", "the scenario is missing")
	case (s.Format == knockOutCup || s.Format == ladderCup) && s.Sides == SidesOnce:
		return "sides", fail("remove it, or choose another format", "in a %s each pair plays both sides: pairings do not depend on sides played", s.Format)
	case s.Rounds != 0 && s.Format != swissCup:
		return "rounds", fail("remove it", "rounds are only for a Swiss cup: a %s has as many as it needs", s.Format)
	case s.Late != 0 && s.Format != swissCup:
		return "late", fail("remove it", "late entries are only for a Swiss cup")
	case s.Rungs != 0 && s.Format != ladderCup:
		return "rungs", fail("remove it", "rungs are only for a ladder")
	}
	return "", nil
}

// checkName wants a short word for commands and names of directories.
func checkName(name string) error {
	odd := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' }
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, odd) || strings.Trim(name, "-") != name {
		return fail(fmt.Sprintf("use a to z, 0 to 9 and inner hyphens, at most %d in all", maxName), "%q cannot be a cup's name", name)
	}
	return nil
}

func checkTitle(title string) error {
	if strings.TrimSpace(title) == "" || utf8.RuneCountInString(title) > maxTitle || !utf8.ValidString(title) ||
		strings.ContainsFunc(title, func(r rune) bool { return !unicode.IsPrint(r) }) || !engine.NameLine(title) {
		return fail(fmt.Sprintf("write one line of at most %d characters, without < and >", maxTitle), "%q cannot be a cup's title", title)
	}
	return nil
}
