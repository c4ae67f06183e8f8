package console

import (
	"fmt"

	"starpost/orders"
)

// Mistakes gathers the diagnostics of a file.
func Mistakes(file string, ds []orders.Diagnostic) []string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = fmt.Sprintf("%s:%s", file, d)
		if d.Hint != "" {
			lines[i] += " (" + d.Hint + ")"
		}
	}
	return lines
}
