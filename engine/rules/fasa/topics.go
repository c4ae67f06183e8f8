package fasa

import (
	"slices"
	"strings"
)

// topic is a subject that the rule books treat, each in a paragraph or ruling of its own.
// Code says of an event which topics it carries out; the book that is played says where it
// treats them, so that the same rule is stcs 4.6 in one book and scs 4.6 in another.
type topic string

// Topics of orders that come by mail: rulings, which most books share.
const (
	scenarioTerms  topic = "scenario terms"
	mapEdge        topic = "map edge"
	roundOrders    topic = "orders of a later round"
	conditions     topic = "conditions"
	standingOrders topic = "standing orders"
	skippedOrders  topic = "skipped orders"
	powerShedding  topic = "power shedding"
	crippling      topic = "crippling"
	outForGood     topic = "out for good"
	surrender      topic = "surrender"
	sealedFire     topic = "sealed fire"
	openFire       topic = "open fire"
)

// Topics of the Basic Course and of all books on from it.
const (
	PowerAllocation    topic = "power allocation"
	TacticalAdvantage  topic = "tactical advantage"
	VictoryConditions  topic = "victory conditions"
	PowerUse           topic = "use of power"
	Movement           topic = "movement"
	MovementSplit      topic = "movement split"
	WarpChange         topic = "warp change"
	FireDeclaration    topic = "fire declaration"
	FiringArcs         topic = "firing arcs"
	ToHit              topic = "to hit"
	BankFire           topic = "bank fire"
	ShieldDamage       topic = "shield damage"
	DamageLocation     topic = "damage location"
	LocationTable      topic = "location table"
	GeneratorHits      topic = "shield generator hits"
	WeaponHits         topic = "weapon hits"
	NoWeaponBears      topic = "no weapon bears"
	EngineHits         topic = "engine hits"
	SuperstructureHits topic = "superstructure hits"
	SensorHits         topic = "sensor hits"
	SharedLocation     topic = "shared location"
	HalfDamage         topic = "half damage"
	Repowering         topic = "repowering"
)

// Topics that the Advanced Course adds.
const (
	Placement              topic = "placement"
	CloakAnnouncement      topic = "cloak announcement"
	SensorPhase            topic = "sensor phase"
	RepairPhase            topic = "repair phase"
	SensorLocks            topic = "sensor locks"
	SensorUse              topic = "sensor use"
	AutomaticInformation   topic = "automatic information"
	SensorQuestions        topic = "sensor questions"
	LostLocks              topic = "lost locks"
	DamagedSensors         topic = "damaged sensors"
	LineOfSight            topic = "line of sight"
	FiringInformation      topic = "firing information"
	ReverseMovement        topic = "reverse movement"
	EmergencyHeadingChange topic = "emergency heading change"
	TacticalHeadingChange  topic = "tactical heading change"
	TacticalHeadingCost    topic = "tactical heading change cost"
	Evasion                topic = "evasion"
	EvasionRoll            topic = "evasion roll"
	PlanetsAndMoons        topic = "planets and moons"
	Asteroids              topic = "asteroids"
	PlasmaBolts            topic = "plasma bolts"
	PlasmaEvasion          topic = "plasma evasion"
	Explosions             topic = "explosions"
	BlastDamage            topic = "blast damage"
	SelfDestruction        topic = "self-destruction"
	MineLaying             topic = "mine laying"
	Mines                  topic = "mines"
	HiddenMines            topic = "hidden mines"
	CloakSwitching         topic = "cloak switching"
	CloakedShips           topic = "cloaked ships"
	CloakDetection         topic = "cloak detection"
	CloakTracking          topic = "cloak tracking"
	FireAtCloaked          topic = "fire at cloaked ships"
	CloakByMail            topic = "cloak by mail"
	RepairTracks           topic = "repair tracks"
	RepairAttempts         topic = "repair attempts"
	IntensifiedRepair      topic = "intensified repair"
	RepairNumbers          topic = "repair numbers"
	CaptainSkill           topic = "captain skill"
	CrewEfficiency         topic = "crew efficiency"
	CrewBonus              topic = "crew bonus"
	CrewBonusRoll          topic = "crew bonus roll"
	RolledRatings          topic = "rolled ratings"
	FireWhileEvading       topic = "fire while evading"
)

// Topics that the Graduate Course adds.
const (
	EngineStress        topic = "engine stress"
	StressCharts        topic = "stress charts"
	SlimChance          topic = "slim chance"
	Lasers              topic = "lasers"
	AcceleratorCannons  topic = "accelerator cannons"
	HalfPowerPlasma     topic = "plasma at half power"
	JointDestruction    topic = "joint self-destruction"
	ChartGenerators     topic = "shield generators on charts"
	ChartBeams          topic = "beam weapons on charts"
	ChartMissiles       topic = "missile weapons on charts"
	ChartSuperstructure topic = "superstructure on charts"
	ChartWarpEngines    topic = "warp engines on charts"
	ChartImpulseEngine  topic = "impulse engine on charts"
	ChartSensors        topic = "sensors on charts"
	ChartBridge         topic = "bridge on charts"
	ChartEngineering    topic = "engineering on charts"
	ChartSplitHits      topic = "engine and superstructure on charts"
	ChartHalving        topic = "halving on charts"
	Casualties          topic = "casualties"
	CasualtyModifier    topic = "casualty modifier"
	CasualtyRuling      topic = "casualty timing"
	WeaponTracks        topic = "weapon tracks"
	WeaponRepairs       topic = "weapon repairs"
	HeavyDamage         topic = "heavy damage"
	RepairedWeapons     topic = "repaired weapons"
	OutpostDamage       topic = "outpost damage"
	OutpostLimits       topic = "outpost limits"
)

// Topics that Command & Control adds.
const (
	skillRatings      topic = "skill ratings"
	engineerSkills    topic = "engineer skills"
	helmSkills        topic = "helm skills"
	scienceSkills     topic = "science skills"
	sensorSkill       topic = "sensor skill"
	heldExplosions    topic = "held explosions"
	Hails             topic = "hails"
	bridgeHits        topic = "bridge hits"
	ShakenOfficers    topic = "shaken officers"
	shakenSystems     topic = "shaken systems"
	engineRoomHits    topic = "engine room hits"
	postOrders        topic = "orders of posts"
	postTotals        topic = "totals"
	postCuts          topic = "power cuts"
	captainGates      topic = "captain gates"
	missingPosts      topic = "missing posts"
	generatorsForGood topic = "generators out for good"
	crewCampaigns     topic = "campaigns with crews"
)

// cite gives the citations of topics in this book, in the order of the topics. The slice
// may be that of the book: append copies, and nothing else may be done to it.
func (book *Book) cite(topics ...topic) []string {
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
func (topic topic) ref() string { return "{" + string(topic) + "}" }

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
		for _, c := range book.cites[topic(name)] {
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
