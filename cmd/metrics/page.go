package metrics

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// page is a page of figures in the making.
type page struct {
	b    []byte
	name string // of the figure at hand
}

// figure begins a figure. Its help is plain text without line ends and backslashes.
func (p *page) figure(name, kind, help string) {
	p.name = name
	p.b = append(p.b, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
}

// value adds a value of the figure, with its labels.
func (p *page) value(labels string, v float64) {
	p.b = append(append(append(p.b, p.name...), labels...), ' ')
	p.b = append(strconv.AppendFloat(p.b, v, 'g', -1, 64), '\n')
}

// values adds values by their labels, in order of these.
func (p *page) values(of map[string]float64) {
	for _, labels := range slices.Sorted(maps.Keys(of)) {
		p.value(labels, of[labels])
	}
}

// labels are names and values in turn, as they stand behind the name of a figure.
func labels(of ...string) string {
	if len(of) == 0 {
		return ""
	}
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	b := []byte{'{'}
	for i := 0; i < len(of); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, of[i]+`="`+escape.Replace(strings.ToValidUTF8(of[i+1], "\uFFFD"))+`"`...)
	}
	return string(append(b, '}'))
}

// seconds is a moment as Prometheus writes it.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// resident is the memory of the process in bytes, where the system tells it in a file.
func resident() (size float64, ok bool) {
	text, err := os.ReadFile("/proc/self/statm")
	if f := bytes.Fields(text); err == nil && len(f) > 1 {
		pages, perr := strconv.Atoi(string(f[1]))
		return float64(pages * os.Getpagesize()), perr == nil
	}
	return 0, false
}
