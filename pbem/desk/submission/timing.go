package submission

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/orderset"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// timingNotice is for a block that held only final or wait.
const timingNotice = "Your mail had only the word %[1]s for %[2]s, so %[1]s was added to the orders in force. They are shown here. To order nothing at all, send cancel first."

// onlyTiming changes a block with only final or wait: it adds the word to the set in force, as the
// command does. As a complete set it would remove all other orders, which a captain who sends one
// word does not intend.
func (c *Submissions) onlyTiming(s *Set) error {
	word, ok := timingWord(&s.Read.Block)
	if !ok || s.Read.Name == "" || s.Cancel || s.Read.Turn < s.Pos.Due() || s.Pos.Due() == 0 {
		return nil
	}
	files, err := s.Game.Orders.For(turn.StageOf(s.Read))
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.TooLarge || !strings.EqualFold(f.Name, s.Read.Name) {
			continue
		}
		with, ok := WithWord(s.Game, s.Pos, s.Captain.Name, s.Read.Turn, string(f.Text), word)
		if !ok || with.Round != s.Read.Round {
			return nil
		}
		if _, bare := timingWord(&with.Block); bare {
			return nil // the set in force has no other orders
		}
		for _, d := range s.Read.Diagnostics {
			if !slices.ContainsFunc(s.Read.Checked.Diagnostics, func(o orders.Diagnostic) bool { return o.Pos == d.Pos && o.Code == d.Code }) {
				d.Pos = with.Raw.Head.Pos
				with.Diagnostics = append(with.Diagnostics, d)
			}
		}
		orders.Sort(with.Diagnostics)
		s.Read, s.Source, s.Word = with, with.Text, word
		s.Notices = append(s.Notices, fmt.Sprintf(timingNotice, word, s.Name()))
	}
	return nil
}

// timingWord returns the word of a block that holds only final or only wait.
func timingWord(b *orders.Block) (string, bool) {
	word, n := "", 0
	for _, g := range b.Groups {
		for _, st := range g.Statements {
			word, n = st.Verb, n+1
			if g.Name != "" || g.N != 0 {
				return "", false
			}
		}
	}
	return word, n == 1 && (word == "final" || word == "wait")
}

// WithWord returns a set in force with the word final or wait, replacing either. It returns false
// if the text has errors, or if the rule set lacks the word.
func WithWord(g *vault.Game, pos *turn.Position, captain engine.CaptainName, due int, text, word string) (orderset.Set, bool) {
	lang := g.Rules().Language
	blocks, diags := orders.Parse([]byte(text), lang)
	if len(blocks) != 1 || orders.HasErrors(diags) {
		return orderset.Set{}, false // a faulty file put there by hand: the game waits until it is corrected
	}
	b := blocks[0]
	b.Groups = slices.Clone(b.Groups)
	at := slices.IndexFunc(b.Groups, func(g orders.Group) bool { return g.Name == "" && g.N == 0 })
	if at < 0 {
		b.Groups, at = append(b.Groups, orders.Group{}), len(b.Groups)
	}
	group := &b.Groups[at]
	group.Statements = slices.DeleteFunc(slices.Clone(group.Statements), func(st orders.Statement) bool { return st.Verb == "final" || st.Verb == "wait" })
	// Parse it like any line, so that it gets positions and checks.
	st, diags := lang.Statement("", word)
	if orders.HasErrors(diags) {
		return orderset.Set{}, false
	}
	group.Statements = append(group.Statements, st)
	read := pos.CheckAs([]byte(orders.Format(b)), captain)
	if len(read.Sets) != 1 || !read.Sets[0].OK() || read.Sets[0].Turn != due {
		return orderset.Set{}, false
	}
	return read.Sets[0], true
}
