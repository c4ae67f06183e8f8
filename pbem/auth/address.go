package auth

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Canonical returns the form of a mail address that is used for comparisons:
// no surrounding space or angle brackets, the local part in lower case and
// without its plus tag, the domain in lower case ASCII. It returns "" for
// anything that is not an address.
//
// A letter outside ASCII never becomes one inside it: the Kelvin sign is not a
// k, because a server would not deliver to the same mailbox.
func Canonical(address string) string {
	local, domain, ok := split(address)
	if !ok {
		return ""
	}
	if plus := strings.IndexByte(local, '+'); plus > 0 {
		local = local[:plus]
	}
	return lower(local) + "@" + domain
}

// SameAddress reports whether two addresses are the same mailbox (see Canonical).
func SameAddress(a, b string) bool {
	c := Canonical(a)
	return c != "" && c == Canonical(b)
}

// HasAddress reports whether an address is in a list.
func HasAddress(some []string, address string) bool {
	return slices.ContainsFunc(some, func(a string) bool { return SameAddress(a, address) })
}

// TurnKeyFromAddress returns the turn key in the plus tag of one of the robot's addresses:
// robot+7K4Q92FM@example.org, as in a report's Reply-To. It returns false if there is none. The key
// is in canonical form and not checked against any turn.
func TurnKeyFromAddress(to []string, robot string) (string, bool) {
	return tagged(to, robot, Normalise)
}

// tagged returns the first plus tag of the robot's addresses that read accepts.
func tagged(to []string, robot string, read func(string) (string, bool)) (string, bool) {
	for _, a := range to {
		local, _, _ := split(a)
		tag, ours := strings.CutSuffix(local, ".reply") // as in References
		if !ours {
			_, tag, _ = strings.Cut(local, "+")
			ours = SameAddress(a, robot)
		}
		if found, ok := read(tag); ours && ok {
			return found, true
		}
	}
	return "", false
}

// WithKey returns the robot's address with the key as its plus tag, the form that
// TurnKeyFromAddress reads. An address without an @ is returned unchanged.
func WithKey(robot, key string) string {
	at := strings.LastIndexByte(robot, '@')
	if at < 0 {
		return robot
	}
	return robot[:at] + "+" + strings.ReplaceAll(key, "-", "") + robot[at:]
}

// split splits an address at its last @ and folds the domain.
func split(address string) (local, domain string, ok bool) {
	s := strings.TrimSpace(address)
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || at == len(s)-1 || len(s) > 1024 {
		return "", "", false
	}
	plain := true
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return "", "", false
		}
		plain = plain && r <= unicode.MaxASCII
	}
	local, domain = s[:at], strings.TrimRight(s[at+1:], ".")
	if domain == "" {
		return "", "", false
	}
	// Most addresses are ASCII, and then only the case can differ. Only the library can tell
	// whether an encoded label (xn--) is valid.
	if lowered := lower(domain); plain && !strings.Contains(lowered, "xn--") {
		return local, lowered, true
	}
	local = composed(local)
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		ascii = strings.TrimRight(ascii, ".") // some letters vanish
		return local, ascii, ascii != ""
	}
	// Not a valid DNS name (an underscore, an address literal): it can still equal itself.
	return local, lower(domain), true
}

// composed normalises accents, unless that would turn a letter into an ASCII one: the canonical
// form of the Kelvin sign is K.
func composed(s string) string {
	for _, r := range s {
		if r > unicode.MaxASCII && norm.NFC.String(string(r))[0] <= unicode.MaxASCII {
			return s
		}
	}
	return norm.NFC.String(s)
}

func lower(s string) string {
	return strings.Map(func(r rune) rune {
		l := unicode.ToLower(r)
		if r > unicode.MaxASCII && l <= unicode.MaxASCII {
			return r
		}
		return l
	}, s)
}
