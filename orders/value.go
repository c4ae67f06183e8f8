package orders

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// value is a word parsed as a Param: its canonical text and, for numbers, its value; or the code and a complaint
// that says what is wrong with it.
type value struct {
	text      string
	num       int
	code      string
	complaint string
}

func (v value) ok() bool { return v.code == "" }

// read parses a word as the placeholder's class requires. It does not parse Text, which is more than a word.
func (p Param) read(word string) value {
	switch p.Class {
	case Number:
		return readNumber(word)
	case Name:
		if nameShape(word) {
			return value{text: word}
		}
		return value{code: CodeBadName, complaint: "is not a name"}
	case HexLabel:
		if text, ok := hexShape(word); ok {
			return value{text: text}
		}
		return value{code: CodeBadHex, complaint: "is not a hex such as 1912 or -2.15"}
	case Choice:
		for _, c := range p.Choices {
			if same(c, word) {
				return value{text: c}
			}
		}
		return value{code: CodeBadChoice, complaint: "is not one of " + strings.Join(p.Choices, ", ")}
	case Signed:
		return p.readSigned(word)
	default:
		return value{code: CodeBadWord, complaint: "is not understood"}
	}
}

// accepts reports whether read accepts the word, without saying why not.
func (p Param) accepts(word string) bool {
	if p.Class == Choice {
		return slices.ContainsFunc(p.Choices, func(c string) bool { return same(c, word) })
	}
	return p.read(word).ok()
}

func readNumber(word string) value {
	if !digits(word) {
		return value{code: CodeBadNumber, complaint: "is not a number"}
	}
	n, err := strconv.Atoi(word)
	if err != nil || n > MaxNumber {
		return value{code: CodeNumberTooLarge, complaint: "is more than " + strconv.Itoa(MaxNumber)}
	}
	return value{text: strconv.Itoa(n), num: n}
}

func (p Param) readSigned(word string) value {
	sign, count := byte(0), word
	if word != "" && (word[0] == '+' || word[0] == '-') {
		sign, count = word[0], word[1:]
	}
	v := readNumber(count)
	if sign == 0 || v.code == CodeBadNumber {
		return value{code: CodeBadSigned, complaint: "is not a signed number such as +1"}
	}
	if !v.ok() {
		return v
	}
	if sign == '-' {
		v.num = -v.num
	}
	v.text = string(sign) + v.text
	if len(p.Choices) > 0 && !slices.Contains(p.Choices, v.text) {
		return value{code: CodeBadChoice, complaint: "is not one of " + strings.Join(p.Choices, ", ")}
	}
	return v
}

func digits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func nameShape(s string) bool {
	solid := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			solid = true
		case unicode.IsMark(r), strings.ContainsRune("-'._", r):
		default:
			return false
		}
	}
	return solid
}

// hexShape parses CCRR, kept as it is, or col.row with up to four digits each, without leading zeros.
func hexShape(s string) (string, bool) {
	if len(s) == 4 && digits(s) {
		return s, true
	}
	col, row, ok := strings.Cut(s, ".")
	if !ok {
		return "", false
	}
	c, ok1 := coordinate(col)
	r, ok2 := coordinate(row)
	return c + "." + r, ok1 && ok2
}

func coordinate(s string) (string, bool) {
	count := strings.TrimPrefix(s, "-")
	if !digits(count) || len(count) > 4 {
		return "", false
	}
	n, err := strconv.Atoi(s)
	return strconv.Itoa(n), err == nil
}

// expects returns the words for messages about what belongs in a placeholder's place.
func (p Param) expects() string {
	doc := cmp.Or(strings.ReplaceAll(p.Doc, "`", ""), p.Class.String())
	if len(p.Choices) == 0 {
		return doc
	}
	doc, _, _ = strings.Cut(doc, ";") // the rest is for the handbook
	words := strings.FieldsFunc(doc, func(r rune) bool { return r == ' ' || r == ',' || r == ':' })
	if slices.ContainsFunc(p.Choices, func(c string) bool { return !slices.Contains(words, c) }) {
		doc += " (" + strings.Join(p.Choices, ", ") + ")"
	}
	return doc
}

// Class says what a placeholder accepts.
type Class uint8

const (
	// Number is a count from 0 to 999999.
	Number Class = iota
	// Name is a word of letters, digits and - ' . _ with at least one letter or
	// digit: a ship, weapon or captain. It is kept as typed.
	Name
	// HexLabel is a hex: CCRR (four digits) or col.row with optional minus signs.
	HexLabel
	// Choice is one of the listed words, in any case.
	Choice
	// Signed is a number with its sign, +1 or -1; Choices may restrict it.
	Signed
	// Text is the rest of the statement, with each run of white space reduced to one space.
	Text
)

// String returns a name of the class for captains.
func (c Class) String() string {
	switch c {
	case Number:
		return "a number"
	case Name:
		return "a name"
	case HexLabel:
		return "a hex"
	case Choice:
		return "one of the listed words"
	case Signed:
		return "a signed number"
	case Text:
		return "text to the end of the line"
	}
	return "an unknown class"
}

// Param is what a placeholder of a form stands for. Choices are the canonical
// spellings of a Choice (matched in any case) or, with their signs, the only
// values of a Signed. Doc is a short noun phrase ("a ship in sight").
type Param struct {
	Class   Class
	Choices []string
	Doc     string
}

// Form is one shape of a statement or of a condition's subject:
//
//	pursue SHIP [to RANGE] [showing SHIELD]
//	shields SHIELD:POINTS...
//	fire WEAPON... at SHIP
//
// Lower-case words stand for themselves, upper-case words are placeholders from Language.Params, brackets enclose
// optional parts, "..." repeats the item before it one or more times, and A:B is a pair of placeholders.
type Form string
