package tactical

import (
	"fmt"
	"strconv"
	"strings"
)

// Ratio turns power into points: A power units give B points. Its text form is
// "4/1".
type Ratio struct{ A, B int }

// MaxRatio is the largest side of a ratio; no printed one goes beyond 6.
const MaxRatio = 20

// Points returns the points that power gives, rounded down.
func (r Ratio) Points(power int) int {
	if r.A < 1 || power < 0 {
		return 0
	}
	return power * r.B / r.A
}

// Cost returns the least power that gives a number of points.
func (r Ratio) Cost(points int) int {
	if r.B < 1 || points < 0 {
		return 0
	}
	return (points*r.A + r.B - 1) / r.B
}

// String returns the text form, power/points; "none" for the zero ratio, which gives nothing.
func (r Ratio) String() string {
	if r == (Ratio{}) {
		return "none"
	}
	return strconv.Itoa(r.A) + "/" + strconv.Itoa(r.B)
}

// MarshalText returns the text form.
func (r Ratio) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the text form; both sides are 1 to 20.
func (r *Ratio) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*r = Ratio{}
		return nil
	}
	a, b, ok := strings.Cut(string(text), "/")
	power, err1 := side(a)
	points, err2 := side(b)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("ratio %+.60q: expected power/points, such as \"4/1\", each 1 to %d", text, MaxRatio)
	}
	*r = Ratio{power, points}
	return nil
}

// side parses one side of a ratio.
func side(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < 1 || n > MaxRatio || strconv.Itoa(n) != text) {
		err = strconv.ErrRange
	}
	return n, err
}
