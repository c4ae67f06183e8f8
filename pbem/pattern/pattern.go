// Package pattern has regular expressions that are compiled on first use. Most commands end soon,
// and compiling those for mails would take longer than all the rest.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern returns the compiled expression.
type Pattern func() *regexp.Regexp

// New returns a Pattern for an expression. An invalid one panics on first use; a test in docs
// compiles those of the program.
func New(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
