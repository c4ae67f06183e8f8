package orders

// CodeInfo describes one diagnostic code.
type CodeInfo struct {
	Code     string
	Severity Severity
	Title    string
}

// Codes lists the codes of this package.
func Codes() []CodeInfo { return nil }

// Validate checks the table itself.
func (l Language) Validate() error { return nil }

// Reference writes the verb reference as Markdown.
func (l Language) Reference() string { return "" }

// Statement reads one statement as it would stand under that section ("" is the turn level).
func (l Language) Statement(section, text string) (Statement, []Diagnostic) {
	return Statement{}, nil
}

// Scan finds the blocks.
func Scan(src []byte) ([]Raw, []Diagnostic) { return nil, nil }

// Parse reads a block with a language.
func (r Raw) Parse(lang *Language) (Block, []Diagnostic) { return Block{}, nil }

// Parse is Scan and Raw.Parse of each block.
func Parse(src []byte, lang *Language) ([]Block, []Diagnostic) { return nil, nil }

// Format gives the canonical text of a block.
func Format(b Block) string { return "" }

// FormatStatement gives the canonical text of one statement.
func FormatStatement(s Statement) string { return "" }

// String gives the canonical text of the condition, without the word when.
func (c *Cond) String() string { return "" }

// Suggest gives the nearest of among, or "".
func Suggest(word string, among []string) string { return "" }
