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

// BenchmarkReport draws one captain's report of twenty ships three ways.
func BenchmarkReport(b *testing.B) {
	r := fleet()
	b.ReportAllocs()
	for b.Loop() {
		Draw(r)
	}
}
