package engine

import (
	"bytes"
	"encoding/json"
)

// Events are written by the hundred, so their heads are written by hand, byte
// for byte as encoding/json would.

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			data, err := json.Marshal(s)
			if err != nil { // no string fails
				panic("engine: a string is no JSON: " + err.Error())
			}
			return append(b, data...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

func appendStrings[S ~string](b []byte, list []S) []byte {
	if list == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, string(s))
	}
	return append(b, ']')
}

func appendSeats(b []byte, list []Seat) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s.String())
	}
	return append(b, ']')
}

// comma parts what follows from what was written since start.
func comma(b []byte, start int) []byte {
	if len(b) > start {
		b = append(b, ',')
	}
	return b
}

// Marshal is json.Marshal, but for what writes itself, on one line: encoding/json would read
// all of it once more.
func Marshal(v any) ([]byte, error) {
	m, ok := v.(json.Marshaler)
	if !ok {
		return json.Marshal(v)
	}
	data, err := m.MarshalJSON()
	for _, special := range []byte{'<', '>', '&', "\u2028"[0]} {
		if bytes.IndexByte(data, special) >= 0 {
			var b bytes.Buffer
			json.HTMLEscape(&b, data)
			return b.Bytes(), err
		}
	}
	return data, err
}
