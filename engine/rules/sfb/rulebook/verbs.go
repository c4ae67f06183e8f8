package rulebook

import (
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/state"
)

// Verbs that more than one file looks for.
const (
	VerbSurrender   = "surrender"
	VerbPhasers     = state.ForPhasers
	VerbOverload    = "overload"
	VerbHard        = "hard"
	VerbCloak       = "cloak"
	VerbTractor     = "tractor"
	VerbTransporter = "transporter"
	VerbRaid        = "raid"
	VerbBoard       = "board"
	VerbArm         = "arm"
	verbLit         = "lit"
	VerbScotty      = "scotty"
	VerbLabs        = state.ForLabs
	VerbProbe       = dark.VerbProbe
	VerbShuttle     = "shuttle"

	ForCannon = "cannon" // what energy for cannon is drawn for
)

// Words that orders share.
const (
	NearestEnemy  = "nearest"
	missingCourse = "course"
	MissingRepeat = "repeat"
	WordStudy     = "study"
	WordSend      = "send"
	WordReceive   = "receive"
	WordRetrieve  = "retrieve"
)

// Uncontrolled is why a ship neither turns nor fires.
const Uncontrolled = "no control box is left"
