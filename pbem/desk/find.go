package desk

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
	"starpost/pbem/desk/blocks"
	"starpost/pbem/mime"
	"starpost/pbem/orderset"
)

// find looks for blocks in the mail's text and in its attached order file.
func (c *mailIn) find(l Incoming) ([]orders.Raw, []orders.Diagnostic, error) {
	if l.Err != nil {
		return nil, nil, l.Err
	}
	var diags []orders.Diagnostic
	c.body, diags = blocks.Find(l.Mail.Text, l.Mail.Attached)
	return c.body.Raws, diags, nil
}

// attachedNotice goes with a set that stands in the attached file of a mail whose
// text has blocks too.
func (c *submissions) attachedNotice(raw orders.Raw) []string {
	if !c.body.InFile(raw) {
		return nil
	}
	return []string{"These orders stand in the file that is attached to your mail."}
}

// elsewhere says of two sets for one ship, in the text of a mail and in the file
// attached to it, where the other one is: a number of a line says too little.
func (c *submissions) elsewhere(sets []orderset.Set) {
	if c.body.File == 0 {
		return
	}
	places := [...]string{"the text of the mail", "the attached file"}
	place := func(s orderset.Set) int {
		if c.body.InFile(s.Raw) {
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
		d.Message = fmt.Sprintf("there are two different order sets for %s; the other stands in %s", strings.TrimPrefix(sets[i].Name, "@"), places[1-place(sets[i])])
	}
}

// htmlText is the HTML form of a mail that was read as plain text.
type htmlText struct {
	source string
	raws   []orders.Raw
	diags  []orders.Diagnostic
}

// html reads the HTML form of the mail, once.
func (c *mailIn) html() *htmlText {
	if c.shown == nil {
		c.shown = &htmlText{source: c.in.Mail.HTMLText()}
		c.shown.raws, c.shown.diags = orders.ScanText(c.shown.source)
		for _, raw := range c.shown.raws {
			c.keys = append(c.keys, raw.Head.Key)
		}
	}
	return c.shown
}

// viewedNotice goes with what was read in the HTML form of a mail that has a plain
// one too.
const viewedNotice = "The plain text of your mail holds no orders and no command, so they were read in its HTML form. Plain text is safer."

// viewed turns to the HTML form of a mail whose plain text says nothing to us, if
// that form has an order set or a command: some programs put no more into the
// plain text than that the mail has to be read elsewhere.
func (c *Decision) viewed() bool {
	m := &c.in.Mail
	if m.Source != mime.SourcePlain {
		return false
	}
	html := c.html()
	if len(html.raws) == 0 {
		if !c.finder(blocks.NewPage(html.source, nil)).Any() {
			return false
		}
	}
	m.Text, m.Source, m.Part = html.source, mime.SourceHTML, m.HTMLTextPart()
	m.Warnings = append(slices.Clip(m.Warnings), viewedNotice)
	return true
}
