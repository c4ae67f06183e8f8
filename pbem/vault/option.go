package vault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"starpost/engine/bounded"
	"starpost/orders"
)

// MailKeys lists the keys of [mail] in game.toml.
func MailKeys() []string {
	names, _ := bounded.Keys(MailSettings{})
	return names
}

// Set sets a key of [mail] from text on a command line: in the form of game.toml, or without quotes
// and brackets, with the elements of a list separated by commas ("DE,US"). An unknown key or a
// value of the wrong kind gives ErrSettings; [Settings.Check] finds other wrong values.
func (m *MailSettings) Set(key, value string) error {
	if !slices.Contains(MailKeys(), key) {
		way := orders.DidYouMean("%q", key, MailKeys(), "one of: "+strings.Join(MailKeys(), ", "))
		return &Error{Path: "[mail]", Problem: fmt.Sprintf("unknown key %q", key), Way: way, Err: ErrSettings}
	}
	if key == "reliable" {
		value = strings.TrimSuffix(value, "%")
	}
	var list []string
	for e := range strings.SplitSeq(value, ",") {
		list = append(list, strconv.Quote(strings.TrimSpace(e)))
	}
	forms := []string{value, strconv.Quote(value), "[" + strings.Join(list, ", ") + "]"}
	if key == "missed" {
		forms = []string{value, missedForm(value)}
	}
	if strings.ContainsFunc(value, unicode.IsControl) {
		forms = nil
	}
	for _, form := range forms {
		changed := *m
		changed.Remind, changed.Holidays, changed.Dates, changed.Missed = slices.Clone(m.Remind), nil, nil, MissedTurnsRule{}
		md, err := bounded.Decode(key+" = "+form+"\n", maxOption, &changed)
		if err != nil || len(md.Undecoded()) > 0 || len(md.Keys()) == 0 {
			continue // perhaps in another form
		}
		if key == "missed" {
			changed.Missed.complete(md.IsDefined("missed", "turns"))
		} else {
			changed.Missed = m.Missed
		}
		if key != "holidays" {
			changed.Holidays = m.Holidays
		}
		if key != "holidays_dates" {
			changed.Dates = m.Dates
		}
		*m = changed
		return nil
	}
	return &Error{
		Path: "[mail]", Problem: fmt.Sprintf("%s cannot be %q", key, value),
		Way: "write it as in game.toml; for an example see docs/reference/formats.md", Err: ErrSettings,
	}
}

// missedForm expands a short value, "3" or "3 robot", to the form of game.toml.
func missedForm(value string) string {
	words := strings.FieldsFunc(value, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 1 {
		return fmt.Sprintf("{ turns = %s }", words[0])
	}
	if len(words) == 2 {
		return fmt.Sprintf("{ turns = %s, then = %s }", words[0], strconv.Quote(words[1]))
	}
	return value
}
