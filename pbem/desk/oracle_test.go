package desk_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"starpost/engine/dice"
	"starpost/pbem/desk"
	"starpost/pbem/desk/effect"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// offices holds the games of one host: that of the office, and others.
type offices struct {
	*office
	others []*vault.Game
}

func (o *offices) Settings() []*vault.Settings {
	all := o.office.Settings()
	for _, g := range o.others {
		all = append(all, g.SharedSettings())
	}
	slices.SortFunc(all, func(a, b *vault.Settings) int { return strings.Compare(a.ID, b.ID) })
	return all
}

func (o *offices) Game(id string) (*vault.Game, error) {
	for _, g := range o.others {
		if g.ID() == id {
			return g, nil
		}
	}
	return o.office.Game(id)
}

func (o *offices) Look(id string) (*vault.Game, error) { return o.Game(id) }

// beside adds another game to an office; Khan has a seat in it and is called Noonien.
func beside(t *testing.T, o *office, id, more string, mail func(*vault.MailSettings)) {
	t.Helper()
	dir, seed := filepath.Join(t.TempDir(), id), uint64(2)
	m := vault.DefaultMail()
	m.Robot = robot
	mail(&m)
	if _, err := turn.Create(dir, catalogue(), turn.Setup{
		Scenario: []byte(ambush + more), ID: id, Mail: m,
		Captains: []vault.Captain{{Name: "Singh", Address: khan, Player: "Noonien", Ships: []string{"Hood"}}, {Name: "Kang", Ships: []string{"Riskadh"}}, {Name: "Kras", Ships: []string{"Dagger"}}},
		Secret:   dice.FromSeed(seed), Seed: &seed, Options: turn.Options{Now: began},
	}); err != nil {
		t.Fatal(err)
	}
	g, err := vault.Open(directory.At(dir), catalogue())
	if err != nil {
		t.Fatal(err)
	}
	both := &offices{o, []*vault.Game{g}}
	o.desk.Games, o.desk.Listings = both, both
}

// TestNameTellsNothingOfWhoIsHidden checks that in a blind or anonymous game any name is accepted, even that of a captain
// or a ship; and in any game that of a person in another game that hides who plays or is not public, and that of a ship
// still to arrive in the captain's own game. A name that everyone may know is refused.
func TestNameTellsNothingOfWhoIsHidden(t *testing.T) {
	const taken, refused = true, false
	anonymous := func(m *vault.MailSettings) { m.Anonymous, m.Open = true, true }
	open := func(m *vault.MailSettings) { m.Open = true }
	ambushed := func() *office { return newAmbush(t) }
	for _, test := range []struct {
		what   string
		office func() *office
		name   string
		want   bool
	}{
		{"a captain in the dark", func() *office { return newDark(t, "", "") }, "Kor", taken},
		{"a ship in the dark", func() *office { return newDark(t, "", "") }, "Riskadh", taken},
		{"nothing in the dark", func() *office { return newDark(t, "", "") }, "Zorro", taken},
		{"a captain of an anonymous game", func() *office {
			o := newAmbush(t)
			o.set("open = true", "open = true\nanonymous = true")
			return o
		}, "Kor", taken},
		{"who is to come", ambushed, "Chang", taken},
		{"a ship to come", ambushed, "Dagger", taken},
		{"a captain of an open game", ambushed, "Kor", refused},
		{"a ship of an open game", ambushed, "Riskadh", refused},
		{"who plays another game in the dark", func() *office {
			o := newAmbush(t)
			beside(t, o, "bear", "[blind]\n", func(*vault.MailSettings) {})
			return o
		}, "Noonien", taken},
		{"who plays another, anonymous game", func() *office { o := newAmbush(t); beside(t, o, "bear", "", anonymous); return o }, "Noonien", taken},
		{"who plays another game of which no one is told", func() *office {
			o := newAmbush(t)
			beside(t, o, "bear", "", func(*vault.MailSettings) {})
			return o
		}, "Noonien", taken},
		{"who plays another open game", func() *office { o := newAmbush(t); beside(t, o, "bear", "", open); return o }, "Noonien", refused},
	} {
		o := test.office()
		if h := o.says("#name " + test.name); (h.Outcome == desk.Done) != test.want || strings.Contains(h.text(), "has that name") == test.want {
			t.Errorf("%s: %s", test.what, h.text())
		}
	}
}

// TestNamesAreToldApartInTheEnd checks that people who chose the same name while the game hid them, or the name of a seat
// or a ship, get a number when it is over.
func TestNamesAreToldApartInTheEnd(t *testing.T) {
	o := newDark(t, "", "")
	o.says("#name Ann")
	o.receive(kor, o.keyed("Kor"), "#name ANN")
	s := o.game.SharedSettings()
	for _, over := range []bool{false, true} {
		want := map[bool][2]string{false: {"Ann", "ANN"}, true: {"Ann", "ANN (2)"}}[over]
		if got := [2]string{s.Person(s.Captains[0], over), s.Person(s.Captains[1], over)}; got != want {
			t.Errorf("over %t: got %v, want %v", over, got, want)
		}
	}
	o.says("#name Riskadh")
	if s = o.game.SharedSettings(); s.Person(s.Captains[0], true) != "Riskadh (2)" || s.Person(s.Captains[1], true) != "ANN" {
		t.Errorf("got %q and %q", s.Person(s.Captains[0], true), s.Person(s.Captains[1], true))
	}
}

// TestAddressAsksAStrangerOfNoGame checks that the question to a new address outside the game names neither the game nor
// the seat, counts for the captain who asked, and leaves the limit of what the address may request itself.
func TestAddressAsksAStrangerOfNoGame(t *testing.T) {
	o := newAmbush(t)
	h := o.says("#address " + khan)
	q := h.mail(t, effect.KindConfirm, khan)
	for _, word := range []string{"wolf", "Ambush", "Kirk", "Hood", "kirk"} {
		if strings.Contains(q.Message.Text+q.Message.Subject+q.Message.From.Name+q.Message.ListID+q.Message.MessageID, word) {
			t.Errorf("the question tells of %q:\n%s\n%s\n%s", word, q.Message.MessageID, q.Message.Subject, q.Message.Text)
		}
	}
	reminded := o.receive(khan, robot, "What is this?", "In-Reply-To: "+q.Message.MessageID).text() // the question is still open
	for _, word := range []string{"wolf,", "as captain Kirk", "of captain Kirk", "Ambush come to"} {
		if strings.Contains(reminded, word) {
			t.Errorf("who is reminded of the question is told %q:\n%s", word, reminded)
		}
	}
	if !strings.Contains(reminded, "Should the mails of a game come to this address?") {
		t.Error(reminded)
	}
	for _, limit := range q.Limits {
		if limit.Who == khan {
			t.Errorf("%+v are what %s may ask for", q.Limits, khan)
		}
	}
	second := o.receive(kor, o.keyed("Kor"), "#address "+khan).mail(t, effect.KindConfirm, khan)
	if q.Limits[0] != second.Limits[0] || q.Limits[1] == second.Limits[1] {
		t.Errorf("two who ask one address have the limits %+v and %+v", q.Limits, second.Limits)
	}
	if h := o.receive(khan, q.Message.ReplyTo.Addr, "confirm"); h.Outcome != desk.Done || o.game.Settings().Captains[0].Address != khan {
		t.Errorf("%s: %+v", h.text(), o.game.Settings().Captains[0])
	}
	// Someone who plays in the game is told its name.
	if q := o.receive(khan, o.keyed("Kirk"), "#address "+kor).mail(t, effect.KindConfirm, kor); !strings.Contains(q.Message.Text, "Ambush") {
		t.Error(q.Message.Text)
	}
}

// TestAnswersTellNothingOfOtherGames checks that a request about a game of others gets the same words as one about a game
// that does not exist.
func TestAnswersTellNothingOfOtherGames(t *testing.T) {
	for _, text := range []string{
		"#orders bear turn 1 ship Hood\npower\n#end", "#status bear", "status bear", "#report bear 1", "#replay bear", "#join bear as Hood", "join bear", "#observe bear",
		"#message bear to all\nHi\n#end", "#name bear Jim", "#vote bear draw", "help bear", "#rules bear", "#resign bear", "#away bear 2026-03-05 2026-03-06", "please status bear",
	} {
		for _, from := range []string{kirk, "eve@example.com"} {
			var got [2]string
			for k := range got {
				o := newAmbush(t)
				if k == 1 {
					beside(t, o, "bear", "", func(*vault.MailSettings) {})
				}
				to := robot
				if from == kirk {
					to = o.keyed("Kirk")
				}
				got[k] = o.receive(from, to, text).text()
			}
			if got[0] != got[1] {
				t.Errorf("%s, %q: without the game\n%s\nwith it\n%s", from, text, got[0], got[1])
			}
		}
	}
}

// TestSeatsInTheDarkTellNothing checks that a request for a seat of a blind game gets the same answer for an existing
// ship, post or side as for one that does not exist.
func TestSeatsInTheDarkTellNothing(t *testing.T) {
	o := newDark(t, "", "")
	o.set("open = false", "open = true")
	o.desk.Strangers = true
	for _, pair := range [][2]string{
		{"#join wolf as Riskadh", "#join wolf as Zzskadh"},
		{"#join wolf as Riskadh.helm", "#join wolf as Zzskadh.helm"},
		{"#join wolf as Kor", "#join wolf as Zor"},
		{"#join wolf side Klingon", "#join wolf side Gorn"},
		{"#invite eve@example.com as Riskadh", "#invite eve@example.com as Zzskadh"},
	} {
		var got [2]string
		for k, text := range pair {
			h := o.receive("eve@example.com", robot, text)
			if strings.HasPrefix(text, "#invite") {
				h = o.says(text)
			}
			got[k] = strings.NewReplacer("Riskadh", "X", "Zzskadh", "X", "Kor", "X", "Zor", "X", "Klingon", "X", "Gorn", "X").Replace(h.text())
		}
		if got[0] != got[1] || got[0] == "" {
			t.Errorf("%q gets\n%s\n%q gets\n%s", pair[0], got[0], pair[1], got[1])
		}
	}
}

// TestShipsToComeAreNoNames checks that anything the other side or a stranger writes about a ship still to arrive, or her
// captain, gets the same words as an unknown name.
func TestShipsToComeAreNoNames(t *testing.T) {
	for _, text := range []string{
		"#orders wolf turn 1 ship Dagger\npower\n#end", "#orders wolf turn 1 captain Chang\nluck to us\n#end", "#orders wolf turn 1 ship Hood\nphase 1\n  pursue Dagger\n  fire all at Dagger\n#end",
		"#orders wolf turn 1 ship Hood\nmessage Dagger\n#text\nHi\n#endtext\n#end", "#message to Dagger\nHi\n#end", "#message to Chang\nHi\n#end", "#cancel wolf Dagger", "#join wolf as Dagger", "#join wolf as Chang",
		"#invite eve@example.com as Dagger", "#invite eve@example.com as Dagger.helm", "#join wolf as Dagger.helm", "#orders wolf turn 1 ship Dagger.helm\npower\n#end", "#status wolf Dagger", "help Dagger", "#report wolf Dagger",
	} {
		for _, from := range []string{kirk, khan} {
			var got [2]string
			for k, word := range [2]string{"", "Z"} {
				o := newAmbush(t)
				to := robot
				if from == kirk {
					to = o.keyed("Kirk")
				}
				said := strings.NewReplacer("Dagger", "Dagger"+word, "Chang", "Chang"+word).Replace(text)
				if word != "" {
					said = strings.NewReplacer("DaggerZ", "Zxgger", "ChangZ", "Zxang").Replace(said)
				}
				got[k] = strings.NewReplacer("Dagger", "X", "Zxgger", "X", "Chang", "X", "Zxang", "X", "dagger", "x", "zxgger", "x").Replace(o.receive(from, to, said).text())
			}
			if unmarked(got[0]) != unmarked(got[1]) {
				t.Errorf("%s, %q: of what is to come\n%s\nof what is not\n%s", from, text, got[0], got[1])
			}
		}
	}
}

// unmarked returns a text without spaces and the signs that underline a name, which vary with its length.
func unmarked(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("^~ \n", r) {
			return -1
		}
		return r
	}, s)
}
