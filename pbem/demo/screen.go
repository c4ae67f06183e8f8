package demo

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"starpost/pbem/daemon/process"
	"starpost/pbem/mime"
)

// screen prints what happens, a mail in two lines. Its methods may be called from any goroutine.
// After a failed write it prints nothing more.
type screen struct {
	mu    sync.Mutex
	out   io.Writer
	began time.Time
	mails int
	err   error // of the first failed write
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mails
}

// trouble returns the error that kept the battle from being shown.
func (s *screen) trouble() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return fmt.Errorf("show the battle: %w", s.err)
	}
	return nil
}

// mail shows a mail that was sent.
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

// event shows what the daemon did, except for mails.
func (s *screen) event(e process.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e.Kind {
	case process.Resolved:
		s.line("== turn %d is resolved", e.Turn)
	case process.Over:
		s.line("== turn %d is resolved, and the battle is over", e.Turn)
	}
}

func (s *screen) line(format string, args ...any) {
	s.write(fmt.Sprintf("%6.2fs  %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, args...)))
}

func (s *screen) note(text string) {
	const most = 96
	if r := []rune(text); len(r) > most {
		text = string(r[:most-3]) + "..."
	}
	s.write("         " + text + "\n")
}

func (s *screen) write(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.out, text)
	}
}

// gist returns the content of a mail in one line: its orders or, otherwise, its headline.
func gist(m mime.Mail, isOrders bool) string {
	if isOrders {
		return orderGist(m.Text)
	}
	// The title is above the first empty line, the content below it.
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
