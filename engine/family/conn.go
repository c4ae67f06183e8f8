package family

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/hex"
	"starpost/orders"
)

// verbConn is the verb of plain commands (house 200.0): orders for captains without a map, which a rule set's
// navigator turns into ordinary orders.
const verbConn = "conn"

// ConnKind is the kind of a plain command: the index of its form among those of the verb.
type ConnKind int

// The plain commands.
const (
	ConnAhead   ConnKind = iota // a pace
	ConnCome                    // to a heading
	ConnSteer                   // for a ship, to a range
	ConnBattery                 // fire of the weapons of one side
	ConnShields                 // raise the shields ahead first
	ConnDamage                  // damage control
)

// The paces.
const (
	PaceFull = "full"
	PaceHalf = "half"
	PaceSlow = "slow"
	PaceStop = "stop"
)

// ConnVerb returns the order that gives a plain command, for rule sets with a navigator.
func ConnVerb() orders.Verb {
	return orders.Verb{
		Name: verbConn,
		Forms: []orders.Form{
			"conn ahead PACE", "conn come to LETTER", "conn steer for SHIP [to RANGE]", "conn BATTERY battery at SHIP", "conn shields ahead", "conn damage control",
		},
		Doc:      "A plain command, for captains without a map at hand: your officers turn it into orders when your mail is read, and the answer shows which. They are for the turn or round that is due. Power is allotted for you, unless you write orders under `power` yourself; in phases in which you move the ship yourself, a command does not. The default pace is last turn's, or half; without a heading or a ship to steer for, the ship goes straight on.",
		Examples: []string{"conn ahead half", "conn come to C", "conn steer for Zephyr to 8", "conn port battery at Zephyr", "conn shields ahead", "conn damage control"},
	}
}

// batteries lists the batteries clockwise from the bow.
func batteries() []string { return []string{"forward", "starboard", "aft", "port"} }

// ConnParams returns the placeholders that only [ConnVerb] has.
func ConnParams() map[string]orders.Param {
	var headings []string
	for h := hex.A; h <= hex.F; h++ {
		headings = append(headings, h.String())
	}
	return map[string]orders.Param{
		"PACE":    {Class: orders.Choice, Choices: []string{PaceFull, PaceHalf, PaceSlow, PaceStop}, Doc: "full, half, slow or stop"},
		"LETTER":  {Class: orders.Choice, Choices: headings, Doc: "a heading, A to F clockwise from the top of the map"},
		"BATTERY": {Class: orders.Choice, Choices: batteries(), Doc: "the weapons that bear to one side: forward, starboard, aft or port"},
	}
}

// Conn is a plain command. Word is its pace, heading or battery, in lower case except for headings. Range is 1 or
// more if the captain gave one, otherwise -1.
type Conn struct {
	Kind  ConnKind
	Pos   orders.Pos
	Word  string
	Ship  string
	Range int
}

// Steers reports whether an order in a phase moves the ship. Plain commands do not move her in such a phase.
func Steers(st orders.Statement) bool {
	return slices.Contains([]string{"move", "pursue", "flee", "face", "circle", "course"}, st.Verb)
}

// Pursuit returns the order in a phase for a command to steer for a ship.
func (c Conn) Pursuit() orders.Order {
	if c.Range < 0 {
		return orders.Say("pursue", c.Ship)
	}
	return orders.Say("pursue", c.Ship, "to", c.Range)
}

// Heading returns the heading of a command to come to one.
func (c Conn) Heading() hex.Heading { return hex.Heading(c.Word[0] - 'A') }

// Bearing returns the middle of a battery's side, from the bow.
func (c Conn) Bearing() hex.Point {
	const quarter = 6 // points of the circle
	return hex.Point(slices.Index(batteries(), c.Word) * quarter)
}

// A Navigator turns the plain commands of a ship's set into orders, using what its captain may know.
type Navigator func(v *engine.View, ship engine.ShipID, commands []Conn, b *orders.Block) Conned

// Conned is the result of a [Navigator]: ordinary orders, and the commands that the ship cannot carry out.
type Conned struct {
	orders []connOrder
	faults []orders.Diagnostic
}

// connOrder is an order and the heading that it belongs under: its name and number. By is the command that it
// carries out.
type connOrder struct {
	by    Conn
	under string
	n     int
	order orders.Order
}

// Add adds an order for a command.
func (c *Conned) Add(by Conn, under string, n int, order orders.Order) {
	c.orders = append(c.orders, connOrder{by, under, n, order})
}

// AddPower adds the orders of a set that are about power, for a command.
func (c *Conned) AddPower(by Conn, set orders.Set) {
	power, _ := set.Under(underPower, 0)
	for _, o := range power {
		c.Add(by, underPower, 0, o)
	}
}

// Possible returns the commands that a ship can carry out and refuses the others. Cannot returns why she cannot and
// what to do about it; why is blank if she can.
func (c *Conned) Possible(commands []Conn, cannot func(Conn) (hint, why string)) (out []Conn) {
	for _, of := range commands {
		if hint, why := cannot(of); why != "" {
			c.faults = append(c.faults, fault(of, hint, why))
		} else {
			out = append(out, of)
		}
	}
	return out
}

// fault returns the diagnostic for a command that a ship cannot carry out.
func fault(of Conn, hint, why string) orders.Diagnostic {
	return orders.Diagnostic{Pos: of.Pos, Code: verbConn, Message: why, Hint: hint}
}

// Commands returns the plain commands of a set, in their order.
func Commands(b *orders.Block) (out []Conn) {
	for _, st := range engine.TurnLevelStatements(b, verbConn) {
		c := Conn{Kind: ConnKind(st.Form), Pos: st.Pos, Range: -1}
		for _, a := range st.Args {
			switch a.Name {
			case "SHIP":
				c.Ship = a.Text
			case "RANGE":
				c.Range = a.Num
			default:
				c.Word = a.Text
			}
		}
		out = append(out, c)
	}
	return out
}

// OfKind returns the first command of a kind.
func OfKind(all []Conn, kind ConnKind) (Conn, bool) {
	i := slices.IndexFunc(all, func(c Conn) bool { return c.Kind == kind })
	if i < 0 {
		return Conn{}, false
	}
	return all[i], true
}

// For returns the first command of a kind, or the first of all if there is none.
func For(all []Conn, kind ConnKind) Conn {
	c, ok := OfKind(all, kind)
	if !ok {
		c = all[0]
	}
	return c
}

// By returns the function for Conn in [engine.Rules]: it replaces the plain commands of a set by ordinary orders.
// The effects say which orders each command has become, the faults which of them the ship cannot carry out. If the
// captain wrote orders under power, those stay, and the navigator's orders about power are dropped.
func (navigate Navigator) By(language *orders.Language) func(*engine.View, engine.ShipID, orders.Block) (orders.Block, []engine.Effect, []orders.Diagnostic) {
	return func(v *engine.View, ship engine.ShipID, b orders.Block) (orders.Block, []engine.Effect, []orders.Diagnostic) {
		commands := Commands(&b)
		if len(commands) == 0 {
			return b, nil, nil
		}
		commands, faults := contradictions(commands)
		made := navigate(v, ship, commands, &b)
		c := conning{language: language, own: Allots(&b), faults: append(faults, made.faults...)}
		c.groups = withoutCommands(b.Groups)
		for i, o := range made.orders {
			c.take(o, i > 0 && made.orders[i-1].under == underPower)
		}
		b.Groups = c.groups
		return b, c.effects, c.faults
	}
}

// conning adds orders to a set without plain commands.
type conning struct {
	language *orders.Language
	own      bool // the captain wrote orders about power
	groups   []orders.Group
	effects  []engine.Effect
	faults   []orders.Diagnostic
}

// take adds one order to the set. Again says that the order before it was about power too.
func (c *conning) take(o connOrder, again bool) {
	line := o.by.Pos.Line
	if o.under == underPower && c.own {
		if !again {
			c.effects = append(c.effects, engine.Effect{Line: line, Text: "your own orders under power apply"})
		}
		return
	}
	st, diags := o.order.Statement(c.language, o.under)
	if len(diags) > 0 {
		c.faults = append(c.faults, fault(o.by, diags[0].Hint, fmt.Sprintf("%s: %s", o.order, diags[0].Message)))
		return
	}
	if c.said(o, st.Verb) {
		c.effects = append(c.effects, engine.Effect{Line: line, Text: fmt.Sprintf("your own order %s under %s applies", st.Verb, o.heading())})
		return
	}
	replace(&st, o.by.Pos)
	c.put(o, st)
	if n := len(c.effects) - 1; n >= 0 && c.effects[n].Line == line && strings.HasPrefix(c.effects[n].Text, o.heading()+": ") {
		c.effects[n].Text += "; " + o.order.String()
	} else {
		c.effects = append(c.effects, engine.Effect{Line: line, Text: o.heading() + ": " + o.order.String()})
	}
}

// underPower is the heading of orders about power.
const underPower = "power"

// Allots reports whether a set has orders about power, or a faulty attempt at them.
func Allots(b *orders.Block) bool {
	g, _ := b.Group(underPower, 0)
	return len(g.Statements) > 0 || g.Faulty
}

// said reports whether the order's heading already has an order with its verb that is allowed only once.
func (c *conning) said(o connOrder, verb string) bool {
	i := slices.IndexFunc(c.groups, o.goesInto)
	if i < 0 || len(c.groups[i].All(verb)) == 0 {
		return false
	}
	return slices.ContainsFunc(c.language.Sections, func(s orders.Section) bool {
		return s.Name == o.under && slices.ContainsFunc(s.Verbs, func(v orders.Verb) bool { return v.Name == verb && v.Once })
	})
}

// goesInto reports whether a group has the heading of an order.
func (o connOrder) goesInto(g orders.Group) bool { return g.Name == o.under && g.N == o.n }

// heading returns the heading of an order in words.
func (o connOrder) heading() string {
	if o.n > 0 {
		return fmt.Sprintf("%s %d", o.under, o.n)
	}
	return o.under
}

// contradictions removes commands that contradict an earlier one.
func contradictions(all []Conn) (out []Conn, faults []orders.Diagnostic) {
	for _, c := range all {
		before := slices.IndexFunc(out, func(o Conn) bool {
			steers := func(k ConnKind) bool { return k == ConnCome || k == ConnSteer }
			return c.Kind != ConnBattery && (o.Kind == c.Kind || steers(o.Kind) && steers(c.Kind))
		})
		if before >= 0 {
			faults = append(faults, fault(c, "keep one of the two", fmt.Sprintf("the command on line %d concerns the same thing", out[before].Pos.Line)))
			continue
		}
		out = append(out, c)
	}
	return out, faults
}

// withoutCommands returns the groups of a block without its plain commands.
func withoutCommands(groups []orders.Group) (out []orders.Group) {
	for _, g := range groups {
		if g.Name == "" {
			g.Statements = slices.DeleteFunc(slices.Clone(g.Statements), func(st orders.Statement) bool { return st.Verb == verbConn })
			if len(g.Statements) == 0 && !g.Faulty {
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// put adds a statement to the group that it belongs to, after what the captain wrote.
func (c *conning) put(o connOrder, st orders.Statement) {
	if i := slices.IndexFunc(c.groups, o.goesInto); i >= 0 {
		c.groups[i].Statements = append(slices.Clone(c.groups[i].Statements), st)
		return
	}
	c.groups = append(c.groups, orders.Group{Pos: st.Pos, Name: o.under, N: o.n, Statements: []orders.Statement{st}})
	slices.SortStableFunc(c.groups, func(a, b orders.Group) int {
		place := func(g orders.Group) int {
			if g.Name == "" {
				return len(c.language.Sections)
			}
			return slices.IndexFunc(c.language.Sections, func(s orders.Section) bool { return s.Name == g.Name })
		}
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.N, b.N))
	})
}

// replace gives a statement the position of the command it was made from.
func replace(st *orders.Statement, pos orders.Pos) {
	st.Pos = pos
	for i := range st.Args {
		st.Args[i].Pos = pos
	}
	var conds func(c *orders.Cond)
	conds = func(c *orders.Cond) {
		c.Pos = pos
		for i := range c.Args {
			c.Args[i].Pos = pos
		}
		for _, k := range c.Kids {
			conds(k)
		}
	}
	if st.When != nil {
		conds(st.When)
	}
}
