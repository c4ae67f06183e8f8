package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
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

// nearest is the word of known that was probably meant, or "".
func nearest(word string, known []string) string {
	best, at := "", max(2, len(word)/3)+1
	if len(word) > 60 {
		return ""
	}
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), k); d < at {
			best, at = k, d
		}
	}
	return best
}

// didYouMean is a hint with the nearest word, or with all of them.
func didYouMean(word string, known []string) string {
	if n := nearest(word, known); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return "known are " + strings.Join(known, ", ")
}
