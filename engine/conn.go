package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine/hex"
	"starpost/orders"
)

// verbConn is the verb of plain commands (house 200.0): what a captain without a map says, from
// which a rule set's navigator makes ordinary orders.
const verbConn = "conn"

// ConnKind is what a plain command is about: the place of its form among those of the verb.
type ConnKind int

// The plain commands.
const (
	ConnAhead   ConnKind = iota // a pace
	ConnCome                    // to a heading
	ConnSteer                   // for a ship, to a range
	ConnBattery                 // fire of the weapons of one side
	ConnShields                 // the shields ahead first
	ConnDamage                  // damage control
)

// The paces.
const (
	PaceFull = "full"
	PaceHalf = "half"
	PaceSlow = "slow"
	PaceStop = "stop"
)

// ConnVerb is the order that gives a plain command, for rule sets with a navigator.
func ConnVerb() orders.Verb {
	return orders.Verb{
		Name: verbConn,
		Forms: []orders.Form{
			"conn ahead PACE", "conn come to LETTER", "conn steer for SHIP [to RANGE]", "conn BATTERY battery at SHIP", "conn shields ahead", "conn damage control",
		},
		Doc:      "A plain command, for captains who have no map before them: your officers make orders of it as your mail is read, and the answer shows which. They hold for the turn or round that is due. Power is given out for you, unless you write orders under `power` yourself; in phases in which you move the ship yourself a command does not. Without a pace it is last turn's, or half; without a heading or a ship to steer for it is straight on.",
		Examples: []string{"conn ahead half", "conn come to C", "conn steer for Zephyr to 8", "conn port battery at Zephyr", "conn shields ahead", "conn damage control"},
	}
}

// batteries are clockwise from the bow.
func batteries() []string { return []string{"forward", "starboard", "aft", "port"} }

// ConnParams are the placeholders of [ConnVerb] that only it has.
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

// Conn is a plain command. Word is its pace, its heading, or its battery, in lower case but for
// headings. Range is 1 or more where a captain names one, or -1.
type Conn struct {
	Kind  ConnKind
	Pos   orders.Pos
	Word  string
	Ship  string
	Range int
}

// Heading is the heading of a command to come to one.
func (c Conn) Heading() hex.Heading { return hex.Heading(c.Word[0] - 'A') }

// Bearing is the middle of a battery's side, from the bow.
func (c Conn) Bearing() hex.Point {
	const quarter = 6 // points of the circle
	return hex.Point(slices.Index(batteries(), c.Word) * quarter)
}

// Conned is what a rule set's navigator makes of the plain commands of a set: ordinary orders, and what the ship
// cannot carry out.
type Conned struct {
	Orders []connOrder
	Faults []ConnFault
}

// connOrder is an order as a captain would write it, and where: the heading's name and its number. For is
// the command that it carries out.
type connOrder struct {
	For   Conn
	Under string
	N     int
	Text  string
}

// ConnFault is a command that a ship cannot carry out: why, and the way out.
type ConnFault struct {
	For  Conn
	Why  string
	Hint string
}

// Add is an order for a command.
func (c *Conned) Add(by Conn, under string, n int, format string, args ...any) {
	c.Orders = append(c.Orders, connOrder{by, under, n, fmt.Sprintf(format, args...)})
}

// AddPower is a power block as robots write it, its heading first, for a command.
func (c *Conned) AddPower(by Conn, text string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, " ") {
			c.Add(by, underPower, 0, "%s", strings.TrimSpace(line))
		}
	}
}

// refuse tells why a ship cannot carry out a command.
func (c *Conned) refuse(of Conn, hint, why string, args ...any) {
	c.Faults = append(c.Faults, ConnFault{of, fmt.Sprintf(why, args...), hint})
}

// Possible are those of the commands that a ship can carry out: cannot tells why she cannot, and the way out, blank
// where she can. The others are refused.
func (c *Conned) Possible(commands []Conn, cannot func(Conn) (hint, why string)) (out []Conn) {
	for _, of := range commands {
		if hint, why := cannot(of); why != "" {
			c.refuse(of, hint, "%s", why)
		} else {
			out = append(out, of)
		}
	}
	return out
}

// Commands are the plain commands of a set, in the order in which they stand.
func Commands(b *orders.Block) (out []Conn) {
	for _, st := range TurnLevelStatements(b, verbConn) {
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

// OfKind is the first command of a kind.
func OfKind(all []Conn, kind ConnKind) (Conn, bool) {
	i := slices.IndexFunc(all, func(c Conn) bool { return c.Kind == kind })
	if i < 0 {
		return Conn{}, false
	}
	return all[i], true
}

// Navigate puts ordinary orders in the place of the plain commands of a set: the block has none of them
// afterwards. The effects tell which orders each has become, the faults which the ship cannot carry out. A
// captain's own orders under power stand, and the navigator gives out none then.
func (r *Rules) Navigate(v *View, ship ShipID, b orders.Block) (orders.Block, []Effect, []ConnFault) {
	commands := Commands(&b)
	if len(commands) == 0 || r.Conn == nil {
		return b, nil, nil
	}
	commands, faults := contradictions(commands)
	own := Allots(&b)
	made := r.Conn(v, ship, commands, &b)
	faults = append(faults, made.Faults...)
	b.Groups = withoutCommands(b.Groups)
	var effects []Effect
	for i, o := range made.Orders {
		under := r.heading(o)
		if o.Under == underPower && own {
			if i == 0 || made.Orders[i-1].Under != underPower {
				effects = append(effects, Effect{o.For.Pos.Line, "your own orders under power stand"})
			}
			continue
		}
		st, diags := r.Language.Statement(o.Under, o.Text)
		if len(diags) > 0 {
			faults = append(faults, ConnFault{o.For, fmt.Sprintf("%s: %s", o.Text, diags[0].Message), diags[0].Hint})
			continue
		}
		if r.said(b.Groups, o, st.Verb) {
			effects = append(effects, Effect{o.For.Pos.Line, fmt.Sprintf("your own order %s under %s stands", st.Verb, under)})
			continue
		}
		replace(&st, o.For.Pos)
		b.Groups = r.put(b.Groups, o, st)
		if n := len(effects) - 1; n >= 0 && effects[n].Line == o.For.Pos.Line && strings.HasPrefix(effects[n].Text, under+": ") {
			effects[n].Text += "; " + o.Text
		} else {
			effects = append(effects, Effect{o.For.Pos.Line, under + ": " + o.Text})
		}
	}
	return b, effects, faults
}

// underPower is the heading of orders about power.
const underPower = "power"

// Allots tells whether a set gives out power itself, or may have meant to.
func Allots(b *orders.Block) bool {
	g, _ := b.Group(underPower, 0)
	return len(g.Statements) > 0 || g.Faulty
}

// said tells whether an order's heading holds one of its verb already, of which there can be one alone.
func (r *Rules) said(groups []orders.Group, o connOrder, verb string) bool {
	i := slices.IndexFunc(groups, func(g orders.Group) bool { return g.Name == o.Under && g.N == o.N })
	if i < 0 || len(groups[i].All(verb)) == 0 {
		return false
	}
	return slices.ContainsFunc(r.Language.Sections, func(s orders.Section) bool {
		return s.Name == o.Under && slices.ContainsFunc(s.Verbs, func(v orders.Verb) bool { return v.Name == verb && v.Once })
	})
}

// heading is the heading that an order stands under, in words.
func (r *Rules) heading(o connOrder) string {
	if o.N > 0 {
		return fmt.Sprintf("%s %d", o.Under, o.N)
	}
	return o.Under
}

// contradictions takes away commands that say otherwise than one above them.
func contradictions(all []Conn) (out []Conn, faults []ConnFault) {
	for _, c := range all {
		before := slices.IndexFunc(out, func(o Conn) bool {
			steers := func(k ConnKind) bool { return k == ConnCome || k == ConnSteer }
			return c.Kind != ConnBattery && (o.Kind == c.Kind || steers(o.Kind) && steers(c.Kind))
		})
		if before >= 0 {
			faults = append(faults, ConnFault{c, fmt.Sprintf("the command on line %d is of the same matter", out[before].Pos.Line), "keep one of the two"})
			continue
		}
		out = append(out, c)
	}
	return out, faults
}

// withoutCommands are the groups of a block less its plain commands.
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

// put adds a statement to the group that it belongs to, behind what the captain wrote.
func (r *Rules) put(groups []orders.Group, o connOrder, st orders.Statement) []orders.Group {
	i := slices.IndexFunc(groups, func(g orders.Group) bool { return g.Name == o.Under && g.N == o.N })
	if i < 0 {
		groups = append(groups, orders.Group{Pos: st.Pos, Name: o.Under, N: o.N, Statements: []orders.Statement{st}})
		slices.SortStableFunc(groups, func(a, b orders.Group) int {
			place := func(g orders.Group) int {
				if g.Name == "" {
					return len(r.Language.Sections)
				}
				return slices.IndexFunc(r.Language.Sections, func(s orders.Section) bool { return s.Name == g.Name })
			}
			return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.N, b.N))
		})
		return groups
	}
	groups[i].Statements = append(slices.Clone(groups[i].Statements), st)
	return groups
}

// replace has a statement stand where the command stands that it was made of.
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
