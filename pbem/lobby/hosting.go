package lobby

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"time"

	"starpost/engine/dice"
	"starpost/pbem/cup"
	"starpost/pbem/fault"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// ObserverStep records that someone watches a game, or stops watching one, or all for "".
type ObserverStep struct {
	Requests *Requests
	Put      Observer
	// Address is the address that stops watching; "" for none.
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

// Hosting makes games for people who ask by mail.
type Hosting struct {
	Requests *Requests
	Cups     cup.Cups
	Offers   []Wish // the offers of the waiting list
	Create   string // who may create games, as in config
	Attached bool   // ... of their own scenarios
	Practice int    // maximum running games against robots per address
	Games    int    // maximum number of games made by mail
	// Check returns an error if a game cannot be made. Make makes it, and sends invitations to its
	// free seats; an existing game stays as it is.
	Check func(turn.Setup) error
	Make  func(s turn.Setup, invite []string, mail string) error
}

// GameStep makes a game for people who asked for it.
type GameStep struct {
	Hosting *Hosting
	Setup   turn.Setup
	Invite  []string
	Of      []Request
	Mail    string // the mail that caused it
}

// Do makes the game.
func (s GameStep) Do() error {
	if err := s.Hosting.Make(s.Setup, s.Invite, s.Mail); err != nil {
		return err
	}
	return s.Hosting.Requests.Made(s.Of, s.Setup.ID, s.Mail)
}

// RequestStep stores a request, or records its confirmation by a mail or the game made of it, or
// drops those of an address.
type RequestStep struct {
	Requests *Requests
	Put      Request
	Confirm  Request
	Drop     string
	Made     []Request // requests that Game was made of, or that are otherwise done
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

// DefaultScenario is played if none is named and the host offers none.
const DefaultScenario = "big-bad-wolf"

// Setup returns the setup of a wished game: one captain for each side, of whom the first ones are
// people.
func (h *Hosting) Setup(texts *Library, robot string, now time.Time, w Wish, origin, id string, people []string) (turn.Setup, error) {
	if w.Scenario == "" {
		w.Scenario = DefaultScenario
		if len(h.Offers) > 0 {
			w.Scenario, w.Rules = h.Offers[0].Scenario, cmp.Or(w.Rules, h.Offers[0].Rules)
		}
	}
	mac := hmac.New(sha256.New, h.Requests.Secret())
	mac.Write([]byte("starpost game 1\x00" + id))
	o := Opening{Origin: origin, ID: id, Robot: robot, Secret: dice.Secret(mac.Sum(nil)), Now: now}
	for _, address := range people {
		o.People = append(o.People, Person{Address: address})
	}
	return texts.Setup(w, o)
}

// AnyScenario is the word for waiting for any offer.
const AnyScenario = "any"

// CheckOffer returns an error if a game that the host offers cannot be made.
func (h *Hosting) CheckOffer(texts *Library, robot string, w Wish) error {
	s, err := h.Setup(texts, robot, time.Time{}, w, vault.OriginMail, "offer", nil)
	if err != nil {
		return err
	}
	if s.Mail.Reliable > 0 {
		return fault.New("remove reliable from the offer", "offers do not check reliability")
	}
	for i := range s.Captains {
		s.Captains[i].Address = fmt.Sprintf("captain%d@example.org", i)
	}
	return h.Check(s)
}
