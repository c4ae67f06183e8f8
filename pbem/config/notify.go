package config

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"time"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
)

// Notify is a destination other than mail for news of games, with what their pages show.
type Notify struct {
	Name    string     `toml:"name"`               // in the log and in the state directory
	Kind    string     `toml:"kind"`               // one of the kinds below
	URL     string     `toml:"url,omitempty"`      // if it is not secret
	URLFile string     `toml:"url_file,omitempty"` // otherwise its file or variable
	URLEnv  string     `toml:"url_env,omitempty"`
	Room    string     `toml:"room,omitempty"`  // of Matrix: "!abc:example.org"
	Games   []string   `toml:"games,omitempty"` // patterns of IDs; none means all games
	Events  []string   `toml:"events"`          // of the events below
	Before  clock.Span `toml:"before"`          // how long before its deadline a turn is announced as due
	Private bool       `toml:"private"`         // it may be on a private network or on this machine

	SecretFile string `toml:"secret_file,omitempty"` // for signing notices
	SecretEnv  string `toml:"secret_env,omitempty"`
	TokenFile  string `toml:"token_file,omitempty"` // for a login, which Matrix requires
	TokenEnv   string `toml:"token_env,omitempty"`

	Address Secret `toml:"-"` // the URL, from any source
	Secret  Secret `toml:"-"`
	Token   Secret `toml:"-"`
}

// Kinds of destinations, and of news.
const (
	NotifyDiscord = "discord"
	NotifyMatrix  = "matrix"
	NotifyNtfy    = "ntfy"
	NotifyJSON    = "json"

	NotifyTurn = "turn" // a turn was resolved
	NotifyDue  = "due"  // a turn is due soon
	NotifyOver = "over" // a battle is over
	NotifySeat = "seat" // a seat became free
)

// Takes reports whether news of a game is sent to the destination.
func (n *Notify) Takes(game string) bool {
	return len(n.Games) == 0 || slices.ContainsFunc(n.Games, func(p string) bool {
		ok, err := path.Match(p, game)
		return err == nil && ok
	})
}

// maxNotify is the maximum number of destinations.
const maxNotify = 20

func (t *table) notify(dir string) (all []Notify) {
	for i, s := range t.subs("notify") {
		n := Notify{Name: s.text("name", "notify-"+strconv.Itoa(i+1))}
		n.Kind = s.word("kind", NotifyJSON, NotifyDiscord, NotifyMatrix, NotifyNtfy, NotifyJSON)
		n.URL = s.text("url", "")
		n.URLFile, n.URLEnv = s.held("url", dir)
		n.SecretFile, n.SecretEnv = s.held("secret", dir)
		n.TokenFile, n.TokenEnv = s.held("token", dir)
		n.Room, n.Games, n.Events = s.text("room", ""), s.list("games"), s.list("events")
		n.Before = s.span("before", clock.Day, clock.Span(5*time.Minute), 30*clock.Day)
		n.Private = s.truth("private", false)
		s.checkNotify(&n)
		if slices.ContainsFunc(all, func(o Notify) bool { return o.Name == n.Name }) {
			s.bad("name", fmt.Sprintf("two [[notify]] sections are named %q", n.Name), "give each [[notify]] a different name")
		}
		s.done()
		all = append(all, n)
	}
	if len(all) > maxNotify {
		t.bad("notify", fmt.Sprintf("there are more than %d [[notify]] sections", maxNotify), "")
	}
	return all
}

func (t *table) checkNotify(n *Notify) {
	from := 0
	for _, s := range []string{n.URL, n.URLFile, n.URLEnv} {
		if s != "" {
			from++
		}
	}
	switch {
	case from != 1:
		t.bad("url", t.name("url")+": give the address exactly once", "use one of url_file, url_env and url; choose url_file if the address itself is a secret")
	case n.URL != "" && n.Kind == NotifyDiscord:
		t.bad("url", t.name("url")+": anyone who knows a Discord address can post to it", "put it into a separate file with mode 0600, and set url_file")
	case n.URL != "":
		if problem := hookAddress(n.URL); problem != "" {
			t.bad("url", t.name("url")+": "+problem, "write it as https://example.org/hook")
		}
	}
	if known := []string{NotifyTurn, NotifyDue, NotifyOver, NotifySeat}; len(n.Events) == 0 {
		n.Events = known
	} else {
		for _, e := range n.Events {
			if !slices.Contains(known, e) {
				t.bad("events", fmt.Sprintf("%s: there is no event %q", t.name("events"), e), didYouMean(e, known))
			}
		}
	}
	for _, p := range n.Games {
		if _, err := path.Match(p, ""); err != nil {
			t.bad("games", fmt.Sprintf("%s: %q is not a pattern", t.name("games"), p), "close each [ with a ]")
		}
	}
	if matrix := n.Kind == NotifyMatrix; matrix != (n.Room != "") {
		t.bad("room", t.name("room")+" goes with Matrix, which needs it", `for example room = "!abc:example.org"`)
	} else if matrix && n.TokenFile == "" && n.TokenEnv == "" {
		t.bad("token_file", t.name("token_file")+" is missing", "put a Matrix access token into a file")
	}
}

// hookAddress returns what is wrong with the address of a destination; "" if nothing.
func hookAddress(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Fragment != "" {
		return "it is not a web address"
	}
	return ""
}

// notifySecrets reads the addresses and secrets of the destinations in a section.
func (c *Config) notifySecrets(all []Notify, in []string, places bounded.Places, env func(string) (string, bool)) (found Problems) {
	for i := range all {
		n := &all[i]
		r := secretReader{c: c, section: append(slices.Clone(in), "notify", strconv.Itoa(i)), places: places, env: env}
		r.read(&n.Address, "url", n.URLFile, n.URLEnv)
		r.read(&n.Secret, "secret", n.SecretFile, n.SecretEnv)
		r.read(&n.Token, "token", n.TokenFile, n.TokenEnv)
		if n.URL != "" {
			n.Address = NewSecret(n.URL)
		} else if problem := hookAddress(n.Address.Reveal()); problem != "" && len(r.problems) == 0 {
			r.problem("url_file", "the content of the file: "+problem, "write one line, such as https://example.org/hook")
		}
		found = append(found, r.problems...)
	}
	return found
}
