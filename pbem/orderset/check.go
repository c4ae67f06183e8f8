package orderset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
)

// Check parses a text with order sets and checks each against what its captain
// may know. It changes nothing. A text without a set is an error (E509). Ships other than the captain's are
// unknown; with captain "" all are known.
func (g *Game) Check(src []byte, captain engine.CaptainName) Reading {
	raws, diags := orders.Scan(src)
	read := g.CheckRaws(raws, captain)
	read.Diagnostics = append(read.Diagnostics, diags...)
	// The scanner's remarks about blocks (such as one without #end) belong to their sets.
	for i := range read.Sets {
		s := &read.Sets[i]
		for _, d := range diags {
			if d.Pos.Compare(s.Raw.Start) >= 0 && d.Pos.Compare(s.Raw.End) <= 0 {
				s.Diagnostics = append(s.Diagnostics, d)
			}
		}
		g.NameHead(s.Diagnostics, s.Raw.Head, captain)
		orders.Sort(s.Diagnostics)
	}
	if len(raws) == 1 {
		g.NameHead(read.Diagnostics, raws[0].Head, captain)
	}
	if len(raws) == 0 && !orders.HasErrors(diags) {
		read.Diagnostics = append(read.Diagnostics, orders.Diagnostic{
			Pos: orders.Pos{Line: 1, Col: 1}, Code: CodeNoBlock, Message: "there is no order set in this text",
			Hint: fmt.Sprintf("a set begins with a line such as \"#orders %s %s ship NAME\" and ends with #end", g.ID, g.HeadWords()),
		})
	}
	orders.Sort(read.Diagnostics)
	return read
}

// CheckRaws is Check for blocks that were already found, such as those of a mail that are the captain's own. With
// captain "" all ships are known.
func (g *Game) CheckRaws(raws []orders.Raw, captain engine.CaptainName) Reading {
	var read Reading
	for _, raw := range raws {
		s := g.checkOne(raw, captain)
		twice := slices.IndexFunc(read.Sets, func(o Set) bool { return s.Name != "" && o.Name == s.Name && o.Turn == s.Turn && o.Round == s.Round })
		if twice >= 0 && read.Sets[twice].Text == s.Text {
			continue // an identical set adds nothing
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
		Message: fmt.Sprintf("there are two different order sets for %s; the other begins on line %d", strings.TrimPrefix(name, "@"), other.Head.Pos.Line),
		Hint:    "send one; neither was accepted",
	}
}

func (g *Game) checkOne(raw orders.Raw, captain engine.CaptainName) Set {
	block, diags := raw.Parse(g.Rules.Language)
	s := Set{Raw: raw, Block: block, Turn: raw.Head.Turn, Round: g.roundOf(raw.Head), Key: raw.Head.Key, Diagnostics: diags}
	h := raw.Head
	say := func(pos orders.Pos, sev orders.Severity, code, hint, format string, args ...any) {
		if pos == (orders.Pos{}) {
			pos = h.Pos
		}
		s.Diagnostics = append(s.Diagnostics, orders.Diagnostic{Pos: pos, Severity: sev, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	g.checkPlace(h, say)
	switch {
	case h.Name == "": // the parser has reported it
	case h.Kind == "captain":
		g.checkCaptain(&s, captain, say)
	case h.Kind == "ship" || h.Kind == "":
		g.checkShip(&s, "", captain, say)
	case slices.Contains(g.Rules.Language.Posts, strings.ToLower(h.Kind)):
		g.checkShip(&s, strings.ToLower(h.Kind), captain, say)
	case slices.ContainsFunc(diags, func(d orders.Diagnostic) bool { return d.Code == orders.CodeHeadKind }): // the parser has reported it
	default:
		say(h.KindPos, orders.Error, CodeUnknownName, "write ship NAME", "game %s has no %s %q", g.ID, h.Kind, h.Name)
	}
	g.checkLuck(&s, say)
	g.checkBreaks(&s, say)
	g.checkTalk(&s, say)
	s.Block.Head.Key, s.Block.Head.KeyPos = "", orders.Pos{}
	s.Block.Head.Phase = s.Round // given or not; without rounds it has no meaning
	if !orders.HasErrors(diags) {
		s.Text = orders.Format(s.Block)
	}
	return s
}

// checkLuck adds the effect of words for luck, and refuses those of a referee who plays: knowing the secret and
// the words of the others, the referee could choose words by the dice that they give.
func (g *Game) checkLuck(s *Set, say sayFunc) {
	captain := s.Captain
	if ship := g.ship(s.Ship); ship != nil {
		captain = ship.Holder(s.Post)
	}
	refused := g.Luckless != nil && g.Luckless(captain)
	for _, st := range engine.TurnLevelStatements(&s.Block, "luck") {
		if !refused {
			s.Checked.Effects = append(s.Checked.Effects, engine.Effect{Line: st.Pos.Line, Text: "goes into the dice from now on"})
			continue
		}
		say(st.Pos, orders.Error, CodeRefereeLuck, "leave the line out; the other captains' words are in the dice", "captain %s is a referee of the game and could choose words for the dice they give", captain)
	}
}

// checkTalk warns about words that no one hears in a blind game.
func (g *Game) checkTalk(s *Set, say sayFunc) {
	ship := g.ship(s.Ship)
	if ship == nil || g.Over > 0 {
		return
	}
	for _, st := range engine.TalkStatements(&s.Block) {
		if to, ok := st.Arg("TO"); ok {
			if _, post := g.Rules.PostOf(to.Text); post {
				continue
			}
		}
		switch why := g.Unheard(ship, st); {
		case why == "":
		case st.Verb == engine.VerbRelay:
			say(st.Pos, orders.Warning, CodeUnheard, "leave it out", "this does nothing: %s", why)
		default:
			say(st.Pos, orders.Warning, CodeUnheard, "leave it out, or rephrase it", "nobody will hear this: %s", why)
		}
	}
}

// checkShip finds the ship and calls the rule set. post is the post that the set is for, "" for the captain's.
func (g *Game) checkShip(s *Set, post string, captain engine.CaptainName, say sayFunc) {
	h := s.Raw.Head
	var mine []*engine.Ship
	for _, o := range g.Ships {
		if captain == "" || o.Holder(post).Is(captain) {
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
		if s, _, there := engine.FindShip(g.Ships, h.Name); there && captain != "" && len(s.MannedBy(captain)) > 0 {
			g.othersOrders(s, post, captain, h, say)
			return
		}
		if s, of, there := engine.FindSeat(mine, h.Name); there && post == "" && slices.Contains(g.Rules.Posts(), of) {
			hint = "write: " + of + " " + s.Name
		}
		who := "game " + g.ID + " has"
		if captain != "" {
			who = "you have"
		}
		say(h.NamePos, orders.Error, CodeUnknownShip, hint, "%s no ship %q", who, h.Name)
		return
	}
	if seat := (engine.Seat{Ship: ship.ID, Post: post}); post != "" && len(ship.Crew) == 0 && g.due() > 0 && !g.Owes(seat) {
		say(h.KindPos, orders.Error, CodeOtherPost, "write: ship "+ship.Name, "%s has no officers besides her captain, and all her orders go in one set", ship.Name)
		return
	}
	s.Name, s.Ship, s.Post, s.Captain = engine.OrderSetName(ship.Name, post), ship.ID, post, ship.Holder(post)
	s.Block.Head.Name, s.Block.Head.Game, s.Block.Head.Kind = ship.Name, g.ID, cmp.Or(post, "ship")
	switch {
	case g.due() == 0:
		return
	case ship.Status == engine.Waiting && s.Turn < ship.Arrives:
		say(h.NamePos, orders.Error, CodeNotDue, "", "%s enters the map in turn %d and needs no orders before", ship.Name, ship.Arrives)
		return
	case !g.Rules.Commands(ship) && ship.Status != engine.Waiting:
		say(h.NamePos, orders.Error, CodeNotDue, "", "%s is out of the fight (%s) and needs no orders", ship.Name, ship.Status)
		return
	}
	v, err := g.View(ship, s.Seat())
	if err != nil {
		// The ship was found in this game, so there is a view of it.
		panic(fmt.Sprintf("orderset: view of a known ship: %v", err))
	}
	if g.Ahead(*s) && s.Round > 0 { // the present state, with another round number
		then := *v
		then.Round = s.Round - 1
		v = &then
	}
	s.View = v
	broken := orders.HasErrors(s.Diagnostics)
	made := g.navigate(s, say)
	s.Checked = g.Rules.Check(v, ship.ID, s.Block)
	s.Checked.Effects = append(made, s.Checked.Effects...)
	if len(s.Checked.Diagnostics) > 0 {
		// The rule set's remark on an empty set is better.
		s.Diagnostics = slices.DeleteFunc(s.Diagnostics, func(d orders.Diagnostic) bool { return d.Code == orders.CodeEmptyBlock })
	}
	empty := !slices.ContainsFunc(s.Block.Groups, func(g orders.Group) bool { return len(g.Statements) > 0 })
	for _, d := range s.Checked.Diagnostics {
		switch {
		case broken && (empty || d.Severity == orders.Warning):
			continue // it is, or may be, a consequence of a line that was not understood
		case g.Ahead(*s):
			d.Severity = orders.Warning // the ship will have changed by then
		case len(made) > 0 && slices.Contains(s.Diagnostics, d):
			continue // about several orders made from one command
		}
		s.Diagnostics = append(s.Diagnostics, d)
	}
}

// navigate turns the plain commands of a set into orders, and describes these.
func (g *Game) navigate(s *Set, say sayFunc) []engine.Effect {
	if commands := family.Commands(&s.Block); len(commands) > 0 && g.Ahead(*s) {
		say(commands[0].Pos, orders.Error, CodeConn, "send it when its turn comes, or write orders", "a plain command is only for what is due: the ship's later situation is not known")
		return nil
	}
	block, made, faults := g.Rules.Navigate(s.View, s.Ship, s.Block)
	for _, f := range faults {
		say(f.Pos, orders.Error, CodeConn, f.Hint, "%s", f.Message)
	}
	s.Block = block
	return made
}

// othersOrders tells someone aboard a ship that the orders of a post belong to another officer, and what they may
// send.
func (g *Game) othersOrders(s *engine.Ship, post string, captain engine.CaptainName, h orders.Head, say sayFunc) {
	name := func(post string) string { return cmp.Or(post, engine.AllPosts) }
	var mine []string
	for _, seat := range g.Rules.Seats(s) {
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
		hint = "your orders are those that begin with " + strings.Join(mine, " or ") + "; " + hint
	}
	say(pos, orders.Error, CodeOtherPost, hint, "the orders of the %s of %s are given by %s, not by you", name(post), s.Name, s.Holder(post))
}

// turnWide returns the orders that a captain may give once for all ships.
func turnWide() []string { return []string{"break", "final", "wait", "luck", "message"} }

// checkCaptain checks a set for all ships of a captain.
func (g *Game) checkCaptain(s *Set, captain engine.CaptainName, say sayFunc) {
	h := s.Raw.Head
	var names, words []string
	for _, c := range g.Captains {
		if captain != "" && !c.Is(captain) {
			continue
		}
		names, words = append(names, string(c)), append(words, c.Word())
		if c.Fits(h.Name) {
			s.Captain, s.Name = c, "@"+c.Word()
		}
	}
	if s.Captain == "" {
		hint := ""
		if near := orders.Suggest(h.Name, names); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		} else if len(names) <= 8 {
			hint = "one of: " + strings.Join(words, ", ")
		}
		say(h.NamePos, orders.Error, CodeUnknownName, hint, "game %s has no captain %q", g.ID, h.Name)
		return
	}
	s.Block.Head.Name, s.Block.Head.Game = strings.TrimPrefix(s.Name, "@"), g.ID
	for _, g := range s.Block.Groups {
		for _, st := range g.Statements {
			if g.Name != "" || !slices.Contains(turnWide(), st.Verb) {
				say(st.Pos, orders.Error, CodeNotTurnWide, "put it into the set of a ship", "%q belongs to one ship; a captain's set has only %s", st.Verb, strings.Join(turnWide(), ", "))
			}
		}
	}
}
