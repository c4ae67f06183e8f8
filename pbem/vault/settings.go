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
	// with slashes ("keys/ann.asc"); "" for none. See [PublicKey].
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

// MissedTurnsRule says what is done about a captain who has sent no orders for some turns in a
// row, while the policy for missing orders had the game go on.
type MissedTurnsRule struct {
	Turns int    `toml:"turns"` // in a row; 0: nothing is ever done
	Then  string `toml:"then"`  // see thens
}

// complete fills in what a rule that is given leaves out.
func (m *MissedTurnsRule) complete(turns bool) {
	if !turns {
		m.Turns = missedTurns
	}
	m.Then = cmp.Or(m.Then, ThenAsk)
}

// MissedRule is the rule on missed turns that holds: the zero value of Missed is that
// of a game that says nothing, whose referee is asked after two turns.
func (m MailSettings) MissedRule() MissedTurnsRule {
	if m.Missed == (MissedTurnsRule{}) {
		m.Missed.complete(false)
	}
	return m.Missed
}

// missedTurns is after how many turns something is done where a game says nothing else.
const missedTurns = 2

// Calendar is which days and hours the deadlines of a game keep to, as [mail] of
// game.toml has it.
type Calendar struct {
	Weekends   string     `toml:"weekends"`                 // count, move or skip
	Holidays   []string   `toml:"holidays,omitempty"`       // countries whose holidays are days off, "DE"
	Dates      []string   `toml:"holidays_dates,omitempty"` // further days off, "2026-12-24" or "2026-12-24..2027-01-01"
	DeadlineAt string     `toml:"deadline_at,omitempty"`    // the hour of all deadlines, "20:00"
	Schedule   string     `toml:"schedule,omitempty"`       // the moments of the week at which deadlines are, "Tue Fri 20:00 Europe/Berlin", in place of deadline and deadline_at
	AwayMax    clock.Span `toml:"away_max"`                 // how much absences may add to a turn; "0s": they are not regarded
}

// Referee is a person who may rule on a game.
type Referee struct {
	Name    string `toml:"name"`
	Address string `toml:"address"` // he may write from there, and is written to
	// PGP is the file with his OpenPGP public key, as a captain's.
	PGP string `toml:"pgp,omitempty"`
	// Plays is the captain of the game that he is too; "" for none. All captains
	// are told, also of each look at what his side may not know.
	Plays engine.CaptainName `toml:"plays,omitempty"`
}

// StandIn is the address of a person who gives the orders of a captain from one moment up to another.
type StandIn struct {
	Address  string
	From, To time.Time
}

// BeaconSettings is [beacon] of game.toml. It is fixed when the game is made.
type BeaconSettings struct {
	Chain   string     `toml:"chain,omitempty" json:"chain,omitempty"`     // its hash; "" is that of drand's quicknet
	Key     string     `toml:"key,omitempty" json:"key,omitempty"`         // of a chain that the program does not know: its public key, 192 hexadecimal digits
	Genesis int64      `toml:"genesis,omitzero" json:"genesis,omitempty"`  // ... when its round 1 was, in seconds of Unix time
	Period  int64      `toml:"period,omitzero" json:"period,omitempty"`    // ... and the seconds from one round to the next
	Wait    clock.Span `toml:"wait,omitzero" json:"wait,omitempty"`        // from the closing to the round whose dice count, at least; 0 is defaultWait
	Else    string     `toml:"else,omitempty" json:"else,omitempty"`       // ElseHold or ElseOwn; "" is ElseHold
	After   clock.Span `toml:"else_after,omitzero" json:"after,omitempty"` // with ElseOwn, how long the beacon is waited for; 0 is defaultAfter
}

// Cadences, as game.toml has them: what one exchange of mails resolves.
const (
	CadenceTurn  = "turn"  // a whole turn
	CadencePhase = "phase" // a phase of it
	CadenceBreak = "break" // phases, until something happens that a captain wants to be asked at
)

// Cadences lists the cadences.
func Cadences() []string { return []string{CadenceTurn, CadencePhase, CadenceBreak} }

// What may be done then.
const (
	ThenAsk     = "ask"     // the next turn without orders of his waits for the referee
	ThenPause   = "pause"   // the game is paused at once, after each such turn
	ThenRobot   = "robot"   // a robot gives the orders, and no one waits for him, until he writes again
	ThenReplace = "replace" // he loses his seat, and anybody may join it
	ThenForfeit = "forfeit" // when the time of the next turn is up without orders of his, his ships surrender
)

// maxOption bounds the text of one key.
const maxOption = 4 << 10
