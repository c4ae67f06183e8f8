package chain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"starpost/pbem/pattern"
	"starpost/pbem/vault"
)

// Placeholder stands where an address was, and where one must stand.
const Placeholder = "address@left-out.invalid"

// leftOut stands for an address in a text, and unsaid for a whole text.
const (
	leftOut = "(an address)"
	unsaid  = "(left out: a message between captains)"
	unheard = "(left out: a word of the referee to one captain)"
)

// address is whatever could be a mail address. "@Kirk" is none: it is how order
// sets call a captain.
var address = pattern.New(`(?:"[^"\n]{1,64}"|[^\s<>()\[\]{},;:"'@]+)@[^\s<>()\[\]{},;:"'@]+`)

// Mask replaces whatever could be a mail address in a text.
func Mask(text string) string { return address().ReplaceAllString(text, leftOut) }

// HasAddress tells whether something in a text could be a mail address.
func HasAddress(text []byte) bool {
	for line := range bytes.Lines(text) { // few have one, and to look costs
		if bytes.IndexByte(line, '@') >= 0 && address().Match(line) {
			return true
		}
	}
	return false
}

// mask cuts what is private out of a journal entry. Sum gives the public hash of
// the manifest of a turn's revision. All tells that the addresses go which games of
// older programs kept: what their reports told of the record hangs on them.
func mask(e vault.Entry, all bool, sum func(vault.Made) (string, error)) (vault.Entry, error) {
	e.Why, e.By = Mask(e.Why), Mask(e.By)
	if len(e.Data) == 0 {
		return e, nil
	}
	hide := func(address *string) {
		if *address != "" {
			*address = Placeholder
		}
	}
	hideIfAll := func(address *string) {
		if all {
			hide(address)
		}
	}
	switch e.Kind {
	case vault.JournalJoin:
		return masked(e, func(d *vault.JoinData) { hide(&d.Address) })
	case vault.JournalResign, vault.JournalLeave:
		return masked(e, func(d *vault.ResignData) { hide(&d.Address) })
	case vault.JournalAddress:
		return masked(e, func(d *vault.AddressData) { d.Old, d.New = Placeholder, Placeholder })
	case vault.JournalReplace:
		return masked(e, func(d *vault.ReplaceData) { hideIfAll(&d.Old); hideIfAll(&d.Address) })
	case vault.JournalInvite:
		return masked(e, func(d *vault.JoinData) { hideIfAll(&d.Address) })
	case vault.JournalReferee:
		return masked(e, func(d *vault.RefereeData) { hideIfAll(&d.Address) })
	case vault.JournalMessage:
		return masked(e, func(d *vault.MessageData) { d.Text = unsaid })
	case vault.JournalTell:
		return masked(e, func(d *vault.TellData) { d.Text = unheard })
	case vault.JournalProtest:
		return masked(e, func(d *vault.ProtestData) { d.Reason = Mask(d.Reason) })
	case vault.JournalDispute:
		return masked(e, func(d *vault.DisputeData) { d.Text, d.Tell = Mask(d.Text), Mask(d.Tell) })
	case vault.JournalRollback:
		return masked(e, func(d *vault.RollbackData) { d.Parked = nil })
	case vault.JournalRules:
		return masked(e, func(d *vault.RulesData) { d.Parked = nil })
	case vault.JournalRevise:
		var failed error
		out, err := masked(e, func(d *vault.ReviseData) {
			d.Parked = nil
			for i, c := range d.Changes {
				d.Changes[i] = Mask(c)
			}
			d.Manifest, failed = sum(d.Made)
			for i, m := range d.Later {
				if failed == nil {
					d.Later[i].Manifest, failed = sum(m)
				}
			}
		})
		return out, errors.Join(failed, err)
	}
	return e, nil
}

// masked is an entry with other data.
func masked[T any](e vault.Entry, change func(*T)) (vault.Entry, error) {
	d := vault.Data[T](e)
	change(&d)
	data, err := json.Marshal(d)
	if err != nil {
		return e, fmt.Errorf("journal entry %d: %w", e.Seq, err)
	}
	e.Data = data
	return e, nil
}
