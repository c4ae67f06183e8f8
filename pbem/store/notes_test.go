package store

import (
	"slices"
	"testing"
	"time"
)

// onlyOnce expects the note to be new the first time only.
func onlyOnce(t *testing.T, name string, note func() (bool, error)) {
	t.Helper()
	for i := range 3 {
		if first, err := note(); err != nil || first != (i == 0) {
			t.Errorf("%s, time %d: first %v, %v", name, i+1, first, err)
		}
	}
}

func TestReminders(t *testing.T) {
	l, ctx := open(t), t.Context()
	for _, c := range []struct {
		game    string
		turn    int
		captain string
		which   string
	}{
		{"wolf", 1, "Hood", "24h"},
		{"wolf", 1, "Hood", "6h"},
		{"wolf", 1, "Riskadh", "24h"},
		{"wolf", 2, "Hood", "24h"},
		{"bear", 1, "Hood", "24h"},
	} {
		onlyOnce(t, c.game+c.captain+c.which, func() (bool, error) {
			return l.RecordReminder(ctx, c.game, c.turn, c.captain, c.which, noon)
		})
	}
	if got, err := l.Reminders(ctx, "wolf", 1); err != nil || !slices.Equal(got, []string{"24h", "6h"}) {
		t.Errorf("reminders %v, %v", got, err)
	}
	if got, err := l.Reminders(ctx, "wolf", 3); err != nil || len(got) != 0 {
		t.Errorf("reminders %v, %v", got, err)
	}
}

func TestAnswers(t *testing.T) {
	l, ctx := open(t), t.Context()
	answer := func(sender, kind, cause string, at time.Time) func() (bool, error) {
		return func() (bool, error) { return l.RecordAnswer(ctx, sender, kind, cause, at) }
	}
	onlyOnce(t, "help", answer("Eve@example.com", "help", "2026-03-01", noon))
	onlyOnce(t, "help another day", answer("eve@example.com", "help", "2026-03-02", noon.Add(24*time.Hour)))
	onlyOnce(t, "an answer", answer("eve@example.com", "ack", "sha", noon))
	onlyOnce(t, "to another", answer("ann@example.org", "help", "2026-03-01", noon))
	if first, err := l.RecordAnswer(ctx, "EVE@EXAMPLE.COM", "help", "2026-03-01", noon); first || err != nil {
		t.Errorf("case makes another sender: %v, %v", first, err)
	}
	count := func(kind string, since time.Time) int {
		t.Helper()
		n, err := l.Answers(ctx, "eve@Example.com", kind, since)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		kind  string
		since time.Time
		want  int
	}{
		{"", noon, 3}, {"help", noon, 2}, {"ack", noon, 1}, {"help", noon.Add(time.Hour), 1}, {"", time.Time{}, 3}, {"report", noon, 0},
	} {
		if got := count(c.kind, c.since); got != c.want {
			t.Errorf("%d answers of kind %q since %v, want %d", got, c.kind, c.since, c.want)
		}
	}
	if err := l.DeleteExpired(ctx, noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got := count("", time.Time{}); got != 1 {
		t.Errorf("%d answers are left, want 1", got)
	}
}

func TestEvents(t *testing.T) {
	l, ctx := open(t), t.Context()
	grace := Event{Game: "wolf", Turn: 3, Name: "grace", At: noon, Detail: "until later"}
	halt := Event{Game: "wolf", Turn: 3, Name: "halt", Subject: "Hood", At: noon.Add(-time.Hour)}
	for _, e := range []Event{grace, halt, {Game: "wolf", Turn: 4, Name: "grace", At: noon}} {
		onlyOnce(t, e.Name, func() (bool, error) { return l.RecordEvent(ctx, e) })
	}
	again := grace
	again.At, again.Detail = noon.Add(time.Hour), "changed"
	if _, err := l.RecordEvent(ctx, again); err != nil {
		t.Fatal(err)
	}
	if got, ok, err := l.Event(ctx, "wolf", 3, "grace", ""); err != nil || !ok || got != grace {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
	if _, ok, err := l.Event(ctx, "wolf", 3, "grace", "Hood"); ok || err != nil {
		t.Errorf("another subject: %v, %v", ok, err)
	}
	if got, ok, err := l.Event(ctx, "wolf", 3, halt.Name, halt.Subject); err != nil || !ok || got != halt {
		t.Errorf("got %+v, %v, %v", got, ok, err)
	}
}

// What is looked up at once is what is looked up one by one.
func TestAnswerHistory(t *testing.T) {
	l, ctx := open(t), t.Context()
	for range 2 { // with a statement that is kept, too
		if got, err := l.AnswerHistory(ctx, "Ann@x", noon); err != nil || got != (AnswerHistory{}) {
			t.Errorf("of nothing: %+v, %v", got, err)
		}
	}
	for i, at := range []time.Time{noon.Add(-time.Second), noon, noon.Add(time.Hour)} {
		if _, err := l.RecordAnswer(ctx, "ann@x", "ack", string(rune('a'+i)), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.RecordUnanswered(ctx, "bob@x", Unanswered{Cause: "x", At: noon}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sender string
		want   AnswerHistory
	}{
		{"Ann@x", AnswerHistory{Lately: 2}}, {"ANN@x", AnswerHistory{Lately: 2}}, {"Bob@x", AnswerHistory{Missed: true}}, {"cid@x", AnswerHistory{}},
	} {
		if got, err := l.AnswerHistory(ctx, c.sender, noon); err != nil || got != c.want {
			t.Errorf("to %s: %+v, %v; want %+v", c.sender, got, err, c.want)
		}
	}
}
