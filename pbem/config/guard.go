package config

import (
	"time"

	"starpost/pbem/clock"
)

// Guard says when time that went by unseen is too much to go on as if nothing
// was. The zero Guard watches nothing.
type Guard struct {
	Outage      clock.Span  `toml:"outage"`       // how long the daemon, or a mailbox, may be silent
	Skew        clock.Span  `toml:"skew"`         // how far the machine's clock may jump
	ResumeAfter ResumeAfter `toml:"resume_after"` // how long games stand still then; zero: until a referee resumes them
}

// ResumeAfter is a span of time that may be Never, as zero.
type ResumeAfter clock.Span

// Never is the word for a ResumeAfter of zero.
const Never = "never"

// MarshalText writes it as it is read.
func (r ResumeAfter) MarshalText() ([]byte, error) {
	if r == 0 {
		return []byte(Never), nil
	}
	return clock.Span(r).MarshalText()
}

// DefaultGuard is what holds where the configuration says nothing.
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
	if s.values["resume_after"] == Never {
		s.unused("resume_after")
		g.ResumeAfter = 0
	} else {
		g.ResumeAfter = ResumeAfter(s.span("resume_after", clock.Span(g.ResumeAfter), clock.Span(time.Minute), 30*clock.Day))
	}
	s.done()
	return g
}
