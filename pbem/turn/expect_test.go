package turn_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"starpost/pbem/turn"
	"starpost/pbem/vault"
)

// TestWhatIsKeptIsWhatIsRead: what a game caches about order files, from checking them or before
// storing them, equals the result of reading them.
func TestWhatIsKeptIsWhatIsRead(t *testing.T) {
	plain := func(r turn.Readiness) string {
		for i := range r.Ships {
			r.Ships[i].Set = nil
		}
		return fmt.Sprintf("%+v %+v %+v %v %v %v", r.Ships, r.Bad, r.Ignored, r.AllIn(), r.AllFinal(), r.Wait())
	}
	for _, texts := range [][]string{
		{"#orders pond turn 1 ship Ada\nphase 1\n  move F\nfinal\n#end\n", "#orders pond turn 1 ship abe\nwait\n#end\n", "#orders pond turn 1 captain Bob\nfinal\n#end\n"},
		{"#orders pond turn 1 ship ADA\n  PHASE 1 ; a comment\n  move f\n#end\n", "#orders pond turn 1 captain ann-lee\nwait\n#end\n"},
		{"#orders pond turn 2 ship Ada\nphase 1\n  move F\n#end\n"},
		{},
	} {
		g := newPond(t, 1)
		p := load(t, g)
		for _, text := range texts {
			for _, set := range p.Check([]byte(text)).Sets {
				if !set.OK() {
					t.Fatalf("%v in\n%s", set.Diagnostics, text)
				}
				p.Expect(set)
				if err := g.Orders.Put(vault.At(set.Turn), set.Name, []byte(set.Text), time.Time{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		var got []string
		for range 2 {
			ready, err := p.Ready()
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, plain(ready))
		}
		want, err := load(t, openPond(t, g.Dir())).Ready()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, []string{plain(want), got[0]}) {
			t.Errorf("kept %v\nread %v", got, plain(want))
		}
		// An altered file is read, whatever is cached for it.
		if len(texts) > 0 {
			if err := g.Orders.Put(vault.At(1), "Ada", []byte("#orders pond turn 1 ship Bea\n#end\n"), time.Time{}); err != nil {
				t.Fatal(err)
			}
			if ready, err := p.Ready(); err != nil || len(ready.Bad) != 1 {
				t.Errorf("bad are %v, %v", ready.Bad, err)
			}
		}
	}
}
