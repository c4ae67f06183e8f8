package turn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// MaxAhead is how many turns after the one that is due orders may be sent for.
const MaxAhead = 20

// Set is one order set found in a text, read and looked at.
type Set struct {
	Raw         orders.Raw
	Block       orders.Block
	Name        string             // as vault.PutOrders wants it, "Hood" or "@Kirk"; "" when it has no owner
	Ship        engine.ShipID      // id; "" for a captain's set
	Post        string             // on it; "" for the ship's captain
	Captain     engine.CaptainName // whose set it is; "" when it has no owner
	Turn        int
	Round       int          // of it; 0 in games whose turns are not cut into rounds
	Key         string       // as given; "" for none
	Text        string       // canonical, without the key: what is stored
	View        *engine.View // how things stand for the captain, without events; nil when it has no owner
	Checked     engine.Checked
	Diagnostics []orders.Diagnostic // in order of the text
}

// OK reports whether the set may be taken.
func (s Set) OK() bool { return s.Name != "" && !orders.HasErrors(s.Diagnostics) }

// Stage is the turn, and the round, that the set is for.
func (s Set) Stage() vault.Stage { return vault.Stage{Turn: s.Turn, Round: s.Round} }

// Seat is where the set comes from; of a captain's set it is empty.
func (s Set) Seat() engine.Seat { return engine.Seat{Ship: s.Ship, Post: s.Post} }

// Final and Wait report whether the set says so.
func (s Set) Final() bool { return says(s.Block, "final") }

// Wait reports whether the set asks to wait for the deadline.
func (s Set) Wait() bool { return says(s.Block, "wait") }

// Reading is all that was found in a text.
type Reading struct {
	Sets []Set
	// Diagnostics are those of all sets and those that belong to none, in order
	// of the text.
	Diagnostics []orders.Diagnostic
}

// Check reads a text with order sets and looks at each against what its captain
// may know. It changes nothing. A text without a set is an error (E509).
func (p *Position) Check(src []byte) Reading { return p.CheckAs(src, "") }

// CheckAs is Check for the ships of one captain only: any other ship is unknown.
func (p *Position) CheckAs(src []byte, captain engine.CaptainName) Reading {
	raws, diags := orders.Scan(src)
	read := p.CheckRaws(raws, captain)
	read.Diagnostics = append(read.Diagnostics, diags...)
	// The scanner speaks of blocks too (one without #end): their errors are theirs.
	for i := range read.Sets {
		s := &read.Sets[i]
		for _, d := range diags {
			if d.Pos.Compare(s.Raw.Start) >= 0 && d.Pos.Compare(s.Raw.End) <= 0 {
				s.Diagnostics = append(s.Diagnostics, d)
			}
		}
		p.NameHead(s.Diagnostics, s.Raw.Head, captain)
		orders.Sort(s.Diagnostics)
	}
	if len(raws) == 1 {
		p.NameHead(read.Diagnostics, raws[0].Head, captain)
	}
	if len(raws) == 0 && !orders.HasErrors(diags) {
		read.Diagnostics = append(read.Diagnostics, orders.Diagnostic{
			Pos: orders.Pos{Line: 1, Col: 1}, Code: CodeNoBlock, Message: "there is no order set in this text",
			Hint: fmt.Sprintf("a set begins with a line such as \"#orders %s %s ship NAME\" and ends with #end", p.state.ID, headWords(vault.Stage{Turn: p.next(), Round: p.round()})),
		})
	}
	orders.Sort(read.Diagnostics)
	return read
}

// NameHead puts the line that is due into the hints of remarks on a head that cannot
// be read, for a captain, or with "" for any.
func (p *Position) NameHead(diags []orders.Diagnostic, h orders.Head, captain engine.CaptainName) {
	ship := "NAME"
	var names []string
	for _, s := range p.state.Ships {
		if s.Small() || captain != "" && len(s.MannedBy(captain)) == 0 {
			continue
		}
		if names = append(names, s.Name); strings.EqualFold(s.Name, h.Name) {
			ship = s.Name
		}
	}
	switch {
	case ship != "NAME":
	case len(names) == 1:
		ship = names[0]
	case len(names) <= 8:
		ship += ", one of: " + strings.Join(names, ", ")
	}
	line := fmt.Sprintf("write: #orders %s %s ship %s", p.state.ID, headWords(vault.Stage{Turn: p.next(), Round: p.round()}), ship)
	for i := range diags {
		if diags[i].Hint == orders.HeadUsage {
			diags[i].Hint = line
		}
	}
}

// CheckRaws is CheckAs for blocks that were found already, such as those of a
// mail that are the captain's own. With captain "" all ships are known.
func (p *Position) CheckRaws(raws []orders.Raw, captain engine.CaptainName) Reading {
	var read Reading
	for _, raw := range raws {
		s := p.checkOne(raw, captain)
		twice := slices.IndexFunc(read.Sets, func(o Set) bool { return s.Name != "" && o.Name == s.Name && o.Stage() == s.Stage() })
		if twice >= 0 && read.Sets[twice].Text == s.Text {
			continue // the same set again says nothing new
		}
		if twice >= 0 {
			first := &read.Sets[twice]
			first.Diagnostics = append(first.Diagnostics, twoSets(first.Name, first.Raw, raw))
			s.Diagnostics = append(s.Diagnostics, twoSets(s.Name, raw, first.Raw))
		}
		read.Sets = append(read.Sets, s)
	}
	for i := range read.Sets {
		orders.Sort(read.Sets[i].Diagnostics)
		read.Diagnostics = append(read.Diagnostics, read.Sets[i].Diagnostics...)
	}
	orders.Sort(read.Diagnostics)
	return read
}

func twoSets(name string, here, other orders.Raw) orders.Diagnostic {
	return orders.Diagnostic{
		Pos: here.Head.Pos, Code: CodeTwoSets,
		Message: fmt.Sprintf("there are two different order sets for %s; the other begins in line %d", strings.TrimPrefix(name, "@"), other.Head.Pos.Line),
		Hint:    "send one; neither is taken",
	}
}

func (p *Position) checkOne(raw orders.Raw, captain engine.CaptainName) Set {
	block, diags := raw.Parse(p.rules.Language)
	s := Set{Raw: raw, Block: block, Turn: raw.Head.Turn, Round: p.roundOf(raw.Head), Key: raw.Head.Key, Diagnostics: diags}
	h := raw.Head
	say := func(pos orders.Pos, sev orders.Severity, code, hint, format string, args ...any) {
		if pos == (orders.Pos{}) {
			pos = h.Pos
		}
		s.Diagnostics = append(s.Diagnostics, orders.Diagnostic{Pos: pos, Severity: sev, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	p.checkPlace(h, say)
	switch {
	case h.Name == "": // the parser has said so
	case h.Kind == "captain":
		p.checkCaptain(&s, captain, say)
	case h.Kind == "ship" || h.Kind == "":
		p.checkShip(&s, "", captain, say)
	case slices.Contains(p.rules.Language.Posts, strings.ToLower(h.Kind)):
		p.checkShip(&s, strings.ToLower(h.Kind), captain, say)
	case slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeHeadKind }): // the parser has said so
	default:
		say(h.KindPos, orders.Error, CodeUnknownName, "write ship NAME", "game %s has no %s %q", p.state.ID, h.Kind, h.Name)
	}
	p.checkLuck(&s, say)
	p.checkBreaks(&s, say)
	p.checkTalk(&s, say)
	s.Block.Head.Key, s.Block.Head.KeyPos = "", orders.Pos{}
	s.Block.Head.Phase = s.Round // said or not; without rounds it means nothing
	if !orders.HasErrors(diags) {
		s.Text = orders.Format(s.Block)
	}
	return s
}

// checkLuck refuses words for luck of a referee who plays: who may know the secret and
// the words of the others could choose his own for the dice that they give.
func (p *Position) checkLuck(s *Set, say sayFunc) {
	captain := s.Captain
	if ship, ok := p.state.Ship(engine.ShipID(s.Ship)); ok {
		captain = ship.Holder(s.Post)
	}
	if p.state.Format < 2 || !p.settings.RefereePlays(captain) {
		return
	}
	for _, st := range engine.TurnLevelStatements(&s.Block, "luck") {
		say(st.Pos, orders.Error, CodeRefereeLuck, "leave the line out; the words of the others are in the dice", "captain %s is a referee of the game, who could choose his words for the dice that they give", captain)
	}
}

// checkTalk warns of words that no one hears in a game in the dark.
func (p *Position) checkTalk(s *Set, say sayFunc) {
	ship, ok := p.state.Ship(engine.ShipID(s.Ship))
	if !ok || p.state.Result != nil {
		return
	}
	for _, st := range engine.TalkStatements(&s.Block) {
		if to, ok := st.Arg("TO"); ok {
			if _, post := p.rules.PostOf(to.Text); post {
				continue
			}
		}
		switch why := p.rules.Unheard(p.state, ship, st); {
		case why == "":
		case st.Verb == engine.VerbRelay:
			say(st.Pos, orders.Warning, CodeUnheard, "leave it out", "this does nothing: %s", why)
		default:
			say(st.Pos, orders.Warning, CodeUnheard, "leave it out, or say it otherwise", "no one will hear this: %s", why)
		}
	}
}

type sayFunc func(pos orders.Pos, sev orders.Severity, code, hint, format string, args ...any)

// checkPlace looks at game and turn of a head. What is missing altogether the
// parser has reported.
func (p *Position) checkPlace(h orders.Head, say sayFunc) {
	if h.Game != "" && !strings.EqualFold(h.Game, p.state.ID) {
		say(h.GamePos, orders.Error, CodeOtherGame, fmt.Sprintf("write %s", p.state.ID), "this is game %s, not %q", p.state.ID, h.Game)
	}
	due := p.Due()
	switch {
	case due == 0:
		say(h.Pos, orders.Error, CodeGameOver, "", "the game is over since turn %d; no more orders are wanted", p.state.Result.Turn)
	case h.Turn == 0:
		if h.TurnPos != (orders.Pos{}) {
			say(h.TurnPos, orders.Error, CodePastTurn, fmt.Sprintf("write turn %d", due), "turn 0 is the set-up; turn %d is due", due)
		}
	case h.Turn < due:
		say(h.TurnPos, orders.Error, CodePastTurn, fmt.Sprintf("write turn %d, or take the orders at the end of your last report", due), "turn %d is already resolved; turn %d is due", h.Turn, due)
	case h.Turn > due+MaxAhead:
		say(h.TurnPos, orders.Error, CodeFarTurn, fmt.Sprintf("write turn %d", due), "turn %d is too far ahead; turn %d is due", h.Turn, due)
	case h.Turn == due && p.Closed() && !p.reading && p.roundOf(h) <= p.round():
		code, why, way := WhyClosed(p)
		say(h.TurnPos, orders.Error, code, way, "%s; no more are taken", why)
	case h.Turn > due:
		say(h.TurnPos, orders.Warning, CodeLaterTurn, "", "these orders are for turn %d; turn %d is due. They are kept and looked at again when their turn comes", h.Turn, due)
	}
	if due > 0 && h.Turn > 0 {
		p.checkPhase(h, say)
	}
}

// checkShip finds the ship and asks the rule set. Post is the one that the set is of, ""
// for the captain's.
func (p *Position) checkShip(s *Set, post string, captain engine.CaptainName, say sayFunc) {
	h := s.Raw.Head
	var mine []*engine.Ship
	for _, o := range p.state.Ships {
		if !o.Small() && (captain == "" || o.Holder(post).Is(captain)) {
			mine = append(mine, o)
		}
	}
	ship, near, ok := engine.FindShip(mine, h.Name)
	if !ok {
		hint := ""
		switch {
		case near != "":
			hint = fmt.Sprintf("did you mean %q?", near)
		case len(mine) <= 8:
			var names []string
			for _, o := range mine {
				names = append(names, o.Name)
			}
			hint = "one of: " + strings.Join(names, ", ")
		}
		if s, _, there := engine.FindShip(engine.Captained(p.state.Ships), h.Name); there && captain != "" && len(s.MannedBy(captain)) > 0 {
			p.othersOrders(s, post, captain, h, say)
			return
		}
		if s, of, there := engine.FindSeat(mine, h.Name); there && post == "" && slices.Contains(p.rules.Posts(), of) {
			hint = "write: " + of + " " + s.Name
		}
		who := "game " + p.state.ID + " has"
		if captain != "" {
			who = "you have"
		}
		say(h.NamePos, orders.Error, CodeUnknownShip, hint, "%s no ship %q", who, h.Name)
		return
	}
	if seat := (engine.Seat{Ship: ship.ID, Post: post}); post != "" && len(ship.Crew) == 0 && p.Due() > 0 && !slices.Contains(p.rules.Owed(p.state), seat) {
		say(h.KindPos, orders.Error, CodeOtherPost, "write: ship "+ship.Name, "%s has no officers beside her captain, and all her orders stand in one set", ship.Name)
		return
	}
	s.Name, s.Ship, s.Post, s.Captain = engine.OrderSetName(ship.Name, post), ship.ID, post, ship.Holder(post)
	s.Block.Head.Name, s.Block.Head.Game, s.Block.Head.Kind = ship.Name, p.state.ID, cmp.Or(post, "ship")
	switch {
	case p.Due() == 0:
		return
	case ship.Status == engine.Waiting && s.Turn < ship.Arrives:
		say(h.NamePos, orders.Error, CodeNotDue, "", "%s enters the map in turn %d and needs no orders before", ship.Name, ship.Arrives)
		return
	case !p.rules.Commands(ship) && ship.Status != engine.Waiting:
		say(h.NamePos, orders.Error, CodeNotDue, "", "%s is out of the fight (%s) and needs no orders", ship.Name, ship.Status)
		return
	}
	v, err := p.ordersView(ship, s.Seat())
	if err != nil {
		// The ship was found in this very game, so there is a view of it.
		panic(fmt.Sprintf("turn: view of a known ship: %v", err))
	}
	if p.ahead(*s) && s.Round > 0 { // as things stand now, but for another round
		then := *v
		then.Round = s.Round - 1
		v = &then
	}
	s.View = v
	broken := orders.HasErrors(s.Diagnostics)
	made := p.navigate(s, say)
	s.Checked = p.rules.Check(v, ship.ID, s.Block)
	s.Checked.Effects = append(made, s.Checked.Effects...)
	if len(s.Checked.Diagnostics) > 0 {
		// What the rule set says of an empty set is said better.
		s.Diagnostics = slices.DeleteFunc(s.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orders.CodeEmptyBlock })
	}
	empty := !slices.ContainsFunc(s.Block.Groups, func(g orders.Group) bool { return len(g.Statements) > 0 })
	for _, d := range s.Checked.Diagnostics {
		switch {
		case broken && (empty || d.Severity == orders.Warning):
			continue // it is, or may only be, because of a line that was not understood
		case p.ahead(*s):
			d.Severity = orders.Warning // the ship will be another by then
		case len(made) > 0 && slices.Contains(s.Diagnostics, d):
			continue // of several orders that one command became
		}
		s.Diagnostics = append(s.Diagnostics, d)
	}
}

// navigate has the plain commands of a set become orders, and says which.
func (p *Position) navigate(s *Set, say sayFunc) []engine.Effect {
	if commands := family.Commands(&s.Block); len(commands) > 0 && p.ahead(*s) {
		say(commands[0].Pos, orders.Error, CodeConn, "send it when its turn comes, or write orders", "a plain command is for what is due: how the ship will stand then is not known")
		return nil
	}
	block, made, faults := p.rules.Navigate(s.View, engine.ShipID(s.Ship), s.Block)
	for _, f := range faults {
		say(f.Pos, orders.Error, CodeConn, f.Hint, "%s", f.Message)
	}
	s.Block = block
	return made
}

// othersOrders tells who is aboard a ship that the orders of a post are another's, and what
// he may send.
func (p *Position) othersOrders(s *engine.Ship, post string, captain engine.CaptainName, h orders.Head, say sayFunc) {
	name := func(post string) string { return cmp.Or(post, engine.AllPosts) }
	var mine []string
	for _, seat := range p.rules.Seats(s) {
		if s.Holder(seat.Post) == captain {
			mine = append(mine, cmp.Or(seat.Post, "ship")+" "+s.Name)
		}
	}
	pos := h.KindPos
	if pos == (orders.Pos{}) {
		pos = h.NamePos
	}
	if s.Officer(post) == captain {
		say(pos, orders.Error, CodeOtherPost, "write to the captain: #message to captain", "you are relieved as %s of %s, and her captain gives the orders of the post", name(post), s.Name)
		return
	}
	hint := "ask for it: #message to " + name(post)
	if len(mine) > 0 {
		hint = "yours are the orders that begin with " + strings.Join(mine, " or ") + "; " + hint
	}
	say(pos, orders.Error, CodeOtherPost, hint, "the orders of the %s of %s are given by %s, not by you", name(post), s.Name, s.Holder(post))
}

// turnWide are the orders that a captain may give once for all his ships.
func turnWide() []string { return []string{"break", "final", "wait", "luck", "message"} }

// checkCaptain looks at a set for all ships of a captain.
func (p *Position) checkCaptain(s *Set, captain engine.CaptainName, say sayFunc) {
	h := s.Raw.Head
	var names, words []string
	for _, c := range p.state.Captains() {
		if captain != "" && !c.Name.Is(captain) {
			continue
		}
		names, words = append(names, string(c.Name)), append(words, c.Name.Word())
		if c.Name.Fits(h.Name) {
			s.Captain, s.Name = c.Name, "@"+c.Name.Word()
		}
	}
	if s.Captain == "" {
		hint := ""
		if near := orders.Suggest(h.Name, names); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		} else if len(names) <= 8 {
			hint = "one of: " + strings.Join(words, ", ")
		}
		say(h.NamePos, orders.Error, CodeUnknownName, hint, "game %s has no captain %q", p.state.ID, h.Name)
		return
	}
	s.Block.Head.Name, s.Block.Head.Game = strings.TrimPrefix(s.Name, "@"), p.state.ID
	for _, g := range s.Block.Groups {
		for _, st := range g.Statements {
			if g.Name != "" || !slices.Contains(turnWide(), st.Verb) {
				say(st.Pos, orders.Error, CodeNotTurnWide, "put it into the set of a ship", "%q belongs to one ship; a captain's set holds only %s", st.Verb, strings.Join(turnWide(), ", "))
			}
		}
	}
}

// Ack makes the body of the answer to a set; source is the text it was found in.
func (p *Position) Ack(s Set, source string, a report.AckDetails) templates.Ack {
	a.InForce += hashWords(p, s, a)
	return report.Ack(p.rules, report.SetReading{
		View: s.View, Ship: s.Ship, Post: s.Post, Raw: s.Raw, Source: source, Diagnostics: s.Diagnostics, Checked: s.Checked,
	}, a)
}

// hashWords give the hash of the set in force, in a game with public dice: with it a captain can show later that a set
// was taken which the game does not have. "" in another game, and without a set.
func hashWords(p *Position, s Set, a report.AckDetails) string {
	text := cmp.Or(a.Set, s.Text)
	if !p.settings.PublicDice() || a.Verdict != templates.Accepted && a.Verdict != templates.Kept || text == "" {
		return ""
	}
	return fmt.Sprintf(" Its SHA-256 is %s: the archive of the game has to have it, if you send no other.", vault.Hash([]byte(text)))
}
