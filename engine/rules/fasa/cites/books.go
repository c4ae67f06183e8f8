package cites

import (
	"maps"
	"slices"
	"strings"
)

// A Book maps each topic to the paragraphs and rulings in which a rule book treats it. It has an
// entry for every topic that the code for that book can cite. A book that extends another begins
// with a copy of it and replaces entries ([Advanced]). An independent book, such as [BookOne], has
// paragraphs with its own prefix (scs 4.6 for stcs 4.6: the numbers are those of the Basic Course
// for the same subject), its own rulings in place of those of the Basic Course where it has some,
// and an empty list, {}, for topics that it does not treat.
type Book map[Topic][]string

// Of returns the citations of topics in this book, in the order of the topics. The slice may be
// the book's own: append copies it, and callers must not change it otherwise.
func (b Book) Of(topics ...Topic) []string {
	switch len(topics) {
	case 0:
		return nil
	case 1:
		return slices.Clip(b[topics[0]])
	}
	out := make([]string, 0, 2*len(topics))
	for _, topic := range topics {
		out = append(out, b[topic]...)
	}
	return out
}

// In replaces the topics that a text refers to by paragraphs: "(stcs 8.4, 14.5)". The book's
// name stands only before the first number of a row, and rulings are left out.
func (b Book) In(text string) string {
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
		for _, c := range b[Topic(name)] {
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

// Basic returns where the Basic Course treats its topics.
func Basic() Book {
	return Book{
		ScenarioTerms:      {"scenario"},
		MapEdge:            {"D8"},
		RoundOrders:        {"D9"},
		Conditions:         {"D10"},
		StandingOrders:     {"D11"},
		SkippedOrders:      {"D13"},
		PowerShedding:      {"D23"},
		Crippling:          {"D24"},
		OutForGood:         {"D65"},
		Surrender:          {"D57"},
		SealedFire:         {"D59"},
		OpenFire:           {"D64"},
		PowerAllocation:    {"stcs 2.1"},
		TacticalAdvantage:  {"stcs 2.2", "D14"},
		VictoryConditions:  {"stcs 2.7", "D56"},
		PowerUse:           {"stcs 3.1"},
		Movement:           {"stcs 3.5", "D16"},
		MovementSplit:      {"stcs 3.6"},
		WarpChange:         {"stcs 3.7"},
		FireDeclaration:    {"stcs 4.1"},
		FiringArcs:         {"stcs 4.2"},
		ToHit:              {"stcs 4.3"},
		BankFire:           {"stcs 4.4"},
		ShieldDamage:       {"stcs 4.6"},
		DamageLocation:     {"stcs 4.7"},
		LocationTable:      {"D19"},
		GeneratorHits:      {"stcs 4.8"},
		WeaponHits:         {"stcs 4.9", "D20"},
		NoWeaponBears:      {"D20"},
		EngineHits:         {"stcs 4.10"},
		SuperstructureHits: {"stcs 4.11"},
		SensorHits:         {"stcs 4.12", "D22"},
		SharedLocation:     {"stcs 4.13"},
		HalfDamage:         {"D21"},
		Repowering:         {"stcs 4.14"},
	}
}

// BookOne returns where Book One treats its topics: by the numbers of the Basic Course, with
// rulings of its own. Topics for which it has no rule have no entry.
func BookOne() Book {
	return Book{
		ScenarioTerms:      {"scenario"},
		MapEdge:            {"D8"},
		RoundOrders:        {"D9"},
		Conditions:         {"D10"},
		StandingOrders:     {"D11"},
		SkippedOrders:      {"D13"},
		Crippling:          {"B9"},
		OutForGood:         {"D65"},
		Surrender:          {"D57"},
		SealedFire:         {"D59"},
		OpenFire:           {"D64"},
		PowerAllocation:    {"scs 2.1"},
		TacticalAdvantage:  {"scs 2.2", "D14"},
		VictoryConditions:  {"scs 2.7", "D56"},
		PowerUse:           {"scs 3.1"},
		Movement:           {"scs 3.5"},
		MovementSplit:      {"scs 3.6"},
		WarpChange:         {"scs 3.7", "B11"},
		FireDeclaration:    {"scs 4.1", "B12"},
		FiringArcs:         {"scs 4.2"},
		ToHit:              {"scs 4.3"},
		BankFire:           {"scs 4.4", "B6"},
		ShieldDamage:       {"scs 4.6"},
		DamageLocation:     {"scs 4.7"},
		LocationTable:      {},
		GeneratorHits:      {"scs 4.8"},
		WeaponHits:         {"scs 4.9"},
		NoWeaponBears:      {},
		EngineHits:         {"scs 4.10", "B7"},
		SuperstructureHits: {"scs 4.11"},
		HalfDamage:         {"B8"},
	}
}

// Advanced returns the citations of the Basic Course with those of the Advanced Course.
func Advanced() Book {
	cites := Basic()
	maps.Copy(cites, Book{
		TacticalAdvantage:      {"stcs 6.2", "D14"},
		WarpChange:             {"stcs 8.5", "D31"},
		Placement:              {"stcs 5.1"},
		CloakAnnouncement:      {"stcs 6.1"},
		SensorPhase:            {"stcs 6.3"},
		RepairPhase:            {"stcs 6.6"},
		SensorLocks:            {"stcs 7.1"},
		SensorUse:              {"D25"},
		AutomaticInformation:   {"stcs 7.2"},
		SensorQuestions:        {"stcs 7.3"},
		LostLocks:              {"stcs 7.4"},
		DamagedSensors:         {"stcs 7.5"},
		LineOfSight:            {"stcs 7.6"},
		FiringInformation:      {"stcs 7.7"},
		ReverseMovement:        {"stcs 8.1", "D27"},
		EmergencyHeadingChange: {"stcs 8.2", "D28"},
		TacticalHeadingChange:  {"stcs 8.3"},
		TacticalHeadingCost:    {"D29"},
		Evasion:                {"stcs 8.4"},
		EvasionRoll:            {"D30"},
		PlanetsAndMoons:        {"stcs 8.6", "D32"},
		Asteroids:              {"stcs 8.7", "D32"},
		PlasmaBolts:            {"stcs 9.2", "stcs 9.4", "D33"},
		PlasmaEvasion:          {"stcs 9.3"},
		Explosions:             {"stcs 9.5"},
		BlastDamage:            {"stcs 9.6", "D34"},
		SelfDestruction:        {"stcs 9.8"},
		MineLaying:             {"stcs 10.1"},
		Mines:                  {"stcs 10.2", "stcs 10.3"},
		HiddenMines:            {"D35"},
		CloakSwitching:         {"stcs 10.4"},
		CloakedShips:           {"stcs 10.5"},
		CloakDetection:         {"stcs 10.6"},
		CloakTracking:          {"stcs 10.7"},
		FireAtCloaked:          {"stcs 10.8"},
		CloakByMail:            {"D36"},
		RepairTracks:           {"stcs 11.1"},
		RepairAttempts:         {"stcs 11.2"},
		IntensifiedRepair:      {"stcs 11.4"},
		RepairNumbers:          {"D37"},
		CaptainSkill:           {"stcs 12.1"},
		CrewEfficiency:         {"stcs 12.2"},
		CrewBonus:              {"stcs 12.3"},
		CrewBonusRoll:          {"D38"},
		RolledRatings:          {"D58"},
		FireWhileEvading:       {"stcs 14.5"},
	})
	return cites
}

// Graduate returns the citations of the Advanced Course with those of the Graduate Course.
func Graduate() Book {
	cites := Advanced()
	maps.Copy(cites, Book{
		DamageLocation:      {"stcs 15.1"},
		LocationTable:       {"D40"},
		EngineStress:        {"stcs 13.1", "D28"},
		StressCharts:        {"stcs 13.2"},
		SlimChance:          {"stcs 14.1", "D42"},
		Lasers:              {"stcs 14.2", "D43"},
		AcceleratorCannons:  {"stcs 14.3"},
		HalfPowerPlasma:     {"stcs 14.4"},
		JointDestruction:    {"stcs 14.6"},
		ChartGenerators:     {"stcs 15.2"},
		ChartBeams:          {"stcs 15.3"},
		ChartMissiles:       {"stcs 15.4"},
		ChartSuperstructure: {"stcs 15.5"},
		ChartWarpEngines:    {"stcs 15.6"},
		ChartImpulseEngine:  {"stcs 15.7"},
		ChartSensors:        {"stcs 15.8"},
		ChartBridge:         {"stcs 15.9"},
		ChartEngineering:    {"stcs 15.10"},
		ChartSplitHits:      {"stcs 15.11"},
		ChartHalving:        {"stcs 15.12"},
		Casualties:          {"stcs 15.13", "D41"},
		CasualtyModifier:    {"stcs 15.14"},
		CasualtyRuling:      {"D41"},
		WeaponTracks:        {"stcs 16.1", "D44"},
		WeaponRepairs:       {"stcs 16.2", "D44"},
		HeavyDamage:         {"stcs 16.3"},
		RepairedWeapons:     {"stcs 16.4", "D44"},
		OutpostDamage:       {"stcs 17.2"},
		OutpostLimits:       {"stcs 17.3"},
	})
	return cites
}

// Command returns where Command & Control treats its topics.
func Command() Book {
	cites := Graduate()
	maps.Copy(cites, Book{
		TacticalAdvantage: {"stcs 20.1"},
		SkillRatings:      {"stcs 19.2"},
		GeneratorsForGood: {"stcs 19.4"},
		EngineerSkills:    {"stcs 20.2"},
		HelmSkills:        {"stcs 20.3"},
		ScienceSkills:     {"stcs 20.4"},
		SensorSkill:       {"stcs 20.5"},
		HeldExplosions:    {"stcs 20.6"},
		Hails:             {"stcs 20.7"},
		BridgeHits:        {"stcs 21.1"},
		ShakenOfficers:    {"stcs 21.2"},
		ShakenSystems:     {"stcs 21.3"},
		EngineRoomHits:    {"stcs 21.4"},
		PostOrders:        {"stcs 22.1"},
		PostTotals:        {"stcs 22.2"},
		PostCuts:          {"stcs 21.5"},
		CaptainGates:      {"stcs 22.3"},
		MissingPosts:      {"stcs 22.4"},
		CrewCampaigns:     {"stcs 24.2"},
	})
	return cites
}
