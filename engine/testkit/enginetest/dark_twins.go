package enginetest

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/hex"
	"starpost/engine/robots"
	"starpost/engine/scenario"
)

var twinPairs = flag.Int("twins", Fewer(2), "how many pairs of battles in the dark are fought for each thing that may not show")

// Twins are two battles in the dark that differ in one thing unknown to their captains.
type Twins struct {
	What  string
	Lacks string // why these rules cannot have the difference; then nothing is played
	// Fight plays both battles for a seed and returns what the captains are told in each; nil if with this seed they
	// rightly learn the difference.
	Fight func(seed uint64) (told [2][]byte, err error)
}

// TwinsAreToldTheSame plays pairs of battles of each kind. For more of them: -twins 200.
func TwinsAreToldTheSame(t *testing.T, rules string, all []Twins) {
	t.Helper()
	for _, w := range all {
		if w.Lacks != "" {
			t.Logf("%s, %s: %s", rules, w.What, w.Lacks)
			continue
		}
		compared := 0
		for seed := uint64(1); compared < *twinPairs && seed < 20*uint64(*twinPairs); seed++ {
			told, err := w.Fight(seed)
			switch {
			case err != nil:
				t.Fatalf("%s, %s, seed %d: %v", rules, w.What, seed, err)
			case told[0] == nil && told[1] == nil:
				continue
			case !bytes.Equal(told[0], told[1]):
				t.Errorf("%s, seed %d: that %s shows: %s", rules, seed, w.What, Difference(told[0], told[1]))
			}
			compared++
		}
		if compared < *twinPairs {
			t.Errorf("%s, %s: only %d pairs were compared", rules, w.What, compared)
		}
		t.Logf("%s, %s: %d pairs", rules, w.What, compared)
	}
}

// DarkFleet is a rule set's data for battles in which robots command Hood and her foe Riskadh, and two strangers are
// far away or come within range.
type DarkFleet struct {
	Rules   *engine.Rules
	Classes [2]string // of Hood; of the others
	State   string    // each ship's figures in a scenario, if any
	// Orders are a stranger's orders for the slower and the faster speed, Hexes how far she goes in a turn, straight
	// on.
	Orders [2]string
	Hexes  [2]int
	Still  string // orders that keep Hood where she is
	// Crews are scenario figures of the average crew, which all others have, and of other crews; Unskilled is why there
	// are none.
	Crews     []string
	Unskilled string
}

// Where the strangers are.
const (
	neverFound = "never found"
	comeApart  = "come into reach in one phase"
	comeAsOne  = "come into one hex in one phase"
)

// What differs between twins.
const (
	otherIDs    = "ids"
	otherSpeeds = "speeds"
	otherCrews  = "crews"
)

// twins returns all kinds of battles for a fleet.
func (f *DarkFleet) twins() (all []Twins) {
	for _, where := range []string{neverFound, comeApart, comeAsOne} {
		for _, what := range []string{otherIDs, otherSpeeds, otherCrews} {
			w := Twins{What: fmt.Sprintf("two ships that %s have swapped their %s", map[string]string{neverFound: "are " + neverFound}[where]+map[bool]string{true: where}[where != neverFound], what)}
			if w.Fight = func(seed uint64) ([2][]byte, error) { return f.fight(where, what, seed) }; what == otherCrews {
				w.Lacks = f.Unskilled
			}
			all = append(all, w)
		}
	}
	return all
}

// Test plays pairs of battles of all kinds, and checks how ships in one hex are numbered.
func (f *DarkFleet) Test(t *testing.T) {
	t.Helper()
	TwinsAreToldTheSame(t, f.Rules.Name, f.twins())
	f.numbersTellNoID(t)
	if f.Unskilled == "" {
		return
	}
	b, err := f.draw(neverFound, otherCrews, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"skill", "tactics", "crew"} {
		sc, diags := scenario.Parse([]byte(b.scenario() + f.ship("Skilled", "blue", f.Classes[1], hex.At(140, 140), 0, key+" = 60")))
		if sc == nil {
			t.Fatal(diags)
		}
		if g, _ := sc.NewGame(f.Rules, "game", nil); g != nil {
			t.Errorf("%s: %s, and yet a ship has a figure %s", f.Rules.Name, f.Unskilled, key)
		}
	}
}

// numbersTellNoID checks that of two ships entering one hex either may get the lower number, whether or not the first
// by id is the faster one.
func (f *DarkFleet) numbersTellNoID(t *testing.T) {
	t.Helper()
	const battles = 12
	lower := map[bool]int{} // by whether it is the first by id
	for seed := uint64(1); seed <= battles; seed++ {
		b, err := f.draw(comeAsOne, otherIDs, seed)
		if err != nil {
			t.Fatal(err)
		}
		_, _, g, err := b.play(b.turn)
		if err != nil {
			t.Fatal(err)
		}
		if had := b.had(g); len(had) == 2 {
			lower[had[0] < had[1]]++
		}
	}
	if lower[true]+lower[false] < battles/2 || lower[true] == 0 || lower[false] == 0 {
		t.Errorf("%s: of %d battles the first by id has the lower number in %d, the other in %d", f.Rules.Name, battles, lower[true], lower[false])
	}
}

// stranger is one of the two ships that the captains can know at most by place.
type stranger struct {
	name, crew string
	fast       bool
	end        hex.Hex // where she is at the end of the turn in which she comes
	heading    hex.Heading
	robot      bool
}

// darkPair is a battle with strangers.
type darkPair struct {
	f         *DarkFleet
	seed      uint64
	ships     []string // Hood and Riskadh, as in a scenario
	strangers [2]stranger
	turn      int  // in which the strangers come
	still     bool // Hood does not move, so that what passes her does not show what moved first
}

func (f *DarkFleet) ship(name, side, class string, at hex.Hex, heading hex.Heading, crew string) string {
	figures := strings.Join(slices.DeleteFunc([]string{f.State, crew}, func(s string) bool { return s == "" }), ", ")
	return fmt.Sprintf("[[ship]]\nname = %q\nside = %q\nclass = %q\nhex = %q\nheading = %q\nstate = { %s }\n", name, side, class, at.Label(), heading, figures)
}

// crew returns the n-th kind of crew; "" if the rules have no differences.
func (f *DarkFleet) crew(n int) string {
	if len(f.Crews) == 0 {
		return ""
	}
	return f.Crews[n%len(f.Crews)]
}

// draw makes up a battle. If strangers come within range, they do at the end of the first or second turn, thirty hexes
// from Hood's place at that time, found by a battle without them.
func (f *DarkFleet) draw(where, what string, seed uint64) (*darkPair, error) {
	rng := rand.New(rand.NewPCG(seed, 17))
	heading := func() hex.Heading { return hex.Heading(rng.IntN(6)) }
	hood := hex.At(150, 150)
	b := &darkPair{f: f, seed: seed, turn: 1 + rng.IntN(2), still: where == comeAsOne || where == comeApart && what == otherSpeeds}
	away := 4 + rng.IntN(12)
	if b.still { // otherwise she is shot to pieces
		away += 4
	}
	ring := slices.Collect(hex.Ring(hood, away))
	b.ships = []string{
		f.ship("Hood", "red", f.Classes[0], hood, heading(), f.crew(0)),
		f.ship("Riskadh", "green", f.Classes[1], ring[rng.IntN(len(ring))], heading(), f.crew(0)),
	}
	names := [][2]string{{"Alpha", "Zulu"}, {"Far", "Off"}, {"Ida", "Sam"}}[rng.IntN(3)]
	able := rng.IntN(3)
	for i := range b.strangers {
		b.strangers[i] = stranger{name: names[i], fast: i == rng.IntN(2), crew: f.crew(able + i), heading: heading(), robot: where == neverFound && what != otherSpeeds}
	}
	b.strangers[1].fast = !b.strangers[0].fast
	if where == neverFound {
		for i := range b.strangers {
			ring = slices.Collect(hex.Ring(hood, 110+20*i))
			b.strangers[i].end = ring[rng.IntN(len(ring))]
		}
		return b, nil
	}
	alone := *b
	alone.strangers = [2]stranger{}
	_, _, g, err := alone.play(b.turn)
	if err != nil {
		return nil, err
	}
	s, _ := g.Ship("hood")
	foe, _ := g.Ship("riskadh")
	ring = slices.Collect(hex.Ring(s.Hex, fieldRange))
	slices.SortFunc(ring, func(a, b hex.Hex) int { // away from the foe, who would find them sooner
		return cmp.Or(cmp.Compare(hex.Distance(b, foe.Hex), hex.Distance(a, foe.Hex)), hex.Compare(a, b))
	})
	first, second := &b.strangers[0], &b.strangers[1]
	for {
		first.end, second.end = ring[rng.IntN(40)], ring[rng.IntN(40)]
		if where == comeAsOne {
			second.end = first.end
		}
		for _, w := range []*stranger{first, second} {
			var in []hex.Heading // ways to come from out of range
			for h := range hex.Heading(6) {
				if hex.Distance(w.end.StepN(h.Reverse(), 5), s.Hex) == fieldRange+5 {
					in = append(in, h)
				}
			}
			w.heading = in[rng.IntN(len(in))]
		}
		if where == comeAsOne && first.heading != second.heading || !slices.ContainsFunc(b.way(first), func(h hex.Hex) bool { return slices.Contains(b.way(second), h) }) {
			return b, nil
		}
	}
}

// way returns the hexes along which a stranger comes, at the faster speed.
func (b *darkPair) way(w *stranger) (out []hex.Hex) {
	for n := range 1 + b.turn*max(b.f.Hexes[0], b.f.Hexes[1]) {
		out = append(out, w.end.StepN(w.heading.Reverse(), n))
	}
	return out
}

// fieldRange is how far most ships' sensors detect a warp field (house 9.75).
const fieldRange = 30

// swapped returns the battle's twin.
func (b *darkPair) swapped(what string) *darkPair {
	twin := *b
	one, two := &twin.strangers[0], &twin.strangers[1]
	switch what {
	case otherIDs:
		one.name, two.name = two.name, one.name
	case otherSpeeds:
		one.fast, two.fast = two.fast, one.fast
	case otherCrews:
		one.crew, two.crew = two.crew, one.crew
	}
	return &twin
}

// scenario returns the battle as a file.
func (b *darkPair) scenario() string {
	text := fmt.Sprintf("format = 1\nname = \"dark\"\ntitle = \"Dark\"\nrules = %q\n[blind]\n[[side]]\nid = \"red\"\n[[side]]\nid = \"green\"\n[[side]]\nid = \"blue\"\n", b.f.Rules.Name)
	ships := slices.Clone(b.ships)
	for _, w := range b.strangers {
		if w.name == "" { // a side needs a ship, even far away
			w.name, w.end = "Nova", hex.At(900, 900)
		}
		from := w.end
		if !w.robot {
			from = w.end.StepN(w.heading.Reverse(), b.turn*b.f.Hexes[b2i(w.fast)])
		}
		ships = append(ships, b.f.ship(w.name, "blue", b.f.Classes[1], from, w.heading, w.crew))
		if w.name == "Nova" {
			break
		}
	}
	return text + strings.Join(ships, "")
}

func b2i(is bool) int {
	if is {
		return 1
	}
	return 0
}

// had returns the strangers that are Hood's contacts, in the order of their numbers.
func (b *darkPair) had(g *engine.Game) (out []engine.ShipID) {
	for _, c := range g.Blind.Log("Hood").Contacts {
		if slices.Contains(b.ids(), c.Ship) {
			out = append(out, c.Ship)
		}
	}
	return out
}

// play plays some turns, or fewer if the battle ends or a captain learns more about a stranger than her place. It
// returns what the captains are told, and the order of movement, in which it does not matter which stranger is which.
func (b *darkPair) play(turns int) (told []byte, moves string, g *engine.Game, err error) {
	r := b.f.Rules
	sc, diags := scenario.Parse([]byte(b.scenario()))
	if sc == nil {
		return nil, "", nil, fmt.Errorf("%v in\n%s", diags, b.scenario())
	}
	if g, diags = sc.NewGame(r, "game", nil); g == nil {
		return nil, "", nil, fmt.Errorf("%v in\n%s", diags, b.scenario())
	}
	captains := []engine.ShipID{"hood", "riskadh"}
	var tries []string
	for _, name := range append([]string{"c01", "c02"}, b.names()...) {
		tries = append(tries, fmt.Sprintf("phase 1\n fire all at %[1]s\n pursue %[1]s to 3\n", name))
	}
	if b.still { // the foe passes strangers on her way
		captains = captains[:1]
	}
	var events []engine.Event
	for turn := 0; !b.known(g) && g.Result == nil; turn++ { // at the end everything is revealed
		for _, id := range captains {
			more, err := Told(r, g, events, engine.Seat{Ship: id}, tries...)
			if err != nil {
				return nil, "", nil, err
			}
			told = fmt.Appendf(told, "\nturn %d, %s\n%s", turn, id, more)
		}
		if turn == turns {
			break
		}
		sheets, err := robots.Orders(r, g, events)
		if err != nil {
			return nil, "", nil, err
		}
		if err := b.script(sheets); err != nil {
			return nil, "", nil, err
		}
		if g, events, err = engine.Resolve(r, g, sheets, dice.FromSeed(b.seed)); err != nil {
			return nil, "", nil, err
		}
		for _, e := range events {
			switch m, ok := e.Body.(*engine.Move); {
			case ok && slices.Contains(b.ids(), m.Ship):
				moves += fmt.Sprint(e.Phase, " stranger\n")
			case ok:
				moves += fmt.Sprint(e.Phase, " ", m.Ship, "\n")
			}
		}
	}
	return []byte(WithoutHashes(string(told))), moves, g, nil
}

// script replaces a robot's orders for the ships that no robot commands.
func (b *darkPair) script(sheets []engine.Sheet) error {
	texts := map[engine.ShipID]string{}
	if b.still {
		texts["hood"] = b.f.Still
	}
	for _, w := range b.strangers {
		if !w.robot {
			texts[w.id()] = b.f.Orders[b2i(w.fast)]
		}
	}
	for i := range sheets {
		s := &sheets[i]
		text, ok := texts[s.Ship]
		if !ok || s.Post != "" {
			continue
		}
		block, diags := b.f.Rules.Language.Block("ship", text)
		if len(diags) > 0 {
			return fmt.Errorf("%v in\n%s", diags, text)
		}
		s.Block = &block
	}
	return nil
}

func (w *stranger) id() engine.ShipID { return engine.ShipID(strings.ToLower(w.name)) }

func (b *darkPair) names() []string {
	return slices.Sorted(slices.Values([]string{b.strangers[0].name, b.strangers[1].name}))
}

func (b *darkPair) ids() []engine.ShipID {
	return []engine.ShipID{b.strangers[0].id(), b.strangers[1].id()}
}

// known reports whether Hood's or Riskadh's captain knows who a stranger is, or more about her than her place.
func (b *darkPair) known(g *engine.Game) bool {
	for _, captain := range []string{"Hood", "Riskadh"} {
		for _, c := range g.Blind.Log(engine.CaptainName(captain)).Contacts {
			if slices.Contains(b.ids(), c.Ship) && (c.Named || c.Size != "") {
				return true
			}
		}
	}
	return false
}

// fight plays a battle and its twin.
func (f *DarkFleet) fight(where, what string, seed uint64) (told [2][]byte, err error) {
	b, err := f.draw(where, what, seed)
	if err != nil {
		return told, err
	}
	turns := b.turn
	switch {
	case where == neverFound:
		turns = 2
	case what == otherCrews, what == otherIDs && where == comeApart: // they go on alike
		turns++
	}
	var order [2]string
	for i, twin := range []*darkPair{b, b.swapped(what)} {
		text, moves, g, err := twin.play(turns)
		if err != nil {
			return told, err
		}
		switch had := twin.had(g); {
		case where == neverFound && len(had) > 0:
			return told, fmt.Errorf("a ship that is to be unseen is seen")
		case where != neverFound && len(had) < 2: // Hood is lost before they come
			return [2][]byte{}, nil
		case where == comeAsOne: // this determines their numbers
			text = fmt.Appendf(text, "\nby their numbers: %v\n", had)
		}
		told[i], order[i] = text, moves
	}
	if where == comeApart && !b.still && order[0] != order[1] { // their passing Hood shows, and dice decide which of two equally fast ships moves first
		return [2][]byte{}, nil
	}
	return told, nil
}
