package lobby

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/pbem/auth"
	"starpost/pbem/disk"
	"starpost/pbem/fault"
)

// Request is what someone asks of the host who has, for that, no seat yet: a game to be made
// for him, or a place on the waiting list. It counts once its address has confirmed it.
type Request struct {
	Address string    `json:"address"`
	Line    string    `json:"line"` // the command in canonical form
	Asked   time.Time `json:"asked"`
	// Cause is the mail that confirmed it, by its SHA-256; "" until then.
	Cause     string    `json:"cause,omitempty"`
	Confirmed time.Time `json:"confirmed,omitzero"`
	Game      string    `json:"game,omitempty"` // what was made of it, by id
	// Scenario is the text of the one that came with it; "" for none.
	Scenario string `json:"scenario,omitempty"`
	// MadeBy is the mail that had the game made.
	MadeBy string `json:"made_by,omitempty"`
}

// Waits tells a place on the waiting list.
func (r Request) Waits() bool { return !r.Confirmed.IsZero() && r.Game == "" }

// RequestsOf is how many requests of one address are kept.
const RequestsOf = 5

// Bounds of what is kept.
const (
	requestsAll = 2000 // all
	askedFor    = 8 * 24 * time.Hour
	waitFor     = 90 * 24 * time.Hour
)

// Requests are those of a host, in a file of the state directory. They may be used by
// several goroutines at once.
type Requests struct {
	mu     sync.Mutex
	file   string
	secret []byte
	list   []Request
	// observers are replaced, never changed.
	observers []Observer
}

// requestsForm is the file.
type requestsForm struct {
	Format   int       `json:"format"`
	Secret   string    `json:"secret"` // of the tokens that confirm requests, hexadecimal
	Requests []Request `json:"requests"`
	// Observers came later than the rest.
	Observers []Observer `json:"observers,omitempty"`
}

const requestsFormat = 1

// RequestsFile is the name of the file in the state directory.
const RequestsFile = "lobby.json"

// OpenRequests reads the requests of a state directory, with a new secret where there is no file.
func OpenRequests(dir string) (*Requests, error) {
	r := &Requests{file: filepath.Join(dir, RequestsFile)}
	data, err := os.ReadFile(r.file)
	if errors.Is(err, fs.ErrNotExist) {
		r.secret = make([]byte, 32)
		if _, err := rand.Read(r.secret); err != nil {
			return nil, fmt.Errorf("create the lobby's secret: %w", err)
		}
		return r, r.write()
	}
	if err != nil {
		return nil, fmt.Errorf("read the lobby's requests: %w", err)
	}
	var form requestsForm
	damaged := fault.New("remove the file; people waiting for a game must then ask again", "%s cannot be read", r.file)
	if err := json.Unmarshal(data, &form); err != nil || form.Format != requestsFormat {
		return nil, damaged
	}
	if r.secret, err = hex.DecodeString(form.Secret); err != nil || len(r.secret) < 32 {
		return nil, damaged
	}
	r.list, r.observers = form.Requests, form.Observers
	return r, nil
}

func (r *Requests) write() error {
	data, err := json.MarshalIndent(requestsForm{requestsFormat, hex.EncodeToString(r.secret), r.list, r.observers}, "", " ")
	if err != nil {
		return fmt.Errorf("write the lobby's requests: %w", err)
	}
	var b disk.Batch
	if err := b.Write(r.file, filepath.Dir(r.file), append(data, '\n'), 0o600, time.Time{}); err != nil {
		return fmt.Errorf("write the lobby's requests: %w", err)
	}
	return b.Sync()
}

// Secret is what tokens are made with.
func (r *Requests) Secret() []byte { return r.secret }

// As are the requests as they stood before a mail: what it confirmed is not confirmed, and no
// game is made of it.
func (r *Requests) As(mail string) []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.list)
	for i := range out {
		if out[i].Cause == mail {
			out[i].Cause, out[i].Confirmed = "", time.Time{}
		}
		if out[i].MadeBy == mail {
			out[i].Game, out[i].MadeBy = "", ""
		}
	}
	return out
}

// Put keeps a request, one that is there already as it is. What is old goes, and so does, of
// more than may be kept, what was asked first and never confirmed.
func (r *Requests) Put(q Request) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.list, func(o Request) bool { return same(o, q) && o.Game == "" }) {
		return nil
	}
	r.list = slices.DeleteFunc(r.list, func(o Request) bool {
		return q.Asked.Sub(o.Asked) > waitFor || !o.Waits() && q.Asked.Sub(o.Asked) > askedFor || same(o, q)
	})
	r.list = append(r.list, q)
	ofOne := func(o Request) bool { return auth.SameAddress(o.Address, q.Address) }
	anyone := func(Request) bool { return true }
	for _, b := range []struct {
		of   func(Request) bool
		most int
	}{{ofOne, RequestsOf}, {anyone, requestsAll}} {
		for count(r.list, b.of) > b.most {
			at := slices.IndexFunc(r.list, func(o Request) bool { return b.of(o) && !o.Waits() })
			if at < 0 {
				at = slices.IndexFunc(r.list, b.of)
			}
			r.list = slices.Delete(r.list, at, at+1)
		}
	}
	return r.write()
}

func count(list []Request, of func(Request) bool) int {
	n := 0
	for _, o := range list {
		if of(o) {
			n++
		}
	}
	return n
}

func same(a, b Request) bool { return a.Line == b.Line && auth.SameAddress(a.Address, b.Address) }

// Confirm notes that a mail confirmed a request.
func (r *Requests) Confirm(q Request, mail string, at time.Time) error {
	return r.change(func(o Request) bool { return same(o, q) && o.Cause == "" }, func(o *Request) { o.Cause, o.Confirmed = mail, at.UTC() })
}

// Made notes that a game was made, because of a mail, of confirmed requests.
func (r *Requests) Made(of []Request, game, mail string) error {
	return r.change(func(o Request) bool {
		return o.Game == "" && slices.ContainsFunc(of, func(q Request) bool { return same(o, q) })
	}, func(o *Request) { o.Game, o.MadeBy = game, mail })
}

// Drop takes an address off the waiting list.
func (r *Requests) Drop(address string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := len(r.list)
	r.list = slices.DeleteFunc(r.list, func(o Request) bool { return o.Game == "" && auth.SameAddress(o.Address, address) })
	if len(r.list) == known {
		return nil
	}
	return r.write()
}

func (r *Requests) change(of func(Request) bool, do func(*Request)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := false
	for i := range r.list {
		if of(r.list[i]) {
			do(&r.list[i])
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return r.write()
}

// Wish is a game that is asked for: a scenario, the rule set if it is not the scenario's own,
// and settings.
type Wish struct {
	Scenario, Rules string
	Text            string      // of a scenario that is none of the host's; else ""
	Options         [][2]string // key and value, in order
	Invite          []string    // addresses
}

// ReadWish reads a wish as it follows a command, or as a host offers it: "convoy rules
// stcs-graduate deadline=2d invite ann@example.org". "rules=stcs-graduate" serves too. The error
// says which word is not understood.
func ReadWish(words []string) (w Wish, err error) {
	inviting := false
	for i := 0; i < len(words); i++ {
		key, value, option := strings.Cut(words[i], "=")
		if text, quoted := strings.CutPrefix(value, `"`); quoted { // its words stand up to the next quotation mark
			for !strings.HasSuffix(text, `"`) {
				if i++; i == len(words) {
					return w, fmt.Errorf("the quotation mark after %s= is not closed", key)
				}
				text += " " + words[i]
			}
			value = strings.TrimSuffix(text, `"`)
		}
		switch word := strings.ToLower(words[i]); {
		case word == "rules" && i+1 < len(words):
			i++
			w.Rules, inviting = strings.ToLower(words[i]), false
		case word == "reliable" && i+1 < len(words):
			i++
			w.Options, inviting = append(w.Options, [2]string{word, words[i]}), false
		case word == "invite" && i+1 < len(words):
			inviting = true
		case option && strings.EqualFold(key, "rules"):
			w.Rules, inviting = strings.ToLower(value), false
		case inviting && strings.Contains(word, "@"):
			w.Invite = append(w.Invite, strings.Trim(words[i], "<>,"))
		case option:
			w.Options, inviting = append(w.Options, [2]string{strings.ToLower(key), value}), false
		case w.Scenario == "" && i == 0:
			w.Scenario = word
		default:
			return w, fmt.Errorf("%q is not understood here", words[i])
		}
	}
	return w, nil
}
