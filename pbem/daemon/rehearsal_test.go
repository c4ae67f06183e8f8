package daemon_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRehearsalsOfAnHour: rehearsals beyond a captain's hourly limit are refused, but not those of another captain.
func TestRehearsalsOfAnHour(t *testing.T) {
	w := newWorld(t)
	w.cfg.AnswersPerHour = 100
	g := w.game("wolf", schedule())
	w.run()
	for i := range 21 {
		w.box.put(w.command(kirk, w.keyed(g, "Kirk"), fmt.Sprintf("#rehearse times %d\n", i+1)))
	}
	w.box.put(w.command(kor, w.keyed(g, "Kor"), "#rehearse times 1\n"))
	sent := w.run()
	played, refused := 0, 0
	for _, m := range sent.to(kirk, "") {
		if strings.Contains(strings.Join(strings.Fields(m.Text), " "), "the limit is 20 rehearsals an hour") {
			refused++
		} else if strings.Contains(m.Text, "with other dice") {
			played++
		}
	}
	if played != 20 || refused != 1 {
		t.Errorf("%d were played and %d refused", played, refused)
	}
	if theirs := sent.to(kor, ""); len(theirs) != 1 || !strings.Contains(theirs[0].Text, "with other dice") {
		t.Errorf("another captain: %s", theirs)
	}
}
