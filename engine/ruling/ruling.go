package ruling

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
)

// Ruling is one change, in words:
//
//	set SHIP FIELD VALUE     move SHIP HEX HEADING    repair SHIP SYSTEM|all
//	damage SHIP SYSTEM [N]   kill SHIP                revive SHIP
//	roll NAME VALUE          orders NAME
//	contact SHIP CONTACT LEVEL    forget SHIP CONTACT    echo SHIP HEX
//
// Fields and systems are the [Field]s of the ship, see [Editable]. Orders changes nothing: it records that an order
// set was replaced.
type Ruling struct {
	By     string `json:"by"`
	At     string `json:"at"` // when it was given, for the record
	Why    string `json:"why"`
	What   string `json:"what"`
	Before bool   `json:"before,omitempty"` // at the beginning of the turn instead of its end; ignored for rolls
	Force  bool   `json:"force,omitempty"`  // also allow values that the ship's class does not
}

// Error is a ruling that is not possible: its index in the turn, what is wrong with it, and a hint.
type Error struct {
	No             int
	What           string
	Problem, Hints string
}

// Error names the ruling and the problem.
func (e *Error) Error() string { return fmt.Sprintf("ruling %q: %s", e.What, e.Problem) }

// Hint returns the hint.
func (e *Error) Hint() string { return e.Hints }

// Forms returns the forms of rulings, for messages and handbooks.
func Forms() []string {
	return []string{
		"set SHIP FIELD VALUE", "move SHIP HEX HEADING", "repair SHIP SYSTEM|all", "damage SHIP SYSTEM [POINTS]",
		"kill SHIP", "revive SHIP", "roll NAME VALUE",
		"contact SHIP CONTACT LEVEL", "forget SHIP CONTACT", "echo SHIP HEX",
	}
}

// wordsAfter returns for each verb the minimum and maximum number of words after it.
func wordsAfter() map[string][2]int {
	return map[string][2]int{
		"set": {3, 3}, "move": {3, 3}, "repair": {2, 2}, "damage": {2, 3}, "kill": {1, 1}, "revive": {1, 1},
		"roll": {2, 2}, "orders": {1, 1}, "contact": {3, 3}, "forget": {2, 2}, "echo": {2, 2},
	}
}

// Read splits a ruling into its verb and its arguments. The error is a *Error.
func Read(what string) (verb string, args []string, err error) {
	words := strings.Fields(what)
	refuse := func(hint, format string, a ...any) (string, []string, error) {
		return "", nil, &Error{What: what, Problem: fmt.Sprintf(format, a...), Hints: hint}
	}
	if len(words) == 0 {
		return refuse("one of: "+strings.Join(Forms(), ", "), "it is empty")
	}
	verb, args = strings.ToLower(words[0]), words[1:]
	count, ok := wordsAfter()[verb]
	if !ok {
		verbs := []string{"set", "move", "repair", "damage", "kill", "revive", "roll", "contact", "forget", "echo"}
		hint := orders.DidYouMean("%q", verb, verbs, "one of: "+strings.Join(Forms(), ", "))
		return refuse(hint, "%q is not a ruling", words[0])
	}
	if len(args) < count[0] || len(args) > count[1] {
		form := verb
		if i := slices.IndexFunc(Forms(), func(f string) bool { return strings.HasPrefix(f, verb+" ") }); i >= 0 {
			form = Forms()[i]
		}
		return refuse("write: "+form, "%d words follow %s", len(args), verb)
	}
	return verb, args, nil
}
