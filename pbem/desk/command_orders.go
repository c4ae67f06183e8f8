package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

// checked is a check: what it does was done with the order sets of the mail.
func checked(c *task, d *commandResult) {
	n := 0
	for i := range c.orderResults {
		if c.orderResults[i].game != nil {
			n++
		}
	}
	d.subject = "Check"
	if n == 0 {
		d.refuse(codes.BadCommand, "there is no order set in the mail that could be checked", "put the set below it, from #orders to #end")
		return
	}
	d.say("Nothing of the order sets in this mail was stored. What is in force stays in force; to send them, leave the line check out.")
}

// checks tells whether the mail's order sets are only to be looked at.
func (c *task) checks() bool {
	return slices.ContainsFunc(c.commands, func(cmd *command.Command) bool { return cmd.Verb.Name == "check" || cmd.Verb.Name == "rehearse" })
}

// named is a set in force, or one that this mail puts in force.
type named struct {
	name string // as vault has it: "Hood", "@Kirk"
	text string
}

// sets are those that are in force for the captain for a turn once the order
// sets of this mail are stored.
func setsInForce(c *task, d *commandResult, t int) ([]named, error) {
	files, err := d.game.Orders(t)
	if err != nil {
		return nil, err
	}
	var out []named
	for _, f := range files {
		if !f.TooLarge && d.owns(f.Name) {
			out = append(out, named{f.Name, string(f.Text)})
		}
	}
	for i := range c.orderResults {
		s := &c.orderResults[i]
		if !s.taken || s.game != d.game || turn.StageOf(s.set) != d.stage(t) || !d.owns(s.set.Name) {
			continue
		}
		out = slices.DeleteFunc(out, func(n named) bool { return strings.EqualFold(n.name, s.set.Name) })
		if !s.cancel {
			out = append(out, named{s.set.Name, s.set.Text})
		}
	}
	return out, nil
}

// owns tells whether a set of that name is the captain's.
func (d *commandResult) owns(name string) bool {
	if who, ok := strings.CutPrefix(name, "@"); ok {
		return strings.EqualFold(who, d.captain.Name.Word())
	}
	return slices.ContainsFunc(d.pos.SetNames(d.captain), func(s string) bool { return strings.EqualFold(s, name) })
}

// stage is what sets for a turn are for when no round is named: the round that is
// due, or the first of a later turn.
func (d *commandResult) stage(t int) vault.Stage {
	due := d.pos.DueStage()
	if t != due.Turn && due.Round > 0 {
		return vault.Stage{Turn: t, Round: 1}
	}
	return vault.Stage{Turn: t, Round: due.Round}
}

// prove makes a step that notes the proof of a command which changes sets, so
// that none that is older comes after it.
func (c *task) prove(d *commandResult) error {
	proof, err := c.noted(d.claim, d.proof)
	if err == nil && proof != nil {
		c.Steps = append(c.Steps, NoteStep{Game: d.game, Entries: []journal.Entry{*proof}})
	}
	return err
}

// put makes a step of a set to store, or to drop, with the proof that goes with
// it.
func (c *task) put(d *commandResult, t int, name, text string) error {
	step := OrderStep{Game: d.game, Turn: t, Round: d.stage(t).Round, Name: name, Text: text, At: c.in.Received}
	cl := d.claim
	cl.turn, cl.what = t, name
	var err error
	if step.Proof, err = c.noted(cl, d.proof); err != nil {
		return err
	}
	c.Steps = append(c.Steps, step)
	return nil
}

// closed refuses what would change sets that are closed.
func (d *commandResult) closed(t int) bool {
	if !d.pos.Closed() || t != d.pos.Due() {
		return false
	}
	code, why, way := turn.WhyClosed(d.pos)
	d.refuse(code, why+"; nothing was changed", way)
	return true
}

// cancel drops sets in force.
func cancel(c *task, d *commandResult) error {
	t, ok := d.turn(orderset.MaxAhead)
	if !ok || d.closed(t) {
		return nil
	}
	ship := ""
	if d.cmd.Ship != "" {
		sets := d.pos.SetNames(d.captain)
		i := slices.IndexFunc(sets, func(s string) bool {
			found, err := d.pos.FindShip(d.cmd.Ship)
			return err == nil && found.Name == s || strings.EqualFold(d.cmd.Ship, s)
		})
		if i < 0 {
			hint := orders.DidYouMean("%q", d.cmd.Ship, sets, "your ships: "+strings.Join(sets, ", "))
			d.refuse(orderset.CodeUnknownShip, fmt.Sprintf("you have no ship %q", command.Shorten(d.cmd.Ship)), hint)
			return nil
		}
		ship = sets[i]
	}
	for i := range c.orderResults {
		s := &c.orderResults[i]
		if s.taken && !s.cancel && s.game == d.game && turn.StageOf(s.set) == d.stage(t) && d.owns(s.set.Name) && (ship == "" || s.set.Name == ship) {
			d.refuse(codes.CancelAndSet, fmt.Sprintf("the mail also holds a set for %s, which is stored; nothing was dropped", s.name()),
				"a new set replaces the one in force by itself; to drop it, send cancel alone")
			return nil
		}
	}
	names := []string{ship}
	if ship == "" {
		names = append(d.pos.SetNames(d.captain), "@"+d.captain.Name.Word())
	}
	if err := c.prove(d); err != nil {
		return err
	}
	// Also where none is, and that is no error: when the same mail is judged
	// again, the set is gone, and the steps must be the same.
	for _, name := range names {
		if !vault.CanHold(name) {
			continue
		}
		if err := c.put(d, t, name, ""); err != nil {
			return err
		}
		if on, post, ok := engine.FindSeat(d.pos.State().Ships, name); ok {
			dropped := orderResult{game: d.game, pos: d.pos, captain: d.captain, cancel: true, set: orderset.Set{Name: name, Ship: on.ID, Post: post, Turn: t, Round: d.stage(t).Round}}
			if err := c.tellAboard(&dropped, len(c.orderResults)+len(c.Steps)); err != nil {
				return err
			}
		}
	}
	what := "any of your ships"
	if ship != "" {
		what = ship
	}
	// It holds whether there was one or not, for the same reason.
	d.subject = "T" + d.stage(t).String()[1:] + ": orders dropped, if there were any"
	d.say("For %s no order set for %s is in force: if there was one, it is dropped. A new one may be sent at any time before the turn runs.", d.stage(t), what)
	return nil
}

// setWord puts final or wait into the sets in force, and takes the other out.
func setWord(c *task, d *commandResult) error {
	word := d.cmd.Verb.Name
	other := map[string]string{"final": "wait", "wait": "final"}[word]
	t, ok := d.turn(orderset.MaxAhead)
	if !ok || d.closed(t) {
		return nil
	}
	d.subject = fmt.Sprintf("T%s: %s", d.stage(t).String()[1:], word)
	sets, err := setsInForce(c, d, t)
	if err != nil {
		return err
	}
	var names []string
	for _, s := range sets {
		text, ok := d.withWord(t, s, word, other)
		if !ok {
			continue
		}
		if err := c.put(d, t, s.name, text); err != nil {
			return err
		}
		names = append(names, strings.TrimPrefix(s.name, "@"))
	}
	if len(names) > 0 {
		if err := c.prove(d); err != nil {
			return err
		}
	} else {
		d.refuse(codes.NothingInForce, fmt.Sprintf("no order set of yours is in force for %s, so there is nothing to say %s to", d.stage(t), word),
			fmt.Sprintf("send your orders with the line %s in them", word))
		return nil
	}
	d.say("Your orders for %s now say %s: %s.", d.stage(t), word, strings.Join(names, ", "))
	if word == "final" {
		d.say("When every captain has said so, the turn runs at once.")
	} else {
		d.say("The turn does not run before its deadline, even if all orders are in.")
	}
	var without []string
	for _, seat := range d.game.Rules().Owed(d.pos.State()) {
		s, _ := d.pos.State().Ship(seat.Ship)
		name := engine.OrderSetName(s.Name, seat.Post)
		if s.Holder(seat.Post) == d.captain.Name && t == d.pos.Due() && !slices.Contains(names, name) {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		d.diags = append(d.diags, orders.Diagnostic{
			Pos: d.cmd.Pos, Severity: orders.Warning, Code: codes.ShipWithout, Message: "no orders are in force for " + strings.Join(without, ", "),
			Hint: "send them before the deadline",
		})
	}
	return nil
}

// withWord is a set with one word and without another.
func (d *commandResult) withWord(t int, s named, word, other string) (string, bool) {
	lang := d.game.Rules().Language
	blocks, diags := orders.Parse([]byte(s.text), lang)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		return "", false // put there by hand; the game waits for the hand
	}
	b := blocks[0]
	b.Groups = slices.Clone(b.Groups)
	at := slices.IndexFunc(b.Groups, func(g orders.Group) bool { return g.Name == "" && g.N == 0 })
	if at < 0 {
		b.Groups, at = append(b.Groups, orders.Group{}), len(b.Groups)
	}
	g := &b.Groups[at]
	g.Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return st.Verb == other || st.Verb == word })
	// Read as any line is, so that it is what the language makes of it.
	st, diags := lang.Statement("", word)
	if orders.HasErrors(diags) {
		return "", false // the rule set has no such word
	}
	g.Statements = append(g.Statements, st)
	text := orders.Format(b)
	read := d.pos.CheckAs([]byte(text), d.captain.Name)
	if len(read.Sets) != 1 || !read.Sets[0].OK() || read.Sets[0].Turn != t {
		return "", false
	}
	return read.Sets[0].Text, true
}
