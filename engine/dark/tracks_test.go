package dark_test

import (
	"strings"
	"testing"

	"starpost/engine"
	"starpost/engine/dark"
	"starpost/engine/hex"
)

// TestTracks: each contact has a line with its places by phase and its changes. Contacts that were only lost share
// a line, and what several mates report of one place and moment is told once.
func TestTracks(t *testing.T) {
	at := func(label string) hex.Hex { h, _ := hex.ParseLabel(label); return h }
	heading := func(h hex.Heading) *hex.Heading { return &h }
	speed := func(n int) *int { return &n }
	when := func(turn, phase int) *engine.Moment { return &engine.Moment{Turn: turn, Phase: phase} }
	v := &engine.View{Turn: 4, Dark: true, Viewer: engine.Viewer{Ships: []engine.ShipID{"hood"}}}
	for _, e := range []struct {
		phase int
		body  dark.SensorContact
	}{
		{0, dark.SensorContact{No: 9, At: at("2011"), Since: when(0, 0), Told: "mate", As: "c04"}},
		{0, dark.SensorContact{No: 9, At: at("2011"), Since: when(0, 0), Told: "other", As: "c07"}},
		{1, dark.SensorContact{No: 1, At: at("1010"), Level: "presence"}},
		{1, dark.SensorContact{No: 2, At: at("1212"), Since: when(3, 3), Lost: true}},
		{1, dark.SensorContact{No: 3, At: at("1313"), Since: when(3, 3), Lost: true}},
		{1, dark.SensorContact{No: 5, At: at("1515"), Level: "field", New: true}},
		{0, dark.SensorContact{No: 6, At: at("1616"), Level: "presence"}},
		{2, dark.SensorContact{No: 6, At: at("1616"), Level: "presence"}},
		{2, dark.SensorContact{No: 1, At: at("1011"), Level: "rough", Size: "large", Speed: speed(3), Heading: heading(hex.A)}},
		{2, dark.SensorContact{No: 5, At: at("1515"), Level: "field"}},
		{3, dark.SensorContact{No: 1, At: at("1012"), Level: "rough", Size: "large", Speed: speed(3), Heading: heading(hex.A + 1)}},
		{3, dark.SensorContact{No: 5, At: at("1515"), Since: when(4, 2), Lost: true}},
	} {
		b := e.body
		v.Events = append(v.Events, engine.Entry{N: len(v.Events) + 1, Phase: e.phase, Body: &b})
	}
	v.Ships = []*engine.ShipView{{ID: "mate", Name: "Mate"}, {ID: "other", Name: "Other"}}
	want := `1 c09 at 2011 at the start, told by Mate (c04), Other (c07)
3 c01 at 1010 in phase 1: something unidentified; 1011 in 2, large, heading A, speed up to 3; 1012 in 3, heading B
4 lost in phase 1, found last in turn 3, phase 3: c02 at 1212, c03 at 1313
6 new contact c05 at 1515 in phases 1 to 2: a warp field; lost in 3
7 c06 at 1616 as the turn begins: something unidentified; 1616 in phase 2`
	var got []string
	for _, l := range dark.Tracks(v) {
		got = append(got, strings.TrimSpace(string(rune('0'+l.N))+" "+l.Text))
	}
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// TestListsOfAll: a viewer who sees the lists of all captains is told whose list each entry is on, and of names
// only if one of them is news.
func TestListsOfAll(t *testing.T) {
	at, _ := hex.ParseLabel("1010")
	speed, heading := 3, hex.A
	v := &engine.View{Turn: 4, Viewer: engine.Viewer{All: true}, Sides: []engine.Side{{ID: "f", Name: "Federation"}, {ID: "k", Name: "Klingon"}}}
	v.Ships = []*engine.ShipView{{ID: "hood", Name: "Hood", Side: "f"}, {ID: "mate", Name: "Mate", Side: "f"}, {ID: "wolf", Name: "Wolf", Side: "k"}}
	full := dark.SensorContact{Ship: "hood", No: 2, At: at, Level: "full", Size: "large", Speed: &speed, Heading: &heading, More: true}
	foe, mate := full, full
	foe.Who, mate.Who = "wolf", "mate"
	for want, b := range map[string]dark.SensorContact{
		"Hood sees as a new contact c02 at 1010: something unidentified":                         {Ship: "hood", No: 2, At: at, Level: "presence", New: true},
		"Hood finds again c02 at 1010: a warp field":                                             {Ship: "hood", No: 2, At: at, Level: "field", Again: true},
		"Hood loses c02: last at 1010 in turn 3, phase 2":                                        {Ship: "hood", No: 2, At: at, Since: &engine.Moment{Turn: 3, Phase: 2}, Lost: true},
		"Hood: the referee took c02 off the list":                                                {Ship: "hood", No: 2, At: at, Gone: true},
		"Hood hears from Mate of c07 at 1010, at the start: it is c02 on the list":               {Ship: "hood", No: 2, At: at, Since: &engine.Moment{}, Told: "mate", As: "c07"},
		"Hood sees Wolf (c02) at 1010, large, heading A, speed 3; now identified by her captain": foe,
		"Hood sees Mate (c02) at 1010, large, heading A, speed 3":                                mate,
	} {
		if got := strings.Replace(b.Sentence(v), "speed up to 3", "speed 3", 1); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}
