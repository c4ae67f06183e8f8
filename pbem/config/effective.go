package config

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"starpost/pbem/transport"
)

// written is the file form of a configuration, in the order of the example.
type written struct {
	Address        string   `toml:"address"`
	Name           string   `toml:"name"`
	Referee        string   `toml:"referee,omitempty"`
	State          string   `toml:"state"`
	Games          []string `toml:"games"`
	Poll           string   `toml:"poll"`
	ChangeWindow   string   `toml:"change_window"`
	Strangers      string   `toml:"strangers"`
	AnswersPerHour int      `toml:"answers_per_hour"`
	PerDay         int      `toml:"strangers_per_day"`
	KeepRaw        string   `toml:"keep_raw,omitempty"`
	Plus           bool     `toml:"plus"`

	IMAP writtenIMAP      `toml:"imap"`
	SMTP writtenServer    `toml:"smtp"`
	More []writtenMailbox `toml:"mailbox,omitempty"`

	Trust writtenTrust `toml:"trust"`
	Guard writtenGuard `toml:"guard"`

	Metrics writtenMetrics `toml:"metrics"`
	Log     struct {
		Level  string `toml:"level"`
		Format string `toml:"format"`
	} `toml:"log"`
}

type writtenMailbox struct {
	Address string        `toml:"address"`
	Name    string        `toml:"name"`
	Plus    bool          `toml:"plus"`
	IMAP    writtenIMAP   `toml:"imap"`
	SMTP    writtenServer `toml:"smtp"`
}

type writtenIMAP struct {
	writtenServer
	Inbox   string `toml:"inbox"`
	Folders string `toml:"folders"`
}

type writtenServer struct {
	Host         string `toml:"host"`
	Port         int    `toml:"port"`
	TLS          string `toml:"tls"`
	CAFile       string `toml:"ca_file,omitempty"`
	Timeout      string `toml:"timeout"`
	User         string `toml:"user,omitempty"`
	Auth         string `toml:"auth,omitempty"`
	PasswordFile string `toml:"password_file,omitempty"`
	PasswordEnv  string `toml:"password_env,omitempty"`

	TokenCommand []string      `toml:"token_command,omitempty"`
	TokenFile    string        `toml:"token_file,omitempty"`
	TokenEnv     string        `toml:"token_env,omitempty"`
	OAuth        *writtenOAuth `toml:"oauth,omitempty"`
}

type writtenOAuth struct {
	TokenURL         string   `toml:"token_url"`
	ClientID         string   `toml:"client_id"`
	ClientSecretFile string   `toml:"client_secret_file,omitempty"`
	ClientSecretEnv  string   `toml:"client_secret_env,omitempty"`
	RefreshTokenFile string   `toml:"refresh_token_file,omitempty"`
	RefreshTokenEnv  string   `toml:"refresh_token_env,omitempty"`
	Scopes           []string `toml:"scopes,omitempty"`
}

// Effective is the configuration as the daemon uses it: canonical TOML with
// every default and without any secret. Parse reads it back to the same.
func (c *Config) Effective() string {
	var w written
	w.Address, w.Name, w.Referee, w.State, w.Games = c.Address, c.Name, c.Referee, c.State, c.Games
	w.Poll, w.ChangeWindow = c.Poll.String(), c.ChangeWindow.String()
	w.Strangers, w.AnswersPerHour, w.PerDay, w.Plus = c.Strangers, c.AnswersPerHour, c.StrangersPerDay, !c.NoPlus
	if c.KeepRaw > 0 {
		w.KeepRaw = c.KeepRaw.String()
	}
	w.IMAP, w.SMTP = c.IMAP.written(), c.SMTP.written()
	for _, m := range c.More {
		w.More = append(w.More, writtenMailbox{Address: m.Address, Name: m.Name, Plus: !m.NoPlus, IMAP: m.IMAP.written(), SMTP: m.SMTP.written()})
	}
	w.Trust = c.Trust.written()
	w.Guard = c.Guard.written()
	w.Metrics = writtenMetrics(c.Metrics)
	w.Log.Level, w.Log.Format = strings.ToLower(c.Log.Level.String()), c.Log.Format

	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.Indent = ""
	if err := e.Encode(w); err != nil {
		// Texts and numbers only, into memory: an error here is a mistake in
		// the type above.
		panic(fmt.Sprintf("config: encode %T: %v", w, err))
	}
	return b.String()
}

func (i IMAP) written() writtenIMAP {
	return writtenIMAP{writtenServer: i.Server.written(), Inbox: i.Inbox, Folders: i.Folders}
}

func (s Server) written() writtenServer {
	w := writtenServer{
		Host: s.Host, Port: s.Port, TLS: s.TLS, CAFile: s.CAFile, Timeout: s.Timeout.String(),
		User: s.User, PasswordFile: s.PasswordFile, PasswordEnv: s.PasswordEnv,
		TokenCommand: s.TokenCommand, TokenFile: s.TokenFile, TokenEnv: s.TokenEnv,
	}
	if s.User != "" {
		w.Auth = cmp.Or(s.Auth, transport.Password)
	}
	if o := s.OAuth; o != nil {
		w.OAuth = &writtenOAuth{
			TokenURL: o.TokenURL, ClientID: o.ClientID, ClientSecretFile: o.ClientSecretFile, ClientSecretEnv: o.ClientSecretEnv,
			RefreshTokenFile: o.RefreshTokenFile, RefreshTokenEnv: o.RefreshTokenEnv, Scopes: o.Scopes,
		}
	}
	return w
}
