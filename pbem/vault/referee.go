package vault

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
)

// Referee is a person who may rule on a game.
type Referee struct {
	Name    string `toml:"name"`
	Address string `toml:"address"` // he may write from there, and is written to
	// PGP is the file with his OpenPGP public key, as a captain's.
	PGP string `toml:"pgp,omitempty"`
	// Plays is the captain of the game that he is too; "" for none. All captains
	// are told, also of each look at what his side may not know.
	Plays engine.CaptainName `toml:"plays,omitempty"`
}

// Referee finds a referee by name, upper and lower case alike.
func (s Settings) Referee(name string) (Referee, bool) {
	for _, r := range s.Referees {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return Referee{}, false
}

// HasPlayingReferee tells whether a referee of the game plays in it.
func (s Settings) HasPlayingReferee() bool {
	return slices.ContainsFunc(s.Referees, func(r Referee) bool { return r.Plays != "" })
}

// RefereePlays tells whether a captain is a referee of the game too.
func (s Settings) RefereePlays(captain engine.CaptainName) bool {
	return slices.ContainsFunc(s.Referees, func(r Referee) bool { return r.Plays != "" && r.Plays.Is(captain) })
}

// refereesWrong finds the first thing that cannot be about referees.
func (s Settings) refereesWrong() (problem, key, way string) {
	names := map[string]bool{"referee": true, "daemon": true}
	for _, c := range s.Captains {
		names[strings.ToLower(string(c.Name))] = true
	}
	for _, r := range s.Referees {
		switch {
		case nameProblem(r.Name) != "":
			return fmt.Sprintf("referee %q has no proper name", r.Name), "name", "such as Rita"
		case names[strings.ToLower(r.Name)]:
			return fmt.Sprintf("the name %q of a referee is that of another person", r.Name), "name", "choose another name; if he plays too, add plays = \"CAPTAIN\""
		case !plausibleAddress(r.Address):
			return fmt.Sprintf("referee %s: %q is not a mail address", r.Name, r.Address), "address", "such as rita@example.org"
		case r.PGP != "" && !keyPath(r.PGP):
			return fmt.Sprintf("referee %s: %q is no file in the game directory", r.Name, r.PGP), "pgp", "put the key there and name it such as keys/rita.asc"
		}
		if _, ok := s.Captain(r.Plays); r.Plays != "" && !ok {
			return fmt.Sprintf("referee %s plays %q, and the game has no such captain", r.Name, r.Plays), "plays", "name a captain of the game"
		}
		names[strings.ToLower(r.Name)] = true
	}
	return "", "", ""
}

func nameProblem(name string) string {
	if strings.TrimSpace(name) != name || name == "" || len(name) > 60 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`/\"<>@`, r) }) {
		return fmt.Sprintf("%q is no proper name", name)
	}
	return ""
}

// RefereeData belongs to a referee who was registered after the game was made.
type RefereeData struct {
	Name    string `json:"name"`
	Address string `json:"address"`
}

func (d *RefereeData) problem() string { return cmp.Or(nameProblem(d.Name), addressProblem(d.Address)) }

// KeyData belongs to a referee's key that was renewed.
type KeyData struct {
	Name string `json:"name"`
}

func (d *KeyData) problem() string { return nameProblem(d.Name) }

// LookedData belongs to a look of a referee who plays at what his side may not
// know: the command that he looked with, and the turn that he looked at.
type LookedData struct {
	What string `json:"what"`
	At   int    `json:"at"`
}

func (d *LookedData) problem() string {
	if d.What == "" || len(d.What) > 40 || d.At < 0 {
		return "a look names a command and a turn"
	}
	return ""
}

// ReplaceData belongs to a seat that a referee gave to a person: Old is who had
// it, "" if it was vacant. It holds only while that is so.
type ReplaceData struct {
	Old     string `json:"old,omitempty"`
	Address string `json:"address"`
}

func (d *ReplaceData) problem() string { return addressProblem(d.Address) }

// ProcessData belongs to a turn that a referee had played before its time.
type ProcessData struct {
	Missing string `json:"missing,omitempty"` // the policy for ships without orders, "" for none
}

func (d *ProcessData) problem() string {
	if d.Missing != "" && !slices.Contains(Policies(), d.Missing) {
		return fmt.Sprintf("policy %q is not known", d.Missing)
	}
	return ""
}

// foldReferees folds what is about referees.
func (st *AdminState) foldReferees(e Entry, name engine.CaptainName, s *Settings) {
	switch e.Kind {
	case JournalReferee:
		d := Data[RefereeData](e)
		if _, known := s.Referee(d.Name); !known {
			s.Referees = append(slices.Clone(s.Referees), Referee{Name: d.Name, Address: d.Address})
		}
	case JournalKey:
		d := Data[KeyData](e)
		st.Keys[strings.ToLower(d.Name)]++
	case JournalBecome:
		st.Become[name] = e.By
	case JournalGiveBack:
		delete(st.Become, name)
	}
}

// RefereeKeys counts how often a referee's key was renewed.
func (g *Game) RefereeKeys(name string) int { return g.administration().Keys[strings.ToLower(name)] }
