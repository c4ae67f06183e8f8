package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// A turn has hundreds of events, so their heads are encoded here, byte for byte as encoding/json would.

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			data, err := json.Marshal(s)
			if err != nil { // cannot happen for a string
				panic("engine: a string that is not JSON: " + err.Error())
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

// comma appends a comma if anything was written since start.
func comma(b []byte, start int) []byte {
	if len(b) > start {
		b = append(b, ',')
	}
	return b
}

// Marshal is json.Marshal, except that a json.Marshaler, which must write one line, is called directly:
// encoding/json would scan its output once more.
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

// FieldError reports a field of a state file that this program does not know and would lose, because another
// version of the program wrote the file. Was and Is are the versions of the rule set in the file and in the
// program.
type FieldError struct {
	Field          string
	Ship           ShipID // the ship that has it; "" for none
	Rules, Was, Is string
}

// Error names the field and the version that wrote it.
func (e *FieldError) Error() string {
	of := ""
	if e.Ship != "" {
		of = " of ship " + string(e.Ship)
	}
	return fmt.Sprintf("its field %q%s is unknown here: it was written by version %s of rule set %s, and this program has version %s", e.Field, of, e.Was, e.Rules, e.Is)
}

// ReadJSON reads one JSON value. The error for a field that v does not have is a *FieldError.
func ReadJSON(data []byte, v any) error {
	return decoders.Get().(*decoder).read(data, v)
}

// readIndented is ReadJSON for JSON with indented lines. Encoding/json scans each byte several times, and more than
// half of an encoded game is indentation.
func readIndented(data []byte, v any) error {
	d := decoders.Get().(*decoder)
	d.plain = d.plain[:0]
	for line := range bytes.Lines(data) {
		d.plain = append(d.plain, bytes.TrimLeft(line, " ")...)
	}
	return d.read(d.plain, v)
}

// read decodes one value and, unless it fails, makes the decoder available again.
func (d *decoder) read(data []byte, v any) error {
	d.from.Reset(data)
	if err := d.Decode(v); err != nil {
		return asFieldError(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the value")
	}
	d.from.Reset(nil)
	decoders.Put(d)
	return nil
}

// decoder reads one value after another into the same buffers: new ones for each of the games of a mail would take
// four times their size.
type decoder struct {
	*json.Decoder
	from  bytes.Reader
	plain []byte // without indentation
}

var decoders = sync.Pool{New: func() any {
	d := &decoder{}
	d.Decoder = json.NewDecoder(&d.from)
	d.DisallowUnknownFields()
	return d
}}

// asFieldError turns a JSON decoder's error about an unknown field into a *FieldError, and returns any other error
// as it is.
func asFieldError(err error) error {
	if _, quoted, ok := strings.Cut(err.Error(), "json: unknown field "); ok {
		if name, bad := strconv.Unquote(quoted); bad == nil {
			return &FieldError{Field: name}
		}
	}
	return err
}

// appendHead writes the fields that events and entries share.
func appendHead(b []byte, phase int, step, kind string, rule []string) []byte {
	b = strconv.AppendInt(append(b, `,"phase":`...), int64(phase), 10)
	b = appendString(append(b, `,"step":`...), step)
	b = appendString(append(b, `,"type":`...), kind)
	return appendStrings(append(b, `,"rule":`...), rule)
}

// appendBody writes the fields of a body after a head, and ends the object.
func appendBody(b []byte, body Body) ([]byte, error) {
	data, err := Marshal(body)
	if err != nil {
		return nil, err
	}
	if len(data) > len("{}") {
		return append(append(b, ','), data[1:]...), nil
	}
	return append(b, '}'), nil
}
