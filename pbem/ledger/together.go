package ledger

import (
	"context"
	"errors"
	"fmt"
)

// Together runs f and commits all that f does to the ledger at once, or nothing
// of it: the methods of the ledger that are called with f's context belong
// together. That costs one wait for the disk instead of one for each.
//
// Until f returns nobody else gets at the ledger, so f must not wait for anybody
// who wants to. After an error of one of the methods that change something
// nothing more can be done together: all others fail too, and so does Together.
//
// f's context does not end with ctx: what was done is worth keeping.
func (l *Ledger) Together(ctx context.Context, f func(context.Context) error) error {
	g := &group{ledger: l}
	ctx = context.WithoutCancel(ctx)
	within := func(tx *transaction) error {
		g.tx = tx
		if err := f(context.WithValue(ctx, groupKey{}, g)); err != nil {
			return err
		}
		if g.broken != nil || len(g.traces) == 0 {
			return g.broken
		}
		return l.trail.note(g.traces...)
	}
	if err := l.within(ctx, within); err != nil {
		return errors.Join(err, g.undo())
	}
	for _, after := range g.after {
		if err := after(); err != nil {
			return err
		}
	}
	return nil
}

// group is what is done together.
type group struct {
	ledger *Ledger
	tx     *transaction
	broken error          // why it cannot be committed any more
	traces []trace        // to be noted before it is committed
	after  []func() error // to be done once it is committed
	kept   []string       // letters whose carbons were made
}

type groupKey struct{}

// together is the group that a context belongs to; nil for none.
func (d *database) together(ctx context.Context) *group {
	if g, ok := ctx.Value(groupKey{}).(*group); ok && g.ledger.db == d {
		return g
	}
	return nil
}

// run is within for a part of the group.
func (g *group) run(f func(*transaction) error) error {
	if g.broken != nil {
		return fmt.Errorf("what belongs together failed before: %w", g.broken)
	}
	err := f(g.tx)
	if err != nil {
		// SQLite may have undone everything, and would commit what follows by
		// itself.
		g.broken = err
	}
	return err
}

// note leaves a trace of what is done within a transaction.
func (l *Ledger) note(ctx context.Context, all ...trace) error {
	if g := l.db.together(ctx); g != nil {
		g.traces = append(g.traces, all...)
		return nil
	}
	return l.trail.note(all...)
}

// afterwards does something once what was done before is committed.
func (l *Ledger) afterwards(ctx context.Context, do func() error) error {
	if g := l.db.together(ctx); g != nil {
		g.after = append(g.after, do)
		return nil
	}
	return do()
}

// undo removes what was made outside of the database.
func (g *group) undo() error {
	var all []error
	for _, id := range g.kept {
		all = append(all, g.ledger.carbons.drop(id))
	}
	return errors.Join(all...)
}
