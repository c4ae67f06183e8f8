package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
	"starpost/pbem/lobby"
)

// vocabulary returns the words of a language: its orders, headings, the words of their forms and of conditions, and
// the words to choose from.
func vocabulary(l *orders.Language) map[string]bool {
	own := map[string]bool{"when": true, "and": true, "or": true, "not": true}
	add := func(text string) {
		for _, w := range formWord.FindAllString(text, -1) {
			own[strings.ToLower(w)] = true
		}
	}
	for _, s := range l.Sections {
		add(s.Name)
		for _, v := range s.Verbs {
			add(v.Name)
			for _, f := range v.Forms {
				add(placeholder.ReplaceAllString(string(f), " "))
			}
			for _, e := range v.Examples { // examples contain words in place of ship and weapon names
				add(e)
			}
		}
	}
	for _, s := range l.Subjects {
		add(string(s.Form))
		add(strings.Join(s.Choices, " "))
	}
	for _, p := range l.Params {
		add(strings.Join(p.Choices, " "))
	}
	add(strings.Join(l.Posts, " "))
	add(l.Lead)
	return own
}

var (
	formWord    = regexp.MustCompile(`[A-Za-z][A-Za-z-]*`)
	placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)
)

// slipsOf returns a word with typical typing mistakes.
func slipsOf(word string) []string {
	out := []string{word, word + "s", word + "ing"}
	if r := []rune(word); len(r) > 3 {
		out = append(out, string(r[:len(r)-1]), string(r[:1])+string(r[2])+string(r[1])+string(r[3:]), string(r[:2])+string(r[1:]), string(r[:len(r)-1])+"x")
	}
	return out
}

var (
	offered = regexp.MustCompile(`did you mean (?:help )?(.*?)\?`)
	listed  = regexp.MustCompile(`(?:known here: |put it under |It goes under )([^;.]*)`)
	foreign = regexp.MustCompile(`(it is|that would be) (\S+), a word of the rules (.*?); this game uses (\S+?)(?:;|$)`)
)

// heading reports whether a word is the heading of a part of an order set.
func heading(l *orders.Language, word string) bool {
	return slices.ContainsFunc(l.Sections, func(s orders.Section) bool { return s.Name == word })
}

// offers returns the words that a hint suggests to write.
func offers(hint string) (out []string) {
	for _, m := range slices.Concat(offered.FindAllStringSubmatch(hint, -1), listed.FindAllStringSubmatch(hint, -1)) {
		out = append(out, formWord.FindAllString(m[1], -1)...)
	}
	return out
}

// TestHintsOfferWordsOfTheirOwnRuleSet writes words of any rule set, correct or mistyped, anywhere in an order set or
// after help. Hints may offer only words of the captain's own rules. A hint that names a word of other rules must say
// so, and the word must belong to them.
func TestHintsOfferWordsOfTheirOwnRuleSet(t *testing.T) {
	enginetest.Sequential(t)
	lib, sets := library(), map[string]*engine.Rules{}
	own := map[string]map[string]bool{}
	all := map[string]bool{}
	for _, name := range ruleSetNames() {
		r, err := lib.RuleSet(name)
		if err != nil {
			t.Fatal(err)
		}
		sets[name], own[name] = r, vocabulary(r.Language)
		maps.Copy(all, own[name])
		for word, meant := range r.Language.Meant {
			all[word] = true
			for _, m := range meant {
				all[m] = true
			}
		}
	}
	tried, told := 0, 0
	for name, r := range sets {
		if r.Language.Free != "" {
			continue // a person reads the orders: no word is unknown
		}
		check := func(hint, where string) {
			tried++
			for _, m := range foreign.FindAllStringSubmatch(hint, -1) {
				told++
				word, of := strings.ToLower(m[2]), strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' || r == ' ' })
				theirs := len(of) > 0 && !slices.Contains(of, name) && !slices.ContainsFunc(of, func(o string) bool { return !own[o][word] })
				if !theirs || m[4] != name || m[1] != "it is" && (slices.Contains(r.Language.Words(), word) || heading(r.Language, word)) {
					t.Errorf("%s, %s: the hint is %q", name, where, hint)
				}
			}
			written := strings.FieldsFunc(strings.ToLower(where), func(r rune) bool { return r == ' ' || r == '\n' || r == '-' }) // may be echoed
			for _, w := range offers(hint) {
				if _, param := r.Language.Params[w]; param { // help explains it
					continue
				}
				if w = strings.ToLower(w); all[w] && !own[name][w] && !slices.ContainsFunc(written, func(o string) bool { return w == o || strings.HasPrefix(w, o+"-") }) {
					t.Errorf("%s, %s: the hint offers %q, which is of other rules: %s", name, where, w, hint)
				}
			}
		}
		begins, within := []string{"%s 3"}, []string{} // where a line begins, and where other words stand
		for _, s := range r.Language.Sections {
			head := ""
			if s.Name != "" {
				if head = s.Name; s.Numbered {
					head += " 1"
				}
				head += "\n  "
				begins = append(begins, head+"%s 3")
			}
			for _, v := range s.Verbs {
				if len(v.Examples) == 0 || v.Body {
					continue
				}
				words := strings.Fields(v.Examples[0])
				for i := 1; i < len(words); i++ {
					within = append(within, head+strings.Join(slices.Concat(words[:i], []string{"%s"}, words[i+1:]), " "))
				}
				if v.When {
					within = append(within, head+v.Examples[0]+" when %s > 3")
				}
			}
		}
		try := func(place, word string) {
			text := fmt.Sprintf(place, word)
			_, diags := orders.Parse([]byte("#orders g turn 1 ship Hood\n"+text+"\n#end\n"), r.Language)
			for _, d := range diags {
				check(d.Hint, text)
			}
		}
		for k, word := range slices.Sorted(maps.Keys(all)) {
			if k%enginetest.Share != 0 {
				continue
			}
			for n, slip := range slipsOf(word) {
				for i, place := range begins {
					if n == 0 || (i+k+n)%7 == 0 {
						try(place, slip)
					}
				}
				for i := (k + n) % 97; i < len(within); i += 97 {
					try(within[i], slip)
				}
			}
			if _, err := lib.Page("help", []string{word + "x"}, []lobby.Basis{{Set: name}}); err != nil {
				check(wayOut(err), "help "+word+"x")
			}
		}
	}
	if tried*enginetest.Share < 10000 || told*enginetest.Share < 100 {
		t.Errorf("%d hints were looked at, %d of words of other rules", tried, told)
	}
}
