package compose

import (
	"fmt"
	"strings"

	"starpost/engine"
)

// mailed is the mail that brings the orders to their game.
type mailed struct {
	OK      bool   `json:"ok"`
	To      string `json:"to"`
	Subject string `json:"subject"`
	Body    string `json:"body"`
	Mailto  string `json:"mailto"` // "" where it would be too long, or there is no address
}

// mostMailto is how long an address with a whole mail in it may be, so that browsers and mail programs take it.
const mostMailto = 1600

// mail composes the mail. A key stands in the text of the orders alone, if the captain has put it there.
func (d *Desk) mail(r request) (any, error) {
	out := mailed{OK: true, To: d.to, Subject: subject(d.view), Body: strings.TrimSpace(r.Text) + "\n"}
	if link := mailto(out); out.To != "" && len(link) < mostMailto {
		out.Mailto = link
	}
	return out, nil
}

// address is what orders are mailed to, as a page has it from its link; "" for what is no plain address.
func address(to string) string {
	name, host, ok := strings.Cut(to, "@")
	odd := func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"(),:;<>@[\]?&%`, c) }
	if !ok || name == "" || host == "" || len(to) > 254 || strings.ContainsFunc(name, odd) || strings.ContainsFunc(host, odd) {
		return ""
	}
	return to
}

// mailto is the address by which a mail program opens the mail, ready to be sent.
func mailto(m mailed) string {
	return "mailto:" + escape(m.To, "@") + "?subject=" + escape(m.Subject, "") + "&body=" + escape(strings.ReplaceAll(m.Body, "\n", "\r\n"), "")
}

// subject names what the orders are for.
func subject(v *engine.View) string {
	at := fmt.Sprintf("turn %d", v.Due)
	if round := v.DueRound(); round > 0 {
		at += fmt.Sprintf(", phase %d", round)
	}
	return fmt.Sprintf("Orders for %s, %s", v.Game, at)
}

// escape writes text as a part of an address: letters, digits and some signs go as they are, all else in per cents.
func escape(text, also string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~"+also, c) >= 0:
			out.WriteByte(c)
		default:
			out.WriteString(string([]byte{'%', hex[c>>4], hex[c&15]}))
		}
	}
	return out.String()
}
