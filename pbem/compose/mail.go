package compose

import (
	"fmt"
	"net/url"
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
	to := strings.ReplaceAll(escape(m.To), "%40", "@")
	return "mailto:" + to + "?subject=" + escape(m.Subject) + "&body=" + escape(strings.ReplaceAll(m.Body, "\n", "\r\n"))
}

// subject names what the orders are for.
func subject(v *engine.View) string {
	at := fmt.Sprintf("turn %d", v.Due)
	if round := v.DueRound(); round > 0 {
		at += fmt.Sprintf(", phase %d", round)
	}
	return fmt.Sprintf("Orders for %s, %s", v.Game, at)
}

// escape writes text as a part of an address, in which a blank is no plus sign (RFC 6068).
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
