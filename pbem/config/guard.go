package config

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/transport"
)

// Guard says which outages and clock jumps pause games. The zero Guard detects nothing.
type Guard struct {
	Outage      clock.Span  `toml:"outage"`       // how long the daemon, or a mailbox, may be silent
	Skew        clock.Span  `toml:"skew"`         // how far the machine's clock may jump
	ResumeAfter ResumeAfter `toml:"resume_after"` // how long games are then paused; zero: until a referee resumes them
}

// ResumeAfter is a duration; zero means never.
type ResumeAfter clock.Span

// never is the word for a ResumeAfter of zero.
const never = "never"

// MarshalText implements encoding.TextMarshaler.
func (r ResumeAfter) MarshalText() ([]byte, error) {
	if r == 0 {
		return []byte(never), nil
	}
	return clock.Span(r).MarshalText()
}

// DefaultGuard returns the default settings.
func DefaultGuard() Guard {
	return Guard{Outage: clock.Span(6 * time.Hour), Skew: clock.Span(2 * time.Minute), ResumeAfter: ResumeAfter(12 * time.Hour)}
}

func (t *table) guard() Guard {
	g := DefaultGuard()
	s := t.sub("guard", false)
	if s == nil {
		return g
	}
	g.Outage = s.span("outage", g.Outage, clock.Span(10*time.Minute), 90*clock.Day)
	g.Skew = s.span("skew", g.Skew, clock.Span(5*time.Second), clock.Day)
	if s.values["resume_after"] == never {
		s.unused("resume_after")
		g.ResumeAfter = 0
	} else {
		g.ResumeAfter = ResumeAfter(s.span("resume_after", clock.Span(g.ResumeAfter), clock.Span(time.Minute), 30*clock.Day))
	}
	s.done()
	return g
}

// Metrics configures where the daemon's metrics are served.
type Metrics struct {
	Listen string `toml:"listen"` // host:port; "" for nowhere
	Public bool   `toml:"public"` // Listen may be reachable from other machines
	Games  bool   `toml:"games"`  // each game has its own metrics
}

func (t *table) metrics() (m Metrics) {
	s := t.sub("metrics", false)
	if s == nil {
		return m
	}
	m.Public = s.truth("public", false)
	m.Listen = s.text("listen", "")
	m.Games = s.truth("games", false)
	host, port, err := net.SplitHostPort(m.Listen)
	n, perr := strconv.ParseUint(port, 10, 16)
	switch {
	case m.Listen == "":
	case err != nil || perr != nil || n == 0:
		s.bad("listen", fmt.Sprintf("%s: %q is not an address and a port", s.name("listen"), m.Listen), "write it as \"127.0.0.1:9095\"")
	case !m.Public && !transport.IsLoopback(host):
		s.bad("listen", fmt.Sprintf("%s: %q is reachable from other machines", s.name("listen"), m.Listen),
			"anyone who reaches it can read the state of the games; use \"127.0.0.1:"+port+"\", or add public = true")
	}
	s.done()
	return m
}

// Trust says which servers' results about senders are trusted.
type Trust struct {
	// AuthservIDs are the names that our own mail servers write into Authentication-Results
	// headers; none: no such header is trusted.
	AuthservIDs []string `toml:"authserv_ids"`
	// Hops is how many Received fields of our own servers are above those headers, apart from local
	// delivery.
	Hops int `toml:"hops"`
}

// trust reads the optional section [trust].
func (c *Config) trust(root *table) {
	t := root.sub("trust", false)
	if t == nil {
		return
	}
	for i, id := range t.list("authserv_ids") {
		// An authserv-id is a token (RFC 8601 section 2.2), in practice a host.
		if len(id) > 253 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`;=()"<>@,/`, r) }) {
			t.bad("authserv_ids", fmt.Sprintf("%s: element %d is not the name of a mail server", t.name("authserv_ids"), i+1),
				"use the first word of an Authentication-Results header that your own server wrote, for example \"mx.example.org\"")
			continue
		}
		c.Trust.AuthservIDs = append(c.Trust.AuthservIDs, id)
	}
	c.Trust.Hops = t.number("hops", 0, 0, 20)
	t.done()
}
