package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// clubs is a configuration with two clubs in addition to the host's mailbox.
const clubs = small + `[site]
dir = "www"
` + box + `[mailbox.club]
name = "North Sea"
members = ["ann@example.org", "@example.com"]
members_file = "north.txt"
joining = "Write to Ann."
games_each = 3
strangers_per_day = 7
referee = "ann@example.org"
[mailbox.club.mail]
footer = "North Sea, since 1998"
[mailbox.club.lobby]
practice = 2
[mailbox.club.site]
dir = "north"
[[mailbox.club.notify]]
url_file = "hook"
`

// box is an additional mailbox.
const box = `[[mailbox]]
address = "north@example.net"
[mailbox.lmtp]
[mailbox.smtp]
host = "mail.example.net"
`

func TestClub(t *testing.T) {
	south := strings.NewReplacer("north@", "south@", "mail.example.net", "mail.example.com").Replace(box) + "[mailbox.club]\nname = \"South\"\n"
	dir := write(t, map[string]string{"x.toml": clubs + south, "north.txt": "# since May\nbo@example.org # Bo\n\n@example.net\n", "hook": "https://hook.example/sEcReT\n"})
	c, err := loadWith(filepath.Join(dir, "x.toml"), envOf(map[string]string{"IMAP": "x"}))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Parse("x.toml", []byte(c.Effective()), dir); err != nil || again.Effective() != c.Effective() || strings.Contains(c.Effective(), "sEcReT") {
		t.Errorf("what is in force reads as %v\n%s", err, c.Effective())
	}
	north, host := c.At("NORTH@example.net"), c.At("nobody@example.org")
	if host != c || north.Referee != "ann@example.org" || north.Mail.Footer != "North Sea, since 1998" || north.Lobby.Practice != 2 || north.Site.Dir != filepath.Join(dir, "north") || !strings.HasSuffix(north.Notify[0].Address.Reveal(), "sEcReT") {
		t.Errorf("%+v", north)
	}
	if want := (Limits{AnswersPerHour: c.AnswersPerHour, SetAnswersPerHour: c.SetAnswersPerHour, StrangersPerDay: 7}); north.Limits != want || c.StrangersPerDay != 240 {
		t.Errorf("limits %+v, want %+v", north.Limits, want)
	}
	if list, err := north.ClubOf().List(); err != nil || !slices.Equal(list, []string{"ann@example.org", "@example.com", "bo@example.org", "@example.net"}) {
		t.Errorf("members %q, %v", list, err)
	}
	if s := c.At("south@example.net"); s.Lobby != nil || s.Site != nil || s.Referee != c.Referee || s.ClubOf().Closed() {
		t.Errorf("a club has what is the host's: %+v", s)
	}
	var own []string
	for _, part := range c.Communities() {
		held := ""
		for _, robot := range []string{c.Address, "north@example.net", "south@example.net", "gone@example.org"} {
			if part.Holds(robot) {
				held += " " + robot
			}
		}
		own = append(own, strings.TrimPrefix(part.Own(), c.State)+":"+held)
	}
	if want := []string{": " + c.Address + " gone@example.org", "/clubs/north-sea: north@example.net", "/clubs/south: south@example.net"}; !slices.Equal(own, want) {
		t.Errorf("got  %q\nwant %q", own, want)
	}
	if part, names := c.Community("north sea"); part == nil || part.ClubOf() != c.More[0].Club || !slices.Equal(names, []string{"North Sea", "South"}) {
		t.Errorf("%v, %q", part, names)
	}
	if part, _ := c.Community("West"); part != nil {
		t.Error("there is a club in the west")
	}

	for _, bad := range []struct{ old, now, want string }{
		{`name = "North Sea"`, `name = "../x"`, "cannot be a folder name"},
		{`name = "North Sea"`, ``, "mailbox[1].club.name is missing"},
		{`name = "North Sea"`, `name = "South"`, `two clubs are named "South"`},
		{`"@example.com"]`, `"@example com"]`, `"@example com" is not a bare mail address`},
		{`"@example.com"]`, `"Bo <bo@example.org>"]`, "is not a bare mail address"},
		{`joining = "Write`, `joining = "` + strings.Repeat("x", 200), "more than 200 characters"},
		{`games_each = 3`, `games_each = 0`, "between 1 and 1000"},
		{`strangers_per_day = 7`, `strangers_per_day = -7`, "between 0 and 10000"},
		{`games_each = 3`, `games_eech = 3`, "unknown key"},
		{"[mailbox.club.site]\ndir = \"north\"", "", "notices need pages"},
		{`dir = "north"`, `dir = "www"`, "share a folder with others"},
		{`footer = "North Sea, since 1998"`, `templates = "nowhere"`, "nowhere"},
		{"north.txt", "lost.txt", "lost.txt"},
		{`"hook"`, `"nohook"`, "nohook"},
	} {
		file := filepath.Join(dir, "bad.toml")
		if err := os.WriteFile(file, []byte(strings.Replace(clubs+south, bad.old, bad.now, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadWith(file, envOf(map[string]string{"IMAP": "x"})); err == nil || !strings.Contains(err.Error(), bad.want) || !strings.Contains(err.Error(), ":") {
			t.Errorf("%s: got %v, want %s", bad.now, err, bad.want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "north.txt"), []byte("ann@example.org\nno address\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadWith(filepath.Join(dir, "x.toml"), envOf(map[string]string{"IMAP": "x"})); err == nil || !strings.Contains(err.Error(), `north.txt:2: "no address" is not a bare mail address`) {
		t.Errorf("a member without an address: %v", err)
	}
}
