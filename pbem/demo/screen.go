package demo

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"starpost/pbem/daemon"
	"starpost/pbem/mime"
)

// screen prints what happens, a mail in two lines. Its methods may be called
// from any goroutine. What cannot be written is not shown.
type screen struct {
	mu    sync.Mutex
	out   io.Writer
	began time.Time
	mails int
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mails
}

// mail shows a mail that passed.
func (s *screen) mail(from, to string, raw []byte) {
	m, _ := mime.Read(raw) // whatever could be read of it is shown
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails++
	s.line("%s -> %s", from, addressOf(to))
	s.note("Subject: " + m.Subject)
	if g := gist(m, strings.EqualFold(addressOf(to), robot)); g != "" {
		s.note(g)
	}
}

// event shows what the daemon did besides mailing.
func (s *screen) event(e daemon.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case daemon.Resolved:
		s.line("== turn %d is resolved", e.Turn)
	case daemon.Over:
		s.line("== turn %d is resolved, and the battle is over", e.Turn)
	}
}

func (s *screen) line(format string, args ...any) {
	fmt.Fprintf(s.out, "%6.2fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...))
}

func (s *screen) note(text string) {
	const most = 96
	if r := []rune(text); len(r) > most {
		text = string(r[:most-3]) + "..."
	}
	fmt.Fprintf(s.out, "         %s\n", text)
}

// gist is what a mail says, in one line: its orders, or else its headline.
func gist(m mime.Mail, isOrders bool) string {
	if isOrders {
		return orderGist(m.Text)
	}
	// The title stands above the first empty line, what matters below it.
	_, body, _ := strings.Cut(m.Text, "\n\n")
	line, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
	return strings.TrimSpace(line)
}

func orderGist(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "#end" {
			break
		}
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "phase") || line == "power" || line == "standing" {
			continue
		}
		words = append(words, line)
	}
	return strings.Join(words, "; ")
}
