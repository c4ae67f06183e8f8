package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine/hex"
	"starpost/orders"
)

// A referee may change what came of a turn: the value of a die, or how a ship
// stands. What he rules is an input of the turn like its orders, so that a replay which
// has orders, rulings and the secret gets the same events again.

// Ruling is one change, in words:
//
//	set SHIP FIELD VALUE     move SHIP HEX HEADING    repair SHIP SYSTEM|all
//	damage SHIP SYSTEM [N]   kill SHIP                revive SHIP
//	roll NAME VALUE          orders NAME
//	contact SHIP CONTACT LEVEL    forget SHIP CONTACT    echo SHIP HEX
//
// Fields and systems are the [Field]s of the ship, see [Editable]. Orders changes nothing: it
// records that an order set was replaced.
type Ruling struct {
	By     string `json:"by"`
	At     string `json:"at"` // when it was given, for the record
	Why    string `json:"why"`
	What   string `json:"what"`
	Before bool   `json:"before,omitempty"` // at the beginning of the turn, not at its end; a roll has its own time
	Force  bool   `json:"force,omitempty"`  // also where a ship's class does not allow the value
}

// Field is something of a ship that a referee may set.
type Field struct {
	Name    string   `json:"name"`              // "superstructure", "shield-2"
	System  string   `json:"system,omitempty"`  // as repair and damage call it; "" if they call it as Name does
	Now     string   `json:"now"`               //
	Choices []string `json:"choices,omitempty"` // the words that it may be; nil for a whole number
	Low     int      `json:"low"`               // the least number ...
	High    int      `json:"high"`              // ... and the most
	Floor   int      `json:"floor"`             // with force: the least number that can be played with at all ...
	Ceiling int      `json:"ceiling"`           // ... and the most
	Whole   string   `json:"whole,omitempty"`   // what it is in a ship that nothing has happened to; "" if it cannot be repaired
	Lost    string   `json:"lost,omitempty"`    // what damage makes of it, where that has no points; "" for numbers
	Vital   bool     `json:"vital,omitempty"`   // a ship is out of the fight with less than Low
	Ship    bool     `json:"ship,omitempty"`    // it is neither word nor number but a ship that is on the map, by id
	Open    bool     `json:"open,omitempty"`    // all who see the ship see it
}

// Editable is a System of which a referee may set something.
type Editable interface {
	System
	// Fields are all that may be set, in the order in which they are listed.
	Fields() []Field
	// Set gives a field a value that it can have, perhaps only by force.
	Set(name, value string) error
}

// The dials that every ship has.
const (
	fieldPlace   = "place" // hex and heading together: "0405 C"
	fieldHex     = "hex"
	fieldHeading = "heading"
	fieldStatus  = "status"
)

// RulingError is a ruling that cannot be: which of the turn's (from 0), what is
// wrong with it, and the way out.
type RulingError struct {
	No             int
	What           string
	Problem, Hints string
}

// Error names the ruling.
func (e *RulingError) Error() string { return fmt.Sprintf("ruling %q: %s", e.What, e.Problem) }

// Hint is the way out.
func (e *RulingError) Hint() string { return e.Hints }

// Ruled is a referee's change. Field, From and To say of a ship what it was and
// is, From and To of a roll what the die showed and what counts; a ruling that
// changes several things is several events, one that is only for the record has
// neither.
type Ruled struct {
	By    string   `json:"by" see:"all"`
	What  string   `json:"what" see:"all"`
	Why   string   `json:"why" see:"all"`
	Ship  ShipID   `json:"ship,omitempty" see:"all"`
	Field string   `json:"field,omitempty" see:"all"`
	From  string   `json:"from,omitempty" see:"all"`
	To    string   `json:"to,omitempty" see:"all"`
	Roll  RollName `json:"roll,omitzero" see:"all"` // whole name of the roll that follows
	Force bool     `json:"force,omitempty" see:"all"`
}

// Type implements Body.
func (*Ruled) Type() string { return "ruling" }

// Apply implements Body.
func (b *Ruled) Apply(g *Game) error {
	if b.Field == "" {
		return nil
	}
	s, ok := g.Ship(b.Ship)
	if !ok {
		return UnknownShip(b.Ship)
	}
	now, err := fieldNow(s, b.Field)
	if err != nil {
		return err
	}
	if now != b.From {
		return fmt.Errorf("%s of %s is %s, not %s", b.Field, b.Ship, now, b.From)
	}
	return setField(s, b.Field, b.To)
}

// Words tell the change; name gives the name of a ship by its id.
func (b *Ruled) Words(name func(id ShipID) string) string {
	forced := ""
	if b.Force {
		forced = ", beyond what the class allows"
	}
	switch {
	case b.Roll != (RollName{}):
		return fmt.Sprintf("%s: the die showed %s, %s counts", b.Roll, b.From, b.To)
	case b.Field == fieldPlace:
		return fmt.Sprintf("%s is put from %s to %s%s", name(b.Ship), b.From, b.To, forced)
	case b.Field != "":
		return fmt.Sprintf("%s: %s was %s, is %s%s", name(b.Ship), b.Field, b.From, b.To, forced)
	}
	return b.What
}

func placeWords(p Place) string { return p.Hex.Label() + " " + p.Heading.String() }

func fieldNow(s *Ship, name string) (string, error) {
	switch name {
	case fieldPlace:
		return placeWords(Place{s.Hex, s.Heading}), nil
	case fieldStatus:
		return string(s.Status), nil
	}
	if d, ok := s.System.(Editable); ok {
		for _, field := range d.Fields() {
			if field.Name == name {
				return field.Now, nil
			}
		}
	}
	return "", fmt.Errorf("%s has no %q", s.ID, name)
}

func setField(s *Ship, name, value string) error {
	switch name {
	case fieldPlace:
		at, heading, _ := strings.Cut(value, " ")
		h, err := hex.ParseLabel(at)
		if err != nil {
			return err
		}
		d, err := hex.ParseHeading(heading)
		if err != nil {
			return err
		}
		s.Hex, s.Heading = h, d
		return nil
	case fieldStatus:
		s.Status = Status(value)
		if s.Status == Active {
			s.OutTurn, s.Exit = 0, nil
		}
		return nil
	}
	d, ok := s.System.(Editable)
	if !ok {
		return fmt.Errorf("%s has no %q", s.ID, name)
	}
	return d.Set(name, value)
}

// RulingForms are the forms of rulings, for messages and handbooks.
func RulingForms() []string {
	return []string{
		"set SHIP FIELD VALUE", "move SHIP HEX HEADING", "repair SHIP SYSTEM|all", "damage SHIP SYSTEM [POINTS]",
		"kill SHIP", "revive SHIP", "roll NAME VALUE",
		"contact SHIP CONTACT LEVEL", "forget SHIP CONTACT", "echo SHIP HEX",
	}
}

// rulingArgs are how many words follow each verb, at least and at most.
func rulingArgs() map[string][2]int {
	return map[string][2]int{
		"set": {3, 3}, "move": {3, 3}, "repair": {2, 2}, "damage": {2, 3}, "kill": {1, 1}, "revive": {1, 1},
		"roll": {2, 2}, "orders": {1, 1}, "contact": {3, 3}, "forget": {2, 2}, "echo": {2, 2},
	}
}

// ReadRuling splits a ruling into its verb and what follows. The error is a
// *RulingError.
func ReadRuling(what string) (verb string, args []string, err error) {
	words := strings.Fields(what)
	refuse := func(hint, format string, a ...any) (string, []string, error) {
		return "", nil, &RulingError{What: what, Problem: fmt.Sprintf(format, a...), Hints: hint}
	}
	if len(words) == 0 {
		return refuse("one of: "+strings.Join(RulingForms(), ", "), "it is empty")
	}
	verb, args = strings.ToLower(words[0]), words[1:]
	count, ok := rulingArgs()[verb]
	if !ok {
		verbs := []string{"set", "move", "repair", "damage", "kill", "revive", "roll", "contact", "forget", "echo"}
		hint := orders.DidYouMean("%q", verb, verbs, "one of: "+strings.Join(RulingForms(), ", "))
		return refuse(hint, "%q is no ruling", words[0])
	}
	if len(args) < count[0] || len(args) > count[1] {
		form := verb
		if i := slices.IndexFunc(RulingForms(), func(f string) bool { return strings.HasPrefix(f, verb+" ") }); i >= 0 {
			form = RulingForms()[i]
		}
		return refuse("write: "+form, "%d words follow %s", len(args), verb)
	}
	return verb, args, nil
}

// Ruled is the rule set with the rulings of a turn: state rulings at its
// beginning, or at its end before victory is looked at, which is in the middle of the
// turn if the game would be over there; values of rolls when they are thrown.
func (r *Rules) Ruled(rulings []Ruling) *Rules {
	if len(rulings) == 0 {
		return r
	}
	with := *r
	with.rulings = rulings
	n := len(r.Phases)
	last := n
	if n > 0 && r.Phases[n-1].Name == "end" && r.Phases[n-1].Step == "end" {
		last = n - 1
	}
	phase := func(like int, step string, run func(*Turn)) Phase {
		p := Phase{Name: "rulings", Step: step, Run: run}
		if n > 0 {
			p.Round = r.Phases[min(like, n-1)].Round
		}
		return p
	}
	with.Phases = slices.Concat(
		[]Phase{phase(0, "power", func(t *Turn) { t.rule(true) })},
		r.Phases[:last],
		[]Phase{phase(last, "end", func(t *Turn) { t.ruleAtEnd() })},
		r.Phases[last:],
		[]Phase{phase(n, "end", (*Turn).allRolled)},
	)
	return &with
}

// ruleAtEnd carries out the state rulings for the end of the turn, unless that is done,
// and tells whether there were any to carry out.
func (t *Turn) ruleAtEnd() bool {
	if t.ruled || len(t.Rules.rulings) == 0 {
		return false
	}
	t.ruled = true
	t.rule(false)
	return true
}

// RuleSetup changes the set-up of a game by rulings; rolls there are none. Like
// Resolve it does not change before.
func RuleSetup(r *Rules, before *Game, rulings []Ruling) (after *Game, events []Event, err error) {
	if before.Turn != 0 {
		return nil, nil, fmt.Errorf("rule on the set-up of %s: %w: it is at turn %d", before.ID, ErrInvariant, before.Turn)
	}
	with := r.Ruled(rulings)
	t := &Turn{Rules: with, Game: before.Clone(), Sheets: map[Seat]Sheet{}, Phase: Phase{Name: "rulings", Step: "end"}}
	t.extension = with.extend(t)
	defer func() {
		if p := recover(); p != nil {
			after, events, err = nil, nil, t.failed(p)
		}
	}()
	t.rule(true)
	t.rule(false)
	t.allRolled()
	return t.Game, t.events, nil
}

// refusedError carries a ruling that cannot be out of a phase.
type refusedError struct{ *RulingError }

// failed makes an error of what a phase ended with; what is none of the engine's
// goes on.
func (t *Turn) failed(p any) error {
	switch p := p.(type) {
	case refusedError:
		return p.RulingError
	case brokenError:
		return fmt.Errorf("resolve turn %d of %s: %w: %w", t.no, t.Game.ID, ErrInvariant, p.error)
	}
	panic(p)
}

// overrule gives a roll the value that a referee gives it, if he does, and tells
// that to those who see all of the roll: the event.
func (t *Turn) overrule(roll *Roll, see See) Ref {
	low, high := roll.Dice.Range()
	value := roll.Value
	by := -1
	for i, ru := range t.Rules.rulings { // the last word counts
		verb, args, err := ReadRuling(ru.What)
		if err != nil || verb != "roll" || !strings.EqualFold(args[0], roll.Name.text) {
			continue
		}
		v, err := strconv.Atoi(args[1])
		if err != nil || v < low || v > high {
			panic(refusedError{&RulingError{
				No: i, What: ru.What, Problem: fmt.Sprintf("%s is no value of a %s", args[1], roll.Dice), Hints: fmt.Sprintf("from %d to %d", low, high),
			}})
		}
		by, value = i, v
	}
	if by < 0 {
		return Ref{}
	}
	ru := t.Rules.rulings[by]
	roll.Was, roll.Value = roll.Value, value
	return t.Emit(&Ruled{
		By: ru.By, What: ru.What, Why: ru.Why, Roll: roll.Name, From: strconv.Itoa(roll.Was), To: strconv.Itoa(roll.Value),
	}, see, "referee")
}

// allRolled asserts that every roll of which a referee spoke was thrown.
func (t *Turn) allRolled() {
	var names []string
	for i, ru := range t.Rules.rulings {
		verb, args, err := ReadRuling(ru.What)
		if err != nil || verb != "roll" {
			continue
		}
		if names == nil {
			for _, e := range t.events {
				if roll, ok := e.Body.(*Roll); ok {
					names = append(names, roll.Name.text)
				}
			}
		}
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, args[0]) }) {
			continue
		}
		hint := "no die is thrown in it"
		if near := orders.Suggest(args[0], names); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		} else if len(names) > 0 {
			hint = fmt.Sprintf("its first is %q", names[0])
		}
		panic(refusedError{&RulingError{No: i, What: ru.What, Problem: fmt.Sprintf("turn %d has no roll %q", t.no, args[0]), Hints: hint}})
	}
}
