package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/report"
	"starpost/pbem/vault"
	"starpost/templates"
)

// looseSet is orders that a captain wrote without the line that begins a set, read as the set that
// they were meant for. They are not stored: nothing says for sure whose they are.
type looseSet struct {
	seat  seat
	game  openGame
	raw   orders.Raw          // its lines are numbered as in the mail
	diags []orders.Diagnostic // about them
	text  []string            // the set as it would have to be sent, but for a key
	wrong int                 // mistakes that are left in text
}

// headless finds orders without the line that begins a set, and says what else is wrong with them.
func (c *Decision) headless(seats []seat, own []ownLine) ([]orders.Diagnostic, error) {
	seat, t, err := c.dueSeat(seats)
	if err != nil || t.game == nil {
		return nil, err
	}
	first, last, ok := loose(own, t.game.Rules().Language)
	if !ok {
		return nil, nil
	}
	template, err := t.pos.Template(seat.captain.Name, false)
	if err != nil || template == "" {
		return nil, err
	}
	heads, _ := orders.ScanText(template)
	if len(heads) == 0 {
		return nil, nil
	}
	d := orders.Diagnostic{
		Pos: orders.Pos{Line: first, Col: 1}, Code: CodeNoHead, Message: "no order set begins here, so these lines were not stored as orders",
		Hint: "a set begins with a line #orders and ends with a line #end; the whole set stands below, ready to be sent",
	}
	if last < first { // there is no more than an #end
		head, _, _ := strings.Cut(template, "\n")
		d.Hint = fmt.Sprintf("write %q as the first line of your orders, above what you change", head)
		return []orders.Diagnostic{d}, nil
	}
	proof, err := c.trustIn(claim{
		game: t.game, captain: seat.captain, keyTurn: t.pos.Due(), given: c.given(""), turn: t.pos.Due(), what: "loose", first: first, last: last,
	})
	if err != nil {
		return nil, err
	}
	c.framed = c.frame(seat, t, heads, [2]int{first, last}, proof)
	return append([]orders.Diagnostic{d}, c.framed.diags...), nil
}

// loose finds the lines, from the first to the last, that were meant for orders: most of the
// sender's own begin as orders do, or some are orders to the last word. Of a lone #end the last is
// above the first.
func loose(own []ownLine, lang *orders.Language) (first, last int, ok bool) {
	known, end, whole := []int{}, 0, []int{}
	words := orderWords(lang)
	for i, l := range own {
		word, _, _ := strings.Cut(strings.ToLower(l.text), " ")
		switch _, isCommand := verbOf(word); {
		case strings.TrimRight(word, ".") == "#end":
			end = l.n
		case words[word]:
			known = append(known, i)
			if !isCommand && lang.Free == "" && isOrder(lang, l.text) {
				whole = append(whole, i)
			}
		case rescued(lang, l.text):
			known, whole = append(known, i), append(whole, i)
		}
		if end > 0 {
			own = own[:i]
			break
		}
	}
	switch n := len(known); {
	case end > 0 && n == 0:
		return end, end - 1, true
	case end > 0, n >= 2 && 2*n >= len(own):
	case len(whole) == 0: // words that merely sound like orders
		return 0, 0, false
	default:
		known = whole
	}
	at := known[len(known)-1]
	for at+1 < len(own) && (own[at+1].indented || own[at+1].text[0] == '&' || end > 0) {
		at++ // what belongs to the last one, or is a slip below its heading
	}
	return own[known[0]].n, own[at].n, true
}

// rescued tells whether a line is an order but for the verb that it lacks.
func rescued(lang *orders.Language, line string) bool {
	_, _, ok := lang.Rescue("", line)
	return ok
}

// frame reads the lines of the mail from the first to the last as a set: for that ship, and under that
// heading where the first one is missing, for which they have the fewest mistakes.
func (c *Decision) frame(seat seat, t openGame, heads []orders.Raw, of [2]int, proof auth.Trust) *looseSet {
	lang := t.game.Rules().Language
	// The scanner has cleaned them as it does those of a set.
	scanned, said := orders.ScanText("#orders x turn 1 ship y\n" + strings.Join(c.page.lines[of[0]-1:of[1]], "\n") + "\n#end\n")
	if len(scanned) == 0 {
		return &looseSet{seat: seat, game: t}
	}
	lines := scanned[0].Lines
	for i := range lines {
		lines[i].N += of[0] - 2
	}
	read := func(head orders.Raw, heading string, lines []orders.Line) (orders.Raw, []orders.Diagnostic) {
		raw := orders.Raw{Head: head.Head, Lines: lines, Start: orders.Pos{Line: of[0], Col: 1}, End: orders.Pos{Line: of[1], Col: 1}, Ended: true}
		h := &raw.Head
		h.Pos, h.GamePos, h.TurnPos, h.PhasePos, h.KindPos, h.NamePos = raw.Start, raw.Start, raw.Start, raw.Start, raw.Start, raw.Start
		if heading != "" {
			raw.Lines = append([]orders.Line{{N: of[0], Text: heading}}, lines...)
		}
		if proof.OK() {
			return raw, t.pos.CheckRaws([]orders.Raw{raw}, seat.captain.Name).Sets[0].Diagnostics
		}
		_, ds := raw.Parse(lang) // of the ship nothing is told to whom we do not know
		return raw, ds
	}
	best := &looseSet{seat: seat, game: t, wrong: -1}
	try := func(head orders.Raw, heading string) {
		mended := mend(lang, heading, lines)
		_, ds := read(head, heading, mended)
		if wrong := errorsIn(ds); best.wrong < 0 || wrong < best.wrong {
			best.wrong = wrong
			best.raw, best.diags = read(head, heading, lines)
			line, _, _ := strings.Cut(orders.Format(orders.Block{Head: head.Head}), "\n")
			best.text = []string{line}
			if heading != "" {
				best.text = append(best.text, heading)
			}
			for _, l := range mended {
				best.text = append(best.text, strings.TrimRight(l.Text, " \t"))
			}
			best.text = append(best.text, "#end")
		}
	}
	for _, head := range heads[:min(len(heads), maxFramed)] {
		try(head, "")
	}
	if len(lines) > 0 && best.wrong > 0 && !headed(lang, lines[0].Text) {
		head := orders.Raw{Head: best.raw.Head}
		for i := range lang.Sections[:min(len(lang.Sections), maxFramed)] {
			if s := &lang.Sections[i]; s.Name != "" {
				try(head, headingOf(s))
			}
		}
	}
	for _, d := range said {
		d.Pos.Line += of[0] - 2
		best.diags = append(best.diags, d)
	}
	orders.Sort(best.diags)
	return best
}

// maxFramed is for how many ships, and under how many headings, loose orders are read.
const maxFramed = 12

func headingOf(s *orders.Section) string {
	if s.Numbered {
		return s.Name + " 1"
	}
	return s.Name
}

// headed tells whether a line is a heading.
func headed(lang *orders.Language, line string) bool {
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
	return slices.ContainsFunc(lang.Sections, func(s orders.Section) bool { return s.Name != "" && s.Name == word })
}

// mend puts the verb before orders that lack it.
func mend(lang *orders.Language, heading string, lines []orders.Line) []orders.Line {
	out := slices.Clone(lines)
	section, _, _ := strings.Cut(heading, " ")
	words := orderWords(lang)
	for i, l := range out {
		text := strings.TrimSpace(l.Text)
		word, _, _ := strings.Cut(strings.ToLower(text), " ")
		switch {
		case headed(lang, text):
			section = word
		case words[word]:
		default:
			if order, _, ok := lang.Rescue(section, text); ok {
				out[i].Text = l.Text[:len(l.Text)-len(strings.TrimLeft(l.Text, " \t"))] + order
			}
		}
	}
	return out
}

func errorsIn(ds []orders.Diagnostic) (n int) {
	for _, d := range ds {
		if d.Severity == orders.Error {
			n++
		}
	}
	return n
}

// name is what the set is for: "Hood", "Hood.helm".
func (s *looseSet) name() string {
	if ship, post, ok := s.game.pos.SeatOf(s.raw.Head); ok {
		return engine.OrderSetName(ship.Name, post)
	}
	return s.raw.Head.Name
}

// stage is the turn that the set is for.
func (s *looseSet) stage() vault.Stage {
	return vault.Stage{Turn: s.raw.Head.Turn, Round: s.raw.Head.Phase}
}

// words are the subject of the answer, and what it says first.
func (s *looseSet) words() (subject string, text []string) {
	what := "and have no other mistake"
	switch n := errorsIn(s.diags); n {
	case 0:
	case 1:
		what = "and have 1 more mistake"
	default:
		what = fmt.Sprintf("and have %d more mistakes", n)
	}
	return fmt.Sprintf("T%s: orders for %s not accepted", s.stage().String()[1:], s.name()), []string{fmt.Sprintf(
		"Nothing was stored: your orders lack the line that begins a set. They were read as orders for %s, %s, %s.", s.name(), s.stage(), what)}
}

// example is the whole set, and how to send it.
func (s *looseSet) example(noPlus bool) templates.CommandResult {
	text, lines := "Answer this mail with these lines, without the bars in front of them:", slices.Clone(s.text)
	if noPlus {
		lines[0] += " key YOUR-KEY"
		text = "Send these lines, without the bars in front of them. In place of YOUR-KEY write the turn key; it stands in the first line of the orders at the end of your last report:"
	}
	if s.wrong > 0 {
		text = fmt.Sprintf("First mend what is named above (%s). %s", report.Count(s.wrong, "mistake"), text)
	}
	return templates.CommandResult{Command: "Your orders as a set", Text: []string{text}, Example: strings.Join(lines, "\n")}
}
