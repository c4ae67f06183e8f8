package ship

import (
	"maps"
	"slices"

	"starpost/engine/family"
)

// Posts of a ship, as heads of order sets write them.
const (
	PostCaptain  = ""
	PostEngineer = "engineer"
	PostHelm     = "helm"
	PostScience  = "science"
	PostWeapons  = "weapons" // takes arming and fire from the helm where it is filled
)

// Ratings of those aboard in per cent, as scenarios write them (stcs 19.2).
const (
	SkillTactics        = "tactics"
	SkillWarpDrive      = "warp_drive"
	SkillAstronautics   = "astronautics"
	SkillHelm           = "helm"
	SkillWeaponry       = "weaponry"
	SkillDeflectors     = "deflectors"
	SkillDamageControl  = "damage_control"
	SkillSensors        = "sensors"
	SkillCommunications = "communications"
	Dexterity           = "dexterity_" // followed by the officer
)

// SkillsOf returns the ratings of each officer, by post. Ships have them whether the post is
// filled or its duties fall to the captain.
func SkillsOf() map[string][]string {
	return map[string][]string{
		PostCaptain:  {SkillTactics, Dexterity + "captain"},
		PostEngineer: {SkillWarpDrive, SkillAstronautics, Dexterity + PostEngineer},
		PostHelm:     {SkillHelm, SkillWeaponry, Dexterity + PostHelm},
		PostScience:  {SkillDeflectors, SkillDamageControl, SkillSensors, SkillCommunications, Dexterity + PostScience},
	}
}

// Systems that a hit on the bridge can leave without power (stcs 21.1).
const (
	ShakenCommunications = "communications"
	ShakenSensors        = "sensors"
	ShakenShields        = "shields"
	ShakenHelm           = "helm"
	ShakenWeapons        = "weapons"
)

// Bridge holds the officers of a ship, and what hits did to them and to their stations (stcs
// 19, 21).
type Bridge struct {
	Ratings map[string]int `json:"ratings"`
	Due     []string       `json:"due,omitempty"`    // ratings that are average until they are rolled, as the first turn begins
	Out     []string       `json:"out,omitempty"`    // posts whose officers are shaken
	Shaken  map[string]int `json:"shaken,omitempty"` // by system: how many repairs it needs
	Tries   map[string]int `json:"tries,omitempty"`  // by system: failed repairs, each of which costs 5
	Dead    bool           `json:"dead,omitempty"`   // the engine room was hit: no power reaches any system in the next phase
	Aims    int            `json:"aims,omitempty"`   // phases of this turn in which the helm aimed
	Eased   bool           `json:"eased,omitempty"`  // the helm tried to ease an emergency heading change of this turn
	Reduce  int            `json:"reduce,omitempty"` // points of damage that can still be taken off in this turn
	Boost   bool           `json:"boost,omitempty"`  // the warp speed may change by two in this turn
}

// SysBridge is the key of the bridge's share.
const SysBridge = "bridge"

// Bridge returns the share of a ship with officers, which the caller may change; in books without posts an empty share
// with no officer shaken and no system idle, whose changes are lost.
func (s *State) Bridge() *Bridge { return ShareOf[Bridge](s) }

// Key implements Share.
func (*Bridge) Key() string { return SysBridge }

// Clone implements Share.
func (b *Bridge) Clone() Share {
	c := *b
	c.Ratings, c.Shaken, c.Tries = maps.Clone(b.Ratings), maps.Clone(b.Shaken), maps.Clone(b.Tries)
	c.Due, c.Out = slices.Clone(b.Due), slices.Clone(b.Out)
	return &c
}

// Shaky reports whether an officer is shaken.
func (b *Bridge) Shaky(post string) bool { return slices.Contains(b.Out, post) }

// Idle reports whether a hit on the bridge or the engine room left a system without power.
func (b *Bridge) Idle(system string) bool { return b.Dead || b.Shaken[system] > 0 }

// unshielded reports whether no power reaches the shields.
func (s *State) unshielded() bool {
	b, crewed := family.Find[*Bridge](s.parts)
	return crewed && b.Idle(ShakenShields)
}
