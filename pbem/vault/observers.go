package vault

import (
	"fmt"
	"strconv"
	"strings"
)

// Who may watch a game, as game.toml has it; "delay N" is the third.
const (
	ObserversNone   = "none"   // no one
	ObserversPublic = "public" // all, what everybody may see
)

// maxDelay bounds the delay of observers.
const maxDelay = 999

// Observation is who may watch a game, by mail and on the pages of its host. Once it is over all
// may see everything.
type Observation struct {
	Said  bool // the game says so
	May   bool // people may watch it by mail
	Delay int  // how many turns late they see everything; 0: they see what everybody may
}

// ObserverRule reads Observers.
func (m MailSettings) ObserverRule() (Observation, error) {
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

// Watched is who may watch the game.
func (s *Settings) Watched() Observation {
	o, err := s.Mail.ObserverRule()
	if err != nil {
		return Observation{Said: true} // settings are checked when they are read
	}
	return o
}
