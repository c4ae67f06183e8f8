package mime

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText turns HTML into text with the lines that a reader sees. It makes one pass over the
// tokens with a stack of open elements, so the cost is linear and nesting is bounded. Content that
// is never shown (scripts, styles, hidden elements) is dropped.
func htmlText(source string, warn func(string, ...any)) string {
	r := renderer{warn: warn}
	z := html.NewTokenizer(strings.NewReader(source))
	z.SetMaxBuf(maxHTML)
	for tokens := 0; ; tokens++ {
		if tokens > maxTokens {
			warn("The HTML has more than %d tags; the rest was left out.", maxTokens)
			return r.text()
		}
		switch z.Next() {
		case html.ErrorToken:
			// The end, or a token beyond the limit: the text so far is kept.
			return r.text()
		case html.TextToken:
			r.write(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			r.open(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.close(atom.Lookup(name))
		}
		if r.out.Len() > 2*MaxText {
			return r.text()
		}
	}
}

const (
	maxOpen   = 200    // depth of the stack; elements beyond it count as text of the one above
	maxTokens = 200000 // tags and texts
	maxAttrs  = 64     // examined in one tag
)

// element is an open element with the properties that its content inherits.
type element struct {
	tag    atom.Atom
	hidden bool
	pre    bool
	tight  bool // a paragraph without margins
	quotes int  // blockquotes around and including this
}

type renderer struct {
	out   strings.Builder
	stack []element
	warn  func(string, ...any)

	breaks  int  // line ends to write before the next text
	started bool // something was written
	space   bool // a space to write before the next word
	fresh   bool // at the start of a line
}

func (r *renderer) top() element {
	if len(r.stack) == 0 {
		return element{}
	}
	return r.stack[len(r.stack)-1]
}

func (r *renderer) open(z *html.Tokenizer) {
	name, more := z.TagName()
	tag := atom.Lookup(name)
	r.imply(tag)
	e := r.top()
	e.tag, e.tight = tag, false
	var hides, strikes bool
	for range maxAttrs {
		if !more {
			break
		}
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "hidden":
			hides = true
		case "class":
			if strings.Contains(strings.ToLower(string(value)), "msonormal") {
				e.tight = true
			}
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(string(value)), ""))
			hides, strikes = hides || hidden(style), strikes || struck(style)
			if strings.Contains(style, "white-space:pre") {
				e.pre = true
			}
			if zeroMargin(style) {
				e.tight = true
			}
		}
	}
	switch tag {
	case atom.S, atom.Strike, atom.Del:
		strikes = true
	}
	switch {
	case e.hidden:
	case hides:
		r.warn("The HTML holds hidden text; it was left out.")
		e.hidden = true
	case strikes:
		r.warn("The HTML holds text that is struck out; it was left out.")
		e.hidden = true
	}

	switch tag {
	case atom.Br:
		r.lineBreak()
		return
	case atom.Hr:
		r.block(1)
		return
	case atom.Script, atom.Style, atom.Head, atom.Title, atom.Template, atom.Noscript,
		atom.Object, atom.Iframe, atom.Svg, atom.Math, atom.Select, atom.Audio, atom.Video, atom.Canvas:
		e.hidden = true
	case atom.Pre, atom.Textarea:
		e.pre = true
	case atom.Blockquote:
		e.quotes++
	}
	if void(tag) {
		return
	}
	r.enter(e)
	if len(r.stack) < maxOpen {
		r.stack = append(r.stack, e)
	}
}

// imply closes elements that a start tag closes implicitly, as far as hidden parts and depth depend
// on it: a head before anything visible, a paragraph before a block, a list item or table cell
// before the next.
func (r *renderer) imply(tag atom.Atom) {
	for i, e := range r.stack[:min(3, len(r.stack))] {
		if e.tag == atom.Head && !headTag(tag) {
			r.stack = r.stack[:i]
			break
		}
	}
	var ends []atom.Atom
	switch {
	case tag == atom.Li:
		ends = []atom.Atom{atom.Li}
	case tag == atom.Td || tag == atom.Th:
		ends = []atom.Atom{atom.Td, atom.Th}
	case tag == atom.Tr:
		ends = []atom.Atom{atom.Tr}
	case tag == atom.Dt || tag == atom.Dd:
		ends = []atom.Atom{atom.Dt, atom.Dd}
	case blockTag(tag):
		ends = []atom.Atom{atom.P}
	default:
		return
	}
	for i, e := range slices.Backward(r.stack) {
		if slices.Contains(ends, e.tag) {
			r.stack = r.stack[:i]
			r.leave(e)
			return
		}
		switch e.tag {
		case atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Blockquote, atom.Div:
			return
		}
	}
}

// find returns the index of the innermost open element with a tag, or -1.
func (r *renderer) find(tag atom.Atom) int {
	for i, e := range slices.Backward(r.stack) {
		if e.tag == tag {
			return i
		}
	}
	return -1
}

// headTag reports whether a tag may occur in a head.
func headTag(tag atom.Atom) bool {
	switch tag {
	case atom.Head, atom.Meta, atom.Link, atom.Title, atom.Style, atom.Script, atom.Base,
		atom.Template, atom.Noscript, atom.Object, 0:
		return true
	}
	return false
}

// close closes the innermost open element with a tag, and everything inside it. An end tag without
// a start tag is ignored.
func (r *renderer) close(tag atom.Atom) {
	if tag == 0 {
		return
	}
	if i := r.find(tag); i >= 0 {
		e := r.stack[i]
		r.stack = r.stack[:i]
		r.leave(e)
	}
}

func (r *renderer) enter(e element) {
	if e.hidden {
		return
	}
	switch {
	case e.tag == atom.P && !e.tight:
		r.block(2)
	case blockTag(e.tag):
		r.block(1)
	case e.tag == atom.Td || e.tag == atom.Th:
		r.space = true
	}
}

func (r *renderer) leave(e element) { r.enter(e) }

// block starts a new line and, with n = 2, leaves an empty line before it.
func (r *renderer) block(n int) {
	if !r.started {
		return
	}
	r.space = false
	if !r.fresh || n > 1 {
		r.breaks = max(r.breaks, n)
	}
}

// lineBreak is a <br>: it always ends a line.
func (r *renderer) lineBreak() {
	if r.top().hidden {
		return
	}
	r.flush()
	r.out.WriteByte('\n')
	r.started, r.fresh, r.space = true, true, false
}

// flush writes the pending line ends.
func (r *renderer) flush() {
	if r.breaks == 0 {
		return
	}
	n := r.breaks
	if r.fresh {
		n--
	}
	for range n {
		r.out.WriteByte('\n')
	}
	r.breaks, r.fresh, r.space = 0, true, false
}

func (r *renderer) write(s string) {
	e := r.top()
	if e.hidden {
		return
	}
	if e.pre {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		for i, line := range strings.Split(s, "\n") {
			if i > 0 {
				r.flush()
				r.out.WriteByte('\n')
				r.started, r.fresh, r.space = true, true, false
			}
			if line != "" {
				r.word(line)
			}
		}
		return
	}
	for i, w := range strings.FieldsFunc(s, htmlSpace) {
		if i > 0 || htmlSpace(rune(s[0])) {
			r.space = true
		}
		r.word(w)
	}
	if s != "" && htmlSpace(rune(s[len(s)-1])) {
		r.space = true
	}
}

// word writes text within the line.
func (r *renderer) word(w string) {
	r.flush()
	if r.fresh || !r.started {
		// The innermost quote level has no mark: it is the answered mail, and captains write inside
		// it without seeing any mark.
		if q := r.top().quotes; q > 1 {
			r.out.WriteString(strings.Repeat(">", q-1) + " ")
		}
	} else if r.space {
		r.out.WriteByte(' ')
	}
	r.out.WriteString(w)
	r.started, r.fresh, r.space = true, false, false
}

func (r *renderer) text() string { return r.out.String() }

// htmlSpace is the white space that HTML collapses; a no-break space is not.
func htmlSpace(c rune) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

// hidden checks a style attribute, without spaces and in lower case.
func hidden(style string) bool {
	for _, mark := range []string{"display:none", "visibility:hidden", "mso-hide:all"} {
		if strings.Contains(style, mark) {
			return true
		}
	}
	for declaration := range strings.SplitSeq(style, ";") {
		switch strings.TrimSuffix(declaration, "!important") {
		case "font-size:0", "font-size:0px", "font-size:0pt", "opacity:0", "max-height:0", "max-height:0px":
			return true
		}
	}
	return false
}

// struck checks a style attribute in the same form.
func struck(style string) bool {
	for declaration := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		if strings.HasPrefix(name, "text-decoration") && strings.Contains(value, "line-through") {
			return true
		}
	}
	return false
}

func zeroMargin(style string) bool {
	for declaration := range strings.SplitSeq(style, ";") {
		switch declaration {
		case "margin:0", "margin:0px", "margin:0pt", "margin:0in", "margin:0cm":
			return true
		}
	}
	return false
}

func void(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Col, atom.Embed, atom.Img, atom.Input, atom.Link,
		atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

func blockTag(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Tr, atom.Table,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Blockquote, atom.Section,
		atom.Article, atom.Header, atom.Footer, atom.Address, atom.Center, atom.Form, atom.Body, atom.Fieldset:
		return true
	}
	return false
}
