package vault

import "strings"

// Who is who acts, in the midst of a sentence: "the referee", "Rita".
func Who(by string) string {
	if by == "" || strings.ToLower(by) == by { // an office, not a name
		return "the " + by
	}
	return by
}
