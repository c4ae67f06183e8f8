package submission

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/identity"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// decideGame decides the blocks for one game, and returns those that it skipped.
func (c *Submissions) decideGame(p *gameBlocks, diags []orders.Diagnostic) ([]skippedBlock, error) {
	pos, err := turn.Load(p.game)
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", p.game.ID(), err)
	}
	chosen, err := c.choose(p, pos)
	if err != nil {
		return nil, err
	}
	// A set that begins before the missing #end of a template is not a mistake in the template.
	diags = slices.DeleteFunc(slices.Clone(diags), func(d orders.Diagnostic) bool {
		return d.Code == orders.CodeOrdersInside && slices.ContainsFunc(chosen.cut, func(r orders.Raw) bool { return c.Body.Next(r) == d.Pos })
	})
	// Check each captain's sets together, because two sets for one ship are an error.
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
			s := Set{Game: p.game, Pos: pos, Read: set, Captain: captains[name], Notices: append(c.attachedNotice(set.Raw), c.stale(set.Raw, pos)...)}
			if whole, ok := c.unbroken(pos, set, name); ok {
				s.Read, s.Source, s.Notices = whole, c.HTML().Source, []string{unbrokenNotice}
			}
			if err := c.judgeSet(&s); err != nil {
				return nil, err
			}
			c.Sets = append(c.Sets, s)
		}
	}
	for _, raw := range chosen.shown {
		html, who := c.HTML(), p.captainOf(raw, pos)
		for _, set := range pos.CheckRaws([]orders.Raw{raw}, who.Name).Sets {
			set.Diagnostics = blocks.Within(set.Raw, html.Diags, set.Diagnostics...)
			s := Set{Game: p.game, Pos: pos, Read: set, Captain: who, Source: html.Source, Notices: []string{htmlNotice}}
			if err := c.judgeSet(&s); err != nil {
				return nil, err
			}
			c.Sets = append(c.Sets, s)
		}
	}
	return chosen.asides, nil
}

// judgeSet decides one set: who sent it, and whether it is valid.
func (c *Submissions) judgeSet(s *Set) error {
	trust, err := c.trust(s)
	if err != nil {
		return err
	}
	if !trust.OK() {
		// Do not reveal anything about the ship to an unproven sender.
		code, at, hint := identity.TrustCode(trust), s.Read.Raw.Head.KeyPos, ""
		if trust.Verdict == auth.MissingKey && !c.Robot.NoPlus {
			hint = "send the set as a reply to your last report, which supplies the key"
		}
		if at == (orders.Pos{}) || trust.Verdict == auth.BadSignature || trust.Verdict == auth.Stale {
			at = s.Read.Raw.Head.Pos
		}
		raw := s.Read.Raw
		raw.Lines = nil
		d := orders.Diagnostic{Pos: at, Code: code, Message: trust.Reason, Hint: hint}
		if own := c.ownOther(s); own != "" && code == codes.WrongKey {
			d.Message = "the turn key is that of another seat of yours, " + own
			d.Hint = "take the first line of the set from the report of the seat that the orders are for"
		}
		s.Read = orderset.Set{Raw: raw, Turn: s.Read.Turn, Round: s.Read.Round, Diagnostics: []orders.Diagnostic{d}}
		return nil
	}
	s.wrongKey(trust)
	switch found, others := blocks.CancelIn(s.Read.Raw); {
	case found && !others:
		s.Cancel = true
		// What the rule set says about an empty set does not matter, but mistakes in its head do.
		s.Read.Diagnostics = slices.DeleteFunc(s.Read.Diagnostics, func(d orders.Diagnostic) bool {
			return d.Pos.Line != s.Read.Raw.Head.Pos.Line || d.Severity == orders.Warning
		})
	case found:
		s.Read.Diagnostics = append(s.Read.Diagnostics, orders.Diagnostic{
			Pos: s.Read.Raw.Head.Pos, Code: codes.CancelMixed, Message: "cancel is combined with other orders",
			Hint: "to drop your set, send a block with only cancel in it; to send orders, leave cancel out",
		})
		orders.Sort(s.Read.Diagnostics)
	}
	if err := c.hideInSet(s); err != nil {
		return err
	}
	if err := c.onlyTiming(s); err != nil {
		return err
	}
	s.Checked = c.OnlyChecked
	doubtful, err := c.doubtful(s)
	if err != nil {
		return err
	}
	s.Taken = s.Read.OK() && !s.Checked && !doubtful
	if !s.Taken && !s.Checked {
		if notice := brokenNotice(s.Read); notice != "" {
			s.Notices = append(s.Notices, notice)
		}
		return s.wasPlayed()
	}
	return nil
}

// ownOther returns another seat of the sender in the game of a set, if its key came with the set;
// otherwise "".
func (c *Submissions) ownOther(s *Set) string {
	for _, o := range c.People.Seats(c.In.Mail.Senders()[0], c.In.Received) {
		if o.Game != s.Game.ID() || o.Captain.Name == s.Captain.Name {
			continue
		}
		if key := turn.Key(s.Game, s.Game.Turn()+1, o.Captain.Name); slices.ContainsFunc(s.Claim.Given, func(k string) bool { return auth.EqualKeys(k, key) }) {
			return fmt.Sprintf("%s (%s)", o.Captain.Name, strings.Join(o.Captain.SetNames(), ", "))
		}
	}
	return ""
}

// wrongKey adds a warning about a wrong key in the head of a set that is trusted for another
// reason: a set copied from an old mail may be old altogether.
func (s *Set) wrongKey(trust auth.Trust) {
	given := s.Read.Raw.Head.Key
	if given == "" || auth.EqualKeys(given, s.Claim.Key(s.Claim.KeyTurn)) {
		return
	}
	due := s.Game.Turn() + 1
	if auth.EqualKeys(given, s.Claim.Key(due)) {
		return // a late set with the current key: another remark says that it is late
	}
	message := "the key in the first line is not yours"
	for t := max(1, due-identity.MaxEarlier); t < due; t++ {
		if auth.EqualKeys(given, s.Claim.Key(t)) {
			message = fmt.Sprintf("the key in the first line is that of turn %d", t)
		}
	}
	because := "the address that you wrote to has the right one"
	if trust.Proof != auth.ByKey {
		because = "the mail is proven to be yours without it"
	}
	s.Read.Diagnostics = append(s.Read.Diagnostics, orders.Diagnostic{
		Pos: s.Read.Raw.Head.KeyPos, Severity: orders.Warning, Code: codes.OtherKey, Message: message + "; the set counts, because " + because,
		Hint: "take the first line from your newest report, and check that these are the orders you mean",
	})
	orders.Sort(s.Read.Diagnostics)
}

// trust decides whether the sender of a set is proven.
func (c *Submissions) trust(s *Set) (auth.Trust, error) {
	due := s.Game.Turn() + 1
	at := due
	if t := s.Read.Turn; t > 0 && t < due {
		// Check a late set with the key of its turn, so that the answer says that it is late.
		at = t
	}
	if s.Pos.Due() == 0 {
		at = min(at, s.Game.Turn()) // no later key was ever printed
	}
	s.Claim = identity.Claim{
		Game: s.Game, Captain: s.Captain, KeyTurn: at, Turn: s.Read.Turn, What: s.Read.Name,
	}
	if s.Source == "" { // signatures do not cover the HTML form
		s.Claim.First, s.Claim.Last = s.Read.Raw.Start.Line, s.Read.Raw.End.Line
	}
	s.Claim.Given = c.Given(s.Read.Key)
	trust, err := c.TrustIn(s.Claim)
	if trust.Verdict == auth.WrongKey && at < due && s.Pos.Due() != 0 {
		// An old head with the key of the turn that is due: the captain is proven, and must be told
		// that the turn is over.
		if now := auth.Assess(auth.Evidence{
			From: c.In.Mail.Senders(), Registered: s.Captain.AddressesAt(c.In.Received), Want: s.Claim.Key(due), Given: s.Claim.Given, Received: c.In.Received,
		}); now.OK() {
			trust = now
		}
	}
	s.Trusted, s.Proof = trust.OK(), trust
	return trust, err
}

// wasPlayed adds a reassuring notice if a late set is the one that the turn was resolved with: a
// mail may arrive twice.
func (s *Set) wasPlayed() error {
	same, _, err := playedWith(s.Game, s.Read)
	if s.Played = same; same {
		s.Read.Raw.Lines = nil
		s.Notices = append(s.Notices, fmt.Sprintf("This same set was in force when %s was resolved. It arrived twice; you need not do anything.", turn.StageOf(s.Read)))
	}
	return err
}

// attachedNotice is for a set in the attached file of a mail that also has blocks in its text.
func (c *Submissions) attachedNotice(raw orders.Raw) []string {
	if !c.Body.InFile(raw) {
		return nil
	}
	return []string{"These orders are in the file attached to your mail."}
}

// elsewhere says where the other one of two sets for one ship is, the mail's text or the attached
// file: a line number is not enough.
func (c *Submissions) elsewhere(sets []orderset.Set) {
	if c.Body.File == 0 {
		return
	}
	places := [...]string{"the text of the mail", "the attached file"}
	place := func(s orderset.Set) int {
		if c.Body.InFile(s.Raw) {
			return 1
		}
		return 0
	}
	for i := range sets {
		at := slices.IndexFunc(sets[i].Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orderset.CodeTwoSets })
		if at < 0 || !slices.ContainsFunc(sets, func(o orderset.Set) bool { return o.Name == sets[i].Name && place(o) != place(sets[i]) }) {
			continue
		}
		d := &sets[i].Diagnostics[at]
		d.Message = fmt.Sprintf("there are two different order sets for %s; the other is in %s", strings.TrimPrefix(sets[i].Name, "@"), places[1-place(sets[i])])
	}
}

// hideInSet hides keys in the free text of an order set, which goes out with the reports. Rule sets
// without free text need no check.
func (c *Submissions) hideInSet(s *Set) error {
	if s.Read.Text == "" || !strings.Contains(s.Read.Text, "#text") && s.Game.Rules().Language.Free == "" {
		return nil
	}
	head, rest, _ := strings.Cut(s.Read.Text, "\n")
	hidden, err := c.Hide(rest)
	if err != nil || hidden == rest {
		return err
	}
	read := s.Pos.CheckAs([]byte(head+"\n"+hidden), s.Captain.Name)
	if len(read.Sets) != 1 || read.Sets[0].Name != s.Read.Name || !read.Sets[0].OK() {
		s.Read.Diagnostics = append(s.Read.Diagnostics, orders.Diagnostic{
			Pos: s.Read.Raw.Head.Pos, Code: codes.KeyInWords, Message: "a turn key appears in the text of the set and cannot be removed from it",
			Hint: "write the key on the #orders line and nowhere else",
		})
		return nil
	}
	s.Read.Text, s.Read.Block = read.Sets[0].Text, read.Sets[0].Block
	s.Notices = append(s.Notices, "A turn key appeared in the text of the set. It is hidden there, because others read that text.")
	return nil
}

// RefusedProven reports whether a set is proven to be the captain's and has a mistake.
func (s Set) RefusedProven() bool {
	return s.Trusted && s.Proof.Proof != auth.ByResults && !s.Echo && !s.Read.OK()
}

// doubtful reports whether a set in a possibly automatic mail does not show that a person wrote it:
// machines send back what they got, and servers vouch for them too.
func (c *Submissions) doubtful(s *Set) (bool, error) {
	if c.In.Mail.Automatic == "" {
		return false, nil
	}
	if s.Proof.Proof == auth.ByResults || s.Read.Ship == "" {
		return s.Proof.Proof == auth.ByResults, nil
	}
	t := sent{blocks: &gameBlocks{game: s.Game}, pos: s.Pos}
	return t.has(s.Read.Raw, s.Read.Seat())
}
