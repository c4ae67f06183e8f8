package config

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
)

// Problem is one thing wrong with a configuration. Line and Col count from 1.
type Problem struct {
	File      string
	Line, Col int
	Message   string
	Hint      string // the way out; "" if the message says it
}

// String is "file:line:col: message; hint".
func (p Problem) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Message)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Problems is the error of Load and Parse: at least one, in the order of the
// text.
type Problems []Problem

// Error gives one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return p
}

// didYouMean is a hint with the nearest word, or with all of them.
func didYouMean(word string, known []string) string {
	return orders.DidYouMean("%q", word, known, "known are "+strings.Join(known, ", "))
}
