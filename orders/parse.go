package orders

// Parse finds and parses every block of a source: Scan, then Raw.Parse of each. The diagnostics are in the order of
// the text.
func Parse(src []byte, lang *Language) ([]Block, []Diagnostic) {
	raws, diags := Scan(src)
	var blocks []Block
	for _, r := range raws {
		b, ds := r.Parse(lang)
		blocks = append(blocks, b)
		diags = append(diags, ds...)
	}
	Sort(diags)
	return blocks, diags
}

// Parse parses the block's lines with the rule set's language, which should have passed Validate. Statements with
// mistakes are left out of the block, so the rest can be used to show what was understood. It does not repeat
// diagnostics of Scan.
func (r Raw) Parse(lang *Language) (Block, []Diagnostic) {
	p := lang.reader()
	p.kind(r.Head)
	p.lines(r.Lines)
	return p.block(&r)
}

// block returns what was parsed of r.
func (p *parser) block(r *Raw) (Block, []Diagnostic) {
	p.flush()
	p.closeBody()
	if p.items == 0 && p.errors == 0 {
		p.warn(r.Start, CodeEmptyBlock, "this block has no order", "write orders between #orders and #end, or cancel")
	}
	return Block{Head: r.Head, Groups: p.sorted(), Start: r.Start, End: r.End, Faulty: p.faulty}, bound(p.diags)
}

// Block parses statements without head and end, as [Parse] does below a head for kind: "ship", "captain" or one of
// the language's posts. It is for text that a program wrote or stored. Lines count from 2, as if the head were
// above them.
func (l *Language) Block(kind, text string) (Block, []Diagnostic) {
	return Raw{Head: Head{Kind: kind}, Lines: numbered(text, 2)}.Parse(l)
}

// Statement parses the text of one statement, with its message if the verb takes one, as it would be under that
// section; "" is the turn level. Programs can build statements with it. Positions count from the start of text.
func (l Language) Statement(section, text string) (Statement, []Diagnostic) {
	return l.reader().alone(section, func(p *parser) { p.lines(numbered(text, 1)) })
}

// reader returns a parser that guesses the meaning of a line without a verb.
func (l *Language) reader() *parser {
	p := newParser(l)
	p.rescue = p.lang.Rescue
	return p
}

// Compiled returns the language with compiled forms; otherwise every block compiles them again. It must not be
// changed afterwards; any number of goroutines may use it.
func (l Language) Compiled() *Language {
	l.programs = nil
	p := newParser(&l)
	for _, s := range l.Sections {
		for _, v := range s.Verbs {
			for _, f := range v.Forms {
				p.program(f)
			}
		}
	}
	for _, s := range l.Subjects {
		p.program(s.Form)
	}
	l.programs = p.programs
	return &l
}
