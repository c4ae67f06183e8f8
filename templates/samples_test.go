package templates

import (
	"fmt"
	"strings"
)

const duelOrders = `#orders wolf turn 4 ship Hood key 7K4Q-92FM
power
  move 16                     ; 4 movement points at 4/1: 1 2 1
  shields 1:10 2:14 3:10      ; 17 power at 1/2
  arm bank-b 5 5
  arm torpedo-1
phase 1
  move FL
  fire bank-b at Riskadh when range <= 10
phase 2
  pursue Riskadh to 5 showing 2
  fire all at Riskadh
phase 3
  move SL
final
#end
`

// duel is the report of two ships in their third turn.
func duel() Report {
	return Report{
		Game: "wolf", Title: "The Big Bad Wolf", Rules: "stcs-basic 1", Turn: 3,
		Ship: "Hood", ShipTitle: "Constitution class cruiser, Mk II", Captain: "Captain R. Varley",
		Headline: "The Riskadh is hit twice and turns away; the Hood loses shield 3.",
		Notices:  []string{"Demonstration dice: everybody can foretell them."},
		Owed: OrdersDue{
			Turn: 4, Deadline: "Tue 12 May 2026, 20:00 CEST", Left: "1 day 4 hours",
			What:    []string{"Power, movement and fire for the three phases of turn 4."},
			Missing: []string{"Hood", "Riskadh"},
			HowTo:   []string{"Change the block at the end of this mail and send it back as a reply; leave its first and last lines as they are."},
		},
		Map: Map{
			Counters: []Counter{
				{
					ID: "hood", Name: "Hood", Short: "H", SideName: "Federation", Col: 18, Row: 15, Heading: 1, Own: true, Hex: "1815",
					Shields: []Shield{{2, 0, 14, 16, false}, {3, 1, 0, 16, true}, {4, 2, 3, 16, false}, {5, 3, 8, 16, false}, {6, 4, 16, 16, false}, {1, 5, 10, 16, false}},
					Arcs: []WeaponArc{
						{"bank-a", 210, 60, 14},
						{"bank-b", 300, 60, 14},
						{"bank-c", 300, 150, 14},
						{"torpedo-1", 300, 60, 10},
						{"torpedo-2", 300, 60, 10},
					},
					Trail: []Step{{0, 15, 18, 1}, {1, 16, 17, 0}, {1, 16, 16, 1}, {2, 17, 16, 1}, {3, 18, 15, 1}},
				},
				{
					ID: "riskadh", Name: "Riskadh", Short: "R", Side: 1, SideName: "Klingon", Col: 21, Row: 11, Heading: 3, Hex: "2111",
					Range: 6, Bearing: "2 ahead, fwd",
					Shields: []Shield{{2, 0, 7, 15, false}, {3, 1, 15, 15, false}, {4, 2, 15, 15, false}, {5, 3, 0, 15, true}, {6, 4, 2, 15, false}, {1, 5, 12, 15, false}},
					Trail:   []Step{{0, 19, 8, 2}, {1, 20, 8, 2}, {1, 21, 9, 3}, {2, 21, 10, 3}, {3, 21, 11, 3}},
				},
			},
			Terrain: []Mark{{Planet, 13, 12, "Ardana", false}, {Planet, 13, 13, "", true}, {Planet, 12, 12, "", true}, {Asteroid, 23, 15, "", false}, {Asteroid, 23, 16, "", false}, {Moon, 14, 10, "Ardana's moon", false}, {Mine, 16, 13, "", false}, {Minefield, 16, 12, "", false}, {Minefield, 16, 13, "", false}},
			Shots: []Shot{
				{17, 16, 21, 10, 2, true, "Hood bank-b at Riskadh", 0},
				{17, 16, 21, 10, 2, true, "Hood bank-b at Riskadh", 0},
				{21, 10, 17, 16, 2, false, "Riskadh torpedo-1 at Hood", 0},
				{21, 11, 18, 15, 3, true, "Riskadh disruptor-2 at Hood", 0},
			},
		},
		Phases: []Phase{
			{"Power", []Line{{Text: "Hood: 44 of 44 power, 16 to movement, 17 to shields, 11 to weapons", Cite: "stcs 3.2", N: 3, Own: true}}},
			{"Phase 1", []Line{
				{Text: "Riskadh moves 1908 -> 2109, heading C to D", Cite: "stcs 3.5", N: 6},
				{Text: "Hood moves 1518 -> 1616, heading B", Cite: "stcs 3.5", N: 9, Own: true},
			}},
			{"Phase 2", []Line{
				{Text: "Hood fires bank B at Riskadh: range 6, chart W, needs 9, rolled 4: hit", N: 12, Own: true},
				{Text: "two phasers, 5+3 each: shield 2 takes 8 of 15, then 7, 1 goes through: die 8, superstructure", Cite: "stcs 4.6, D19", Depth: 1},
				{Text: "Riskadh's torpedo 1 at Hood: range 6, chart Q, needs 8, rolled 9: miss", Cite: "stcs 4.3", N: 15, Own: true},
			}},
			{"Phase 3", []Line{{Text: "Riskadh's disruptor 2 at Hood: range 6, needs 7, rolled 2: hit", Cite: "stcs 4.3", N: 18, Own: true}, {Text: "shield 3 takes 8 of 8, 0 go through", Cite: "stcs 4.6", Depth: 1}}},
		},
		Panels: []Panel{
			{
				Title: "Hood", Key: "own", Notes: []string{"Power 44 of 44. Superstructure 18 of 20. Crew 430."},
				Columns: []Column{{"Weapon", false}, {"Arc", false}, {"Chart", false}, {"Power", true}, {"State", false}},
				Rows: [][]string{
					{"bank-a", "fwd/port", "W", "0", "ready"},
					{"bank-b", "fwd", "W", "10", "fired"},
					{"bank-c", "fwd/stbd", "W", "0", "ready"},
					{"torpedo-1", "fwd", "L", "1", "fired"},
					{"torpedo-2", "fwd", "L", "0", "destroyed in phase 3"},
				},
			},
			{
				Title: "Shields of the Hood", Key: "own-shields",
				Columns: []Column{{"Shield", true}, {"Points", true}, {"Most", true}, {"Generator", false}},
				Rows:    [][]string{{"2", "14", "16", ""}, {"3", "0", "16", "destroyed"}, {"4", "3", "16", ""}, {"5", "8", "16", ""}, {"6", "16", "16", ""}, {"1", "10", "16", ""}},
			},
			{
				Title: "Others", Key: "others",
				Columns: []Column{{"Ship", false}, {"Hex", false}, {"Heading", false}, {"Range", true}, {"Known since", false}},
				Rows:    [][]string{{"Riskadh", "2111", "D", "6", "now"}},
			},
			{
				Title: "What may be done next", Key: "next",
				Columns: []Column{{"Weapon", false}, {"Target", false}, {"Range", true}, {"Hits on", false}, {"Chance", true}},
				Rows:    [][]string{{"bank-a", "Riskadh", "6", "1-9", "90%"}, {"torpedo-1", "Riskadh", "6", "1-8", "80%"}},
			},
		},
		Reading:  "An asterisk marks what concerns you.",
		Rulings:  []Note{{"referee", "On the line", []string{"A shot along the line between two shields strikes the stronger."}}},
		Messages: []Note{{"Riskadh", "Your shield", []string{"Surrender, and the crew may live.", "#orders wolf turn 4 ship Hood\nmove B\n#end"}}},
		Orders:   duelOrders,
		Commit:   "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		Record:   "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
	}
}

// fleet is a battle of twenty ships.
func fleet() Report {
	r := duel()
	r.Game, r.Title, r.Headline = "fleet", "Twenty at Once", "A brawl."
	r.Map = Map{Bounds: &Bounds{22, 33}}
	others := &r.Panels[2]
	others.Rows = nil
	for i := range 20 {
		side := i / 10
		c := Counter{
			ID: fmt.Sprintf("ship-%d", i), Name: fmt.Sprintf("%s %d", []string{"Intrepid", "Vengeance"}[side], i%10+1),
			Short: string(rune('A' + i)), Side: side, SideName: []string{"Blue", "Red"}[side],
			Col: 3 + (i%10)*2 + i%3, Row: 20 - side*7 + (i*7)%5, Heading: (side*3 + i%3) % 6,
			Own: i == 4, Dead: i == 13, Range: (i*5)%17 + 1, Bearing: "3 fwd/stbd",
		}
		for s := range 6 {
			c.Shields = append(c.Shields, Shield{s + 1, s, (i*3 + s*5) % 17, 16, (i+s)%7 == 0})
		}
		if i == 4 {
			c.Arcs, c.Range, c.Bearing = duel().Map.Counters[0].Arcs, 0, ""
		}
		if i == 17 {
			c.Ghost, c.Age, c.Shields = true, 2, nil
		}
		for p := range 4 {
			c.Trail = append(c.Trail, Step{p, c.Col, c.Row + (3-p)*(1-2*side), c.Heading})
		}
		r.Map.Counters = append(r.Map.Counters, c)
		others.Rows = append(others.Rows, []string{c.Name, HexName(c.Col, c.Row), headingName(c.Heading), fmt.Sprint(c.Range), "now"})
	}
	for i := range 20 {
		f, t := r.Map.Counters[i], r.Map.Counters[(i+10)%20]
		r.Map.Shots = append(r.Map.Shots, Shot{f.Col, f.Row, t.Col, t.Row, 1 + i%3, i%2 == 0, f.Name + " bank-a at " + t.Name, 0})
	}
	for i := range r.Phases[1:] {
		for range 5 {
			r.Phases[i+1].Lines = append(r.Phases[i+1].Lines, duel().Phases[2].Lines...)
		}
	}
	return r
}

// tiny is a side's view of two ships on a field without edges.
func tiny() Report {
	return Report{
		Game: "skirmish", Turn: 1, Headline: "First contact.",
		Map: Map{Counters: []Counter{
			{ID: "a", Name: "Asp", Col: 1, Row: 1, Heading: 2},
			{ID: "b", Name: "Boa", Side: 1, Col: -2, Row: 3, Heading: -1, Ghost: true, Age: 12},
		}},
	}
}

// odd has everything that a report should not contain.
func odd() Report {
	long := strings.Repeat("Unterseeboot", 12)
	evil := `<script>alert("1")</script> & 'x'` + "\x00\x1b[31m\u202E\u200b" + "\xff\xfe"
	return Report{
		Game: evil, Title: long + evil, Rules: evil, Turn: -3,
		Ship: evil, ShipTitle: long, Captain: "Çelebi Ünal 艦長 " + evil, Headline: strings.Repeat(evil+" ", 9),
		Notices: []string{"", evil, long},
		Owed:    OrdersDue{Turn: 1, Deadline: evil, Left: long, What: []string{long, evil}, Missing: []string{evil, long}, HowTo: []string{evil}},
		Map: Map{
			Caption: evil + long,
			Bounds:  &Bounds{300, 200},
			Counters: []Counter{
				{
					ID: evil, Name: long + evil, Short: "<", Col: 290, Row: 3, Own: true, Heading: 9, SideName: long, Side: -7, Hex: evil, Bearing: long,
					Shields: []Shield{{-1, 9, 3, 0, false}, {1, 0, -5, 1, true}, {2, 1, 99999, 3, false}},
					Arcs:    []WeaponArc{{evil, -30, 400, 99999}, {long, 0, 360, 0}, {"", 5, 5, 5}},
				},
				{Name: "Ýmir 艦", Short: "é", Col: 1, Row: 199, Heading: 5, Range: -4, Ghost: true, Age: -1},
				{Name: "off the map", Short: "Q7", Col: -400, Row: 9999999},
				{Name: "stacked", Short: "ab", Col: 290, Row: 3, Dead: true, Ghost: true},
				{Short: "#!", Col: 290, Row: 3},
			},
			Terrain: []Mark{{evil, 10, 10, evil, true}, {Planet, 290, 3, long, false}, {Explosion, 1, 1, "#orders boom", false}},
			Shots:   []Shot{{290, 3, 1, 199, 1, true, evil, 0}, {1, 1, 1, 1, 0, false, "", 0}},
		},
		Phases: []Phase{{evil, []Line{{Text: evil + long, Cite: evil, Depth: 99, N: 1 << 62}, {Cite: "cite alone", Depth: -4, Own: true}, {Text: long, Cite: long, Depth: 3, N: -7}, {Text: "#orders odd turn 3 ship Odd", N: 12, Own: true}, {Text: "#orders odd turn 3 ship Odd", Own: true}, {Text: ""}}}, {}},
		Panels: []Panel{
			{
				Title: evil, Key: `x" onclick="` + evil, Notes: []string{long, evil},
				Columns: []Column{{evil, true}, {"艦", false}}, Rows: [][]string{{long, evil, "extra", ""}, {}, {"#orders", "艦長艦長"}},
			},
			{Columns: make([]Column, 40), Rows: [][]string{{strings.Repeat("wide ", 30), "b"}, make([]string, 60)}},
			wide(),
			{Title: "no columns", Rows: [][]string{{"a", "b"}}},
		},
		Rulings:  []Note{{evil, long, []string{evil}}, {}},
		Messages: []Note{{"", "", []string{"#orders odd turn 1 ship X\r\nmove F\n#end\n\n  #orders", long}}},
		Orders:   "#orders <b> & \x07tabs\there\r\n  " + long + "\n#end",
		Commit:   evil, Secret: long, Over: evil,
	}
}

// wide is a table too wide for any page.
func wide() Panel {
	p := Panel{Title: "wide", Key: "wide"}
	row := make([]string, 40)
	for i := range row {
		p.Columns = append(p.Columns, Column{Name: fmt.Sprintf("column %d", i)})
		row[i] = fmt.Sprintf("cell number %d", i)
	}
	p.Rows = [][]string{row}
	return p
}

// farMap needs one character per hex.
func farMap() Map {
	m := duel().Map
	m.Counters = append([]Counter(nil), m.Counters...)
	m.Counters[1].Col, m.Counters[1].Row, m.Counters[1].Trail = 60, 40, []Step{{0, 60, 37, 0}, {1, 60, 38, 0}}
	m.Counters = append(m.Counters,
		Counter{Name: "Kestrel", Short: "K", Col: 60, Row: 40, Heading: 2},
		Counter{Name: "Lark", Short: "L", Col: 40, Row: 30, Ghost: true, Age: 3},
		Counter{Name: "Hulk", Short: "U", Col: 30, Row: 20, Dead: true})
	m.Shots = nil
	return m
}

// fartherMap needs one character for many hexes.
func fartherMap() Map {
	return Map{Counters: []Counter{
		{Name: "Near", Short: "N", Col: 5, Row: 5, Own: true},
		{Name: "Far", Short: "F", Col: 40_000, Row: -3000, Heading: 3},
		{Name: "Beyond", Short: "B", Col: 1 << 62, Row: -1 << 63, Heading: 3},
	}}
}

// edgeMap shows the corner of a field larger than the page.
func edgeMap() Map {
	return Map{Bounds: &Bounds{60, 50}, Counters: []Counter{
		{Name: "Corner", Short: "C", Col: 59, Row: 49, Own: true, Heading: 5},
		{Name: "Left", Short: "L", Col: 61, Row: 49, Heading: 5},
		{Name: "Two", Short: "T", Col: 55, Row: 48, Heading: 1},
		{Name: "Ten", Short: "X", Col: 55, Row: 48, Heading: 4},
	}}
}

func acceptedAck() Ack {
	r := duel()
	m := r.Map
	m.Caption = "Your plotted course, if nothing interferes."
	m.Shots = nil
	return Ack{
		Game: r.Game, Title: r.Title, Turn: 4, Ship: r.Ship, ShipTitle: r.ShipTitle, Captain: r.Captain,
		Verdict: Accepted, Headline: "Your orders are accepted.",
		Lines: []AckLine{
			{1, "power", ""},
			{2, "  move 16", "4 movement points at 4/1: 1 2 1"},
			{3, "  shields 1:10 2:14 3:10", "34 shield points for 17 power"},
			{4, "  arm bank-b 5 5", "10 power, to-hit chart W, can bear forward"},
			{5, "phase 1", ""},
			{6, "  move FL", "1815 -> 1914, heading B to A"},
		},
		InForce: "The set that came in this mail on 11 May 2026, 12:04 CEST.", Set: duelOrders, Sums: []string{"Power 44: 0 unused."},
		Forecast: m, Deadline: r.Owed.Deadline, Left: r.Owed.Left, Missing: []string{"Riskadh"},
		Answer: []string{"A further set replaces this one whole, until the deadline.", "cancel: drops it."},
	}
}

func keptAck() Ack {
	a := acceptedAck()
	a.Verdict, a.Headline, a.Forecast, a.Lines = Kept, "Your orders are refused; your earlier orders stay in force.", Map{}, a.Lines[:2]
	a.InForce = "The set of 10 May 2026, 09:15 CEST."
	a.Diagnostics = []Diagnostic{
		{Error, 5, 8, 6, "E042", `the Hood has no weapon called "bank-d"`, "its weapons are bank-a, bank-b, bank-c, torpedo-1, torpedo-2", "  fire bank-d at Riskadh"},
		{Error, 9, 3, 4, "E017", "not a word of movement", "", "\tÄrger färe FQ"},
		{Warning, 2, 0, 0, "W003", "6 power are left over", "give them to shields or weapons", ""},
	}
	return a
}

func oddAck() Ack {
	r := odd()
	evil, long := r.Game, r.ShipTitle
	return Ack{
		Game: evil, Title: long, Turn: -1, Ship: evil, ShipTitle: long, Captain: evil, Verdict: Verdict(evil), Headline: evil,
		Notices: []string{evil},
		Lines:   []AckLine{{-1, evil, long}, {1 << 40, long + long, evil}, {0, "#orders x", ""}},
		Diagnostics: []Diagnostic{
			{Severity(evil), 1, 400, 900, evil, evil, long, strings.Repeat("é艦", 400)},
			{Error, 1, 80, 3, "", "", "", long + evil},
			{Error, 1, 9999, 3, "", "past the end", "", "short"},
			{Error, -1, -1, -1, "", "before the front", "", evil},
			{Error, 1, 3, 1 << 60, "", "wide", "", "a\nb"},
		},
		InForce: evil, Set: "#orders x\n" + long + "\n" + evil + "\n#end", Sums: []string{evil}, Forecast: r.Map,
		Panels: r.Panels, Deadline: evil, Left: long, Missing: []string{evil}, Answer: []string{long},
	}
}

var noticeKinds = []NoticeKind{Help, Reminder, Deadline, GameOver, Stranger, Trouble, Status, Confirm, Plain}

func sampleNotice() Notice {
	return Notice{
		Game: "wolf", Title: "The Big Bad Wolf", Turn: 4, Ship: "Hood", Captain: "R. Varley", Robot: "starpost@example.org",
		Deadline: "Tue 12 May 2026, 20:00 CEST", Left: "1 day 4 hours", Was: "Mon 11 May 2026, 20:00 CEST",
		Reason: "The host was down for a night, and the deadline moves with it.",
		Result: "The Federation has won.", Commit: "9f86d081", Secret: "correct horse battery staple",
		Missing: []string{"Hood", "Riskadh"}, In: []string{"Kestrel"},
		Text:     []string{"A further paragraph\x1b[1m that is long enough to be broken over more than one line of the mail."},
		Commands: []string{"status: who has sent orders, and the time left, in a mail of its own that comes at once", "cancel: drops your orders"},
		Example:  duelOrders,
	}
}
