package crash_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// disk tracks what a loss of power would destroy: file contents and directory
// entries that were changed and not synced since.
type disk struct {
	root  string
	files map[string]bool
	dirs  map[string]bool
}

// volatile matches the files that may be lost: locks, the heartbeat, the
// store's copy, and SQLite's shared memory.
var volatile = regexp.MustCompile(`daemon\.lock|/\.lock|heartbeat|/ledger\.db\.copy|-shm$`)

func (d *disk) dirty() []string {
	var all []string
	for path := range d.files {
		if !volatile.MatchString(path) {
			all = append(all, "content of "+strings.TrimPrefix(path, d.root))
		}
	}
	for path, yes := range d.dirs {
		if yes && !volatile.MatchString(path) {
			all = append(all, "entries of "+strings.TrimPrefix(path, d.root))
		}
	}
	slices.Sort(all)
	return all
}

var (
	begun   = regexp.MustCompile(`^(\d+) +(.*) <unfinished \.\.\.>$`)
	resumed = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
	whole   = regexp.MustCompile(`^\d+ +(\w+)\((.*)\) += (-?\w+)`)
	opened  = regexp.MustCompile(`^[^,]*, "([^"]*)", ([A-Z_|]+)`)
	paths   = regexp.MustCompile(`"([^"]*)"`)
	onFile  = regexp.MustCompile(`^\d+<([^>]*)>(?:, (.*))?`)
)

// calls returns the system calls of a trace, in the order in which they returned.
func calls(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	pending := map[string]string{}
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		line := lines.Text()
		if m := begun.FindStringSubmatch(line); m != nil {
			pending[m[1]] = m[1] + " " + m[2]
			continue
		}
		if m := resumed.FindStringSubmatch(line); m != nil {
			line = pending[m[1]] + m[2]
			delete(pending, m[1])
		}
		all = append(all, line)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// take applies one system call. It returns the data that the call sends to a
// server, if any.
func (d *disk) take(line string) (said string) {
	m := whole.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[3], "-") {
		return ""
	}
	name, args := m[1], m[2]
	parent := func(path string) {
		if strings.HasPrefix(path, d.root) && !volatile.MatchString(path) {
			d.dirs[filepath.Dir(path)] = true
		}
	}
	switch name {
	case "openat":
		if o := opened.FindStringSubmatch(args); o != nil && strings.Contains(o[2], "O_CREAT") {
			path := o[1]
			if _, known := d.files[path]; !known && !d.seen(path) {
				parent(path)
			}
			d.see(path)
		}
	case "mkdirat", "unlinkat":
		if p := paths.FindStringSubmatch(args); p != nil {
			parent(p[1])
			if name == "unlinkat" {
				delete(d.files, p[1])
				delete(d.dirs, p[1])
			}
		}
	case "renameat", "rename":
		if p := paths.FindAllStringSubmatch(args, 2); len(p) == 2 {
			from, to := p[0][1], p[1][1]
			parent(from)
			parent(to)
			for path := range d.files {
				if path == from || strings.HasPrefix(path, from+"/") {
					delete(d.files, path)
					d.files[to+strings.TrimPrefix(path, from)] = true
				}
			}
			for path, yes := range d.dirs {
				if path == from || strings.HasPrefix(path, from+"/") {
					delete(d.dirs, path)
					d.dirs[to+strings.TrimPrefix(path, from)] = yes
				}
			}
		}
	case "syncfs":
		clear(d.files)
		for path := range d.dirs {
			d.dirs[path] = false
		}
	case "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "sendto":
		f := onFile.FindStringSubmatch(args)
		switch {
		case f == nil:
		case strings.HasPrefix(f[1], "TCP:") || strings.HasPrefix(f[1], "socket:"):
			return f[2]
		case !strings.HasPrefix(f[1], d.root):
		case name == "fsync" || name == "fdatasync":
			delete(d.files, f[1])
			d.dirs[f[1]] = false
		default:
			d.files[f[1]] = true
		}
	}
	return ""
}

func (d *disk) see(path string)       { d.dirs["\x00"+path] = false }
func (d *disk) seen(path string) bool { _, ok := d.dirs["\x00"+path]; return ok }

// TestMailsAreSentAfterSync traces the system calls of runs in which orders
// come, also ahead of their turn, messages are passed on and turns are played.
// It checks that everything is synced to disk whenever a mail is sent or moved,
// so that a loss of power at any moment loses nothing.
func TestMailsAreSentAfterSync(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("there is no strace")
	}
	if err != nil {
		t.Fatal(err)
	}
	w := idle(t)
	b := w.games["wolf"]
	d := &disk{root: w.dir, files: map[string]bool{}, dirs: map[string]bool{}}
	if err := filepath.WalkDir(w.dir, func(path string, _ fs.DirEntry, err error) error {
		d.see(path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	words := 0
	for round := range 4 {
		g, err := vault.Open(directory.At(b.dir), catalogue())
		if err != nil {
			t.Fatal(err)
		}
		due := g.Turn() + 1
		w.acting.Lock()
		for _, c := range b.captains {
			if round == 0 {
				break
			}
			w.relays[fmt.Sprint("Words of ", c.name, due)] = 0
			c.send(w, due, "message", accepted, fmt.Sprintf("#message wolf to all key %s\nWords of %s%d\n#end\n", turn.Key(g, due, c.name), c.name, due))
			c.send(w, due, "orders", accepted, fmt.Sprintf("#orders wolf turn %d ship %s key %s\nfinal\n#end\n", due, c.ship, turn.Key(g, due, c.name)))
			c.send(w, due+2, "orders ahead", accepted, fmt.Sprintf("#orders wolf turn %d ship %s key %s\nstanding\n  missing repeat\n#end\n", due+2, c.ship, turn.Key(g, due, c.name)))
		}
		w.acting.Unlock()
		trace := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command(strace, "-f", "-y", "-s", "200000", "-o", trace, // a mail, its end and the start of the next are sent in one call
			"-e", "trace=openat,mkdirat,unlinkat,rename,renameat,write,pwrite64,ftruncate,fsync,fdatasync,syncfs,sendto",
			must(t, plain), "serve", "--once", "--config", w.config)
		cmd.Env = append(os.Environ(), passwordEnv+"="+password)
		if out, err := cmd.CombinedOutput(); err != nil {
			if strings.Contains(string(out), "ptrace") {
				t.Skipf("nothing may be traced here: %s", out)
			}
			t.Fatalf("%v\n%s", err, out)
		}
		sending := false
		for _, call := range calls(t, trace) {
			said := d.take(call)
			switch {
			case strings.Contains(said, "UID MOVE"), strings.Contains(said, `"DATA\r\n`), strings.Contains(said, "MAIL FROM"), strings.Contains(said, `\r\n.\r\n`):
				words++
				lost := d.dirty()
				if sending {
					// The store records that a mail was sent while the next one is on its way.
					lost = slices.DeleteFunc(lost, func(s string) bool { return strings.Contains(s, "/ledger.db") })
				}
				sending = sending || strings.Contains(said, "MAIL FROM")
				if len(lost) > 0 {
					t.Errorf("round %d: before %.60q is said, these are not on the disk:\n%s", round, said, strings.Join(lost, "\n"))
				}
			}
		}
	}
	w.rest()
	if g, err := vault.Open(directory.At(b.dir), catalogue()); err != nil || g.Turn() != 3 || words < 20 {
		t.Errorf("turn %d, %d things said, %v", g.Turn(), words, err)
	}
}
