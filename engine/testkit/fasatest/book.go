package fasatest

import (
	"starpost/engine"
	"starpost/engine/rules/fasa/tables"
)

// book is what the laws of a rule book are that not all of them share.
type book struct {
	shields    [6]int     // number by hex side, clockwise from the bow
	table      [11]string // locations of damage by die
	most       int        // movement points of a turn; 0: any number
	bankHits   bool       // all armed mounts of a bank fire together, and do one hit
	surrenders bool       // who has no superstructure or power left surrenders
	keeps      bool       // what is set with the power stays as it is, but for hits
	spares     bool       // what hits nothing, or what is gone, does nothing
}

// bookOf is the book of a rule set.
func bookOf(lib *tables.Library, r *engine.Rules) book {
	if r.Name == "book-one" {
		return book{
			shields: [6]int{1, 2, 3, 4, 5, 6}, table: lib.Simple, most: 20,
			bankHits: true, surrenders: true, keeps: true, spares: true,
		}
	}
	return book{shields: lib.Shields, table: lib.Locations}
}
