package hex

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCoord is the largest column or row, in magnitude, that a label may have. It is far beyond what any battle
// reaches, and keeps hostile labels from causing long lines or large sums.
const maxCoord = 100_000

// Label returns the hex as players write it: CCRR if column and row are both 1 to 99 ("0415"), otherwise "col.row"
// with each number as it is beside a map: 1 to 9 with a leading zero, all others plain ("-2.15", "104.07", "11.0").
func (h Hex) Label() string {
	col, row := h.ColRow()
	if inPrint(col) && inPrint(row) {
		return string([]byte{
			byte('0' + col/10), byte('0' + col%10),
			byte('0' + row/10), byte('0' + row%10),
		})
	}
	return coordName(col) + "." + coordName(row)
}

func coordName(n int) string {
	if 1 <= n && n <= 9 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// String returns Label.
func (h Hex) String() string { return h.Label() }

func inPrint(n int) bool { return 1 <= n && n <= 99 }

// ParseLabel parses what Label returns. The form "col.row" is also allowed for hexes with four digits ("4.15" is
// 0415), and without zeros ("-2.5"). The error says what is wrong with the label and what one looks like; it has no
// position.
func ParseLabel(s string) (Hex, error) {
	if left, right, dotted := strings.Cut(s, "."); dotted {
		col, err := parseCoord("column", s, left)
		if err != nil {
			return Hex{}, err
		}
		row, err := parseCoord("row", s, right)
		if err != nil {
			return Hex{}, err
		}
		return At(col, row), nil
	}
	if len(s) != 4 || !allDigits(s) {
		return Hex{}, fmt.Errorf("hex label %s: want four digits, column and row, such as 0415, or column.row such as -2.15", quote(s))
	}
	col := int(s[0]-'0')*10 + int(s[1]-'0')
	row := int(s[2]-'0')*10 + int(s[3]-'0')
	if col == 0 || row == 0 {
		return Hex{}, fmt.Errorf("hex label %s: columns and rows count from 01; write %s.%s for a hex beyond the printed map", quote(s), coordName(col), coordName(row))
	}
	return At(col, row), nil
}

// parseCoord parses one signed decimal of the label, within maxCoord.
func parseCoord(what, label, s string) (int, error) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || !allDigits(digits) {
		return 0, fmt.Errorf("hex label %s: %s %s is not a whole number; want column.row such as -2.15", quote(label), what, quote(s))
	}
	// The length is checked first, so that Atoi cannot overflow.
	n := maxCoord + 1
	if len(digits) <= len(strconv.Itoa(maxCoord)) {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			return 0, fmt.Errorf("hex label %s: %s: %w", quote(label), what, err)
		}
	}
	if n > maxCoord {
		return 0, fmt.Errorf("hex label %s: %s %s is off every map; the limit is %d either way", quote(label), what, quote(s), maxCoord)
	}
	if digits != s {
		n = -n
	}
	return n, nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// quote quotes untrusted text for an error: escaped, and cut if long.
func quote(s string) string {
	const most = 24
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}

// MarshalText returns the label; beyond the printed map it is in plain decimals ("-2.5"), so that stored hexes do
// not depend on how labels are written for people. A hex beyond maxCoord is an error, because its label could not
// be read back.
func (h Hex) MarshalText() ([]byte, error) {
	col, row := h.ColRow()
	if magnitude(col) > maxCoord || magnitude(row) > maxCoord {
		return nil, fmt.Errorf("hex %s: beyond the limit of %d columns and rows either way", h.Label(), maxCoord)
	}
	if inPrint(col) && inPrint(row) {
		return []byte(h.Label()), nil
	}
	return []byte(strconv.Itoa(col) + "." + strconv.Itoa(row)), nil
}

// UnmarshalText parses a label; see ParseLabel.
func (h *Hex) UnmarshalText(text []byte) error {
	parsed, err := ParseLabel(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}
