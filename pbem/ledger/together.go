package ledger

import (
	"context"
	"errors"
	"fmt"

	"starpost/pbem/disk"
)

// Group runs f and commits all that f does to the ledger at once, or nothing
// of it: the methods of the ledger that are called with f's context belong
// together. That costs one wait for the disk instead of one for each.
//
// Until f returns no one else gets at the ledger, so f must not wait for anybody
// who wants to. After an error of one of the methods that change something
// nothing more can be done together: all others fail too, and so does Group.
//
// f's context does not end with ctx: what was done is worth keeping.
func (l *Ledger) Group(ctx context.Context, f func(context.Context) error) error {
	return l.GroupWith(ctx, &disk.Batch{}, f)
}

// GroupWith is Group for what rests on files that f writes: what is noted
// in soon by then is on stable storage before anything is committed, with one
// wait for it and for the ledger's own files.
func (l *Ledger) GroupWith(ctx context.Context, soon *disk.Batch, f func(context.Context) error) error {
	g := &group{ledger: l}
	ctx = context.WithoutCancel(ctx)
	within := func(tx *transaction) error {
		g.tx = tx
		if err := f(context.WithValue(ctx, groupKey{}, g)); err != nil {
			return err
		}
		if g.broken != nil {
			return g.broken
		}
		if err := g.writeSegment(soon); err != nil {
			return err
		}
		if err := soon.Sync(); err != nil {
			return fmt.Errorf("wait for the disk: %w", err)
		}
		if len(g.traces) == 0 {
			return nil
		}
		return l.journal.note(g.traces...)
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
	draft  draft          // mails that are queued
}

// keep puts a mail into the group's segment.
func (g *group) keep(m OutboxMessage) (at place, err error) {
	if g.draft.number == 0 {
		if g.draft.number, err = g.ledger.segments.begin(); err != nil {
			return place{}, err
		}
		g.draft.text = g.ledger.spare[:0]
	}
	from := len(g.draft.text)
	if g.draft.text, err = appendRecord(g.draft.text, m); err != nil {
		return place{}, err
	}
	g.draft.messages++
	return place{g.draft.number, int64(from), int64(len(g.draft.text) - from)}, nil
}

// unkeep takes back the mail that was kept last.
func (g *group) unkeep(at place) {
	g.draft.text = g.draft.text[:at.offset]
	g.draft.messages--
}

// maxSpare bounds the memory that is kept for the next segment.
const maxSpare = 2 << 20

// writeSegment writes the group's segment, if there is anything in it.
func (g *group) writeSegment(soon *disk.Batch) error {
	if c := cap(g.draft.text); c > 0 && c <= maxSpare {
		g.ledger.spare = g.draft.text
	}
	if g.draft.messages == 0 {
		return nil
	}
	path, err := g.ledger.segments.write(g.draft)
	if err != nil {
		return err
	}
	soon.FileWritten(path)
	return nil
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
		return fmt.Errorf("the group failed before: %w", g.broken)
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
	return l.journal.note(all...)
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
	if g.draft.messages == 0 {
		return nil
	}
	return g.ledger.segments.drop(g.draft.number)
}
