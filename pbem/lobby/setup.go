package lobby

import (
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

// OriginCup is the origin of games of a cup. It affects only their setup; games do not store it.
const OriginCup = "cup"

// Opening is the rest of what is needed to make a game of a wish.
type Opening struct {
	Origin string // vault.OriginMail, vault.OriginPractice or OriginCup
	ID     string
	Robot  string // sender address of its mails
	Secret dice.Secret
	People []Person // one captain for each side, in the order of the sides; further sides are free, or a robot's
	Now    time.Time
}

// Person is the holder of a seat in a new game.
type Person struct {
	Address string
	Name    string // the person's name; "" for none
}

// wishKeys are the settings that a wish may have.
var wishKeys = []string{
	"deadline", "deadline_at", "schedule", "weekends", "holidays", "holidays_dates", "zone", "missing", "missed", "grace", "remind", "change_window", "start", "fill",
	"show_missing", "messages", "press", "away_max", "teach", "replay", "observers", "anonymous", "reliable",
}

// Setup returns the setup of a wished game, with one captain for each side. The error is an *Error, a
// *turn.ScenarioError, or says what is wrong with a setting.
func (l *Library) Setup(w Wish, o Opening) (turn.Setup, error) {
	data := []byte(w.Text)
	if w.Text == "" {
		var err error
		if data, err = l.Scenario(w.Scenario, w.Rules); err != nil {
			return turn.Setup{}, err
		}
	} else if w.Rules != "" {
		if _, err := l.RuleSet(w.Rules); err != nil {
			return turn.Setup{}, err
		}
		data = scenario.ForRules(data, w.Rules)
	}
	sc, diags := scenario.Parse(data)
	if sc == nil {
		return turn.Setup{}, &turn.ScenarioError{Diagnostics: diags}
	}
	s := turn.Setup{Scenario: data, ID: o.ID, Origin: o.Origin, Mail: vault.DefaultMail(), Secret: o.Secret, Options: turn.Options{Now: o.Now}}
	m := &s.Mail
	m.Robot, m.Teach, m.Replay = o.Robot, true, true
	switch {
	case o.Origin == vault.OriginPractice:
		m.Deadline, m.ChangeWindow, m.Grace, m.Remind = 7*clock.Day, 0, 0, nil
		m.Missed = vault.MissedTurnsRule{Turns: 1, Then: vault.ThenForfeit}
		if rules, err := l.RuleSet(sc.Rules); err != nil {
			return s, err
		} else if rules.Rounds() > 1 {
			s.Cadence = vault.CadencePhase
		}
	case o.Origin == OriginCup:
		// Seats are forfeited, not taken over: no one else may win a game for an entrant.
		s.Origin, m.Missed = "", vault.MissedTurnsRule{Turns: 2, Then: vault.ThenForfeit}
	case sc.Blind != nil:
		m.Missed = vault.MissedTurnsRule{Turns: 2, Then: vault.ThenRobot}
	default:
		m.Open, m.Observers, m.Missed = true, vault.ObserversPublic, vault.MissedTurnsRule{Turns: 2, Then: vault.ThenReplace}
	}
	if o.Origin == vault.OriginMail && len(o.People) < len(sc.Sides) {
		m.Start = vault.StartFull
	}
	for _, option := range w.Options {
		switch option[0] {
		case "cadence":
			s.Cadence = option[1]
			continue
		case "dice":
			s.Dice = option[1]
			continue
		}
		if !slices.Contains(wishKeys, option[0]) {
			return s, fault.New(orders.DidYouMean("%s", option[0], wishKeys, "one of: cadence, dice, "+strings.Join(wishKeys, ", ")), "%q cannot be set by mail", option[0])
		}
		if err := m.Set(option[0], option[1]); err != nil {
			return s, err
		}
	}
	for i, side := range sc.Sides {
		one := vault.Captain{Robot: o.Origin == vault.OriginPractice}
		if i < len(o.People) {
			one.Address, one.Player, one.Robot = o.People[i].Address, o.People[i].Name, false
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
