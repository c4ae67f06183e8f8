package board

// Kinds of terrain that scenarios may lay out, and of the mines of a field that are laid.
const (
	Planet    = "planet"
	Moon      = "moon"
	Asteroid  = "asteroid"
	Minefield = "minefield" // a whole one, before its mines are laid
	Mine      = "mine"      // a single one
)

// Figures of minefields and mines.
const (
	FigureMines   = "mines"
	FigureDummies = "dummies"
	FigureDamage  = "damage"
	FigureDummy   = "dummy"
)
