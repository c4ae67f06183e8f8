package rulebook

import (
	"starpost/engine/dark"
	"starpost/engine/rules/sfb/state"
)

// Verbs used in more than one file.
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
	VerbScotty      = "scotty"
	VerbLabs        = state.ForLabs
	VerbProbe       = dark.VerbProbe
	VerbShuttle     = "shuttle"

	ForCannon = "cannon" // purpose of energy drawn for cannon
)

// Words shared by orders.
const (
	NearestEnemy  = "nearest"
	missingCourse = "course"
	MissingRepeat = "repeat"
	WordStudy     = "study"
	WordSend      = "send"
	WordReceive   = "receive"
	WordRetrieve  = "retrieve"
)

// Uncontrolled is the reason why a ship neither turns nor fires.
const Uncontrolled = "no control box is left"
