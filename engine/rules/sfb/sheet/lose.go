package sheet

import (
	"fmt"
	"slices"
	"strings"

	"starpost/orders"
)

// mostWishes is the most words allowed in a standing order of what to lose.
const mostWishes = 100

// CategoryWords are the words for categories in orders.
var CategoryWords = map[string]Category{
	"hull": HullBoxes, "hulls": HullBoxes,
	"engine": EngineBoxes, "engines": EngineBoxes,
	"weapon": WeaponBoxes, "weapons": WeaponBoxes,
	"other": OtherBoxes, "others": OtherBoxes,
}

// ParseLose reads the words after "lose" in an owner's standing order: a category and what of it is lost first, such
// as "hull fore aft" or "engines impulse:2 warp-left". The name of another category starts a new list. Banks that are
// not on the sheet are mistakes. It calls fail for each mistake, with the index of the word.
func ParseLose(s *Sheet, words []string, fail func(word int, hint, format string, args ...any)) (wishes []Wish) {
	var of Category
	for i, word := range words {
		word = strings.ToLower(word)
		if i >= mostWishes {
			fail(i, "name the first few; the rest follow the default", "more than %d words about what to lose", mostWishes)
			break
		}
		if c, ok := CategoryWords[word]; ok && (of != c || of == "") {
			of = c
			continue
		}
		if of == "" {
			fail(i, `such as "hull fore aft" or "weapons ph-4 drone"`, "found %s where hull, engines, weapons or other is expected", clip(word))
			return wishes
		}
		w := Wish{Category: of, Bank: word}
		if bank, count, ok := strings.Cut(word, ":"); ok {
			n, err := Number(count, 1, maxBoxes)
			if err != nil {
				fail(i, fmt.Sprintf("such as %s:2, until two of its boxes are gone", bank), "%s is not a number of boxes from 1 to %d", clip(count), maxBoxes)
				continue
			}
			w.Bank, w.Count = bank, n
		}
		var names []string
		for j := range s.Banks {
			if b := &s.Banks[j]; b.Kind.Category() == of {
				names = append(names, b.Name)
			}
		}
		if !slices.ContainsFunc(s.Banks, func(b Bank) bool { return w.Means(&b) }) {
			all := "her banks of that kind are " + strings.Join(names, ", ")
			if len(names) == 0 {
				all = "she has no boxes of that kind"
			}
			fail(i, orders.DidYouMean("%s", w.Bank, names, all), "%s has no %s boxes called %s", s.Class, of, clip(w.Bank))
			continue
		}
		wishes = append(wishes, w)
	}
	return wishes
}
