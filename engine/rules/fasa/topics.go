package fasa

import (
	"slices"
	"strings"
)

// Topic is a subject that the rule books treat, each in a paragraph or ruling of its own.
// Code says of an event which topics it carries out; the book that is played says where it
// treats them, so that the same rule is stcs 4.6 in one book and scs 4.6 in another.
type Topic string

// Topics of orders that come by mail: rulings, which most books share.
const (
	ScenarioTerms  Topic = "scenario terms"
	MapEdge        Topic = "map edge"
	RoundOrders    Topic = "orders of a later round"
	Conditions     Topic = "conditions"
	StandingOrders Topic = "standing orders"
	SkippedOrders  Topic = "skipped orders"
	PowerShedding  Topic = "power shedding"
	Crippling      Topic = "crippling"
	OutForGood     Topic = "out for good"
	Surrender      Topic = "surrender"
	SealedFire     Topic = "sealed fire"
	OpenFire       Topic = "open fire"
)

// Topics of the Basic Course and of all books on from it.
const (
	PowerAllocation    Topic = "power allocation"
	TacticalAdvantage  Topic = "tactical advantage"
	VictoryConditions  Topic = "victory conditions"
	PowerUse           Topic = "use of power"
	Movement           Topic = "movement"
	MovementSplit      Topic = "movement split"
	WarpChange         Topic = "warp change"
	FireDeclaration    Topic = "fire declaration"
	FiringArcs         Topic = "firing arcs"
	ToHit              Topic = "to hit"
	BankFire           Topic = "bank fire"
	ShieldDamage       Topic = "shield damage"
	DamageLocation     Topic = "damage location"
	LocationTable      Topic = "location table"
	GeneratorHits      Topic = "shield generator hits"
	WeaponHits         Topic = "weapon hits"
	NoWeaponBears      Topic = "no weapon bears"
	EngineHits         Topic = "engine hits"
	SuperstructureHits Topic = "superstructure hits"
	SensorHits         Topic = "sensor hits"
	SharedLocation     Topic = "shared location"
	HalfDamage         Topic = "half damage"
	Repowering         Topic = "repowering"
)

// Topics that the Advanced Course adds.
const (
	Placement              Topic = "placement"
	CloakAnnouncement      Topic = "cloak announcement"
	SensorPhase            Topic = "sensor phase"
	RepairPhase            Topic = "repair phase"
	SensorLocks            Topic = "sensor locks"
	SensorUse              Topic = "sensor use"
	AutomaticInformation   Topic = "automatic information"
	SensorQuestions        Topic = "sensor questions"
	LostLocks              Topic = "lost locks"
	DamagedSensors         Topic = "damaged sensors"
	LineOfSight            Topic = "line of sight"
	FiringInformation      Topic = "firing information"
	ReverseMovement        Topic = "reverse movement"
	EmergencyHeadingChange Topic = "emergency heading change"
	TacticalHeadingChange  Topic = "tactical heading change"
	TacticalHeadingCost    Topic = "tactical heading change cost"
	Evasion                Topic = "evasion"
	EvasionRoll            Topic = "evasion roll"
	PlanetsAndMoons        Topic = "planets and moons"
	Asteroids              Topic = "asteroids"
	PlasmaBolts            Topic = "plasma bolts"
	PlasmaEvasion          Topic = "plasma evasion"
	Explosions             Topic = "explosions"
	BlastDamage            Topic = "blast damage"
	SelfDestruction        Topic = "self-destruction"
	MineLaying             Topic = "mine laying"
	Mines                  Topic = "mines"
	HiddenMines            Topic = "hidden mines"
	CloakSwitching         Topic = "cloak switching"
	CloakedShips           Topic = "cloaked ships"
	CloakDetection         Topic = "cloak detection"
	CloakTracking          Topic = "cloak tracking"
	FireAtCloaked          Topic = "fire at cloaked ships"
	CloakByMail            Topic = "cloak by mail"
	RepairTracks           Topic = "repair tracks"
	RepairAttempts         Topic = "repair attempts"
	IntensifiedRepair      Topic = "intensified repair"
	RepairNumbers          Topic = "repair numbers"
	CaptainSkill           Topic = "captain skill"
	CrewEfficiency         Topic = "crew efficiency"
	CrewBonus              Topic = "crew bonus"
	CrewBonusRoll          Topic = "crew bonus roll"
	RolledRatings          Topic = "rolled ratings"
	FireWhileEvading       Topic = "fire while evading"
)

// Topics that the Graduate Course adds.
const (
	EngineStress        Topic = "engine stress"
	StressCharts        Topic = "stress charts"
	SlimChance          Topic = "slim chance"
	Lasers              Topic = "lasers"
	AcceleratorCannons  Topic = "accelerator cannons"
	HalfPowerPlasma     Topic = "plasma at half power"
	JointDestruction    Topic = "joint self-destruction"
	ChartGenerators     Topic = "shield generators on charts"
	ChartBeams          Topic = "beam weapons on charts"
	ChartMissiles       Topic = "missile weapons on charts"
	ChartSuperstructure Topic = "superstructure on charts"
	ChartWarpEngines    Topic = "warp engines on charts"
	ChartImpulseEngine  Topic = "impulse engine on charts"
	ChartSensors        Topic = "sensors on charts"
	ChartBridge         Topic = "bridge on charts"
	ChartEngineering    Topic = "engineering on charts"
	ChartSplitHits      Topic = "engine and superstructure on charts"
	ChartHalving        Topic = "halving on charts"
	Casualties          Topic = "casualties"
	CasualtyModifier    Topic = "casualty modifier"
	CasualtyRuling      Topic = "casualty timing"
	WeaponTracks        Topic = "weapon tracks"
	WeaponRepairs       Topic = "weapon repairs"
	HeavyDamage         Topic = "heavy damage"
	RepairedWeapons     Topic = "repaired weapons"
	OutpostDamage       Topic = "outpost damage"
	OutpostLimits       Topic = "outpost limits"
)

// Topics that Command & Control adds.
const (
	SkillRatings      Topic = "skill ratings"
	EngineerSkills    Topic = "engineer skills"
	HelmSkills        Topic = "helm skills"
	ScienceSkills     Topic = "science skills"
	SensorSkill       Topic = "sensor skill"
	HeldExplosions    Topic = "held explosions"
	Hails             Topic = "hails"
	BridgeHits        Topic = "bridge hits"
	ShakenOfficers    Topic = "shaken officers"
	ShakenSystems     Topic = "shaken systems"
	EngineRoomHits    Topic = "engine room hits"
	PostOrders        Topic = "orders of posts"
	PostTotals        Topic = "totals"
	PostCuts          Topic = "power cuts"
	CaptainGates      Topic = "captain gates"
	MissingPosts      Topic = "missing posts"
	GeneratorsForGood Topic = "generators out for good"
	CrewCampaigns     Topic = "campaigns with crews"
)

// cite gives the citations of topics in this book, in the order of the topics. The slice
// may be that of the book: append copies, and nothing else may be done to it.
func (book *Book) cite(topics ...Topic) []string {
	switch len(topics) {
	case 0:
		return nil
	case 1:
		return slices.Clip(book.cites[topics[0]])
	}
	out := make([]string, 0, 2*len(topics))
	for _, topic := range topics {
		out = append(out, book.cites[topic]...)
	}
	return out
}

// ref stands for the topic's paragraph in a text whose book is not known yet: see cited.
func (topic Topic) ref() string { return "{" + string(topic) + "}" }

// cited puts paragraphs in the place of topics that a text refers to: "(stcs 8.4, 14.5)".
// The book's name stands before the first number of a row alone, and rulings are left out.
func (book *Book) cited(text string) string {
	var out strings.Builder
	short := false
	for {
		before, rest, found := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			out.WriteString(text)
			return out.String()
		}
		short = short && (before == ", " || before == " to ")
		out.WriteString(before)
		for _, c := range book.cites[Topic(name)] {
			book, number, paragraph := strings.Cut(c, " ")
			if !paragraph {
				continue
			}
			if !short {
				out.WriteString(book + " ")
			}
			out.WriteString(number)
			short = true
			break
		}
		text = after
	}
}
