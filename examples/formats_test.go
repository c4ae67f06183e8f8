package examples_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/manual"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/pbem/vault"
	"starpost/pbem/vault/journal"
)

var formats = filepath.Join("..", "docs", "reference", "formats.md")

// chapter returns the part of a page under a second-level heading.
func chapter(t *testing.T, file, title string) string {
	t.Helper()
	_, rest, ok := strings.Cut(string(read(t, file)), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no chapter %q", file, title)
	}
	body, _, _ := strings.Cut(rest, "\n## ")
	return body
}

// The chapter about a file describes each of its keys.
func TestFormatsNameEveryKey(t *testing.T) {
	source := func(file string) []string {
		var keys []string
		for _, m := range regexp.MustCompile("`toml:\"([a-z_]+)[\",]").FindAllStringSubmatch(string(read(t, "..", filepath.FromSlash(file))), -1) {
			keys = append(keys, m[1])
		}
		if len(keys) == 0 {
			t.Fatalf("no keys in %s", file)
		}
		return keys
	}
	for title, keys := range map[string][]string{
		"Scenario":          tomlKeys(t, scenario.Scenario{}),
		"Ships and weapons": source("engine/rules/fasa/tables/file.go"),
		"Game directory": slices.Concat(tomlKeys(t, vault.Settings{}), jsonKeys(t, vault.Manifest{}),
			jsonKeys(t, journal.Entry{}), jsonKeys(t, journal.JoinData{}), jsonKeys(t, journal.ResignData{}), jsonKeys(t, journal.AddressData{}),
			jsonKeys(t, journal.AwayData{}), jsonKeys(t, journal.MessageData{}), jsonKeys(t, journal.ProtestData{}), jsonKeys(t, journal.DisputeData{}),
			jsonKeys(t, vault.Filed{}), jsonKeys(t, engine.Game{}), jsonKeys(t, ship.State{}), jsonKeys(t, manual.System{}), partKeys(t)),
		"JSON report": slices.DeleteFunc(jsonKeys(t, engine.View{}), func(key string) bool {
			return slices.Contains(jsonKeys(t, engine.Game{}), key) // "as in state.json"
		}),
	} {
		text := chapter(t, formats, title)
		for _, key := range keys {
			if !told(text, key) && !slices.Contains(builtinOnly, key) {
				t.Errorf("docs/reference/formats.md, %q: %q is not told", title, key)
			}
		}
	}
}

// partKeys returns the keys of the courses' parts in a ship's state, and those of their standing orders.
func partKeys(t *testing.T) []string {
	t.Helper()
	keys := []string{"engines", "people", "sensors", "repair", "hull", "crew", "helm", "blast", "cloak", "free", "questions", "scan", "evade", "follow", "bonus"}
	for _, share := range []any{ship.Engine{}, ship.People{}, ship.Sensors{}, ship.RepairState{}, ship.Hull{}, ship.Crew{}, ship.Helm{}, ship.Blast{}, ship.Cloak{}} {
		keys = append(keys, jsonKeys(t, share)...)
	}
	return keys
}

// builtinOnly are keys of table files that are useless in a game's own tables.
var builtinOnly = []string{"sum", "faces", "clockwise", "locations", "simple_locations", "shields"}

func jsonKeys(t *testing.T, v any) []string {
	t.Helper()
	return tagged(t, reflect.TypeOf(v), "json")
}

// told reports whether a word is in the code marks of a text.
func told(text, word string) bool {
	return regexp.MustCompile("`[^`\n]*\\b" + regexp.QuoteMeta(word) + "\\b[^`\n]*`").MatchString(text)
}

// Each type of event has a row with every field.
func TestFormatsTellEveryEvent(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	basic, err := fasa.Basic(lib)
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range []*engine.Rules{basic, manual.Rules()} {
		tellsEvents(t, rules)
	}
}

// tellsEvents checks the rows of a rule set's events, including the engine's.
func tellsEvents(t *testing.T, rules *engine.Rules) {
	t.Helper()
	kinds := rules.Events.Names()
	for _, events := range new(engine.Rules).AllEvents() {
		kinds = append(kinds, events.Names()...)
	}
	if len(kinds) < 15 {
		t.Fatalf("found only %d types of events", len(kinds))
	}
	page := chapter(t, formats, "Events")
	for _, kind := range kinds {
		e, err := engine.DecodeEvent(fmt.Appendf(nil, `{"type":%q}`, kind), rules)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(page, "\n| `"+kind+"` |")
		if !ok {
			t.Errorf("docs/reference/formats.md tells nothing of event %s", kind)
			continue
		}
		row, _, _ := strings.Cut(rest, "\n")
		for _, key := range fields(reflect.TypeOf(e.Body).Elem()) {
			if !told(row, key) {
				t.Errorf("docs/reference/formats.md, event %s: field %s is not told", kind, key)
			}
		}
	}
}

// fields returns the JSON names of a struct's own fields.
func fields(typ reflect.Type) []string {
	var out []string
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, fields(f.Type)...)
		case name != "" && name != "-":
			out = append(out, name)
		}
	}
	return out
}

// The page lists which fields of an event others may see. A field is secret unless its event says otherwise, and this
// list shows it.
func TestFormatsTellWhoSeesWhichField(t *testing.T) {
	var b strings.Builder
	core := map[string]bool{}
	table := func(title string, posts bool, kinds map[string]*engine.EventType) {
		fmt.Fprintf(&b, "%s:\n\n| type | open to others | and to posts |\n|---|---|---|\n", title)
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			others, aboard := openTo(kinds[kind])
			if !posts {
				aboard = ""
			}
			if others+aboard != "" && !core[kind] {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", kind, others, aboard)
			}
		}
		b.WriteString("\n")
	}
	bodies := func(sets ...string) map[string]*engine.EventType {
		out := map[string]*engine.EventType{}
		for _, name := range sets {
			r, err := catalogue().Rules(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range r.Events.Sorted() {
				out[of.Name] = of
			}
		}
		return out
	}
	shared := map[string]*engine.EventType{}
	for _, events := range (&engine.Rules{Referee: new(ruling.Referee), Extension: new(dark.Extension)}).AllEvents() {
		for _, of := range events.Sorted() {
			shared[of.Name] = of
		}
	}
	table("Of all rule sets", true, shared)
	for kind := range shared {
		core[kind] = true
	}
	table("Of the tactical courses and Book One", true, bodies("book-one", "stcs-basic", "stcs-advanced", "stcs-graduate", "stcs-command"))
	table("Of the cadet game and the house rules", false, bodies("sfb-cadet", "sfb-house"))
	table("Of turns that a referee plays", false, bodies(manual.Name))
	reference(t, "who-sees", "Who sees which field of an event", `Who is not named in "whole" of an event sees no more than the fields here: a field that does not stand here, and an event
without a row, are for those alone. Behind a word of "also" stands what is open to others where an event has that. Officers see, of events
that their panels show, what is open to others and to their posts (crew: to all of them; conn: to who steers).

`+b.String())
}

// openTo describes which fields of an event are open to others, and to posts.
func openTo(of *engine.EventType) (others, posts string) {
	also, by := map[string][]string{}, map[string][]string{}
	var open, alone []string
	one := of.Has(engine.InPlace) // shown to that one captain
	for _, f := range of.OpenFields() {
		name := f.Name
		if name == "" {
			name = "the answer"
		} else {
			name = "`" + name + "`"
		}
		for _, word := range f.See {
			switch {
			case word == "all" && one:
				by["crew"] = append(by["crew"], name)
			case word == "all":
				open = append(open, name)
			case word == "others":
				alone = append(alone, name)
			default:
				by[word] = append(by[word], name)
			}
		}
		if f.Also != "" {
			also[f.Also] = append(also[f.Also], name)
		}
	}
	listed := func(of map[string][]string) (out []string) {
		for _, word := range slices.Sorted(maps.Keys(of)) {
			out = append(out, word+": "+strings.Join(of[word], " "))
		}
		return out
	}
	posts = strings.Join(listed(by), "; ")
	if one {
		return "", posts
	}
	parts := listed(also)
	if len(alone) > 0 {
		parts = append([]string{"but not to posts: " + strings.Join(alone, " ")}, parts...)
	}
	if len(open) > 0 {
		parts = append([]string{strings.Join(open, " ")}, parts...)
	}
	return strings.Join(parts, "; "), posts
}
