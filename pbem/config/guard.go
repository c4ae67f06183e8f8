package config

import (
	"time"

	"starpost/pbem/clock"
)

// Guard says when time that went by unseen is too much to go on as if nothing
// was. The zero Guard watches nothing.
type Guard struct {
	Outage      clock.Span // how long the daemon, or a mailbox, may be silent
	Skew        clock.Span // how far the machine's clock may jump
	ResumeAfter clock.Span // how long games stand still then; zero: until a referee resumes them
}

// Never is the word for a ResumeAfter of zero.
const Never = "never"

// DefaultGuard is what holds where the configuration says nothing.
func DefaultGuard() Guard {
	return Guard{Outage: clock.Span(6 * time.Hour), Skew: clock.Span(2 * time.Minute), ResumeAfter: clock.Span(12 * time.Hour)}
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
		g.ResumeAfter = s.span("resume_after", g.ResumeAfter, clock.Span(time.Minute), 30*clock.Day)
	}
	s.done()
	return g
}

// writtenGuard is the section as it is written out.
type writtenGuard struct {
	Outage      clock.Span `toml:"outage"`
	Skew        clock.Span `toml:"skew"`
	ResumeAfter string     `toml:"resume_after"`
}

func (g Guard) written() writtenGuard {
	w := writtenGuard{Outage: g.Outage, Skew: g.Skew, ResumeAfter: g.ResumeAfter.String()}
	if g.ResumeAfter == 0 {
		w.ResumeAfter = Never
	}
	return w
}
