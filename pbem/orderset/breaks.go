package orderset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"starpost/engine"
	"starpost/orders"
)

// Breaks are the events about which a captain wants to be consulted, in a game that continues by itself until
// something happens: kinds of breaks, and a range at which another ship comes near.
type Breaks []string

// breakRange begins a range among a captain's breaks: "range 12".
const breakRange = "range "

// UsualBreaks returns the default breaks.
func UsualBreaks() Breaks { return engine.BreakKinds() }

// After parses one order about breaks, "on contact hit", "never lost", "when range to nearest <= 12" or "as usual",
// and returns the new breaks. problem is "" for a valid line.
func (now Breaks) After(st orders.Statement) (then Breaks, problem, hint string) {
	line, _ := st.Arg("WORDS")
	kinds := strings.Join(engine.BreakKinds(), ", ")
	words := strings.Fields(strings.ToLower(line.Text))
	if len(words) < 2 {
		return now, "break at what? nothing is named", "for example: break on contact hit"
	}
	if words[0] == "when" {
		var n int
		if _, err := fmt.Sscanf(strings.Join(words[1:], " "), "range to nearest <= %d", &n); err != nil || n < 1 || n > MaxBreakRange || strings.Join(words, " ") != whenNear(n) {
			return now, "the condition is not understood", fmt.Sprintf("write: break when range to nearest <= 12, with 1 to %d", MaxBreakRange)
		}
		then = slices.DeleteFunc(slices.Clone(now), func(w string) bool { return strings.HasPrefix(w, breakRange) })
		return append(then, breakRange+strconv.Itoa(n)), "", ""
	}
	if strings.Join(words, " ") == "as usual" {
		return UsualBreaks(), "", ""
	}
	for _, w := range words[1:] {
		if !slices.Contains(engine.BreakKinds(), w) {
			return now, fmt.Sprintf("%q is not a kind of break", w), "one of: " + kinds
		}
	}
	switch words[0] {
	case "on":
		then = slices.DeleteFunc(slices.Clone(now), func(w string) bool { return slices.Contains(engine.BreakKinds(), w) })
		for _, kind := range engine.BreakKinds() {
			if slices.Contains(words[1:], kind) {
				then = append(then, kind)
			}
		}
		return then, "", ""
	case "never":
		return slices.DeleteFunc(slices.Clone(now), func(w string) bool { return slices.Contains(words[1:], w) }), "", ""
	}
	return now, fmt.Sprintf("%q is not understood", words[0]), "on, never, when or as usual, for example: break on contact hit"
}

// MaxBreakRange limits the range of a break.
const MaxBreakRange = 99

func whenNear(n int) string { return fmt.Sprintf("when range to nearest <= %d", n) }

// Near returns the range at which another ship causes a break; 0 for none.
func (now Breaks) Near() int {
	for _, k := range now {
		if text, ok := strings.CutPrefix(k, breakRange); ok {
			n, _ := strconv.Atoi(text) // After has checked it
			return n
		}
	}
	return 0
}

// String describes the breaks.
func (now Breaks) String() string {
	words := make([]string, len(now))
	for i, k := range now {
		words[i] = k
		if n, ok := strings.CutPrefix(k, breakRange); ok {
			words[i] = "a ship within " + n
		}
	}
	if len(words) == 0 {
		return "nothing; only when the stretch is over"
	}
	return strings.Join(words, ", ")
}

// checkBreaks checks the orders of a set about breaks.
func (g *Game) checkBreaks(s *Set, say sayFunc) {
	var now Breaks
	if g.Breaks != nil {
		now = g.Breaks(s.Captain)
	}
	for _, st := range engine.TurnLevelStatements(&s.Block, "break") {
		if g.Breaks == nil && !g.unsaid {
			say(st.Pos, orders.Warning, CodeNoBreaks, "leave it out", "this game asks for orders for each %s, so it has no breaks; the line is skipped", g.asksFor())
			continue
		}
		then, problem, hint := now.After(st)
		if problem != "" {
			say(st.Pos, orders.Error, CodeBadBreak, hint, "break: %s", problem)
			continue
		}
		now = then
		text := "you are asked at: " + now.String()
		if g.unsaid {
			text = "it takes effect if the game runs by itself until something happens"
		}
		s.Checked.Effects = append(s.Checked.Effects, engine.Effect{Line: st.Pos.Line, Text: text})
	}
}

// asksFor returns what each exchange of mails of the game resolves.
func (g *Game) asksFor() string {
	if g.Rounds > 0 {
		return "phase"
	}
	return "turn"
}
