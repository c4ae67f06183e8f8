package blind

import (
	"fmt"
	"slices"
	"strings"
)

// Settings says how a game is played in the dark.
type Settings struct {
	Talk        string `toml:"talk" json:"talk"`
	Recognition string `toml:"recognition" json:"recognition"`
	Text        string `toml:"text" json:"text"` // whether captains get the scenario's text
	Memory      *int   `toml:"memory" json:"memory"`
	Codes       *int   `toml:"codes" json:"codes,omitempty"`   // code books of each side; nil: the default
	Echoes      int    `toml:"echoes" json:"echoes,omitempty"` // false contacts that sensors show, per turn and captain
	Chart       string `toml:"chart" json:"chart,omitempty"`   // whether captains know the terrain; blank: they do
	Votes       string `toml:"votes" json:"votes,omitempty"`   // whether captains are told that one of them has voted for a draw; blank: they are
}

// Books returns how many code books a side has (F18).
func (s Settings) Books() int {
	if s.Codes == nil {
		return usualBooks
	}
	return *s.Codes
}

// Values and limits of settings.
const (
	TalkSide    = "side"   // coded talk reaches the own side at any distance
	TalkRange   = "range"  // ... within the range at which its readers' sensors would detect the speaker
	TalkNone    = "none"   // no ship hears another
	Recognised  = "signal" // ships of the own side within range are known by name
	Anonymous   = "none"   // ... are contacts like others
	TextHidden  = "hidden" // captains do not get the scenario's text, which may give away too much
	TextTold    = "told"
	ChartKnown  = "known"   // captains know the terrain of the map
	Uncharted   = "unknown" // ... only what their own ships have found of it
	VotesTold   = "told"    // captains are told that one of them has voted for a draw
	VotesSecret = "secret"  // ... they are not
	usualMemory = 5
	mostMemory  = 100
	usualBooks  = 2
	mostBooks   = 9
	mostEchoes  = 9
)

// Complete fills in defaults. If a setting is invalid it returns its key, what is wrong, and what is valid.
func (s Settings) Complete() (full Settings, key, wrong, hint string) {
	full = s
	for _, k := range []struct {
		key   string
		value *string
		may   []string
	}{{"talk", &full.Talk, []string{TalkSide, TalkRange, TalkNone}}, {"recognition", &full.Recognition, []string{Recognised, Anonymous}}, {"text", &full.Text, []string{TextHidden, TextTold}}, {"chart", &full.Chart, []string{ChartKnown, Uncharted}}, {"votes", &full.Votes, []string{VotesTold, VotesSecret}}} {
		if *k.value == "" {
			*k.value = k.may[0]
		}
		if !slices.Contains(k.may, *k.value) {
			return full, k.key, fmt.Sprintf("%s = %q is not known", k.key, *k.value), "one of: " + strings.Join(k.may, ", ")
		}
	}
	if full.Chart == ChartKnown { // as in games begun before there was a choice
		full.Chart = ""
	}
	if full.Votes == VotesTold {
		full.Votes = ""
	}
	memory := usualMemory
	if s.Memory != nil {
		memory = *s.Memory
	}
	full.Memory = &memory
	if memory < 0 || memory > mostMemory {
		return full, "memory", fmt.Sprintf("memory must be from 0 to %d turns", mostMemory), ""
	}
	if n := full.Books(); n < 1 || n > mostBooks {
		return full, "codes", fmt.Sprintf("codes must be from 1 to %d code books of each side", mostBooks), ""
	}
	if full.Echoes < 0 || full.Echoes > mostEchoes {
		return full, "echoes", fmt.Sprintf("echoes must be from 0 to %d a turn for each captain", mostEchoes), ""
	}
	return full, "", "", ""
}
