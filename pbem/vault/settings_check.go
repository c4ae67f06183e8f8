package vault

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // game.toml may name a zone on a machine without a time zone database

	"github.com/BurntSushi/toml"

	"starpost/engine"
	"starpost/engine/bounded"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/vault/journal"
)

// Schedule returns the game's schedule; grace and reminders are fitted to the turns, see
// [clock.FitSchedule].
func (s Settings) Schedule() (clock.Schedule, error) {
	zone, err := s.Mail.location()
	if err != nil {
		return clock.Schedule{}, err
	}
	out := clock.Schedule{Every: s.Mail.Deadline, ChangeWindow: s.Mail.ChangeWindow, Zone: zone}
	if err := s.Mail.Calendar.onto(&out); err != nil {
		return clock.Schedule{}, err
	}
	out.Grace, out.Remind = clock.FitSchedule(out.Every, s.Mail.Grace, s.Mail.Remind)
	if !out.Weekly.IsZero() {
		if _, err := out.NextAllowed(time.Unix(0, 0)); err != nil {
			return clock.Schedule{}, err
		}
	}
	return out, nil
}

// Encode returns the text of game.toml.
func (s Settings) Encode() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# A starpost game. Captains and [mail] may be edited between turns; the rest\n# is fixed when the game is made.\n\n")
	enc := toml.NewEncoder(&out)
	enc.Indent = ""
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("write game.toml: %w", err)
	}
	return out.Bytes(), nil
}

// maxSettings limits game.toml.
const maxSettings = 1 << 20

// ParseSettings reads game.toml strictly; path is for messages only.
func ParseSettings(data []byte, path string) (Settings, error) {
	s, _, err := parseSettings(data, path)
	return s, err
}

// parseSettings is ParseSettings, and also reports whether the file sets a change window.
func parseSettings(data []byte, path string) (s Settings, saysWindow bool, err error) {
	fail := func(line int, way, format string, args ...any) error {
		where := path
		if line > 0 {
			where = fmt.Sprintf("%s:%d", path, line)
		}
		return &Error{Path: where, Problem: fmt.Sprintf(format, args...), Way: way, Err: ErrSettings}
	}
	s = Settings{Mail: DefaultMail()}
	md, err := bounded.Decode(string(data), maxSettings, &s)
	if err != nil {
		line, _, message, _ := bounded.Place(err)
		return Settings{}, false, fail(line, "correct the file, or restore it from a backup", "%s", message)
	}
	if unknown := md.Undecoded(); len(unknown) > 0 {
		key := unknown[0]
		way := orders.DidYouMean("%q", key[len(key)-1], bounded.AllKeys(s), "")
		line := 0
		for i := len(key) - 1; i >= 0 && line == 0; i-- { // for an inline table, the line of the table
			line = lineOf(data, key[i])
		}
		return Settings{}, false, fail(line, way, "unknown key %q", key.String())
	}
	if md.IsDefined("mail", "missed") {
		s.Mail.Missed.complete(md.IsDefined("mail", "missed", "turns"))
	}
	if problem, key, way := s.wrong(); problem != "" {
		return Settings{}, false, fail(lineOf(data, key), way, "%s", problem)
	}
	return s, md.IsDefined("mail", "change_window"), nil
}

// lineOf returns the first line that sets a key, 0 if none does.
func lineOf(data []byte, key string) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		left, _, ok := bytes.Cut(line, []byte("="))
		if ok && string(bytes.Trim(bytes.TrimSpace(left), `"'`)) == key {
			return n
		}
	}
	return 0
}

// Check reports the first mistake.
func (s Settings) Check() error {
	if problem, _, way := s.wrong(); problem != "" {
		return &Error{Path: "game.toml", Problem: problem, Way: way, Err: ErrSettings}
	}
	for _, c := range s.Captains { // not in wrong: an existing game keeps its names
		if problem := engine.PersonName(string(c.Name)); problem != "" {
			return &Error{Path: "game.toml", Problem: fmt.Sprintf("captain %+q: %s", c.Name, problem), Way: "use letters and digits, with spaces and - . ' , & ( ) between them", Err: ErrSettings}
		}
	}
	return nil
}

// wrong returns the first mistake, its key, and how to correct it.
func (s Settings) wrong() (problem, key, way string) {
	switch {
	case s.Format != Format:
		return fmt.Sprintf("format %d is not known", s.Format), "format", fmt.Sprintf("this program reads format %d", Format)
	case !oneWord(s.ID):
		return fmt.Sprintf("id %q is not a valid word", s.ID), "id", "use at most 40 letters, digits and hyphens"
	case !engine.NameLine(s.Title):
		return fmt.Sprintf("title = %q cannot be a game's title", s.Title), "title", "write one line without < and >"
	case s.Rules == "":
		return "the rule set is missing", "rules", ""
	case s.Cadence != "" && !slices.Contains(Cadences(), s.Cadence):
		return fmt.Sprintf("cadence = %q is not known", s.Cadence), "cadence", "one of: " + strings.Join(Cadences(), ", ")
	case (s.Mail.Stretch != 0 || s.Mail.StretchAlways) && s.Cadence != CadenceBreak:
		return fmt.Sprintf("stretch is only for games with cadence %q", CadenceBreak), "stretch", "leave stretch and stretch_always out"
	case s.Mail.Stretch < 0 || s.Mail.Stretch > maxStretch:
		return fmt.Sprintf("stretch = %d is not a valid number of phases", s.Mail.Stretch), "stretch", fmt.Sprintf("1 to %d", maxStretch)
	case !slices.Contains([]string{"", OriginPractice, OriginMail}, s.Origin):
		return fmt.Sprintf("origin = %q is not known", s.Origin), "origin", fmt.Sprintf("%q, %q, or leave it out", OriginPractice, OriginMail)
	case len(s.SecretSHA256) != 64:
		return "secret_sha256 is not 64 hexadecimal digits", "secret_sha256", "restore game.toml from a backup"
	case !slices.Contains(Policies(), s.Mail.Missing):
		return fmt.Sprintf("missing = %q is not known", s.Mail.Missing), "missing", "one of: " + strings.Join(Policies(), ", ")
	}
	if !slices.Contains(talks(), s.Mail.Messages) {
		return fmt.Sprintf("messages = %q is not known", s.Mail.Messages), "messages", "one of: " + strings.Join(talks(), ", ")
	}
	if !slices.Contains([]string{"", PressOpen, PressAll}, s.Mail.Press) {
		return fmt.Sprintf("press = %q is not known", s.Mail.Press), "press", fmt.Sprintf("%q, %q, or leave it out", PressOpen, PressAll)
	}
	if problem, way := s.Mail.MissedRule().wrong(); problem != "" {
		return problem, "missed", way
	}
	if s.Mail.Reliable < 0 || s.Mail.Reliable > 100 {
		return fmt.Sprintf("reliable = %d is not a percentage", s.Mail.Reliable), "reliable", "use 1 to 100, or leave it out to let everyone join"
	}
	if _, err := s.Mail.observerRule(); err != nil {
		return err.Error(), "observers", `use "public", "none", or "delay" with a number of turns, such as "delay 2"`
	}
	if problem, key, way := s.Mail.startWrong(); problem != "" {
		return problem, key, way
	}
	sch, err := s.Schedule()
	if bad, ok := errors.AsType[*clock.CalendarError](err); ok {
		return bad.Problem, bad.Key, bad.Way
	}
	if err != nil {
		return err.Error(), "zone", `use for example "UTC" or "Europe/Berlin"`
	}
	if s.Mail.Council < 0 || s.Mail.Council > 0 && s.Mail.Council >= sch.Every {
		return fmt.Sprintf("council = %q is not shorter than the time for a turn, %s", s.Mail.Council, sch.Every), "council", `use for example "12h"; use "0s" to have all orders due at the same time`
	}
	if err := sch.Validate(); err != nil {
		return err.Error(), "deadline", ""
	}
	if len(s.Captains) == 0 {
		return "the game has no captains", "captain", "restore game.toml from a backup"
	}
	names, ships := map[string]bool{}, map[string]engine.CaptainName{}
	for _, c := range s.Captains {
		name := string(c.Name)
		switch {
		case strings.TrimSpace(name) == "" || strings.ContainsAny(name, "/\\") || !engine.NameLine(name):
			return fmt.Sprintf("captain %q has no valid name", c.Name), "name", ""
		case names[strings.ToLower(name)]:
			return fmt.Sprintf("two captains are named %q", c.Name), "name", "give them different names, or give one captain both ships"
		case len(c.SetNames()) == 0:
			return fmt.Sprintf("captain %s has no ships", c.Name), "ships", ""
		}
		for _, post := range c.Posts {
			if at := strings.LastIndexByte(post, '.'); at < 1 || at == len(post)-1 {
				return fmt.Sprintf("captain %s: %q is not a post", c.Name, post), "posts", "write ship and post, such as Hood.engineer"
			}
		}
		names[strings.ToLower(name)] = true
		for _, sh := range c.SetNames() {
			if other := ships[strings.ToLower(sh)]; other != "" {
				return fmt.Sprintf("ship %s has two captains, %s and %s", sh, other, c.Name), "ships", ""
			}
			ships[strings.ToLower(sh)] = c.Name
		}
		if c.Player != "" {
			if problem := journal.ProperName(c.Player); problem != "" {
				return fmt.Sprintf("captain %s: player = %q cannot be a person's name: %s", c.Name, c.Player, problem), "player", "use letters and digits, with spaces and - . ' between them"
			}
		}
		if c.PGP != "" && !keyPath(c.PGP) {
			return fmt.Sprintf("captain %s: %q is not a file in the game directory", c.Name, c.PGP), "pgp", "put the key there, and name it for example keys/ann.asc"
		}
		for _, a := range c.Addresses() {
			if !journal.IsAddress(a) {
				return fmt.Sprintf("captain %s: %q is not a mail address", c.Name, a), "address", "write it as kirk@example.org"
			}
		}
	}
	if problem, key, way := s.diceWrong(); problem != "" {
		return problem, key, way
	}
	if problem, key, way := s.refereesWrong(); problem != "" {
		return problem, key, way
	}
	if s.Mail.Robot != "" && !journal.IsAddress(s.Mail.Robot) {
		return fmt.Sprintf("robot: %q is not a mail address", s.Mail.Robot), "robot", "write it as starpost@example.org"
	}
	return "", "", ""
}

func oneWord(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || r != '-') {
			return false
		}
	}
	return true
}

// thens lists the possible actions on a captain who misses turns.
func thens() []string { return []string{ThenAsk, ThenPause, ThenRobot, ThenReplace, ThenForfeit} }

// maxMissed limits Missed.Turns.
const maxMissed = 1000

// wrong returns the first mistake, and how to correct it.
func (m MissedTurnsRule) wrong() (problem, way string) {
	switch {
	case m.Turns < 0 || m.Turns > maxMissed:
		return fmt.Sprintf("missed: turns = %d is out of range", m.Turns), fmt.Sprintf("use 0 (do nothing) to %d", maxMissed)
	case !slices.Contains(thens(), m.Then):
		return fmt.Sprintf("missed: then = %q is not known", m.Then), "one of: " + strings.Join(thens(), ", ")
	}
	return "", ""
}

// onto applies the calendar to a schedule. The error is a *clock.CalendarError.
func (c Calendar) onto(s *clock.Schedule) (err error) {
	if s.Calendar, err = clock.NewCalendar(c.Weekends, c.Holidays, c.Dates); err != nil {
		return err
	}
	if s.At, err = clock.ParseTimeOfDay(c.DeadlineAt); err != nil {
		return &clock.CalendarError{Key: "deadline_at", Problem: err.Error(), Way: `leave it out, or write it as deadline_at = "20:00"`}
	}
	if s.Weekly, err = clock.ParseWeekly(c.Schedule); err != nil {
		return err
	}
	if !s.Weekly.IsZero() {
		if !s.At.IsZero() {
			return &clock.CalendarError{Key: "schedule", Problem: "schedule and deadline_at are both set", Way: "remove deadline_at: schedule gives the hours"}
		}
		s.Every = s.Weekly.Gap()
	}
	if c.AwayMax < 0 {
		return &clock.CalendarError{Key: "away_max", Problem: "away_max is negative", Way: `use for example "14d", or "0s" for none`}
	}
	s.AwayMax = c.AwayMax
	return nil
}
