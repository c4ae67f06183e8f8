package templates

import (
	"io"
	"testing"
)

func BenchmarkText(b *testing.B) {
	r := fleet()
	b.ReportAllocs()
	for b.Loop() {
		if err := Text(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	r := fleet()
	b.ReportAllocs()
	for b.Loop() {
		if err := HTML(io.Discard, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	m := fleet().Map
	b.ReportAllocs()
	for b.Loop() {
		if err := SVG(io.Discard, m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkASCIIMap(b *testing.B) {
	m := fleet().Map
	b.ReportAllocs()
	for b.Loop() {
		ASCIIMap(m)
	}
}

// BenchmarkReport renders one captain's report of twenty ships in all forms.
func BenchmarkReport(b *testing.B) {
	r := fleet()
	b.ReportAllocs()
	for b.Loop() {
		RenderAll(b, r)
	}
}

// BenchmarkBusySVG draws 200 last known places, each with a label, and 400 shots
// between them.
func BenchmarkBusySVG(b *testing.B) {
	m := Map{Bounds: &Bounds{22, 33}}
	for i := range 200 {
		m.Counters = append(m.Counters, Counter{Name: "x", Col: 1 + i*7%22, Row: 1 + i*5%33, Ghost: true, Age: i % 9})
	}
	for i := range 400 {
		from, to := m.Counters[i%200], m.Counters[i*37%200]
		m.Shots = append(m.Shots, Shot{from.Col, from.Row, to.Col, to.Row, 1 + i%3, i%2 == 0, "", 0})
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := SVG(io.Discard, m); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAck draws an acknowledgement as text and as a page.
func BenchmarkAck(b *testing.B) {
	a := acceptedAck()
	for name, draw := range map[string]func(*Set, Ack) (string, error){"text": (*Set).AckText, "html": (*Set).AckHTML} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := draw(nil, a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
