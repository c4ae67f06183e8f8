package templates

import "strconv"

// turnWords names a turn or a phase of it.
func turnWords(turn, phase int) string {
	words := "turn " + strconv.Itoa(turn)
	if phase > 0 {
		words += ", phase " + strconv.Itoa(phase)
	}
	return words
}

// turnTitle is turnWords as a title begins.
func turnTitle(turn, phase int) string { return "T" + turnWords(turn, phase)[1:] }
