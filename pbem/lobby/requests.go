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

// Request is a request to the host from someone without a seat for it: a game to be made, or a
// place on the waiting list. It counts once its address has confirmed it.
type Request struct {
	Address string    `json:"address"`
	Line    string    `json:"line"` // the command in canonical form
	Asked   time.Time `json:"asked"`
	// Cause is the SHA-256 of the mail that confirmed it; "" until then.
	Cause     string    `json:"cause,omitempty"`
	Confirmed time.Time `json:"confirmed,omitzero"`
	Game      string    `json:"game,omitempty"` // ID of the game made of it
	// Scenario is the text of the scenario in the mail; "" for none.
	Scenario string `json:"scenario,omitempty"`
	// MadeBy is the mail that caused the game to be made.
	MadeBy string `json:"made_by,omitempty"`
}

// Waits reports whether the request is a place on the waiting list.
func (r Request) Waits() bool { return !r.Confirmed.IsZero() && r.Game == "" }

// RequestsOf limits the requests of one address.
const RequestsOf = 5

// Limits of stored requests.
const (
	requestsAll = 2000 // total
	askedFor    = 8 * 24 * time.Hour
	waitFor     = 90 * 24 * time.Hour
)

// Requests are the requests of a host, in a file of the state directory. They are safe for
// concurrent use.
type Requests struct {
	mu     sync.Mutex
	file   string
	secret []byte
	list   []Request
	// observers is replaced, never changed in place.
	observers []Observer
}

// requestsForm is the content of the file.
type requestsForm struct {
	Format   int       `json:"format"`
	Secret   string    `json:"secret"` // of the tokens that confirm requests, hexadecimal
	Requests []Request `json:"requests"`
	// Observers were added later.
	Observers []Observer `json:"observers,omitempty"`
}

const requestsFormat = 1

// RequestsFile is the name of the file in the state directory.
const RequestsFile = "lobby.json"

// OpenRequests reads the requests of a state directory, with a new secret if there is no file.
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

// Secret returns the secret of the tokens.
func (r *Requests) Secret() []byte { return r.secret }

// As returns the requests as they were before a mail: what it confirmed is unconfirmed, and no game
// is made of it.
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

// Put stores a request unless it exists. It removes old ones and, if there are too many, the oldest
// that were never confirmed.
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

// Confirm records that a mail confirmed a request.
func (r *Requests) Confirm(q Request, mail string, at time.Time) error {
	return r.change(func(o Request) bool { return same(o, q) && o.Cause == "" }, func(o *Request) { o.Cause, o.Confirmed = mail, at.UTC() })
}

// Made records that, because of a mail, a game was made of confirmed requests.
func (r *Requests) Made(of []Request, game, mail string) error {
	return r.change(func(o Request) bool {
		return o.Game == "" && slices.ContainsFunc(of, func(q Request) bool { return same(o, q) })
	}, func(o *Request) { o.Game, o.MadeBy = game, mail })
}

// Drop removes an address from the waiting list.
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

// Wish is a requested game: a scenario, the rule set if it is not the scenario's own, and settings.
type Wish struct {
	Scenario, Rules string
	Text            string      // of a scenario from the mail; else ""
	Options         [][2]string // key and value, in order
	Invite          []string    // addresses
}

// ReadWish parses a wish after a command, or in a host's offer: "convoy rules stcs-graduate
// deadline=2d invite ann@example.org". It also accepts "rules=stcs-graduate". The error names the
// word that is not understood.
func ReadWish(words []string) (w Wish, err error) {
	inviting := false
	for i := 0; i < len(words); i++ {
		key, value, option := strings.Cut(words[i], "=")
		if text, quoted := strings.CutPrefix(value, `"`); quoted { // words up to the closing quotation mark
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
