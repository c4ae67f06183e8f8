package orders

import (
	"slices"
	"strings"
)

// Fill writes the statements, or subjects of conditions, that a form makes, at most most of them: optional parts are left out,
// and parts that may be repeated stand once. Values gives what a placeholder can stand for; where it gives nothing, Fill makes none.
func (f Form) Fill(most int, values func(placeholder string) []string) []string {
	made := []string{""}
	glued := true // to what stands before
	for _, w := range f.outside() {
		if w == ":" {
			glued = true
			for i := range made {
				made[i] += ":"
			}
			continue
		}
		words := []string{w}
		if placeholder(w) {
			words = values(w)
		}
		var next []string
		for _, before := range made {
			for _, word := range words {
				if !glued {
					word = " " + word
				}
				if len(next) < most {
					next = append(next, before+word)
				}
			}
		}
		made, glued = next, false
	}
	return made
}

// outside are the words of a form that must be there, without the dots.
func (f Form) outside() (out []string) {
	depth := 0
	for _, w := range formWords(string(f)) {
		switch {
		case w == "[":
			depth++
		case w == "]":
			depth--
		case depth == 0 && w != "...":
			out = append(out, w)
		}
	}
	return out
}

// must are the placeholders that a form must have, in order.
func (f Form) must() []string {
	return slices.DeleteFunc(f.outside(), func(w string) bool { return !placeholder(w) })
}

// Figure is the one number that an order gives, perhaps for each of several things: Number and Of are placeholders, Of "" for
// the order as a whole. Pair tells that things stand before their numbers with colons, all in one order.
type Figure struct {
	Number, Of string
	Pair       bool
}

// Figure is that of a form: move POWER, shields SHIELD:POINTS..., arm MOUNT [POWER...].
func (f Form) Figure(params map[string]Param) (fig Figure, ok bool) {
	number := func(w string) bool { return placeholder(w) && params[w].Class == Number }
	named, words := f.must(), f.outside()
	switch {
	case len(named) == 1 && number(named[0]):
		return Figure{Number: named[0]}, true
	case len(named) == 2 && slices.Contains(words, ":") && number(named[1]):
		return Figure{Number: named[1], Of: named[0], Pair: true}, true
	case len(named) == 1 && params[named[0]].Class == Name:
		_, rest, _ := strings.Cut(string(f), "[")
		if first := formWords(rest); len(first) > 0 && number(first[0]) {
			return Figure{Number: first[0], Of: named[0]}, true
		}
	}
	return Figure{}, false
}
