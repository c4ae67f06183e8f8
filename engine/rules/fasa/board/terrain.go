package board

// Kinds of terrain that scenarios may lay out, and the mines that are laid from a field.
const (
	Planet    = "planet"
	Moon      = "moon"
	Asteroid  = "asteroid"
	Minefield = "minefield" // a whole field, before its mines are laid
	Mine      = "mine"      // a single one
)

// Figures of minefields and mines.
const (
	FigureMines   = "mines"
	FigureDummies = "dummies"
	FigureDamage  = "damage"
	FigureDummy   = "dummy"
)
