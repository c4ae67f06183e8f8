package examples_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/family"
	"starpost/engine/rules/fasa"
	"starpost/engine/rules/sfb"
	"starpost/engine/scenario"
	"starpost/orders"
	"starpost/pbem/auth"
	"starpost/pbem/desk"
	"starpost/pbem/desk/codes"
	"starpost/pbem/desk/command"
	"starpost/pbem/desk/effect"
	"starpost/pbem/desk/identity"
	"starpost/pbem/mime"
	"starpost/pbem/readonly"
	"starpost/pbem/report"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

var (
	readme   = filepath.Join("..", "README.md")
	captains = document("captains")
)

// document returns the file of a documentation page, such as "captains" or "reference/codes".
func document(name string) string { return filepath.Join("..", "docs", filepath.FromSlash(name)+".md") }

// reference compares a generated page with the program's output, or updates it.
func reference(t *testing.T, name, title, text string) {
	t.Helper()
	text = strings.TrimRight(regexp.MustCompile("\n{3,}").ReplaceAllString(text, "\n\n"), "\n")
	same(t, document("reference/"+name), "# "+title+"\n\n<!-- Made by the program; go test ./examples -update renews it. -->\n\n"+text+"\n")
}

// made compares the part of a document between "<!-- begin NAME -->" and "<!-- end NAME -->" with the program's
// output, or updates it.
func made(t *testing.T, file, name, text string) {
	t.Helper()
	page := string(read(t, file))
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	head, rest, ok := strings.Cut(page, begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part %q between begin and end", file, name)
	}
	text = "\n" + strings.Trim(text, "\n") + "\n\n"
	if old == text {
		return
	}
	if !*update {
		t.Errorf("%s: part %q is not what the program gives (go test ./examples -update renews it)\n%s", file, name, firstDifference(old, text))
		return
	}
	if err := os.WriteFile(file, []byte(head+begin+text+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fenced(text string) string { return "```\n" + strings.TrimRight(text, "\n") + "\n```\n" }

// The reference of orders is made from the languages: all orders of a family's first course, then what each other
// course adds.
func TestReferenceListsTheOrders(t *testing.T) {
	list := func(set, base, adds string) {
		t.Helper()
		if base == "" {
			reference(t, "orders-"+set, "Orders of "+set, "`starpost rules "+set+"` prints them too, and `help` with the name of an order mails it.\n"+untitled(t, language(t, set).Reference()))
			return
		}
		reference(t, "orders-"+set, "Orders of "+set, adds+" `starpost rules "+set+"` prints all orders, old and new.\n"+untitled(t, beyond(*language(t, set), *language(t, base))))
	}
	list("stcs-basic", "", "")
	list("stcs-advanced", "stcs-basic", "What the Advanced Course has beside the [orders of the Basic Course](orders-stcs-basic.md).")
	list("stcs-graduate", "stcs-advanced", "What the Graduate Course has beside the [orders of the Advanced Course](orders-stcs-advanced.md).")
	list("stcs-command", "stcs-graduate", "What [Command & Control](rules-stcs-command.md) has beside the [orders of the Graduate Course](orders-stcs-graduate.md), but for the crew's `bonus`, which its officers replace.")
	list("sfb-cadet", "", "")
	list("sfb-house", "sfb-cadet", "What the house rules add to the [orders of the cadet game](orders-sfb-cadet.md), or change.")
}

func language(t *testing.T, rules string) *orders.Language {
	t.Helper()
	r, err := catalogue().Rules(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Language
}

// beyond returns the reference of what a language adds to another or replaces in it: a table of those orders, values
// with more meanings, then the orders and conditions. Orders missing from base are named.
func beyond(l, base orders.Language) string {
	verb := func(s orders.Section, name string) (orders.Verb, bool) {
		i := slices.IndexFunc(s.Verbs, func(v orders.Verb) bool { return v.Name == name })
		if i < 0 {
			return orders.Verb{}, false
		}
		return s.Verbs[i], true
	}
	section := func(l orders.Language, name string) orders.Section {
		i := slices.IndexFunc(l.Sections, func(s orders.Section) bool { return s.Name == name })
		if i < 0 {
			return orders.Section{}
		}
		return l.Sections[i]
	}
	more := orders.Language{Params: l.Params}
	var index, gone, values string
	for _, s := range slices.Concat(named(l.Sections, true), named(l.Sections, false)) {
		old := section(base, s.Name)
		var verbs []orders.Verb
		for _, v := range s.Verbs {
			before, had := verb(old, v.Name)
			if had && reflect.DeepEqual(v, before) {
				continue
			}
			verbs = append(verbs, v)
			name := "`" + v.Name + "`"
			if had {
				name += ", changed"
			}
			index += fmt.Sprintf("| %s | %s | %s |\n", s.Title(), name, strings.ReplaceAll(firstSentence.FindString(v.Doc), "|", "\\|"))
		}
		if s.Doc, s.Verbs = "", verbs; len(verbs) > 0 {
			more.Sections = append(more.Sections, s)
		}
	}
	for _, s := range base.Sections {
		for _, v := range s.Verbs {
			if _, ok := verb(section(l, s.Name), v.Name); !ok {
				gone += fmt.Sprintf(", `%s` (%s)", v.Name, s.Title())
			}
		}
	}
	for _, s := range l.Subjects {
		if !slices.ContainsFunc(base.Subjects, func(o orders.Subject) bool { return reflect.DeepEqual(o, s) }) {
			more.Subjects = append(more.Subjects, s)
		}
	}
	// Values as in base are not explained again with each order.
	all, detail := l.Reference(), more.Reference()
	detail = detail[strings.Index(detail, "\n## "):]
	for _, n := range slices.Sorted(maps.Keys(base.Params)) {
		told := regexp.MustCompile("(?m)^- `" + regexp.QuoteMeta(n) + "`: .*\n")
		detail = told.ReplaceAllLiteralString(detail, "")
		if p, ok := l.Params[n]; ok && !reflect.DeepEqual(p, base.Params[n]) {
			values += told.FindString(all)
		}
	}

	out := fmt.Sprintf("# What %s adds to %s\n\nAll orders of %s are orders here too. These are new, or changed:\n\n| under | order | what it is |\n|---|---|---|\n%s",
		l.Rules, base.Rules, base.Rules, index)
	if gone != "" {
		out += "\nThese are not there any more: " + gone[2:] + ".\n"
	}
	if values != "" {
		out += fmt.Sprintf("\n## Values that mean more\n\nWherever a form has these words, in orders of %s too:\n\n%s", base.Rules, values)
	}
	return out + regexp.MustCompile("\n{3,}").ReplaceAllString(detail, "\n\n")
}

// named returns the sections with a name, or those without.
func named(all []orders.Section, name bool) []orders.Section {
	return slices.DeleteFunc(slices.Clone(all), func(s orders.Section) bool { return (s.Name != "") != name })
}

// firstSentence matches a text up to its first full stop or colon.
var firstSentence = regexp.MustCompile(`^(?:[^.:]|[.:][^ ])*`)

// untitled returns a reference without its title.
func untitled(t *testing.T, text string) string {
	t.Helper()
	_, text, ok := strings.Cut(text, "\n")
	if !ok {
		t.Fatal("the reference has no first line")
	}
	return text
}

// The program does not validate the language tables when it starts.
func TestEachLanguageIsWithoutFault(t *testing.T) {
	for name := range catalogue() {
		if err := language(t, name).Validate(); err != nil {
			t.Error(err)
		}
	}
}

// If a captain uses an order of a later course in the Basic Course, the hint names that course.
func TestBasicCourseNamesTheOrdersOfOthers(t *testing.T) {
	basic, known := language(t, "stcs-basic"), map[string]bool{}
	foreign := basic.Foreign()
	for _, s := range basic.Sections {
		for _, v := range s.Verbs {
			known[v.Name] = true
		}
	}
	for _, course := range []string{"stcs-advanced", "stcs-graduate", "stcs-command"} {
		for _, s := range language(t, course).Sections {
			for _, v := range s.Verbs {
				if known[v.Name] {
					continue
				}
				if known[v.Name] = true; foreign[v.Name] != course {
					t.Errorf("the Basic Course does not say that %q is an order of %s", v.Name, course)
				}
			}
		}
	}
}

// The list of commands is made from the desk's.
func TestReferenceListsTheCommands(t *testing.T) {
	var out strings.Builder
	out.WriteString("| command | |\n|---|---|\n")
	for _, v := range command.All() {
		var usage []string
		for _, u := range v.Usage {
			form, rest, text := strings.Cut(u, ",")
			if u = "`" + form + "`"; text {
				u += "," + rest
			}
			usage = append(usage, u)
		}
		star := ""
		if v.Proof {
			star = " *"
		}
		fmt.Fprintf(&out, "| %s%s | %s |\n", strings.Join(usage, " or "), star, v.Doc)
	}
	reference(t, "commands", "All commands", "Commands that you may mail beside orders; see [What you can send by mail](../mail-commands.md). Those with * need the sender's key or another proof.\n\n"+out.String())
}

// The desk understands the commands shown in the documents.
func TestDocumentsShowsGoodCommands(t *testing.T) {
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	dir, mail := filepath.Join(t.TempDir(), "wolf"), vault.DefaultMail()
	mail.Robot = "starpost@example.org"
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: files["big-bad-wolf"], ID: "wolf", Mail: mail, Secret: dice.FromSeed(wolfSeed),
		Captains: []vault.Captain{
			{Name: "Kirk", Address: "kirk@example.org", Ships: []string{"Hood"}},
			{Name: "Kor", Address: "kor@example.org", Ships: []string{"Riskadh"}},
		},
		Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	g := open(t, dir)
	book := readonly.New([]*vault.Game{g})
	d := desk.Desk{Robot: effect.Robot{Address: mail.Robot, Name: "Starpost"}, Registry: identity.Registry{Games: book}, Services: command.Services{Listings: book, Allocate: []family.Allocator{sfb.Family().Allocate}}}
	explain := func(text string) desk.Explanation {
		t.Helper()
		to := auth.WithKey(d.Address, turn.Key(g, g.Turn()+1, "Kirk"))
		raw := []byte("From: kirk@example.org\r\nTo: " + to + "\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n"))
		l := identity.Incoming{SHA256: vault.Hash(raw), Received: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)}
		l.Mail, l.Err = mime.Read(raw)
		e, err := d.Explain(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	tried := 0
	for _, m := range regexp.MustCompile("(?ms)^```\n(.*?)^```$").FindAllStringSubmatch(chapter(t, document("mail-commands"), "Commands by mail"), -1) {
		e := explain(m[1])
		if len(e.Commands) == 0 {
			t.Errorf("the page shows no command in\n%s", m[1])
		}
		for _, c := range e.Commands {
			tried++
			// There is no report of turn 3 yet.
			if !c.Done && !strings.Contains(c.Command, "report turn 3") {
				t.Errorf("%s: %v", c.Command, c.Diagnostics)
			}
		}
	}
	// The examples within the descriptions are understood.
	for _, v := range command.All() {
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(v.Doc, -1) {
			if name, _, _ := strings.Cut(m[1], " "); name != v.Name {
				continue
			}
			tried++
			e := explain("#" + m[1] + "\n")
			if len(e.Commands) != 1 || slices.ContainsFunc(e.Commands[0].Diagnostics, func(d orders.Diagnostic) bool { return d.Code == codes.BadCommand }) {
				t.Errorf("%s: %+v", m[1], e.Commands)
			}
		}
	}
	if tried < 4 {
		t.Errorf("only %d commands were tried", tried)
	}
}

// rulesCodes are the courses' diagnostics for orders, and what to do; the codes of orders, turn and desk list
// themselves.
var rulesCodes = map[string]codeHelp{
	"E101": {"the ship has no such weapon", "take the name from the weapons of the report"},
	"E102": {"no ship or side of that name is known", "take the name from the table of the other ships; `nearest` stands for an enemy not yet seen"},
	"E103": {"more power wanted than there is: told at the line that goes over", "give less to something: the answer adds it up"},
	"E104": {"a shield over its limit", "put the rest on another shield, or into something else"},
	"E105": {"a shield whose generator is damaged", "leave the shield out until its generator is repaired"},
	"E106": {"a weapon armed twice", "one `arm` line for each mount"},
	"E107": {"a beam armed over its limit, or without a number", "write its power behind it, up to the maximum in the report"},
	"E108": {"the weapon is destroyed", "leave it out"},
	"E109": {"a missile armed with another power than its own", "leave the number out"},
	"E110": {"too many movement words for the phase", "leave some out, or give more power to movement"},
	"E112": {"no such shield, or one named twice", "shields are 1 to 6, each once"},
	"E114": {"the order names the ship itself", "name another ship"},
	"E115": {"what others declare would decide whether a weapon fires", "leave it out, or give the weapon another target below"},
	"E116": {"not one number, nor one for each mount", "one number for all mounts of the bank, or one for each"},
	"E117": {"the ship takes no orders now", "send nothing for her"},
	"E118": {"more movement points than a turn may have (20 in Book One)", "the hint says how many, and what they cost"},
	"E119": {"a weapon that the rules have no word on: plasma in the Basic Course and in Book One", "leave it unarmed"},
	"E122": {"not a hex", "column and row in two digits each, on the map: 0714"},
	"E124": {"a condition that does not fit the order", "take a test from the table of conditions that needs no ship, or an order that names one"},
	"E126": {"a thing named twice", "name it once"},
	"E129": {"a set without any order", "write an order, or `cancel` if you want none"},
	"E140": {"a standing sensor target that changes with the lock", "name a ship, `nearest` or `none`; `locked` would be whatever it is already"},
	"E141": {"too many standing questions", "name fewer"},
	"E150": {"an order for a cloak of a ship that has none", "leave it out"},
	"E151": {"a condition on a switch of the cloak that depends on nothing", "write `cloak on after 1 when ...`, or leave the condition out"},
	"E152": {"the cloak switched twice when the power is given out", "leave one out; `cloak ... after` switches it later"},
	"E153": {"the cloak switched in a turn in which it has no power", "write `cloak ready` under `power`"},
	"E154": {"the cloak switched before a movement phase has passed", "write `cloak ready`, and the switch `after 1`"},
	"E160": {"too many standing orders to evade", "keep the lines that matter most"},
	"E161": {"a warp speed that the ship cannot have", "the report's helm says how far she may go"},
	"E162": {"`all` or `none` beside the names of ships to follow", "either the word, or names"},
	"E170": {"a plasma launcher armed with neither its own power nor half of it", "no number, or just its power; half of it in the Graduate Course"},
	"E171": {"a phase that there is not", "a turn has phases 1 to 3"},
	"E172": {"a ship placed where the scenario does not let it choose", "leave `place` out: the report says whether you may choose"},
	"E174": {"more shots than a weapon has, or has power for", "fewer shots, or more power: each needs 1 at least"},
	"E175": {"an order that an outpost or a decoy cannot be given, or that only a decoy can: the one neither moves nor turns, the other has no weapons", "leave it out: an outpost lets the others come"},
	"E177": {"a skill to learn that is not of your post, or at its limit (Command & Control)", "name another skill of yours"},
	"E190": {"repair of a system that the ship does not have", "take a name from the report's repairs"},
	"E191": {"a word that stands for all systems, or none, among others", "either the word, or names"},
	"E192": {"extra power for what is not one beam weapon", "name one mount of a beam bank"},
	"E194": {"a bonus of the crew in a game without captains and crews", "leave it out"},
	"E250": {"a probe from a ship that has none left", "leave it out: she has as many in a battle as she begins with"},
	"E254": {"more laboratories lit than the ship has", "as many as the message says"},
	"E256": {"laboratories or a probe on a ship or the code of your side, a file for an enemy, or a station beside one", "study enemies and contacts, send to your own and keep station on them"},
	"E257": {"a file that is not aboard", "the message says what is"},
	"E258": {"more boxes of laboratories than are free", "a box does one job a turn, and lit ones none"},
	"E261": {"`new code` when your side talks by its last code book", "leave it out"},
	"E262": {"an order for laboratories or a probe of a ship that has none: in the open, or in a game that was begun before there were any", "leave it out"},
	"E263": {"a station farther from its ship than 20 hexes", "come nearer"},
	"W111": {"movement points left over; they are spent on hold", "move on, or give that power to something else"},
	"W113": {"fire with a weapon, or with weapons of a kind, of which none is armed", "arm it under `power`, or take it out of the order"},
	"W114": {"fire at a ship of your own side", "look whether you meant that ship"},
	"W115": {"one mount of a bank that fires as one weapon, with others armed (Book One)", "name the bank: all of them fire"},
	"W121": {"power that buys nothing", "give as much as the message says, and the rest to something else"},
	"W122": {"a quarter of the power or more is not used", "give it to movement, shields or weapons: what is left is lost"},
	"W123": {"an order that comes after all points are used", "leave it out, or put it first"},
	"W125": {"a condition on what you cannot know", "ask something that you can know; of an enemy that takes a lock and a `question`"},
	"W127": {"the ship will leave the battle", "leave `warp`, or `disengage`, out if you want to stay"},
	"W128": {"the plotted course leaves the map", "turn before the edge, unless you want to leave"},
	"W129": {"the ship will strike", "leave `surrender` out if you want to fight on"},
	"W130": {"what is for the whole turn, or for a phase that was fought, in a set for a later phase", "nothing: it was said before, or comes too late"},
	"W131": {"no orders for the phase that is due", "write the orders of the phase that the head names"},
	"W132": {"an order to blow up the ship, or to strike, is taken back", "say it again if you mean it"},
	"W133": {"an order that a crippled ship cannot carry out", "leave it out"},
	"W134": {"an order of games in the dark, in one in the open", "`warp` takes you out of the battle, and so does an edge of the map"},
	"W140": {"sensors trained on a ship of your own side", "look whether you meant that ship"},
	"W142": {"the sensors, or the question, of the phase are used already", "one `lock` or `scan`, and one `question`, a phase; tell them apart by conditions"},
	"W143": {"the sensors are damaged, or out for a phase", "repair them first: `repair sensors`; what is out for a phase comes back by itself"},
	"W150": {"fire while the cloak is on", "switch the cloak off in the phase in which you fire, or before it"},
	"W153": {"the cloak is switched in that phase already", "keep one of them, or tell them apart by conditions"},
	"W154": {"a cloak that goes off for want of power", "`cloak ready` or `cloak on` under `power`, if it is to stay on"},
	"W155": {"shields that do not come up under the cloak", "give that power to something else, or switch the cloak off in time"},
	"W160": {"a movement word that the ship cannot carry out then: it becomes a hold", "look at what the message says of the helm; another word does it"},
	"W161": {"the tactical heading change of the phase is ordered already", "keep one of them, or tell them apart by conditions"},
	"W162": {"a tactical heading change that the ship would not stand as it is", "leave it out, or make sure of superstructure and engine power"},
	"W163": {"a change of warp speed that is not possible as the ship is", "wait for a lock, sensors or an engine that allows it"},
	"W164": {"a ship of your own side to follow", "look whether you meant that ship"},
	"W170": {"the plotted way leads into a planet or a moon", "go round: the ship would stop before it"},
	"W171": {"the ship blows herself up", "leave `self-destruct` out if you want to live"},
	"W172": {"mines that cannot be laid so", "hexes of your own minefield, one mine in each, in the first turn"},
	"W173": {"a ship that cannot be placed there", "a hex that the report allows, in the first turn"},
	"W180": {"the helm aims in more phases than a turn has room for", "leave `aim` out: it stays there in case an earlier one is not carried out"},
	"W190": {"a second order for the same repair", "one try a phase: keep one, or tell them apart by conditions"},
	"W191": {"repair of what is beyond it", "leave it out: it stays as it is to the end"},
	"W193": {"the crew would try something that is of no use", "let the crew do something else"},
	"W194": {"movement keeps last turn's power: the converter is out of order", "`repair converter`"},
	"W195": {"power for what works only if it is repaired this turn", "let it be, if you trust your repair party"},
	"W241": {"a probe that is to carry words, and none in the set", "add `message courier` with the text"},
}

// tableCodes are the codes of games played by a referee: of orders, and of filings.
var tableCodes = map[string]string{
	"E301": "a filing that is not plain text, or too large",
	"E302": "a filing: a mark that begins no section",
	"E303": "a filing: a mark that is incomplete, or words where none belong",
	"E304": "a filing: a text with no word for whom it is",
	"E305": "a filing: no such ship, side or mark",
	"E306": "a filing: what cannot be as the ship is",
	"E307": "a filing: a hex outside the map",
	"E308": "a filing: no such track, or one that cannot be made",
	"E309": "a filing: a number out of range, or a thing named twice",
	"E310": "a filing: a ruling that cannot be carried out",
	"E320": "the ship takes no orders now, in a game that a referee plays",
	"E321": "a set without any order, in a game that a referee plays",
	"W301": "a filing that says nothing",
	"W302": "a filing: a section with nothing in it",
	"W303": "a filing: a ruling that changes nothing",
	"W304": "a filing: a track with more than it can hold, or less than nothing",
	"W305": "a filing: a ship that was out of the fight in another way",
	"W306": "a filing: more remarks than are shown",
	"W321": "a line in your own words that looks like a misspelt order",
}

// The reference of codes has all codes that the program issues; those of the rules also have a remedy.
func TestReferenceListsTheDiagnostics(t *testing.T) {
	all := slices.Concat(orders.Codes(), titledCodes(t, "orderset"), titledCodes(t, "desk", "codes"))
	for _, code := range codesIn(t, filepath.Join("..", "engine", "rules", "manual")) {
		title, ok := tableCodes[code]
		if _, shared := rulesCodes[code]; shared && !ok {
			continue // of laboratories and probes
		}
		if !ok {
			t.Errorf("the rules of a table's own give %s, which docs/reference/codes.md does not explain", code)
			continue
		}
		all = append(all, orders.CodeInfo{Code: code, Title: title})
	}
	for code := range tableCodes {
		if !slices.ContainsFunc(all, func(c orders.CodeInfo) bool { return c.Code == code }) {
			t.Errorf("nothing gives %s any more: drop it from the table", code)
		}
	}
	slices.SortFunc(all, func(a, b orders.CodeInfo) int { return strings.Compare(a.Code, b.Code) })
	var out strings.Builder
	out.WriteString("| code | what is wrong |\n|---|---|\n")
	for i, c := range all {
		if i > 0 && all[i-1].Code == c.Code {
			t.Errorf("%s stands for two things: %s; %s", c.Code, all[i-1].Title, c.Title)
		}
		if _, ok := rulesCodes[c.Code]; ok {
			t.Errorf("%s is of the rules too", c.Code)
		}
		fmt.Fprintf(&out, "| %s | %s |\n", c.Code, c.Title)
	}
	reference(t, "codes", "All diagnostics", strings.Join([]string{
		"E is an error: the set is not taken. W is a warning: it is. Each message says at which line and column, and mostly how to mend it.",
		"Of what a ship can do in the tactical courses:", codesTable(t, "fasa", rulesCodes),
		"Those of the cadet game:", codesTable(t, "sfb", cadetCodes, houseCodes),
		"The house rules give these too:", codesTable(t, "sfb", houseCodes, cadetCodes),
		"Of all else:", out.String(),
	}, "\n\n"))
}

var codeLine = regexp.MustCompile(`(?m)^\t\w+ += "([EW]\d{3})"(?: // (.+))?$`)

// titledCodes reads codes.go of a package in pbem. What is wrong is in each comment, before any parentheses.
func titledCodes(t *testing.T, folder ...string) (all []orders.CodeInfo) {
	t.Helper()
	file := filepath.Join(slices.Concat([]string{"..", "pbem"}, folder, []string{"codes.go"})...)
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range codeLine.FindAllStringSubmatch(string(source), -1) {
		title, _, _ := strings.Cut(m[2], " (")
		if all = append(all, orders.CodeInfo{Code: m[1], Title: title}); title == "" {
			t.Errorf("%s does not say what is wrong at %s", file, m[1])
		}
	}
	if len(all) == 0 {
		t.Fatalf("no codes in %s", file)
	}
	return all
}

// codeHelp says what a code means, and what to do.
type codeHelp struct{ what, wayOut string }

// codesTable returns the table of a family's codes, and checks that it lists exactly the codes that are in no other
// table.
func codesTable(t *testing.T, family string, codes map[string]codeHelp, elsewhere ...map[string]codeHelp) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| code | what is wrong | what to do |\n|---|---|---|\n")
	given := codesIn(t, filepath.Join("..", "engine", "rules", family))
	for _, code := range given {
		help, ok := codes[code]
		if !ok && slices.ContainsFunc(elsewhere, func(other map[string]codeHelp) bool { _, is := other[code]; return is }) {
			continue
		}
		if !ok {
			t.Errorf("%s gives %s, which docs/reference/codes.md does not explain", family, code)
			continue
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", code, help.what, help.wayOut)
	}
	for code := range codes {
		if !slices.Contains(given, code) {
			t.Errorf("nothing in %s gives %s any more: drop it from the table", family, code)
		}
	}
	return out.String()
}

// cadetCodes are the diagnostics of the cadet game's rules, and what to do.
var cadetCodes = map[string]codeHelp{
	"E101": {"the ship has no such weapon", "take the name from the weapons of the report"},
	"E102": {"no ship or side of that name is known", "take the name from the table of the other ships; `nearest` is the nearest enemy"},
	"E103": {"more energy wanted than there is: told at the line that goes over", "give less to something: the answer adds it up"},
	"E106": {"a weapon armed or held twice", "one line for each weapon"},
	"E108": {"the weapon is destroyed", "leave it out"},
	"E112": {"no such shield", "shields are 1 to 6"},
	"E114": {"the order names the ship itself", "name another ship"},
	"E117": {"the ship takes no orders now", "send nothing for her"},
	"E122": {"not a hex", "column and row in two digits each: 0714"},
	"E124": {"a condition that needs a ship, with an order that names none", "take another test, or an order that names a ship"},
	"E126": {"a thing named twice", "name it once"},
	"E129": {"a set without any order", "write an order, or `cancel` if you want none"},
	"E201": {"a speed over what last turn's allows, or in an impulse more than a step away", "twice last turn's, or 10 more: the message says how much"},
	"E202": {"more energy wanted of the warp engines than they give", "less speed, or one photon fewer"},
	"E203": {"more shots than the capacitors hold", "one for each phaser, those that are in them counted"},
	"E204": {"a weapon that is not armed by itself", "phasers fire from the capacitors: `phasers N`; racks need nothing"},
	"E205": {"a weapon held that is not armed, or cannot be held", "`arm` it"},
	"E206": {"a weapon armed that is armed already", "`hold` it"},
	"E207": {"more let out of the batteries than is in them", "the report says what is in them"},
	"E208": {"more into the batteries than they have room for", "a box holds 1"},
	"E209": {"more repairs than a turn allows", "two boxes at most"},
	"E210": {"repairs of boxes that are not lost", "the report says what each shield has left"},
	"E211": {"an impulse that is not in the phase", "phase 1 is impulses 1 to 4, 2 is 5 to 8, 3 is 9 to 12, 4 is 13 to 16"},
	"E212": {"an order for ships that names a drone", "name a ship; fire alone is aimed at drones"},
	"E213": {"a rack that is fired, or a weapon that is launched", "`launch` for racks, `fire` for weapons"},
	"E214": {"boxes of a kind that the sheet lacks", "take the names from the sheet in the report"},
	"E216": {"a cloak wanted that the ship does not have", "leave it out"},
	"E217": {"fire or a launch in a turn under the cloak", "leave it out, or the cloak"},
	"E381": {"a line of `#allocate` that is not understood", "volleys such as `1:21`, `dice ...` and `lose ...`"},
	"E382": {"an allocation without a volley, or of one that cannot be", "a shield from 1 to 6 and its points: `1:21`"},
	"E383": {"dice too few, too many, or none", "the answer says how many are thrown; each shows 1 to 6"},
	"E384": {"boxes to be lost first that the sheet lacks", "take the names from the sheet"},
	"W122": {"a quarter of the energy or more is not used", "speed, phasers, arming or reinforcement: what is left is lost"},
	"W127": {"the ship will leave the battle", "leave `disengage` out if you want to stay"},
	"W128": {"the plotted course leaves the map", "turn before the edge, unless you want to leave"},
	"W129": {"the ship will be the enemy's", "leave `surrender` out if you want to fight on"},
	"W130": {"what is for the whole turn, or for a phase that was played, in a set for a later phase", "nothing: it was said before, or comes too late"},
	"W131": {"no orders for the phase that is due", "write the orders of the phase that the head names"},
	"W210": {"a turn that the turn mode forbids then: it becomes a hex ahead", "go straight first, or slower"},
	"W214": {"fire at a ship of your own side", "look whether you meant that ship"},
	"W215": {"more words than the phase has hexes", "leave some out, or go faster"},
	"E250": {"a probe from an empty box, or from a ship without any", "leave it out: each box has one in a battle"},
	"E254": {"more laboratories lit than the ship has", "as many as the message says"},
	"E256": {"laboratories or a probe on a ship or the code of your side, or a file for an enemy", "study enemies and contacts, send to your own"},
	"E257": {"a file that is not aboard", "the message says what is"},
	"E258": {"more boxes of laboratories than are free", "a box does one job a turn, and lit ones none"},
	"E259": {"a probe that is to study nothing, in the open; or a shuttle that is to take up a ship's data, in the dark", "say what it is for, or leave it out"},
	"E260": {"`decode` or `new code` in a game that is not in the dark", "leave it out"},
	"E261": {"`new code` when your side talks by its last code book", "leave it out"},
	"W240": {"a condition that asks for the shields of a contact that your sensors do not show whole", "come nearer, or leave it out"},
	"W241": {"a probe that is to carry words, and none in the set", "add `message courier` with the text"},
	"W239": {"`decode` with a name that you do not know", "`decode any`, for the nearest code that is heard"},
	"E262": {"an order for laboratories, files or probes in a game of the cadet rules that is not in the dark", "leave it out"},
}

// houseCodes are the codes that only the house rules issue.
var houseCodes = map[string]codeHelp{
	"E218": {"reinforcement in a turn with the shields down", "leave it out, or `shields down`"},
	"E219": {"fire or a launch in a turn without fire control", "leave it out, or `fire-control off`"},
	"E220": {"emergency braking by a ship that cannot", "give a lower speed"},
	"E221": {"an overload of what has none", "arm it as it is"},
	"E222": {"an overload of what was mended in battle", "arm it as it is"},
	"E223": {"an overload of a weapon that this turn's arming does not finish", "arm it, and overload it in its last turn"},
	"E224": {"an overload with too little or too much energy", "the message says how much it may be"},
	"E225": {"aim at a row that the chart lacks", "2 to 12"},
	"W216": {"aim from farther than fire can be aimed", "come closer, or leave the aim out: the weapons fire as ever"},
	"E244": {"boarding parties that are not aboard, or none", "as many as the sheet tells"},
	"E245": {"more parties in a turn than there are transporters", "one a transporter"},
	"E246": {"a raid on boxes that the target lacks, or that cannot be raided", "use a name from her sheet"},
	"E247": {"stealing from boxes that are no laboratories", "raid a lab"},
	"E248": {"a try to mend what is not lost, or is beyond repair", "name lost boxes from the sheet"},
	"E249": {"fire or a launch of a ship without a control box", "leave it out, and mend one: `scotty bridge`"},
	"E251": {"a shuttle that studies twice in a turn, or gathers or receives data and sends them in one", "do one of them next turn"},
	"E252": {"a shuttle that is not there", "launch one, if one is left aboard"},
	"E253": {"data exchanged with a ship on another side", "name a ship of your side"},
	"E255": {"more standing orders than are kept", "leave some out"},
	"E226": {"a speed that only a warp drive gives", "0 or 1, by impulse"},
	"W217": {"a pool that does not pay for all hexes of the speed", "a larger pool, or a lower speed"},
	"W219": {"a way that leads into a planet or moon", "turn before it: she stays before it, and uses the hexes"},
	"W218": {"a ship in a tractor beam that no order holds on to", "`tractor` in phase 1, or let her go"},
	"W221": {"aim at a ship in the dark whose sheet is not known", "study her, or leave the aim out: the weapons fire as ever"},
	"E227": {"a shot of no points in a split", "leave it out"},
	"E228": {"a cannon fired at a ship, or another weapon along a row", "a cannon along A to F, others at a ship"},
	"E229": {"a split of more points than the cannon has", "the message says how many are too many"},
	"E230": {"engines overloaded that cannot be", "warp engines of a ship of Orion, as the sheet names them"},
	"E231": {"an engine overloaded whose boxes were all mended or lost", "leave it out: what was mended may not be overloaded again"},
	"E240": {"a tractor beam of a ship that has none left", "leave it out"},
	"E241": {"a tractor beam without energy, or with more than there is", "1 or more, and no more than the message says"},
	"E243": {"`cloak on` in a turn that the cloak is not paid for", "write under `power`: `cloak`"},
	"E242": {"a ship that nothing brings into range in time", "come closer first"},
}

func TestPagesShowFirstTurnsWithEnergy(t *testing.T) {
	made(t, document("play-sfb-house"), "house orders of a first turn", fenced(offered(t, "house-duel", "Hood")))
	made(t, document("play-sfb-cadet"), "cadet orders of a first turn", fenced(offered(t, "encounter", "Constellation")))
}

// offered returns the order set offered to a ship in the report of a scenario's set-up.
func offered(t *testing.T, name, ship string) string {
	t.Helper()
	files, err := sfb.Family().ScenarioFiles()
	if err != nil {
		t.Fatal(err)
	}
	sc, diags := scenario.Parse(files[name])
	if sc == nil {
		t.Fatal(diags)
	}
	r, err := catalogue().Rules(sc.Rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, diags := sc.NewGame(r, name, nil)
	if g == nil {
		t.Fatal(diags)
	}
	s, _, ok := engine.FindShip(g.Ships, ship)
	if !ok {
		t.Fatalf("%s has no ship %s", name, ship)
	}
	v, err := engine.BuildView(r, g, nil, g.Viewer(s))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("#orders %s turn 1 ship %s\n%s#end\n", name, ship, report.Offered(r, v, s.ID, true))
}

var codeShape = regexp.MustCompile(`^[EW][0-9]{3}$`)

// codesIn returns the diagnostic codes in the source of a package and its subpackages, sorted.
func codesIn(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && codeShape.MatchString(s) {
					found = append(found, s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if found = slices.Compact(found); len(found) == 0 {
		t.Fatalf("no codes in %s", dir)
	}
	return found
}

// The worked example is the second turn of examples/wolf and its actual answer, except for the map.
func TestDocumentsWorksATurn(t *testing.T) {
	const n = 2
	whole, _ := wolf(t)
	g := before(t, whole, n)
	p, err := turn.Load(g)
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, "wolf", fmt.Sprintf("turn-%d", n), "Hood.txt")
	made(t, document("play-stcs-basic"), "worked orders", fenced(string(text)))
	found := p.Check(text)
	if len(found.Sets) != 1 || !found.Sets[0].OK() {
		t.Fatal(found.Diagnostics)
	}
	m, err := g.Stages.Manifest(vault.At(n - 1))
	if err != nil {
		t.Fatal(err)
	}
	ack := p.Ack(found.Sets[0], string(text), report.AckDetails{
		Verdict: templates.Accepted, InForce: "The set in this mail.", Now: m.Resolved.Add(2 * time.Hour), Deadline: m.Deadline,
		Missing: []string{"Riskadh"},
	})
	ack.Forecast = templates.Map{}
	answer, err := (*templates.Set)(nil).AckText(ack)
	if err != nil {
		t.Fatal(err)
	}
	made(t, document("play-stcs-basic"), "worked answer", fenced(answer))
}

// before returns a game as it was before a turn: a copy without that turn and later ones.
func before(t *testing.T, g *vault.Game, turn int) *vault.Game {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(g.Dir()))
	if err := os.CopyFS(dir, os.DirFS(g.Dir())); err != nil {
		t.Fatal(err)
	}
	for n := turn; n <= g.Turn(); n++ {
		if err := os.RemoveAll(filepath.Join(dir, "turns", fmt.Sprintf("%04d", n))); err != nil {
			t.Fatal(err)
		}
	}
	return open(t, dir)
}

// The orders shown in the documents are valid for the Hood in her first turn: whole sets as they are, and pieces
// under their heading.
func TestDocumentsShowsGoodOrders(t *testing.T) {
	files, err := fasa.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	p, err := turn.Load(newGame(t, "wolf", files["big-bad-wolf"], nil, wolfSeed))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for title, file := range map[string]string{"Your first evening": captains, "Answering a report": captains, "Writing orders": document("play-stcs-basic")} {
		for _, m := range regexp.MustCompile("(?ms)^```\n(.*?)^```$").FindAllStringSubmatch(chapter(t, file, title), -1) {
			text := m[1]
			switch {
			case strings.Contains(text, "cancel"), strings.Contains(text, "__"):
				continue // for the desk, and a picture
			case strings.Contains(text, "#orders"):
			case strings.HasPrefix(text, " "):
				text = "#orders wolf turn 1 ship Hood\npower\n  move 44\nphase 1\n" + text + "#end\n"
			default:
				text = "#orders wolf turn 1 ship Hood\n" + text + "#end\n"
			}
			tried++
			for _, d := range p.Check([]byte(text)).Diagnostics {
				if d.Severity == orders.Error {
					t.Errorf("%q shows\n%s%s", title, text, d)
				}
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d pieces of orders were found", tried)
	}
}
