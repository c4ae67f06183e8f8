package vault

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // game.toml may name a zone on a machine without its own table

	"github.com/BurntSushi/toml"

	"starpost/engine"
	"starpost/engine/bounded"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/vault/journal"
)

// Format is the version of game.toml and manifest.json.
const Format = 1

// Policies for missing orders (ruling D12), as game.toml and --missing have
// them.
const (
	PolicyHold     = "hold"     // the turn waits
	PolicyStanding = "standing" // standing orders serve
	PolicyRobot    = "robot"    // the rule set's robot writes the orders
	PolicyForfeit  = "forfeit"  // the ship surrenders
)

// Policies lists the policies.
func Policies() []string { return []string{PolicyHold, PolicyStanding, PolicyRobot, PolicyForfeit} }

// Whom captains may write to through the robot, as game.toml has it.
const (
	TalkOpen = "open" // anybody
	TalkSide = "side" // those of their own side
	TalkNone = "none" // no one
)

// Which messages between captains are published when the game is over, as game.toml has it.
const (
	PressOpen = "open" // those to all
	PressAll  = "all"  // what was written to some of them too
)

// What a game was made by mail for, as game.toml has it.
const (
	OriginPractice = "practice" // for one person against robots
	OriginMail     = "mail"     // for all who join
)

// talks lists these settings.
func talks() []string { return []string{TalkOpen, TalkSide, TalkNone} }

// Catalogue holds the rule sets of the program by name. Files are a game's own
// tables by path below the game directory ("ships/raider.toml"); nil for none.
type Catalogue map[string]func(files map[string][]byte) (*engine.Rules, error)

// CatalogueOf is the rule sets of families by name.
func CatalogueOf(families ...family.Family) Catalogue {
	all := Catalogue{}
	for _, f := range families {
		for _, s := range f.Sets {
			all[s.Name] = s.Rules
		}
	}
	return all
}

// Rules makes a rule set of the catalogue; an unknown name is an error with
// the nearest known one.
func (c Catalogue) Rules(name string, files map[string][]byte) (*engine.Rules, error) {
	known := slices.Sorted(maps.Keys(c))
	build, ok := c[name]
	if !ok {
		way := "this program knows " + strings.Join(known, ", ")
		if near := orders.Suggest(name, known); near != "" {
			way = fmt.Sprintf("did you mean %q? %s", near, way)
		}
		return nil, &Error{Path: "rules", Problem: fmt.Sprintf("unknown rule set %q", name), Way: way + "; a game of another set goes on with a starpost that has it", Err: ErrSettings}
	}
	r, err := build(files)
	if err != nil {
		return nil, fmt.Errorf("rule set %s: %w", name, err)
	}
	return r, nil
}

// Settings is game.toml.
type Settings struct {
	Format       int            `toml:"format"`
	ID           string         `toml:"id"`    // as orders call the game: one word
	Title        string         `toml:"title"` //
	Rules        string         `toml:"rules"`
	Version      string         `toml:"version"` // of the rule set, frozen
	SecretSHA256 string         `toml:"secret_sha256"`
	Cadence      string         `toml:"cadence,omitempty"` // what one exchange of mails resolves, see Cadences; "" is a turn
	Origin       string         `toml:"origin,omitempty"`  // OriginPractice or OriginMail where the game was made by mail
	Seed         *uint64        `toml:"seed,omitempty"`    // the secret was derived from it: tests and demonstrations only
	Dice         string         `toml:"dice,omitempty"`    // DiceOwn or DiceBeacon; "" is DiceOwn
	Beacon       BeaconSettings `toml:"beacon,omitempty"`
	Mail         MailSettings   `toml:"mail"`
	Captains     []Captain      `toml:"captain"`
	Referees     []Referee      `toml:"referee,omitempty"`
}

// defaultStretch is the Stretch of games that do not say.
const defaultStretch = 9

const maxStretch = 99

// InRounds tells that each exchange of mails resolves phases of a turn.
func (s Settings) InRounds() bool { return s.Cadence == CadencePhase || s.Cadence == CadenceBreak }

// MostRounds is how many rounds at most are played without asking; see Stretch.
func (m MailSettings) MostRounds() int { return cmp.Or(m.Stretch, defaultStretch) }

// location is the time zone of the game: that of the schedule, if it names one.
func (m MailSettings) location() (*time.Location, error) {
	if week, err := clock.ParseWeekly(m.Schedule); err == nil && week.Zone() != nil {
		return week.Zone(), nil
	}
	zone, err := time.LoadLocation(m.Zone)
	if err != nil {
		return nil, fmt.Errorf("zone %q: %w", m.Zone, err)
	}
	return zone, nil
}

// Pace is how often orders are due, as a clause: "a turn in 72h", "a phase by Tue Fri 20:00 Europe/Berlin".
func (s Settings) Pace() string {
	unit := "turn"
	if s.InRounds() {
		unit = "phase"
	}
	if s.Mail.Schedule != "" {
		return fmt.Sprintf("a %s by %s", unit, s.Mail.Schedule)
	}
	return fmt.Sprintf("a %s in %s", unit, s.Mail.Deadline)
}

// MailSettings is how a game is run by mail.
type MailSettings struct {
	Robot        string       `toml:"robot"`         // address that the mails come from
	Deadline     clock.Span   `toml:"deadline"`      // from one turn to the next
	ChangeWindow clock.Span   `toml:"change_window"` // quiet time before an early turn
	Missing      string       `toml:"missing"`       // policy, see Policies
	Grace        clock.Span   `toml:"grace"`
	Remind       []clock.Span `toml:"remind"`
	ShowMissing  bool         `toml:"show_missing"`     // captains are told whose orders are missing
	Zone         string       `toml:"zone"`             // time zone of deadlines, "UTC" or as "Europe/Berlin"
	Open         bool         `toml:"open"`             // anybody may join a seat that no one holds
	Messages     string       `toml:"messages"`         // whom captains may write to through the robot, see talks
	Press        string       `toml:"press,omitempty"`  // which messages are published at the end: PressOpen, PressAll, "" for none
	DisputesWait bool         `toml:"disputes_wait"`    // the time of a turn stands still while a dispute is open
	Council      clock.Span   `toml:"council,omitzero"` // how much earlier the posts of engine.Rules.Council are due; 0: with the others
	// Stretch is how many phases at most are played without asking, of a game of the cadence
	// break; 0 is defaultStretch. With StretchAlways it is always so many.
	Stretch       int             `toml:"stretch,omitzero"`
	StretchAlways bool            `toml:"stretch_always,omitempty"`
	Teach         bool            `toml:"teach,omitempty"`     // the first report offers a teacher's orders, with remarks
	Replay        bool            `toml:"replay,omitempty"`    // the last report brings the battle as a page to watch
	Missed        MissedTurnsRule `toml:"missed,omitempty"`    // captains who send no orders for turns in a row; see MissedRule
	Start         string          `toml:"start,omitempty"`     // when the clock begins to run, see StartRule; "" is StartNow
	Fill          string          `toml:"fill,omitempty"`      // what becomes of seats that are free on the date of Start, see fills; "" is FillRobot
	Reliable      int             `toml:"reliable,omitzero"`   // percent: only captains at least so reliable may join, see rating.Conduct; 0: all
	Anonymous     bool            `toml:"anonymous,omitempty"` // what the players are called is told at the end, see Person
	Observers     string          `toml:"observers,omitempty"` // who may watch, see observerRule; "" for no one by mail
	Calendar
}

// Captain is a player.
type Captain struct {
	Name    engine.CaptainName `toml:"name"`
	Address string             `toml:"address"`        // reports go here; "" for a captain without mail
	Also    []string           `toml:"also,omitempty"` // further addresses that he may write from
	Ships   []string           `toml:"ships"`          // names
	// Posts are what he holds on ships of other captains, as their order sets are
	// called: "Hood.engineer".
	Posts []string `toml:"posts,omitempty"`
	// PGP is the file with his OpenPGP public key, a path below the game directory
	// with slashes ("keys/ann.asc"); "" for none. See [Game.PublicKey].
	PGP string `toml:"pgp,omitempty"`
	// Player is what the person calls himself who holds the seat; "" for nothing. Name is that of the
	// officer whom he plays. See [Settings.Person].
	Player string `toml:"player,omitempty"`
	// Zone is the time zone in which he is told times beside the game's, which he chose; "" for none.
	Zone string `toml:"-"`
	// Robot has a robot hold a seat without an address until someone joins it or is given it.
	Robot bool `toml:"robot,omitempty"`
	// Offered tells that anybody may join the seat, which no one holds, though the
	// game is not open. The journal says so, not game.toml.
	Offered bool `toml:"-"`
	// StandIns give his orders while he is away. The journal has them, too.
	StandIns []StandIn `toml:"-"`
}

// Addresses are all addresses that the captain may write from.
func (c Captain) Addresses() []string {
	if c.Address == "" {
		return c.Also
	}
	return append([]string{c.Address}, c.Also...)
}

// SetNames are how the order sets for his seats are called: "Hood", "Hood.engineer".
func (c Captain) SetNames() []string { return slices.Concat(c.Ships, c.Posts) }

// Seat is the first of his seats, as its order set is called.
func (c Captain) Seat() string { return c.SetNames()[0] }

// Ship is the name of the first ship that he is on.
func (c Captain) Ship() string {
	if len(c.Ships) > 0 {
		return c.Ships[0]
	}
	return c.Posts[0][:strings.LastIndexByte(c.Posts[0], '.')]
}

// Titled is he in a sentence about his seat: "captain Kirk", "Sulu, helm of Hood".
func (c Captain) Titled() string {
	if len(c.Ships) > 0 {
		return "captain " + string(c.Name)
	}
	var posts []string
	for _, post := range c.Posts {
		at := strings.LastIndexByte(post, '.')
		posts = append(posts, post[at+1:]+" of "+post[:at])
	}
	if seat := strings.Join(posts, " and "); seat != string(c.Name) {
		return string(c.Name) + ", " + seat
	}
	return string(c.Name)
}

// Joinable tells whether anybody may join a captain's seat.
func (s Settings) Joinable(c Captain) bool { return c.Address == "" && (s.Mail.Open || c.Offered) }

// DefaultMail is what `starpost new` writes where nothing else is said.
func DefaultMail() MailSettings {
	return MailSettings{
		Robot: "starpost@localhost", Deadline: 3 * clock.Day, ChangeWindow: clock.DefaultChangeWindow,
		Missing: PolicyStanding, Grace: clock.Span(12 * time.Hour), Remind: []clock.Span{clock.Day, clock.Span(4 * time.Hour)},
		ShowMissing: true, Zone: "UTC", Messages: TalkOpen, Calendar: Calendar{Weekends: clock.WeekendsCount, AwayMax: 14 * clock.Day},
	}
}

// Schedule is the game's rhythm; grace and reminders fit the turns, see [clock.Fit].
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

// Captain finds a captain by name, upper and lower case alike.
func (s Settings) Captain(name engine.CaptainName) (Captain, bool) {
	return s.captain(func(c Captain) bool { return c.Name.Is(name) })
}

// CaptainOf finds whose an order set is by its name: that of a ship (her id will do), of a post,
// or "@" and a captain's name as one word.
func (s Settings) CaptainOf(set string) (Captain, bool) {
	return s.captain(func(c Captain) bool {
		return strings.EqualFold(set, "@"+c.Name.Word()) || slices.ContainsFunc(c.SetNames(), func(n string) bool { return strings.EqualFold(n, set) })
	})
}

// captain is the first captain of whom that holds.
func (s Settings) captain(holds func(Captain) bool) (Captain, bool) {
	if i := slices.IndexFunc(s.Captains, holds); i >= 0 {
		return s.Captains[i], true
	}
	return Captain{}, false
}

// Encode writes game.toml.
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

// maxSettings bounds game.toml.
const maxSettings = 1 << 20

// ParseSettings reads game.toml strictly; path is for messages only.
func ParseSettings(data []byte, path string) (Settings, error) {
	s, _, err := parseSettings(data, path)
	return s, err
}

// parseSettings is ParseSettings, and tells whether the file has a change window of its
// own.
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
		for i := len(key) - 1; i >= 0 && line == 0; i-- { // of a table in a line the table's
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

// lineOf is the first line that sets a key, 0 if none does.
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

// Check reports the first thing that cannot be.
func (s Settings) Check() error {
	if problem, _, way := s.wrong(); problem != "" {
		return &Error{Path: "game.toml", Problem: problem, Way: way, Err: ErrSettings}
	}
	for _, c := range s.Captains { // a game that is there goes on by its names
		if problem := engine.PersonName(string(c.Name)); problem != "" {
			return &Error{Path: "game.toml", Problem: fmt.Sprintf("captain %+q: %s", c.Name, problem), Way: "letters, digits, spaces, and - . ' , & ( ) between", Err: ErrSettings}
		}
	}
	return nil
}

// wrong finds the first thing that cannot be, the key it stands under, and the way out.
func (s Settings) wrong() (problem, key, way string) {
	switch {
	case s.Format != Format:
		return fmt.Sprintf("format %d is not known", s.Format), "format", fmt.Sprintf("this program reads format %d", Format)
	case !oneWord(s.ID):
		return fmt.Sprintf("id %q is not one word", s.ID), "id", "letters, digits and hyphens, at most 40"
	case !engine.NameLine(s.Title):
		return fmt.Sprintf("title = %q cannot be the title of a game", s.Title), "title", "one line, without < and >"
	case s.Rules == "":
		return "no rule set is named", "rules", ""
	case s.Cadence != "" && !slices.Contains(Cadences(), s.Cadence):
		return fmt.Sprintf("cadence = %q is not known", s.Cadence), "cadence", "one of: " + strings.Join(Cadences(), ", ")
	case (s.Mail.Stretch != 0 || s.Mail.StretchAlways) && s.Cadence != CadenceBreak:
		return fmt.Sprintf("stretch is for games of the cadence %q", CadenceBreak), "stretch", "leave stretch and stretch_always out"
	case s.Mail.Stretch < 0 || s.Mail.Stretch > maxStretch:
		return fmt.Sprintf("stretch = %d is no number of phases that can be played without asking", s.Mail.Stretch), "stretch", fmt.Sprintf("1 to %d", maxStretch)
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
		return fmt.Sprintf("reliable = %d is no share of a hundred", s.Mail.Reliable), "reliable", "1 to 100, or leave it out: all may join"
	}
	if _, err := s.Mail.observerRule(); err != nil {
		return err.Error(), "observers", `"public", "none", or "delay" with a number of turns, such as "delay 2"`
	}
	if problem, key, way := s.Mail.startWrong(); problem != "" {
		return problem, key, way
	}
	sch, err := s.Schedule()
	if bad, ok := errors.AsType[*clock.CalendarError](err); ok {
		return bad.Problem, bad.Key, bad.Way
	}
	if err != nil {
		return err.Error(), "zone", `such as "UTC" or "Europe/Berlin"`
	}
	if s.Mail.Council < 0 || s.Mail.Council > 0 && s.Mail.Council >= sch.Every {
		return fmt.Sprintf("council = %q is no part of the time for a turn, %s", s.Mail.Council, sch.Every), "council", `such as "12h"; "0s" or none: all orders are due at once`
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
			return fmt.Sprintf("captain %q has no proper name", c.Name), "name", ""
		case names[strings.ToLower(name)]:
			return fmt.Sprintf("two captains are called %q", c.Name), "name", "name them apart, or give one captain both ships"
		case len(c.SetNames()) == 0:
			return fmt.Sprintf("captain %s has no ships", c.Name), "ships", ""
		}
		for _, post := range c.Posts {
			if at := strings.LastIndexByte(post, '.'); at < 1 || at == len(post)-1 {
				return fmt.Sprintf("captain %s: %q is not a post", c.Name, post), "posts", "ship and post, such as Hood.engineer"
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
				return fmt.Sprintf("captain %s: player = %q cannot be the name of a person: %s", c.Name, c.Player, problem), "player", "letters, digits and spaces, and - . ' between"
			}
		}
		if c.PGP != "" && !keyPath(c.PGP) {
			return fmt.Sprintf("captain %s: %q is not a file in the game directory", c.Name, c.PGP), "pgp", "put the key there and name it such as keys/ann.asc"
		}
		for _, a := range c.Addresses() {
			if !journal.IsAddress(a) {
				return fmt.Sprintf("captain %s: %q is not a mail address", c.Name, a), "address", "such as kirk@example.org"
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
		return fmt.Sprintf("robot: %q is not a mail address", s.Mail.Robot), "robot", "such as starpost@example.org"
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
