package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"starpost/pbem/clock"
	"starpost/pbem/config"
	"starpost/pbem/disk"
	"starpost/pbem/site"
)

// Notice is one piece of news.
type Notice struct {
	Game  string    `json:"game"`
	Title string    `json:"title"`
	Event string    `json:"event"` // turn, due, over or seat
	Turn  int       `json:"turn"`  // the last turn played
	Text  string    `json:"text"`
	Link  string    `json:"link,omitempty"`
	Due   time.Time `json:"due,omitzero"` // when the next turn is due
}

// mark is what a destination was last told of a game.
type mark struct {
	News string `json:"news"`           // ID of the turn
	Due  string `json:"due,omitempty"`  // ... after which the next one was announced as due
	Free bool   `json:"free,omitempty"` // it was told of free seats
}

// Notifier sends news to all destinations of a configuration.
type Notifier struct {
	URL   string // of the first page, for links; "" for none
	Clock clock.Clock
	Log   *slog.Logger

	file   string
	places []*place

	mu    sync.Mutex // guards the fields below, and the marks of places
	known []site.Public
}

// place is a destination.
type place struct {
	config.Notify
	marks map[string]mark // by game
	fresh bool            // it was never told anything: the present state is no news
	wake  chan struct{}
	post  poster
}

// Batch is how many notices go into one message.
const batch = 20

// Waits between tries: the first, and the last after repeated doubling.
const (
	firstWait = time.Minute
	lastWait  = 6 * time.Hour
)

// New returns a notifier for places, with what they were told before from a file in the state directory.
func New(places []config.Notify, state string) (*Notifier, error) {
	n := &Notifier{Clock: clock.Real{}, Log: slog.New(slog.DiscardHandler), file: filepath.Join(state, "notify.json")}
	told := map[string]map[string]mark{}
	data, err := os.ReadFile(n.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what places were told: %w", err)
	}
	if err == nil && json.Unmarshal(data, &told) != nil {
		told = map[string]map[string]mark{} // then the present state is no news
	}
	for _, p := range places {
		one := &place{Notify: p, marks: told[p.Name], wake: make(chan struct{}, 1), post: newPoster(p)}
		if one.fresh = one.marks == nil; one.fresh {
			one.marks = map[string]mark{}
		}
		n.places = append(n.places, one)
	}
	return n, nil
}

// Offer takes the current state of all games. It does not wait for any destination.
func (n *Notifier) Offer(games []site.Public) {
	n.mu.Lock()
	n.known = games
	fresh := false
	there := map[string]bool{}
	for _, g := range games {
		there[g.Game.ID] = true
	}
	for _, p := range n.places {
		for id := range p.marks {
			if !there[id] {
				delete(p.marks, id)
			}
		}
		if p.fresh {
			for _, g := range games {
				p.marks[g.Game.ID] = mark{News: g.News.ID, Free: g.Game.Join != ""}
			}
			p.fresh, fresh = false, true
		}
	}
	n.mu.Unlock()
	if fresh {
		n.note()
	}
	for _, p := range n.places {
		select {
		case p.wake <- struct{}{}:
		default: // it is already going to look
		}
	}
}

// Keep sends news to all destinations until ctx ends.
func (n *Notifier) Keep(ctx context.Context) {
	var group sync.WaitGroup
	for _, p := range n.places {
		group.Go(func() { n.keep(ctx, p) })
	}
	group.Wait()
}

// Once sends pending news to all destinations. It gives up on a destination at its first failure.
func (n *Notifier) Once(ctx context.Context) {
	var group sync.WaitGroup
	for _, p := range n.places {
		group.Go(func() {
			for notices, marks := n.due(p); len(notices) > 0; notices, marks = n.due(p) {
				if err := p.post.send(ctx, notices, n.Clock.Now()); err != nil {
					n.Log.Warn("notice not taken, the next run will retry", "place", p.Name, "err", err)
					break
				}
				n.told(p, marks)
			}
		})
	}
	group.Wait()
	n.note()
}

func (n *Notifier) keep(ctx context.Context, p *place) {
	wait, taken := firstWait, false
	for {
		notices, marks := n.due(p)
		if len(notices) == 0 {
			if taken { // once, not for each of thousands
				n.note()
				taken = false
			}
			select {
			case <-p.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		err := p.post.send(ctx, notices, n.Clock.Now())
		if err == nil {
			wait, taken = firstWait, true
			n.told(p, marks)
			continue
		}
		n.note()
		taken = false
		if ctx.Err() != nil {
			return
		}
		pause := max(wait, min(pauseOf(err), lastWait))
		n.Log.Warn("notice not taken, will retry", "place", p.Name, "err", err, "after", pause)
		select {
		case <-n.Clock.After(pause):
			wait = min(2*wait, lastWait)
		case <-ctx.Done():
			return
		}
	}
}

// due returns the next message for a destination, and its marks after that.
func (n *Notifier) due(p *place) (notices []Notice, marks map[string]mark) {
	n.mu.Lock()
	defer n.mu.Unlock()
	marks = map[string]mark{}
	for _, g := range n.known {
		if len(notices) == batch {
			break
		}
		if !p.Takes(g.Game.ID) {
			continue
		}
		before := p.marks[g.Game.ID]
		event, after := p.event(before, g, n.Clock.Now())
		if after == before {
			continue
		}
		marks[g.Game.ID] = after
		if slices.Contains(p.Events, event) {
			notices = append(notices, n.notice(event, g))
		}
	}
	if len(notices) == 0 { // nothing that the destination wants to know
		maps.Copy(p.marks, marks)
	}
	return notices, marks
}

// event returns the most important event in a game since a destination was last told of it; "" for none.
func (p *place) event(before mark, g site.Public, now time.Time) (event string, after mark) {
	after = mark{News: g.News.ID, Due: before.Due, Free: g.Game.Join != ""}
	soon, news := !g.Ends.IsZero() && g.Ends.Sub(now) <= time.Duration(p.Before), before.News != g.News.ID
	switch {
	case news && g.Game.Result != "":
		event = config.NotifyOver
	case news && slices.Contains(p.Events, config.NotifyTurn):
		if event = config.NotifyTurn; soon { // the notice says so
			after.Due = g.News.ID
		}
	case soon && before.Due != g.News.ID:
		event, after.Due = config.NotifyDue, g.News.ID
	case after.Free && !before.Free:
		event = config.NotifySeat
	}
	return event, after
}

// notice writes the text of an event.
func (n *Notifier) notice(event string, g site.Public) Notice {
	out := Notice{Game: g.Game.ID, Title: g.Game.Title, Event: event, Turn: g.Game.Turn, Due: g.Ends}
	next := strings.TrimSuffix(g.Game.Stands, ".")
	if g.Game.Due != "" {
		next += " by " + g.Game.Due
	}
	switch event {
	case config.NotifyOver:
		out.Text = fmt.Sprintf("%s (%s) is over: %s", g.Game.Title, g.Game.ID, g.Game.Result)
	case config.NotifyTurn:
		out.Text = fmt.Sprintf("%s (%s): %s %s", g.News.Title, g.Game.ID, g.News.Text, next)
	default:
		out.Text = fmt.Sprintf("%s (%s): %s", g.Game.Title, g.Game.ID, next)
	}
	if n.URL != "" {
		out.Link = strings.TrimSuffix(n.URL, "/") + "/" + g.Link
	}
	return out
}

// told records what a destination took.
func (n *Notifier) told(p *place, marks map[string]mark) {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.Copy(p.marks, marks)
}

// note saves what destinations were told.
func (n *Notifier) note() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.write(); err != nil {
		n.Log.Error("what places were told is not noted: after a restart they may be told again", "err", err)
	}
}

func (n *Notifier) write() error {
	all := map[string]map[string]mark{}
	for _, p := range n.places {
		all[p.Name] = p.marks
	}
	data, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("note what places were told: %w", err)
	}
	if err := disk.Replace(n.file, data, 0o600); err != nil {
		return fmt.Errorf("note what places were told: %w", err)
	}
	return nil
}
