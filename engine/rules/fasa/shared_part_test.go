package fasa

import (
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/family"
	"starpost/engine/rules/fasa/play"
	"starpost/engine/rules/fasa/rulebook"
	"starpost/engine/rules/fasa/ship"
	"starpost/engine/rules/fasa/tables"
	"starpost/engine/rules/fasa/tell"
	"starpost/engine/testkit/enginetest"
	"starpost/engine/testkit/parttest"
	"starpost/orders"
)

// flareOrder is an order to launch a flare: the number of its line.
type flareOrder int

// flarePart has [parttest]'s flares in this family; launchFlares is the stage that carries out the orders.
func flarePart() part {
	return part{
		Part: rulebook.Part{
			Keeps:      []ship.Share{&parttest.Flares{}},
			Commission: func(k *rulebook.Commissioning) { k.Sys.Put(&parttest.Flares{}) },
			Verbs: []rulebook.Verb{{Verb: parttest.Order(""), Section: "phase", Compile: func(c *rulebook.Compiler, n int, st orders.Statement) {
				if why := family.ShareIn[parttest.Flares](c.Sys).Refusal(); why != "" {
					c.Fail(st.Pos, parttest.Code, "leave it out", "%s", why)
					return
				}
				all := rulebook.InPhase[flareOrder](&c.Plan, n)
				*all = append(*all, flareOrder(st.Pos.Line))
			}}},
			Panels: func(_ *rulebook.Rules, _ *engine.View, s *engine.ShipView, sys *ship.State) []engine.Panel {
				return []engine.Panel{{Key: "flares-" + string(s.ID), Title: s.Name + ": flares", Notes: []string{family.ShareIn[parttest.Flares](sys).Left()}}}
			},
		},
		events: []tell.Event{parttest.Event[*rulebook.Rules](func(n *tell.Narrator, b *parttest.Launched, cite string) { n.Line(0, cite, b.Words(n.View)) })},
	}
}

func launchFlares(l *rulebook.Rules, t *engine.Turn) {
	for _, s := range ship.Fighting(t.Game) {
		for _, line := range play.OrderedNow[flareOrder](t, s) {
			if why := parttest.Launch(t, s, "stcs 7"); why != "" {
				play.Skip(l, t, s, "", int(line), parttest.Verb, why)
			}
		}
	}
}

// TestPartOfBothFamilies adds a part to the Advanced Course that is written once for both families: its order, share, event
// and panel.
func TestPartOfBothFamilies(t *testing.T) {
	r := rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		book := advancedCourse()
		book.parts = append(book.parts, flarePart())
		book.Each = append([]rulebook.Stage{{Name: "flares", Step: "sensors", Run: launchFlares}}, book.Each...)
		return book.rules(lib)
	})
	enginetest.Run(t, averagePeople(r), fstest.MapFS{"flares.txt": &fstest.MapFile{Data: []byte(`title  A ship launches one flare a battle, and all are told
cite   none
given
  ship   Hood one constitution-hood 0508 A
  ship   Wolf two d-10-wolf 0502 D
turn
orders Hood
  power
    move 4
then
report Hood
  Hood: flares
  flares left: 1
turn
orders Hood
  power
    move 4
  phase 1
    flare
  phase 2
    flare
then
  flare ship=hood
  skip ship=hood order=flare reason~"no flare is left"
report Hood
  flares left: 0
report Wolf
  Hood launches a flare
  ! Hood: flares
turn
orders Hood
  power
    move 4
  phase 1
    flare
check Hood
  W111 "phase 2"
  E250 "no flare is left"
then
  ! flare
report Hood
  flares left: 0
`)}})
}

// Two parts with one key would read each other's shares.
func TestSharesOfOneKeyAreRefused(t *testing.T) {
	lib, err := tables.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	book := advancedCourse()
	book.parts = append(book.parts, flarePart(), flarePart())
	if _, err := book.rules(lib); err == nil {
		t.Error("a book took two parts with one key")
	}
}
