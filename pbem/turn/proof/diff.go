package proof

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// diffEvents finds the first difference between two event logs.
func diffEvents(have, want []byte) Finding {
	for line := 1; ; line++ {
		h, restH, moreH := bytes.Cut(have, []byte("\n"))
		w, restW, moreW := bytes.Cut(want, []byte("\n"))
		if bytes.Equal(h, w) && moreH == moreW {
			if !moreH {
				return Finding{Line: line, Problem: "the file differs from the replay"}
			}
			have, want = restH, restW
			continue
		}
		switch {
		case len(h) == 0 && len(w) > 0 && !moreH:
			return Finding{Line: line, Event: line, Problem: fmt.Sprintf("the file ends here; the replay goes on with %s", brief(string(w)))}
		case len(w) == 0 && !moreW:
			return Finding{Line: line, Problem: fmt.Sprintf("the replay ends here; the file goes on with %s", brief(string(h)))}
		}
		f := Finding{Line: line, Event: line}
		f.Field, f.Problem = differ(h, w)
		return f
	}
}

// diffState finds the first difference between two states.
func diffState(have, want []byte) Finding {
	f := Finding{Line: 1}
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			break
		}
		if have[i] == '\n' {
			f.Line++
		}
	}
	f.Field, f.Problem = differ(have, want)
	return f
}

// differ compares two JSON texts and returns the path of the first difference.
func differ(have, want []byte) (field, problem string) {
	var h, w any
	if err := decode(have, &h); err != nil {
		return "", fmt.Sprintf("the file is truncated or no longer JSON: %v", err)
	}
	if err := decode(want, &w); err != nil {
		return "", fmt.Sprintf("the replay is not JSON: %v", err)
	}
	if field, problem = walk("", h, w); problem == "" {
		problem = "the same values are written differently"
	}
	return field, problem
}

func decode(data []byte, into *any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("there is more after the end")
	}
	return nil
}

func walk(path string, h, w any) (string, string) {
	switch w := w.(type) {
	case map[string]any:
		h, ok := h.(map[string]any)
		if !ok {
			break
		}
		keys := slices.Sorted(maps.Keys(w))
		for _, k := range slices.Sorted(maps.Keys(h)) {
			if _, ok := w[k]; !ok {
				keys = append(keys, k)
			}
		}
		for _, k := range keys {
			at := k
			if path != "" {
				at = path + "." + k
			}
			hv, inFile := h[k]
			wv, inReplay := w[k]
			switch {
			case !inFile:
				return at, fmt.Sprintf("the file has none, the replay gives %s", show(wv))
			case !inReplay:
				return at, fmt.Sprintf("the file has %s, the replay gives none", show(hv))
			}
			if at, problem := walk(at, hv, wv); problem != "" {
				return at, problem
			}
		}
		return "", ""
	case []any:
		h, ok := h.([]any)
		if !ok {
			break
		}
		for i := range min(len(h), len(w)) {
			if at, problem := walk(path+"["+label(w[i], i)+"]", h[i], w[i]); problem != "" {
				return at, problem
			}
		}
		if len(h) != len(w) {
			return path, fmt.Sprintf("the file has %d entries, the replay gives %d", len(h), len(w))
		}
		return "", ""
	}
	if h == w {
		return "", ""
	}
	return path, fmt.Sprintf("the file has %s, the replay gives %s", show(h), show(w))
}

// label names an element of a list, by its ID if it has one.
func label(v any, i int) string {
	if m, ok := v.(map[string]any); ok {
		if id, ok := m["id"].(string); ok {
			return id
		}
	}
	return strconv.Itoa(i)
}

func show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return brief(string(data))
}

func brief(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
