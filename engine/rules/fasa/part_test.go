package fasa

import (
	"testing"
	"testing/fstest"

	"starpost/engine"
	"starpost/engine/enginetest"
	"starpost/engine/rules/fasa/tables"
	"starpost/orders"
)

// hailed is an event of a made-up part.
type hailed struct {
	Ship string `json:"ship"`
}

func (*hailed) Type() string             { return "hailed" }
func (*hailed) Apply(*engine.Game) error { return nil }

// hailing is a made-up part: a verb, a subject, an event and its words.
func hailing() part {
	return part{
		verbs: []verb{{
			Verb:    orders.Verb{Name: "hail", Forms: []orders.Form{"hail SHIP"}, Doc: "Hail.", Examples: []string{"hail Hood"}},
			section: "phase",
			compile: func(c *compiler, n int, st orders.Statement) {
				a, _ := st.Arg("SHIP")
				if _, ok := c.target(a, false); ok {
					c.effect(st.Pos.Line, "hails in phase %d", n+1)
				}
			},
		}},
		subjects: []subject{{
			Subject: orders.Subject{Form: "late", Kind: orders.FlagSubject, Doc: "it is phase 3"},
			fact:    func(q question) (bool, bool) { return q.t.Phase.No == 3, true },
		}},
		bodies: []func() engine.Body{func() engine.Body { return new(hailed) }},
		tell: map[string]func(*narrator, engine.Body, string){
			"hailed": func(n *narrator, b engine.Body, cite string) { n.line(0, cite, n.v.Name(b.(*hailed).Ship), " hails") },
		},
	}
}

// TestSeams plays a course of made-up parts, guards, wakes, modifiers and stages.
func TestSeams(t *testing.T) {
	r := rulesOf(t, func(lib *tables.Library) (*engine.Rules, error) {
		sy := advancedCourse()
		sy.parts = append(sy.parts, hailing())
		sy.each = append([]stage{{"hails", "sensors", func(_ *rulebook, t *engine.Turn) {
			if t.Phase.No == 1 {
				t.Emit(&hailed{Ship: "hood"}, engine.SeeAll(), "stcs 7")
			}
		}}}, sy.each...)
		sy.moveRules = []moveRule{func(_ *rulebook, _ *engine.Turn, s *engine.Ship, w string) (string, []Topic) {
			if w == "FL" {
				return "the helm is stuck", []Topic{"stuck helm"}
			}
			return "", nil
		}}
		sy.afterMoves = []afterMove{func(_ *rulebook, t *engine.Turn, s *engine.Ship, w string, from engine.Place) {
			if w == "F" {
				t.Emit(&hailed{Ship: s.ID}, engine.SeeOnly(s.ID), "stcs 8")
			}
		}}
		sy.modifiers = []modifier{func(_ *rulebook, _ *engine.Turn, v *volley) (string, int, []Topic) {
			return "haze", -2, []Topic{"haze"}
		}}
		sy.ground, sy.concealments, sy.lineOfFireRules = map[string]engine.Ground{"planet": {Closed: true}}, nil, nil
		return sy.rules(lib)
	})
	enginetest.Run(t, averagePeople(r), fstest.MapFS{"seams.txt": &fstest.MapFile{Data: []byte(`title  Parts, guards, wakes, modifiers and stages of a course take part
cite   none
given
  ship   Hood one constitution-hood 0508 A
  ship   Wolf two d-10-wolf 0502 D
  terrain planet hexes=["0507"]
turn
orders Hood
  power
    move 24
    arm bank-b 5 5
  phase 1
    hail Wolf
    move FL F
  phase 2
    course 0506
  phase 3
    fire bank-b at Wolf when late
check Hood
  W170 "0507"
  W170 "0507"
  W111 "phase 3"
  says hails in phase 1
dice
  t1.p3.fire.hood.bank-b.hit 9
then
  hailed ship=hood
  skip ship=hood order=FL reason~stuck
  move ship=hood word=H
  move ship=hood word=F
  hailed ship=hood
  fire ship=hood number=10 need=8 modifiers.1.name=haze modifiers.1.value=-2 hit=false
report Wolf
  Hood hails
  ! stuck
`)}})
}
