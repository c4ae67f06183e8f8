package vault

import (
	"errors"
	"fmt"
)

// Steps are the points at which writing a game may be cut short by a crash, in
// the order of a commit; each stands before the step it is named for. They are
// there for tests that do just that (see [Game.Before]).
var Steps = []string{
	"build", // a turn's directory is begun
	"file",  // ... a file of it is written
	"sync",  // ... all of it goes to the disk
	"rename",
	"sync turns",
	"close", // the directory of a closing is written
	"close rename",
	"clean", // after a commit, and whenever the lock is taken
	"sweep", // a resolved order set is taken out of orders/
	"park",  // an order set is copied aside, for turns are taken back
	"put",   // an amended order set is written beside its place, or put there
	"journal open",
	"journal write",
	"journal sync",
}

// OnStep has ask called before each of Steps. Its error stops there and leaves
// all as it is, as a crash would. It may be called from any goroutine, one at a
// time.
func (g *Game) OnStep(ask func(step string) error) {
	g.step = func(step string) error {
		if err := ask(step); err != nil {
			return fmt.Errorf("%w: %w", errSimulatedCrash, err)
		}
		return nil
	}
}

// errSimulatedCrash is returned as it is: nothing is tidied up.
var errSimulatedCrash = errors.New("stopped as by a crash")

func (g *Game) before(name string) error {
	if g.step == nil {
		return nil
	}
	return g.step(name)
}
