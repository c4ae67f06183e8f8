package config

import (
	"fmt"
	"log/slog"
	"net/mail"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"starpost/engine/bounded"
	"starpost/orders"
	"starpost/pbem/clock"
	"starpost/pbem/pattern"
	"starpost/pbem/transport"
)

func parse(file string, text []byte, dir string) (*Config, bounded.Places, error) {
	values := map[string]any{}
	if _, err := bounded.Decode(string(text), maxFile, &values); err != nil {
		return nil, nil, syntaxProblem(file, string(text), err)
	}
	r := &reader{file: file, places: bounded.FindPlaces(string(text))}
	root := &table{reader: r, values: values}
	c := &Config{File: file}
	c.read(root, dir)
	if len(r.problems) > 0 {
		return nil, nil, r.problems.sorted()
	}
	return c, r.places, nil
}

func syntaxProblem(file, text string, err error) Problems {
	line, col, message, hint := bounded.Place(err)
	p := Problem{File: file, Line: max(1, line), Col: max(1, col), Message: strings.TrimSuffix(message, "."), Hint: hint}
	// The library's column may be beyond the line.
	if lines := strings.Split(text, "\n"); p.Line > len(lines) || p.Col > len(lines[p.Line-1])+1 {
		p.Col = 1
	}
	if strings.Contains(message, "expected value but found") {
		p.Hint = "put texts in double quotes"
	}
	return Problems{p}
}

// maxFooter is the maximum length of the footer of mails: longer lines are broken on the way.
const maxFooter = 76

// limits reads the limits on answers; usual are the defaults.
func (t *table) limits(usual Limits) Limits {
	return Limits{
		AnswersPerHour:    t.number("answers_per_hour", usual.AnswersPerHour, 1, 1000),
		SetAnswersPerHour: t.number("set_answers_per_hour", usual.SetAnswersPerHour, 1, 10000),
		StrangersPerDay:   t.number("strangers_per_day", usual.StrangersPerDay, 0, 10000),
	}
}

// read reads every key, in the order of the example.
func (c *Config) read(t *table, dir string) {
	if t.plain() {
		c.Address = t.address("address")
	}
	c.Name = t.text("name", "Starpost")
	c.Referee = t.person("referee")
	c.State = t.directory("state", dir)
	c.Store = t.store(dir)
	c.Games = t.patterns("games", dir)
	c.Poll = t.span("poll", clock.Span(time.Minute), clock.Span(5*time.Second), clock.Day)
	c.ChangeWindow = t.span("change_window", clock.DefaultChangeWindow, 0, 7*clock.Day)
	c.Strangers = t.word("strangers", StrangersAnswer, StrangersAnswer, StrangersIgnore)
	c.Limits = t.limits(Limits{AnswersPerHour: 20, SetAnswersPerHour: 200, StrangersPerDay: 240})
	c.KeepRaw = t.span("keep_raw", 0, clock.Day, clock.MaxSpan)
	c.mailboxes(t, dir)
	if s := t.sub("mail", false); s != nil {
		c.Mail = s.mail(dir)
	}
	c.Public = t.public(dir)
	if _, ok := c.NewGames(); c.Lobby.makes() && !ok && c.Store == nil {
		t.bad("lobby", "games made by mail have no folder", noFolder)
	}
	c.clubsApart(t)
	if s := t.sub("digest", false); s != nil {
		c.Digest = &Digest{At: s.text("at", "07:00"), Zone: s.text("zone", "UTC")}
		if _, err := c.Digest.Last(time.Unix(0, 0)); err != nil {
			s.bad("at", "digest: "+err.Error(), "write at = \"07:00\", and a zone such as \"UTC\" or \"Europe/Berlin\"")
		}
		if c.Referee == "" {
			t.bad("digest", "a digest needs a referee to go to", "add referee = \"you@example.org\" at the top")
		}
		s.done()
	}
	if s := t.sub("beacon", false); s != nil {
		c.Beacon = &Beacon{Relays: s.relays("relays")}
		s.done()
	}
	c.trust(t)
	c.Guard = t.guard()
	c.Metrics = t.metrics()
	c.Log = Log{Level: Level{slog.LevelInfo}, Format: LogText}
	if log := t.sub("log", false); log != nil {
		c.Log.Format = log.word("format", LogText, LogText, LogJSON)
		levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
		c.Log.Level.Level = levels[log.word("level", "info", "debug", "info", "warn", "error")]
		log.done()
	}
	t.done()
}

// noFolder is the hint if there is no folder for created games.
const noFolder = "add a pattern that ends in /* to games, such as games = [\"games/*\"]"

// mail reads the text settings of mails.
func (t *table) mail(dir string) (m Mail) {
	if folder := t.text("templates", ""); folder != "" {
		m.Templates = absolute(dir, folder)
	}
	if m.Footer = t.text("footer", ""); utf8.RuneCountInString(m.Footer) > maxFooter {
		t.bad("footer", fmt.Sprintf("%s has more than %d characters", t.name("footer"), maxFooter), "write one short line, such as how to reach the host")
	}
	t.done()
	return m
}

// public reads what is offered to people in addition to the mails of their games.
func (t *table) public(dir string) (p Public) {
	if s := t.sub("lobby", false); s != nil {
		p.Lobby = &Lobby{
			AnswersPerDay: s.number("answers_per_day", 20, 1, 1000), Create: s.word("create", CreateNobody, creates()...), Attached: s.truth("attached", false), Offer: s.list("offer"),
			Practice: s.number("practice", 0, 0, 100), Games: s.number("games", 200, 1, 100_000),
		}
		s.done()
	}
	if s := t.sub("site", false); s != nil {
		p.Site = &Site{URL: s.webAddress("url")}
		if folder := s.needed("dir", "name a folder for the pages alone"); folder != "" {
			p.Site.Dir = absolute(dir, folder)
		}
		s.done()
	}
	if p.Notify = t.notify(dir); len(p.Notify) > 0 && p.Site == nil {
		t.bad("notify", "notices need pages, and there are none", fmt.Sprintf("add [%s] with a dir", t.section("site")))
	}
	return p
}

// address returns the robot's own address.
func (t *table) address(key string) string {
	s := t.needed(key, "give the address that captains write to, for example address = \"battles@example.org\"")
	if s == "" {
		return ""
	}
	a, err := mail.ParseAddress(s)
	switch {
	case err != nil || a.Address != s:
		t.bad(key, fmt.Sprintf("%q is not a bare mail address", s), "write it as battles@example.org; put a display name into name")
		return ""
	case strings.Contains(s[:strings.LastIndexByte(s, '@')], "+"):
		t.bad(key, fmt.Sprintf("the address %q has a plus tag", s), "leave the tag out; the robot puts turn keys there")
		return ""
	}
	return s
}

// webAddress returns a web address for pages, or "".
func (t *table) webAddress(key string) string {
	s := t.text(key, "")
	if s == "" {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		t.bad(key, fmt.Sprintf("%s: %q is not a web address", t.name(key), s), "write it as https://example.org/starpost/")
		return ""
	}
	return s
}

// relays returns the addresses of beacon relays.
func (t *table) relays(key string) []string {
	before := len(t.problems)
	list := t.list(key)
	for _, s := range list {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !transport.IsLoopback(u.Hostname())) || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			t.bad(key, fmt.Sprintf("%s: %q is not a relay's address", t.name(key), s), "write it as https://api.drand.sh")
		}
	}
	if len(list) < 2 && len(t.problems) == before {
		t.bad(key, t.name(key)+" names fewer than two relays", `name two or more, such as relays = ["https://api.drand.sh", "https://drand.cloudflare.com"], or remove [beacon]`)
	}
	return list
}

// person returns an optional mail address.
func (t *table) person(key string) string {
	s := t.text(key, "")
	if s == "" {
		return ""
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		t.bad(key, fmt.Sprintf("%q is not a bare mail address", s), "write it as referee@example.org")
		return ""
	}
	return s
}

// directory returns a path made absolute; it need not exist.
func (t *table) directory(key, dir string) string {
	s := t.needed(key, "name the directory for the daemon's own records")
	if s == "" {
		return ""
	}
	return absolute(dir, s)
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

var (
	globMeta   = pattern.New(`[*?\[\\]`)
	variable   = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	hostLabels = pattern.New(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?$`)
)

// patterns returns game directories, or filepath.Glob patterns for them, made absolute.
func (t *table) patterns(key, dir string) []string {
	_, stored := t.values["store"] // games may all be in the database
	if _, ok := t.values[key]; !ok {
		if stored {
			return nil
		}
		t.known = append(t.known, key)
		t.problem(t.path, t.name(key)+" is missing", "name game directories or a pattern, for example games = [\"games/*\"]")
		return nil
	}
	before := len(t.problems)
	list := t.list(key)
	if len(list) == 0 && len(t.problems) == before && !stored {
		t.bad(key, t.name(key)+" is empty", "name game directories or a pattern, for example games = [\"games/*\"]")
	}
	base := globMeta().ReplaceAllString(dir, `\$0`)
	var out []string
	for _, p := range list {
		if _, err := filepath.Match(p, ""); err != nil || strings.ContainsRune(p, 0) {
			t.bad(key, fmt.Sprintf("%s: %q is not a pattern", t.name(key), p), "close each [ with a ]")
			continue
		}
		if !filepath.IsAbs(p) {
			p = base + string(filepath.Separator) + p
		}
		out = append(out, filepath.Clean(p))
	}
	return out
}

// server reads one server section without its password.
func (t *table) server(dir string, login bool, defaultTLS string, ports map[string]int) Server {
	var s Server
	s.Host = t.host("host")
	s.TLS = t.word("tls", defaultTLS, TLSImplicit, TLSStart, TLSNone)
	s.Port = t.number("port", ports[s.TLS], 1, 65535)
	if s.TLS == TLSNone && s.Host != "" && !transport.IsLoopback(s.Host) {
		t.bad("tls", fmt.Sprintf("%s is \"none\", and %s is not this machine", t.name("tls"), s.Host),
			"passwords and orders would travel in the clear; use \"tls\" or \"starttls\"")
	}
	if ca := t.text("ca_file", ""); ca != "" {
		s.CAFile = absolute(dir, ca)
	}
	s.Timeout = t.span("timeout", clock.Span(30*time.Second), clock.Span(time.Second), clock.Span(10*time.Minute))
	t.login(&s, dir, login)
	return s
}

// holdsPassword avoids a second error about a password in the text.
func (t *table) holdsPassword() bool {
	_, there := t.values["password"]
	return there
}

func (t *table) host(key string) string {
	s := t.needed(key, "give the server's name, for example \"mail.example.org\"")
	if s == "" {
		return ""
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return s
	}
	if !hostLabels().MatchString(s) || len(s) > 253 {
		hint := "write the bare name, for example \"mail.example.org\""
		if strings.ContainsAny(s, ":/") {
			hint += ", and set port separately"
		}
		t.bad(key, fmt.Sprintf("%s: %q is not a host name", t.name(key), s), hint)
		return ""
	}
	return s
}

// Problem is one error in a configuration. Line and Col count from 1.
type Problem struct {
	File      string
	Line, Col int
	Message   string
	Hint      string // the remedy; "" if the message says it
}

// String returns "file:line:col: message; hint".
func (p Problem) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Message)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Problems is the error of Load and Parse: at least one problem, in the order of the text.
type Problems []Problem

// Error returns one problem per line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return p
}

// didYouMean returns a hint with the nearest word, or with all of them.
func didYouMean(word string, known []string) string {
	return orders.DidYouMean("%q", word, known, "use one of: "+strings.Join(known, ", "))
}
