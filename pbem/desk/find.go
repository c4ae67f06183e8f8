package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/turn"
)

// find looks for blocks in the mail's text and in its attached order file. Where
// both have some they are one source, the text first, so that two sets for one ship
// are seen to be two.
func (c *Decision) find(l Incoming) ([]orders.Raw, []orders.Diagnostic, error) {
	if l.Err != nil {
		return nil, nil, l.Err
	}
	text, attached := l.Mail.Text, strings.TrimPrefix(l.Mail.Attached, "\ufeff")
	raws, diags := orders.ScanText(text)
	c.source, c.page, c.attached, c.quote = text, newPage(text, raws), 0, nil
	if attached != "" && attached != text {
		more, said := orders.ScanText(attached)
		switch {
		case len(more) == 0:
		case len(raws) == 0:
			c.source, c.page, c.quote = attached, newPage(attached, more), nil
			return more, said, nil
		case len(text)+len(attached) < orders.MaxBytes:
			c.attached = strings.Count(text, "\n") + 2
			raws, diags = orders.ScanText(text + "\n" + attached)
			c.source = text + "\n" + attached
			c.page, c.quote = newPage(c.source, raws), nil
		}
	}
	c.marked = markedBlocks(text, c.page)
	return raws, diags, nil
}

// textPage is the mail's text, without what is attached.
func (c *Decision) textPage() page {
	switch {
	case c.attached > 0:
		n := slices.IndexFunc(c.page.raws, func(r orders.Raw) bool { return r.Start.Line >= c.attached })
		if n < 0 {
			n = len(c.page.raws)
		}
		return page{lines: c.page.lines[:c.attached-1], raws: c.page.raws[:n]}
	case c.source != c.in.Mail.Text:
		return newPage(c.in.Mail.Text, nil)
	}
	return c.page
}

// attachedNotice goes with a set that stands in the attached file of a mail whose
// text has blocks too.
func (c *Decision) attachedNotice(raw orders.Raw) []string {
	if c.attached == 0 || raw.Start.Line < c.attached {
		return nil
	}
	return []string{"These orders stand in the file that is attached to your mail."}
}

// elsewhere says of two sets for one ship, in the text of a mail and in the file
// attached to it, where the other one is: a number of a line says too little.
func (c *Decision) elsewhere(sets []turn.Set) {
	if c.attached == 0 {
		return
	}
	places := [...]string{"the text of the mail", "the attached file"}
	place := func(s turn.Set) int {
		if s.Raw.Start.Line >= c.attached {
			return 1
		}
		return 0
	}
	for i := range sets {
		at := slices.IndexFunc(sets[i].Diagnostics, func(d orders.Diagnostic) bool { return d.Code == turn.CodeTwoSets })
		if at < 0 || !slices.ContainsFunc(sets, func(o turn.Set) bool { return o.Name == sets[i].Name && place(o) != place(sets[i]) }) {
			continue
		}
		d := &sets[i].Diagnostics[at]
		d.Message = fmt.Sprintf("there are two different order sets for %s; the other stands in %s", strings.TrimPrefix(sets[i].Name, "@"), places[1-place(sets[i])])
	}
}
