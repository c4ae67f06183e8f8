package tables

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// tenths is a published figure with one decimal, in tenths; its text form is "43.6". It is for
// balance and checks, never for play.
type tenths int

// String returns the text form.
func (t tenths) String() string { return fmt.Sprintf("%d.%d", int(t)/10, int(t)%10) }

// MarshalText returns the text form.
func (t tenths) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the text form, 0.0 to 9999.9.
func (t *tenths) UnmarshalText(text []byte) error {
	whole, tenth, ok := strings.Cut(string(text), ".")
	w, err1 := number(whole, 0, 9999)
	f, err2 := number(tenth, 0, 9)
	if !ok || err1 != nil || err2 != nil {
		return fmt.Errorf("figure %s: expected one decimal, such as \"43.6\"", quoted(string(text)))
	}
	*t = tenths(10*w + f)
	return nil
}

// maxRange is the longest range that a chart or a band may have.
const maxRange = 99

// parseBands reads "+3 1-10, +2 11-17"; "none" means no bands. The result is never nil.
func parseBands(text string) ([]Band, error) {
	bands := []Band{}
	if text == "none" {
		return bands, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		bonus, ranges, ok := strings.Cut(strings.TrimSpace(part), " ")
		n, err := number(strings.TrimPrefix(bonus, "+"), 1, 9)
		from, to, errs := parseRange(ranges)
		if !ok || err != nil || errs != nil || bonus[0] != '+' {
			return nil, fmt.Errorf("band %s: expected bonus and ranges, such as \"+3 1-10\"", quoted(part))
		}
		bands = append(bands, Band{Bonus: n, From: from, To: to})
	}
	return bands, ascending(len(bands), func(i int) (int, int) { return bands[i].From, bands[i].To })
}

// parsePlasma reads "1 24/12, 2-3 20/10": ranges, full damage and grazing damage.
func parsePlasma(text string) ([]PlasmaBand, error) {
	var bands []PlasmaBand
	for part := range strings.SplitSeq(text, ",") {
		ranges, damage, _ := strings.Cut(strings.TrimSpace(part), " ")
		a, b, _ := strings.Cut(damage, "/")
		from, to, err := parseRange(ranges)
		full, err1 := number(a, 1, 200)
		graze, err2 := number(b, 0, full)
		if err != nil || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("plasma damage %s: expected ranges and full/graze, such as \"2-3 20/10\"", quoted(part))
		}
		bands = append(bands, PlasmaBand{From: from, To: to, Full: full, Graze: graze})
	}
	return bands, ascending(len(bands), func(i int) (int, int) { return bands[i].From, bands[i].To })
}

// ascending refuses ranges that overlap or are out of order.
func ascending(n int, at func(i int) (from, to int)) error {
	last := 0
	for i := range n {
		from, to := at(i)
		if from <= last {
			return fmt.Errorf("ranges %d-%d: they begin at or before the end of the ranges before them", from, to)
		}
		last = to
	}
	return nil
}

// parseRange reads "2-3" or "4".
func parseRange(text string) (from, to int, err error) {
	a, b, dash := strings.Cut(text, "-")
	if !dash {
		b = a
	}
	from, err1 := number(a, 1, maxRange)
	to, err2 := number(b, from, maxRange)
	return from, to, errors.Join(err1, err2)
}

// parseBank reads "bank-a: 2 FH-3 f/p", with an optional "; bands none" or "; bands +3 1-8" for
// bands of its own.
func parseBank(text string) (BankDesign, error) {
	bad := func(why string) (BankDesign, error) {
		return BankDesign{}, fmt.Errorf("bank %s: %s; expected name, mounts, weapon and arcs, such as \"bank-a: 2 FH-3 f/p\"", quoted(text), why)
	}
	id, rest, ok := strings.Cut(text, ":")
	if !ok {
		return bad("no colon after its name")
	}
	rest, own, overrides := strings.Cut(rest, ";")
	words := strings.Fields(rest)
	if len(words) != 3 {
		return bad(fmt.Sprintf("%d words after the name", len(words)))
	}
	mounts, err := number(words[0], 1, maxMounts)
	if err != nil {
		return bad("mounts " + err.Error())
	}
	b := BankDesign{ID: strings.TrimSpace(id), Weapon: words[1], Mounts: mounts, Arcs: strings.Split(words[2], "/")}
	if overrides {
		list, ok := strings.CutPrefix(strings.TrimSpace(own), "bands ")
		if !ok {
			return bad("only \"bands\" may follow the semicolon")
		}
		if b.Bands, err = parseBands(strings.TrimSpace(list)); err != nil {
			return BankDesign{}, fmt.Errorf("bank %s: %w", quoted(text), err)
		}
	}
	return b, nil
}

// number reads a plain decimal between two limits, without sign or leading zero.
func number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < low || n > high {
		return 0, fmt.Errorf("%s is not a number from %d to %d", quoted(text), low, high)
	}
	return n, nil
}

// quoted quotes untrusted text in an error: escaped, and cut if long.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "..."
	}
	return strconv.QuoteToASCII(s)
}
