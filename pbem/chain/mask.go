package chain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"starpost/pbem/pattern"
	"starpost/pbem/vault/journal"
)

// Placeholder replaces an address where one is required.
const Placeholder = "address@left-out.invalid"

// leftOut replaces an address in a text; unsaid and unheard replace a whole text.
const (
	leftOut = "(an address)"
	unsaid  = "(left out: a message between captains)"
	unheard = "(left out: a word of the referee to one captain)"
)

// address matches anything that could be a mail address, but not "@Kirk", the name of a captain's
// order set.
var address = pattern.New(`(?:"[^"\n]{1,64}"|[^\s<>()\[\]{},;:"'@]+)@[^\s<>()\[\]{},;:"'@]+`)

// Mask replaces anything in a text that could be a mail address.
func Mask(text string) string { return address().ReplaceAllString(text, leftOut) }

// HasAddress reports whether a text contains something that could be a mail address.
func HasAddress(text []byte) bool {
	for line := range bytes.Lines(text) { // few lines have one, and matching is slow
		if bytes.IndexByte(line, '@') >= 0 && address().Match(line) {
			return true
		}
	}
	return false
}

// mask removes private parts of a journal entry. sum returns the public hash of the manifest of a
// turn's revision. all also removes the addresses that games of older programs kept, because the
// hashes in their reports depend on them.
func mask(e journal.Entry, all bool, sum func(journal.Made) (string, error)) (journal.Entry, error) {
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
	case journal.Join:
		return masked(e, func(d *journal.JoinData) { hide(&d.Address) })
	case journal.Resign, journal.Leave:
		return masked(e, func(d *journal.ResignData) { hide(&d.Address) })
	case journal.Address:
		return masked(e, func(d *journal.AddressData) { d.Old, d.New = Placeholder, Placeholder })
	case journal.Replace:
		return masked(e, func(d *journal.ReplaceData) { hideIfAll(&d.Old); hideIfAll(&d.Address) })
	case journal.Invite:
		return masked(e, func(d *journal.JoinData) { hideIfAll(&d.Address) })
	case journal.Referee:
		return masked(e, func(d *journal.RefereeData) { hideIfAll(&d.Address) })
	case journal.Message:
		return masked(e, func(d *journal.MessageData) { d.Text = unsaid })
	case journal.Tell:
		return masked(e, func(d *journal.TellData) { d.Text = unheard })
	case journal.Protest:
		return masked(e, func(d *journal.ProtestData) { d.Reason = Mask(d.Reason) })
	case journal.Dispute:
		return masked(e, func(d *journal.DisputeData) { d.Text, d.Tell = Mask(d.Text), Mask(d.Tell) })
	case journal.Rollback:
		return masked(e, func(d *journal.RollbackData) { d.Parked = nil })
	case journal.Rules:
		return masked(e, func(d *journal.RulesData) { d.Parked = nil })
	case journal.Revise:
		var failed error
		out, err := masked(e, func(d *journal.ReviseData) {
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

// masked returns an entry with changed data.
func masked[T any](e journal.Entry, change func(*T)) (journal.Entry, error) {
	d := journal.DataOf[T](e)
	change(&d)
	data, err := json.Marshal(d)
	if err != nil {
		return e, fmt.Errorf("journal entry %d: %w", e.Seq, err)
	}
	e.Data = data
	return e, nil
}
