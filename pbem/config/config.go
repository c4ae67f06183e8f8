package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
	"starpost/pbem/transport"
	"starpost/templates"
)

// How a connection is protected.
const (
	TLSImplicit = transport.TLSImplicit
	TLSStart    = transport.TLSStart
	TLSNone     = transport.TLSNone
)

// How strangers are answered.
const (
	StrangersAnswer = "answer" // one bounded answer a day
	StrangersIgnore = "ignore" // nothing
)

// How the log is written.
const (
	LogText = "text"
	LogJSON = "json"
)

// Config is a complete and valid configuration, in the order of the example. Paths are absolute.
type Config struct {
	File     string   `toml:"-"` // the file it was read from
	Warnings []string `toml:"-"` // about what is allowed but unwise

	Address      string     `toml:"address"`           // the robot's own mail address, without a plus tag
	Name         string     `toml:"name"`              // its display name
	Referee      string     `toml:"referee,omitempty"` // gets notices about trouble with games; or ""
	State        string     `toml:"state"`             // directory for the daemon's records
	Games        []string   `toml:"games"`
	Poll         clock.Span `toml:"poll"`          // interval between reads of the mailbox
	ChangeWindow clock.Span `toml:"change_window"` // for games that set none
	Strangers    string     `toml:"strangers"`
	Limits
	KeepRaw clock.Span `toml:"keep_raw,omitzero"` // how long raw mails are kept; 0 for ever
	// Plus means that the mail server delivers plus addresses. Without it, mails ask for replies to the
	// plain address.
	Plus bool `toml:"plus"`

	IMAP *IMAP     `toml:"imap,omitempty"` // nil if mails are only handed over
	LMTP *LMTP     `toml:"lmtp,omitempty"`
	SMTP Server    `toml:"smtp"`
	DKIM *DKIM     `toml:"dkim,omitempty"`    // nil if mails are not signed here
	More []Mailbox `toml:"mailbox,omitempty"` // the mailboxes after the first; see Mailboxes

	Mail Mail `toml:"mail"`
	Public
	// Club makes the mailbox at the top a club's; nil if it is the host's own.
	Club *Club `toml:"club,omitempty"`
	// Digest is when the host gets a summary of all games; nil for never.
	Digest *Digest `toml:"digest,omitempty"`
	// Beacon has the relays for public dice; nil for none.
	Beacon *Beacon `toml:"beacon,omitempty"`
	// Store is the database for records about mails; nil for a file in State.
	Store *Store `toml:"store,omitempty"`
	// Templates are those of Mail; nil for the built-in ones.
	Templates *templates.Set `json:"-" toml:"-"`

	Trust Trust `toml:"trust"`
	Guard Guard `toml:"guard"`

	Metrics Metrics `toml:"metrics"`
	Log     Log     `toml:"log"`

	club *Club // the club that this configuration is for, see For; nil for the host
}

// Public is what is offered to people in addition to the mails of their games.
type Public struct {
	// Lobby is what people get who are in no game; nil for nothing.
	Lobby *Lobby `toml:"lobby,omitempty"`
	// Site has the pages about the games; nil for none.
	Site *Site `toml:"site,omitempty"`
	// Notify are the webhooks that receive what the pages show.
	Notify []Notify `toml:"notify,omitempty"`
}

// Limits limit how many answers are sent.
type Limits struct {
	AnswersPerHour int `toml:"answers_per_hour"` // to one sender
	// SetAnswersPerHour is how many answers one seat gets to order sets and commands proven to come from
	// its captain. They do not count for AnswersPerHour.
	SetAnswersPerHour int `toml:"set_answers_per_hour"`
	// StrangersPerDay is how many answers all strangers together get in a day. Each hour has its share.
	StrangersPerDay int `toml:"strangers_per_day"`
}

// Server is a server and the login there.
type Server struct {
	Host         string     `toml:"host"`
	Port         int        `toml:"port"`
	TLS          string     `toml:"tls"`               // TLSImplicit, TLSStart or TLSNone
	CAFile       string     `toml:"ca_file,omitempty"` // certificates to trust instead of the system's; or ""
	Timeout      clock.Span `toml:"timeout"`           // longest silence of the server
	User         string     `toml:"user,omitempty"`    // "" for no login
	Auth         string     `toml:"auth,omitempty"`    // transport.Password, transport.XOAuth2 or transport.OAuthBearer; "" without a login
	PasswordFile string     `toml:"password_file,omitempty"`
	PasswordEnv  string     `toml:"password_env,omitempty"`
	Password     Secret     `toml:"-"`

	// The source of the access token for the other two: one of these.
	TokenCommand []string `toml:"token_command,omitempty"` // run without a shell; its first line is the token
	TokenFile    string   `toml:"token_file,omitempty"`    // read again at each login
	TokenEnv     string   `toml:"token_env,omitempty"`
	Token        Secret   `toml:"-"` // of TokenEnv
	OAuth        *OAuth   `toml:"oauth,omitempty"`
}

// IMAP is the server of the robot's mailbox.
type IMAP struct {
	Server
	Inbox   string `toml:"inbox"`   // the mailbox to read
	Folders string `toml:"folders"` // the folder above Done, Refused and Ignored
}

// LMTP is where the mail server hands over mails; nil for nowhere.
type LMTP struct {
	Listen string `toml:"listen,omitempty"` // "unix:/PATH" or an address and port of this machine; "" for starpost deliver only
}

// Mail configures the text of mails.
type Mail struct {
	Templates string `toml:"templates"` // a folder of templates that replace built-in ones; or ""
	Footer    string `toml:"footer"`    // a line below all mails; or ""
}

// Lobby limits what strangers may request.
type Lobby struct {
	AnswersPerDay int      `toml:"answers_per_day"` // to one address
	Create        string   `toml:"create"`          // who may have games created, see creates
	Attached      bool     `toml:"attached"`        // ... from scenarios that they attach
	Offer         []string `toml:"offer,omitempty"` // what people can wait for: "convoy rules=stcs-graduate"
	Practice      int      `toml:"practice"`        // running games against robots that one address may have
	Games         int      `toml:"games"`           // maximum number created by mail
}

// makes reports whether games are created by mail.
func (l *Lobby) makes() bool {
	return l != nil && (l.Create != CreateNobody || len(l.Offer) > 0 || l.Practice > 0)
}

// Who may have games created by mail.
const (
	CreateNobody   = "nobody"
	CreateCaptains = "captains" // people who have played a game to its end
	CreateAnyone   = "anyone"
)

// creates lists the valid values.
func creates() []string { return []string{CreateNobody, CreateCaptains, CreateAnyone} }

// Site configures the pages about the games.
type Site struct {
	Dir string `toml:"dir"`           // the folder that they are written to
	URL string `toml:"url,omitempty"` // the web address of the folder; or ""
}

// SiteURL returns the address of the pages on the web; "" for none.
func (c *Config) SiteURL() string {
	if c.Site == nil {
		return ""
	}
	return c.Site.URL
}

// Beacon lists the relays for rounds of public randomness beacons, for games with public dice.
type Beacon struct {
	Relays []string `toml:"relays"` // "https://api.drand.sh"; all are asked, any one suffices
}

// Digest says when the host gets the summary of all games.
type Digest struct {
	At   string `toml:"at"`   // "07:00", each day
	Zone string `toml:"zone"` // its time zone, such as "UTC" or "Europe/Berlin"
}

// Last returns the last due time at or before now.
func (d *Digest) Last(now time.Time) (time.Time, error) {
	zone, err := time.LoadLocation(d.Zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("zone %q: %w", d.Zone, err)
	}
	at, err := time.Parse("15:04", d.At)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time %q: %w", d.At, err)
	}
	now = now.In(zone)
	last := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), 0, 0, zone)
	if last.After(now) {
		last = time.Date(now.Year(), now.Month(), now.Day()-1, at.Hour(), at.Minute(), 0, 0, zone)
	}
	return last, nil
}

// Log configures the log.
type Log struct {
	Level  Level  `toml:"level"`
	Format string `toml:"format"` // LogText or LogJSON
}

// maxFile limits a configuration, which is written by hand.
const maxFile = 64 << 10

// Load reads the configuration at path, and the passwords and templates that it refers to. An error is
// Problems unless the file itself could not be read.
func Load(path string) (*Config, error) { return loadWith(path, os.LookupEnv) }

// loadWith is Load with a given environment.
func loadWith(path string, env func(string) (string, bool)) (*Config, error) {
	c, places, err := read(path)
	if err != nil {
		return nil, err
	}
	var found Problems
	for _, s := range c.servers(places) {
		found = append(found, c.secrets(s.path, s.server, places, env)...)
	}
	for _, d := range c.dkims(places) {
		found = append(found, c.dkimKey(d.path, d.dkim, places)...)
	}
	found = append(found, c.notifySecrets(c.Notify, nil, places, env)...)
	found = append(found, c.loadClubs(places, env)...)
	found = append(found, c.loadTemplates()...)
	if len(found) > 0 {
		return nil, found
	}
	return c, nil
}

// LoadWithoutSecrets is Load for programs that neither log in nor write mails: passwords, tokens and
// templates are left out and need not exist.
func LoadWithoutSecrets(path string) (*Config, error) {
	c, _, err := read(path)
	return c, err
}

// LoadWithTemplates is LoadWithoutSecrets with the templates.
func LoadWithTemplates(path string) (*Config, error) {
	c, _, err := read(path)
	if err != nil {
		return nil, err
	}
	found := c.loadTemplates()
	for _, m := range c.Mailboxes() {
		found = append(found, m.Club.loadTemplates()...)
	}
	if len(found) > 0 {
		return nil, found
	}
	return c, nil
}

func (c *Config) loadTemplates() (found Problems) {
	c.Templates, found = readTemplates(c.Mail.Templates)
	return found
}

// readTemplates reads a folder of templates; nil for "".
func readTemplates(folder string) (set *templates.Set, found Problems) {
	if folder == "" {
		return nil, nil
	}
	set, wrong := templates.Load(os.DirFS(folder), folder)
	for _, m := range wrong {
		found = append(found, Problem{
			File: m.File, Line: max(m.Line, 1), Col: max(m.Col, 1), Message: m.Message,
			Hint: "see docs/templates.md; to use the built-in template, remove this file",
		})
	}
	return set, found
}

func read(path string) (*Config, bounded.Places, error) {
	text, err := readBounded(path, maxFile)
	if err != nil {
		return nil, nil, fmt.Errorf("read configuration: %w", err)
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, nil, fmt.Errorf("read configuration: %w", err)
	}
	return parse(path, text, dir)
}

// Parse reads a configuration from text without reading the files and variables that it names: every
// Password is empty. file names the text in problems; relative paths are relative to dir. An error is
// Problems.
func Parse(file string, text []byte, dir string) (*Config, error) {
	c, _, err := parse(file, text, dir)
	return c, err
}

var errTooLong = errors.New("the file is too long")

func readBounded(path string, limit int64) (text []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err = io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s: %w (more than %d bytes)", path, errTooLong, limit)
	}
	return text, nil
}

// Effective returns the configuration as the daemon uses it: canonical TOML with every default and
// without any secret. Parse reads it back unchanged.
func (c *Config) Effective() string {
	w := *c
	w.Trust.AuthservIDs = append([]string{}, c.Trust.AuthservIDs...) // written even if there are none
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(w); err != nil {
		// Only texts and numbers, written to memory: an error here is a bug in the type above.
		panic(fmt.Sprintf("config: encode %T: %v", w, err))
	}
	return b.String()
}

// Level is a log level in the notation of the configuration.
type Level struct{ slog.Level }

// MarshalText writes the level in lower case.
func (l Level) MarshalText() ([]byte, error) { return []byte(strings.ToLower(l.String())), nil }
