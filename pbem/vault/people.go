package vault

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/pbem/vault/journal"
)

// StandInsAt returns the addresses of the captain's stand-ins at the given time.
func (c Captain) StandInsAt(at time.Time) (out []string) {
	for _, s := range c.StandIns {
		if !at.Before(s.From) && at.Before(s.To) {
			out = append(out, s.Address)
		}
	}
	return out
}

// AddressesAt returns the addresses that may send the captain's orders at the given time: the captain's own, and those
// of stand-ins.
func (c Captain) AddressesAt(at time.Time) []string {
	return slices.Concat(c.Addresses(), c.StandInsAt(at))
}

// Referee returns a referee by name, ignoring case.
func (s Settings) Referee(name string) (Referee, bool) {
	for _, r := range s.Referees {
		if strings.EqualFold(r.Name, name) {
			return r, true
		}
	}
	return Referee{}, false
}

// HasPlayingReferee reports whether a referee of the game plays in it.
func (s Settings) HasPlayingReferee() bool {
	return slices.ContainsFunc(s.Referees, func(r Referee) bool { return r.Plays != "" })
}

// RefereePlays reports whether a captain is also a referee of the game.
func (s Settings) RefereePlays(captain engine.CaptainName) bool {
	return slices.ContainsFunc(s.Referees, func(r Referee) bool { return r.Plays != "" && r.Plays.Is(captain) })
}

// refereesWrong returns the first mistake in the settings about referees.
func (s Settings) refereesWrong() (problem, key, way string) {
	names := map[string]bool{"referee": true, "daemon": true}
	for _, c := range s.Captains {
		names[strings.ToLower(string(c.Name))] = true
	}
	for _, r := range s.Referees {
		switch {
		case journal.NameProblem(r.Name) != "":
			return fmt.Sprintf("referee %q has no valid name", r.Name), "name", "use a name such as Rita"
		case names[strings.ToLower(r.Name)]:
			return fmt.Sprintf("the name %q of a referee is taken by another person", r.Name), "name", "choose another name; for a referee who also plays, add plays = \"CAPTAIN\""
		case !journal.IsAddress(r.Address):
			return fmt.Sprintf("referee %s: %q is not a mail address", r.Name, r.Address), "address", "write it as rita@example.org"
		case r.PGP != "" && !keyPath(r.PGP):
			return fmt.Sprintf("referee %s: %q is not a file in the game directory", r.Name, r.PGP), "pgp", "put the key there, and name it for example keys/rita.asc"
		}
		if _, ok := s.Captain(r.Plays); r.Plays != "" && !ok {
			return fmt.Sprintf("referee %s plays %q, but the game has no such captain", r.Name, r.Plays), "plays", "name a captain of the game"
		}
		names[strings.ToLower(r.Name)] = true
	}
	return "", "", ""
}

// SameName reports whether two names could be confused: only letters and digits count, ignoring case.
func SameName(a, b string) bool { return NameKey(a) == NameKey(b) }

// NameKey returns the part of a name that counts for SameName.
func NameKey(name string) string { return engine.NameKey(name) }

// Person returns the name of the person in a seat, for those who may know it; "" if it is unknown. In an anonymous game
// no one may before the end. While a game hides who plays it accepts any name, so when it is over, a number
// distinguishes names that could be confused: the game's own seats and ships keep their names, then people in the order
// of their seats.
func (s *Settings) Person(c Captain, over bool) string {
	if c.Player == "" || s.Mail.Anonymous && !over {
		return ""
	}
	if !over {
		return c.Player
	}
	own, n, passed := false, 1, false
	for _, o := range s.Captains {
		own = own || o.Name != c.Name && SameName(string(o.Name), c.Player) || slices.ContainsFunc(o.Ships, func(ship string) bool { return SameName(ship, c.Player) })
		passed = passed || o.Name == c.Name
		if !passed && SameName(o.Player, c.Player) && !strings.EqualFold(o.Address, c.Address) {
			n++
		}
	}
	if own {
		n++
	}
	if n == 1 {
		return c.Player
	}
	return fmt.Sprintf("%s (%d)", c.Player, n)
}

// Who may watch a game, as in game.toml; the third form is "delay N".
const (
	ObserversNone   = "none"   // no one
	ObserversPublic = "public" // anyone, what is public
)

// maxDelay limits the delay of observers.
const maxDelay = 999

// Observation says who may watch a game, by mail and on the pages of its host. Once it is over, anyone may see
// everything.
type Observation struct {
	Said  bool // the game has a setting for this
	May   bool // people may watch it by mail
	Delay int  // delay in turns before they see everything; 0: only what is public
}

// observerRule parses Observers.
func (m MailSettings) observerRule() (Observation, error) {
	switch word, n, _ := strings.Cut(strings.TrimSpace(m.Observers), " "); word {
	case "":
		return Observation{}, nil
	case ObserversNone:
		return Observation{Said: true}, nil
	case ObserversPublic:
		return Observation{Said: true, May: true}, nil
	case "delay":
		if late, err := strconv.Atoi(strings.TrimSpace(n)); err == nil && late >= 1 && late <= maxDelay {
			return Observation{Said: true, May: true, Delay: late}, nil
		}
	}
	return Observation{}, fmt.Errorf("observers = %q is not known", m.Observers)
}

// Watched returns who may watch the game.
func (s *Settings) Watched() Observation {
	o, err := s.Mail.observerRule()
	if err != nil {
		return Observation{Said: true} // settings are checked when they are read
	}
	return o
}

// KeysDir is the folder for captains' OpenPGP keys in a game directory.
const KeysDir = "keys"

// keyPath reports whether a name can be that of a key file: below the game directory, with slashes, and not one of the
// game's own files.
func keyPath(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && !strings.ContainsAny(name, "\\\x00\n") &&
		name != "." && name != "secret" && !strings.HasPrefix(name, "turns/")
}
