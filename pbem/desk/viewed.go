package desk

import (
	"slices"

	"starpost/pbem/mime"
)

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
		f := c.finder(newPage(html.source, nil))
		if f.text(); len(f.found) == 0 {
			return false
		}
	}
	m.Text, m.Source, m.Part = html.source, mime.SourceHTML, m.HTMLTextPart()
	m.Warnings = append(slices.Clip(m.Warnings), viewedNotice)
	return true
}
