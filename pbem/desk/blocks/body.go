package blocks

import (
	"slices"
	"strings"

	"starpost/orders"
)

// Body is the content of a mail: one source of lines, with the blocks in it.
type Body struct {
	*Page
	Source string
	File   int          // the source line, from 1, where an attached file begins; 0 for none
	Marked []orders.Raw // in source, behind quote marks
}

// Plain returns the text of a mail without attachments as a Body.
func Plain(text string) Body {
	raws, _ := orders.ScanText(text)
	return Body{Page: NewPage(text, raws), Source: text}
}

// Find finds blocks in the text of a mail and in its attached order file. If both have blocks, they
// become one source, the text first, so that two sets for one ship are noticed. It also returns the
// scanner's remarks.
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

// Of returns the text of the mail without the attached file.
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

// InFile reports whether a block is in the attached file.
func (b Body) InFile(raw orders.Raw) bool { return b.File > 0 && raw.Start.Line >= b.File }

// Below reports whether a block is below the line where a mail program begins a quotation without
// marks.
func (b Body) Below(raw orders.Raw) bool {
	return !b.InFile(raw) && b.quotation() > 0 && raw.Start.Line > b.quotation()
}

// Next returns where the block after raw begins.
func (b Body) Next(raw orders.Raw) orders.Pos {
	for _, r := range b.Raws {
		if r.Start.Compare(raw.Start) > 0 {
			return r.Start
		}
	}
	return orders.Pos{}
}

// Within returns the scanner's remarks about a block, together with more.
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

// PlainLines returns the lines of a block in lower case, without comments and extra spaces.
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

// CancelIn looks for the word cancel on a line of its own, and reports whether the block has other
// lines too. The desk reads this word because no rule set has it as an order.
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

// Lines returns the lines of a block unchanged.
func Lines(raw orders.Raw) []string {
	var out []string
	for _, l := range raw.Lines {
		out = append(out, l.Text)
	}
	return out
}
