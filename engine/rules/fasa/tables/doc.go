// Package tables holds the printed tables of the tactical rules: firing charts, weapon
// types, ship designs, firing arcs, damage locations and the charts of the later courses,
// read from the TOML files in data and from files that a game brings.
//
// It knows no game and no turn: it looks figures up. A file is read strictly and
// checked whole (sums of charts, names, spans, figures that follow from each other),
// and every mistake is a [family.TableError]. Every figure has its source, or is
// marked as assumed.
//
//	library.go  a library's contents, and looking things up in it
//	courses.go  the same for what the Advanced and the Graduate Course add
//	file.go     the form of a table file, and the place of a mistake in it
//	text.go     the compact forms inside it: ratios, bands, banks, figures
//	check.go    why a file is refused; likewise courses_check.go
//	balance.go  the fighting strength of designs and of sides
//	listing.go  designs, their sheets and the balance as commands show them
//	builtin.go  the files that ship with the program
package tables
