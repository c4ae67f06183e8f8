package orders

// Limits of what is read. The logical limits (items, words, text) are tight enough that the canonical text of a
// block within them is within all limits too, however often its lines are wrapped.
const (
	// MaxBytes is the maximum size of a source; a larger one is refused as a whole.
	MaxBytes = 1 << 20
	// MaxBlocks is the number of blocks in one source.
	MaxBlocks = 20
	// MaxLines is the number of lines in one block.
	MaxLines = 5000
	// MaxLineRunes is the length of a line in a block.
	MaxLineRunes = 500
	// MaxWordRunes is the length of one word of a statement or head.
	MaxWordRunes = 48
	// MaxItems is the number of headings and statements in one block.
	MaxItems = 500
	// MaxWords is the number of words in all statements of one block.
	MaxWords = 3000
	// MaxTextLines and MaxTextRunes bound all message texts of one block.
	MaxTextLines = 200
	MaxTextRunes = 8000
	// MaxNumber is the largest number that can be written.
	MaxNumber = 999999
	// MaxNesting is how deep not and parentheses may be nested.
	MaxNesting = 16
	// MaxDiagnostics is the maximum number of diagnostics of one block or one scan.
	MaxDiagnostics = 60
	// Width is the column that no canonical line reaches, except in message texts.
	Width = 72
)
