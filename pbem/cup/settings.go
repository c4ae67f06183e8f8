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
	swissCup      = "swiss"       // each round pairs entrants with similar points
	roundRobinCup = "round-robin" // everyone meets everyone
	knockOutCup   = "knock-out"   // the loser is out
	ladderCup     = "ladder"      // the winner against a higher entrant takes that rung
)

// The number of games of a pair.
const (
	SidesOnce = "once" // one game; over the rounds each entrant has both sides about equally often
	SidesBoth = "both" // two games with the sides swapped
)

// Tie-breaks between entrants with equal points.
const (
	buchholz        = "buchholz"         // points of all opponents
	sonnebornBerger = "sonneborn-berger" // points of beaten opponents, and half of those in drawn matches
	headToHead      = "head-to-head"     // points from the matches among the tied entrants, if all of them met
)

// Settings are a referee's settings of a cup, from its file.
type Settings struct {
	Name     string   `toml:"name" json:"name"`                       // in commands, and as the beginning of its games' names
	Title    string   `toml:"title" json:"title"`                     // for display
	Format   string   `toml:"format" json:"format"`                   // swiss, round-robin, knock-out or ladder
	Scenario string   `toml:"scenario" json:"scenario"`               // name of a built-in scenario
	Rules    string   `toml:"rules" json:"rules,omitempty"`           // the rule set; "" for the scenario's own
	Options  []string `toml:"options" json:"options,omitempty"`       // settings of its games, such as "deadline=2d"
	Rounds   int      `toml:"rounds" json:"rounds,omitempty"`         // of a Swiss cup; 0: enough for one winner
	Sides    string   `toml:"sides" json:"sides"`                     // once or both; "" decides by the scenario's odds
	Boards   int      `toml:"boards" json:"boards,omitempty"`         // captains of a team; 0 for single captains
	Places   int      `toml:"places" json:"places,omitempty"`         // maximum number of entrants
	Late     int      `toml:"late" json:"late,omitempty"`             // a Swiss cup accepts entries until this many rounds are paired
	Rungs    int      `toml:"rungs" json:"rungs,omitempty"`           // how far above oneself one may challenge on a ladder
	Secret   bool     `toml:"anonymous" json:"anonymous,omitempty"`   // names are published when it is over
	Breaks   []string `toml:"tie_breaks" json:"tie_breaks,omitempty"` // in this order
	Entry    string   `toml:"entry" json:"entry,omitempty"`           // by mail, or only by the referee
	Pairs    string   `toml:"pairs" json:"pairs,omitempty"`           // who pairs the rounds after the first, the referee or the daemon
	Aliases  string   `toml:"-" json:"aliases,omitempty"`             // secret for aliases and the passwords of teams
}

// Who adds entrants to a cup.
const (
	EntryMail    = "mail"    // they enter by mail
	EntryReferee = "referee" // only the referee
)

// Who pairs the rounds after the first.
const (
	pairsReferee = "referee"
	pairsDaemon  = "daemon" // as soon as the previous round is over
)

// Limits of a cup.
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

// ParseSettings parses the file of a cup. Errors have the line and a hint.
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

// complete fills in the defaults. Sides depends on the odds, see [Settings.Balance].
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

// fair is the maximum difference from 50 of the score of a side between equals, in hundredths, for a cup in
// which each pair plays only one game.
const fair = 5

// Balance sets Sides if the file leaves it open: to both if one side of the scenario is
// better, or if that is unknown. score is the first side's score between equals, of 100; negative: unknown.
func (s *Settings) Balance(score float64) {
	switch {
	case s.Sides != "":
	case score >= 50-fair && score <= 50+fair:
		s.Sides = SidesOnce
	default:
		s.Sides = SidesBoth
	}
}

// check returns the first mistake and its key.
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

// checkName checks that a name is a short word that fits commands and directories.
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
