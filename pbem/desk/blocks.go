package desk

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// judgeGame decides the blocks for one game. plus is the key in the address
// that the mail was sent to, "" for none.
func (c *Case) judgeGame(p *pile, diags []orders.Diagnostic, plus string) error {
	pos, err := turn.Load(p.game)
	if err != nil {
		return fmt.Errorf("read game %s: %w", p.game.ID(), err)
	}
	raws, quoted, err := c.withoutTemplates(p, pos)
	if err != nil {
		return err
	}
	// One look for each captain: two sets for one ship are an error, and only
	// together can that be seen.
	byCaptain := map[string][]orders.Raw{}
	var names []string
	captains := map[string]vault.Captain{}
	for _, raw := range raws {
		who := p.captainOf(raw, pos)
		if _, ok := captains[who.Name]; !ok {
			captains[who.Name] = who
			names = append(names, who.Name)
		}
		byCaptain[who.Name] = append(byCaptain[who.Name], raw)
	}
	for _, name := range names {
		for _, set := range pos.CheckRaws(byCaptain[name], name).Sets {
			set.Diagnostics = within(set.Raw, diags, set.Diagnostics...)
			s := section{game: p.game, pos: pos, set: set, captain: captains[name]}
			if err := c.judgeSet(&s, plus); err != nil {
				return err
			}
			c.sections = append(c.sections, s)
		}
	}
	for _, raw := range quoted {
		s := section{game: p.game, pos: pos, captain: p.captainOf(raw, pos)}
		s.set = turn.Set{Raw: raw, Name: shipName(pos, raw.Head.Name), Turn: raw.Head.Turn, Key: raw.Head.Key, Diagnostics: []orders.Diagnostic{{
			Pos: raw.Head.Pos, Code: CodeOnlyQuoted,
			Message: "this is the template of your report, unchanged and below a quotation; nothing was stored",
			Hint:    "to send it on purpose, put it above the quoted mail; to send other orders, change it",
		}}}
		s.set.Raw.Lines = nil
		trust, key := c.trust(&s, plus)
		s.trusted, c.keys = trust.OK(), append(c.keys, key)
		c.sections = append(c.sections, s)
	}
	return nil
}

func shipName(pos *turn.Position, name string) string {
	if ship, err := pos.FindShip(name); err == nil {
		return ship.Name
	}
	return name
}

// judgeSet decides one set: who sent it, and whether it is in order.
func (c *Case) judgeSet(s *section, plus string) error {
	trust, key := c.trust(s, plus)
	c.keys = append(c.keys, key)
	if !trust.OK() {
		// Nothing of the ship is told to whom we do not know.
		code, at := CodeWrongKey, s.set.Raw.Head.KeyPos
		switch trust.Verdict {
		case auth.MissingKey:
			code = CodeNoKey
		case auth.UnknownAddress:
			code = CodeNotYours
		case auth.WrongKey, auth.Trusted:
		}
		if at == (orders.Pos{}) {
			at = s.set.Raw.Head.Pos
		}
		raw := s.set.Raw
		raw.Lines = nil
		s.set = turn.Set{Raw: raw, Turn: s.set.Turn, Diagnostics: []orders.Diagnostic{{Pos: at, Code: code, Message: trust.Reason}}}
		return nil
	}
	s.trusted = true
	switch cancelIn(s.set.Raw) {
	case cancelAlone:
		s.cancel = true
		// What the rule set says of an empty set does not matter; what is wrong
		// with its head does.
		s.set.Diagnostics = slices.DeleteFunc(s.set.Diagnostics, func(d orders.Diagnostic) bool {
			return d.Pos.Line != s.set.Raw.Head.Pos.Line || d.Severity == orders.Warning
		})
	case cancelMixed:
		s.set.Diagnostics = append(s.set.Diagnostics, orders.Diagnostic{
			Pos: s.set.Raw.Head.Pos, Code: CodeCancelMixed, Message: "cancel stands beside other orders",
			Hint: "to drop your set, send a block with nothing but cancel in it; to send orders, leave cancel out",
		})
		orders.Sort(s.set.Diagnostics)
	case cancelNot:
	}
	s.taken = s.set.OK()
	if !s.taken {
		return s.wasPlayed()
	}
	return nil
}

// trust judges who sent a set, and gives the key that was wanted.
func (c *Case) trust(s *section, plus string) (auth.Trust, string) {
	due := s.game.Turn() + 1
	at := due
	if t := s.set.Turn; t > 0 && t < due {
		// A late set has the key of its turn: it is to be told that it is late.
		at = t
	}
	if s.pos.Due() == 0 {
		at = min(at, s.game.Turn()) // no later key was ever printed
	}
	e := auth.Evidence{
		From: c.letter.Mail.Senders(), Registered: s.captain.Addresses(),
		Want: turn.Key(s.game, at, s.captain.Name),
	}
	for _, key := range []string{s.set.Key, plus} {
		if key != "" {
			e.Given = append(e.Given, key)
		}
	}
	for t := max(1, at-20); t < at; t++ {
		e.Earlier = append(e.Earlier, turn.Key(s.game, t, s.captain.Name))
	}
	return auth.Judge(e), e.Want
}

// wasPlayed adds a word of comfort when a late set is the one that the turn was
// played with: a mail may come twice.
func (s *section) wasPlayed() error {
	if s.set.Text == "" || s.set.Name == "" || s.set.Turn < 1 || s.set.Turn > s.game.Turn() {
		return nil
	}
	text, err := s.game.ReadFile(s.set.Turn, vault.OrdersDir+"/"+s.set.Name+".txt")
	switch {
	case errors.Is(err, vault.ErrNoTurn):
		return nil
	case err != nil:
		return err
	case string(text) == s.set.Text:
		s.notices = append(s.notices, fmt.Sprintf("This very set was in force when turn %d was resolved.", s.set.Turn))
	}
	return nil
}

type cancelKind uint8

const (
	cancelNot cancelKind = iota
	cancelAlone
	cancelMixed
)

// cancelIn looks for the word cancel on a line of its own. It is no order of
// any rule set, so the desk reads it.
func cancelIn(raw orders.Raw) cancelKind {
	found, other := false, false
	for _, l := range raw.Lines {
		text, _, _ := strings.Cut(l.Text, ";")
		switch text = strings.TrimSpace(text); {
		case strings.EqualFold(text, "cancel"):
			found = true
		case text != "":
			other = true
		}
	}
	switch {
	case found && other:
		return cancelMixed
	case found:
		return cancelAlone
	}
	return cancelNot
}

// withoutTemplates leaves out the blocks that are only the report's template,
// quoted: those equal to it when another block for that ship differs from it,
// and those equal to it that stand below a quotation. quoted are blocks of the
// latter kind for ships that have no other.
func (c *Case) withoutTemplates(p *pile, pos *turn.Position) (kept, quoted []orders.Raw, err error) {
	type group struct{ same, differ []orders.Raw }
	groups := map[string]*group{}
	var names []string
	for _, raw := range p.raws {
		ship, err := pos.FindShip(raw.Head.Name)
		if err != nil || raw.Head.Kind != "" && raw.Head.Kind != "ship" {
			kept = append(kept, raw)
			continue
		}
		g := groups[ship.ID]
		if g == nil {
			g = &group{}
			groups[ship.ID] = g
			names = append(names, ship.ID)
		}
		same, err := isTemplate(p.game, raw, ship.ID)
		if err != nil {
			return nil, nil, err
		}
		if same {
			g.same = append(g.same, raw)
		} else {
			g.differ = append(g.differ, raw)
		}
	}
	below := quotationStarts(c.source, p.raws)
	for _, id := range names {
		g := groups[id]
		if len(g.differ) > 0 {
			kept = append(kept, g.differ...)
			continue
		}
		top := slices.DeleteFunc(slices.Clone(g.same), func(r orders.Raw) bool { return below > 0 && r.Start.Line > below })
		switch {
		case len(top) > 0:
			kept = append(kept, top[0])
		default:
			quoted = append(quoted, g.same[0])
		}
	}
	slices.SortFunc(kept, func(a, b orders.Raw) int { return a.Start.Compare(b.Start) })
	return kept, quoted, nil
}

// isTemplate tells whether a block is, in canonical form, what the report
// before its turn had as template for the ship.
func isTemplate(g *vault.Game, raw orders.Raw, ship string) (bool, error) {
	if raw.Head.Turn < 1 || raw.Head.Turn > g.Turn()+1 {
		return false, nil
	}
	v, err := turn.ViewAt(g, raw.Head.Turn-1, ship)
	if err != nil {
		return false, err
	}
	s, ok := v.Ship(ship)
	if !ok || v.Due == 0 {
		return false, nil
	}
	want, _ := orders.Parse([]byte(report.Block(v, s, "", g.Rules().Template(v, ship))), g.Rules().Language)
	have, diags := raw.Parse(g.Rules().Language)
	if orders.HasErrors(diags) || len(want) != 1 {
		return false, nil
	}
	have.Head = want[0].Head
	return orders.Format(have) == orders.Format(want[0]), nil
}
