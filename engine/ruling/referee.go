package ruling

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Referee lets a rule set have rulings.
type Referee struct {
	// Settle is called after rulings on ships, for their consequences, such as who sees whom; nil for none.
	Settle func(t *engine.Turn)

	rulings []Ruling
}

// Events implements [engine.Referee].
func (*Referee) Events() *engine.EventTypes { return events }

var events = engine.ListEvents(engine.EventOf[Ruled]("ruling", engine.BetweenDice))

// Begin implements [engine.Referee].
func (r *Referee) Begin(t *engine.Turn) engine.TurnReferee {
	if len(r.rulings) == 0 {
		return nil
	}
	return &turn{Turn: t, by: r}
}

// Upon returns a rule set with the rulings of a turn. Rulings on ships and contacts are made at the beginning of
// the turn or at its end, before victory is checked (if the game would be over earlier, at that point). Rulings on
// rolls are made when they are rolled.
func Upon(r *engine.Rules, rulings []Ruling) *engine.Rules {
	if len(rulings) == 0 {
		return r
	}
	with := *r
	by := &Referee{rulings: rulings}
	if was, ok := r.Referee.(*Referee); ok {
		by.Settle = was.Settle
	}
	with.Referee = by
	n := len(r.Phases)
	last := n
	if n > 0 && r.Phases[n-1].Name == "end" && r.Phases[n-1].Step == "end" {
		last = n - 1
	}
	phase := func(like int, step string, run func(engine.TurnReferee)) engine.Phase {
		p := engine.Phase{Name: "rulings", Step: step, Run: func(t *engine.Turn) { run(t.Referee()) }}
		if n > 0 {
			p.Round = r.Phases[min(like, n-1)].Round
		}
		return p
	}
	with.Phases = slices.Concat(
		[]engine.Phase{phase(0, "power", engine.TurnReferee.AtBeginning)},
		r.Phases[:last],
		[]engine.Phase{phase(last, "end", func(by engine.TurnReferee) { by.AtEnd() })},
		r.Phases[last:],
		[]engine.Phase{phase(n, "end", engine.TurnReferee.Over)},
	)
	return &with
}

// Setup changes the set-up of a game by rulings; there are no rolls in it. Like [engine.Resolve] it does not change
// before.
func Setup(r *engine.Rules, before *engine.Game, rulings []Ruling) (after *engine.Game, events []engine.Event, err error) {
	if before.Turn != 0 {
		return nil, nil, fmt.Errorf("rule on the set-up of %s: %w: it is at turn %d", before.ID, engine.ErrInvariant, before.Turn)
	}
	return engine.OnSetup(Upon(r, rulings), before, engine.Phase{Name: "rulings", Step: "end", Run: func(t *engine.Turn) {
		if by := t.Referee(); by != nil {
			by.AtBeginning()
			by.AtEnd()
			by.Over()
		}
	}})
}

// turn is the referee's part in one turn.
type turn struct {
	*engine.Turn
	by    *Referee
	ended bool // the rulings for the end of the turn have been carried out
}

// AtBeginning implements [engine.TurnReferee].
func (t *turn) AtBeginning() { t.rule(true) }

// AtEnd implements [engine.TurnReferee].
func (t *turn) AtEnd() bool {
	if t.ended {
		return false
	}
	t.ended = true
	t.rule(false)
	return true
}

// rule carries out the rulings, except those on rolls, for the beginning or the end of the turn.
func (t *turn) rule(before bool) {
	done := false
	for i, ru := range t.by.rulings {
		verb, args, err := Read(ru.What)
		if bad, ok := errors.AsType[*Error](err); ok {
			bad.No = i
			t.Stop(bad)
		}
		if verb == "roll" || (ru.Before || verb == "orders") != before {
			continue
		}
		b := &Ruler{Ruling: ru, t: t.Turn, no: i}
		b.carryOut(verb, args)
		done = done || verb != "orders"
	}
	if done && t.by.Settle != nil {
		t.by.Settle(t.Turn)
	}
}

// Thrown implements [engine.TurnReferee]. The last ruling on a roll counts.
func (t *turn) Thrown(roll *engine.Roll, see engine.See) engine.Ref {
	low, high := roll.Dice.Range()
	value := roll.Value
	by := -1
	for i, ru := range t.by.rulings {
		verb, args, err := Read(ru.What)
		if err != nil || verb != "roll" || !strings.EqualFold(args[0], roll.Name.String()) {
			continue
		}
		v, err := strconv.Atoi(args[1])
		if err != nil || v < low || v > high {
			t.Stop(&Error{
				No: i, What: ru.What, Problem: fmt.Sprintf("%s is not a value of a %s", args[1], roll.Dice), Hints: fmt.Sprintf("from %d to %d", low, high),
			})
		}
		by, value = i, v
	}
	if by < 0 {
		return engine.Ref{}
	}
	roll.Was, roll.Value = roll.Value, value
	body := t.by.rulings[by].ruled()
	body.Roll, body.From, body.To = roll.Name, strconv.Itoa(roll.Was), strconv.Itoa(roll.Value)
	return t.Emit(body, see, "referee")
}

// Over implements [engine.TurnReferee]. It stops the turn if a roll with a ruling was never rolled.
func (t *turn) Over() {
	var names []string
	for i, ru := range t.by.rulings {
		verb, args, err := Read(ru.What)
		if err != nil || verb != "roll" {
			continue
		}
		if names == nil {
			for _, e := range t.Events() {
				if roll, ok := e.Body.(*engine.Roll); ok {
					names = append(names, roll.Name.String())
				}
			}
		}
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, args[0]) }) {
			continue
		}
		hint := "it has no dice"
		if near := orders.Suggest(args[0], names); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		} else if len(names) > 0 {
			hint = fmt.Sprintf("its first is %q", names[0])
		}
		t.Stop(&Error{No: i, What: ru.What, Problem: fmt.Sprintf("turn %d has no roll %q", t.Number(), args[0]), Hints: hint})
	}
}
