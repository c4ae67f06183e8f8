package blocks

import (
	"slices"
	"strings"

	"starpost/orders"
)

// Body is what a mail says: one source of lines, with the blocks in it.
type Body struct {
	*Page
	Source string
	File   int          // the line of source, from 1, with which an attached file begins; 0 for none
	Marked []orders.Raw // in source, behind quote marks
}

// Plain is the text of a mail alone.
func Plain(text string) Body {
	raws, _ := orders.ScanText(text)
	return Body{Page: NewPage(text, raws), Source: text}
}

// Find looks for blocks in the text of a mail and in the order file that is attached to it. Where
// both have some they are one source, the text first, so that two sets for one ship
// are seen to be two. Beside it are the remarks of the scanner.
func Find(text, attached string) (Body, []orders.Diagnostic) {
	attached = strings.TrimPrefix(attached, "\ufeff")
	raws, diags := orders.ScanText(text)
	b := Body{Source: text}
	if attached != "" && attached != text {
		more, said := orders.ScanText(attached)
		switch {
		case len(more) == 0:
		case len(raws) == 0:
			return Body{Page: NewPage(attached, more), Source: attached}, said
		case len(text)+len(attached) < orders.MaxBytes:
			b.File = strings.Count(text, "\n") + 2
			b.Source = text + "\n" + attached
			raws, diags = orders.ScanText(b.Source)
		}
	}
	b.Page = NewPage(b.Source, raws)
	b.Marked = markedBlocks(text, b.Page)
	return b, diags
}

// Of is the text of the mail alone, without what is attached.
func (b Body) Of(text string) *Page {
	switch {
	case b.File > 0:
		n := slices.IndexFunc(b.Raws, func(r orders.Raw) bool { return r.Start.Line >= b.File })
		if n < 0 {
			n = len(b.Raws)
		}
		return &Page{Lines: b.Lines[:b.File-1], Raws: b.Raws[:n]}
	case b.Source != text:
		return NewPage(text, nil)
	}
	return b.Page
}

// InFile tells whether a block stands in the attached file, below the text of the mail.
func (b Body) InFile(raw orders.Raw) bool { return b.File > 0 && raw.Start.Line >= b.File }

// Below tells whether a block stands below the line at which a mail program begins
// to quote without marks.
func (b Body) Below(raw orders.Raw) bool {
	return !b.InFile(raw) && b.quotation() > 0 && raw.Start.Line > b.quotation()
}

// Next is where the block after another begins.
func (b Body) Next(raw orders.Raw) orders.Pos {
	for _, r := range b.Raws {
		if r.Start.Compare(raw.Start) > 0 {
			return r.Start
		}
	}
	return orders.Pos{}
}

// Within is the remarks of the scanner about a block, and more of our own.
func Within(raw orders.Raw, diags []orders.Diagnostic, more ...orders.Diagnostic) []orders.Diagnostic {
	out := slices.Clone(more)
	for _, d := range diags {
		if d.Pos.Compare(raw.Start) >= 0 && d.Pos.Compare(raw.End) <= 0 {
			out = append(out, d)
		}
	}
	orders.Sort(out)
	return out
}

// PlainLines are the lines of a block in lower case without comments and needless
// space.
func PlainLines(raw orders.Raw) []string {
	var out []string
	for _, l := range raw.Lines {
		text, _, _ := strings.Cut(l.Text, ";")
		if text = strings.ToLower(strings.Join(strings.Fields(text), " ")); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// CancelIn looks for the word cancel on a line of its own, and whether other lines stand beside it. It is no
// order of any rule set, so the desk reads it.
func CancelIn(raw orders.Raw) (found, others bool) {
	for _, l := range raw.Lines {
		text, _, _ := strings.Cut(l.Text, ";")
		switch text = strings.TrimSpace(text); {
		case strings.EqualFold(text, "cancel"):
			found = true
		case text != "":
			others = true
		}
	}
	return found, others
}

// Lines are the lines of a block as they stand.
func Lines(raw orders.Raw) []string {
	var out []string
	for _, l := range raw.Lines {
		out = append(out, l.Text)
	}
	return out
}
