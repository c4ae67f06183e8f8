//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"starpost/pbem/testkit/processortest"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset"
	"github.com/wneessen/go-mail/smtp"

	"starpost/pbem/desk/blocks"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// bareJob is the job of a bare loop: mail work by the same libraries, without the daemon.
type bareJob struct {
	Do, What              string // "fetch", "check" or "move" a folder, "send" a directory
	Games                 string // "check": the directory of the games
	IMAP, SMTP            string
	CA, Address, Password string
}

// bareLoop runs a job in a separate process, so that it is measured as the
// daemon is.
func bareLoop(t *testing.T, s *servers, dir, do, what, games string) usage {
	t.Helper()
	job, err := json.Marshal(bareJob{do, what, games, s.imap.String(), s.smtp.String(), s.ca, s.address("starpost"), s.password})
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(dir, "bare")
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestBareLoop$")
	cmd.Env = append(os.Environ(), "STARPOST_BARE="+string(job), "STARPOST_BARE_RESULT="+result)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("bare loop: %v\n%s", err, out)
	}
	text, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	var wall, cpu int64
	if _, err := fmt.Sscan(string(text), &wall, &cpu); err != nil {
		t.Fatal(err)
	}
	return usage{wall: time.Duration(wall), cpu: time.Duration(cpu)}
}

// TestBareLoop runs the job of a bare loop. It is skipped unless bareLoop
// started the process.
func TestBareLoop(t *testing.T) {
	text := os.Getenv("STARPOST_BARE")
	if text == "" {
		t.Skip("a part of the mail bench")
	}
	var job bareJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		t.Fatal(err)
	}
	began, before := time.Now(), processortest.Time(t)
	var err error
	switch job.Do {
	case "fetch":
		err = job.fetch(func(raw []byte) error {
			_, err := parse(raw)
			return err
		})
	case "check":
		err = job.fetch(checker(job.Games))
	case "move":
		err = job.move()
	case "send":
		err = job.send()
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, os.Getenv("STARPOST_BARE_RESULT"), fmt.Sprintln(int64(time.Since(began)), int64(processortest.Time(t)-before)))
}

// dial connects in the same way as the daemon.
func (s *servers) dial() (*imapclient.Client, error) {
	if s.ca == "" {
		return imapclient.DialInsecure(s.imap.String(), nil)
	}
	return imapclient.DialTLS(s.imap.String(), &imapclient.Options{TLSConfig: &tls.Config{RootCAs: s.roots, ServerName: s.imap.host}})
}

func (j bareJob) servers() (*servers, error) {
	s := &servers{ca: j.CA, password: j.Password}
	var err error
	if s.imap, err = splitPlace(j.IMAP); err != nil {
		return nil, err
	}
	if s.smtp, err = splitPlace(j.SMTP); err != nil {
		return nil, err
	}
	if j.CA != "" {
		s.roots, err = rootsOf(j.CA)
	}
	return s, err
}

// folder opens the folder and lists its mails.
func (j bareJob) folder() (*imapclient.Client, []imap.UID, error) {
	s, err := j.servers()
	if err != nil {
		return nil, nil, err
	}
	c, err := s.dial()
	if err != nil {
		return nil, nil, err
	}
	if err := c.Login(j.Address, j.Password).Wait(); err != nil {
		return nil, nil, err
	}
	if _, err := c.Select(j.What, nil).Wait(); err != nil {
		return nil, nil, err
	}
	found, err := c.UIDSearch(&imap.SearchCriteria{}, nil).Wait()
	if err != nil {
		return nil, nil, err
	}
	return c, found.AllUIDs(), nil
}

// batch is how many mails one command names, as in the daemon's mailbox.
const batch = 200

// fetch downloads every mail and passes it to look.
func (j bareJob) fetch(look func(raw []byte) error) error {
	c, uids, err := j.folder()
	if err != nil {
		return err
	}
	defer shut(c)
	for part := range slices.Chunk(uids, batch) {
		cmd := c.Fetch(imap.UIDSetNum(part...), &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{{Peek: true}}})
		for msg := cmd.Next(); msg != nil; msg = cmd.Next() {
			for item := msg.Next(); item != nil; item = msg.Next() {
				body, ok := item.(imapclient.FetchItemDataBodySection)
				if !ok {
					continue
				}
				raw, err := io.ReadAll(body.Literal)
				if err != nil {
					return err
				}
				if err := look(raw); err != nil {
					return err
				}
			}
		}
		if err := cmd.Close(); err != nil {
			return err
		}
	}
	return nil
}

// parse reads all parts of a mail, and returns the first of plain text.
func parse(raw []byte) (text string, err error) {
	e, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	err = e.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil || part.MultipartReader() != nil { // Walk visits its parts next
			return err
		}
		if kind, _, kerr := part.Header.ContentType(); kerr == nil && kind == "text/plain" && text == "" {
			all, err := io.ReadAll(part.Body)
			text = string(all)
			return err
		}
		_, err = io.Copy(io.Discard, part.Body)
		return err
	})
	return text, err
}

// checker parses mails and checks the order set above the quotation, as the daemon does before it answers. No program
// that answers orders could do less.
func checker(games string) func(raw []byte) error {
	known := map[string]*turn.Position{}
	return func(raw []byte) error {
		text, err := parse(raw)
		if err != nil {
			return err
		}
		own, _, _ := strings.Cut(text, "\nOn ")
		_, rest, _ := strings.Cut(own, "#orders ")
		id, _, _ := strings.Cut(rest, " ")
		if known[id] == nil {
			g, err := vault.Open(directory.At(filepath.Join(games, id)), catalogue())
			if err != nil {
				return err
			}
			if known[id], err = turn.Load(g); err != nil {
				return err
			}
		}
		if r := known[id].Check([]byte(own)); len(r.Sets) == 0 || blocks.ErrorsIn(r.Diagnostics) > 0 {
			return fmt.Errorf("%d sets, %v in\n%s", len(r.Sets), r.Diagnostics, own)
		}
		return nil
	}
}

// move puts every mail into another folder.
func (j bareJob) move() error {
	c, uids, err := j.folder()
	if err != nil {
		return err
	}
	defer shut(c)
	if err := c.Create("Bare", nil).Wait(); err != nil {
		return err
	}
	for part := range slices.Chunk(uids, batch) {
		if _, err := c.Move(imap.UIDSetNum(part...), "Bare").Wait(); err != nil {
			return err
		}
	}
	return nil
}

// send sends every file of the directory over one connection.
func (j bareJob) send() error {
	s, err := j.servers()
	if err != nil {
		return err
	}
	conn, err := new(net.Dialer).DialContext(context.Background(), "tcp", s.smtp.String())
	if err != nil {
		return err
	}
	defer conn.Close()
	c, err := smtp.NewClient(conn, s.smtp.host)
	if err != nil {
		return err
	}
	if s.ca != "" {
		if err := c.StartTLS(&tls.Config{RootCAs: s.roots, ServerName: s.smtp.host}); err != nil {
			return err
		}
	}
	if err := c.Auth(smtp.PlainAuth("", j.Address, j.Password, s.smtp.host, true)); err != nil {
		return err
	}
	files, err := os.ReadDir(j.What)
	if err != nil {
		return err
	}
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(j.What, f.Name()))
		if err != nil {
			return err
		}
		_, to, _ := strings.Cut(f.Name(), "_")
		if err := c.Mail("<" + j.Address + ">"); err != nil {
			return err
		}
		if err := c.Rcpt("<" + to + ">"); err != nil {
			return err
		}
		w, err := c.Data()
		if err != nil {
			return err
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
		var said *textproto.Error
		if err := w.Close(); err != nil && (!errors.As(err, &said) || said.Code/100 != 2) {
			return err
		}
	}
	return c.Quit()
}
