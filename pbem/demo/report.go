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
	"slices"
	"strings"

	"starpost/engine"
	"starpost/engine/robots"
	"starpost/orders"
	"starpost/pbem/mime"
	"starpost/pbem/report"
	"starpost/pbem/vault"
)

// Report is a mail to a captain, and what a robot would answer.
type Report struct {
	Mail mime.Mail
	View *engine.View // from the JSON report; nil if the mail has none and so is no report
	// Orders are the due order sets for the captain's seats, each with the key of the report's
	// template; "" if none is due.
	Orders string
}

// ReadReport reads a mail to a captain, and writes the orders.
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

// play writes the due order sets for all of the viewer's seats.
func play(v *engine.View, rules *engine.Rules, m mime.Mail) (string, error) {
	if v.Due == 0 || !slices.ContainsFunc(v.Ships, v.Owes) { // the turn may be played before other orders come
		return "", nil
	}
	raws, _ := orders.Scan([]byte(m.Text))
	var b strings.Builder
	for _, set := range robots.Sets(rules, v) {
		if len(raws) == 0 {
			return "", errors.New("the report has no order template")
		}
		s, _ := v.Ship(set.Seat.Ship)
		b.WriteString(report.OrderBlock(v, s, set.Seat.Post, raws[0].Head.Key, set.Orders))
	}
	return b.String(), nil // "" for a captain who is out of the fight, or has not arrived
}

// attachment returns the JSON report of a mail; nil if it has none.
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
		return io.ReadAll(p) // text unchanged; the reader decodes quoted-printable
	}
}

// decodeView reads a JSON report with the rule set that it names.
func decodeView(data []byte, c vault.Catalogue) (*engine.View, *engine.Rules, error) {
	var head struct {
		Rules string `json:"rules"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, nil, fmt.Errorf("read the JSON report: %w", err)
	}
	rules, err := c.Rules(head.Rules, nil)
	if err != nil {
		return nil, nil, err
	}
	v, err := engine.DecodeView(data, rules)
	return v, rules, err
}
