package sfb

import (
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/state"
)

// Verbs that more than one file looks for.
const (
	verbSurrender   = "surrender"
	verbPhasers     = state.ForPhasers
	verbOverload    = "overload"
	verbHard        = "hard"
	verbCloak       = "cloak"
	verbTractor     = "tractor"
	verbTransporter = "transporter"
	verbRaid        = "raid"
	verbBoard       = "board"
	verbArm         = "arm"
	verbLit         = "lit"
	verbScotty      = "scotty"
	verbLabs        = state.ForLabs
	verbProbe       = dark.VerbProbe
	verbShuttle     = "shuttle"

	forCannon = "cannon" // what energy for cannon is drawn for
)

// Words that orders share.
const (
	nearestEnemy  = "nearest"
	missingCourse = "course"
	missingRepeat = "repeat"
	wordStudy     = "study"
	wordSend      = "send"
	wordReceive   = "receive"
	wordRetrieve  = "retrieve"
)

// uncontrolled is why a ship neither turns nor fires.
const uncontrolled = "no control box is left"
