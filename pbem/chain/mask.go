package chain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"starpost/pbem/vault"
)

// Placeholder stands where an address was, and where one must stand.
const Placeholder = "address@left-out.invalid"

// leftOut stands for an address in a text, and unsaid for a whole text.
const (
	leftOut = "(an address)"
	unsaid  = "(left out: a message between captains)"
)

// address is whatever could be a mail address. "@Kirk" is none: it is how order
// sets call a captain.
var address = regexp.MustCompile(`(?:"[^"\n]{1,64}"|[^\s<>()\[\]{},;:"'@]+)@[^\s<>()\[\]{},;:"'@]+`)

// Mask replaces whatever could be a mail address in a text.
func Mask(text string) string { return address.ReplaceAllString(text, leftOut) }

// HasAddress tells whether something in a text could be a mail address.
func HasAddress(text []byte) bool {
	for line := range bytes.Lines(text) { // few have one, and to look costs
		if bytes.IndexByte(line, '@') >= 0 && address.Match(line) {
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
	cut := func(into any, change func() error) error {
		if err := e.Decode(into); err != nil {
			return err
		}
		if err := change(); err != nil {
			return err
		}
		data, err := json.Marshal(into)
		if err != nil {
			return fmt.Errorf("journal entry %d: %w", e.Seq, err)
		}
		e.Data = data
		return nil
	}
	var err error
	switch e.Kind {
	case vault.JournalJoin:
		var d vault.JoinData
		err = cut(&d, func() error { d.Address = Placeholder; return nil })
	case vault.JournalResign:
		var d vault.ResignData
		err = cut(&d, func() error {
			if d.Address != "" {
				d.Address = Placeholder
			}
			return nil
		})
	case vault.JournalAddress:
		var d vault.AddressData
		err = cut(&d, func() error { d.Old, d.New = Placeholder, Placeholder; return nil })
	case vault.JournalReplace:
		var d vault.ReplaceData
		err = cut(&d, func() error {
			if d.Old != "" && all {
				d.Old = Placeholder
			}
			if all {
				d.Address = Placeholder
			}
			return nil
		})
	case vault.JournalInvite:
		var d vault.InviteData
		err = cut(&d, func() error {
			if all {
				d.Address = Placeholder
			}
			return nil
		})
	case vault.JournalReferee:
		var d vault.RefereeData
		err = cut(&d, func() error {
			if all {
				d.Address = Placeholder
			}
			return nil
		})
	case vault.JournalMessage:
		var d vault.MessageData
		err = cut(&d, func() error { d.Text = unsaid; return nil })
	case vault.JournalProtest:
		var d vault.ProtestData
		err = cut(&d, func() error { d.Reason = Mask(d.Reason); return nil })
	case vault.JournalDispute:
		var d vault.DisputeData
		err = cut(&d, func() error { d.Text, d.Tell = Mask(d.Text), Mask(d.Tell); return nil })
	case vault.JournalRollback:
		var d vault.RollbackData
		err = cut(&d, func() error { d.Parked = nil; return nil })
	case vault.JournalRules:
		var d vault.RulesData
		err = cut(&d, func() error { d.Parked = nil; return nil })
	case vault.JournalRevise:
		var d vault.ReviseData
		err = cut(&d, func() error {
			d.Parked = nil
			for i, c := range d.Changes {
				d.Changes[i] = Mask(c)
			}
			var err error
			if d.Manifest, err = sum(d.Made); err != nil {
				return err
			}
			for i, m := range d.Later {
				if d.Later[i].Manifest, err = sum(m); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return e, err
}
