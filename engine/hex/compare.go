package hex

import "cmp"

// Compare orders hexes by column, then by row.
func Compare(a, b Hex) int {
	aCol, aRow := a.ColRow()
	bCol, bRow := b.ColRow()
	return cmp.Or(cmp.Compare(aCol, bCol), cmp.Compare(aRow, bRow))
}
