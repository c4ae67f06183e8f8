//go:build integration

package realmail_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"starpost/pbem/demo"
)

// writer mails orders as an answer to a report.
type writer = func(ctx context.Context, c *captain, r demo.Report, raw []byte) error

// inTurn answers the reports for odd turns in one way and those for even turns in
// another.
func inTurn(odd, even writer) writer {
	return func(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
		if r.View.Due%2 == 1 {
			return odd(ctx, c, r, raw)
		}
		return even(ctx, c, r, raw)
	}
}

// onceAt answers the report for one turn by once, which is slow, and the others by others.
func onceAt(turn int, once, others writer) writer {
	return func(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
		if r.View.Due == turn {
			return once(ctx, c, r, raw)
		}
		return others(ctx, c, r, raw)
	}
}

// byMuttInside has mutt reply with the report quoted, and the orders in place of the
// quoted template.
func byMuttInside(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
	editor, err := c.editor(r.Orders, intoTemplate)
	if err != nil {
		return err
	}
	return c.muttReplies(ctx, raw, editor, "reply_to=yes")
}

// muttReplies has mutt reply to a mail, after an editor has changed the quotation.
func (c *captain) muttReplies(ctx context.Context, raw []byte, editor, settings string) error {
	box, err := c.mbox(raw)
	if err != nil {
		return err
	}
	// Keys typed before the editor ends are lost, so a hook types the rest.
	rc, err := c.muttrc(fmt.Sprintf("set folder=%q editor=%q include=yes fast_reply=yes abort_unmodified=no recall=no move=no delete=no quit=yes mbox_type=mbox %s\n"+
		"send2-hook . \"push <send-message><quit>\"\npush \"<first-entry><reply>\"\n", c.home, editor, settings))
	if err != nil {
		return err
	}
	return c.onScreen(ctx, "mutt -n -F "+rc+" -f "+box)
}

// byNailInside has s-nail reply, and call an editor that puts the orders into the quotation.
func byNailInside(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
	editor, err := c.editor(r.Orders, intoTemplate)
	if err != nil {
		return err
	}
	return c.nail(ctx, raw, "reply 1\n~e\n~.\n", "-S", "EDITOR="+editor)
}

// byMH has nmh reply; separate programs make, edit and send the draft. It replies to
// both the Reply-To and the sender of the report, so the robot gets each mail twice.
func byMH(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
	box, err := c.mbox(raw)
	if err != nil {
		return err
	}
	editor, err := c.editor(r.Orders, intoTemplate)
	if err != nil {
		return err
	}
	profile, mts := filepath.Join(c.home, ".mh_profile"), filepath.Join(c.home, "mts.conf")
	if err := os.WriteFile(profile, []byte("Path: mh\nLocal-Mailbox: "+c.address+"\nsend: -server "+c.s.plain.host+" -port "+strconv.Itoa(c.s.plain.port)+"\n"), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(mts, []byte("mts: smtp\nclientname: localhost\n"), 0o600); err != nil {
		return err
	}
	env := []string{"HOME=" + c.home, "MH=" + profile, "MHMTSCONF=" + mts, "PATH=/usr/bin/mh:" + os.Getenv("PATH")}
	if err := os.MkdirAll(filepath.Join(c.home, "mh", "inbox"), 0o700); err != nil {
		return err
	}
	if _, err := run(ctx, c.home, env, "", "/usr/bin/mh/inc", "-silent", "-file", box, "-truncate"); err != nil {
		return err
	}
	c.copies++
	_, err = run(ctx, c.home, env, "send\n", "/usr/bin/mh/repl", "last", "-filter", "mhl.reply", "-editor", editor)
	return err
}

// byAlpine has Alpine reply on a terminal. Keys are typed when it asks for them.
func byAlpine(ctx context.Context, c *captain, r demo.Report, raw []byte) error {
	box, err := c.mbox(raw)
	if err != nil {
		return err
	}
	editor, err := c.editor(r.Orders, intoTemplate)
	if err != nil {
		return err
	}
	rc := filepath.Join(c.home, "pinerc")
	settings := fmt.Sprintf("personal-name=Cid\ncustomized-hdrs=From: Cid <%s>\ninbox-path=%s\nsmtp-server=%s/notls\neditor=%s\ndefault-fcc=\"\"\nlast-version-used=9.99\nbusy-cue-rate=0\nstatus-message-delay=0\n"+
		"feature-list=enable-alternate-editor-implicitly,enable-alternate-editor-cmd,reply-always-uses-reply-to,allow-changing-from,quit-without-confirm\n"+
		"initial-keystroke-list=i,r\n", c.address, box, c.s.plain, editor)
	if err := os.WriteFile(rc, []byte(settings), 0o600); err != nil {
		return err
	}
	return c.typed(ctx, "alpine -p "+rc, []asked{
		{"Include original message in Reply?", "y"}, {"Reply to all recipients?", "n"}, {"Alternate editor done", "\x18"}, {"Send message", "y"}, {"FldrList", "q"},
	})
}

// asked is a prompt of a program, and the keys that its user then types.
type asked struct{ words, keys string }

// typed runs a program that needs a terminal, and answers its prompts.
func (c *captain) typed(ctx context.Context, command string, questions []asked) error {
	cmd := exec.CommandContext(ctx, "script", "--quiet", "--return", "--command", command, "/dev/null")
	cmd.Env = append(os.Environ(), "HOME="+c.home, "TERM=vt100")
	keys, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	screen, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var shown []byte
	for part := make([]byte, 4096); ; {
		n, err := screen.Read(part)
		if shown = append(shown, part[:n]...); len(questions) > 0 && bytes.Contains(shown, []byte(questions[0].words)) {
			if _, err := io.WriteString(keys, questions[0].keys); err != nil {
				return err
			}
			shown, questions = nil, questions[1:]
		}
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil || len(questions) > 0 {
		return fmt.Errorf("%s: %w; not shown: %v\n%s", command, err, questions, strings.ReplaceAll(string(shown), "\x00", ""))
	}
	return nil
}

// intoTemplate replaces the first order template in a text, quoted or not, by the typed text.
const intoTemplate = `
	/#orders .* turn / && !done { while ((getline line < typed) > 0) print line; done = inside = 1 }
	!inside { print }
	inside && /#end/ { inside = 0 }
`

// editor makes a program that mail programs call as the editor. It uses awk to put the typed text
// into the file.
func (c *captain) editor(typed, awk string) (string, error) {
	file, program := filepath.Join(c.home, "typed"), filepath.Join(c.home, "editor")
	if err := os.WriteFile(file, []byte(typed), 0o600); err != nil {
		return "", err
	}
	// Mutt takes a file for unedited if it was modified in the same second as before. It sets that time back
	// a second first, but file times run milliseconds ahead of its clock. Hence the touch. Likewise it
	// may take what it wrote itself right after the editor for somebody's change, and ask, if a second began just then: hence the wait.
	script := fmt.Sprintf(`#!/bin/sh
set -e
awk -v typed=%q '%s' "$1" >"$1.new"
cat "$1.new" >"$1"
rm "$1.new"
touch -t 202001010000 "$1"
until case $(date +%%N) in [1-7]*) ;; *) false ;; esac; do sleep 0.05; done
`, file, awk)
	// A process that another test forks meanwhile would hold the file open for writing, so that
	// running it would fail ("text file busy").
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return program, os.WriteFile(program, []byte(script), 0o700)
}

// onScreen runs a program that needs a terminal, without typing anything.
func (c *captain) onScreen(ctx context.Context, command string) error {
	keys := filepath.Join(c.home, "keys")
	_, err := run(ctx, c.home, []string{"HOME=" + c.home, "TERM=vt100"}, "",
		"sh", "-c", `[ -e "$1" ] || mkfifo "$1"; exec script --quiet --return --command "$2" /dev/null <>"$1" >screen`, "sh", keys, command)
	return err
}
