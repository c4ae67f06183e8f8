package lobby

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/fault"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// ObserverStep notes who watches a game, or who has enough of one; of all for "".
type ObserverStep struct {
	Requests *Requests
	Put      Observer
	// Address is whose watching ends; "" for none.
	Address, Game, Mail string
	At                  time.Time
}

// Do makes the change.
func (s ObserverStep) Do() error {
	if s.Address != "" {
		return s.Requests.unobserve(s.Address, s.Game, s.Mail, s.At)
	}
	return s.Requests.Observe(s.Put)
}

// Hosting is how games are made for people who ask by mail.
type Hosting struct {
	Requests *Requests
	Offers   []Wish // what the waiting list is for
	Create   string // who may have games made, as config has it
	Practice int    // running games against robots that one address may have
	Games    int    // made by mail at most
	// Check tells what is wrong with a game, and Make makes it, with invitations to its free
	// seats; one that is there already stays as it is.
	Check func(turn.Setup) error
	Make  func(s turn.Setup, invite []string, mail string) error
}

// GameStep is a game to make for people who asked for it.
type GameStep struct {
	Hosting *Hosting
	Setup   turn.Setup
	Invite  []string
	Of      []Request
	Mail    string // that had it made
}

// Do makes the game.
func (s GameStep) Do() error {
	if err := s.Hosting.Make(s.Setup, s.Invite, s.Mail); err != nil {
		return err
	}
	return s.Hosting.Requests.Made(s.Of, s.Setup.ID, s.Mail)
}

// RequestStep keeps a request, or notes that it was confirmed by a mail or what was made of it, or
// drops those of an address.
type RequestStep struct {
	Requests *Requests
	Put      Request
	Confirm  Request
	Drop     string
	Made     []Request // of which Game was made, or which have been done with it
	Game     string
	Mail     string
	At       time.Time
}

// Do makes the change.
func (s RequestStep) Do() error {
	switch {
	case s.Put.Line != "":
		return s.Requests.Put(s.Put)
	case len(s.Made) > 0:
		return s.Requests.Made(s.Made, s.Game, s.Mail)
	case s.Confirm.Line != "":
		return s.Requests.Confirm(s.Confirm, s.Mail, s.At)
	}
	return s.Requests.Drop(s.Drop)
}

// wishKeys are the settings that may be wished for by mail.
var wishKeys = []string{
	"deadline", "deadline_at", "weekends", "holidays", "holidays_dates", "zone", "missing", "missed", "grace", "remind", "change_window", "start", "fill",
	"show_missing", "messages", "away_max", "teach", "replay", "observers", "anonymous",
}

// DefaultScenario is played where none is named and the host offers none.
const DefaultScenario = "big-bad-wolf"

// Setup is a game as it is wished for: a captain a side, of whom the first ones are people.
func (h *Hosting) Setup(texts *Library, robot string, now time.Time, w Wish, origin, id string, people []string) (turn.Setup, error) {
	if w.Scenario == "" {
		w.Scenario = DefaultScenario
		if len(h.Offers) > 0 {
			w.Scenario, w.Rules = h.Offers[0].Scenario, cmp.Or(w.Rules, h.Offers[0].Rules)
		}
	}
	data, err := texts.Scenario(w.Scenario, w.Rules)
	if err != nil {
		return turn.Setup{}, err
	}
	sc, diags := scenario.Parse(data)
	if sc == nil {
		return turn.Setup{}, &turn.ScenarioError{Diagnostics: diags}
	}
	mac := hmac.New(sha256.New, h.Requests.Secret())
	mac.Write([]byte("starpost game 1\x00" + id))
	s := turn.Setup{
		Scenario: data, ID: id, Origin: origin, Mail: vault.DefaultMail(), Secret: dice.Secret(mac.Sum(nil)), Options: turn.Options{Now: now},
	}
	m := &s.Mail
	m.Robot, m.Teach, m.Replay = robot, true, true
	switch {
	case origin == vault.OriginPractice:
		m.Deadline, m.ChangeWindow, m.Grace, m.Remind = 7*clock.Day, 0, 0, nil
		m.Missed = vault.MissedTurnsRule{Turns: 1, Then: vault.ThenForfeit}
		if rules, err := texts.RuleSet(sc.Rules); err != nil {
			return s, err
		} else if rules.Rounds() > 1 {
			s.Cadence = vault.CadencePhase
		}
	case sc.Blind != nil:
		m.Missed = vault.MissedTurnsRule{Turns: 2, Then: vault.ThenRobot}
	default:
		m.Open, m.Observers, m.Missed = true, vault.ObserversPublic, vault.MissedTurnsRule{Turns: 2, Then: vault.ThenReplace}
	}
	if origin == vault.OriginMail && len(people) < len(sc.Sides) {
		m.Start = vault.StartFull
	}
	for _, o := range w.Options {
		switch o[0] {
		case "cadence":
			s.Cadence = o[1]
			continue
		case "dice":
			s.Dice = o[1]
			continue
		}
		if !slices.Contains(wishKeys, o[0]) {
			return s, fault.New(orders.DidYouMean("%s", o[0], wishKeys, "one of: cadence, dice, "+strings.Join(wishKeys, ", ")), "%q cannot be set by mail", o[0])
		}
		if err := m.Set(o[0], o[1]); err != nil {
			return s, err
		}
	}
	for i, side := range sc.Sides {
		one := vault.Captain{Robot: origin == vault.OriginPractice}
		if i < len(people) {
			one.Address, one.Robot = people[i], false
		}
		for _, ship := range sc.Ships {
			if ship.Side == side.ID {
				one.Ships = append(one.Ships, ship.Name)
			}
		}
		if len(one.Ships) > 0 {
			s.Captains = append(s.Captains, one)
		}
	}
	return s, nil
}

// AnyScenario is what one writes who waits for whatever is offered.
const AnyScenario = "any"

// CheckOffer tells what is wrong with a game that the host offers.
func (h *Hosting) CheckOffer(texts *Library, robot string, w Wish) error {
	s, err := h.Setup(texts, robot, time.Time{}, w, vault.OriginMail, "offer", nil)
	if err != nil {
		return err
	}
	for i := range s.Captains {
		s.Captains[i].Address = fmt.Sprintf("captain%d@example.org", i)
	}
	return h.Check(s)
}
