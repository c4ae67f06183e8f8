package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"starpost/engine/bounded"
	"starpost/pbem/clock"
)

// reader collects problems while values are read from the decoded text.
type reader struct {
	file     string
	places   bounded.Places
	problems Problems
}

func (r *reader) problem(path []string, message, hint string) {
	r.problems = append(r.problems, problemAt(r.file, r.places, path, message, hint))
}

// problemAt returns a problem with the value at a path, or with the whole text.
func problemAt(file string, places bounded.Places, path []string, message, hint string) Problem {
	at := places.Of(path...)
	return Problem{File: file, Line: max(1, at.Line), Col: max(1, at.Col), Message: message, Hint: hint}
}

// table is one TOML table. Each known key is read once.
type table struct {
	*reader
	path   []string
	values map[string]any
	known  []string
}

func (t *table) bad(key, message, hint string) {
	t.problem(append(slices.Clip(t.path), key), message, hint)
}

// name returns the key with its table, for messages: "imap.host", and "mailbox[2].imap.host" in the
// second of a list.
func (t *table) name(key string) string {
	var b strings.Builder
	for i, p := range append(slices.Clip(t.path), key) {
		n, err := strconv.Atoi(p)
		switch {
		case err == nil && i > 0:
			fmt.Fprintf(&b, "[%d]", n+1)
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(p)
	}
	return b.String()
}

// section returns the heading of a subtable.
func (t *table) section(key string) string {
	named := slices.DeleteFunc(slices.Clone(t.path), func(p string) bool { _, err := strconv.Atoi(p); return err == nil })
	return strings.Join(append(named, key), ".")
}

// take returns the value of a key and marks the key as known.
func (t *table) take(key string) (any, bool) {
	t.known = append(t.known, key)
	v, ok := t.values[key]
	return v, ok
}

// taken returns the value of a key if it is present and has type T. want names the type.
func taken[T any](t *table, key, want string) (v T, ok bool) {
	got, there := t.take(key)
	if v, ok = got.(T); there && !ok {
		t.mistyped(key, want, got)
	}
	return v, ok
}

func (t *table) mistyped(key, want string, got any) {
	t.bad(key, fmt.Sprintf("%s must be %s, not %s", t.name(key), want, kind(got)), "")
}

func (t *table) text(key, absent string) string {
	s, ok := taken[string](t, key, "a text in quotes")
	if !ok {
		return absent
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.bad(key, t.name(key)+" contains a control character", "write it on one line, without tabs")
		return absent
	}
	return s
}

// needed returns a text that must be present and not empty.
func (t *table) needed(key, hint string) string {
	if _, ok := t.values[key]; !ok {
		t.known = append(t.known, key)
		t.problem(t.path, t.name(key)+" is missing", hint)
		return ""
	}
	before := len(t.problems)
	s := t.text(key, "")
	if s == "" && len(t.problems) == before {
		t.bad(key, t.name(key)+" is empty", hint)
	}
	return s
}

// filled returns a text that may be absent but not empty.
func (t *table) filled(key, absent string) string {
	s := t.text(key, absent)
	if s == "" {
		t.bad(key, t.name(key)+" is empty", fmt.Sprintf("leave it out to get %q", absent))
	}
	return s
}

func (t *table) number(key string, absent, least, most int) int {
	n, ok := taken[int64](t, key, "a whole number")
	if !ok {
		return absent
	}
	if n < int64(least) || n > int64(most) {
		t.bad(key, fmt.Sprintf("%s is %d; it must be between %d and %d", t.name(key), n, least, most), "")
		return absent
	}
	return int(n)
}

func (t *table) truth(key string, absent bool) bool {
	b, ok := taken[bool](t, key, "true or false, without quotes")
	if !ok {
		return absent
	}
	return b
}

func (t *table) span(key string, absent, least, most clock.Span) clock.Span {
	s, ok := taken[string](t, key, "a time in quotes such as \"30m\"")
	if !ok {
		return absent
	}
	d, err := clock.ParseSpan(s)
	if err != nil {
		t.bad(key, fmt.Sprintf("%s: %v", t.name(key), err), "")
		return absent
	}
	if d < least || d > most {
		t.bad(key, fmt.Sprintf("%s is %s; it must be between %s and %s", t.name(key), d, least, most), "")
		return absent
	}
	return d
}

func (t *table) word(key, absent string, words ...string) string {
	s := t.text(key, absent)
	if !slices.Contains(words, s) {
		t.bad(key, fmt.Sprintf("%s is %q", t.name(key), s), didYouMean(s, words))
		return absent
	}
	return s
}

func (t *table) list(key string) []string {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	all, ok := v.([]any)
	if !ok {
		if one, isText := v.(string); isText {
			t.bad(key, t.name(key)+" must be a list", fmt.Sprintf("write %s = [%q]", key, one))
			return nil
		}
		t.mistyped(key, "a list of texts", v)
		return nil
	}
	var out []string
	for i, e := range all {
		s, ok := e.(string)
		if !ok || s == "" {
			t.bad(key, fmt.Sprintf("%s: element %d must be a non-empty text", t.name(key), i+1), "")
			continue
		}
		out = append(out, s)
	}
	return out
}

// sub returns a subtable, or nil if there is none. It reports a problem if the subtable is
// required, or not a table.
func (t *table) sub(key string, required bool) *table {
	s := &table{reader: t.reader, path: append(slices.Clip(t.path), key), values: map[string]any{}}
	v, ok := t.take(key)
	if !ok {
		if required {
			t.problem(t.path, fmt.Sprintf("the section [%s] is missing", t.section(key)), "")
		}
		return nil
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.bad(key, fmt.Sprintf("%s must be one section, not %s", t.name(key), kind(v)), fmt.Sprintf("write [%s] on a separate line", t.section(key)))
		return nil
	}
	s.values = values
	return s
}

// subs returns the tables of a list of sections, [[key]]; none if there is no such list. In
// messages they count from 1.
func (t *table) subs(key string) []*table {
	v, ok := t.take(key)
	if !ok {
		return nil
	}
	list, ok := v.([]map[string]any)
	if !ok {
		t.bad(key, fmt.Sprintf("%s must be a list of sections, not %s", t.name(key), kind(v)), fmt.Sprintf("write [[%s]] on a separate line", t.name(key)))
		return nil
	}
	out := make([]*table, len(list))
	for i, values := range list {
		out[i] = &table{reader: t.reader, path: append(slices.Clip(t.path), key, strconv.Itoa(i)), values: values}
	}
	return out
}

// unused marks keys that are known but have no effect here.
func (t *table) unused(keys ...string) { t.known = append(t.known, keys...) }

// done reports every key that was not read.
func (t *table) done() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if slices.Contains(t.known, key) {
			continue
		}
		if what, name := secretKey(key); what != "" {
			t.bad(key, fmt.Sprintf("a %s must not be in the configuration", what),
				fmt.Sprintf("put it into a separate file (mode 0600) and set %s_file, or name an environment variable with %[1]s_env", name))
			continue
		}
		what := "key"
		if _, isTable := t.values[key].(map[string]any); isTable {
			what = "section"
		}
		t.bad(key, fmt.Sprintf("unknown %s %q", what, t.name(key)), didYouMean(key, t.known))
	}
}

// secretKey returns the kind of secret that a key would contain, "" for none, and the key that
// refers to such a secret.
func secretKey(key string) (what, name string) {
	switch strings.ToLower(key) {
	case "password", "pass", "secret":
		return "password", "password"
	case "token", "access_token":
		return "token", "token"
	case "client_secret":
		return "client secret", "client_secret"
	case "refresh_token":
		return "refresh token", "refresh_token"
	}
	return "", ""
}

// kind returns the name of a TOML value's type.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case int64:
		return "a whole number"
	case float64:
		return "a decimal number"
	case bool:
		return "true or false"
	case time.Time:
		return "a date"
	case []any:
		return "a list"
	case []map[string]any:
		return "a list of sections"
	case map[string]any:
		return "a section"
	}
	return fmt.Sprintf("%T", v)
}
