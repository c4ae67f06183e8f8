package referee

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/ruling"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// errRuling means an impossible ruling, or another impossible change of the past.
var errRuling = errors.New("invalid ruling")

// errEnds means a change of the past that would end the game without permission.
var errEnds = errors.New("the change ends the game")

// Plan is a change of a resolved turn as requested by a referee.
type Plan struct {
	Turn    int
	Rulings []string // see ruling.Ruling
	Orders  []Amendment
	Before  bool // rulings on ships apply from the beginning of the turn
	Force   bool // ... and may exceed the limits of a ship's class
	Later   turn.Later
	End     bool // the change may end a running game
}

// Amendment is an order set that replaces another.
type Amendment struct {
	Name string // ship, or "@" and captain; "" for any
	File string // name of the text in messages
	Text []byte
}

// OrdersError is an amended set with mistakes.
type OrdersError struct {
	File        string
	Diagnostics []orders.Diagnostic
}

// Error says that nothing was changed.
func (e *OrdersError) Error() string { return "the amended orders have errors; nothing was changed" }

// change returns the change that a plan asks for.
func (p Plan) change(g *vault.Game, a Act) (turn.Change, error) {
	c := turn.Change{By: a.By, Why: a.Why, Cause: a.Cause, Now: a.Now}
	for _, what := range p.Rulings {
		verb, args, err := ruling.Read(what)
		if err != nil {
			return c, err
		}
		if n, ok := turnOfRoll(args); verb == "roll" && ok && n != p.Turn {
			return c, &Error{
				Problem: fmt.Sprintf("the roll %s is one of turn %d, not of turn %d", args[0], n, p.Turn), Err: errRuling,
				Way: g.CommandLine("referee", "rerun", n, "--with", strconv.Quote(what)),
			}
		}
		if verb == "orders" {
			return c, &Error{Problem: "orders are amended by a file", Way: g.CommandLine("referee", "rerun", p.Turn, "--amend SHIP=FILE"), Err: errRuling}
		}
		c.Rulings = append(c.Rulings, ruling.Ruling{
			By: a.By, At: a.Now.UTC().Truncate(time.Second).Format(time.RFC3339), Why: a.Why,
			What: strings.Join(append([]string{verb}, args...), " "), Before: p.Before && verb != "roll", Force: p.Force,
		})
	}
	for _, am := range p.Orders {
		set, err := am.read(g, p.Turn)
		if err != nil {
			return c, err
		}
		c.Orders = append(c.Orders, set)
	}
	return c, nil
}

// turnOfRoll returns the turn in a roll's full name, "t3.p2.fire.hood.bank-a.hit".
func turnOfRoll(args []string) (int, bool) {
	if len(args) == 0 {
		return 0, false
	}
	head, _, ok := strings.Cut(args[0], ".")
	digits, isTurn := strings.CutPrefix(strings.ToLower(head), "t")
	n, err := strconv.Atoi(digits)
	return n, ok && isTurn && err == nil
}

// read parses an amended set: a single one, for the given turn and the named ship.
func (am Amendment) read(g *vault.Game, n int) (orderset.Set, error) {
	read, err := turn.Amended(g, n, am.Text)
	if err != nil {
		return orderset.Set{}, err
	}
	if orders.HasErrors(read.Diagnostics) {
		return orderset.Set{}, &OrdersError{File: am.File, Diagnostics: read.Diagnostics}
	}
	set := read.Sets[0]
	switch {
	case len(read.Sets) > 1:
		return set, &Error{Problem: fmt.Sprintf("the text holds %d order sets", len(read.Sets)), Way: "give one set a file", Err: errRuling}
	case am.Name != "" && !strings.EqualFold(am.Name, set.Name):
		return set, &Error{Problem: fmt.Sprintf("the orders are for %s, not for %s", set.Name, am.Name), Way: "name the ship that the orders are for", Err: errRuling}
	case set.Turn != n:
		return set, &Error{Problem: fmt.Sprintf("the orders are for turn %d, not for turn %d", set.Turn, n), Way: fmt.Sprintf("write turn %d", n), Err: errRuling}
	}
	return set, sameLuck(g, n, set)
}

// sameLuck refuses a set with other words for luck than the captain sent: by choosing words a
// referee could reroll the dice until the result suits them.
func sameLuck(g *vault.Game, n int, set orderset.Set) error {
	was, err := luckOf(g, n, set)
	if err != nil {
		return err
	}
	switch is := engine.LuckWords(&set.Block); {
	case is == was:
		return nil
	case was == "":
		return &Error{Problem: fmt.Sprintf("the set of %s that counted has no luck line, and a referee cannot add one", set.Name), Way: "leave the luck line out", Err: errRuling}
	default:
		return &Error{Problem: fmt.Sprintf("the words for luck of %s are the captain's own, and the dice hang on them", set.Name), Way: "leave the line as it is: luck " + was, Err: errRuling}
	}
}

// luckOf returns the words for luck in the set to be replaced, "" for none.
func luckOf(g *vault.Game, n int, set orderset.Set) (string, error) {
	var text []byte
	if n > g.Turn() {
		files, err := g.Orders.For(g.DueStage())
		if err != nil {
			return "", err
		}
		for _, f := range files {
			if strings.EqualFold(f.Name, set.Name) {
				text = f.Text
			}
		}
	} else {
		m, err := g.Stages.Manifest(vault.At(n))
		if err != nil {
			return "", err
		}
		file := turn.OrdersIn(max(set.Round, 1)) + "/" + set.Name + ".txt"
		if _, ok := m.Files[file]; ok {
			if text, err = g.Stages.File(vault.At(n), file); err != nil {
				return "", err
			}
		}
	}
	blocks, _ := orders.Parse(text, g.Rules().Language)
	if len(blocks) == 0 {
		return "", nil
	}
	return engine.LuckWords(&blocks[0]), nil
}

// PreviewRerun resolves a turn again with a change and writes nothing.
func PreviewRerun(g *vault.Game, a Act, p Plan) (*turn.Rerun, error) {
	c, err := p.change(g, a)
	if err != nil {
		return nil, err
	}
	return turn.Redo(g, p.Turn, c, p.Later.Rerun)
}

// Rerun resolves a turn again with a change, and makes the result count. Done in the result is
// false if an act with the same cause was done before.
func Rerun(g *vault.Game, a Act, p Plan, o turn.Options) (*turn.Correction, error) {
	if known, err := g.Journal.Noted(journal.Revise, a.Cause); known || err != nil {
		return &turn.Correction{}, err
	}
	c, err := p.change(g, a)
	if err != nil {
		return nil, err
	}
	may := func(run *turn.Rerun) error {
		how, err := Ends(g, run)
		if err == nil && how != "" && !p.End {
			err = &Error{Problem: "this ends the game: " + strings.TrimSuffix(how, ".") + "; nothing was changed", Way: "if that is meant, add --end", Err: errEnds}
		}
		return err
	}
	return turn.Correct(g, p.Turn, c, p.Later, may, o)
}

// Ends says how a running game would end by a rerun, "" if it would not.
func Ends(g *vault.Game, run *turn.Rerun) (how string, err error) {
	now, err := g.Stages.State(vault.At(g.Turn()))
	if err != nil || now.Result != nil {
		return "", err
	}
	return ended(run.Turns[len(run.Turns)-1].Is.State), nil
}

// Rollback undoes the turns after the given one. The one after it is due again, with a whole turn's
// time; with keep, the orders that it was resolved with are in force.
func Rollback(g *vault.Game, a Act, n int, keep bool) (t vault.Timing, err error) {
	if err := g.LockFresh(); err != nil {
		return t, err
	}
	defer g.Release(&err)
	if known, err := g.Journal.Noted(journal.Rollback, a.Cause); known || err != nil {
		return t, errors.Join(err, onlyTiming(g, &t))
	}
	if _, err := g.Stages.Manifest(vault.At(n)); err != nil {
		return t, err
	}
	deadline, err := g.Schedule().NextDeadline(a.Now)
	if err != nil {
		return t, err
	}
	var sets []vault.OrderFile
	if keep && n < g.Turn() {
		if sets, err = turn.SetsOf(g, n+1); err != nil {
			return t, err
		}
	}
	if _, err := vault.Rollback(g, a, n, deadline, sets); err != nil {
		return t, err
	}
	return t, onlyTiming(g, &t)
}

func onlyTiming(g *vault.Game, t *vault.Timing) (err error) {
	*t, err = g.Timing()
	return err
}

// Amend replaces the order set of a ship or captain for the due turn.
func Amend(g *vault.Game, a Act, am Amendment) (set orderset.Set, err error) {
	if err := g.LockFresh(); err != nil {
		return set, err
	}
	defer g.Release(&err)
	due, err := g.Due()
	if err != nil {
		return set, err
	}
	if due == 0 {
		return set, &Error{Problem: fmt.Sprintf("game %s is over", g.ID()), Way: "orders of a turn that was played: " + g.CommandLine("referee", "rerun TURN --amend SHIP=FILE"), Err: ErrOver}
	}
	if set, err = am.read(g, due); err != nil {
		return set, err
	}
	if at := g.DueStage(); set.Round > 0 && set.Round != at.Round {
		return set, &Error{Problem: fmt.Sprintf("the orders are for %s, but %s is due", turn.StageOf(set), at), Way: fmt.Sprintf("write them for %s", at), Err: errRuling}
	}
	_, err = vault.Amend(g, a, set.Captain, set.Name, []byte(set.Text))
	return set, err
}
