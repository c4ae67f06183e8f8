package hex

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
)

// Hex is one hex in axial coordinates. Q grows with the column; R grows
// downwards within a column. The zero value is column 0, row 0, just outside
// the printed map.
type Hex struct{ Q, R int }

// steps holds the neighbour in each heading, A to F.
var steps = [6]Hex{
	{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0},
}

// At returns the hex in that column and row, both counted from 1 on a printed
// map; zero and negative numbers are hexes above or to the left of it.
func At(col, row int) Hex {
	return Hex{Q: col, R: row - halfColumns(col)}
}

// ColRow returns the column and the row of the hex. It undoes At.
func (h Hex) ColRow() (col, row int) {
	return h.Q, h.R + halfColumns(h.Q)
}

// halfColumns returns half the column number, rounded up: how far the axial origin of a column has moved up by
// then. The sum is even, so the shift is exact for negative columns too.
func halfColumns(col int) int { return (col + col&1) >> 1 }

// Step returns the neighbour in that heading.
func (h Hex) Step(d Heading) Hex { return h.StepN(d, 1) }

// StepN returns the hex n steps away in that heading; a negative n goes
// backwards.
func (h Hex) StepN(d Heading, n int) Hex {
	s := steps[d%6]
	return Hex{h.Q + n*s.Q, h.R + n*s.R}
}

// Distance returns the number of steps from a to b.
func Distance(a, b Hex) int {
	dq, dr := b.Q-a.Q, b.R-a.R
	return max(magnitude(dq), magnitude(dr), magnitude(dq+dr))
}

func magnitude(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Ring yields the hexes at exactly that distance from the centre, clockwise,
// starting straight up (heading A). Distance 0 is the centre itself; a
// negative distance yields nothing.
func Ring(centre Hex, distance int) iter.Seq[Hex] {
	return func(yield func(Hex) bool) {
		if distance < 0 {
			return
		}
		if distance == 0 {
			yield(centre)
			return
		}
		h := centre.StepN(A, distance)
		for side := range Heading(6) {
			for range distance {
				if !yield(h) {
					return
				}
				h = h.Step(C.Turn(int(side)))
			}
		}
	}
}

// Bounds is the size of a map, if a scenario sets one (D8): columns 01 to Cols and rows 01 to Rows. The zero value
// is a map without an edge.
type Bounds struct {
	Cols int `json:"columns"`
	Rows int `json:"rows"`
}

// UnmarshalJSON reads the present names, and those in states of format 1 ("Cols").
func (b *Bounds) UnmarshalJSON(data []byte) error {
	var raw struct{ Columns, Cols, Rows int }
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields() // a strict decoder of the enclosing value cannot do that here
	if err := dec.Decode(&raw); err != nil {
		return fmt.Errorf("bounds: %w", err)
	}
	*b = Bounds{max(raw.Columns, raw.Cols), raw.Rows}
	return nil
}

// Beyond returns the edges of the map that a hex lies beyond.
func (b Bounds) Beyond(h Hex) []string {
	var out []string
	col, row := h.ColRow()
	for _, e := range []struct {
		name string
		over bool
	}{{"north", row < 1}, {"south", row > b.Rows}, {"east", col > b.Cols}, {"west", col < 1}} {
		if e.over {
			out = append(out, e.name)
		}
	}
	return out
}

// Contains reports whether the hex is on the map.
func (b Bounds) Contains(h Hex) bool {
	if b == (Bounds{}) {
		return true
	}
	col, row := h.ColRow()
	return 1 <= col && col <= b.Cols && 1 <= row && row <= b.Rows
}

// Compare orders hexes by column, then by row.
func Compare(a, b Hex) int {
	aCol, aRow := a.ColRow()
	bCol, bRow := b.ColRow()
	return cmp.Or(cmp.Compare(aCol, bCol), cmp.Compare(aRow, bRow))
}
