package vault

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/orders"
	"starpost/pbem/clock"
)

// Format is the version of game.toml and manifest.json.
const Format = 1

// Policies for missing orders (ruling D12), as in game.toml and --missing.
const (
	PolicyHold     = "hold"     // the turn waits
	PolicyStanding = "standing" // standing orders apply
	PolicyRobot    = "robot"    // the rule set's robot writes the orders
	PolicyForfeit  = "forfeit"  // the ship surrenders
)

// Policies lists the policies.
func Policies() []string { return []string{PolicyHold, PolicyStanding, PolicyRobot, PolicyForfeit} }

// Who captains may write to through the robot, as in game.toml.
const (
	TalkOpen = "open" // anyone
	TalkSide = "side" // captains of their own side
	TalkNone = "none" // no one
)

// Which messages between captains are published when the game is over, as in game.toml.
const (
	PressOpen = "open" // messages to all
	PressAll  = "all"  // also messages to some
)

// The purpose of a game made by mail, as in game.toml.
const (
	OriginPractice = "practice" // one person against robots
	OriginMail     = "mail"     // anyone who joins
)

// talks lists these settings.
func talks() []string { return []string{TalkOpen, TalkSide, TalkNone} }

// Catalogue holds the rule sets of the program by name. files are a game's own tables by path below the
// game directory ("ships/raider.toml"); nil for none.
type Catalogue map[string]func(files map[string][]byte) (*engine.Rules, error)

// CatalogueOf returns the rule sets of families by name.
func CatalogueOf(families ...family.Family) Catalogue {
	all := Catalogue{}
	for _, f := range families {
		for _, s := range f.Sets {
			all[s.Name] = s.Rules
		}
	}
	return all
}

// Rules returns a rule set of the catalogue; an unknown name is an error with the nearest known one.
func (c Catalogue) Rules(name string, files map[string][]byte) (*engine.Rules, error) {
	known := slices.Sorted(maps.Keys(c))
	build, ok := c[name]
	if !ok {
		way := "this program knows " + strings.Join(known, ", ")
		if near := orders.Suggest(name, known); near != "" {
			way = fmt.Sprintf("did you mean %q? %s", near, way)
		}
		return nil, &Error{Path: "rules", Problem: fmt.Sprintf("unknown rule set %q", name), Way: way + "; for another set, use a starpost that has it", Err: ErrSettings}
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
	ID           string         `toml:"id"` // the game's name in orders: one word
	Title        string         `toml:"title"`
	Rules        string         `toml:"rules"`
	Version      string         `toml:"version"` // of the rule set, frozen
	SecretSHA256 string         `toml:"secret_sha256"`
	Cadence      string         `toml:"cadence,omitempty"` // what each exchange of mails resolves, see Cadences; "" is a turn
	Origin       string         `toml:"origin,omitempty"`  // OriginPractice or OriginMail if the game was made by mail
	Seed         *uint64        `toml:"seed,omitempty"`    // the secret was derived from it: for tests and demonstrations only
	Dice         string         `toml:"dice,omitempty"`    // DiceOwn or DiceBeacon; "" is DiceOwn
	Beacon       BeaconSettings `toml:"beacon,omitempty"`
	Mail         MailSettings   `toml:"mail"`
	Captains     []Captain      `toml:"captain"`
	Referees     []Referee      `toml:"referee,omitempty"`
}

// defaultStretch is the Stretch of games that set none.
const defaultStretch = 9

const maxStretch = 99

// InRounds reports whether each exchange of mails resolves phases of a turn.
func (s Settings) InRounds() bool { return s.Cadence == CadencePhase || s.Cadence == CadenceBreak }

// MostRounds returns the maximum number of rounds that are played without asking; see Stretch.
func (m MailSettings) MostRounds() int { return cmp.Or(m.Stretch, defaultStretch) }

// location returns the time zone of the game: that of the schedule, if it has one.
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

// Pace says how often orders are due: "a turn in 72h", "a phase by Tue Fri 20:00 Europe/Berlin".
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

// MailSettings says how a game is run by mail.
type MailSettings struct {
	Robot        string       `toml:"robot"`         // sender address of the mails
	Deadline     clock.Span   `toml:"deadline"`      // from one turn to the next
	ChangeWindow clock.Span   `toml:"change_window"` // quiet time before an early turn
	Missing      string       `toml:"missing"`       // policy, see Policies
	Grace        clock.Span   `toml:"grace"`
	Remind       []clock.Span `toml:"remind"`
	ShowMissing  bool         `toml:"show_missing"`     // captains see whose orders are missing
	Zone         string       `toml:"zone"`             // time zone of deadlines, "UTC" or "Europe/Berlin"
	Open         bool         `toml:"open"`             // anybody may join a free seat
	Messages     string       `toml:"messages"`         // who captains may write to through the robot, see talks
	Press        string       `toml:"press,omitempty"`  // messages published at the end: PressOpen, PressAll, "" for none
	DisputesWait bool         `toml:"disputes_wait"`    // the clock of a turn stops while a dispute is open
	Council      clock.Span   `toml:"council,omitzero"` // how much earlier the posts of engine.Rules.Council are due; 0: at the same time
	// Stretch is the maximum number of phases played without asking, in a game with cadence break; 0 is
	// defaultStretch. With StretchAlways it is always that number.
	Stretch       int             `toml:"stretch,omitzero"`
	StretchAlways bool            `toml:"stretch_always,omitempty"`
	Teach         bool            `toml:"teach,omitempty"`     // the first report offers a teacher's orders, with remarks
	Replay        bool            `toml:"replay,omitempty"`    // the last report has the battle as a page to watch
	Missed        MissedTurnsRule `toml:"missed,omitempty"`    // rule for captains who send no orders for several turns in a row; see MissedRule
	Start         string          `toml:"start,omitempty"`     // when the clock starts, see StartRule; "" is StartNow
	Fill          string          `toml:"fill,omitempty"`      // what happens to seats that are free on the date of Start, see fills; "" is FillRobot
	Reliable      int             `toml:"reliable,omitzero"`   // percent: minimum reliability of captains who join, see rating.Conduct; 0: none
	Anonymous     bool            `toml:"anonymous,omitempty"` // the players' names are published at the end, see Person
	Observers     string          `toml:"observers,omitempty"` // who may watch, see observerRule; "" for no one by mail
	Calendar
}

// Captain is a player.
type Captain struct {
	Name    engine.CaptainName `toml:"name"`
	Address string             `toml:"address"`        // recipient of reports; "" for a captain without mail
	Also    []string           `toml:"also,omitempty"` // further addresses that the captain may write from
	Ships   []string           `toml:"ships"`          // names
	// Posts are the captain's posts on ships of other captains, in the form of their order sets:
	// "Hood.engineer".
	Posts []string `toml:"posts,omitempty"`
	// PGP is the file with the captain's OpenPGP public key, a path below the game directory with slashes
	// ("keys/ann.asc"); "" for none. See [PublicKey].
	PGP string `toml:"pgp,omitempty"`
	// Player is the name of the person in the seat; "" for none. Name is that of the officer they play. See
	// [Settings.Person].
	Player string `toml:"player,omitempty"`
	// Zone is the time zone, chosen by the captain, for times in addition to the game's; "" for none.
	Zone string `toml:"-"`
	// Robot makes a robot hold a seat without an address until someone joins it or is given it.
	Robot bool `toml:"robot,omitempty"`
	// Offered means that anybody may join the free seat although the game is not open. The journal says so,
	// not game.toml.
	Offered bool `toml:"-"`
	// StandIns give orders while the captain is away. They are in the journal too.
	StandIns []StandIn `toml:"-"`
}

// Addresses returns all addresses that the captain may write from.
func (c Captain) Addresses() []string {
	if c.Address == "" {
		return c.Also
	}
	return append([]string{c.Address}, c.Also...)
}

// SetNames returns the names of the order sets for the captain's seats: "Hood", "Hood.engineer".
func (c Captain) SetNames() []string { return slices.Concat(c.Ships, c.Posts) }

// Seat returns the first of the captain's seats, as the name of its order set.
func (c Captain) Seat() string { return c.SetNames()[0] }

// Ship returns the name of the first ship that the captain is on.
func (c Captain) Ship() string {
	if len(c.Ships) > 0 {
		return c.Ships[0]
	}
	return c.Posts[0][:strings.LastIndexByte(c.Posts[0], '.')]
}

// Titled names the captain in a sentence with the seat: "captain Kirk", "Sulu, helm of Hood".
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

// Joinable reports whether anybody may join a captain's seat.
func (s Settings) Joinable(c Captain) bool { return c.Address == "" && (s.Mail.Open || c.Offered) }

// DefaultMail returns the settings that `starpost new` writes by default.
func DefaultMail() MailSettings {
	return MailSettings{
		Robot: "starpost@localhost", Deadline: 3 * clock.Day, ChangeWindow: clock.DefaultChangeWindow,
		Missing: PolicyStanding, Grace: clock.Span(12 * time.Hour), Remind: []clock.Span{clock.Day, clock.Span(4 * time.Hour)},
		ShowMissing: true, Zone: "UTC", Messages: TalkOpen, Calendar: Calendar{Weekends: clock.WeekendsCount, AwayMax: 14 * clock.Day},
	}
}

// Captain returns a captain by name, ignoring case.
func (s Settings) Captain(name engine.CaptainName) (Captain, bool) {
	return s.captain(func(c Captain) bool { return c.Name.Is(name) })
}

// CaptainOf returns the captain of an order set by its name: that of a ship (or her ID), of a post, or "@"
// and a captain's name as one word.
func (s Settings) CaptainOf(set string) (Captain, bool) {
	return s.captain(func(c Captain) bool {
		return strings.EqualFold(set, "@"+c.Name.Word()) || slices.ContainsFunc(c.SetNames(), func(n string) bool { return strings.EqualFold(n, set) })
	})
}

// captain returns the first captain for whom holds is true.
func (s Settings) captain(holds func(Captain) bool) (Captain, bool) {
	if i := slices.IndexFunc(s.Captains, holds); i >= 0 {
		return s.Captains[i], true
	}
	return Captain{}, false
}

// MissedTurnsRule says what is done about a captain who has sent no orders for some turns in a row although
// the policy for missing orders let the game continue.
type MissedTurnsRule struct {
	Turns int    `toml:"turns"` // in a row; 0: the rule is off
	Then  string `toml:"then"`  // see thens
}

// complete sets the defaults of a partial rule.
func (m *MissedTurnsRule) complete(turns bool) {
	if !turns {
		m.Turns = missedTurns
	}
	m.Then = cmp.Or(m.Then, ThenAsk)
}

// MissedRule returns the effective rule on missed turns: without a setting, the referee is asked after two
// turns.
func (m MailSettings) MissedRule() MissedTurnsRule {
	if m.Missed == (MissedTurnsRule{}) {
		m.Missed.complete(false)
	}
	return m.Missed
}

// missedTurns is the default of MissedTurnsRule.Turns.
const missedTurns = 2

// Calendar is the days and hours of a game's deadlines, as in [mail] of game.toml.
type Calendar struct {
	Weekends   string     `toml:"weekends"`                 // count, move or skip
	Holidays   []string   `toml:"holidays,omitempty"`       // countries whose holidays are days off, "DE"
	Dates      []string   `toml:"holidays_dates,omitempty"` // further days off, "2026-12-24" or "2026-12-24..2027-01-01"
	DeadlineAt string     `toml:"deadline_at,omitempty"`    // the hour of all deadlines, "20:00"
	Schedule   string     `toml:"schedule,omitempty"`       // weekly deadlines, "Tue Fri 20:00 Europe/Berlin", instead of deadline and deadline_at
	AwayMax    clock.Span `toml:"away_max"`                 // maximum time that absences add to a turn; "0s": absences are ignored
}

// Referee is a person who may rule on a game.
type Referee struct {
	Name    string `toml:"name"`
	Address string `toml:"address"` // the referee writes and gets mail there
	// PGP is the file with the referee's OpenPGP public key, as for a captain.
	PGP string `toml:"pgp,omitempty"`
	// Plays is the referee's captain in the game; "" for none. All captains are told this, and each look at
	// something hidden from that side.
	Plays engine.CaptainName `toml:"plays,omitempty"`
}

// StandIn is the address of a person who gives a captain's orders from From until To.
type StandIn struct {
	Address  string
	From, To time.Time
}

// BeaconSettings is [beacon] of game.toml. It is fixed when the game is made.
type BeaconSettings struct {
	Chain   string     `toml:"chain,omitempty" json:"chain,omitempty"`     // its hash; "" is drand's quicknet
	Key     string     `toml:"key,omitempty" json:"key,omitempty"`         // for an unknown chain: its public key, 192 hexadecimal digits
	Genesis int64      `toml:"genesis,omitzero" json:"genesis,omitempty"`  // ... the time of its round 1, in seconds of Unix time
	Period  int64      `toml:"period,omitzero" json:"period,omitempty"`    // ... and the seconds from one round to the next
	Wait    clock.Span `toml:"wait,omitzero" json:"wait,omitempty"`        // minimum time from the closing to the round that gives the dice; 0 is defaultWait
	Else    string     `toml:"else,omitempty" json:"else,omitempty"`       // ElseHold or ElseOwn; "" is ElseHold
	After   clock.Span `toml:"else_after,omitzero" json:"after,omitempty"` // with ElseOwn, how long to wait for the beacon; 0 is defaultAfter
}

// Cadences, as in game.toml: what each exchange of mails resolves.
const (
	CadenceTurn  = "turn"  // a whole turn
	CadencePhase = "phase" // a phase of it
	CadenceBreak = "break" // phases, until something happens about which a captain wants to be consulted
)

// Cadences lists the cadences.
func Cadences() []string { return []string{CadenceTurn, CadencePhase, CadenceBreak} }

// The actions on missed turns.
const (
	ThenAsk     = "ask"     // the captain's next turn without orders waits for the referee
	ThenPause   = "pause"   // the game is paused immediately, after each such turn
	ThenRobot   = "robot"   // a robot gives the orders without waiting, until the captain writes again
	ThenReplace = "replace" // the captain loses the seat, and anybody may join it
	ThenForfeit = "forfeit" // if the captain sends no orders for the next turn either, their ships surrender
)

// maxOption limits the text of one key.
const maxOption = 4 << 10
