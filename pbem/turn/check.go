package turn

import (
	"cmp"
	"fmt"
	"slices"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// orderGame returns the facts of the game that decide how order sets are checked.
func (p *Position) orderGame() *orderset.Game {
	g := &orderset.Game{
		Rules: p.rules, ID: p.state.ID, Turn: p.next(), Round: p.round(), Rounds: p.vault.Rounds(), Ships: engine.Captained(p.state.Ships),
		Owes:    func(seat engine.Seat) bool { return slices.Contains(p.rules.Owed(p.state), seat) },
		View:    p.ordersView,
		Unheard: func(from *engine.Ship, st orders.Statement) string { return p.rules.Unheard(p.state, from, st) },
	}
	if p.state.Result != nil {
		g.Over = p.state.Result.Turn
	}
	for _, c := range p.state.Captains() {
		g.Captains = append(g.Captains, c.Name)
	}
	if p.state.Format >= 2 {
		g.Luckless = p.settings.RefereePlays
	}
	if p.Closed() && !p.reading {
		g.Closed = func() (code, why, way string) { return WhyClosed(p) }
	}
	if p.settings.Cadence == vault.CadenceBreak {
		g.Breaks = func(captain engine.CaptainName) orderset.Breaks { return breaksOf(p.kinds, captain) }
	}
	return g
}

// Check reads a text with order sets and checks each: see [orderset.Game.Check].
func (p *Position) Check(src []byte) orderset.Reading { return p.CheckAs(src, "") }

// CheckAs is Check for the ships of one captain; all other ships are unknown.
func (p *Position) CheckAs(src []byte, captain engine.CaptainName) orderset.Reading {
	return p.orderGame().Check(src, captain)
}

// CheckRaws is CheckAs for blocks that have already been found: see [orderset.Game.CheckRaws].
func (p *Position) CheckRaws(raws []orders.Raw, captain engine.CaptainName) orderset.Reading {
	return p.orderGame().CheckRaws(raws, captain)
}

// NameHead is [orderset.Game.NameHead].
func (p *Position) NameHead(diags []orders.Diagnostic, h orders.Head, captain engine.CaptainName) {
	p.orderGame().NameHead(diags, h, captain)
}

// StageOf returns the turn, and the round, that a set is for.
func StageOf(s orderset.Set) vault.Stage { return vault.Stage{Turn: s.Turn, Round: s.Round} }

// Ack returns the body of the answer to a set. source is the text that contained it.
func (p *Position) Ack(s orderset.Set, source string, a report.AckDetails) templates.Ack {
	a.InForce += hashWords(p, s, a)
	return report.Ack(p.rules, report.SetReading{
		View: s.View, Ship: s.Ship, Post: s.Post, Raw: s.Raw, Source: source, Diagnostics: s.Diagnostics, Checked: s.Checked,
	}, a)
}

// hashWords gives the hash of the set in force, in a game with public dice. With it a captain can show later that a
// set was accepted which the game does not have. It returns "" in another game, and without a set.
func hashWords(p *Position, s orderset.Set, a report.AckDetails) string {
	text := cmp.Or(a.Set, s.Text)
	if !p.settings.PublicDice() || a.Verdict != templates.Accepted && a.Verdict != templates.Kept || text == "" {
		return ""
	}
	return fmt.Sprintf(" Its SHA-256 is %s; unless you send another set, the archive of the game must contain it.", vault.Hash([]byte(text)))
}

// breaksOf returns the breaks that a captain asked for, or the default ones.
func breaksOf(kinds map[engine.CaptainName][]string, captain engine.CaptainName) orderset.Breaks {
	if own, ok := kinds[captain]; ok {
		return own
	}
	return orderset.UsualBreaks()
}
