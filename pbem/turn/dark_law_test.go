package turn_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/blind"
	"starpost/engine/dice"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/manual"
	"starpost/engine/rules/sfb"
	"starpost/engine/ruling"
	"starpost/engine/testkit/enginetest"
	"starpost/pbem/record/directory"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

var darkSeeds = flag.Int("dark.seeds", 1, "with how many secrets battles in the dark are fought twice")

// darkTwin is one of two blind battles in which Hood's captain may know the same.
type darkTwin struct {
	game *vault.Game
	got  [][]byte // everything that Hood's captain got
}

// darkScenario returns a blind battle of Hood and Mate and of two ships of the other side: one that they can detect
// as a place, and one that they cannot find. The second twin differs where that does not show: the other ships have
// other sides, titles, values and classes, and there is one more. A detected ship has the same name in both, because
// dice are named after it. If the rules have terrain, the chart is unknown: Hood's ships find some of it, and the
// rest differs too.
func darkScenario(rules, table string, second bool) (text string, captains []vault.Captain) {
	classes := []string{"constitution-ii", "k-23f"}
	switch {
	case strings.HasPrefix(rules, "sfb-house"):
		classes = []string{"federation-ca", "klingon-d7"}
	case strings.HasPrefix(rules, "sfb"):
		classes = []string{"cadet-federation", "cadet-klingon"}
	}
	var b strings.Builder
	terrain := ""
	if rules == manual.Name || rules == "sfb-house" || strings.HasPrefix(rules, "stcs") && rules != "stcs-basic" {
		table += "\nchart = \"unknown\""
		for i, at := range [][]string{{"9020", "3050", "9595"}, {"9599", "9112", "3050", "9060"}}[b2i(second)] {
			terrain += fmt.Sprintf("[[terrain]]\nkind = \"planet\"\nhexes = [%q]\n", at)
			if at != "3050" {
				terrain += fmt.Sprintf("name = \"No %d\"\n", i)
			}
		}
	}
	fmt.Fprintf(&b, "format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\nlast_turn = 30\n[blind]\n%s\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n[[side]]\nid = \"blue\"\n", rules, table)
	ship := func(name, side, class, at string) {
		fmt.Fprintf(&b, "[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = %q\nheading = \"A\"\n", name, side, class, at)
		captains = append(captains, vault.Captain{Address: strings.ToLower(name) + "@example.org", Ships: []string{name}})
	}
	ship("Hood", "red", classes[0], "3030")
	ship("Mate", "red", classes[0], "3230")
	if second {
		ship("Near", "green", classes[1], "3044")
		b.WriteString("title = \"one\"\nshort = \"x\"\nvalue = 3\n")
		ship("Farther", "blue", classes[0], "9110")
		ship("Third", "blue", classes[1], "0199")
	} else {
		ship("Near", "blue", classes[1], "3044")
		b.WriteString("title = \"another\"\nshort = \"y\"\nvalue = 9\n")
		ship("Far", "green", classes[1], "9999")
	}
	return b.String() + terrain, captains
}

func b2i(is bool) int {
	if is {
		return 1
	}
	return 0
}

// darkBattle creates the game of one of the two battles.
func darkBattle(t *testing.T, rules, cadence, table string, seed uint64, second bool) *darkTwin {
	t.Helper()
	text, captains := darkScenario(rules, table, second)
	return darkFought(t, text, captains, cadence, seed)
}

func darkFought(t *testing.T, text string, captains []vault.Captain, cadence string, seed uint64) *darkTwin {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "game")
	if _, err := turn.Create(dir, darkCatalogue(), turn.Setup{
		Scenario: []byte(text), ID: "game", Mail: vault.DefaultMail(), Captains: captains, Cadence: cadence,
		Secret: dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: noon(0)},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), darkCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	return &darkTwin{game: g}
}

func darkCatalogue() vault.Catalogue {
	return vault.CatalogueOf(fasa.Family(), sfb.Family(), manual.Family())
}

// keep records the result of a step for Hood's captain: the report in all its forms, the mail, the replay so far, the
// answers to repeated requests, and the diagnostics of orders.
func (w *darkTwin) keep(t *testing.T, mails []turn.Mail) {
	t.Helper()
	add := func(what string, data []byte, err error) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		w.got = append(w.got, []byte(what+"\n"+enginetest.WithoutHashes(string(data))))
	}
	d, err := turn.Draw(w.game, w.game.Newest())
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []turn.Form{turn.Text, turn.JSON, turn.HTML, turn.SVG} {
		data, err := d.Report(engine.Seat{Ship: "hood"}, form)
		add(fmt.Sprint("report ", form), data, err)
	}
	for _, m := range mails {
		if m.Captain == "Hood" {
			raw, without, err := d.Mail(m.Name)
			if without != nil {
				t.Fatal(without)
			}
			add("mail", raw, err)
		}
	}
	replay, err := turn.Replay(w.game, engine.Seat{Ship: "hood"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(replay)
	add("replay", data, err)
	c, _ := w.game.Settings().Captain("Hood")
	m, err := turn.RepeatReport(w.game, turn.Repeat{Turn: w.game.Newest().Turn, Round: w.game.Newest().Round, Captain: c, ID: "<again@example.org>", Now: noon(40)})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range m.Attachments {
		add("again "+a.Name, a.Data, nil)
		m.Attachments[i].Data = nil
	}
	data, err = json.Marshal(m)
	add("again", data, err)
	p := load(t, w.game)
	text, err := p.Template("Hood", true)
	add("template", []byte(text), err)
	shown, err := p.Shown("Hood")
	if err != nil {
		t.Fatal(err)
	}
	var late []turn.ShipState // all of them
	for _, id := range p.State().InFight() {
		late = append(late, turn.ShipState{Seat: engine.Seat{Ship: id}})
	}
	add("who is late, as reminders name it", fmt.Appendf(nil, "%+v %v", shown.Only(late), shown.All()), nil)
	for _, line := range []string{"fire all at c01", "fire all at Near", "fire all at Far", "fire all at Farther", "pursue Third to 3", "course 9110", "course 9595", "pursue c02 to 3"} {
		set := fmt.Sprintf("#orders game turn %d ship Hood\nphase 1\n  %s\nmessage Far\n#text\nhi\n#endtext\n#end\n", p.Due(), line)
		read := p.CheckAs([]byte(set), "Hood")
		told := fmt.Appendf(nil, "%+v\n", read.Diagnostics)
		for _, s := range read.Sets {
			told = fmt.Appendf(told, "%+v\n", p.Ack(s, "file", report.AckDetails{}))
		}
		add("check of "+line, told, nil)
	}
}

// robots makes robots command Hood, Mate and Near, who is alone on her side and knows the same in both battles. The
// others stay where they are.
func (w *darkTwin) robots(t *testing.T) {
	t.Helper()
	p := load(t, w.game)
	for _, name := range []string{"Hood", "Mate", "Near"} {
		if !slices.Contains(p.State().InFight(), engine.ShipID(strings.ToLower(name))) || w.game.Rules().Robot == nil {
			continue
		}
		text, err := p.Robot(engine.ShipID(strings.ToLower(name)))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.game.Orders.Put(vault.At(p.Due()), name, []byte(text), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
}

// knows reports whether one of the acting captains has learned a difference.
func (w *darkTwin) knows(t *testing.T) bool {
	t.Helper()
	state, err := w.game.Stages.State(w.game.Newest())
	if err != nil {
		t.Fatal(err)
	}
	return state.Result != nil || slices.ContainsFunc(state.Blind.Logs, func(l blind.Log) bool {
		return slices.Contains([]blind.CaptainName{"Hood", "Mate", "Near"}, l.Captain) && slices.ContainsFunc(l.Contacts, func(c blind.Contact) bool {
			return c.Named && (l.Captain == "Near" || c.Ship != "hood" && c.Ship != "mate")
		})
	})
}

// TestMailsOfTheDarkTellNothing fights battles of every rule set twice. The second differs in what a captain cannot
// know. Everything that this captain gets, with the turn and on request, is byte for byte the same, also after a
// referee has corrected hidden facts. For more battles use -dark.seeds 10.
func TestMailsOfTheDarkTellNothing(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(darkCatalogue())) {
		for k, c := range []struct{ cadence, table string }{{vault.CadenceTurn, ""}, {vault.CadencePhase, ""}, {vault.CadenceBreak, `recognition = "none"`}} {
			switch table := name == manual.Name; {
			case table && c.cadence != vault.CadenceTurn: // its turns cannot be cut
				continue
			case *darkSeeds == 1 && !table && i%3 != k: // one of the three is enough for a quick test
				continue
			}
			t.Run(name+" by the "+c.cadence, func(t *testing.T) {
				t.Parallel()
				compared := 0
				for seed := range uint64(*darkSeeds) {
					compared += fightTwice(t, name, c.cadence, c.table, seed+1)
				}
				if compared == 0 {
					t.Error("nothing was compared")
				}
			})
		}
	}
}

// sameMails fails if Hood's captain got something different in the two battles.
func sameMails(t *testing.T, a, b *darkTwin, when string) {
	t.Helper()
	if len(a.got) != len(b.got) {
		t.Fatalf("%s: Hood's captain got %d things and %d", when, len(a.got), len(b.got))
	}
	for i := range a.got {
		if !bytes.Equal(a.got[i], b.got[i]) {
			t.Fatalf("%s: Hood's captain can tell by %s", when, enginetest.Difference(a.got[i], b.got[i]))
		}
	}
}

func fightTwice(t *testing.T, rules, cadence, table string, seed uint64) (compared int) {
	t.Helper()
	twins := []*darkTwin{darkBattle(t, rules, cadence, table, seed, false), darkBattle(t, rules, cadence, table, seed, true)}
	same := func(when string) {
		t.Helper()
		sameMails(t, twins[0], twins[1], fmt.Sprintf("%s, seed %d", when, seed))
		compared++
	}
	for _, w := range twins {
		w.keep(t, nil)
	}
	same("before the first turn")
	for n := range min(3, 1+*darkSeeds) {
		for _, w := range twins {
			w.robots(t)
			o := turn.Options{Missing: vault.PolicyStanding, Workers: 1, Now: noon(n + 1)}
			if w.game.Rules().Filing != nil {
				due, err := w.game.Due()
				if err != nil {
					t.Fatal(err)
				}
				o.Filed = &turn.Filed{Turn: due, By: "Quinn", Data: fmt.Appendf(nil, "#rulings\nmove Hood 3031\nmove Hood 3030\nshot Near Hood hit\n#ship Hood\nhello\n#ship Mate\nMate alone %d\n", due)}
			}
			out, err := turn.Resolve(w.game, o)
			if err != nil {
				t.Fatal(err)
			}
			w.keep(t, out.Mails)
		}
		if twins[0].knows(t) || twins[1].knows(t) {
			return compared
		}
		same(fmt.Sprint("turn ", n+1))
	}
	last := twins[1].game
	if last.Newest().Round > 0 {
		return compared
	}
	out, err := turn.Correct(last, last.Turn(), turn.Change{By: "Rita", Why: "a slip", Now: noon(9), Rulings: []ruling.Ruling{{
		By: "Rita", At: noon(9).UTC().Format(time.RFC3339), Why: "a slip", What: "move Farther 9215 B",
	}}}, turn.Later{}, nil, turn.Options{Missing: vault.PolicyStanding, Workers: 1, Now: noon(9)})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range out.Outcomes {
		if slices.ContainsFunc(one.Mails, func(m turn.Mail) bool { return m.Captain == "Hood" }) {
			t.Error("Hood's captain gets a mail of a correction that he cannot know")
		}
	}
	for _, w := range twins {
		w.keep(t, nil)
	}
	same("after a correction")
	return compared
}

// TestMailsTellNoDecoy fights a battle with a merchantman and one with a decoy that imitates her, with the same
// orders. As long as Hood's captain has no lock on her and does not know her name, all mails are byte for byte the
// same, even when firing at her. Then a lock reveals the decoy.
func TestMailsTellNoDecoy(t *testing.T) {
	var twins []*darkTwin
	for _, of := range []string{"class = \"merchantman\"\n", "class = \"decoy\"\nas = \"merchantman\"\n"} {
		text, captains := darkScenario("stcs-advanced", "", false)
		text += "[[ship]]\nname = \"Huron\"\nside = \"green\"\nhex = \"3024\"\nheading = \"A\"\n" + of
		captains = append(captains, vault.Captain{Address: "huron@example.org", Ships: []string{"Huron"}})
		twins = append(twins, darkFought(t, text, captains, vault.CadenceTurn, 1))
	}
	fight := func(n int, hood string) {
		for _, w := range twins {
			for name, text := range map[string]string{"Hood": hood, "Huron": "power\n move 4\n shields 4:8\n"} {
				due, err := w.game.Due()
				if err != nil {
					t.Fatal(err)
				}
				if err := w.game.Orders.Put(vault.At(due), name, fmt.Appendf(nil, "#orders game turn %d ship %s\n%s#end\n", due, name, text), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
			out, err := turn.Resolve(w.game, turn.Options{Missing: vault.PolicyStanding, Workers: 1, Now: noon(n)})
			if err != nil {
				t.Fatal(err)
			}
			w.keep(t, out.Mails)
		}
	}
	for n := range 2 {
		fight(n+1, "power\n arm bank-a 1\n arm bank-b 1\nphase 1\n fire all at c02\nstanding\n sensors none\n")
		sameMails(t, twins[0], twins[1], fmt.Sprint("turn ", n+1))
	}
	if all := bytes.Join(twins[1].got, nil); !bytes.Contains(all, []byte("fire-seen")) || bytes.Contains(bytes.ToLower(all), []byte("decoy")) {
		t.Error("Hood has not fired, or is told of a decoy")
	}
	told := func(w *darkTwin) bool { return bytes.Contains(bytes.Join(w.got, nil), []byte("decoy")) }
	for n := 3; !told(twins[1]); n++ { // a lock takes 6 or less on a die of 10
		if fight(n, "standing\n sensors c02\n"); told(twins[0]) || n > 9 {
			t.Fatal("no lock told what she is, or one told it of a ship that is none")
		}
	}
}
