package templates

import (
	"bytes"
	"strings"
	"testing"
)

func TestReplaysKeepMarkupOut(t *testing.T) {
	const evil = "</script><script>alert(1)</script>\u202e<img src=x>"
	m := Map{Counters: []Counter{{ID: "a", Name: evil, SideName: evil, Col: 1, Row: 1}}, Terrain: []Mark{{Kind: evil, Name: evil}}, Shots: []Shot{{Label: evil}}}
	r := Replay{
		Game: "g", Title: evil, Rules: evil, Whose: evil,
		Turns: []ReplayTurn{{Headline: evil, Map: m, Moments: []Moment{{
			ID: "t1", Title: evil, Map: m, Told: []Phase{{Title: evil, Lines: []Line{{Text: evil, Cite: evil}}}},
		}}}},
	}
	page, err := ReplayHTML(r)
	if err != nil {
		t.Fatal(err)
	}
	clean, err := ReplayHTML(Replay{Turns: []ReplayTurn{{Moments: []Moment{{ID: "t1"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{"<script", "</script", "<img"} {
		if got, want := bytes.Count(page, []byte(mark)), bytes.Count(clean, []byte(mark)); got != want {
			t.Errorf("%q stands %d times in the page, want %d", mark, got, want)
		}
	}
	if strings.Contains(string(page), "\u202e") {
		t.Error("the page holds a sign that turns text round")
	}
}

// TestReplaysWorkWithoutAnything draws an empty replay.
func TestReplaysWorkWithoutAnything(t *testing.T) {
	page, err := ReplayHTML(Replay{})
	if err != nil || !bytes.Contains(page, []byte("</html>")) {
		t.Errorf("an empty replay: %d bytes, %v", len(page), err)
	}
}
