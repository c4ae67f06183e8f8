// Package pattern has regular expressions that are compiled when they are first
// used. A process that ends soon, as most commands do, would spend more on those of
// mails than on all it does.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern gives the compiled expression.
type Pattern func() *regexp.Regexp

// New takes an expression. One that cannot be compiled panics where it is first used; a
// test in docs compiles those of the program.
func New(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
