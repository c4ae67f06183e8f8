package hex

import "fmt"

// Heading is one of the six directions, A to F, clockwise from up (D4). The
// zero value is A.
type Heading uint8

// The six headings. On the printed map A is up and D is down.
const (
	A Heading = iota
	B
	C
	D
	E
	F
)

// String returns the letter; an invalid value shows its number.
func (h Heading) String() string {
	if h > F {
		return fmt.Sprintf("Heading(%d)", uint8(h))
	}
	return string(rune('A' + h))
}

// ParseHeading parses one letter, A to F in either case.
func ParseHeading(s string) (Heading, error) {
	if len(s) == 1 {
		switch c := s[0]; {
		case 'A' <= c && c <= 'F':
			return Heading(c - 'A'), nil
		case 'a' <= c && c <= 'f':
			return Heading(c - 'a'), nil
		}
	}
	return 0, fmt.Errorf("heading %s: want a letter from A (up), clockwise, to F", quote(s))
}

// MarshalText returns the letter; an invalid value is an error.
func (h Heading) MarshalText() ([]byte, error) {
	if h > F {
		return nil, fmt.Errorf("heading %d: headings are A to F", uint8(h))
	}
	return []byte{byte('A' + h)}, nil
}

// UnmarshalText parses a heading; see ParseHeading.
func (h *Heading) UnmarshalText(text []byte) error {
	parsed, err := ParseHeading(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}

// Turn returns the heading n hex sides to starboard (clockwise), or to port
// for a negative n.
func (h Heading) Turn(n int) Heading {
	return Heading((int(h%6) + n%6 + 6) % 6)
}

// Reverse returns the opposite heading.
func (h Heading) Reverse() Heading { return h.Turn(3) }
