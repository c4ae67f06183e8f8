package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/site"
	"starpost/templates/pages"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// stopped is a clock that a test controls: it announces each wait, which ends when the test says so.
type stopped struct {
	mu    sync.Mutex
	now   time.Time
	waits chan time.Duration
	end   chan time.Time
}

func (c *stopped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}
func (*stopped) Elapsed() time.Duration { return 0 }
func (c *stopped) After(d time.Duration) <-chan time.Time {
	c.waits <- d
	return c.end
}

// over ends the current wait, and returns its length.
func (c *stopped) over() time.Duration {
	d := <-c.waits
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	c.end <- c.now
	return d
}

func newStopped() *stopped {
	return &stopped{now: noon, waits: make(chan time.Duration, 1000), end: make(chan time.Time)}
}

// game returns a game as on the pages.
func game(id string, turn int) site.Public {
	return site.Public{
		Game: pages.SiteGame{ID: id, Title: "Wolf", Turn: turn, Stands: fmt.Sprintf("Turn %d is due", turn+1), Due: "Tuesday"},
		News: pages.News{ID: fmt.Sprintf("%s/%d", id, turn), Title: fmt.Sprintf("Wolf: turn %d", turn), Text: "Hood fires."}, Link: "games/" + id + ".html", Ends: noon.Add(72 * time.Hour),
	}
}

// heard is a request as received by a destination.
type heard struct {
	path, body string
	header     http.Header
}

// listener is a destination that answers as given.
func listener(t *testing.T, answer func(w http.ResponseWriter, n int)) (address string, got chan heard) {
	t.Helper()
	got = make(chan heard, 10_000)
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		got <- heard{q.Method + " " + q.URL.Path, string(body), q.Header}
		n++
		answer(w, n)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

func taken(http.ResponseWriter, int) {}

// at returns a configured destination.
func at(kind, address string) config.Notify {
	return config.Notify{
		Name: kind, Kind: kind, Address: config.NewSecret(address), Private: true, Before: clock.Day,
		Events: []string{config.NotifyTurn, config.NotifyDue, config.NotifyOver, config.NotifySeat},
	}
}

// running returns a running notifier with a stopped clock.
func running(t *testing.T, state string, places ...config.Notify) (*Notifier, *stopped) {
	t.Helper()
	n, err := New(places, state)
	if err != nil {
		t.Fatal(err)
	}
	c := newStopped()
	n.Clock, n.URL = c, "https://example.org/starpost"
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); n.Keep(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return n, c
}

// TestPlacesAreTold: destinations get news once each, in their own formats. What was there before is no news.
func TestPlacesAreTold(t *testing.T) {
	for _, kind := range []string{config.NotifyJSON, config.NotifyDiscord, config.NotifyMatrix, config.NotifyNtfy} {
		t.Run(kind, func(t *testing.T) {
			address, got := listener(t, taken)
			place := at(kind, address)
			place.Secret, place.Token, place.Room = config.NewSecret("s3cret"), config.NewSecret("t0ken"), "!a:b"
			state := t.TempDir()
			n, _ := running(t, state, place)
			n.Offer([]site.Public{game("wolf", 0)})
			n.Offer([]site.Public{game("wolf", 1)})
			h := <-got
			for _, want := range []string{"Wolf: turn 1", "Hood fires.", "Turn 2 is due by Tuesday", "https://example.org/starpost/games/wolf.html"} {
				if !strings.Contains(h.body, want) {
					t.Errorf("%q is not in %s", want, h.body)
				}
			}
			mac := hmac.New(sha256.New, []byte("s3cret"))
			mac.Write(fmt.Appendf(nil, "%d.%s", noon.Unix(), h.body))
			if want := fmt.Sprintf("sha256=%x", mac.Sum(nil)); h.header.Get("X-Starpost-Signature") != want {
				t.Errorf("the signature is %s, want %s", h.header.Get("X-Starpost-Signature"), want)
			}
			if h.header.Get("Authorization") != "Bearer t0ken" {
				t.Error("the token is not sent")
			}
			if want := map[string]string{config.NotifyMatrix: "PUT /_matrix/client/v3/rooms/!a:b/send/m.room.message/"}[kind]; !strings.HasPrefix(h.path, want) {
				t.Errorf("it went to %s", h.path)
			}
			over := game("wolf", 2)
			over.Game.Result, over.Ends = "Federation wins.", time.Time{}
			n.Offer([]site.Public{over})
			if h := <-got; !strings.Contains(h.body, "is over: Federation wins.") || strings.Contains(h.body, "turn 1") {
				t.Errorf("at the end it was told %s", h.body)
			}
		})
	}
}

// TestDueAndSeats: a turn is announced as due once, within the configured time, and a seat when it becomes free.
// Other games and events are not announced.
func TestDueAndSeats(t *testing.T) {
	address, got := listener(t, taken)
	place := at(config.NotifyJSON, address)
	place.Games, place.Events = []string{"wolf*"}, []string{config.NotifyDue, config.NotifySeat}
	n, _ := running(t, t.TempDir(), place)
	wolf, lamb := game("wolf-1", 1), game("lamb", 1)
	n.Offer([]site.Public{lamb, wolf})
	wolf.Ends, lamb.Ends = noon.Add(23*time.Hour), noon.Add(time.Hour)
	n.Offer([]site.Public{lamb, wolf})
	told := func(event string) {
		t.Helper()
		var body struct{ Notices []Notice }
		if err := json.Unmarshal([]byte((<-got).body), &body); err != nil || len(body.Notices) != 1 || body.Notices[0].Event != event || body.Notices[0].Game != "wolf-1" {
			t.Errorf("%v: got %+v, want %s", err, body.Notices, event)
		}
	}
	told(config.NotifyDue)
	wolf.Game.Join = "join wolf-1 as Hood"
	n.Offer([]site.Public{lamb, wolf})
	told(config.NotifySeat)
	wolf = game("wolf-1", 2)
	n.Offer([]site.Public{lamb, wolf})
	wolf.Ends = noon.Add(time.Hour)
	n.Offer([]site.Public{lamb, wolf})
	told(config.NotifyDue)
}

// TestPlaceAwayForAWeek: a destination that was away gets only the newest of each game, and is tried more and more
// rarely meanwhile. A restart changes nothing.
func TestPlaceAwayForAWeek(t *testing.T) {
	const tries = 35
	address, got := listener(t, func(w http.ResponseWriter, n int) {
		if n < tries {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	state := t.TempDir()
	n, c := running(t, state, at(config.NotifyJSON, address))
	n.Offer([]site.Public{game("wolf", 0)})
	n.Offer([]site.Public{game("wolf", 1)})
	var waited time.Duration
	for i := 1; i < tries; i++ {
		<-got
		d := c.over()
		if want := min(time.Minute<<min(i-1, 20), 6*time.Hour); d != want {
			t.Fatalf("wait %d is %s, want %s", i, d, want)
		}
		waited += d
		if i == 20 {
			n.Offer([]site.Public{game("wolf", 9)})
		}
	}
	if waited < 6*24*time.Hour {
		t.Fatalf("the place was away for %s only", waited)
	}
	if h := <-got; !strings.Contains(h.body, "turn 9") || strings.Contains(h.body, "turn 1") || strings.Count(h.body, `"event"`) != 1 {
		t.Errorf("back again it was told %s", h.body)
	}
	n.Offer([]site.Public{game("wolf", 10)})
	<-got
	again, err := New([]config.Notify{at(config.NotifyJSON, address)}, state)
	if err != nil {
		t.Fatal(err)
	}
	again.Clock = c
	again.Offer([]site.Public{game("wolf", 10)})
	if notices, _ := again.due(again.places[0]); len(notices) > 1 || len(notices) == 1 && notices[0].Turn != 10 {
		t.Errorf("after a restart it is told %+v", notices)
	}
}

// TestFiveThousandDueAtOnce: Offer does not wait while one destination hangs. Another gets all notices, in few
// messages, and one that asks for a pause gets it.
func TestFiveThousandDueAtOnce(t *testing.T) {
	const games = 5000
	hang := make(chan struct{})
	slow, _ := listener(t, func(http.ResponseWriter, int) { <-hang })
	fast, got := listener(t, taken)
	t.Cleanup(func() { close(hang) })
	hanging := at(config.NotifyDiscord, slow)
	n, _ := running(t, t.TempDir(), hanging, at(config.NotifyJSON, fast))
	all := func(turn int) (out []site.Public) {
		for i := range games {
			out = append(out, game(fmt.Sprintf("g%04d", i), turn))
		}
		return out
	}
	n.Offer(all(0))
	n.Offer(all(1)) // returns though no destination has taken anything
	told := map[string]bool{}
	messages := 0
	for len(told) < games {
		var body struct{ Notices []Notice }
		if err := json.Unmarshal([]byte((<-got).body), &body); err != nil {
			t.Fatal(err)
		}
		messages++
		for _, one := range body.Notices {
			if told[one.Game] {
				t.Fatalf("%s was told twice", one.Game)
			}
			told[one.Game] = true
		}
	}
	if messages > games/batch {
		t.Errorf("%d games took %d messages", games, messages)
	}
}

func TestPauseThatAPlaceAsksFor(t *testing.T) {
	address, got := listener(t, func(w http.ResponseWriter, n int) {
		if n == 1 {
			w.Header().Set("Retry-After", "900")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	n, c := running(t, t.TempDir(), at(config.NotifyNtfy, address))
	n.Offer([]site.Public{game("wolf", 0)})
	n.Offer([]site.Public{game("wolf", 1)})
	<-got
	if d := c.over(); d != 15*time.Minute {
		t.Errorf("it waited %s, want 15m", d)
	}
	<-got
}

// TestWhatIsRefused: this machine and private networks, whatever name leads there, redirections, and hanging servers
// are refused.
func TestWhatIsRefused(t *testing.T) {
	address, got := listener(t, func(w http.ResponseWriter, _ int) {
		w.Header().Set("Location", "http://127.0.0.1:1/")
		w.WriteHeader(http.StatusFound)
	})
	port := address[strings.LastIndexByte(address, ':'):]
	for _, url := range []string{address, "http://localhost" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port, "http://2130706433" + port} {
		p := at(config.NotifyJSON, url)
		p.Private = false
		if err := newPoster(p).send(t.Context(), []Notice{{}}, noon); err == nil || strings.Contains(err.Error(), port) {
			t.Errorf("%s: got %v", url, err)
		}
	}
	select {
	case h := <-got:
		t.Errorf("the machine itself was told %s", h.body)
	default:
	}
	if err := newPoster(at(config.NotifyJSON, address)).send(t.Context(), []Notice{{}}, noon); err == nil || !strings.Contains(err.Error(), "a redirection, which is not followed") {
		t.Errorf("a redirection: got %v", err)
	}
	hang := make(chan struct{})
	slow, _ := listener(t, func(http.ResponseWriter, int) { <-hang })
	t.Cleanup(func() { close(hang) })
	p := newPoster(at(config.NotifyJSON, slow))
	p.limit = time.Millisecond
	if err := p.send(t.Context(), []Notice{{}}, noon); err == nil || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Errorf("one that hangs: got %v", err)
	}
	for a, want := range map[string]bool{
		"93.184.216.34": true, "2606:2800:220:1::1": true, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"127.8.8.8": false, "::1": false, "fe80::1": false, "fd00::1": false, "::ffff:10.0.0.1": false, "64:ff9b::a00:1": false, "224.0.0.1": false, "255.255.255.255": false, "0.0.0.0": false, "::": false,
	} {
		if got := public(netip.MustParseAddr(a)); got != want {
			t.Errorf("%s is public: got %t, want %t", a, got, want)
		}
	}
}

// TestTextsFitTheirPlaces: texts fit the limits, whatever the notices.
func TestTextsFitTheirPlaces(t *testing.T) {
	long := []Notice{{Text: strings.Repeat("\u00e4", 3000)}}
	if got := text(long, maxDiscord); len(got) > maxDiscord || !strings.HasPrefix(got, "\u00e4") || strings.ContainsRune(got, 0xfffd) {
		t.Errorf("one long notice has %d bytes", len(got))
	}
	var many []Notice
	for range batch {
		many = append(many, Notice{Text: strings.Repeat("x", 300)})
	}
	if got := text(many, maxDiscord); len(got) > maxDiscord || !strings.HasSuffix(got, "\nand 14 more") {
		t.Errorf("many have %d bytes and end in %.20q", len(got), got[len(got)-20:])
	}
}

// TestNotesThatCannotBeRead: old news is not sent again.
func TestNotesThatCannotBeRead(t *testing.T) {
	state := t.TempDir()
	if err := os.WriteFile(filepath.Join(state, "notify.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	n, err := New([]config.Notify{at(config.NotifyJSON, "http://127.0.0.1:1")}, state)
	if err != nil {
		t.Fatal(err)
	}
	n.Clock = newStopped()
	n.Offer([]site.Public{game("wolf", 5)})
	if notices, _ := n.due(n.places[0]); len(notices) > 0 {
		t.Errorf("it is told %+v", notices)
	}
}
