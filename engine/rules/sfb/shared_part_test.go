package sfb

import (
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/sfb/play"
	"starpost/engine/rules/sfb/rulebook"
	"starpost/engine/rules/sfb/sheet"
	"starpost/engine/rules/sfb/state"
	"starpost/engine/rules/sfb/tell"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/parttest"
	"starpost/orders"
)

// flarePart has [parttest]'s flares in this family.
var flarePart = part{
	Part: rulebook.Part{
		Has:   func(*rulebook.Book) bool { return true },
		Keeps: []family.Share{&parttest.Flares{}},
		Verbs: func(*rulebook.Book) (power, phase []orders.Verb) {
			return nil, []orders.Verb{parttest.Order(" [on IMPULSE]")}
		},
		Read: func(c *rulebook.Compiler, _ *rulebook.Act, st orders.Statement) bool {
			why := family.ShareIn[parttest.Flares](c.Sys).Refusal()
			if why != "" {
				c.Fail(st.Pos, parttest.Code, "leave it out", "%s", why)
			}
			return why == ""
		},
		Act: func(l *rulebook.Rules, t *engine.Turn) {
			play.CarryOut(l, t, parttest.Verb, func(s, _ *engine.Ship, _ *rulebook.Act) string { return parttest.Launch(t, s, "cadet C1") })
		},
		Sheet: func(_ *rulebook.Rules, _ *engine.View, sys *state.System) []string {
			return []string{family.ShareIn[parttest.Flares](sys).Left()}
		},
	},
	events: []tell.Event{parttest.Event[*rulebook.Rules](tell.Says(func(_ *rulebook.Rules, v *engine.View, b *parttest.Launched) string { return b.Words(v) }))},
}

// TestPartOfBothFamilies adds a part to the cadet game that is written once for both families: its order, share, event and
// line of the sheet.
func TestPartOfBothFamilies(t *testing.T) {
	classes, err := sheet.Classes(nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules(cadet(), classes, &flarePart)
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Run(t, r, fstest.MapFS{"flares.txt": &fstest.MapFile{Data: []byte(`title  A ship launches one flare a battle, and all are told
cite   none
given
  side   federation Federation
  side   klingon Klingon
  ship   Destruction klingon cadet-klingon 1022 A
  ship   Reliant federation cadet-federation 1010 D
turn
then
report Reliant
  flares left: 1
turn
orders Reliant
  phase 1
    flare on 2
  phase 2
    flare
then
  flare ship=reliant
  skip ship=reliant reason~"no flare is left"
report Reliant
  flares left: 0
report Destruction
  Reliant launches a flare
  flares left: 1
  ! flares left: 0
turn
orders Reliant
  phase 1
    flare
check Reliant
  E250 "no flare is left"
then
  ! flare
`)}})
}

// Two parts with one key would read each other's shares.
func TestSharesOfOneKeyAreRefused(t *testing.T) {
	if _, err := rules(cadet(), nil, &flarePart, &part{Part: flarePart.Part}); err == nil {
		t.Error("a book took two parts with one key")
	}
}
