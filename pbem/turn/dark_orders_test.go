package turn_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/rules/manual"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
)

// named is a placeholder for a name in an order, and place for a hex.
const named, place = "NAMED", "5.5"

var (
	optional    = regexp.MustCompile(`\[[^][]*\]`)
	placeholder = regexp.MustCompile(`[A-Z][A-Z-]*`)
)

// ordersThatName returns orders of a language, each under its heading, in which one word is a name: every verb and
// every condition in all its forms, with and without optional parts, and with each of its names in turn. Orders with
// a hex and no name are included.
func ordersThatName(l *orders.Language) (out []string) {
	fill := func(form string, nth int) (text string, names int) {
		text = placeholder.ReplaceAllStringFunc(strings.ReplaceAll(form, "...", ""), func(word string) string {
			p, ok := l.Params[word]
			if !ok {
				return word
			}
			switch p.Class {
			case orders.Number:
				return "2"
			case orders.HexLabel:
				return place
			case orders.Choice:
				return p.Choices[0]
			case orders.Signed:
				return "+1"
			case orders.Text:
				return "words"
			case orders.Name:
			}
			names++
			switch {
			case names-1 == nth:
				return named
			case strings.Contains(word, "WEAPON"), strings.Contains(word, "BANK"):
				return "all"
			}
			return "c01"
		})
		return text, names
	}
	each := func(form orders.Form, add func(order string)) {
		forms := []string{string(form)}
		for short := string(form); optional.MatchString(short); { // from the inside out
			short = strings.Join(strings.Fields(optional.ReplaceAllString(short, "")), " ")
			forms = append(forms, short)
		}
		for _, f := range forms {
			f = strings.NewReplacer("[", "", "]", "").Replace(f)
			text, names := fill(f, -1)
			if names == 0 && strings.Contains(text, place) {
				add(text)
			}
			for n := range names {
				text, _ := fill(f, n)
				add(text)
			}
		}
	}
	for _, s := range l.Sections {
		head := s.Name
		if s.Numbered {
			head += " 1"
		}
		for _, v := range s.Verbs {
			for _, f := range v.Forms {
				each(f, func(order string) {
					if v.Body {
						order += "\n#text\nhello\n#endtext"
					}
					out = append(out, head+"\n"+order+"\n")
				})
			}
		}
	}
	for _, s := range l.Subjects {
		each(s.Form, func(test string) {
			switch s.Kind {
			case orders.NumberSubject:
				test += " <= 9"
			case orders.PercentSubject:
				test += " >= 1%"
			case orders.WordSubject:
				word := named
				if len(s.Choices) > 0 {
					word = s.Choices[0]
				}
				test += " = " + word
			case orders.FlagSubject:
			}
			out = append(out, "phase 1\nfire all at nearest when "+test+"\n", "phase 1\npursue c02 to 3 when not "+test+"\n")
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestNoOrderTellsOfWhatIsNotSeen gives every order of every rule set that names something, or a hex, in two battles
// that differ in what a captain cannot know. The orders use the name of an undetected ship that is in only one
// battle, a contact number, and the hexes of ships or of terrain that the captain has not found. What the captain is
// told about the order, and about the turn in which it is given, is the same in both. The name of a ship known only
// as a number gets the same answer as a name that no ship has. If ships do not know their own side, a number is a
// friend in one battle and a foe in the other. The numbered ship turns away, so that no order brings Hood near enough
// in a turn to identify her. For more names use -dark.seeds 2.
func TestNoOrderTellsOfWhatIsNotSeen(t *testing.T) {
	enginetest.Sequential(t)
	cat := darkCatalogue()
	for _, name := range slices.Sorted(maps.Keys(cat)) {
		if name == manual.Name { // a person reads its orders
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := cat.Rules(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			all := *darkSeeds > 1
			one, other := begunBy(t, r, darkGame(t, r, false)), begunBy(t, r, darkGame(t, r, true))
			mate, foe := begunBy(t, r, friendOrFoe(t, r, "3044", "9999")), begunBy(t, r, friendOrFoe(t, r, "9999", "3044"))
			for _, pair := range [][2]*begun{{one, other}, {mate, foe}} {
				if a, b := pair[0].told, pair[1].told; !bytes.Equal(a, b) {
					t.Errorf("the first report tells: %s", enginetest.Difference(a, b))
				}
			}
			list := ordersThatName(r.Language)
			if len(list) < 20 {
				t.Errorf("only %d orders name something", len(list))
			}
			turns := all || name == "stcs-graduate" || name == "sfb-house" // they have what others have
			for _, order := range list {
				as := func(b *begun, name, hex string, turn bool) []byte {
					return b.given(t, r, strings.NewReplacer(named, name, place, hex).Replace(order), turn)
				}
				same := func(what string, a, b []byte) {
					t.Helper()
					if !bytes.Equal(a, b) {
						t.Errorf("%q %s: %s", order, what, enginetest.Difference(a, b))
					}
				}
				names := []string{"Far"}
				if all {
					names = []string{"Far", "Farther", "Near", "Mate", "c02", "c77", "green", "blue"}
				}
				for _, name := range names {
					same("tells of "+name, as(one, name, "99.99", turns), as(other, name, "99.99", turns))
				}
				if strings.Contains(order, place) { // there is a planet in one of them
					same("tells of terrain", as(one, "Far", "95.95", turns), as(other, "Far", "95.95", turns))
				}
				if strings.Contains(order, named) {
					same("tells the name of a number", bytes.ReplaceAll(bytes.ReplaceAll(as(one, "Near", "30.44", all), []byte("Near"), []byte("Naer")), []byte("near"), []byte("naer")),
						bytes.ReplaceAll(as(one, "Naer", "30.44", all), []byte("near"), []byte("naer")))
					for _, name := range []string{"c01", "Mate"} {
						same("tells friend from foe by "+name, as(mate, name, "30.44", turns), as(foe, name, "30.44", turns))
					}
				}
			}
		})
	}
}

// darkGame returns one of the two battles, before the first turn.
func darkGame(t *testing.T, r *engine.Rules, second bool) *engine.Game {
	t.Helper()
	text, _ := darkScenario(r.Name, "", second)
	return gameFrom(t, r, text)
}

// gameFrom creates a game of a battle in which the numbered ship turns away.
func gameFrom(t *testing.T, r *engine.Rules, text string) *engine.Game {
	t.Helper()
	const at = "hex = \"3044\"\nheading = "
	sc, ds := scenario.Parse([]byte(strings.Replace(text, at+`"A"`, at+`"C"`, 1)))
	if sc == nil {
		t.Fatal(ds)
	}
	g, ds := sc.NewGame(r, "game", nil)
	if g == nil {
		t.Fatal(ds)
	}
	return g
}

// friendOrFoe returns a battle in which ships do not know their own side: Hood, a friend and a foe of one class.
func friendOrFoe(t *testing.T, r *engine.Rules, mate, foe string) *engine.Game {
	t.Helper()
	text, _ := darkScenario(r.Name, `recognition = "none"`, false)
	ships := regexp.MustCompile(`(?s)\[\[ship\]\].*`).FindString(text)
	class := regexp.MustCompile(`class = "[^"]*"`).FindString(ships)
	text = strings.NewReplacer(ships, "", "[[side]]\nid = \"blue\"\n", "").Replace(text)
	for _, s := range [][3]string{{"Hood", "red", "3030"}, {"Mate", "red", mate}, {"Foe", "green", foe}} {
		text += fmt.Sprintf("[[ship]]\nname = %q\nside = %q\n%s\nhex = %q\nheading = \"A\"\n", s[0], s[1], class, s[2])
	}
	return gameFrom(t, r, text)
}

func mustShip(t *testing.T, g *engine.Game, id engine.ShipID) *engine.Ship {
	t.Helper()
	s, ok := g.Ship(id)
	if !ok {
		t.Fatalf("there is no ship %s", id)
	}
	return s
}

// begun is a battle before its first turn, as Hood's captain sees it.
type begun struct {
	game *engine.Game
	hood *engine.Ship
	view *engine.View
	told []byte // without any order
}

func begunBy(t *testing.T, r *engine.Rules, g *engine.Game) *begun {
	t.Helper()
	seat := engine.Seat{Ship: "hood"}
	told, err := enginetest.Told(r, g, nil, seat)
	if err != nil {
		t.Fatal(err)
	}
	who, err := r.SeatViewer(g, seat)
	if err != nil {
		t.Fatal(err)
	}
	view, err := engine.BuildView(r, g, nil, who)
	if err != nil {
		t.Fatal(err)
	}
	return &begun{game: g, hood: mustShip(t, g, "hood"), view: view, told: told}
}

// given returns what Hood's captain is told about an order, and about the turn in which it is given.
func (b *begun) given(t *testing.T, r *engine.Rules, text string, turn bool) []byte {
	t.Helper()
	told, err := enginetest.Answer(r, b.view, b.hood, text)
	if err != nil {
		t.Fatal(err)
	}
	blocks, diags := orders.Parse([]byte("#orders game turn 1 ship Hood\n"+text+"#end\n"), r.Language)
	told = fmt.Appendf(told, "%+v\n", diags)
	if !turn {
		return told
	}
	hood := engine.Seat{Ship: "hood"}
	var sheets []engine.Sheet
	for _, seat := range r.Owed(b.game) {
		s := engine.Sheet{Ship: seat.Ship, Post: seat.Post, Policy: engine.PolicyStanding}
		if seat == hood && len(blocks) == 1 {
			block, _, _ := r.Navigate(b.view, "hood", blocks[0])
			s = engine.Sheet{Ship: "hood", Block: &block}
		}
		sheets = append(sheets, s)
	}
	after, events, err := engine.Resolve(r, b.game, sheets, dice.FromSeed(1))
	if err != nil {
		t.Fatal(err)
	}
	if had, has := knownToHood(b.game), knownToHood(after); !slices.Equal(had, has) {
		t.Errorf("%q tells Hood who %v are, of whom she knew %v: what differs must stay unknown", text, has, had)
	}
	report, err := enginetest.Told(r, after, events, hood)
	if err != nil {
		t.Fatal(err)
	}
	return append(told, report...)
}

// knownToHood returns the ships that Hood's captain has identified.
func knownToHood(g *engine.Game) (out []string) {
	for _, l := range g.Blind.Logs {
		for _, c := range l.Contacts {
			if l.Captain == "Hood" && c.Named {
				out = append(out, string(c.Ship))
			}
		}
	}
	return out
}
