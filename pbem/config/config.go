package config

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
	"starpost/pbem/transport"
)

// How a connection is protected.
const (
	TLSImplicit = transport.TLSImplicit
	TLSStart    = transport.TLSStart
	TLSNone     = transport.TLSNone
)

// What strangers get.
const (
	StrangersAnswer = "answer" // one bounded answer a day
	StrangersIgnore = "ignore" // nothing
)

// How the log is written.
const (
	LogText = "text"
	LogJSON = "json"
)

// Config is a whole and valid configuration. Paths are absolute.
type Config struct {
	File     string   // where it came from
	Warnings []string // what is allowed but unwise

	Address        string // the robot's own mail address, without a plus tag
	Name           string // its display name
	Referee        string // who is told of trouble with a game; or ""
	State          string // directory of ledger and spool
	Games          []string
	Poll           clock.Span // from one look into the mailbox to the next
	ChangeWindow   clock.Span // for games that set none
	Strangers      string
	AnswersPerHour int // to one sender
	// StrangersPerDay is how many answers strangers get, all together, in a day.
	StrangersPerDay int
	KeepRaw         clock.Span // how long mails are kept as they came; 0 for ever
	// NoPlus tells that the mail server delivers no plus addresses (plus =
	// false): mails then ask for answers to the plain address.
	NoPlus bool

	IMAP IMAP
	SMTP Server
	More []Mailbox // the mailboxes after the first; see Mailboxes

	Trust Trust
	Guard Guard

	Metrics Metrics
	Log     Log
}

// Server is one server and how to log in there.
type Server struct {
	Host         string
	Port         int
	TLS          string     // TLSImplicit, TLSStart or TLSNone
	CAFile       string     // certificates to trust instead of the system's; or ""
	Timeout      clock.Span // longest silence of the server
	User         string     // "" for no login
	Auth         string     // transport.Password, transport.XOAuth2 or transport.OAuthBearer; "" is the first
	PasswordFile string
	PasswordEnv  string
	Password     Secret

	// Where the access token of the other two comes from: one of these.
	TokenCommand []string // is run without a shell; its first line is the token
	TokenFile    string   // read again at each login
	TokenEnv     string
	Token        Secret // of TokenEnv
	OAuth        *OAuth
}

// IMAP is the server of the robot's mailbox.
type IMAP struct {
	Server
	Inbox   string // the mailbox that is read
	Folders string // below it lie Done, Refused and Ignored
}

// Log says what is logged and how.
type Log struct {
	Level  slog.Level
	Format string // LogText or LogJSON
}

// maxFile bounds a configuration: it is written by hand.
const maxFile = 64 << 10

// Load reads the configuration in the file path and the passwords it points
// at. An error is Problems unless the file itself could not be read.
func Load(path string) (*Config, error) { return LoadWith(path, os.LookupEnv) }

// LoadWith is Load with another environment.
func LoadWith(path string, env func(string) (string, bool)) (*Config, error) {
	c, places, err := read(path)
	if err != nil {
		return nil, err
	}
	var found Problems
	for _, s := range c.servers(places) {
		found = append(found, c.secrets(s.path, s.server, places, env)...)
	}
	if len(found) > 0 {
		return nil, found
	}
	return c, nil
}

// LoadWithoutSecrets is Load for who logs in nowhere: passwords and tokens are left out and
// need not be there.
func LoadWithoutSecrets(path string) (*Config, error) {
	c, _, err := read(path)
	return c, err
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

// Parse reads a configuration from text without touching any file or variable
// that it names: every Password is empty. file names the text in problems, dir
// is what relative paths are relative to. An error is Problems.
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
