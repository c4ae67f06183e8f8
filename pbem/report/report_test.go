package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/sfb"
	"starpost/engine/ruling"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/report"
	"starpost/templates"
)

func rules(tb testing.TB) *engine.Rules {
	tb.Helper()
	lib, err := tables.Builtin()
	if err != nil {
		tb.Fatal(err)
	}
	r, err := fasa.Basic(lib)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// moment is a game after a turn, with the turn's events.
type moment struct {
	game   *engine.Game
	events []engine.Event
}

// battle plays the Big Bad Wolf to its end, with robots.
func battle(tb testing.TB, r *engine.Rules, seed uint64) []moment {
	tb.Helper()
	all, err := fasa.Scenarios()
	if err != nil {
		tb.Fatal(err)
	}
	return fight(tb, r, all["big-bad-wolf"], seed)
}

func fight(tb testing.TB, r *engine.Rules, file []byte, seed uint64) []moment {
	tb.Helper()
	sc, diags := scenario.Parse(file)
	if sc == nil {
		tb.Fatal(diags)
	}
	g, diags := sc.NewGame(r, "wolf", nil)
	if g == nil {
		tb.Fatal(diags)
	}
	out := []moment{{game: g}}
	for g.Result == nil && len(out) < 60 {
		var sheets []engine.Sheet
		last := out[len(out)-1]
		for _, id := range g.InFight() {
			v := view(tb, r, last, id)
			s, _ := v.Ship(id)
			blocks, diags := orders.Parse([]byte(report.OrderBlock(v, s, "", "", r.Robot(v, id))), r.Language)
			if len(blocks) != 1 || orders.HasErrors(diags) {
				tb.Fatal(diags)
			}
			sheets = append(sheets, engine.Sheet{Ship: id, Block: &blocks[0]})
		}
		after, events, err := engine.Resolve(r, g, sheets, dice.FromSeed(seed))
		if err != nil {
			tb.Fatal(err)
		}
		g = after
		out = append(out, moment{g, events})
	}
	return out
}

func view(tb testing.TB, r *engine.Rules, m moment, ship engine.ShipID) *engine.View {
	tb.Helper()
	s, ok := m.game.Ship(ship)
	if !ok {
		tb.Fatalf("no ship %s", ship)
	}
	v, err := engine.BuildView(r, m.game, m.events, engine.Viewer{Captain: s.Captain, Ships: []engine.ShipID{ship}, Focus: ship})
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func facts() report.Meta {
	return report.Meta{Now: now, Deadline: now.Add(50 * time.Hour), Key: "7K4Q-92FM", Robot: "robot@example.org", Commit: strings.Repeat("ab", 32), Briefing: []string{"A wolf comes."}}
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:starpost:report:1", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:starpost:report:1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemaHoldsForRealReports validates every report of whole battles, and
// checks that the report is exactly the view.
func TestSchemaHoldsForRealReports(t *testing.T) {
	schema := compile(t)
	courses, boxes := rules(t), must(t, sfb.Family().Sets[0].Rules)
	meeting := must(t, func(map[string][]byte) (map[string][]byte, error) { return sfb.Family().ScenarioFiles() })["encounter"]
	for seed := range uint64(4) {
		r, moments := courses, []moment(nil)
		if seed < 3 {
			moments = battle(t, r, seed)
		} else { // ships made of boxes, and what they launch
			r = boxes
			moments = fight(t, r, meeting, seed)
		}
		for _, m := range moments {
			cache := &report.Cache{}
			for _, s := range engine.Captained(m.game.Ships) {
				v := view(t, r, m, s.ID)
				for range 2 { // the second time from the cache
					data, err := report.JSON(v, cache)
					if err != nil {
						t.Fatal(err)
					}
					doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
					if err != nil {
						t.Fatal(err)
					}
					if err := schema.Validate(doc); err != nil {
						t.Fatalf("seed %d turn %d ship %s: %v", seed, m.game.Turn, s.ID, err)
					}
					plain, err := json.Marshal(v)
					if err != nil {
						t.Fatal(err)
					}
					want, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
					if err != nil {
						t.Fatal(err)
					}
					if v.Events == nil {
						want.(map[string]any)["events"] = []any{}
					}
					if d := cmp.Diff(want, doc); d != "" {
						t.Fatalf("the report is not the view:\n%s", d)
					}
				}
			}
		}
	}
}

// must calls a maker without files, and fails the test if it fails.
func must[T any](t *testing.T, maker func(map[string][]byte) (T, error)) T {
	t.Helper()
	made, err := maker(nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestSchemaRefuses(t *testing.T) {
	r := rules(t)
	schema := compile(t)
	data, err := report.JSON(view(t, r, battle(t, r, 1)[1], "hood"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another format": {`"format":2`, `"format":3`},
		"unknown key":    {`"game":`, `"gane":`},
		"a bad heading":  {`"heading":"A"`, `"heading":"G"`},
		"a bad hex":      {`"hex":"11`, `"hex":"x1`},
		"a bad status":   {`"status":"active"`, `"status":"asleep"`},
		"a bad die":      {`"dice":"d10"`, `"dice":"d20"`},
	} {
		changed := strings.Replace(string(data), change[0], change[1], 1)
		if changed == string(data) {
			t.Errorf("%s: nothing to change", name)
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("%s: passes", name)
		}
	}
}

// TestSchemaNamesEveryField checks that the schema and the types have the same
// fields.
func TestSchemaNamesEveryField(t *testing.T) {
	type object struct {
		Properties map[string]json.RawMessage
		Defs       map[string]json.RawMessage `json:"$defs"`
		AllOf      []struct {
			If struct {
				Properties struct{ Type struct{ Const string } }
			}
			Then object2
		}
	}
	var top object
	if err := json.Unmarshal(report.Schema(), &top); err != nil {
		t.Fatal(err)
	}
	def := func(name string) (o object) {
		if err := json.Unmarshal(top.Defs[name], &o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return o
	}
	same := func(name string, props map[string]json.RawMessage, v any) {
		t.Helper()
		want := map[string]bool{}
		for f := range fields(reflect.TypeOf(v)) {
			want[f] = true
		}
		got := map[string]bool{}
		for f := range props {
			got[f] = true
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
	same("view", top.Properties, engine.View{})
	for name, v := range map[string]any{
		"viewer": engine.Viewer{}, "side": engine.Side{}, "ship": engine.ShipView{}, "step": engine.Step{},
		"place": engine.Place{}, "feature": engine.Feature{}, "result": engine.Result{}, "bounds": hex.Bounds{},
	} {
		same(name, def(name).Properties, v)
	}
	r, bodies := rules(t), map[string]any{}
	for _, b := range []engine.Body{
		&engine.Roll{}, &engine.Move{}, &engine.Skip{}, &engine.Out{}, &engine.Arrive{}, &engine.Score{}, &engine.Won{},
		&engine.Luck{}, &engine.Talk{}, &engine.Absent{}, &engine.Relieved{}, &engine.Charted{}, &ruling.Ruled{}, &engine.RulesChanged{},
	} {
		bodies[r.TypeOf(b).Name] = reflect.ValueOf(b).Elem().Interface()
	}
	for _, a := range def("event").AllOf {
		kind := a.If.Properties.Type.Const
		same("event "+kind, a.Then.Properties, bodies[kind])
		delete(bodies, kind)
	}
	if len(bodies) > 0 {
		t.Errorf("not described: %v", bodies)
	}
}

type object2 struct{ Properties map[string]json.RawMessage }

// fields yields the JSON names of a struct.
func fields(t reflect.Type) func(func(string) bool) {
	return func(yield func(string) bool) {
		for f := range t.Fields() {
			if !f.IsExported() {
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if !yield(name) {
				return
			}
		}
	}
}

func TestTemplateIsAValidSet(t *testing.T) {
	r := rules(t)
	for _, m := range battle(t, r, 4) {
		if m.game.Result != nil {
			if got := report.Template(r, view(t, r, m, "hood"), "K", false); got != "" {
				t.Errorf("after the end: %s", got)
			}
			continue
		}
		for _, id := range m.game.InFight() {
			v := view(t, r, m, id)
			text := report.Template(r, v, "7K4Q-92FM", false)
			blocks, diags := orders.Parse([]byte(text), r.Language)
			if len(blocks) != 1 || len(diags) > 0 {
				t.Fatalf("turn %d, %s: %v in\n%s", m.game.Turn, id, diags, text)
			}
			if c := r.Check(v, id, blocks[0]); len(c.Diagnostics) > 0 {
				t.Errorf("turn %d, %s: %v in\n%s", m.game.Turn, id, c.Diagnostics, text)
			}
			if h := blocks[0].Head; h.Key != "7K4Q-92FM" || h.Turn != m.game.Turn+1 || h.Game != "wolf" {
				t.Errorf("%+v", h)
			}
			if orders.Format(blocks[0]) != text {
				t.Errorf("not canonical:\n%s", text)
			}
		}
	}
}

func TestReportListsOrdersDue(t *testing.T) {
	r := rules(t)
	all := battle(t, r, 2)
	rep := report.Build(r, view(t, r, all[1], "hood"), facts())
	want := templates.OrdersDue{
		Turn: 2, Deadline: "Mon 23 Nov 2026, 14:00 UTC", Left: "2 days 2 hours", What: []string{"orders for Hood"},
		HowTo: rep.Owed.HowTo,
	}
	if d := cmp.Diff(want, rep.Owed); d != "" || len(rep.Owed.HowTo) == 0 || !strings.Contains(rep.Owed.HowTo[0], "robot@example.org") {
		t.Error(d, rep.Owed.HowTo)
	}
	if rep.Ship != "Hood" || rep.Game != "wolf" || rep.Turn != 1 || rep.Commit == "" || rep.Secret != "" || rep.Over != "" {
		t.Errorf("%+v", rep)
	}
	f := facts()
	f.Secret, f.Key, f.Deadline = strings.Repeat("cd", 32), "", time.Time{}
	last := report.Build(r, view(t, r, all[len(all)-1], "hood"), f)
	if last.Owed.Turn != 0 || last.Orders != "" || !strings.HasPrefix(last.Over, "Victory: ") || last.Secret != f.Secret {
		t.Errorf("the last report: %+v", last.Owed)
	}
	over := all[len(all)-1]
	for ship, name := range map[engine.ShipID]string{"hood": "Federation", "riskadh": "Klingon"} {
		v := view(t, r, over, ship)
		want := "You have lost. The battle is over after turn "
		if v.SideName(v.Result.Side) == name {
			want = "You have won. The battle is over after turn "
		}
		if got := report.Build(r, v, f).Headline; !strings.HasPrefix(got, want) {
			t.Errorf("the end for %s: got %q, want %q", ship, got, want)
		}
	}
	out, err := report.Render(r, view(t, r, over, "hood"), f, nil)
	if err != nil || !bytes.Contains(out.HTML, []byte("cdcdcd")) || !bytes.Contains(out.Text, []byte("cdcdcd")) {
		t.Errorf("the secret is not told: %v", err)
	}
	first := report.Build(r, view(t, r, all[0], "riskadh"), facts())
	if first.Panels[0].Key != "battle" || len(first.Panels[0].Notes) != 1 || first.Panels[0].Notes[0] != "A wolf comes." {
		t.Errorf("%+v", first.Panels[0])
	}
	f.Seeded = true
	if n := report.Build(r, view(t, r, all[1], "hood"), f).Notices; len(n) != 1 || !strings.Contains(n[0], "seed") {
		t.Errorf("%v", n)
	}
}

func TestRenderIsStable(t *testing.T) {
	r := rules(t)
	v := view(t, r, battle(t, r, 2)[1], "hood")
	a, err := report.Render(r, v, facts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := report.Render(r, v, facts(), &report.Cache{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	for line := range strings.Lines(string(a.Text)) {
		if len([]rune(strings.TrimRight(line, "\n"))) > 78 {
			t.Errorf("too wide: %q", line)
		}
	}
	if got := report.ASCII(r, v); !strings.Contains(string(a.Text), strings.TrimSpace(strings.Split(got, "\n")[3])) {
		t.Errorf("another map:\n%s", got)
	}
}

func TestBuildMap(t *testing.T) {
	r := rules(t)
	m := battle(t, r, 2)[2]
	v := view(t, r, m, "hood")
	c := report.BuildMap(r, v, r.Present(v))
	if c.Focus != "hood" || c.Bounds != nil || len(c.Counters) != 2 {
		t.Fatalf("%+v", c)
	}
	for i, id := range []engine.ShipID{"hood", "riskadh"} {
		s, _ := v.Ship(id)
		col, row := s.Hex.ColRow()
		got := c.Counters[i]
		if engine.ShipID(got.ID) != id || got.Col != col || got.Row != row || got.Heading != int(*s.Heading) || got.Own != (id == "hood") ||
			got.Side != i || got.Hex != s.Hex.Label() || got.Range != s.Range || len(got.Trail) != len(s.Trail) {
			t.Errorf("%+v", got)
		}
	}
	if len(c.Counters[0].Shields) != 6 || len(c.Counters[0].Arcs) == 0 || len(c.Counters[1].Shields) > 0 {
		t.Error("overlays are the own ship's")
	}
	if len(c.Shots) == 0 || c.Shots[0].FromCol == 0 || c.Shots[0].ToRow == 0 {
		t.Errorf("shots %+v", c.Shots)
	}
	path := []engine.Step{{Phase: 1, At: engine.Place{Hex: hex.At(20, 20), Heading: hex.C}}}
	f := report.ForecastMap(r, v, "hood", path)
	own := f.Counters[0]
	if own.Col != 20 || own.Row != 20 || own.Heading != 2 || len(own.Trail) != 2 || len(f.Shots) > 0 || f.Caption == "" || f.Counters[1].Trail != nil {
		t.Errorf("%+v", f)
	}
	if !report.ForecastMap(r, v, "hood", nil).Empty() {
		t.Error("no path, but a map")
	}
}

// TestHiddenShipsAreNotDrawn checks that shots by or at ships outside the view are not drawn.
func TestHiddenShipsAreNotDrawn(t *testing.T) {
	h, hd := hex.At(3, 3), hex.B
	v := &engine.View{Ships: []*engine.ShipView{
		{ID: "a", Name: "A", Own: true, Status: engine.Active, Hex: &h, Heading: &hd},
		{ID: "w", Name: "W", Own: true, Status: engine.Waiting, Hex: &h, Heading: &hd},
		{ID: "gone", Name: "G", Status: engine.Left},
	}}
	c := report.BuildMap(&engine.Rules{}, v, engine.Presentation{Shots: []engine.Shot{{From: "ghost", To: "a"}, {From: "a", To: "ghost"}, {From: "a", To: "gone"}, {From: "a", To: "a"}}})
	if len(c.Counters) != 1 || len(c.Shots) != 1 {
		t.Errorf("%+v", c)
	}
}

func TestTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"Sat 21 Nov 2026, 12:00 UTC":             report.FormatTime(now, nil),
		"Sat 21 Nov 2026, 13:00 CET (UTC+01:00)": report.FormatTime(now, berlin),
		"":                                       report.FormatTime(time.Time{}, nil),
		"none":                                   report.TimeLeft(now, now.Add(-time.Hour)),
		"1 minute":                               report.TimeLeft(now, now.Add(90*time.Second)),
		"1 hour 1 minute":                        report.TimeLeft(now, now.Add(61*time.Minute)),
		"3 days":                                 report.TimeLeft(now, now.Add(72*time.Hour+30*time.Second)),
		"1 day":                                  report.TimeLeft(now, now.Add(24*time.Hour+5*time.Minute)),
		"2 days 1 hour":                          report.TimeLeft(now, now.Add(49*time.Hour)),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAck(t *testing.T) {
	r := rules(t)
	v := view(t, r, battle(t, r, 2)[1], "hood")
	src := "Hello,\n\n> quoted\n#orders wolf turn 2 ship Hood key 7K4Q-92FM\npower\n  move 16\n\n  moov 3\nphase 1\n  move F\n#end\nbye\n"
	raws, diags := orders.Scan([]byte(src))
	b, more := raws[0].Parse(r.Language)
	read := report.SetReading{
		View: v, Ship: "hood", Raw: raws[0], Source: src, Checked: r.Check(v, "hood", b),
		Diagnostics: append(append(diags, more...), orders.Diagnostic{Pos: orders.Pos{Line: 4, Col: 9}, Severity: orders.Warning, Code: "W501", Message: "head"}),
	}
	a := report.Ack(r, read, report.AckDetails{Verdict: templates.Kept, Now: now, Deadline: now.Add(time.Hour), InForce: "the set of 11:00", HowTo: []string{"Send again."}})
	if errs, warns := a.Counts(); errs < 1 || warns < 1 {
		t.Errorf("%+v", a.Diagnostics)
	}
	if !strings.Contains(a.Headline, "not accepted") || !strings.Contains(a.Headline, "earlier set stays") || a.Ship != "Hood" || a.Turn != 2 || a.Left != "1 hour" {
		t.Errorf("%+v", a)
	}
	var found, masked bool
	for _, d := range a.Diagnostics {
		if d.Line == 5 && d.Source == "  moov 3" && d.Col == 3 && d.Width == 4 {
			found = true
		}
		if d.Code == "W501" && d.Line == 1 && strings.Contains(d.Source, "key ****") {
			masked = true
		}
		if strings.Contains(d.Source, "7K4Q") {
			t.Errorf("the key is sent back: %q", d.Source)
		}
	}
	if !found || !masked {
		t.Errorf("%+v", a.Diagnostics)
	}
	if len(a.Lines) != 5 || a.Lines[1].No != 3 || a.Lines[1].Text != "  move 16" || a.Lines[1].Effect == "" {
		t.Errorf("%+v", a.Lines)
	}
	if a.Forecast.Empty() || len(a.Sums) == 0 || !strings.HasPrefix(a.Sums[0], "Power ") {
		t.Error("no forecast, or no sum of the power")
	}
	for verdict, part := range map[templates.Verdict]string{
		templates.Accepted: "accepted, with 1 warning", templates.Refused: "No set is in force", templates.Checked: "not stored", templates.Canceled: "dropped", templates.Untrusted: "Nothing was changed",
	} {
		if got := report.Ack(r, read, report.AckDetails{Verdict: verdict}).Headline; !strings.Contains(got, part) {
			t.Errorf("%s: %s", verdict, got)
		}
	}
	// A set of an unknown sender still gets an answer.
	lost := report.Ack(r, report.SetReading{Raw: raws[0], Source: src}, report.AckDetails{Verdict: templates.Refused})
	if lost.Ship != "Hood" || lost.Game != "wolf" || !lost.Forecast.Empty() {
		t.Errorf("%+v", lost)
	}
	if got := report.Diagnostics("", []orders.Diagnostic{{Pos: orders.Pos{Line: 99, Col: 99}, Code: "E1"}, {Code: "E2"}}, 1); len(got) != 2 || got[0].Source != "" || got[1].Line != 0 {
		t.Errorf("%+v", got)
	}
}

// BenchmarkRender renders a report from the middle of The Big Bad Wolf with each FASA rule set.
func BenchmarkRender(b *testing.B) {
	lib, err := tables.Builtin()
	if err != nil {
		b.Fatal(err)
	}
	all, err := fasa.Scenarios()
	if err != nil {
		b.Fatal(err)
	}
	for _, course := range []string{"stcs-basic", "stcs-advanced", "stcs-graduate"} {
		r, err := fasa.Courses()[course](lib)
		if err != nil {
			b.Fatal(err)
		}
		moments := fight(b, r, scenario.ForRules(all["big-bad-wolf"], course), 2)
		benchmarkRender(b, r, view(b, r, moments[len(moments)/2], "hood"))
	}
}

func benchmarkRender(b *testing.B, r *engine.Rules, v *engine.View) {
	b.Helper()
	f := facts()
	built := report.Build(r, v, f)
	for _, form := range []struct {
		name string
		run  func() error
	}{
		{"all", func() error { _, err := report.Render(r, v, f, nil); return err }},
		{"text", func() error { _, err := (*templates.Set)(nil).ReportText(built); return err }},
		{"html", func() error { _, err := (*templates.Set)(nil).ReportHTML(built); return err }},
		{"json", func() error { _, err := report.JSON(v, nil); return err }},
		{"build", func() error {
			if report.Build(r, v, f).Turn < 0 {
				return errors.New("no turn")
			}
			return nil
		}},
	} {
		b.Run(strings.TrimPrefix(r.Name, "stcs-")+"/"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := form.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestHiddenStateLeavesTheReportAsItIs changes the secret state of an enemy
// ship's systems, and checks that no form of the report changes.
func TestHiddenStateLeavesTheReportAsItIs(t *testing.T) {
	r := rules(t)
	for _, m := range battle(t, r, 6) {
		if m.game.Result != nil {
			continue
		}
		want, err := report.Render(r, view(t, r, m, "hood"), facts(), nil)
		if err != nil {
			t.Fatal(err)
		}
		other := m.game.Clone()
		s, _ := other.Ship("riskadh")
		sys := s.System.(*ship.State)
		sys.Power--
		sys.Superstructure--
		sys.Alloc.Weapons += 7
		sys.Standing.Last = "power\n"
		for i := range sys.Shields {
			sys.Shields[i].Now += 3
		}
		for i := range sys.Banks {
			sys.Banks = append(sys.Banks[:i:i], sys.Banks[i+1:]...)
			break
		}
		got, err := report.Render(r, view(t, r, moment{other, m.events}, "hood"), facts(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("turn %d: the enemy's secrets show:\n%s", m.game.Turn, d)
		}
	}
}
