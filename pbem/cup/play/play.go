// Package play makes the games of cups and reads their results. Package cup pairs and
// ranks; the games are played like all others.
//
// Invariants: a round is recorded before its games are made, and each game is made once, so that the next call
// completes an interrupted one.
package play

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"starpost/engine"
	"starpost/engine/dice"
	"starpost/engine/scenario"
	"starpost/pbem/cup"
	"starpost/pbem/fault"
	"starpost/pbem/lobby"
	"starpost/pbem/rating"
	"starpost/pbem/record/directory"
	"starpost/pbem/turn"
	"starpost/pbem/vault"
	"starpost/templates"
)

// Host is the place where the games of cups are played.
type Host struct {
	Cups      cup.Cups
	Scores    rating.Scores // used to compare the sides
	Library   *lobby.Library
	Catalogue vault.Catalogue
	Folder    string // for the games
	Robot     string // sender address of their mails
	Templates *templates.Set
	Now       time.Time
}

// New creates a cup from the text of its file, after checking that its games can be made. It returns the complete
// settings.
func (h Host) New(text string) (cup.Settings, error) {
	s, err := cup.ParseSettings(text)
	if err != nil {
		return s, err
	}
	setup, err := h.setup(&s, cup.OpenGame{Game: &cup.Game{ID: s.Name}}, [2]cup.Member{{Address: "one@example.org"}, {Address: "two@example.org"}}, nil)
	if err == nil {
		err = turn.CheckSetup(h.Catalogue, setup)
	}
	if err != nil {
		return s, fault.New(fault.Hint(err), "the games of %s cannot be played: %s", s.Name, err)
	}
	sc, _ := scenario.Parse(setup.Scenario)
	if len(setup.Captains) != 2 {
		return s, fault.New("choose another scenario", "%s has %d sides; a match needs two", s.Scenario, len(setup.Captains))
	}
	s.Rules = sc.Rules
	score := -1.0
	share, known, err := h.Scores.Odds(sc.Name, sc.Rules, sc.Sides[0].ID)
	if err != nil {
		return s, err
	}
	if known {
		score = 100 * share
	}
	s.Balance(score)
	return s, h.Cups.New(s, h.Now)
}

// setup returns the setup of one game of a cup.
func (h Host) setup(s *cup.Settings, o cup.OpenGame, people [2]cup.Member, secret dice.Secret) (turn.Setup, error) {
	w := lobby.Wish{Scenario: s.Scenario, Rules: s.Rules}
	if s.Secret {
		w.Options = append(w.Options, [2]string{"anonymous", "true"})
	}
	for _, option := range s.Options {
		key, value, _ := strings.Cut(option, "=")
		w.Options = append(w.Options, [2]string{key, value})
	}
	opening := lobby.Opening{Origin: lobby.OriginCup, ID: o.Game.ID, Robot: h.Robot, Secret: secret, Now: h.Now}
	for _, p := range people {
		opening.People = append(opening.People, lobby.Person{Address: p.Address, Name: p.Name})
	}
	setup, err := h.Library.Setup(w, opening)
	setup.Options.Templates = h.Templates
	return setup, err
}

// Ratings returns a captain's rating in a rule set, by address.
type Ratings func(set, address string) int

// Pair reads the available results and, if a round is over, pairs the next one and makes its games. The error is
// [cup.ErrUnfinished], [cup.ErrOver] or another one if no round can be paired now; results that were read are recorded
// anyway, and missing games are made.
func (h Host) Pair(ctx context.Context, name string, by cup.Source, ratings Ratings) (*cup.Cup, error) {
	c, err := h.Results(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := h.make(ctx, c); err != nil {
		return nil, err
	}
	rate := func(c *cup.Cup) ([]cup.Entry, error) {
		return c.Rate(by, func(m cup.Member) int { return ratings(c.Settings.Rules, m.Address) })
	}
	if c, err = h.Cups.Change(name, rate); err != nil {
		return nil, err
	}
	paired, err := h.Cups.Change(name, func(c *cup.Cup) ([]cup.Entry, error) {
		round, err := c.Pair(by)
		return []cup.Entry{round}, err
	})
	if err != nil {
		return c, err
	}
	return paired, h.make(ctx, paired)
}

// Results records the results of finished games of a cup, and returns the cup afterwards.
func (h Host) Results(ctx context.Context, name string) (*cup.Cup, error) {
	c, err := h.Cups.Read(name)
	if err != nil {
		return nil, err
	}
	type ended struct {
		id            string
		first, second bool
	}
	open := c.Open()
	found := make([]*ended, len(open))
	err = each(ctx, len(open), func(i int) error {
		state, err := h.state(open[i].Game.ID)
		if err != nil || state == nil || state.Result == nil {
			return err
		}
		r := state.Result
		found[i] = &ended{open[i].Game.ID, !r.Draw && r.Side == state.Sides[0].ID, !r.Draw && r.Side == state.Sides[1].ID}
		return nil
	})
	if err != nil {
		return nil, err
	}
	results := func(c *cup.Cup) (entries []cup.Entry, err error) {
		for _, f := range found {
			if f == nil {
				continue
			}
			o, _ := c.Game(f.id)
			e, err := c.Played(cup.Source{By: cup.ByGame, Cause: f.id, Now: h.Now}, o, f.first, f.second)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
		return entries, nil
	}
	for _, f := range found {
		if f != nil {
			return h.Cups.Change(name, results)
		}
	}
	return c, nil
}

// state returns the state of a game of a cup; nil if it does not exist yet.
func (h Host) state(id string) (*engine.Game, error) {
	g, err := vault.Open(directory.At(filepath.Join(h.Folder, id)), h.Catalogue)
	if errors.Is(err, vault.ErrNotAGame) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", id, err)
	}
	state, err := g.Stages.State(g.Newest())
	if err != nil {
		return nil, fmt.Errorf("read game %s: %w", id, err)
	}
	return state, nil
}

// make makes the missing games of a cup.
func (h Host) make(ctx context.Context, c *cup.Cup) error {
	open := c.Open()
	return each(ctx, len(open), func(i int) error {
		dir := filepath.Join(h.Folder, open[i].Game.ID)
		if state, err := h.state(open[i].Game.ID); err != nil || state != nil {
			return err
		}
		secret, err := dice.NewSecret(rand.Reader)
		if err != nil {
			return fmt.Errorf("create the secret of game %s: %w", open[i].Game.ID, err)
		}
		first, second := c.Players(open[i])
		setup, err := h.setup(&c.Settings, open[i], [2]cup.Member{first, second}, secret)
		if err == nil {
			_, err = turn.Create(dir, h.Catalogue, setup)
		}
		if err != nil {
			return fmt.Errorf("create game %s: %w", open[i].Game.ID, err)
		}
		return nil
	})
}

// waiting is the number of games made at once per processor: most of the time they wait for the disk.
const waiting = 8

// each calls do for the numbers below n, several at once, until the first error.
func each(ctx context.Context, n int, do func(int) error) error {
	var group sync.WaitGroup
	var begun atomic.Int64
	failed := make([]error, waiting*runtime.GOMAXPROCS(0))
	for k := range failed {
		group.Go(func() {
			for i := int(begun.Add(1)) - 1; i < n && failed[k] == nil; i = int(begun.Add(1)) - 1 {
				failed[k] = cmp.Or(ctx.Err(), do(i))
			}
		})
	}
	group.Wait()
	return errors.Join(failed...)
}
