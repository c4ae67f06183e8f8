package engine

import (
	"strings"
	"testing"
)

func TestAgreeDraw(t *testing.T) {
	before := &Game{ID: "pond", Turn: 3}
	after, events, err := AgreeDraw(before, []CaptainName{"Ann", "Bob"})
	if err != nil {
		t.Fatal(err)
	}
	if before.Result != nil || before.Turn != 3 {
		t.Errorf("the game before was changed: %+v", before)
	}
	r := after.Result
	if after.Turn != 4 || r == nil || !r.Draw || r.Side != "" || r.Turn != 4 || !strings.Contains(r.Why, "Ann, Bob") {
		t.Errorf("%+v of turn %d", r, after.Turn)
	}
	if len(events) != 1 || events[0].Seq != 1 || events[0].Turn != 4 || events[0].Type.Name != "victory" {
		t.Errorf("%+v", events)
	}
	if _, _, err := AgreeDraw(after, []CaptainName{"Ann"}); err == nil {
		t.Error("a game ended twice")
	}
	if _, _, err := AgreeDraw(before, nil); err == nil {
		t.Error("nobody agreed")
	}
}
