package engine

import (
	"reflect"
	"testing"
)

// TestEarlierEventsAreReadAsTheyWereSeen: files of earlier versions list what the rest does not see, and have
// everybody as a ship. Each is read with its present meaning.
func TestEarlierEventsAreReadAsTheyWereSeen(t *testing.T) {
	for line, want := range map[string]See{
		`{"type":"message","see":{"whole":["*"]}}`:                                                        SeeAll().And(talkSender).And(talkWords),
		`{"type":"message","see":{"whole":["hood"],"rest":true,"cut":["ship"],"among":["kor"]}}`:          {Whole: CaptainSeats("hood"), Rest: true, Also: []string{talkWords}, Among: []ShipID{"kor"}},
		`{"type":"score","see":{"rest":true,"cut":["quiet","known"],"among":["hood"]}}`:                   SeeAmong("hood"),
		`{"type":"move","see":{"whole":["hood"],"rest":true,"cut":["reactive"]}}`:                         SeeAll("hood"),
		`{"type":"message","see":{"whole":["hood/helm"],"rest":true,"also":["sender"],"among":["hood"]}}`: {Whole: []Seat{{"hood", "helm"}}, Rest: true, Also: []string{talkSender}, Among: []ShipID{"hood"}},
		`{"type":"luck"}`: {},
	} {
		e, err := DecodeEvent([]byte(line), &Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if len(e.See.Whole) == 0 {
			e.See.Whole = nil
		}
		if !reflect.DeepEqual(e.See, want) {
			t.Errorf("%s: got %+v, want %+v", line, e.See, want)
		}
	}
}

type misspelt struct {
	Bare
	Secret int `json:"secret" see:"enginer"`
}

// Bare is a body without fields.
type Bare struct{}

// extended is an extension that has events.
type extended struct {
	Extension
	events *EventTypes
}

func (x extended) Events() *EventTypes { return x.events }

// TestTagsNameAudiences: a rule set with an unknown audience in a tag is refused, and a field without tags is only
// for viewers of the whole event.
func TestTagsNameAudiences(t *testing.T) {
	if err := (&Rules{}).CheckEvents(); err != nil {
		t.Error(err)
	}
	events := ListEvents(EventOf[misspelt]("misspelt"))
	for name, r := range map[string]*Rules{"its own": {Events: events}, "its extension's": {Extension: extended{events: events}}} {
		if err := r.CheckEvents("engineer"); err == nil {
			t.Errorf("a misspelt audience of %s events is let pass", name)
		}
	}
	if err := (&Rules{Events: ListEvents(EventOf[Bare]("bare"), EventOf[Roll]("bare"))}).CheckEvents(); err == nil {
		t.Error("two types of events of one name are let pass")
	}
	e := Event{See: SeeAll("hood"), Type: EventOf[Score]("score"), Body: &Score{Side: "a", Points: 3, Quiet: true}}
	a := e.Type.audience
	if got := a.only(e.Body, a.rest(e.See.Also)); !reflect.DeepEqual(got, &Score{Side: "a", Points: 3}) {
		t.Errorf("others see %+v", got)
	}
	if got := Hidden(&e); len(got) != 1 || got[0] != "quiet" {
		t.Errorf("hidden are %q", got)
	}
}
