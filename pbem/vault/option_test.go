package vault

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
)

func TestSetMailKeys(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       func(*MailSettings)
	}{
		{"weekends", "move", func(m *MailSettings) { m.Weekends = "move" }},
		{"weekends", `"move"`, func(m *MailSettings) { m.Weekends = "move" }},
		{"holidays", "DE", func(m *MailSettings) { m.Holidays = []string{"DE"} }},
		{"holidays", "DE, US", func(m *MailSettings) { m.Holidays = []string{"DE", "US"} }},
		{"holidays", `["DE"]`, func(m *MailSettings) { m.Holidays = []string{"DE"} }},
		{"holidays_dates", "2026-12-24", func(m *MailSettings) { m.Dates = []string{"2026-12-24"} }},
		{"holidays_dates", "2026-12-24..2027-01-01,2027-02-01", func(m *MailSettings) { m.Dates = []string{"2026-12-24..2027-01-01", "2027-02-01"} }},
		{"schedule", "Tue Fri 20:00 Europe/Berlin", func(m *MailSettings) { m.Schedule = "Tue Fri 20:00 Europe/Berlin" }},
		{"reliable", "90%", func(m *MailSettings) { m.Reliable = 90 }},
		{"deadline_at", "20:00", func(m *MailSettings) { m.DeadlineAt = "20:00" }},
		{"away_max", "7d", func(m *MailSettings) { m.AwayMax = clock.Week }},
		{"council", "12h", func(m *MailSettings) { m.Council = clock.Span(12 * time.Hour) }},
		{"away_max", "0", func(m *MailSettings) { m.AwayMax = 0 }},
		{"show_missing", "false", func(m *MailSettings) { m.ShowMissing = false }},
		{"remind", "2d,6h", func(m *MailSettings) { m.Remind = []clock.Span{2 * clock.Day, clock.Span(6 * time.Hour)} }},
		{"open", "true", func(m *MailSettings) { m.Open = true }},
		{"zone", "Europe/Berlin", func(m *MailSettings) { m.Zone = "Europe/Berlin" }},
		{"missed", `{ turns = 3, then = "robot" }`, func(m *MailSettings) { m.Missed = MissedTurnsRule{3, ThenRobot} }},
		{"missed", "3 robot", func(m *MailSettings) { m.Missed = MissedTurnsRule{3, ThenRobot} }},
		{"missed", "4", func(m *MailSettings) { m.Missed = MissedTurnsRule{4, ThenAsk} }},
		{"missed", "0", func(m *MailSettings) { m.Missed = MissedTurnsRule{0, ThenAsk} }},
		{"missed", `{then = "pause"}`, func(m *MailSettings) { m.Missed = MissedTurnsRule{2, ThenPause} }},
		{"messages", "side", func(m *MailSettings) { m.Messages = "side" }},
	} {
		got, want := DefaultMail(), DefaultMail()
		got.Holidays, want.Holidays = []string{"FR"}, []string{"FR"}
		c.want(&want)
		if err := got.Set(c.key, c.value); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s=%s: %v\n%+v\n%+v", c.key, c.value, err, got, want)
		}
	}
	for _, c := range []struct{ key, value, say string }{
		{"weekend", "move", `did you mean "weekends"?`},
		{"colour", "red", "one of: robot, deadline"},
		{"deadline", "soon", "write it as in game.toml"},
		{"open", "maybe", "write it as in game.toml"},
		{"weekends", "move\nopen = true", "write it as in game.toml"},
		{"weekends", "\"move\"\nopen = true", "write it as in game.toml"},
		{"remind", "1d,later", "write it as in game.toml"},
		{"holidays", strings.Repeat("DE,", 5000), "write it as in game.toml"},
	} {
		got := DefaultMail()
		err := got.Set(c.key, c.value)
		told, ok := errors.AsType[*Error](err)
		if !ok || !errors.Is(err, ErrSettings) || !strings.Contains(told.Hint(), c.say) || !reflect.DeepEqual(got, DefaultMail()) {
			t.Errorf("%s=%.40s: %v\n%+v", c.key, c.value, err, got)
		}
	}
}

// The list of keys matches the settings.
func TestMailKeys(t *testing.T) {
	s := Settings{Mail: DefaultMail()}
	s.Mail.Holidays, s.Mail.Dates, s.Mail.DeadlineAt = []string{"DE"}, []string{"2026-12-24"}, "20:00"
	s.Mail.Schedule, s.Mail.Reliable, s.Mail.Press = "Tue 20:00", 90, PressOpen
	s.Mail.Missed, s.Mail.Council = MissedTurnsRule{3, ThenRobot}, clock.Span(12*time.Hour)
	s.Mail.Start, s.Mail.Fill = "2026-12-24", FillCancel
	s.Mail.Stretch, s.Mail.StretchAlways, s.Mail.Teach, s.Mail.Replay = 5, true, true, true
	s.Mail.Observers, s.Mail.Anonymous = ObserversPublic, true
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	_, mail, _ := strings.Cut(string(text), "[mail]\n")
	mail, _, found := strings.Cut(mail, "[mail.missed]\nturns = 3\nthen = \"robot\"\n")
	if keys = append(keys, "missed"); !found {
		t.Errorf("the rule on missed turns is not written:\n%s", text)
	}
	for line := range strings.Lines(mail) {
		if key, _, ok := strings.Cut(line, " = "); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if want := slices.Sorted(slices.Values(MailKeys())); !slices.Equal(keys, want) {
		t.Errorf("keys %v, want %v", keys, want)
	}
	for _, k := range MailKeys() {
		if !slices.Contains(bounded.AllKeys(Settings{}), k) {
			t.Errorf("%q is not suggested", k)
		}
	}
}

func TestCalendarProblems(t *testing.T) {
	for _, c := range []struct{ line, say, way string }{
		{`weekends = "skipp"`, `weekends = "skipp" is not known`, `did you mean "skip"?`},
		{`holidays = ["UK"]`, `the holidays of "UK" are not known`, `did you mean "GB" (United Kingdom)?`},
		{`holidays_dates = ["24.12.2026"]`, `"24.12.2026" is not a day of the calendar`, "2026-12-24"},
		{`deadline_at = "8pm"`, `"8pm" is not a time of day`, `deadline_at = "20:00"`},
		{`schedule = "Tue 8pm"`, `schedule: word 2, "8pm", is not a day`, `"Tue Fri 20:00"`},
		{"schedule = \"Tue 20:00\"\ndeadline_at = \"20:00\"", "schedule and deadline_at are both set", "remove deadline_at"},
		{"schedule = \"Sat 20:00\"\nholidays_dates = [\"1970-01-01..1970-12-31\", \"1971-01-01..1971-12-31\"]", "are all days off", "name other days"},
		{"schedule = \"Tue 20:00\"\ncouncil = \"7d\"", `council = "168h" is not shorter than the time for a turn, 168h`, "12h"},
		{`reliable = 101`, "reliable = 101 is not a percentage", "1 to 100"},
		{`missed = { turns = 2, then = "robbot" }`, `missed: then = "robbot" is not known`, "one of: ask, pause, robot, replace, forfeit"},
		{`missed = { turns = -1 }`, `missed: turns = -1 is out of range`, "use 0"},
		{`missed = { turn = 3 }`, `unknown key "mail.missed.turn"`, `did you mean "turns"?`},
		{`observers = "delay"`, `observers = "delay" is not known`, `"delay 2"`},
		{`observers = "delay 0"`, `observers = "delay 0" is not known`, `"delay 2"`},
		{`observers = "delay 1000"`, `is not known`, `"public"`},
		{`observers = "all"`, `observers = "all" is not known`, `"none"`},
		{`holiday = ["DE"]`, `unknown key "mail.holiday"`, `did you mean "holidays"?`},
	} {
		text := strings.Replace(sample(t), "[mail]\n", "[mail]\n"+c.line+"\n", 1)
		if key, _, _ := strings.Cut(c.line, " "); key == "weekends" {
			text = strings.Replace(text, "weekends = \"count\"\n", "", 1)
		}
		_, err := ParseSettings([]byte(text), "game.toml")
		told, ok := errors.AsType[*Error](err)
		if !ok || !strings.Contains(told.Problem, c.say) || !strings.Contains(told.Hint(), c.way) || !strings.HasPrefix(told.Path, "game.toml:") {
			t.Errorf("%s: %+v", c.line, told)
		}
	}
}

// sample returns a game.toml.
func sample(t *testing.T) string {
	t.Helper()
	s := Settings{
		Format: Format, ID: "pond", Title: "The Pond", Rules: "toy", Version: "1", SecretSHA256: strings.Repeat("a", 64),
		Mail: DefaultMail(), Captains: []Captain{{Name: "Ann", Ships: []string{"Ada"}}},
	}
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Without a setting for missed turns the referee is asked after two; a partial setting is
// completed, and written so that it can be read again.
func TestMissedRule(t *testing.T) {
	for line, want := range map[string]MissedTurnsRule{
		"": {2, ThenAsk}, "missed = { turns = 0 }": {0, ThenAsk}, `missed = { then = "robot" }`: {2, ThenRobot}, `missed = { turns = 5, then = "forfeit" }`: {5, ThenForfeit},
	} {
		s, err := ParseSettings([]byte(strings.Replace(sample(t), "[mail]\n", "[mail]\n"+line+"\n", 1)), "game.toml")
		if err != nil || s.Mail.MissedRule() != want {
			t.Errorf("%q: %+v, %v; want %+v", line, s.Mail.MissedRule(), err, want)
		}
		text, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseSettings(text, "game.toml"); err != nil || again.Mail.MissedRule() != want {
			t.Errorf("%q, written and read again: %+v, %v; want %+v", line, again.Mail.MissedRule(), err, want)
		}
	}
}
