package tactical

import "strconv"

// Sum is that of figures.
func Sum(ns []int) int {
	t := 0
	for _, n := range ns {
		t += n
	}
	return t
}

// Highest is the index of the highest figure, the first of equals.
func Highest(ns []int) int {
	best := 0
	for i, n := range ns {
		if n > ns[best] {
			best = i
		}
	}
	return best
}

// JoinInts writes figures with spaces between them.
func JoinInts(ns []int) string {
	var few [32]byte
	text := few[:0]
	for i, n := range ns {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(text)
}

// Abs is a figure without its sign.
func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
