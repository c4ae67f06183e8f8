package engine

import (
	"bytes"
	"fmt"
)

// ForRules is the text of a scenario file with the name of another rule set in place
// of its own; all else stays as it is. Whether the scenario can be played by that rule
// set is for NewGame to say. A file that names none, or that cannot be read as a
// scenario, stays as it is.
func ForRules(file []byte, rules string) []byte {
	sc, _ := ParseScenario(file)
	if sc == nil || sc.Rules == rules {
		return file
	}
	at := sc.Where("rules").Line - 1
	lines := bytes.Split(file, []byte("\n"))
	lines[at] = fmt.Appendf(nil, "rules = %q", rules)
	return bytes.Join(lines, []byte("\n"))
}
