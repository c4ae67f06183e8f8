package orderset

import (
	"bytes"
	"cmp"
	_ "embed" // the schema
	"slices"

	"starpost/engine"
	"starpost/orders"
)

//go:embed schema/check.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of a list of [File].
func Schema() []byte { return bytes.Clone(schema) }

// File is a Reading as data for programs.
type File struct {
	File        string              `json:"file"`
	Sets        []FileSet           `json:"sets"`
	Diagnostics []orders.Diagnostic `json:"diagnostics"`
	OK          bool                `json:"ok"`
}

// FileSet is one of its order sets.
type FileSet struct {
	Ship      string             `json:"ship,omitempty"` // its name; "" for a captain's set
	Captain   engine.CaptainName `json:"captain"`
	Turn      int                `json:"turn"`
	Phase     int                `json:"phase,omitempty"`
	OK        bool               `json:"ok"`
	Canonical string             `json:"canonical"`
	Effects   []FileEffect       `json:"effects"`
	Summary   []string           `json:"summary"`

	Line int `json:"-"` // where it begins
}

// FileEffect is the effect of an order, by line of the text.
type FileEffect struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Data converts the reading of a file to data.
func (r Reading) Data(file string) File {
	f := File{File: file, Diagnostics: r.Diagnostics, OK: !orders.HasErrors(r.Diagnostics), Sets: []FileSet{}}
	if f.Diagnostics == nil {
		f.Diagnostics = []orders.Diagnostic{} // a list in JSON, not null
	}
	for _, s := range r.Sets {
		fs := FileSet{Captain: s.Captain, Turn: s.Turn, Phase: s.Round, OK: s.OK(), Canonical: s.Text, Summary: s.Checked.Summary, Effects: []FileEffect{}, Line: s.Raw.Start.Line}
		if s.Ship != "" {
			fs.Ship = s.Name
		}
		for _, e := range s.Checked.Effects {
			fs.Effects = append(fs.Effects, FileEffect{e.Line, e.Text})
		}
		slices.SortStableFunc(fs.Effects, func(a, b FileEffect) int { return cmp.Compare(a.Line, b.Line) })
		f.Sets = append(f.Sets, fs)
	}
	return f
}
