package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// decideGame decides the blocks for one game. What it passed over it returns.
func (c *submissions) decideGame(p *gameBlocks, diags []orders.Diagnostic) ([]skippedBlock, error) {
	pos, err := turn.Load(p.game)
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", p.game.ID(), err)
	}
	chosen, err := c.choose(p, pos)
	if err != nil {
		return nil, err
	}
	// Where one begins before the #end of a template that lost it, that is no mistake
	// in it.
	diags = slices.DeleteFunc(slices.Clone(diags), func(d orders.Diagnostic) bool {
		return d.Code == orders.CodeOrdersInside && slices.ContainsFunc(chosen.cut, func(r orders.Raw) bool { return c.body.Next(r) == d.Pos })
	})
	// One look for each captain: two sets for one ship are an error, and only
	// together can that be seen.
	byCaptain := map[engine.CaptainName][]orders.Raw{}
	var names []engine.CaptainName
	captains := map[engine.CaptainName]vault.Captain{}
	for _, raw := range chosen.kept {
		who := p.captainOf(raw, pos)
		if _, ok := captains[who.Name]; !ok {
			captains[who.Name] = who
			names = append(names, who.Name)
		}
		byCaptain[who.Name] = append(byCaptain[who.Name], raw)
	}
	for _, name := range names {
		sets := pos.CheckRaws(byCaptain[name], name).Sets
		c.elsewhere(sets)
		for _, set := range sets {
			set.Diagnostics = blocks.Within(set.Raw, diags, set.Diagnostics...)
			pos.NameHead(set.Diagnostics, set.Raw.Head, name)
			s := orderResult{game: p.game, pos: pos, set: set, captain: captains[name], notices: append(c.attachedNotice(set.Raw), c.stale(set.Raw, pos)...)}
			if whole, ok := c.unbroken(pos, set, name); ok {
				s.set, s.source, s.notices = whole, c.html().source, []string{unbrokenNotice}
			}
			if err := c.judgeSet(&s); err != nil {
				return nil, err
			}
			c.orderResults = append(c.orderResults, s)
		}
	}
	for _, raw := range chosen.shown {
		html, who := c.html(), p.captainOf(raw, pos)
		for _, set := range pos.CheckRaws([]orders.Raw{raw}, who.Name).Sets {
			set.Diagnostics = blocks.Within(set.Raw, html.diags, set.Diagnostics...)
			s := orderResult{game: p.game, pos: pos, set: set, captain: who, source: html.source, notices: []string{htmlNotice}}
			if err := c.judgeSet(&s); err != nil {
				return nil, err
			}
			c.orderResults = append(c.orderResults, s)
		}
	}
	return chosen.asides, nil
}

// judgeSet decides one set: who sent it, and whether it is in order.
func (c *submissions) judgeSet(s *orderResult) error {
	trust, err := c.trust(s)
	if err != nil {
		return err
	}
	if !trust.OK() {
		// Nothing of the ship is told to whom we do not know.
		code, at, hint := trustCode(trust), s.set.Raw.Head.KeyPos, ""
		if trust.Verdict == auth.MissingKey && !c.robot.NoPlus {
			hint = "send the set as an answer to your last report, which brings the key"
		}
		if at == (orders.Pos{}) || trust.Verdict == auth.BadSignature || trust.Verdict == auth.Stale {
			at = s.set.Raw.Head.Pos
		}
		raw := s.set.Raw
		raw.Lines = nil
		d := orders.Diagnostic{Pos: at, Code: code, Message: trust.Reason, Hint: hint}
		if own := c.ownOther(s); own != "" && code == codes.WrongKey {
			d.Message = "the turn key is that of another seat of yours, " + own
			d.Hint = "take the first line of the set from the report of the seat that the orders are for"
		}
		s.set = orderset.Set{Raw: raw, Turn: s.set.Turn, Round: s.set.Round, Diagnostics: []orders.Diagnostic{d}}
		return nil
	}
	s.wrongKey(trust)
	switch found, others := blocks.CancelIn(s.set.Raw); {
	case found && !others:
		s.cancel = true
		// What the rule set says of an empty set does not matter; what is wrong
		// with its head does.
		s.set.Diagnostics = slices.DeleteFunc(s.set.Diagnostics, func(d orders.Diagnostic) bool {
			return d.Pos.Line != s.set.Raw.Head.Pos.Line || d.Severity == orders.Warning
		})
	case found:
		s.set.Diagnostics = append(s.set.Diagnostics, orders.Diagnostic{
			Pos: s.set.Raw.Head.Pos, Code: codes.CancelMixed, Message: "cancel stands beside other orders",
			Hint: "to drop your set, send a block with nothing but cancel in it; to send orders, leave cancel out",
		})
		orders.Sort(s.set.Diagnostics)
	}
	if err := c.hideInSet(s); err != nil {
		return err
	}
	s.checked = c.onlyChecked
	doubtful, err := c.doubtful(s)
	if err != nil {
		return err
	}
	s.taken = s.set.OK() && !s.checked && !doubtful
	if !s.taken && !s.checked {
		if notice := brokenNotice(s.set); notice != "" {
			s.notices = append(s.notices, notice)
		}
		return s.wasPlayed()
	}
	return nil
}

// ownOther is another seat of the sender's in the game of a set, whose key came with it; ""
// for none.
func (c *submissions) ownOther(s *orderResult) string {
	for _, o := range c.people.seats(c.in.Mail.Senders()[0]) {
		if o.game != s.game.ID() || o.captain.Name == s.captain.Name {
			continue
		}
		if key := turn.Key(s.game, s.game.Turn()+1, o.captain.Name); slices.ContainsFunc(s.claim.given, func(k string) bool { return auth.EqualKeys(k, key) }) {
			return fmt.Sprintf("%s (%s)", o.captain.Name, strings.Join(o.captain.SetNames(), ", "))
		}
	}
	return ""
}

// wrongKey names a key in the head of a set that is trusted for another reason: a
// set that is copied from an old mail may be an old one altogether.
func (s *orderResult) wrongKey(trust auth.Trust) {
	given := s.set.Raw.Head.Key
	if given == "" || auth.EqualKeys(given, s.claim.key(s.claim.keyTurn)) {
		return
	}
	due := s.game.Turn() + 1
	if auth.EqualKeys(given, s.claim.key(due)) {
		return // a late set under the present key: that it is late is said
	}
	message := "the key in the first line is not yours"
	for t := max(1, due-maxEarlier); t < due; t++ {
		if auth.EqualKeys(given, s.claim.key(t)) {
			message = fmt.Sprintf("the key in the first line is that of turn %d", t)
		}
	}
	because := "the address that you wrote to has the right one"
	if trust.Proof != auth.ByKey {
		because = "the mail is proven to be yours without it"
	}
	s.set.Diagnostics = append(s.set.Diagnostics, orders.Diagnostic{
		Pos: s.set.Raw.Head.KeyPos, Severity: orders.Warning, Code: codes.OtherKey, Message: message + "; the set counts, because " + because,
		Hint: "take the first line from your newest report, and look whether the orders are those that you mean",
	})
	orders.Sort(s.set.Diagnostics)
}

// trust judges who sent a set.
func (c *submissions) trust(s *orderResult) (auth.Trust, error) {
	due := s.game.Turn() + 1
	at := due
	if t := s.set.Turn; t > 0 && t < due {
		// A late set has the key of its turn: it is to be told that it is late.
		at = t
	}
	if s.pos.Due() == 0 {
		at = min(at, s.game.Turn()) // no later key was ever printed
	}
	s.claim = claim{
		game: s.game, captain: s.captain, keyTurn: at, turn: s.set.Turn, what: s.set.Name,
	}
	if s.source == "" { // no signature covers the HTML form
		s.claim.first, s.claim.last = s.set.Raw.Start.Line, s.set.Raw.End.Line
	}
	s.claim.given = c.given(s.set.Key)
	trust, err := c.trustIn(s.claim)
	if trust.Verdict == auth.WrongKey && at < due && s.pos.Due() != 0 {
		// An old head above the key of the turn that is due: he has that one, and
		// is to be told that the turn is over.
		if now := auth.Assess(auth.Evidence{
			From: c.in.Mail.Senders(), Registered: s.captain.Addresses(), Want: s.claim.key(due), Given: s.claim.given, Received: c.in.Received,
		}); now.OK() {
			trust = now
		}
	}
	s.trusted, s.proof = trust.OK(), trust
	return trust, err
}

// wasPlayed adds a word of comfort when a late set is the one that the turn was
// played with: a mail may come twice.
func (s *orderResult) wasPlayed() error {
	same, _, err := playedWith(s.game, s.set)
	if s.played = same; same {
		s.set.Raw.Lines = nil
		s.notices = append(s.notices, fmt.Sprintf("This very set was in force when %s was resolved. It came twice, and nothing is to be done.", turn.StageOf(s.set)))
	}
	return err
}
