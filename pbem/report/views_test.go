package report

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// FuzzDecodeViews: no file makes it panic, and views come back as they were written.
func FuzzDecodeViews(f *testing.F) {
	shot, miss := []byte(`"phase":1,"text":"a \\"}\" and {"}`), []byte(`"phase":2}`)
	f.Add(EncodeViews([]NamedView{
		{"S1", ViewJSON{Around: []byte("{\"turn\":3,\"events\":[\n],\"ships\":[{}]}\n"), At: 21, Events: [][]byte{shot, miss, shot}}},
		{`S2, "of": gunner`, ViewJSON{Around: []byte("{\"events\":[]}\n"), At: 11, Events: [][]byte{miss}}},
		{"S3", ViewJSON{Around: []byte("{\"events\":[]}\n"), At: 11}},
	}))
	for _, bad := range []string{"", "\n", "{}", `{"event":{`, `{"event":{}}`, `{"view":"S1","at":1,"of":{}}`, `{"view":"S1","at":9,"of":{}}`, `{"view":"S1","at":1,"sees":"1-2","of":{}}`, `}{,"of":`, `{"a":"\`} {
		f.Add([]byte(bad))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		views, err := DecodeViews(data)
		if err != nil {
			return
		}
		var named []NamedView
		for _, name := range slices.Sorted(maps.Keys(views)) {
			for i, e := range views[name].Events { // in a file each has its own memory
				views[name].Events[i] = bytes.Clone(e)
			}
			named = append(named, NamedView{name, views[name]})
		}
		again, err := DecodeViews(EncodeViews(named))
		if err != nil || !reflect.DeepEqual(again, views) {
			t.Errorf("%v: %v come back as %v", err, views, again)
		}
	})
}
