package orders

import (
	"slices"
	"strings"
)

// Fill returns statements, or subjects of conditions, of a form, at most most of them. Optional parts are left out,
// and parts that may be repeated occur once. Values returns what a placeholder can stand for; if it returns
// nothing, so does Fill.
func (f Form) Fill(most int, values func(placeholder string) []string) []string {
	made := []string{""}
	glued := true // to the word before
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

// outside returns the required words of a form, without the dots.
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

// must returns the required placeholders of a form, in order.
func (f Form) must() []string {
	return slices.DeleteFunc(f.outside(), func(w string) bool { return !placeholder(w) })
}

// Figure is the number in an order, perhaps one for each of several things: Number and Of are placeholders, Of ""
// stands for the order as a whole. Pair says that one order has several pairs of a thing and its number, joined by
// colons.
type Figure struct {
	Number, Of string
	Pair       bool
}

// Figure returns the figure of a form: move POWER, shields SHIELD:POINTS..., arm MOUNT [POWER...].
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
