package demo

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	stdmime "mime"
	"mime/multipart"
	"net/mail"
	"strings"

	"starpost/engine"
	"starpost/orders"
	"starpost/pbem/mime"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// Report is a mail to a captain, and what a robot would answer.
type Report struct {
	Mail mime.Mail
	View *engine.View // from the JSON report; nil when the mail has none, and so is no report
	// Orders are the order sets for the captain's seats that are due, each with
	// the key of the report's template; "" when none is.
	Orders string
}

// ReadReport reads a mail that a captain got, and plays.
func ReadReport(raw []byte, c vault.Catalogue) (Report, error) {
	var r Report
	var err error
	if r.Mail, err = mime.Read(raw); err != nil {
		return r, err
	}
	file, err := attachment(raw)
	if err != nil || file == nil {
		return r, err
	}
	var rules *engine.Rules
	if r.View, rules, err = decodeView(file, c); err != nil {
		return r, err
	}
	r.Orders, err = play(r.View, rules, r.Mail)
	return r, err
}

// play writes the order sets for all of the viewer's seats that are due.
func play(v *engine.View, rules *engine.Rules, m mime.Mail) (string, error) {
	if v.Due == 0 {
		return "", nil
	}
	raws, _ := orders.Scan([]byte(m.Text))
	var b strings.Builder
	for _, s := range v.Ships {
		for _, seat := range v.Owed(s) {
			if len(raws) == 0 {
				return "", errors.New("the report has no order template")
			}
			b.WriteString(report.OrderBlock(v, s, seat.Post, raws[0].Head.Key, rules.Robot(v.From(seat), s.ID)))
		}
	}
	return b.String(), nil // "" of who is out of the fight, or not there yet
}

// attachment gives the JSON report of a mail; nil if it has none.
func attachment(raw []byte) ([]byte, error) {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	kind, params, err := stdmime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/mixed" {
		return nil, nil //nolint:nilerr // a plain mail may say nothing of its kind, or nonsense
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for {
		p, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(p.Header.Get("Content-Type"), "application/json") || !strings.HasSuffix(p.FileName(), ".json") {
			continue
		}
		if strings.EqualFold(p.Header.Get("Content-Transfer-Encoding"), "base64") {
			return io.ReadAll(base64.NewDecoder(base64.StdEncoding, p))
		}
		return io.ReadAll(p) // text as it is; quoted-printable is undone by the reader
	}
}

// decodeView reads a JSON report. Own ships get their systems back, of others
// the robot needs no more than is in the view itself.
func decodeView(data []byte, c vault.Catalogue) (*engine.View, *engine.Rules, error) {
	var raw struct {
		engine.View
		Ships []struct {
			engine.ShipView
			System json.RawMessage `json:"system"`
		} `json:"ships"`
		Events json.RawMessage `json:"events"` // what happened is of no use for orders
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, nil, fmt.Errorf("read the JSON report: %w", err)
	}
	v := raw.View
	rules, err := c.Rules(v.Rules, nil)
	if err != nil {
		return nil, nil, err
	}
	for i := range raw.Ships {
		s := raw.Ships[i].ShipView
		if len(raw.Ships[i].System) > 0 {
			s.System = raw.Ships[i].System // of others as it is, for rules that make something of it
		}
		if s.Own {
			if s.System, err = rules.DecodeSystem(raw.Ships[i].System); err != nil {
				return nil, nil, fmt.Errorf("read the JSON report: %w", err)
			}
		}
		v.Ships = append(v.Ships, &s)
	}
	return &v, rules, nil
}
