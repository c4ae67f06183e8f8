package report_test

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/engine/testkit/enginetest"
	"starpost/orders"
	"starpost/pbem/report"
	"starpost/templates"
)

// TestNoFieldTellsWhatIsNotPublic checks that reports reveal nothing secret. In battles of all rule sets, open and dark,
// it changes one field of one event at a time. Every viewer to whom the field is secret (captains, officers, spectators)
// must get the same text, HTML, SVG and view, byte for byte. It also compares the compiled templates with templates that
// are drawn by Go's template libraries. Under the race detector it plays one in [enginetest.Share] of the battles.
func TestNoFieldTellsWhatIsNotPublic(t *testing.T) {
	files := map[string][]byte{}
	sets := map[string]*engine.Rules{}
	for _, f := range []family.Family{fasa.Family(), sfb.Family(), manual.Family()} {
		scenarios, err := f.ScenarioFiles()
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(files, scenarios)
		for _, set := range f.Sets {
			if sets[set.Name], err = set.Rules(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	files["encounter in the dark"] = append(bytes.Clone(files["encounter"]), "\n[blind]\n"...)
	files["two-rooms in the open"] = regexp.MustCompile(`(?m)^(\[blind\]\n(.+\n)*|blind = .*\n)`).ReplaceAll(files["two-rooms"], nil)
	unchanged := &fstest.MapFile{Data: []byte("{{/* a host's, which changes nothing */}}")}
	libraries, wrong := templates.Load(fstest.MapFS{"parts.txt": unchanged, "parts.html": unchanged}, "")
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for i, b := range []struct {
		rules, scenario string
		turns           int
	}{
		{"book-one", "big-bad-wolf", 3},
		{"stcs-basic", "three-on-three", 3},
		{"stcs-advanced", "romulan-gambit", 3},
		{"stcs-advanced", "stern-chase", 2},
		{"stcs-advanced", "lamplight", 5},
		{"stcs-graduate", "moonrise", 3},
		{"stcs-command", "big-bad-wolf", 3},
		{"stcs-command", "romulan-gambit", 2},
		{"stcs-command", "lamplight", 4},
		{"sfb-cadet", "encounter", 3},
		{"sfb-cadet", "encounter in the dark", 5},
		{"sfb-house", "house-duel", 3},
		{"sfb-house", "dakota", 3},
		{"sfb-house", "whispers", 5},
		{"manual", "two-rooms", 2},
		{"manual", "two-rooms in the open", 2},
	} {
		if i%enginetest.Share != 0 {
			continue
		}
		t.Run(b.rules+" "+b.scenario, func(t *testing.T) {
			t.Parallel()
			l := publicLaw{t: t, rules: sets[b.rules], libraries: libraries, looked: map[string]int{}}
			sc, diags := scenario.Parse(scenario.ForRules(files[b.scenario], b.rules))
			if sc == nil {
				t.Fatal(diags)
			}
			g, diags := sc.NewGame(l.rules, "game", nil)
			if g == nil {
				t.Fatal(diags)
			}
			for _, s := range g.Ships {
				for _, post := range l.rules.Posts() {
					if s.Crew == nil {
						s.Crew = map[string]engine.CaptainName{}
					}
					s.Crew[post] = engine.CaptainName("the " + post + " of " + s.Name)
				}
			}
			var events []engine.Event
			for range b.turns {
				if g, events = l.play(g, events); g.Result != nil {
					break // everything is public now
				}
				l.turn(g, events)
			}
			if len(l.looked) < 20 {
				t.Errorf("only %d fields were changed", len(l.looked))
			}
		})
	}
}

type publicLaw struct {
	t      *testing.T
	rules  *engine.Rules
	looked map[string]int // changes by event type, field and viewer

	libraries *templates.Set // templates that are not compiled
}

// play plays a turn with orders from robots, or from a referee's file.
func (l *publicLaw) play(g *engine.Game, events []engine.Event) (*engine.Game, []engine.Event) {
	l.t.Helper()
	rules := l.rules
	var sheets []engine.Sheet
	if rules.Filing != nil {
		var err error
		filed := fmt.Sprintf("#all\nSomething happens.\n#rulings\nroll r%d d10\n", g.Turn)
		for _, s := range engine.Captained(g.Ships) {
			filed += fmt.Sprintf("turn %s %s\nset %s hull %d\n", s.Name, s.Heading, s.Name, 3+g.Turn)
		}
		if rules, err = rules.Filed(g, []byte(filed)); err != nil {
			l.t.Fatal(err)
		}
	}
	for _, seat := range l.rules.Owed(g) {
		if l.rules.Robot == nil {
			sheets = append(sheets, engine.Sheet{Ship: seat.Ship, Policy: engine.PolicyStanding})
			continue
		}
		v := l.view(g, events, l.seated(g, seat))
		s, _ := v.Ship(seat.Ship)
		blocks, diags := orders.Parse([]byte(report.OrderBlock(v, s, seat.Post, "", l.rules.Robot(v, seat.Ship))), l.rules.Language)
		if len(blocks) != 1 {
			l.t.Fatal(diags)
		}
		sheets = append(sheets, engine.Sheet{Ship: seat.Ship, Post: seat.Post, Block: &blocks[0]})
	}
	after, events, err := engine.Resolve(rules, g, sheets, dice.FromSeed(7))
	if err != nil {
		l.t.Fatal(err)
	}
	return after, events
}

func (l *publicLaw) seated(g *engine.Game, seat engine.Seat) engine.Viewer {
	l.t.Helper()
	who, err := l.rules.SeatViewer(g, seat)
	if err != nil {
		l.t.Fatal(err)
	}
	return who
}

func (l *publicLaw) view(g *engine.Game, events []engine.Event, who engine.Viewer) *engine.View {
	l.t.Helper()
	v, err := engine.BuildView(l.rules, g, events, who)
	if err != nil {
		l.t.Fatal(err)
	}
	return v
}

// all returns everything that a viewer gets.
func (l *publicLaw) all(g *engine.Game, events []engine.Event, who engine.Viewer, set *templates.Set) []byte {
	l.t.Helper()
	v := l.view(g, events, who)
	p := report.Renderer{Templates: set}
	got, err := p.Render(l.rules, v, facts(), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	return bytes.Join([][]byte{got.Text, got.HTML, got.SVG, got.View.JSON(), []byte(got.Headline)}, []byte("\x00"))
}

// turn checks the events of a turn.
func (l *publicLaw) turn(g *engine.Game, events []engine.Event) {
	l.t.Helper()
	viewers := []engine.Viewer{{}}
	for _, c := range g.Captains() {
		seen := map[string]bool{}
		for _, seat := range c.Seats {
			if who := l.seated(g, seat); !seen[who.Post] {
				seen[who.Post], viewers = true, append(viewers, who)
			}
		}
	}
	had := make([][]byte, len(viewers))
	for i := range events {
		e := &events[i]
		for k := range reflect.TypeOf(e.Body).Elem().NumField() {
			changed := l.changed(g, e.Body, k)
			if changed == nil {
				continue
			}
			field := e.Type.Name + "." + reflect.TypeOf(e.Body).Elem().Field(k).Name
			for n, who := range viewers {
				key := fmt.Sprintf("%s %d %v", field, min(n, 1), who.Post)
				if l.open(e, k, who) || l.looked[key] > 0 {
					continue
				}
				l.looked[key]++
				if had[n] == nil {
					had[n] = l.all(g, events, who, nil)
					if by := l.all(g, events, who, l.libraries); !bytes.Equal(by, had[n]) {
						l.t.Errorf("turn %d: a library draws the report of %+v otherwise:\n%s", g.Turn, who, firstChange(had[n], by))
					}
				}
				other := slices.Clone(events)
				other[i].Body = changed
				if got := l.all(g, other, who, nil); !bytes.Equal(got, had[n]) {
					l.t.Errorf("turn %d, event %d: %s shows to %+v:\n%s", g.Turn, e.Seq, field, who, firstChange(had[n], got))
				}
			}
		}
	}
}

// open reports whether a viewer may know a field of an event. It reads the tags independently of package engine.
func (l *publicLaw) open(e *engine.Event, field int, who engine.Viewer) bool {
	if told, again := e.Body.(*engine.Retold); again {
		return told.As == nil || e.See.FullyBy(l.rules.Eyes(who))
	}
	tag := reflect.TypeOf(e.Body).Elem().Field(field).Tag
	has := func(word string) bool { return slices.Contains(strings.Split(tag.Get("see"), ","), word) }
	others := has("all") || has("others") || tag.Get("also") != "" && slices.Contains(e.See.Also, tag.Get("also"))
	if e.See.Open() && others {
		return true
	}
	seats := slices.DeleteFunc(who.SeatsOn(who.Focus), func(s engine.Seat) bool { return s.Post == "" })
	if len(seats) == 0 {
		return e.See.FullyBy(l.rules.Eyes(who)) || e.See.To(who.Ships) && others
	}
	if !e.See.To(who.Ships) && !e.See.FullyBy(l.rules.Eyes(who)) {
		return false
	}
	for _, s := range seats {
		if has("all") || has("crew") || has(s.Post) || s.Post == "helm" && (has("conn") || has("weapons")) || slices.Contains(e.See.Whole, s) {
			return true
		}
	}
	return false
}

// changed returns a copy of body with another value in a field, or nil if the field cannot have one.
func (l *publicLaw) changed(g *engine.Game, body engine.Body, field int) engine.Body {
	v := reflect.ValueOf(body).Elem()
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	if f := c.Elem().Field(field); !f.CanSet() || !another(f, g) {
		return nil
	}
	return c.Interface().(engine.Body)
}

// another changes f to another value of its type. It reports whether it could.
func another(f reflect.Value, g *engine.Game) bool {
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.Int:
		f.SetInt(f.Int() + 1)
	case reflect.String:
		if f.Type() == reflect.TypeFor[engine.ShipID]() {
			for _, s := range g.Ships {
				if string(s.ID) != f.String() {
					f.SetString(string(s.ID))
					return true
				}
			}
		}
		f.SetString(f.String() + "x")
	case reflect.Pointer:
		if !f.IsNil() {
			f.SetZero()
			return true
		}
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Struct:
		for _, part := range f.Fields() {
			if part.CanSet() && another(part, g) {
				return true
			}
		}
		return false
	case reflect.Slice:
		if f.Len() > 0 {
			f.SetZero()
			return true
		}
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
	case reflect.Map:
		if f.Len() > 0 {
			f.SetZero()
			return true
		}
		f.Set(reflect.MakeMap(f.Type()))
		f.SetMapIndex(reflect.ValueOf("x").Convert(f.Type().Key()), reflect.Zero(f.Type().Elem()))
	default:
		return false
	}
	return true
}

// firstChange returns the surroundings of the first difference between two texts.
func firstChange(was, is []byte) string {
	i := 0
	for i < min(len(was), len(is)) && was[i] == is[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("%q\n%q", was[from:min(len(was), i+60)], is[from:min(len(is), i+60)])
}
