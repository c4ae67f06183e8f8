package orders

// Bounds on what is read. The logical bounds (items, words, text) are tight
// enough that the canonical text of a block within them is within all of them
// again, however often its lines are wrapped.
const (
	// MaxBytes is the size of a source; a larger one is refused whole.
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
	// MaxDiagnostics is how many remarks one block or one scan gives.
	MaxDiagnostics = 60
	// Width is the column that no canonical line reaches, message texts apart.
	Width = 72
)
